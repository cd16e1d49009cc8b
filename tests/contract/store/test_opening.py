"""A row of an overview opens one thread a person, however often it is pressed and delivered."""

from __future__ import annotations

import pytest

from chatops_bot.domain.events import Click
from chatops_bot.domain.identity import User
from chatops_bot.domain.routing import Verdict
from chatops_bot.engine.arrivals import click_arrival
from chatops_bot.ports.store import Arrival
from tests.contract.store.kit import ROOM, World, arrival, everywhere, outcome

WEB, API = "east/shop/deployment/web", "east/shop/deployment/api"


def press(id: str, who: str = "bob", key: str = WEB, *, card: str = "m1") -> Arrival:
    user = User("slack", "T1", who)
    return click_arrival(
        Click(id=id, room=ROOM, user=user, button="open:web", card=card, thread="t1", value=f"zh {key}")
    )


async def test_it_goes_to_a_thread_of_its_own_and_not_to_the_card_s(world: World) -> None:
    await world.opened("t1")
    taken = await world.store.intake(press("k1"))
    assert (taken.taken, taken.thread) == ("new", press("k1").new)
    claim = taken.claims[0]
    assert claim.session == b""
    assert not claim.via_card


async def test_the_same_person_comes_back_to_it_and_others_have_their_own(world: World) -> None:
    await world.opened("t1")
    first = await world.store.intake(press("k1"))
    again = await world.store.intake(press("k2"))
    assert (again.taken, again.thread) == ("append", first.thread)
    other = await world.store.intake(press("k3", "carol"))
    row = await world.store.intake(press("k4", key=API))
    elsewhere = await world.store.intake(press("k5", card="m2"))
    assert [one.taken for one in (other, row, elsewhere)] == ["new"] * 3
    assert len({first.thread, other.thread, row.thread, elsewhere.thread}) == 4


async def test_a_redelivered_press_opens_nothing_more(world: World) -> None:
    first = await world.store.intake(press("k1"))
    again = await world.store.intake(press("k1"))
    assert (again.taken, again.thread) == ("duplicate", first.thread)


async def test_what_the_presser_says_next_goes_there(world: World) -> None:
    user = press("k1").user
    await world.opened("t1", user=user)
    opened = await world.store.intake(press("k1"))
    said = await world.store.intake(arrival("m9", user=user, verdicts=everywhere(Verdict.APPEND)))
    assert said.thread == opened.thread


async def test_once_its_session_has_ended_the_row_opens_another(world: World) -> None:
    first = await world.store.intake(press("k1"))
    await world.store.commit(first.claims[0], outcome(state="archived"))
    again = await world.store.intake(press("k2"))
    assert again.taken == "new"
    assert again.thread != first.thread


@pytest.mark.parametrize("value", ["", "zh", "x" * 5000, "zh a/b\n|c"])
async def test_an_odd_value_does_no_harm(world: World, value: str) -> None:
    click = Click(id="k1", room=ROOM, user=User("slack", "T1", "bob"), button="open", card="m1", value=value)
    assert (await world.store.intake(click_arrival(click))).taken == "new"
