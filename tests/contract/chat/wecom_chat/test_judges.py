"""Libraries that neither the bot nor its fake wrote: they take what the fake sends, and what the bot answers."""

from __future__ import annotations

import asyncio
import json
import ssl
import warnings
from typing import Any

import pytest
import trustme
import xmltodict
from wechatpy.enterprise import parse_message
from wechatpy.enterprise.crypto import WeChatCrypto
from wechatpy.enterprise.exceptions import InvalidCorpIdException
from wechatpy.exceptions import InvalidSignatureException

from chatops_bot.adapters.wecom.crypto import CallbackCrypto, NotGenuineError
from chatops_bot.adapters.wecom.fake.corp import AGENT, CORP
from chatops_bot.adapters.wecom.fake.envelope import Envelope, as_xml, wrapped
from chatops_bot.adapters.wecom.fake.postman import AES_KEY, TOKEN
from chatops_bot.adapters.wecom.fake.server import BOT_ID, BOT_SECRET
from chatops_bot.adapters.wecom.fake.wire import FakeWeCom
from tests.contract.chat.wecom_chat.conftest import Rig, plan
from tests.fakes.clock import ManualClock, until

with warnings.catch_warnings():
    # The SDK asks websockets for a name that is to go away.
    warnings.simplefilter("ignore", DeprecationWarning)
    import aibot
    import aibot.ws

STAMP = "1700000000"
RECEIVERS = pytest.mark.parametrize("receiver", [CORP, ""], ids=["application", "robot"])
TEXTS = ["hello", "", "扩容 payment-svc 到 5 个副本", "x" * 31, "y" * 32, '{"a": "]]>"}', "🚀" * 500]


def judge(receiver: str) -> Any:
    return WeChatCrypto(TOKEN, AES_KEY, receiver)


@RECEIVERS
@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_wechatpy_reads_what_the_fake_seals(receiver: str, text: str) -> None:
    envelope = Envelope(token=TOKEN, aes_key=AES_KEY, receiver=receiver)
    encrypted = envelope.seal(text)
    signature = envelope.signature(STAMP, "n", encrypted)
    body = wrapped(encrypted, receiver=receiver, agent_id=AGENT)
    assert judge(receiver).decrypt_message(body, signature, STAMP, "n") == text


@RECEIVERS
@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_the_bot_reads_what_wechatpy_seals_and_wechatpy_what_the_bot_seals(receiver: str, text: str) -> None:
    bot = CallbackCrypto(token=TOKEN, aes_key=AES_KEY, receive_id=receiver, clock=ManualClock(float(STAMP)))
    sealed = xmltodict.parse(judge(receiver).encrypt_message(text, "n", STAMP))["xml"]
    opened = bot.open(
        signature=sealed["MsgSignature"], timestamp=STAMP, nonce=sealed["Nonce"], encrypted=sealed["Encrypt"]
    )
    assert opened.decode() == text
    answer = bot.seal(text.encode(), timestamp=STAMP, nonce="n", salt=b"s" * 16)
    told = {"Encrypt": answer.encrypted}
    assert judge(receiver).decrypt_message(told, answer.signature, STAMP, "n") == text


@RECEIVERS
def test_the_bot_and_wechatpy_refuse_the_same(receiver: str) -> None:
    """AstrBotDevs/AstrBot 3883, langbot-app/LangBot 1976: the corporation's id where a robot has none, or the reverse."""
    other = "" if receiver else CORP
    envelope = Envelope(token=TOKEN, aes_key=AES_KEY, receiver=other)
    encrypted = envelope.seal("x")
    signature = envelope.signature(STAMP, "n", encrypted)
    bot = CallbackCrypto(token=TOKEN, aes_key=AES_KEY, receive_id=receiver, clock=ManualClock(float(STAMP)))
    with pytest.raises(InvalidCorpIdException):
        judge(receiver).decrypt_message({"Encrypt": encrypted}, signature, STAMP, "n")
    with pytest.raises(NotGenuineError, match="another receiver"):
        bot.open(signature=signature, timestamp=STAMP, nonce="n", encrypted=encrypted)
    with pytest.raises(InvalidSignatureException):
        judge(other).decrypt_message({"Encrypt": encrypted}, "0" * 40, STAMP, "n")
    with pytest.raises(NotGenuineError, match="signature"):
        bot.open(signature="0" * 40, timestamp=STAMP, nonce="n", encrypted=encrypted)


def test_wechatpy_understands_the_fakes_messages() -> None:
    wecom = FakeWeCom(ManualClock(), "app")
    fields = wecom.bodies.app_message("77", "alice", "hi")
    found = parse_message(as_xml({name: str(value) for name, value in fields.items()}))
    assert (found.type, found.source, found.content, found.id) == ("text", "alice", "hi", 77)


async def test_wechatpy_reads_the_robots_answer(http_rig: Rig) -> None:
    rig = http_rig
    body = json.dumps(rig.wecom.bodies.robot_message("m9", user="alice", room=rig.room, text="@bot hi"))
    encrypted = rig.wecom.postman.envelope.seal(body)
    query = rig.wecom.postman.envelope.query(encrypted, now=rig.clock.now())
    answer = await rig.wecom.postman.request("POST", query, json.dumps({"encrypt": encrypted}).encode())
    sealed = json.loads(answer.body)
    told = judge("").decrypt_message(
        {"Encrypt": sealed["encrypt"]}, sealed["msgsignature"], str(sealed["timestamp"]), sealed["nonce"]
    )
    assert json.loads(told)["msgtype"] == "stream"


