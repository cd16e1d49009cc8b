"""Which services each room spoke of lately, in this process: what is offered when somebody names none."""

from __future__ import annotations

from collections import OrderedDict

from chatops_bot.domain.entities import Entity
from chatops_bot.domain.identity import Room
from chatops_bot.domain.world import Alerted

KEPT = 5
"""Services remembered per room: as many as one question offers."""

ROOMS = 1_000
"""Rooms remembered; the one silent longest goes first."""


class Recent:
    """A memory that may be lost at any time: it only chooses what is offered, and what is asked once more."""

    def __init__(self) -> None:
        self._rooms: OrderedDict[str, OrderedDict[str, Entity]] = OrderedDict()
        self._alerted: OrderedDict[str, Alerted] = OrderedDict()

    def note(self, room: Room, entity: Entity) -> None:
        """Somebody spoke of this entity there."""
        known = self._rooms.setdefault(room.key, OrderedDict())
        known[entity.key] = entity
        known.move_to_end(entity.key, last=False)
        self._rooms.move_to_end(room.key)
        if len(known) > KEPT:
            known.popitem()
        if len(self._rooms) > ROOMS:
            self._rooms.popitem(last=False)

    def alert(self, room: Room, entity: Entity, *, at: int) -> None:
        """An alert about this entity was shown there (ms)."""
        self._alerted[room.key] = Alerted(entity, at)
        self._alerted.move_to_end(room.key)
        if len(self._alerted) > ROOMS:
            self._alerted.popitem(last=False)

    def alerted(self, room: Room) -> Alerted | None:
        """The latest."""
        return self._alerted.get(room.key)

    def of(self, room: Room) -> tuple[Entity, ...]:
        """Latest first."""
        return tuple(self._rooms.get(room.key, {}).values())
