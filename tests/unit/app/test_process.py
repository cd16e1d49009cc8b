"""Background work that is watched over, and the two signals."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from dataclasses import dataclass, field

import pytest
import structlog

from chatops_bot.app import process
from chatops_bot.app.process import Background, Signals, outcome, until
from chatops_bot.app.virtual_clock import VirtualClock


@dataclass
class Counting:
    """A meter that remembers."""

    counted: Counter[str] = field(default_factory=Counter)

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        self.counted[f"{name} {labels}"] += int(amount)

    def observe(self, name: str, seconds: float, **labels: str) -> None:
        raise AssertionError(f"{name} is not measured here")


async def turns(count: int = 10) -> None:
    """Let whatever is ready run."""
    for _ in range(count):
        await asyncio.sleep(0)


async def test_work_that_fails_is_logged_counted_and_begun_again() -> None:
    clock, meter, begun = VirtualClock(0), Counting(), [0]

    async def work() -> None:
        begun[0] += 1
        raise ValueError("broken")

    background = Background(clock=clock, meter=meter)
    with structlog.testing.capture_logs() as logs:
        background.keep("watch demo", work)
        await turns()
        assert begun == [1]
        clock.move_to(process.AGAIN_S - 0.1)
        await turns()
        assert begun == [1]
        clock.move_to(process.AGAIN_S)
        await turns()
        assert begun == [2]
    await background.stop()
    assert meter.counted == {"failures {'place': 'watch'}": 2}
    assert [(line["event"], line["task"], str(line["exc_info"])) for line in logs] == [
        ("background_task_ended", "watch demo", "broken")
    ] * 2
    assert not background.broken.is_set()


async def test_vital_work_that_ends_breaks_the_process_unless_it_stops_anyway() -> None:
    async def work() -> None:
        return

    background = Background(clock=VirtualClock(0), meter=Counting())
    background.vital("server", work())
    await turns()
    assert background.broken.is_set()
    await background.stop()

    stopping = Background(clock=VirtualClock(0), meter=Counting())
    stopping.expect_ends()
    await stopping.vital("server", work())
    assert not stopping.broken.is_set()


async def test_stopping_ends_what_runs_and_begins_nothing_again() -> None:
    ended = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    before = asyncio.all_tasks()
    background = Background(clock=VirtualClock(0), meter=Counting())
    background.keep("watch", work)
    background.vital("server", work())
    await turns()
    await background.stop()
    assert ended.is_set()
    assert asyncio.all_tasks() == before


async def test_the_outcome_of_work_is_its_failure_or_nothing() -> None:
    async def fine() -> int:
        return 3

    async def failing() -> None:
        raise KeyError("x")

    assert await outcome(fine()) is None
    assert isinstance(await outcome(failing()), KeyError)


async def test_until_tells_which_came_first() -> None:
    stop = asyncio.Event()

    async def quick() -> None:
        await asyncio.sleep(0)

    async def failing() -> None:
        raise ValueError("broken")

    assert await until(stop, quick())
    with pytest.raises(ValueError, match="broken"):
        await until(stop, failing())
    stop.set()
    before = asyncio.all_tasks()
    assert not await until(stop, asyncio.sleep(3600))
    assert asyncio.all_tasks() == before


@pytest.mark.parametrize("number", process.ENDING)
async def test_the_first_signal_asks_and_the_second_ends(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes: list[int] = []
    killed: list[str] = []
    monkeypatch.setattr(os, "_exit", codes.append)
    with Signals(at_once=lambda: killed.append("store")) as signals:
        os.kill(os.getpid(), number)
        async with asyncio.timeout(5):
            await signals.stopping.wait()
        assert not codes
        os.kill(os.getpid(), number)
        async with asyncio.timeout(5):
            while not codes:  # noqa: ASYNC110 (a signal arrives by itself)
                await asyncio.sleep(0.001)
    assert codes == [128 + number]
    assert killed == ["store"]
