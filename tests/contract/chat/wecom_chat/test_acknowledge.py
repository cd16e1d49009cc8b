"""A delivery is genuine, and acknowledged when it is stored: at once then, and never before.

Tests named after a public report quote it as repository and number.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

import pytest

from chatops_bot.adapters.wecom.fake.corp import AGENT, CORP
from chatops_bot.adapters.wecom.fake.envelope import Envelope, as_xml, wrapped
from chatops_bot.adapters.wecom.fake.postman import AES_KEY, TOKEN
from chatops_bot.ports.asgi import Answer, call
from tests.contract.chat.talk import Store
from tests.contract.chat.wecom_chat.conftest import Rig, plan, rigged
from tests.fakes.clock import until


@pytest.fixture(params=["http", "app"])
async def called(request: pytest.FixtureRequest) -> Any:
    """A rig that is called over HTTP."""
    async with rigged(request.param) as made:
        yield made


async def post(rig: Rig, plain: str, *, age_s: float = 0, envelope: Envelope | None = None, **query: Any) -> Answer:
    """A genuine delivery of any text, unless something else is asked for."""
    envelope = envelope or rig.wecom.postman.envelope
    return await post_sealed(rig, envelope.seal(plain), age_s=age_s, envelope=envelope, **query)


async def post_sealed(
    rig: Rig, encrypted: str, *, age_s: float = 0, envelope: Envelope | None = None, **query: str
) -> Answer:
    envelope = envelope or rig.wecom.postman.envelope
    if rig.mode == "app":
        raw = wrapped(encrypted, receiver=CORP, agent_id=AGENT).encode()
    else:
        raw = json.dumps({"encrypt": encrypted}).encode()
    return await rig.wecom.postman.request(
        "POST", {**envelope.query(encrypted, now=rig.clock.now() - age_s), **query}, raw
    )


def message(rig: Rig, event_id: str = "m1") -> str:
    if rig.mode == "app":
        fields = rig.wecom.bodies.app_message(event_id, "alice", "restart web")
        return as_xml({name: str(value) for name, value in fields.items()})
    return json.dumps(
        rig.wecom.bodies.robot_message(event_id, user="alice", room=rig.room, text="@运维机器人 restart web")
    )


async def test_the_address_check_wants_the_plain_text_back(called: Rig) -> None:
    """AstrBotDevs/AstrBot 9077: no quotes, no JSON, no newline."""
    encrypted = called.wecom.postman.envelope.seal("5927782489442352469")
    query = {**called.wecom.postman.envelope.query(encrypted, now=called.clock.now()), "echostr": encrypted}
    answer = await called.wecom.postman.request("GET", query)
    assert (answer.status, answer.body) == (200, b"5927782489442352469")
    assert answer.headers["content-type"].startswith("text/plain")


async def test_an_address_check_that_is_not_genuine_gives_nothing_away(called: Rig) -> None:
    encrypted = called.wecom.postman.envelope.seal("5927782489442352469")
    query = {**called.wecom.postman.envelope.query(encrypted, now=called.clock.now()), "echostr": encrypted}
    answer = await called.wecom.postman.request("GET", {**query, "msg_signature": "0" * 40})
    assert answer.status == 401
    assert b"592778" not in answer.body
    assert (await called.wecom.postman.request("GET", {})).status == 401


async def test_a_double_press_of_an_application_in_one_second_is_one_event(app_rig: Rig) -> None:
    await app_rig.say()
    card = await app_rig.post(plan())
    await app_rig.click(card, "confirm")
    await app_rig.click(card, "confirm")
    assert len(app_rig.store.clicks) == 1
    await app_rig.click(card, "cancel")
    await app_rig.clock.advance(1)
    await app_rig.click(card, "confirm")
    assert [click.button for click in app_rig.store.clicks] == ["confirm", "cancel", "confirm"]


@pytest.mark.parametrize("age", [301, -301, 86_400])
async def test_a_timestamp_more_than_five_minutes_off_is_refused(called: Rig, age: float) -> None:
    answer = await post(called, message(called), age_s=age)
    assert answer.status == 401
    assert called.store.events == []
    assert (await post(called, message(called), age_s=299)).status == 200


FORGED = {
    "a wrong signature": {"msg_signature": "0" * 40},
    "no signature": {"msg_signature": ""},
    "a signature of letters that are none": {"msg_signature": "é" * 40},
    "another nonce": {"nonce": "other"},
    "another timestamp": {"timestamp": "1700000001"},
}


@pytest.mark.parametrize("query", FORGED.values(), ids=FORGED)
async def test_a_forged_delivery_is_refused(called: Rig, query: dict[str, Any]) -> None:
    answer = await post(called, message(called), **query)
    assert answer.status == 401
    assert called.store.events == []


@pytest.mark.parametrize("stamp", ["", "soon", "17e8", "٣", "9" * 30])
async def test_a_timestamp_that_is_none_is_refused(called: Rig, stamp: str) -> None:
    envelope = called.wecom.postman.envelope
    encrypted = envelope.seal(message(called))
    signature = envelope.signature(stamp, "nonce-1", encrypted)
    answer = await post_sealed(called, encrypted, msg_signature=signature, timestamp=stamp)
    assert answer.status == 401


async def test_a_wrong_token_or_key_or_receiver_is_refused_without_saying_more(called: Rig) -> None:
    receiver = called.wecom.postman.envelope.receiver
    other_key = "Z" + AES_KEY[1:]
    for envelope in (
        Envelope(token="other", aes_key=AES_KEY, receiver=receiver),
        Envelope(token=TOKEN, aes_key=other_key, receiver=receiver),
        Envelope(token=TOKEN, aes_key=AES_KEY, receiver="" if receiver else CORP),
    ):
        answer = await post(called, message(called), envelope=envelope)
        assert answer.status == 401
        told = answer.body.decode()
        assert not any(secret in told for secret in (TOKEN, AES_KEY, "restart web"))
    assert called.store.events == []


def tampered(encrypted: str) -> dict[str, str]:
    middle = len(encrypted) // 2
    return {
        "a flipped letter": encrypted[:middle] + ("A" if encrypted[middle] != "A" else "B") + encrypted[middle + 1 :],
        "its last block gone (padding)": encrypted[: -24 * 4] + "=" * (-len(encrypted[: -24 * 4]) % 4),
        "no base64": "%%%" + encrypted,
        "half a block": "QUJD",
        "nothing": "AAAAAAAAAAAAAAAAAAAAAA==",
    }


@pytest.mark.parametrize("how", tampered("A" * 200))
async def test_tampered_ciphertext_with_a_good_signature_is_refused(called: Rig, how: str) -> None:
    envelope = called.wecom.postman.envelope
    encrypted = tampered(envelope.seal(message(called)))[how]
    answer = await post_sealed(called, encrypted)
    assert answer.status in {400, 401}
    assert called.store.events == []


BOMB = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><xml><MsgType>&b;</MsgType></xml>'
BROKEN = {
    "truncated XML": "<xml><MsgType><![CDATA[text]]></MsgType>",
    "an entity bomb": BOMB,
    "a document type alone": "<!DOCTYPE xml SYSTEM 'file:///etc/passwd'><xml></xml>",
    "no XML": "hello",
    "another root": "<html></html>",
    "too deep": "<xml>" + "<a>" * 50 + "</a>" * 50 + "</xml>",
    "too many fields": "<xml>" + "".join(f"<f{n}/>" for n in range(500)) + "</xml>",
    "no JSON": "{",
    "nothing": "",
}


@pytest.mark.parametrize("plain", BROKEN.values(), ids=BROKEN)
async def test_what_cannot_be_read_is_told_so_and_stops_nothing(called: Rig, plain: str) -> None:
    answer = await post(called, plain)
    assert answer.status == 400
    assert json.loads(answer.body) == {"error": "malformed"}
    assert (await called.say()).accepted


@pytest.mark.parametrize(
    "raw", [b"", b"<xml>", BOMB.encode(), b"{}", b'{"encrypt": 5}', b"[1]", b"\xff\xfe", b"{" * 5000]
)
async def test_a_body_that_holds_nothing_encrypted_is_malformed(called: Rig, raw: bytes) -> None:
    answer = await called.wecom.postman.request(
        "POST", called.wecom.postman.envelope.query("x", now=called.clock.now()), raw
    )
    assert answer.status == 400


async def test_an_oversized_delivery_is_told_so(called: Rig) -> None:
    answer = await called.wecom.postman.request("POST", {}, b"x" * 1_100_000)
    assert answer.status == 413


async def test_other_verbs_are_told_to_post(called: Rig) -> None:
    assert (await called.wecom.postman.request("PUT", {})).status == 405


async def test_an_application_is_answered_with_nothing(app_rig: Rig) -> None:
    answer = await post(app_rig, message(app_rig))
    assert (answer.status, answer.body) == (200, b"")


UNKNOWN_APP = {
    "an event nobody knows (AstrBotDevs/AstrBot 1607)": {"MsgType": "event", "Event": "kf_msg_or_event"},
    "somebody opens the application": {"MsgType": "event", "Event": "enter_agent"},
    "a picture": {"MsgType": "image", "MediaId": "x"},
    "a type nobody knows": {"MsgType": "hologram"},
    "no type": {"MsgType": ""},
    "the system": {"FromUserName": "sys"},
    "nobody": {"FromUserName": ""},
    "another application": {"AgentID": "7"},
    "a press without a key": {"MsgType": "event", "Event": "template_card_event", "TaskId": "t"},
    "a press without a card": {"MsgType": "event", "Event": "template_card_event", "EventKey": "k"},
    "an id with an invisible character": {"FromUserName": "ali\u200bce"},
    "an id with a control character": {"FromUserName": "ali\u0085ce"},
    "a message without an id": {"MsgId": ""},
}


@pytest.mark.parametrize("changed", UNKNOWN_APP.values(), ids=UNKNOWN_APP)
async def test_what_no_person_says_to_the_application_does_nothing(
    app_rig: Rig, changed: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    fields = {**app_rig.wecom.bodies.app_message("m1", "alice", "restart web"), **changed}
    answer = await post(app_rig, as_xml({name: str(value) for name, value in fields.items()}))
    assert (answer.status, answer.body) == (200, b"")
    assert app_rig.store.events == []
    assert "passed over" in caplog.text


UNKNOWN_ROBOT: dict[str, dict[str, Any]] = {
    "an event nobody knows": {"msgtype": "event", "event": {"eventtype": "sky_fallen"}},
    "somebody opens the talk": {"msgtype": "event", "event": {"eventtype": "enter_chat"}},
    "feedback": {"msgtype": "event", "event": {"eventtype": "feedback_event", "feedback_event": {"id": "x"}}},
    "a press that says nothing": {"msgtype": "event", "event": {"eventtype": "template_card_event"}},
    "a press of another form": {
        "msgtype": "event",
        "event": {"eventtype": "template_card_event", "template_card_event": 5},
    },
    "a picture": {"msgtype": "image", "image": {"url": "x"}},
    "a voice": {"msgtype": "voice", "voice": {"content": "确认"}},
    "a type nobody knows": {"msgtype": "hologram"},
    "a number for a type": {"msgtype": 5},
    "no text": {"msgtype": "text", "text": 5},
    "no sender": {"from": {}},
    "an id with an invisible character": {"from": {"userid": "ali\u200bce"}},
    "a room with a control character": {"chatid": "wr\x07"},
    "a room that is named like a person's talk": {"chatid": "user:bob"},
    "no id": {"msgid": ""},
}


@pytest.mark.parametrize("mode", ["socket", "http"])
@pytest.mark.parametrize("changed", UNKNOWN_ROBOT.values(), ids=UNKNOWN_ROBOT)
async def test_what_no_person_says_to_the_robot_does_nothing(
    mode: Any, changed: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    async with rigged(mode) as rig:
        body = {**rig.wecom.bodies.robot_message("m1", user="alice", room=rig.room, text="@bot restart web"), **changed}
        if mode == "http":
            answer = await post(rig, json.dumps(body))
            assert (answer.status, answer.body) == (200, b"")
        else:
            assert await rig.wecom.server.push("aibot_msg_callback", "m1", body)
            await until(lambda: "passed over" in caplog.text, "the line in the log")
        assert (await rig.say(event_id="m2")).accepted
        assert [found.root for found in rig.store.events] == ["m2"]
        assert "passed over" in caplog.text


async def test_a_mixed_message_is_what_is_written_in_it(socket_rig: Rig) -> None:
    rig = socket_rig
    body = rig.wecom.bodies.robot_message("m1", user="alice", room=rig.room, text="")
    items = [{"msgtype": "text", "text": {"content": "@运维机器人 看下"}}, {"msgtype": "image", "image": {"url": "x"}}]
    items.append({"msgtype": "text", "text": {"content": "web"}})
    del body["text"]
    await rig.wecom.server.push("aibot_msg_callback", "m1", {**body, "msgtype": "mixed", "mixed": {"msg_item": items}})
    await until(lambda: bool(rig.store.events), "the message")
    assert rig.store.messages[0].text == "看下 web"


async def test_after_the_stop_nothing_is_acknowledged(called: Rig) -> None:
    await called.chat.stop()
    assert (await called.say(event_id="m1")).status == 503
    assert called.chat.healthy() == "not started"
    await called.chat.start(Store())
    assert (await called.wecom.faults.redeliver("m1")).accepted


async def test_the_endpoint_is_asgi_and_nothing_else(called: Rig) -> None:
    endpoint = called.wecom.postman.endpoints[-1]
    assert (await call(endpoint, path="/", method="GET", query=urlencode({"echostr": "x"}))).status == 401
    with pytest.raises(RuntimeError, match="websocket"):
        await endpoint({"type": "websocket"}, None, None)  # type: ignore[arg-type]
