"""What one turn knows of incidents, and what it does to them."""

from __future__ import annotations

from typing import Any

import msgspec

from chatops_bot.domain.incidents import Change, Entry, Incident, Kind, bounded


class Chronicle:
    """Mutable for the length of one turn.

    `known` are the incidents that were read for it: that of the thread, those that are named, or those of the room.
    `number` is that of an incident which it may declare, 0 where none was fetched; `wants_number` then says that the
    turn is to be decided again with one.
    """

    def __init__(
        self, *, event_id: str, sequence: int, now: int, known: tuple[Incident, ...] = (), number: int = 0
    ) -> None:
        self.known = {incident.id: incident for incident in known}
        self.number = number
        self.wants_number = False
        self._event_id = event_id
        self._sequence = sequence
        self._now = now
        self._changes: dict[str, Change] = {}
        self._count = 0

    def open(self, incident: Incident, facts: dict[str, str]) -> None:
        """Make an incident."""
        self.known[incident.id] = incident
        self._changes[incident.id] = Change(id=incident.id, facts=facts, opens=True)

    def opened(self, id: str) -> bool:
        """Whether this turn has made it."""
        return self._of(id).opens

    def set(self, id: str, **facts: str | int) -> None:
        """Facts as they are from now on."""
        change = self._of(id)
        written = {name: str(value) for name, value in facts.items()}
        self._changes[id] = msgspec.structs.replace(change, facts={**change.facts, **written})
        known = self.known.get(id)
        if known is not None:
            self.known[id] = msgspec.structs.replace(known, **facts)

    def once(self, id: str, **facts: int) -> None:
        """Facts that hold unless they are known already."""
        change = self._of(id)
        written = {name: str(value) for name, value in facts.items()}
        self._changes[id] = msgspec.structs.replace(change, once={**change.once, **written})
        known = self.known.get(id)
        if known is not None:
            fresh = {name: value for name, value in facts.items() if not getattr(known, name)}
            self.known[id] = msgspec.structs.replace(known, **fresh)

    def add(self, id: str, kind: Kind, *, at: int = 0, **fields: Any) -> None:
        """An entry of the timeline, by default as of now."""
        entry = bounded(
            Entry(
                id=f"{self._event_id}.{self._count}",
                at=at or self._now,
                order=self._sequence * 100 + self._count,
                kind=kind,
                **fields,
            )
        )
        self._count += 1
        change = self._of(id)
        self._changes[id] = msgspec.structs.replace(change, entries=(*change.entries, entry))
        known = self.known.get(id)
        if known is not None:
            entries = tuple(sorted((*known.entries, entry), key=lambda entry: (entry.at, entry.order)))
            self.known[id] = msgspec.structs.replace(known, entries=entries)

    def changes(self) -> tuple[Change, ...]:
        """All that this turn does to incidents."""
        return tuple(self._changes.values())

    def _of(self, id: str) -> Change:
        return self._changes.get(id) or Change(id=id)
