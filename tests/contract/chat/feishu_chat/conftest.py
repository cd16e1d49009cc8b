"""A real `FeishuChat` against the fake Feishu, over its webhook or the long connection of the official SDK."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Literal

import pytest

from chatops_bot.adapters.feishu import FeishuChat
from chatops_bot.adapters.feishu.connection import load
from chatops_bot.adapters.feishu.fake import FeishuWire
from chatops_bot.adapters.feishu.fake.world import TENANT
from chatops_bot.domain.identity import Room
from chatops_bot.ports.wire import Delivered
from tests.contract.chat.talk import Store
from tests.fakes.clock import ManualClock, until

Mode = Literal["webhook", "connection"]


def threads() -> set[threading.Thread]:
    """Those of long connections."""
    return {one for one in threading.enumerate() if one.name.startswith("feishu")}


@dataclass
class Rig:
    """The bot's Feishu side with everything around it."""

    wire: FeishuWire
    clock: ManualClock
    chat: FeishuChat
    store: Store
    mode: Mode
    numbers: count[int] = field(default_factory=lambda: count(1))

    @property
    def ops(self) -> str:
        return self.wire.room("ops")

    @property
    def room(self) -> Room:
        return Room(platform="feishu", tenant=TENANT, channel=self.ops)

    async def say(self, text: str, *, who: str = "alice", **more: Any) -> Delivered:
        chosen = {"event_id": f"e{next(self.numbers)}", "room": self.ops, "user": self.wire.person(who), **more}
        return await self.wire.say(text=text, **chosen)

    async def press(self, message: str, button: str, *, who: str = "alice", **more: Any) -> Delivered:
        chosen = {"event_id": f"e{next(self.numbers)}", "room": self.ops, "user": self.wire.person(who), **more}
        return await self.wire.click(message=message, button=button, **chosen)

    async def up(self, within: int = 200) -> None:
        """Let time pass until events can arrive; each second of it comes with a moment for threads and sockets."""
        for _ in range(within):
            if not self.chat.healthy():
                return
            await self.clock.advance(1)
            await asyncio.sleep(0.01)
        raise AssertionError(self.chat.healthy())


@asynccontextmanager
async def rigged(
    mode: Mode, prepare: Callable[[FeishuWire], Awaitable[None]] | None = None, **more: Any
) -> AsyncIterator[Rig]:
    """A started chat; stopped at the end, with nothing of it left running."""
    clock = ManualClock()
    before, already = asyncio.all_tasks(), threads()
    wire = FeishuWire(clock=clock, mode=mode)
    await wire.start()
    if mode == "connection":
        await asyncio.to_thread(load)  # else the start would return before it has connected
    for name in ("alice", "bob"):
        wire.person(name)
    if prepare:
        await prepare(wire)
    chat = wire.chat(clock=clock, random_bytes=lambda length: b"\x80" * length, **more)
    store = Store()
    try:
        await chat.start(store)
        yield Rig(wire, clock, chat, store, mode)
    finally:
        await chat.stop()
        await wire.stop()
    await until(lambda: threads() <= already, "the end of threads")
    left = {task for task in asyncio.all_tasks() - before if "feishu" in repr(task)}
    assert not left, left


@pytest.fixture(params=["webhook", "connection"])
async def rig(request: pytest.FixtureRequest) -> AsyncIterator[Rig]:
    async with rigged(request.param) as made:
        yield made


@pytest.fixture
async def hooked() -> AsyncIterator[Rig]:
    async with rigged("webhook") as made:
        yield made


@pytest.fixture
async def connected() -> AsyncIterator[Rig]:
    async with rigged("connection") as made:
        yield made
