"""Time, randomness: read here, injected everywhere else."""

from __future__ import annotations

import asyncio
import os
import time
from typing import Protocol


class Clock(Protocol):
    """Wall time for what people and objects are told, monotonic time for leases and waits."""

    def now(self) -> float:
        """Seconds since 1970, UTC."""

    def monotonic(self) -> float:
        """Seconds of a clock that never goes back."""

    async def sleep(self, seconds: float) -> None:
        """Wait that long by this clock."""


class SystemClock:
    """The real one."""

    def now(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def random_bytes(count: int) -> bytes:
    """Bytes from the operating system's generator."""
    return os.urandom(count)
