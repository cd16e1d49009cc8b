"""What the bot has done to an entity, read from its own audit log. An answer never fails because of it."""

from __future__ import annotations

from typing import Final

import msgspec

from chatops_bot.domain import audit
from chatops_bot.domain.audit import Record
from chatops_bot.domain.deeds import Deed, deeds_of
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.spans import Span
from chatops_bot.ports.store import AuditTail, StoreUnavailable

RECORDS: Final = 2000
"""Records looked at, the newest of the entity's shard, which it shares with others."""

PAGE: Final = 500
PAGES: Final = 20
"""Of a span of time at most so many pages are read back, from now on."""


class Told(msgspec.Struct, frozen=True):
    """What was found; `unread` where the log could not be read."""

    deeds: tuple[Deed, ...] = ()
    unread: bool = False


class Recorded(msgspec.Struct, frozen=True):
    """The records of a span, in their order; `cut` is when the earliest one was made that was looked at (ms), where the
    span begins before that; `unread` where the log could not be read."""

    records: tuple[Record, ...] = ()
    cut: int = 0
    unread: bool = False


class Trail:
    """Reads the end of the chain that plans of an entity are recorded in."""

    def __init__(self, log: AuditTail) -> None:
        self._log = log

    async def of(self, entity: Entity) -> Told:
        """Its changes, the oldest first."""
        try:
            records = await self._log.latest(shard_of=entity.key, limit=RECORDS)
        except StoreUnavailable:
            return Told(unread=True)
        return Told(tuple(deeds_of(records, service=entity.key)))

    async def between(self, key: str, span: Span) -> Recorded:
        """The records of a span in the chain of the shard of this key, an entity's or a room's, which it shares with
        others."""
        found: list[Record] = []
        before, oldest = "", 0
        for _ in range(PAGES):
            try:
                page = await self._log.earlier(shard_of=key, before=before, limit=PAGE)
            except StoreUnavailable:
                return Recorded(unread=True)
            if not page:
                return Recorded(tuple(reversed(found)))
            records = [record for entry in page if (record := _record(entry.record)) is not None]
            found += [record for record in records if span.since <= record.at < span.until]
            before, oldest = page[-1].id, records[-1].at if records else oldest
            if records and oldest < span.since:
                return Recorded(tuple(reversed(found)))
        return Recorded(tuple(reversed(found)), cut=oldest)


def _record(raw: bytes) -> Record | None:
    try:
        return audit.decode(raw)
    except msgspec.DecodeError:
        return None
