"""Only what Feishu signed for this app, a moment ago, gets in over HTTP."""

from __future__ import annotations

import base64
import json
import logging
from typing import Any

import pytest

from chatops_bot.adapters.feishu import FeishuSettings
from chatops_bot.adapters.feishu.fake import events, sealing
from chatops_bot.adapters.feishu.fake.world import Post
from tests.contract.chat.feishu_chat.conftest import Rig

Json = dict[str, Any]


def message(rig: Rig, text: str = "restart web", **header: str) -> Json:
    author = rig.wire.world.person("alice")
    post = Post(f"om_{rig.wire.world.number()}", rig.ops, author.id, "text", events.text_content(text), rig.clock.now())
    payload = events.message(rig.wire.world, rig.wire.app, post, author, event_id="e1")
    payload["header"].update(header)
    return payload


def raw(payload: Json) -> bytes:
    return json.dumps(payload).encode()


async def test_an_encrypted_and_signed_delivery_gets_in(hooked: Rig) -> None:
    body = hooked.wire.courier.sealed(raw(message(hooked)))
    assert (await hooked.wire.courier.post(body, hooked.wire.courier.signed(body))).status == 200
    assert len(hooked.store.events) == 1


@pytest.mark.parametrize("spelling", [str.upper, str.lower, str.title, str.swapcase])
async def test_headers_may_be_spelled_in_any_case(hooked: Rig, spelling: Any) -> None:
    """The SDK knows one spelling and answers 500 to all others."""
    body = hooked.wire.courier.sealed(raw(message(hooked)))
    headers = {spelling(name): value for name, value in hooked.wire.courier.signed(body).items()}
    assert (await hooked.wire.courier.post(body, headers)).status == 200


async def test_the_signature_is_checked_on_the_bytes_as_they_came(hooked: Rig) -> None:
    """larksuite/node-sdk#46"""
    payload = message(hooked, "é 重启")
    for body in (raw(payload), json.dumps(payload, indent=3, ensure_ascii=False, sort_keys=True).encode()):
        assert (await hooked.wire.courier.post(body, hooked.wire.courier.signed(body))).status == 200
        again = json.dumps(json.loads(body), separators=(",", ":")).encode()
        assert (await hooked.wire.courier.post(again, hooked.wire.courier.signed(body))).status == 401


@pytest.mark.parametrize(
    ("off_s", "status"), [(-301, 401), (-299, 200), (0, 200), (299, 200), (301, 401), (-86_400, 401)]
)
async def test_what_is_older_or_younger_than_five_minutes_is_refused(hooked: Rig, off_s: int, status: int) -> None:
    """The SDK has no such check: a day-old delivery passes it."""
    body = hooked.wire.courier.sealed(raw(message(hooked)))
    headers = sealing.headers(body, key=hooked.wire.app.encrypt_key, now=hooked.clock.now() + off_s, nonce="n")
    assert (await hooked.wire.courier.post(body, headers)).status == status


async def test_a_body_that_is_played_again_later_is_refused(hooked: Rig) -> None:
    body = hooked.wire.courier.sealed(raw(message(hooked)))
    headers = hooked.wire.courier.signed(body)
    assert (await hooked.wire.courier.post(body, headers)).status == 200
    await hooked.clock.advance(200)
    assert (await hooked.wire.courier.post(body, headers)).status == 200
    assert len(hooked.store.events) == 1
    await hooked.clock.advance(101)
    assert (await hooked.wire.courier.post(body, headers)).status == 401


