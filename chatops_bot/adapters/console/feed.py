"""Changes of what the console shows, numbered, for any number of listeners of different speed."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

T = TypeVar("T")

KEPT_CHANGES = 1_000
WAITING_CHANGES = 256


class FeedClosed(Exception):
    """The console stops; nothing more will come."""


class Behind(Exception):
    """The listener's place is not known any more: it has to read the whole state anew."""


class Listener(Generic[T]):
    """One reader's place in the feed. It holds a bounded number of changes that its reader has not yet taken."""

    def __init__(self, waiting: int) -> None:
        self._waiting: deque[tuple[int, T]] = deque()
        self._limit = waiting
        self._end: Exception | None = None
        self._news = asyncio.Event()

    def offer(self, number: int, change: T) -> None:
        """Hand over a change. Once too many wait, they are dropped and the reader is told `Behind`."""
        if len(self._waiting) >= self._limit:
            self.end(Behind())
        if self._end is None:
            self._waiting.append((number, change))
            self._news.set()

    def end(self, why: Behind | FeedClosed) -> None:
        """The first reason given is what the reader gets next."""
        self._end = self._end or why
        self._waiting.clear()
        self._news.set()

    async def next(self) -> tuple[int, T]:
        """The next change with its number. Raises `Behind` or `FeedClosed`."""
        await self._news.wait()
        if self._end is not None:
            raise self._end
        item = self._waiting.popleft()
        if not self._waiting:
            self._news.clear()
        return item


class Feed(Generic[T]):
    """Numbers changes from 1 on without gaps and keeps the newest for those who come back.

    It belongs to one event loop; nothing in it waits, so a slow reader never holds up the room.
    """

    def __init__(self, *, kept: int = KEPT_CHANGES, waiting: int = WAITING_CHANGES) -> None:
        self.sequence = 0
        self._open = True
        self._kept: deque[tuple[int, T]] = deque(maxlen=kept)
        self._waiting = waiting
        self._listeners: set[Listener[T]] = set()

    @property
    def listeners(self) -> int:
        """How many are listening now."""
        return len(self._listeners)

    def next_number(self) -> int:
        """Take the number of the change that is published next."""
        self.sequence += 1
        return self.sequence

    def publish(self, number: int, change: T) -> None:
        """Hand the change with the number just taken to everybody."""
        self._kept.append((number, change))
        for listener in self._listeners:
            listener.offer(number, change)

    @contextmanager
    def listen(self, *, after: int) -> Iterator[Listener[T]]:
        """A listener that gets every change numbered above `after`, first those of the past.

        Raises `FeedClosed`, and `Behind` when not all of them are kept, or `after` lies in the future (the
        reader knows another feed).
        """
        if not self._open:
            raise FeedClosed
        missed = [(number, change) for number, change in self._kept if number > after]
        if len(missed) != self.sequence - after:
            raise Behind
        listener: Listener[T] = Listener(self._waiting)
        for number, change in missed:
            listener.offer(number, change)
        self._listeners.add(listener)
        try:
            yield listener
        finally:
            self._listeners.discard(listener)

    def close(self) -> None:
        """End every listener and take no new ones."""
        self._open = False
        for listener in self._listeners:
            listener.end(FeedClosed())

    def reopen(self) -> None:
        """Take listeners again; numbers go on."""
        self._open = True
