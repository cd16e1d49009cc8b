"""What a rule or a freeze of the policy speaks of: actions and places, by exact names. Design section 9."""

from __future__ import annotations

from typing import Final

import msgspec

from chatops_bot.domain.entities import Entity
from chatops_bot.domain.identity import Room

EVERYBODY: Final = "*"
"""Everybody, everything, everywhere."""

READ: Final = "read"
LOGS: Final = "logs"
INCIDENT: Final = "incident"
READS: Final = (READ, LOGS, INCIDENT)
"""Names by which rules speak of what changes nothing in a cluster. `read` covers every query, logs included, and the
handling of incidents; `logs` only logs, `incident` only to declare and to change incidents."""

PLACES: Final = ("environments", "rooms", "clusters", "namespaces", "services")
_ENTITY_PLACES: Final = ("environments", "clusters", "namespaces", "services")


class Scoped(msgspec.Struct, frozen=True, omit_defaults=True):
    """Actions and places. A scope that is None holds everywhere; `actions` None means all writes."""

    actions: tuple[str, ...] | None = None
    environments: tuple[str, ...] | None = None
    rooms: tuple[str, ...] | None = None
    clusters: tuple[str, ...] | None = None
    namespaces: tuple[str, ...] | None = None
    services: tuple[str, ...] | None = None

    def covers_action(self, action: str, *, reading: bool) -> bool:
        """Whether it speaks of this action. `*` is every write; reading has to be named."""
        if reading:
            named = self.actions or ()
            return READ in named or (action in READS and action in named)
        return self.actions is None or EVERYBODY in self.actions or action in self.actions

    def covers_place(self, entity: Entity | None, room: Room) -> bool | None:
        """Whether it speaks of this entity in this room; None where that depends on what is not known.

        Without an entity, or of one without a workload (a namespace, a cluster), the empty fields are unknown.
        """
        if not _inside(self.rooms, (room.channel, f"{room.platform}:{room.channel}")):
            return False
        unknown = False
        for scope in _ENTITY_PLACES:
            allowed = getattr(self, scope)
            if allowed is None or EVERYBODY in allowed:
                continue
            values = _values(entity, scope)
            if values is None:
                unknown = True
            elif not _inside(allowed, values):
                return False
        return None if unknown else True


def _values(entity: Entity | None, scope: str) -> tuple[str, ...] | None:
    """What a scope compares with; None where it is not known."""
    if entity is None:
        return None
    values = {
        "environments": (entity.environment,),
        "clusters": (entity.cluster,),
        "namespaces": (entity.namespace,),
        "services": (entity.name, entity.key),
    }[scope]
    return None if not entity.workload and not values[0] else values


def _inside(allowed: tuple[str, ...] | None, values: tuple[str, ...]) -> bool:
    if allowed is None or EVERYBODY in allowed:
        return True
    folded = {value.casefold() for value in values}
    return any(entry.casefold() in folded for entry in allowed)
