"""What goes wrong between WeCom and the bot, on request."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict, deque
from collections.abc import Awaitable, Callable

from chatops_bot.ports.wire import Delivered, Fault


class WeComFaults:
    """Implements `ports.wire.Faults`. Methods are named in the package's documentation."""

    def __init__(self, *, redeliver: Callable[[str], Awaitable[Delivered]], drop: Callable[[], None]) -> None:
        self._queues: defaultdict[str, deque[Fault]] = defaultdict(deque)
        self._called: Counter[str] = Counter()
        self._redeliver = redeliver
        self._drop = drop
        self.released = asyncio.Event()
        """Set when the fake stops: calls that hang go on then."""

    def fail(self, method: str, fault: Fault) -> None:
        self._queues[method].extend([fault] * fault.times)

    def heal(self) -> None:
        self._queues.clear()

    def calls(self, method: str) -> int:
        return self._called[method]

    async def redeliver(self, event_id: str) -> Delivered:
        return await self._redeliver(event_id)

    async def drop_connection(self) -> None:
        self._drop()

    def next(self, method: str) -> Fault | None:
        """A call comes: counted, and how it fails, if it does."""
        self._called[method] += 1
        return self._queues[method].popleft() if self._queues[method] else None
