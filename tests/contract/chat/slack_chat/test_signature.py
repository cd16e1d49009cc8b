"""Nobody but Slack is listened to: every delivery over HTTP is verified on the bytes as they came."""

from __future__ import annotations

import json
from typing import Any

import pytest

from chatops_bot.adapters.slack import SlackSettings
from chatops_bot.adapters.slack.fake import deliveries
from tests.contract.chat.slack_chat.conftest import Rig

BODY = deliveries.as_json(deliveries.event(deliveries.message("é restart &lt;web&gt;")))


async def test_an_untouched_delivery_is_taken(http_rig: Rig) -> None:
    answer = await http_rig.raw(BODY, deliveries.signed(BODY, now=http_rig.clock.now()))
    assert answer.status_code == 200
    assert http_rig.store.messages[0].text == "é restart <web>"


async def test_reserialised_bytes_are_refused(http_rig: Rig) -> None:
    """slackapi/bolt-python 1158: the same object in other bytes."""
    headers = deliveries.signed(BODY, now=http_rig.clock.now())
    other = json.dumps(json.loads(BODY)).encode()
    assert json.loads(other) == json.loads(BODY)
    assert b"\\u00e9" in other
    assert (await http_rig.raw(other, headers)).status_code == 401
    assert http_rig.store.events == []


@pytest.mark.parametrize(("age_s", "status"), [(0, 200), (299, 200), (301, 401), (-299, 200), (-301, 401)])
async def test_an_old_delivery_is_refused(http_rig: Rig, age_s: int, status: int) -> None:
    headers = deliveries.signed(BODY, now=http_rig.clock.now() - age_s)
    assert (await http_rig.raw(BODY, headers)).status_code == status


@pytest.mark.parametrize(
    "change",
    [
        {"x-slack-signature": "v0=" + "0" * 64},
        {"x-slack-signature": ""},
        {"x-slack-signature": "v0=é".encode("latin-1").decode("latin-1")},
        {"x-slack-signature": None},
        {"x-slack-request-timestamp": None},
        {"x-slack-request-timestamp": "soon"},
        {"x-slack-request-timestamp": "9" * 40},
        {"x-slack-request-timestamp": "-1"},
    ],
    ids=str,
)
async def test_a_wrong_or_missing_signature_is_refused(http_rig: Rig, change: dict[str, Any]) -> None:
    headers: dict[str, Any] = {**deliveries.signed(BODY, now=http_rig.clock.now()), **change}
    encoded = {name: value.encode("latin-1") for name, value in headers.items() if value is not None}
    assert (await http_rig.raw(BODY, encoded)).status_code == 401
    assert http_rig.store.events == []


async def test_a_signature_with_another_secret_is_refused(http_rig: Rig) -> None:
    headers = deliveries.signed(BODY, now=http_rig.clock.now(), secret="guess")
    assert (await http_rig.raw(BODY, headers)).status_code == 401


@pytest.mark.parametrize("body", [b"ssl_check=1&token=t", b"ssl_check=1&command=%2Fops&text=restart"])
async def test_an_ssl_check_switches_nothing_off(http_rig: Rig, body: bytes) -> None:
    """slackapi/bolt-python 1494, 1495."""
    assert (await http_rig.raw(body, {"content-type": "application/x-www-form-urlencoded"})).status_code == 401
    assert http_rig.store.events == []


async def test_a_signed_ssl_check_is_answered(http_rig: Rig) -> None:
    body = b"ssl_check=1&token=t"
    assert (await http_rig.raw(body, deliveries.signed(body, now=http_rig.clock.now()))).status_code == 200


async def test_an_unsigned_challenge_is_refused(http_rig: Rig) -> None:
    body = deliveries.as_json({"type": "url_verification", "challenge": "abc"})
    assert (await http_rig.raw(body, {"content-type": "application/json"})).status_code == 401


async def test_an_unsigned_click_is_refused(http_rig: Rig) -> None:
    body = deliveries.as_interaction(deliveries.click("confirm", '{"thread":"t","token":"x"}', message_ts="1.1"))
    assert (await http_rig.raw(body, {"content-type": "application/x-www-form-urlencoded"})).status_code == 401
    assert http_rig.store.events == []


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ({"bot_token": ""}, "bot token"),
        ({"app_token": ""}, "app-level token"),
        ({"mode": "http", "signing_secret": " "}, "signing secret"),
        ({"connections": 0}, "connections"),
        ({"connections": 11}, "connections"),
    ],
)
def test_settings_name_what_is_missing(given: dict[str, Any], missing: str) -> None:
    with pytest.raises(ValueError, match=missing):
        SlackSettings(**{"bot_token": "xoxb-1", "app_token": "xapp-1", **given})


def test_settings_do_not_print_secrets() -> None:
    shown = repr(SlackSettings(bot_token="xoxb-1", app_token="xapp-1", signing_secret="sss"))
    assert not [secret for secret in ("xoxb-1", "xapp-1", "sss") if secret in shown]