def wrong_bodies(rig: Rig) -> dict[str, tuple[bytes, dict[str, str]]]:
    """Deliveries that are not Feishu's, by what is wrong with them."""
    courier, app = rig.wire.courier, rig.wire.app
    good = courier.sealed(raw(message(rig)))
    sealed = base64.b64decode(json.loads(good)["encrypt"])

    def with_cipher(cipher: bytes) -> tuple[bytes, dict[str, str]]:
        body = json.dumps({"encrypt": base64.b64encode(cipher).decode()}).encode()
        return body, courier.signed(body)

    foreign_key = sealing.encrypted(raw(message(rig)), key="another key", random_bytes=lambda n: b"x" * n)
    wrong_token = courier.sealed(raw(message(rig, token="another token")))
    without_token = message(rig)
    del without_token["header"]["token"]
    stamp = {"timestamp": str(int(rig.clock.now())), "nonce": "n"}
    return {
        "no headers": (good, {}),
        "no signature": (good, {**courier.signed(good), "X-Lark-Signature": ""}),
        "a signature of another key": (good, sealing.headers(good, key="another", now=rig.clock.now(), nonce="n")),
        "another nonce": (good, {**courier.signed(good), "X-Lark-Request-Nonce": "other"}),
        "a time that is none": (good, {**courier.signed(good), "X-Lark-Request-Timestamp": "now"}),
        "a time in other digits": (good, {**courier.signed(good), "X-Lark-Request-Timestamp": "١٧٠٠٠٠٠٠٠٠"}),
        "a signature that is no text": (good, {**courier.signed(good), "X-Lark-Signature": "é" * 64}),
        "a body of another key": (foreign_key, courier.signed(foreign_key)),
        "a changed body": (good + b" ", courier.signed(good)),
        "a changed cipher": with_cipher(sealed[:-1] + bytes([sealed[-1] ^ 1])),
        "a cut cipher": with_cipher(sealed[:-5]),
        "an empty cipher": with_cipher(b""),
        "a vector alone": with_cipher(sealed[:16]),
        "no base64": (bad := b'{"encrypt": "%%%"}', courier.signed(bad)),
        "a wrong token": (wrong_token, courier.signed(wrong_token)),
        "no token": (clear := raw(without_token), courier.signed(clear)),
        "an event signed as an old card": (
            clear := raw(message(rig)),
            {
                "X-Lark-Request-Timestamp": stamp["timestamp"],
                "X-Lark-Request-Nonce": stamp["nonce"],
                "X-Lark-Signature": sealing.old_card_signature(clear, token=app.verification_token, **stamp),
            },
        ),
    }


