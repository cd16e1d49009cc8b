"""A clock that only moves when it is told to: for replay and tests."""

from __future__ import annotations

import asyncio
import heapq
import itertools


class VirtualClock:
    """`ports.clock.Clock` whose time is `start` (seconds since 1970) until it is advanced."""

    def __init__(self, start: float) -> None:
        self._now = start
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._count = itertools.count()

    def now(self) -> float:
        """Seconds since 1970."""
        return self._now

    def ms(self) -> int:
        """Milliseconds since 1970, as the store wants them."""
        return round(self._now * 1000)

    def monotonic(self) -> float:
        """The same time: it never goes back."""
        return self._now

    async def sleep(self, seconds: float) -> None:
        """Until the clock has been moved that far."""
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._now + seconds, next(self._count), future))
        await future

    @property
    def next_sleeper(self) -> float | None:
        """When the first sleeper wakes."""
        while self._sleepers and self._sleepers[0][2].done():
            heapq.heappop(self._sleepers)
        return self._sleepers[0][0] if self._sleepers else None

    def set(self, time: float) -> None:
        """Before anything has happened: the time to begin at."""
        self._now = time

    def move_to(self, time: float) -> None:
        """Set the time, never back, and wake whoever slept until then."""
        self._now = max(self._now, time)
        while self._sleepers and self._sleepers[0][0] <= self._now:
            future = heapq.heappop(self._sleepers)[2]
            if not future.done():
                future.set_result(None)
