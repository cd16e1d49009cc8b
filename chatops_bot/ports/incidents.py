"""What the engine needs to know of stored incidents. They are written by the commit of a turn, in the shard of their
room, so that no entry of a timeline is lost or doubled that its turn has made."""

from __future__ import annotations

from typing import Final, Protocol

import msgspec

MOST_ENTRIES: Final = 500
"""Entries of one timeline; what comes later is only counted."""

MOST_WEIGHTY: Final = 600
"""The same for entries that are kept although there are many: a change of status, an outcome, a note."""

MOST_RECENT: Final = 200
"""Incidents that are looked at for one room. Rooms that share a shard share them."""


class IncidentEntry(msgspec.Struct, frozen=True):
    """One entry of a timeline, opaque to the store. `id` carries the event that made it: the same id is the same
    entry. `weighty`: counted against `MOST_WEIGHTY`."""

    id: str
    body: bytes
    weighty: bool = False


class IncidentChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one turn does to one incident of the thread's room.

    `facts` are set, each by itself, so that two threads which change different ones do not undo each other; `once` only
    where they have no value yet. `opens`: the incident is made by it; to one that is not stored, any other change
    does nothing.
    """

    id: str
    facts: dict[str, str] = {}
    once: dict[str, str] = {}
    entries: tuple[IncidentEntry, ...] = ()
    opens: bool = False


class IncidentRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """An incident as stored: its facts, its entries (in no order), and how many more there were."""

    id: str
    facts: dict[str, str]
    entries: tuple[bytes, ...] = ()
    gap: int = 0


class IncidentStore(Protocol):
    """Reading incidents. Every method may raise `StoreUnavailable`."""

    async def incident(self, id: str, *, room: str = "") -> IncidentRecord | None:
        """The whole record; with a room's key only if it is that room's, without one wherever it is."""

    async def incidents(self, *, room: str = "") -> list[IncidentRecord]:
        """All that are kept, without their entries. Of one room (by its key) those that changed last: at most
        `MOST_RECENT` are looked at, since conversations wait for it."""

    async def incident_of(self, group: str, *, room: str) -> str:
        """Id of the latest incident that this alert group has had in this room, by its key; "" for none."""

    async def next_incident(self, day: str) -> int:
        """The next number of that day (`YYYYMMDD`), from 1 on: no two calls get the same, and some may be unused."""
