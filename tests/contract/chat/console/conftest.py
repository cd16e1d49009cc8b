"""A console with a stub of the engine behind it."""

from collections.abc import AsyncIterator

import pytest

from chatops_bot.adapters.console import ConsoleChat, numbered
from tests.contract.chat.console.stub import FixedClock, StubSink


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def sink() -> StubSink:
    return StubSink()


@pytest.fixture
async def chat(clock: FixedClock, sink: StubSink) -> AsyncIterator[ConsoleChat]:
    console = ConsoleChat(clock=clock, ids=numbered(), standing={"gus": "guest", "fay": "foreign"})
    await console.start(sink)
    yield console
    await console.stop()
