"""The suite's fixture: a talk on each platform in turn."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.contract.chat.platforms import PLATFORMS, Platform
from tests.contract.chat.talk import Store, Talk
from tests.fakes.clock import ManualClock


@asynccontextmanager
async def talking(platform: Platform) -> AsyncIterator[Talk]:
    """A started adapter; stopped at the end, with nothing of it left running."""
    clock = ManualClock()
    before = asyncio.all_tasks()
    wire = platform.make(clock)
    await wire.start()
    await platform.prepare()
    alice, bob, room = wire.person("alice"), wire.person("bob"), wire.room(platform.room)
    chat = wire.chat(clock=clock, random_bytes=lambda count: b"\x80" * count)
    store = Store()
    await chat.start(store)
    try:
        yield Talk(platform, wire, clock, chat, store, room, alice, bob)
    finally:
        if store.hold is not None:
            store.hold.set()
        await chat.stop()
        await wire.stop()
    left = {task for task in asyncio.all_tasks() - before if "chatops_bot" in repr(task)}
    assert not left, left


@pytest.fixture(params=PLATFORMS)
async def talk(request: pytest.FixtureRequest) -> AsyncIterator[Talk]:
    async with talking(PLATFORMS[request.param]) as made:
        yield made


@pytest.fixture(params=[name for name, platform in PLATFORMS.items() if platform.connected])
async def connected(request: pytest.FixtureRequest) -> AsyncIterator[Talk]:
    """Where deliveries come over a connection."""
    async with talking(PLATFORMS[request.param]) as made:
        yield made
