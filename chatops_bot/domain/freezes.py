"""Change freezes: windows in which a write needs an override, with a reason, by somebody whom the freeze names."""

from __future__ import annotations

import msgspec

from chatops_bot.domain.entities import Entity
from chatops_bot.domain.identity import Room
from chatops_bot.domain.scopes import Scoped
from chatops_bot.domain.windows import Window


class Freeze(Scoped, frozen=True, omit_defaults=True, kw_only=True):
    """One freeze of the policy. `override` are entries as of a rule, never `*`; none is nobody. `why` is what the
    freeze is for, shown to whoever is refused."""

    name: str
    window: Window
    override: tuple[str, ...] = ()
    why: str = ""

    def covers(self, *, action: str, entity: Entity, room: Room) -> bool:
        """Whether it speaks of this write at all; in doubt, yes.

        What is done to a node is done to whatever runs on it, so a node is a part of every namespace and service
        of its cluster.
        """
        place = msgspec.structs.replace(entity, namespace="", workload="", name="") if entity.kind == "Node" else entity
        return self.covers_action(action, reading=False) and self.covers_place(place, room) is not False

    def holds(self, *, action: str, entity: Entity, room: Room, now: int) -> Frozen | None:
        """Whether this write is frozen at `now` (ms of wall time), and until when."""
        span = self.window.open_at(now) if self.covers(action=action, entity=entity, room=room) else None
        if span is None:
            return None
        return Frozen(name=self.name, until=self.window.shown(span.ends), override=self.override, why=self.why)


class Frozen(msgspec.Struct, frozen=True, omit_defaults=True):
    """A freeze that holds now. `until` is a time of its own zone, "" where its end cannot be told."""

    name: str
    until: str = ""
    override: tuple[str, ...] = ()
    why: str = ""