class Sdk:
    """The official client against the fake, over TLS, since it speaks nothing else."""

    def __init__(self, wecom: FakeWeCom, client: Any) -> None:
        self.wecom = wecom
        self.client = client
        self.heard: list[tuple[str, Any]] = []
        for name in ("authenticated", "message.text", "event.template_card_event", "event.disconnected_event", "error"):
            client.on(name, lambda *told, name=name: self.heard.append((name, told[0] if told else None)))

    def names(self) -> list[str]:
        return [name for name, _ in self.heard]


@pytest.fixture
async def sdk(monkeypatch: pytest.MonkeyPatch) -> Any:
    authority = trustme.CA()
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(served)
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    monkeypatch.setattr(aibot.ws, "_SSL_CONTEXT", trusting)
    wecom = FakeWeCom(ManualClock(), tls=served)
    await wecom.start()
    silent = type("Silent", (), dict.fromkeys(("debug", "info", "warn", "error"), lambda *_: None))()
    options = aibot.WSClientOptions(
        bot_id=BOT_ID,
        secret=BOT_SECRET,
        ws_url=f"wss://{wecom.server.address}",
        logger=silent,
        max_reconnect_attempts=0,
    )
    client = aibot.WSClient(options)
    found = Sdk(wecom, client)
    await client.connect()
    await until(lambda: "authenticated" in found.names(), "the subscription")
    yield found
    client.disconnect()
    await until(lambda: not client.is_connected, "the end of the connection")
    await asyncio.sleep(0.01)
    await wecom.stop()


async def test_the_official_sdk_takes_the_fakes_frames_and_is_taken_by_it(sdk: Sdk) -> None:
    wecom, client = sdk.wecom, sdk.client
    room = wecom.room("ops")
    wecom.person("alice")
    body = wecom.bodies.robot_message("m1", user="alice", room=room, text="@ops status")
    assert await wecom.server.push("aibot_msg_callback", "m1", body)
    await until(lambda: "message.text" in sdk.names(), "the message")
    frame = dict(sdk.heard)["message.text"]
    assert frame["body"]["text"]["content"] == "@ops status"
    await client.reply_stream(frame, "s1", "**looking**", finish=False)
    card = {
        "card_type": "button_interaction",
        "main_title": {"title": "Scale"},
        "button_list": [{"text": "Confirm", "key": "confirm"}],
        "task_id": "task-1",
    }
    await client.reply_stream_with_card(frame, "s1", "**found**", finish=True, template_card=card)
    await client.send_message(room, {"msgtype": "markdown", "markdown": {"content": "**alert**"}})
    press = wecom.bodies.robot_press("p1", user="alice", room=room, task="task-1", key="confirm")
    assert await wecom.server.push("aibot_event_callback", "p1", press)
    await until(lambda: "event.template_card_event" in sdk.names(), "the press")
    still = {"card_type": "text_notice", "main_title": {"title": "Done"}, "task_id": "task-1"}
    still["card_action"] = {"type": 1, "url": "https://example.com"}
    await client.update_template_card(dict(sdk.heard)["event.template_card_event"], still)
    assert [shown.text.split("\n")[0] for shown in wecom.shown(room)] == ["Done", "alert"]
    with pytest.raises(RuntimeError, match="846605"):
        await client.reply_stream(dict(sdk.heard)["event.template_card_event"], "s2", "x", finish=True)


def shape(value: Any) -> Any:
    """Names and types of a frame, without what is in it."""
    if isinstance(value, dict):
        return {name: shape(inner) for name, inner in value.items()}
    return type(value).__name__


async def test_the_bots_frames_have_the_form_of_the_official_sdks(sdk: Sdk, socket_rig: Rig) -> None:
    rig, theirs = socket_rig, sdk.wecom.server.frames
    await rig.say()
    message = await rig.post(plan())
    rig.store.on_click = lambda: rig.update(message, plan("Scaling"))
    await rig.click(message, "confirm")
    await until(lambda: rig.wecom.shown(rig.room)[0].updates == 1, "the change")
    await rig.post(plan("Another"), root="", key="k2")
    ours = rig.wecom.server.frames
    frame = {"headers": {"req_id": "m1"}, "body": {}}
    card = {"card_type": "button_interaction", "main_title": {"title": "x"}, "button_list": [], "task_id": "t"}
    for call in (
        sdk.client.reply_stream_with_card(frame, "s", "x", finish=True, template_card=card),
        sdk.client.update_template_card(frame, card),
        sdk.client.send_message("c", {"msgtype": "template_card", "template_card": card}),
    ):
        with pytest.raises(RuntimeError):
            await call
    for cmd in ("aibot_subscribe", "aibot_respond_msg", "aibot_respond_update_msg", "aibot_send_msg"):
        own, official = (next(one for one in frames if one["cmd"] == cmd) for frames in (ours, theirs))
        assert shape(own).keys() == shape(official).keys()
        assert set(shape(own["body"])) - {"chat_type"} == set(shape(official["body"]))
        assert shape(own["headers"]) == shape(official["headers"]) == {"req_id": "str"}


async def test_the_official_sdk_is_told_when_another_connection_takes_over(sdk: Sdk) -> None:
    other = aibot.WSClient(sdk.client._options)
    other.on("error", lambda *_: None)
    await other.connect()
    await until(lambda: "event.disconnected_event" in sdk.names(), "the news")
    other.disconnect()
    await until(lambda: not other.is_connected, "the end of the other connection")
