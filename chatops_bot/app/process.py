"""What a process owes its surroundings: background work that is watched over, and an end in order on a signal."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Coroutine
from types import TracebackType
from typing import Any, Final, Self

import structlog

from chatops_bot.ports.clock import Clock
from chatops_bot.ports.meter import Meter

log = structlog.get_logger(__name__)

AGAIN_S: Final = 5.0
"""Pause before work that has failed is begun again: long enough not to flood the log."""

ENDING: Final = (signal.SIGTERM, signal.SIGINT)


class StartError(Exception):
    """The process cannot be started as configured; the text says what is wrong and what to do."""


class Background:
    """Tasks that run until the process stops. None of them ends unnoticed."""

    def __init__(self, *, clock: Clock, meter: Meter) -> None:
        self._clock = clock
        self._meter = meter
        self._tasks: list[asyncio.Task[None]] = []
        self._stopping = False
        self.broken = asyncio.Event()
        """Set when something ended without which the process is of no use."""

    def keep(self, name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run `work` for ever: when it ends, that is logged and counted, and it is begun again."""
        self._tasks.append(asyncio.create_task(self._keep(name, work), name=f"keep {name}"))

    def vital(self, name: str, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run `work`; when it ends before the process does, the process is `broken`."""
        task = asyncio.create_task(self._once(name, work), name=f"vital {name}")
        self._tasks.append(task)
        return task

    def expect_ends(self) -> None:
        """The process stops: from now on nothing is begun again, and nobody is alarmed."""
        self._stopping = True

    async def stop(self) -> None:
        """End all of them."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()

    async def _keep(self, name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        while not self._stopping:
            self._tell(name, await outcome(work()))
            await self._clock.sleep(AGAIN_S)

    async def _once(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        self._tell(name, await outcome(work))
        if not self._stopping:
            self.broken.set()

    def _tell(self, name: str, problem: BaseException | None) -> None:
        if self._stopping and problem is None:
            return
        log.error("background_task_ended", task=name, exc_info=problem)
        self._meter.count("failures", place=name.partition(" ")[0])


async def outcome(work: Awaitable[Any]) -> BaseException | None:
    """Wait for work to end; how it failed, if it did. Cancelling the waiter cancels the work."""
    result = (await asyncio.gather(work, return_exceptions=True))[0]
    return result if isinstance(result, BaseException) else None


class Signals:
    """Between `with` and its end, the first SIGTERM or SIGINT sets `stopping`; the second ends the process there
    and then, after `at_once` has been called (exit code 128 and the signal's number, as shells count)."""

    def __init__(self, *, at_once: Callable[[], None]) -> None:
        self.stopping = asyncio.Event()
        self._at_once = at_once

    def __enter__(self) -> Self:
        loop = asyncio.get_running_loop()
        for number in ENDING:
            loop.add_signal_handler(number, self._arrived, number)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        loop = asyncio.get_running_loop()
        for number in ENDING:
            loop.remove_signal_handler(number)

    def _arrived(self, number: signal.Signals) -> None:
        if self.stopping.is_set():
            log.warning("ended_at_once", signal=number.name)
            self._at_once()
            os._exit(128 + number)
        log.info("signal", signal=number.name)
        self.stopping.set()


async def until(stop: asyncio.Event, work: Coroutine[Any, Any, object]) -> bool:
    """Whether `work` came to its end before `stop` was set; cancelled otherwise. Raises what it raises."""
    task = asyncio.create_task(work)
    stopping = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({task, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            return False
        await task
        return True
    finally:
        for one in (task, stopping):
            one.cancel()
        await asyncio.gather(task, stopping, return_exceptions=True)
