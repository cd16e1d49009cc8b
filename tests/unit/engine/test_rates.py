"""How often one person and one room may make the bot ask a cluster."""

from __future__ import annotations

from chatops_bot.domain.identity import Room, User
from chatops_bot.engine.rates import Rate, Rates
from tests.fakes.clock import ManualClock

ROOM, OTHER = Room("slack", "T1", "C1"), Room("slack", "T1", "C2")
ALICE, BOB = User("slack", "T1", "U1"), User("slack", "T1", "U2")


async def test_the_window_slides() -> None:
    clock = ManualClock()
    rate = Rate(most=2, clock=clock)
    assert rate.wait_s("a") == 0
    await clock.advance(20)
    assert rate.wait_s("a") == 0
    assert rate.wait_s("a") == 40
    assert rate.wait_s("b") == 0
    await clock.advance(40)
    assert rate.wait_s("a") == 0
    assert rate.wait_s("a") == 20


async def test_who_is_refused_is_not_counted() -> None:
    clock = ManualClock()
    rate = Rate(most=1, clock=clock)
    assert rate.wait_s("a") == 0
    await clock.advance(59)
    assert rate.wait_s("a") == 1
    await clock.advance(1)
    assert rate.wait_s("a") == 0


async def test_a_person_is_limited_over_the_room_s_own_limit_and_by_it() -> None:
    rates = Rates(clock=ManualClock(), per_user=2, per_room=3)
    assert [rates.wait_s(ROOM, ALICE) for _ in range(3)] == [0, 0, 60]
    assert [rates.wait_s(ROOM, BOB) for _ in range(2)] == [0, 60]
    assert rates.wait_s(OTHER, ALICE) == 0


async def test_what_lies_beyond_the_window_is_forgotten() -> None:
    clock = ManualClock()
    rate = Rate(most=1, clock=clock)
    for number in range(100):
        rate.wait_s(f"person {number}")
    await clock.advance(61)
    rate.wait_s("somebody")
    assert list(rate._times) == ["somebody"]


async def test_what_nobody_asked_for_takes_nothing_from_people() -> None:
    clock = ManualClock()
    rates = Rates(clock=clock, per_user=3, per_room=4)
    nobody = User("slack", "T1", "")
    assert [bool(rates.wait_s(ROOM, nobody)) for _ in range(5)] == [False] * 3 + [True] * 2
    people = [User("slack", "T1", f"U{number}") for number in range(4)]
    assert [rates.wait_s(ROOM, person) for person in people] == [0] * 4
    assert rates.wait_s(OTHER, nobody) == 0
