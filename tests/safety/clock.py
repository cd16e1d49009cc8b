"""One clock for the test and all its workers: eight bytes in a file that every process has mapped.

A worker that was frozen and goes on sees at once what time it has become, as a machine's own clock would show
it; sleepers wake when their process is told that time has passed.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import mmap
import struct
from pathlib import Path

START = 1_767_600_000.0
_TIME = struct.Struct("d")


class SharedClock:
    """`ports.clock.Clock` in a worker; in the test also what moves it."""

    def __init__(self, path: Path) -> None:
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), _TIME.size)
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._count = itertools.count()

    @classmethod
    def create(cls, path: Path) -> SharedClock:
        path.write_bytes(_TIME.pack(START))
        return cls(path)

    def now(self) -> float:
        """Seconds since 1970."""
        return float(_TIME.unpack_from(self._map)[0])

    def ms(self) -> int:
        return round(self.now() * 1000)

    def monotonic(self) -> float:
        return self.now()

    def set(self, time: float) -> None:
        _TIME.pack_into(self._map, 0, time)

    async def sleep(self, seconds: float) -> None:
        """Until this process is told (`wake`) of a time that far on."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self.now() + seconds, next(self._count), future))
        await future

    async def wake(self) -> None:
        """Wake whoever slept until now, and wait a moment until the loops among them sleep again."""
        loops = self.sleeping
        now, woken = self.now(), 0
        while self._sleepers and self._sleepers[0][0] <= now:
            future = heapq.heappop(self._sleepers)[2]
            if not future.done():
                future.set_result(None)
                woken += 1
        for _ in range(100 if woken else 0):
            await asyncio.sleep(0.001)
            if self.sleeping >= loops:
                return

    @property
    def sleeping(self) -> int:
        """Sleepers that nobody has cancelled."""
        return sum(not future.done() for _, _, future in self._sleepers)
