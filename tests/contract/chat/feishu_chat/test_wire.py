"""The fake as `ports.wire.Wire`: what a suite over all platforms may rely on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from chatops_bot.adapters.feishu.connection import load
from chatops_bot.adapters.feishu.fake import FeishuWire
from chatops_bot.adapters.feishu.fake.world import TENANT
from chatops_bot.domain.cards import Button, Card, Text
from chatops_bot.domain.identity import Room
from chatops_bot.ports.chat import ChatPort
from chatops_bot.ports.wire import Fault, Wire
from tests.contract.chat.talk import Store
from tests.fakes.clock import ManualClock

CARD = Card("web", "en", blocks=(Text("restart?"),), buttons=(Button("confirm", "Confirm", token="k"),))


class Talk:
    """A wire with the adapter on it, known by their protocols alone."""

    def __init__(self, wire: Wire, clock: ManualClock) -> None:
        self.wire = wire
        self.clock = clock
        self.chat: ChatPort = wire.chat(clock=clock, random_bytes=lambda length: b"\x80" * length)
        self.store = Store()
        self.room = wire.room("ops")


@pytest.fixture(params=["webhook", "connection"])
async def talk(request: pytest.FixtureRequest) -> AsyncIterator[Talk]:
    clock = ManualClock()
    wire = FeishuWire(clock=clock, mode=request.param)
    await wire.start()
    await asyncio.to_thread(load)
    made = Talk(wire, clock)
    await made.chat.start(made.store)
    yield made
    await made.chat.stop()
    await wire.stop()


async def test_faults_are_planned_and_counted(talk: Talk) -> None:
    talk.wire.faults.fail("messages.create", Fault(status=502, times=2))
    before = talk.wire.faults.calls("messages.create")
    for _ in range(3):
        await talk.chat.notice(room=Room("feishu", TENANT, talk.room), text="x", root="")
    assert talk.wire.faults.calls("messages.create") - before == 3
    assert talk.wire.notices(talk.room) == ["x"]


async def test_where_time_stands_still_everything_is_shown_at_once() -> None:
    clock = ManualClock()
    wire = FeishuWire(clock=clock, paced=False)
    await wire.start()
    chat = wire.chat(clock=clock, random_bytes=bytes)
    await chat.start(Store())
    room = Room("feishu", TENANT, wire.room("ops"))
    for number in range(12):
        posted = await chat.post(room=room, thread="t", card=CARD, root="", key=f"c{number}", again=False)
        for _ in range(7):
            await chat.update(room=room, thread="t", card=CARD, message=posted.message, root="")
    assert [one.updates for one in wire.shown(room.channel)] == [7] * 12
    await chat.stop()
    await wire.stop()
