"""Several apps in one process: what is delivered goes to the app it is for, what is said to the organisation it is for."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from chatops_bot.adapters.feishu import FeishuApps, FeishuChat, FeishuEndpoint
from chatops_bot.adapters.feishu.fake import FeishuWire
from chatops_bot.adapters.feishu.fake.world import ELSEWHERE, TENANT
from chatops_bot.domain.cards import Card
from chatops_bot.domain.identity import Room
from chatops_bot.ports.chat import ChatRefused
from tests.contract.chat.talk import Store
from tests.fakes.clock import ManualClock

CARD = Card("web", "en")


@dataclass
class Two:
    """Two organisations, each with an app of this process."""

    clock: ManualClock
    wires: list[FeishuWire]
    apps: FeishuApps
    store: Store

    async def say(self, number: int, text: str) -> int:
        wire = self.wires[number]
        return (await wire.say(event_id=text, room=wire.room("ops"), user=wire.person("alice"), text=text)).status


def second(wire: FeishuWire, **more: str) -> None:
    """Make it the wire of another app in another organisation."""
    app = wire.app
    wire.world.apps.pop(app.app_id)
    app.app_id, app.app_secret, app.tenant = "cli_second", "secret-2", ELSEWHERE
    app.verification_token, app.encrypt_key = more.get("token", "token-2"), more.get("key", "key-2")
    wire.world.apps[app.app_id] = app
    wire.world.person("alice").tenant = ELSEWHERE


@asynccontextmanager
async def two(**more: str) -> AsyncIterator[Two]:
    clock = ManualClock()
    wires = [FeishuWire(clock=clock) for _ in range(2)]
    second(wires[1], **more)
    chats: list[FeishuChat] = []
    for wire in wires:
        await wire.start()
        wire.person("alice")
        chats.append(wire.chat(clock=clock, random_bytes=lambda length: b"\x80" * length))
    apps = FeishuApps(chats, clock=clock)
    for wire in wires:
        wire.courier.endpoint = apps.endpoint
    store = Store()
    try:
        await apps.start(store)
        yield Two(clock, wires, apps, store)
    finally:
        await apps.stop()
        for wire in wires:
            await wire.stop()


@pytest.mark.parametrize(
    "keys",
    [{}, {"key": "key-of-the-app"}, {"key": "key-of-the-app", "token": "token-of-the-app"}],
    ids=["own keys", "the same key", "the same key and token"],
)
async def test_a_delivery_goes_to_its_app(keys: dict[str, str]) -> None:
    async with two(**keys) as both:
        assert await both.say(0, "@bot first") == 200
        assert await both.say(1, "@bot second") == 200
        assert [(one.text, one.addressed, one.room.tenant) for one in both.store.messages] == [
            ("first", True, TENANT),
            ("second", True, ELSEWHERE),
        ]


async def test_an_app_cannot_speak_for_another() -> None:
    """Signed with the key of the first, but naming the second."""
    async with two() as both:
        first = both.wires[0]
        payload: dict[str, Any] = {
            "schema": "2.0",
            "header": {"event_type": "x", "app_id": "cli_second", "token": first.app.verification_token},
        }
        body = first.courier.sealed(json.dumps(payload).encode())
        assert (await first.courier.post(body, first.courier.signed(body))).status == 403


@pytest.mark.parametrize("keys", [{}, {"key": "key-of-the-app"}], ids=["own keys", "the same key"])
@pytest.mark.parametrize("sealed", [True, False])
async def test_the_address_is_verified_for_each(sealed: bool, keys: dict[str, str]) -> None:
    async with two(**keys) as both:
        for wire in both.wires:
            asked = {"type": "url_verification", "challenge": wire.app.app_id, "token": wire.app.verification_token}
            body = json.dumps(asked).encode()
            answer = await wire.courier.post(wire.courier.sealed(body) if sealed else body, {})
            assert json.loads(answer.body) == {"challenge": wire.app.app_id}


async def test_a_card_goes_to_the_app_of_its_organisation() -> None:
    async with two() as both:
        for wire, tenant in zip(both.wires, (TENANT, ELSEWHERE), strict=True):
            room = Room("feishu", tenant, wire.room("ops"))
            posted = await both.apps.post(room=room, thread="t", card=CARD, root="", key="c", again=False)
            await both.apps.update(room=room, thread="t", card=CARD, message=posted.message, root="")
            await both.apps.notice(room=room, text="hello", root="")
            assert [one.updates for one in wire.shown(room.channel)] == [1]
            assert wire.notices(room.channel) == ["hello"]
        room = Room("feishu", "third", "oc_1")
        with pytest.raises(ChatRefused, match="no app"):
            await both.apps.post(room=room, thread="t", card=CARD, root="", key="c", again=False)


async def test_health_names_the_app_that_is_unwell() -> None:
    async with two() as both:
        assert both.apps.healthy() == ""
        assert both.apps.platform == "feishu"
        await both.apps.chats[1].stop()
        assert both.apps.healthy() == "cli_second: stopped"


async def test_one_app_serves_every_room() -> None:
    clock = ManualClock()
    wire = FeishuWire(clock=clock)
    await wire.start()
    apps = FeishuApps([wire.chat(clock=clock, random_bytes=bytes)], clock=clock)
    await apps.start(Store())
    room = Room("feishu", "an organisation of an older key", wire.room("ops"))
    await apps.post(room=room, thread="t", card=CARD, root="", key="c", again=False)
    await apps.stop()
    await wire.stop()


def test_what_cannot_be_told_apart_is_not_made() -> None:
    clock = ManualClock()
    wire = FeishuWire(clock=clock, mode="connection")
    chat = wire.chat(clock=clock, random_bytes=bytes)
    with pytest.raises(ValueError, match="twice"):
        FeishuApps([chat, chat], clock=clock)
    with pytest.raises(ValueError, match="needs an app"):
        FeishuApps([], clock=clock)
    assert FeishuApps([chat], clock=clock).endpoint is None
    with pytest.raises(ValueError, match="needs an app"):
        FeishuEndpoint([], clock=clock)


async def test_it_is_mounted_like_any_route() -> None:
    async with two() as both:
        assert both.apps.endpoint
        app = Starlette(routes=[Route("/feishu/events", endpoint=both.apps.endpoint)])
        wire = both.wires[0]
        asked = {"type": "url_verification", "challenge": "x", "token": wire.app.verification_token}
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://bot") as client:
            answer = await client.post("/feishu/events", content=json.dumps(asked).encode())
            assert answer.json() == {"challenge": "x"}
