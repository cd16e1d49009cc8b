"""What a model has had a part in stays marked, however it goes on."""

from __future__ import annotations

import msgspec
import pytest

from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.dialogue.proposed import mark
from chatops_bot.domain.dialogue.requests import prepare
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.intents import Interpretation, Request, Route
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.session import Flow, Pending, Session
from chatops_bot.domain.world import World

ROOM, ALICE = Room("console", "t", "ops"), User("console", "t", "alice")
WEB = Entity("c", "shop", "Deployment", "web", "web", "")
FLOW = Flow(intent="scale", requester=ALICE, entity=WEB)
PLAN = Pending("e1", "c1", "shown", "scale", WEB, ALICE, "u1")


def meaning(*requests: Request) -> Interpretation:
    return Interpretation(Route.ACT, "en", requests)


def marked(before: Session, after: Session, told: Interpretation | None = None) -> Session:
    world = World(catalog=Catalog(), policy=Policy())
    turn = Turn(session=after, event_id="e", sequence=2, now=1, world=world, language="en")
    mark(turn, before, told)
    return turn.session


def session(**more: object) -> Session:
    return Session(thread="t", room=ROOM, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (Request("scale", proposed=True), True),
        (Request("", proposed=True), True),
        (Request("status", proposed=True), False),
        (Request("scale"), False),
    ],
)
def test_what_a_proposed_order_or_change_begins(request_: Request, expected: bool) -> None:
    after = session(flow=FLOW, pending=(PLAN,), parked=(FLOW,), queued=(FLOW,))
    found = marked(session(), after, meaning(request_))
    assert found.flow is not None
    marks = [found.flow.proposed, *(flow.proposed for flow in (*found.parked, *found.queued))]
    assert {*marks, *(pending.proposed for pending in found.pending)} == {expected}


def test_what_was_there_before_is_left_alone() -> None:
    before = session(flow=FLOW, pending=(PLAN,))
    assert marked(before, before, meaning(Request("scale", proposed=True))) == before


def test_a_plan_that_goes_on_with_a_marked_order_is_marked() -> None:
    kept = msgspec.structs.replace(FLOW, proposed=True)
    found = marked(session(flow=kept), session(pending=(PLAN,)))
    assert [pending.proposed for pending in found.pending] == [True]
    other = msgspec.structs.replace(PLAN, action="restart")
    assert not marked(session(flow=kept), session(pending=(other,))).pending[0].proposed


def test_so_is_the_plan_that_takes_the_place_of_a_marked_one() -> None:
    shown = msgspec.structs.replace(PLAN, proposed=True)
    anew = msgspec.structs.replace(PLAN, effect="e2")
    assert marked(session(pending=(shown,)), session(pending=(anew,)), meaning(Request("scale"))).pending[0].proposed
    assert marked(session(pending=(shown,)), session(parked=(FLOW,))).parked[0].proposed


def test_an_order_taken_up_in_a_conversation_of_its_own_brings_its_mark() -> None:
    world = World(catalog=Catalog(), policy=Policy())
    turn = Turn(session=session(), event_id="e", sequence=2, now=1, world=world, language="en")
    turn.user = ALICE
    prepare(turn, msgspec.structs.replace(FLOW, proposed=True), WEB)
    assert [pending.proposed for pending in turn.session.pending] == [True]
