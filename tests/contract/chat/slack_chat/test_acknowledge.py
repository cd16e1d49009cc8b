"""A delivery is acknowledged when it is stored, at once then, and never before."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from chatops_bot.adapters.slack.fake import deliveries
from chatops_bot.adapters.slack.fake.server import FakeSlack, Fault
from chatops_bot.adapters.slack.fake.workspace import TEAM
from tests.contract.chat.slack_chat.conftest import Rig, rigged
from tests.contract.chat.talk import Store
from tests.fakes.clock import settle, until

DELIVERIES = {
    "event": deliveries.event(deliveries.message("restart web")),
    "click": deliveries.click("confirm", '{"thread":"t"}', message_ts="1.1"),
    "command": deliveries.command("restart web"),
}
each = pytest.mark.parametrize("payload", DELIVERIES.values(), ids=DELIVERIES)


@each
async def test_what_is_not_stored_is_not_acknowledged(rig: Rig, payload: dict[str, Any]) -> None:
    rig.store.refuse = True
    assert not await rig.deliver(payload)
    rig.store.refuse = False
    assert await rig.deliver(payload, retry_attempt=1)
    assert len(rig.store.events) == 1


@each
async def test_a_fault_behind_the_door_is_not_acknowledged_either(rig: Rig, payload: dict[str, Any]) -> None:
    rig.store.broken = True
    assert not await rig.deliver(payload)


@each
async def test_over_http_the_answer_asks_for_the_delivery_again(http_rig: Rig, payload: dict[str, Any]) -> None:
    http_rig.store.refuse = True
    answer = await http_rig.http(payload)
    assert answer.status_code == 503
    assert "x-slack-no-retry" not in answer.headers


@each
async def test_the_acknowledgement_waits_for_the_store_and_only_for_it(
    socket_rig: Rig, payload: dict[str, Any]
) -> None:
    rig = socket_rig
    rig.store.hold = asyncio.Event()
    kind = {"event_callback": "events_api", "block_actions": "interactive"}.get(
        payload.get("type", ""), "slash_commands"
    )
    envelope = await rig.slack.deliver(kind, payload)
    await until(lambda: rig.store.waiting == 1, "the store being asked")
    await settle()
    assert not rig.slack.acked(envelope)
    rig.store.hold.set()
    await until(lambda: rig.slack.acked(envelope), "the acknowledgement")


async def test_over_http_a_slow_store_holds_up_nobody_else(http_rig: Rig) -> None:
    http_rig.store.hold = asyncio.Event()
    slow = [
        asyncio.create_task(http_rig.http(deliveries.event(deliveries.message("x", ts=f"{n}.1")))) for n in range(5)
    ]
    await until(lambda: http_rig.store.waiting == 5, "five stores being asked side by side")
    http_rig.store.hold.set()
    assert [answer.status_code for answer in await asyncio.gather(*slow)] == [200] * 5


async def test_everything_else_may_be_slow(rig: Rig) -> None:
    """A user whom Slack is slow to name: the event is stored after the short wait, its author taken for a guest."""
    held = asyncio.Event()
    rig.slack.fail("users.info", Fault(held=held))
    payload = deliveries.event(deliveries.message("restart web", user="U0NEW"))
    rig.slack.workspace.user("U0NEW", "carol")
    delivery = asyncio.create_task(rig.deliver(payload))
    await until(lambda: rig.slack.workspace.count("users.info") == 1, "the question who it is")
    assert not rig.store.events
    await rig.clock.advance(5)
    assert await delivery
    (found,) = rig.store.messages
    assert found.user.guest
    held.set()
    await until(lambda: rig.chat._people.name("U0NEW") == "carol", "the late answer")
    assert await rig.deliver(deliveries.event(deliveries.message("again", user="U0NEW", ts="2.2")))
    assert not rig.store.messages[-1].user.guest


async def test_a_slow_author_lets_nobody_in_the_channel_overtake(http_rig: Rig) -> None:
    rig = http_rig
    held = asyncio.Event()
    rig.slack.fail("users.info", Fault(held=held))
    rig.slack.workspace.user("U0NEW", "carol")
    first = asyncio.create_task(rig.http(deliveries.event(deliveries.message("first", user="U0NEW", ts="1.1"))))
    await until(lambda: rig.slack.workspace.count("users.info") == 1, "the question who it is")
    second = asyncio.create_task(rig.http(deliveries.event(deliveries.message("second", ts="2.2"))))
    elsewhere = await rig.http(deliveries.event(deliveries.message("elsewhere", ts="3.3", channel="C0OTHER0001")))
    assert elsewhere.status_code == 200
    assert [found.text for found in rig.store.messages] == ["elsewhere"]
    held.set()
    await asyncio.gather(first, second)
    assert [found.text for found in rig.store.messages] == ["elsewhere", "first", "second"]


async def test_nothing_is_acknowledged_before_the_bot_knows_who_it_is() -> None:
    async def prepare(slack: FakeSlack) -> None:
        slack.fail("auth.test", Fault(status=503, error="service_unavailable"))

    async with rigged("http", prepare) as rig:
        assert "auth.test" in rig.chat.healthy()
        payload = deliveries.event(deliveries.message("restart web"))
        assert (await rig.http(payload)).status_code == 503
        challenge = await rig.http({"type": "url_verification", "token": "t", "challenge": "abc"})
        assert challenge.status_code == 200
        await rig.clock.advance(60)
        await until(lambda: rig.chat.healthy() == "", "health")
        assert (await rig.http(payload)).status_code == 200


async def test_after_the_stop_nothing_is_acknowledged() -> None:
    async with rigged("http") as rig:
        await rig.chat.stop()
        assert (await rig.http(DELIVERIES["event"])).status_code == 503
        assert rig.chat.healthy() == "stopped"
        await rig.chat.start(Store())
        assert (await rig.http(DELIVERIES["event"])).status_code == 200


MALFORMED: dict[str, bytes] = {
    "no JSON": b'{"type": "event_callback", ',
    "no object": b"[1, 2]",
    "a number": b"7",
    "no UTF-8": b'{"type": "\xff"}',
    "a payload that is no JSON": b"payload=%7Bnope",
    "a payload that is no object": b"payload=5",
    "an event that is none": b'{"type":"event_callback","event":5}',
    "an event without type": b'{"type":"event_callback","event":{"user":"U1"}}',
    "an action that is none": b'{"type":"block_actions","actions":[]}',
    "a team that is a number": b'{"type":"event_callback","team":5,"event":{"type":"message"}}',
    "a form of nothing": b"",
    "too deep": b'{"a":' * 3000 + b"1" + b"}" * 3000,
}


@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED)
async def test_a_malformed_delivery_is_told_so_and_not_asked_for_again(http_rig: Rig, body: bytes) -> None:
    headers = deliveries.signed(body, now=http_rig.clock.now())
    if body[:1] in (b"[", b"7"):
        headers["content-type"] = "application/json"
    answer = await http_rig.raw(body, headers)
    if body:
        assert answer.status_code == 400
        assert answer.headers["x-slack-no-retry"] == "1"
        assert "malformed" in answer.json()["error"]
    else:
        assert answer.status_code == 200
    assert http_rig.store.events == []


async def test_an_oversized_delivery_is_told_so(http_rig: Rig) -> None:
    body = deliveries.as_json(deliveries.event(deliveries.message("x" * 1_100_000)))
    answer = await http_rig.raw(body, deliveries.signed(body, now=http_rig.clock.now()))
    assert answer.status_code == 413


async def test_the_endpoint_is_served_by_a_route_without_a_redirect(http_rig: Rig) -> None:
    assert http_rig.chat.endpoint
    app = Starlette(routes=[Route("/slack/events", endpoint=http_rig.chat.endpoint)])
    body = deliveries.as_json(DELIVERIES["event"])
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://bot") as client:
        headers = deliveries.signed(body, now=http_rig.clock.now())
        answer = await client.post("/slack/events", content=body, headers=headers)
    assert answer.status_code == 200
    assert len(http_rig.store.events) == 1


async def test_a_get_is_told_to_post(http_rig: Rig) -> None:
    assert (await http_rig.raw(b"", {}, method="GET")).status_code == 405


async def test_malformed_envelopes_are_acknowledged_and_stop_nothing(socket_rig: Rig) -> None:
    rig = socket_rig
    socket = rig.slack.live[0]
    for frame in ("not JSON", "{broken", "[]", json.dumps({"type": "events_api"}), json.dumps({"envelope_id": "e"})):
        await socket.send(frame)
    bad = await rig.slack.deliver("events_api", {"type": "event_callback", "event": 5})
    text = await rig.slack.deliver("events_api", "text")
    assert await rig.deliver(DELIVERIES["event"])
    assert len(rig.store.events) == 1
    await until(lambda: rig.slack.acked(bad) and rig.slack.acked(text), "the acknowledgement of malformed envelopes")


async def test_a_body_without_event_is_verified_by_its_challenge(http_rig: Rig) -> None:
    answer = await http_rig.http({"type": "url_verification", "token": "t", "challenge": "abc"})
    assert answer.json() == {"challenge": "abc"}


@pytest.mark.parametrize(
    ("account", "more", "guest", "foreign"),
    [
        ({}, {}, False, False),
        ({"is_restricted": True}, {}, True, False),
        ({"is_ultra_restricted": True}, {}, True, False),
        ({"deleted": True}, {}, True, False),
        ({"is_stranger": True}, {}, False, True),
        ({"team_id": "T0OTHER"}, {"team": None}, False, True),
        ({}, {"user_team": "T0OTHER"}, False, True),
        ({}, {"team": "T0OTHER"}, False, True),
        (None, {"user_team": "T0OTHER"}, False, True),
        (None, {}, True, False),
        (None, {"user_profile": {"team": TEAM, "is_restricted": False, "is_ultra_restricted": False}}, False, False),
        (None, {"user_profile": {"team": TEAM, "is_restricted": True, "is_ultra_restricted": False}}, True, False),
        (None, {"user_profile": {"team": TEAM}}, True, False),
    ],
)
async def test_guests_and_people_of_other_organisations_are_known_as_such(
    account: dict[str, Any] | None, more: dict[str, Any], guest: bool, foreign: bool
) -> None:
    async def prepare(slack: FakeSlack) -> None:
        if account is not None:
            slack.workspace.user("U5", "eve", **account)

    async with rigged("http", prepare) as rig:
        await rig.deliver(deliveries.event(deliveries.message("restart web", user="U5", **more)))
        (found,) = rig.store.messages
        assert (found.user.guest, found.user.foreign) == (guest, foreign)
        assert found.user.tenant == ("T0OTHER" if foreign and "T0OTHER" in str((account, more)) else TEAM)


async def test_a_foreign_click_is_known_by_the_users_team(rig: Rig) -> None:
    press = deliveries.click("confirm", "{}", message_ts="1.1", user="U0FAR")
    press["user"]["team_id"] = "T0OTHER"
    assert await rig.deliver(press)
    (found,) = rig.store.clicks
    assert (found.user.tenant, found.user.foreign, found.room.tenant) == ("T0OTHER", True, TEAM)


async def test_another_workspace_of_the_same_organisation_is_not_foreign() -> None:
    async def prepare(slack: FakeSlack) -> None:
        slack.workspace.enterprise = "E0ORG"
        slack.workspace.user("U5", "eve", team_id="T0SISTER", enterprise_user={"enterprise_id": "E0ORG"})

    async with rigged("http", prepare) as rig:
        await rig.deliver(deliveries.event(deliveries.message("x", user="U5", team="T0SISTER")))
        assert not rig.store.messages[0].user.foreign


async def test_who_became_a_guest_is_one_from_then_on(rig: Rig) -> None:
    assert await rig.deliver(deliveries.event(deliveries.message("x", ts="1.1")))
    changed = {"id": "U1", "team_id": TEAM, "name": "alice", "is_restricted": True}
    assert await rig.deliver(deliveries.event({"type": "user_change", "user": changed}))
    assert await rig.deliver(deliveries.event(deliveries.message("x", ts="2.2")))
    assert [found.user.guest for found in rig.store.messages] == [False, True]
    assert rig.slack.workspace.count("users.info") == 0
