"""Cards that nobody asked for come one after the other, and keep their places."""

from __future__ import annotations

import pytest

from chatops_bot.domain.identity import Room
from chatops_bot.engine.line import BURST, EVERY_S, Line
from tests.fakes.clock import ManualClock

OPS, DEV = Room("slack", "T1", "ops"), Room("slack", "T1", "dev")


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


def test_a_few_come_at_once_and_then_one_at_a_time(clock: ManualClock) -> None:
    line = Line(clock=clock)
    waits = [line.wait_s(OPS, f"c{number}") for number in range(BURST + 3)]
    assert waits == [0.0] * BURST + [EVERY_S, 2 * EVERY_S, 3 * EVERY_S]


async def test_each_keeps_its_place_until_it_is_shown(clock: ManualClock) -> None:
    line = Line(clock=clock, burst=1)
    assert [line.wait_s(OPS, card) for card in "abc"] == [0, 2, 4]
    await clock.advance(3)
    assert [line.wait_s(OPS, card) for card in "dcba"] == [3, 1, 0, 0]
    line.done("a")
    assert line.wait_s(OPS, "b") == 0, "the platform had no time for it: it need not wait again"
    line.done("b")
    assert line.wait_s(OPS, "b") == 5, "another card, behind those that wait"


async def test_rooms_do_not_wait_for_each_other_and_a_pause_makes_room(clock: ManualClock) -> None:
    line = Line(clock=clock, burst=2)
    assert [line.wait_s(OPS, card) for card in "abc"] == [0, 0, 2]
    assert line.wait_s(DEV, "d") == 0
    for card in "abcd":
        line.done(card)
    await clock.advance(100)
    assert [line.wait_s(OPS, card) for card in "efg"] == [0, 0, 2]


async def test_who_never_comes_back_is_forgotten(clock: ManualClock) -> None:
    line = Line(clock=clock, burst=1)
    for number in range(50):
        line.wait_s(OPS, f"c{number}")
    await clock.advance(800)
    line.wait_s(OPS, "late")
    assert set(line._turns) == {"late"}
