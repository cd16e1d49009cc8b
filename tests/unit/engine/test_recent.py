"""What is offered when nobody names a service: the room's own latest, bounded."""

from __future__ import annotations

from chatops_bot.domain.identity import Room
from chatops_bot.domain.world import Alerted
from chatops_bot.engine.recent import KEPT, ROOMS, Recent
from tests.unit.domain.dialogue.talk import ROOM, entity

OTHER = Room("console", "local", "other")


def test_the_latest_comes_first_and_each_once() -> None:
    recent = Recent()
    for name in ("web", "api", "web"):
        recent.note(ROOM, entity(name))
    assert [found.name for found in recent.of(ROOM)] == ["web", "api"]


def test_rooms_do_not_mix() -> None:
    recent = Recent()
    recent.note(ROOM, entity("web"))
    assert recent.of(OTHER) == ()


def test_the_latest_alert_of_each_room_is_known() -> None:
    recent = Recent()
    recent.alert(ROOM, entity("web"), at=1)
    recent.alert(ROOM, entity("api"), at=2)
    assert recent.alerted(ROOM) == Alerted(entity("api"), 2)
    assert recent.alerted(OTHER) is None
    for number in range(ROOMS):
        recent.alert(Room("console", "local", f"r{number}"), entity("web"), at=3)
    assert recent.alerted(ROOM) is None


def test_it_stays_small() -> None:
    recent = Recent()
    for number in range(KEPT + 3):
        recent.note(ROOM, entity(f"s{number}"))
    assert [found.name for found in recent.of(ROOM)] == [f"s{number}" for number in range(KEPT + 2, 2, -1)]
    for number in range(ROOMS):
        recent.note(Room("console", "local", f"r{number}"), entity("web"))
    assert recent.of(ROOM) == ()
