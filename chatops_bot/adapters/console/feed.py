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
    """One reader's place in the feed: a bounded number of changes that it has not yet taken.

    `news` is set whenever there is something to take; the reader clears it before it takes.
    """

    def __init__(self, waiting: int, news: asyncio.Event) -> None:
        self._waiting: list[tuple[int, T]] = []
        self._limit = waiting
        self._end: Behind | FeedClosed | None = None
        self._news = news

    def offer(self, number: int, change: T) -> None:
        """Hand over a change. Once too many wait, they are dropped and the reader is told `Behind`."""
        if len(self._waiting) >= self._limit:
            self.end(Behind())
        if self._end is None:
            self._waiting.append((number, change))
            self._news.set()

    def end(self, why: Behind | FeedClosed) -> None:
        """Nothing more will come; the first reason given is the one told."""
        self._end = self._end or why
        self._waiting = []
        self._news.set()

    def take(self) -> list[tuple[int, T]]:
        """All that waits, with its numbers. Raises `Behind` or `FeedClosed`."""
        if self._end is not None:
            raise self._end
        taken, self._waiting = self._waiting, []
        return taken


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
    def listen(self, *, after: int, news: asyncio.Event) -> Iterator[Listener[T]]:
        """A listener that gets every change numbered above `after`, first those of the past.

        Raises `FeedClosed`, and `Behind` when not all of them are kept, or `after` lies in the future (the
        reader knows another feed).
        """
        if not self._open:
            raise FeedClosed
        missed = [(number, change) for number, change in self._kept if number > after]
        if len(missed) != self.sequence - after:
            raise Behind
        listener: Listener[T] = Listener(self._waiting, news)
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
