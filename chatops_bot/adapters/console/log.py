"""What the rooms of the console show: people's messages, the bot's cards and its plain lines, in order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from chatops_bot.adapters.console.feed import Feed
from chatops_bot.domain.cards import Card
from chatops_bot.ports.clock import Clock

Kind = Literal["said", "card", "notice"]
Delivery = Literal["done", "waiting", "failed"]

KEPT_ENTRIES = 500


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One message as the page shows it.

    - `posted` and `updated` are numbers of changes, rising over all rooms; `at` and `updated_at`
      milliseconds of the wall clock.
    - `delivery` says whether the bot has taken a person's message. `to` is the only user who sees a notice.
    - `version` counts the views of a card from 1.
    """

    id: str
    room: str
    kind: Kind
    posted: int = 0
    updated: int = 0
    at: int = 0
    updated_at: int = 0
    user: str = ""
    text: str = ""
    reply_to: str = ""
    to: str = ""
    card: Card | None = None
    thread: str = ""
    version: int = 1
    delivery: Delivery = "done"


class RoomLog:
    """The newest entries of every room; what falls out at the old end is gone for good."""

    def __init__(self, feed: Feed[Entry], *, clock: Clock, ids: Callable[[], str], kept: int = KEPT_ENTRIES) -> None:
        self._feed = feed
        self._clock = clock
        self._ids = ids
        self._kept = kept
        self._rooms: dict[str, dict[str, Entry]] = {}
        self._entries: dict[str, Entry] = {}
        self._posted_as: dict[tuple[str, str], str] = {}
        self._keys: dict[str, tuple[str, str]] = {}

    def entries(self, room: str | None = None) -> list[Entry]:
        """Of one room or of all, oldest first."""
        if room is not None:
            return list(self._rooms.get(room, {}).values())
        return sorted(self._entries.values(), key=lambda entry: entry.posted)

    def find(self, message: str) -> Entry | None:
        """The entry with this id, if it is still kept."""
        return self._entries.get(message)

    def posted_as(self, room: str, key: str) -> Entry | None:
        """The card that was posted under this key before, if it is still kept."""
        return self._entries.get(self._posted_as.get((room, key), ""))

    def add(self, entry: Entry, *, key: str = "") -> Entry:
        """Append, with the next number and the time; with a fresh id if it has none. Ids are unique over
        all rooms. `key` is the engine's, the same for every attempt at a card."""
        number = self._feed.next_number()
        entry = msgspec.structs.replace(
            entry, id=entry.id or self._fresh_id(entry.kind), posted=number, updated=number, at=self._now_ms()
        )
        room = self._rooms.setdefault(entry.room, {})
        if len(room) >= self._kept:
            self._forget(next(iter(room.values())))
        if key:
            self._posted_as[entry.room, key] = entry.id
            self._keys[entry.id] = (entry.room, key)
        return self._show(entry)

    def redraw(self, entry: Entry, *, card: Card, thread: str) -> Entry:
        """The next view of a card, in place."""
        return self._show(
            msgspec.structs.replace(
                entry,
                card=card,
                thread=thread,
                version=entry.version + 1,
                updated=self._feed.next_number(),
                updated_at=self._now_ms(),
            )
        )

    def mark(self, message: str, delivery: Delivery) -> None:
        """Note whether the bot has taken a message. Nothing happens if it has fallen out meanwhile."""
        entry = self._entries.get(message)
        if entry is not None and entry.delivery != delivery:
            self._show(msgspec.structs.replace(entry, delivery=delivery, updated=self._feed.next_number()))

    def chain(self, message: str, *, limit: int = 20) -> tuple[str, ...]:
        """A message and what it answers in turn, most exact first, at most `limit`."""
        found: list[str] = []
        while message and message not in found and len(found) < limit:
            found.append(message)
            entry = self._entries.get(message)
            message = entry.reply_to if entry else ""
        return tuple(found)

    def _show(self, entry: Entry) -> Entry:
        self._rooms[entry.room][entry.id] = entry
        self._entries[entry.id] = entry
        self._feed.publish(entry.updated, entry)
        return entry

    def _forget(self, entry: Entry) -> None:
        del self._rooms[entry.room][entry.id]
        del self._entries[entry.id]
        if (key := self._keys.pop(entry.id, None)) is not None:
            del self._posted_as[key]

    def _fresh_id(self, kind: Kind) -> str:
        return f"{kind}:{self._ids()}"

    def _now_ms(self) -> int:
        return round(self._clock.now() * 1000)
