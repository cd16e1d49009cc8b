"""What the bot has done to an entity, read from its own audit log. An answer never fails because of it."""

from __future__ import annotations

from typing import Final

import msgspec

from chatops_bot.domain.deeds import Deed, deeds_of
from chatops_bot.domain.entities import Entity
from chatops_bot.ports.store import AuditTail, StoreUnavailable

RECORDS: Final = 2000
"""Records looked at, the newest of the entity's shard, which it shares with others."""


class Told(msgspec.Struct, frozen=True):
    """What was found; `unread` where the log could not be read."""

    deeds: tuple[Deed, ...] = ()
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
