"""Feishu's own SDK is the judge of the fake, of the adapter's cipher and of what the bot answers."""

from __future__ import annotations

import asyncio
import base64
import importlib
import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chatops_bot.adapters.feishu import crypto
from chatops_bot.adapters.feishu.connection import load
from chatops_bot.adapters.feishu.fake import FeishuWire, events, frames, sealing
from chatops_bot.adapters.feishu.fake.world import Post
from chatops_bot.adapters.feishu.render import render
from chatops_bot.domain.cards import Button, Card, Text
from tests.contract.chat.feishu_chat.conftest import Rig
from tests.fakes.clock import ManualClock

Json = dict[str, Any]


class Judges:
    """The parts of the SDK that judge. Imported when they are asked for: that takes seconds."""

    def __init__(self) -> None:
        thread = threading.Thread(target=load)
        thread.start()
        thread.join()
        self.lark: Any = importlib.import_module("lark_oapi")
        self.im: Any = importlib.import_module("lark_oapi.api.im.v1")
        self.request: Any = importlib.import_module("lark_oapi.core.model").RawRequest
        self.cipher: Any = importlib.import_module("lark_oapi.core.utils").AESCipher
        self.frame: Any = importlib.import_module("lark_oapi.ws.pb.pbbp2_pb2").Frame
        self.answer: Any = importlib.import_module(
            "lark_oapi.event.callback.model.p2_card_action_trigger"
        ).P2CardActionTriggerResponse


@pytest.fixture(scope="module")
def judges() -> Judges:
    return Judges()


CARD = Card("web", "en", blocks=(Text("restart?"),), buttons=(Button("confirm", "Confirm", token="k"),))


def dispatcher(judges: Judges, wire: FeishuWire, heard: list[Any]) -> Any:
    def click(data: Any) -> Any:
        heard.append(data)
        return judges.answer({})

    return (
        judges.lark.EventDispatcherHandler.builder(wire.app.encrypt_key, wire.app.verification_token)
        .register_p2_im_message_receive_v1(heard.append)
        .register_p2_card_action_trigger(click)
        .build()
    )


def judged(
    judges: Judges, wire: FeishuWire, payload: Json, change: Callable[[bytes], bytes] = bytes
) -> tuple[int, list[Any]]:
    """The SDK's answer to a delivery of the fake, and what it made of it."""
    heard: list[Any] = []
    body = wire.courier.sealed(json.dumps(payload).encode())
    request = judges.request()
    request.uri = "/feishu/events"
    request.headers = wire.courier.signed(body)
    request.body = change(body)
    return int(dispatcher(judges, wire, heard).do(request).status_code), heard


@pytest.fixture
def wire() -> FeishuWire:
    return FeishuWire(clock=ManualClock())


def message(wire: FeishuWire, text: str) -> Json:
    author = wire.world.person("alice")
    written, mentions = events.with_mentions(text, wire.world, wire.app)
    first = wire.world.add(Post("om_1", wire.room("ops"), author.id, "text", events.text_content("x"), 1.0))
    post = Post("om_2", first.chat, author.id, "text", events.text_content(written), 1.0, mentions=mentions)
    wire.world.add(post, answers="om_1", in_topic=True)
    return events.message(wire.world, wire.app, post, author, event_id="e1")


def test_the_sdk_takes_a_message_of_the_fake(judges: Judges, wire: FeishuWire) -> None:
    status, heard = judged(judges, wire, message(wire, "@bot ask @alice"))
    assert status == 200
    event = heard[0]
    assert isinstance(event, judges.im.P2ImMessageReceiveV1)
    assert event.header.event_id == "e1"
    assert event.header.tenant_key == wire.app.tenant
    said = event.event.message
    assert (said.message_id, said.root_id, said.parent_id, said.chat_type) == ("om_2", "om_1", "om_1", "group")
    assert said.thread_id.startswith("omt_")
    assert json.loads(said.content) == {"text": "@_user_1 ask @_user_2"}
    assert [one.id.open_id for one in said.mentions] == [wire.app.open_id, wire.person("alice")]
    assert event.event.sender.sender_id.open_id == wire.person("alice")


def test_the_sdk_takes_a_click_of_the_fake(judges: Judges, wire: FeishuWire) -> None:
    who = wire.world.person("alice")
    post = Post("om_9", wire.room("ops"), wire.app.app_id, "interactive", "", 1.0)
    payload = events.click(wire.world, wire.app, post, who, {"button": "confirm"}, event_id="e2", token="c-1")
    status, heard = judged(judges, wire, payload)
    assert status == 200
    click = heard[0].event
    assert (click.context.open_message_id, click.operator.open_id) == ("om_9", who.id)
    assert (click.action.value, click.action.tag, click.token) == ({"button": "confirm"}, "button", "c-1")


def test_the_sdk_refuses_what_was_changed_on_the_way(judges: Judges, wire: FeishuWire) -> None:
    status, heard = judged(
        judges, wire, message(wire, "@bot x"), lambda body: body.replace(b'"encrypt"', b' "encrypt"')
    )
    assert status == 500
    assert not heard