WRONG = [
    "no headers", "no signature", "a signature of another key", "another nonce", "a time that is none", "a time in other digits",
    "a signature that is no text", "a body of another key", "a changed body", "a changed cipher", "a cut cipher", "an empty cipher",
    "a vector alone", "no base64", "a wrong token", "no token", "an event signed as an old card",
]  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
async def test_what_is_not_feishus_is_refused_and_told_nothing(
    hooked: Rig, wrong: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    cases = wrong_bodies(hooked)
    assert set(cases) == set(WRONG)
    body, headers = cases[wrong]
    answer = await hooked.wire.courier.post(body, {"Content-Type": "application/json", **headers})
    assert answer.status == 401
    assert not hooked.store.events
    app = hooked.wire.app
    for secret in (app.encrypt_key, app.verification_token, app.app_secret, "restart web"):
        assert secret not in answer.body.decode()
        assert secret not in caplog.text
    assert "a delivery is refused" in caplog.text


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"x"', b"\xff\xfe", b"[" * 100_000, b"null"])
async def test_what_is_no_json_object_is_malformed(hooked: Rig, body: bytes) -> None:
    assert (await hooked.wire.courier.post(body, hooked.wire.courier.signed(body))).status == 400


async def test_too_much_is_not_read(hooked: Rig) -> None:
    body = b'{"x": "' + b"y" * 1_100_000 + b'"}'
    assert (await hooked.wire.courier.post(body, hooked.wire.courier.signed(body))).status == 413
    assert (await hooked.wire.courier.post(b"{}", {"content-length": "99999999"})).status == 413


async def test_other_verbs_are_told_so(hooked: Rig) -> None:
    assert (await hooked.wire.courier.post(b"", {}, method="GET")).status == 405


async def test_an_authentic_delivery_that_cannot_be_read_is_acknowledged(hooked: Rig) -> None:
    """It would be no better the next time."""
    payload = message(hooked)
    payload["event"] = {"message": 5}
    body = hooked.wire.courier.sealed(raw(payload))
    assert (await hooked.wire.courier.post(body, hooked.wire.courier.signed(body))).status == 200
    assert not hooked.store.events


@pytest.mark.parametrize(
    "kind", ["p2p_chat_create", "im.chat.access_event.bot_p2p_chat_entered_v1", "a type of next year"]
)
async def test_unknown_events_are_answered_200(hooked: Rig, kind: str) -> None:
    """langbot-app/LangBot#1347: the SDK answers 500 to them, and Feishu delivers them again and again."""
    for payload in (
        message(hooked, event_type=kind),
        {"uuid": "u", "token": hooked.wire.app.verification_token, "type": "event_callback", "event": {"type": kind}},
    ):
        body = hooked.wire.courier.sealed(raw(payload))
        assert (await hooked.wire.courier.post(body, hooked.wire.courier.signed(body))).status == 200
    assert not hooked.store.events


@pytest.mark.parametrize("signed", [True, False])
@pytest.mark.parametrize("sealed", [True, False])
async def test_the_address_is_verified_with_or_without_a_signature(hooked: Rig, sealed: bool, signed: bool) -> None:
    challenge = {"type": "url_verification", "challenge": 'a"b', "token": hooked.wire.app.verification_token}
    body = hooked.wire.courier.sealed(raw(challenge)) if sealed else raw(challenge)
    answer = await hooked.wire.courier.post(body, hooked.wire.courier.signed(body) if signed else {})
    assert answer.status == 200
    assert json.loads(answer.body) == {"challenge": 'a"b'}


@pytest.mark.parametrize(
    "change", [{"token": "another"}, {"token": None}, {"token": "\ud800"}, {"challenge": None}, {"challenge": 5}]
)
async def test_nobody_else_can_have_the_address_verified(hooked: Rig, change: Json) -> None:
    challenge = {"type": "url_verification", "challenge": "abc", "token": hooked.wire.app.verification_token, **change}
    body = hooked.wire.courier.sealed(raw(challenge))
    assert (await hooked.wire.courier.post(body, {})).status == 401


@pytest.mark.parametrize("sealed", [True, False])
async def test_an_old_card_callback_is_signed_with_the_token(hooked: Rig, sealed: bool) -> None:
    wire = hooked.wire
    post = Post("om_9", hooked.ops, wire.app.app_id, "interactive", "", 1.0)
    value = {"button": "confirm", "thread": "t", "token": "k"}
    clear = raw(events.old_click(post, wire.world.person("alice"), value, token="c-1"))
    body = wire.courier.sealed(clear) if sealed else clear
    stamp = {"timestamp": str(int(hooked.clock.now())), "nonce": "n"}
    headers = {
        "X-Lark-Request-Timestamp": stamp["timestamp"],
        "X-Lark-Request-Nonce": stamp["nonce"],
        "X-Lark-Signature": sealing.old_card_signature(body, token=wire.app.verification_token, **stamp),
    }
    answer = await wire.courier.post(body, headers)
    assert answer.status == 200
    assert "toast" in json.loads(answer.body)
    (click,) = hooked.store.clicks
    assert (click.card, click.button, click.thread, click.token) == ("om_9", "confirm", "t", "k")


def test_a_webhook_without_its_secrets_is_not_made() -> None:
    for missing in ("encrypt_key", "verification_token"):
        given: dict[str, Any] = {"encrypt_key": "k", "verification_token": "t", missing: " "}
        with pytest.raises(ValueError, match="webhook needs"):
            FeishuSettings(app_id="cli_1", app_secret="s", mode="webhook", **given)


def test_no_secret_is_in_what_settings_look_like() -> None:
    made = FeishuSettings("cli_1", "the-secret", "webhook", verification_token="the-token", encrypt_key="the-key")
    assert "the-" not in repr(made)


async def test_a_delivery_for_another_app_is_refused(hooked: Rig) -> None:
    body = hooked.wire.courier.sealed(raw(message(hooked, app_id="cli_other")))
    assert (await hooked.wire.courier.post(body, hooked.wire.courier.signed(body))).status == 403
    assert not hooked.store.events


async def test_whoever_goes_away_in_the_middle_is_not_answered(hooked: Rig) -> None:
    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        raise AssertionError("answered")

    assert hooked.chat.endpoint
    await hooked.chat.endpoint({"type": "http", "method": "POST", "path": "/", "headers": []}, receive, send)
    with pytest.raises(RuntimeError, match="over HTTP"):
        await hooked.chat.endpoint({"type": "websocket", "headers": []}, receive, send)
