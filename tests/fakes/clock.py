"""A clock that moves only when a test says so."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable
from itertools import count

STEP_TURNS = 20


class ManualClock:
    """`Clock` whose sleepers wake in order of time, each with time to act before the next one wakes."""

    def __init__(self, now: float = 1_700_000_000) -> None:
        self._now = now
        self._passed = 0.0
        self._order = count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []

    def now(self) -> float:
        return self._now + self._passed

    def monotonic(self) -> float:
        return self._passed

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._passed + seconds, next(self._order), waiting))
        await waiting

    async def advance(self, seconds: float) -> None:
        """Let that much time pass."""
        await settle()
        until = self._passed + seconds
        while self._sleepers and self._sleepers[0][0] <= until:
            due, _, waiting = heapq.heappop(self._sleepers)
            self._passed = max(self._passed, due)
            if not waiting.done():
                waiting.set_result(None)
                await settle()
        self._passed = until
        await settle()


async def settle() -> None:
    """Let everything run that waits for nothing."""
    for _ in range(STEP_TURNS):
        await asyncio.sleep(0)


async def until(happened: Callable[[], bool], what: str = "it", within_s: float = 10) -> None:
    """Wait for real input and output to bring something about; a failure says what was waited for."""
    loop = asyncio.get_running_loop()
    end = loop.time() + within_s
    while not happened():
        if loop.time() > end:
            raise AssertionError(f"{what} did not happen within {within_s} s")
        await asyncio.sleep(0.005)