def test_the_sdk_takes_an_old_card_click_of_the_fake(judges: Judges, wire: FeishuWire) -> None:
    heard: list[Any] = []
    handler = judges.lark.CardActionHandler.builder("", wire.app.verification_token).register(heard.append).build()
    post = Post("om_9", wire.room("ops"), wire.app.app_id, "interactive", "", 1.0)
    body = json.dumps(events.old_click(post, wire.world.person("alice"), {"button": "x"}, token="c-1")).encode()
    stamp = {"timestamp": "1", "nonce": "n"}
    request = judges.request()
    request.uri, request.body = "/", body
    request.headers = {
        "X-Lark-Request-Timestamp": "1",
        "X-Lark-Request-Nonce": "n",
        "X-Lark-Signature": sealing.old_card_signature(body, token=wire.app.verification_token, **stamp),
    }
    assert handler.do(request).status_code == 200
    assert (heard[0].open_message_id, heard[0].action.value) == ("om_9", {"button": "x"})


@settings(max_examples=60)
@given(
    st.binary(max_size=200),
    st.text(st.characters(codec="utf-8"), min_size=1, max_size=40),
    st.binary(min_size=16, max_size=16),
)
def test_the_cipher_is_the_sdks(judges: Judges, plain: bytes, key: str, vector: bytes) -> None:
    sealed = json.loads(sealing.encrypted(plain, key=key, random_bytes=lambda length: vector[:length]))["encrypt"]
    assert crypto.decrypt(key, sealed) == plain == judges.cipher(key).decrypt(base64.b64decode(sealed))


@given(
    st.integers(0, 1),
    st.dictionaries(
        st.text(st.characters(codec="utf-8"), max_size=10),
        st.text(st.characters(codec="utf-8"), max_size=300),
        max_size=5,
    ),
    st.binary(max_size=300),
    st.integers(0, 2**40),
)
def test_frames_are_the_sdks_in_both_directions(
    judges: Judges, method: int, headers: dict[str, str], payload: bytes, number: int
) -> None:
    sent = judges.frame()
    sent.ParseFromString(frames.Frame(method, headers, payload, sequence=number, log=number).encode())
    assert (sent.method, sent.payload, sent.SeqID, sent.service) == (method, payload, number, 1)
    assert {one.key: one.value for one in sent.headers} == headers
    found = frames.decode(sent.SerializeToString())
    assert (found.method, found.headers, found.payload, found.sequence) == (method, headers, payload, number)


@pytest.mark.parametrize("raw", [b"", b"\x08", b"\x2a\x05ab", b"\xff" * 30, b"\x0d\x00\x00\x00\x00"])
def test_what_is_no_frame_is_refused(raw: bytes) -> None:
    with pytest.raises(ValueError):
        frames.decode(raw)


async def test_the_api_of_the_fake_serves_the_sdk(judges: Judges, hooked: Rig) -> None:
    """Token, send, reply and update as the SDK asks for them; in a thread, because it blocks."""
    wire = hooked.wire
    client = (
        judges.lark.Client.builder()
        .app_id(wire.app.app_id)
        .app_secret(wire.app.app_secret)
        .domain(wire.server.url)
        .log_level(judges.lark.LogLevel.ERROR)
        .build()
    )
    content = json.dumps(render(CARD, thread="t").card)
    results: list[Any] = []
    im = judges.im

    def talk() -> None:
        body = im.CreateMessageRequestBody.builder().receive_id(hooked.ops).msg_type("interactive").content(content)
        request = (
            im.CreateMessageRequest.builder().receive_id_type("chat_id").request_body(body.uuid("u1").build()).build()
        )
        sent = client.im.v1.message.create(request)
        again = client.im.v1.message.create(request)
        results.extend([sent, again])
        reply = (
            im.ReplyMessageRequestBody.builder().msg_type("interactive").content(content).reply_in_thread(True).build()
        )
        results.append(
            client.im.v1.message.reply(
                im.ReplyMessageRequest.builder().message_id(sent.data.message_id).request_body(reply).build()
            )
        )
        patch = im.PatchMessageRequestBody.builder().content(content).build()
        results.append(
            client.im.v1.message.patch(
                im.PatchMessageRequest.builder().message_id(sent.data.message_id).request_body(patch).build()
            )
        )

    await asyncio.to_thread(talk)
    assert [one.success() for one in results] == [True] * 4
    sent, again, reply, _ = results
    assert sent.data.message_id == again.data.message_id
    assert reply.data.root_id == sent.data.message_id
    assert reply.data.thread_id.startswith("omt_")
    assert [shown.updates for shown in wire.shown(hooked.ops)] == [1, 0]


async def test_the_sdk_reads_the_answer_to_a_click(judges: Judges, rig: Rig) -> None:
    posted = await rig.chat.post(room=rig.room, thread="t", card=CARD, root="", key="c", again=False)
    answer = await rig.press(posted.message, "confirm")
    read = judges.answer(json.loads(answer.body))
    assert read.toast.type in ("info", "success", "warning", "error")
    assert read.toast.content
    assert set(read.toast.i18n) == {"zh_cn", "en_us"}
    assert read.card is None
