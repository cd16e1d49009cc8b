"""What came over the long connection and could not be stored: kept and tried again, since WeCom does not deliver it
a second time. Order within a room is kept. What still cannot be stored is given up, and its author told."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from chatops_bot.domain.events import Click, Message
from chatops_bot.ports.chat import NotAccepted
from chatops_bot.ports.clock import Clock

log = logging.getLogger(__name__)

MOST = 1000

Event = Message | Click


class _Kept(NamedTuple):
    event: Event
    until: float


class Backlog:
    """`store` hands an event to the bot and raises `NotAccepted`; `give_up` tells its author."""

    def __init__(
        self,
        *,
        clock: Clock,
        store: Callable[[Event], Awaitable[None]],
        give_up: Callable[[Event], Awaitable[None]],
        patience_s: float,
    ) -> None:
        self._clock = clock
        self._store = store
        self._give_up = give_up
        self._patience_s = patience_s
        self._rooms: dict[str, deque[_Kept]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._kept = 0

    async def take(self, event: Event) -> None:
        """Store it, now or as soon as it can be."""
        waiting = self._rooms.get(event.room.channel)
        if waiting is None:
            try:
                await self._store(event)
                return
            except NotAccepted as error:
                log.warning("not stored, tried again: %s", error)
            waiting = self._rooms.get(event.room.channel)
        if self._kept >= MOST or self._patience_s <= 0:
            log.error("an event is given up: %s", "too many wait" if self._patience_s > 0 else "none is tried again")
            await self._give_up(event)
            return
        self._kept += 1
        kept = _Kept(event, self._clock.monotonic() + self._patience_s)
        if waiting is not None:
            waiting.append(kept)
            return
        self._rooms[event.room.channel] = deque([kept])
        task = asyncio.create_task(self._drain(event.room.channel), name="wecom-backlog")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """What is still not stored is given up."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        left = [kept.event for waiting in self._rooms.values() for kept in waiting]
        self._rooms.clear()
        self._kept = 0
        for event in left:
            log.error("not stored when the bot stopped: %s", event.id)
            await self._give_up(event)

    async def _drain(self, channel: str) -> None:
        waiting = self._rooms[channel]
        pause = 0.5
        while waiting:
            kept = waiting[0]
            await self._clock.sleep(pause)
            pause = min(4.0, pause * 2)
            try:
                await self._store(kept.event)
                pause = 0.0
            except NotAccepted:
                if self._clock.monotonic() < kept.until:
                    continue
                log.error("given up, the store did not come back: %s", kept.event.id)
                await self._give_up(kept.event)
                pause = 0.0
            waiting.popleft()
            self._kept -= 1
        del self._rooms[channel]
