"""What a turn shows in other rooms than its thread's own: the same cards, each in a lane of its own."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from chatops_bot.domain.cards import Card
from chatops_bot.domain.identity import Room
from chatops_bot.domain.mirrors import Mirror, lane, place
from chatops_bot.domain.session import Session
from chatops_bot.domain.world import World


class Copy(msgspec.Struct, frozen=True, omit_defaults=True):
    """A view of a card in another room than the thread's own. `lane` is its name; `root` the platform thread there."""

    room: Room
    lane: str
    card: Card
    root: str = ""


class Elsewhere:
    """Mutable for the length of one turn."""

    def __init__(self, world: World) -> None:
        self._named = world.incidents.linkable
        self._copies: dict[str, Copy] = {}
        self._rings: dict[tuple[str, Room], tuple[str, ...]] = {}

    def rooms(self, session: Session) -> tuple[Mirror, ...]:
        """Where a thread is shown now beside its own room: what is linked, and what the configuration still names."""
        return tuple(mirror for mirror in session.mirrors if place(mirror.room) in self._named)

    def roots(self, session: Session, card: str, *, root: str, room: Room) -> dict[str, str]:
        """The platform threads in which a new card stands, by its views: in the `room` of this turn where its event
        came (`root`), in every other one where the card before it stands."""
        last = f"c{session.cards}"
        views = [(card, last, session.room)]
        views += [(lane(card, one.room), lane(last, one.room), one.room) for one in self.rooms(session)]
        found = {name: root if where == room else session.roots.get(before, "") for name, before, where in views}
        return {name: below for name, below in found.items() if below}

    def tell(self, room: Room, name: str, card: Card, *, root: str = "") -> None:
        """A card for another room alone."""
        self._copies[lane(name, room)] = Copy(room, lane(name, room), card, root)

    def draw(self, session: Session, room: Room, card_id: str, card: Card) -> None:
        """The view of a card in another room, which its own does not get."""
        name = lane(card_id, room)
        self._copies[name] = Copy(room, name, card, session.roots.get(name, ""))

    def ring(self, room: Room, card_id: str, people: tuple[str, ...]) -> None:
        """Whom a card that has just been drawn mentions in another room: ids on that one's platform."""
        self._rings[card_id, room] = people

    def redrawn(self, card_id: str) -> None:
        """It has a newer view, which mentions nobody as yet."""
        self._rings = {of: people for of, people in self._rings.items() if of[0] != card_id}

    def copies(self, session: Session, cards: Mapping[str, Card]) -> tuple[Copy, ...]:
        """All views in other rooms: of every card that was drawn, and those for one room alone."""
        found: dict[str, Copy] = {}
        for mirror in self.rooms(session):
            for card_id, card in cards.items():
                name = lane(card_id, mirror.room)
                view = msgspec.structs.replace(card, mention=self._rings.get((card_id, mirror.room), ()))
                found[name] = Copy(mirror.room, name, view, session.roots.get(name, ""))
        return tuple({**found, **self._copies}.values())
