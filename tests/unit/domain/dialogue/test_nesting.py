"""Flows inside flows: a step of a runbook that lacks something, and what holds whatever is said and pressed."""

from __future__ import annotations

import datetime

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from chatops_bot.domain.cards import Card
from chatops_bot.domain.dialogue.asking import MOST_TRIES
from chatops_bot.domain.dialogue.parking import MOST_PARKED
from chatops_bot.domain.effects import Execute, Judge, Prepare
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.flows import FLOWS
from chatops_bot.domain.intents import ACTIONS, QUERIES, Name, Quantity, Request, Route, SlotValue, State
from chatops_bot.domain.runbooks import Runbook, Runbooks, Step, Texts
from tests.unit.domain.dialogue.talk import API, WEB, Talk, act, named

NODE = Entity("east", "", "Node", "node-1", "node-1", environment="prod")


def both(text: str) -> Texts:
    return Texts(zh=f"{text}（中）", en=text)


BOOK = Runbook(
    id="area/scale",
    title=both("Share the load"),
    steps=(
        Step(kind="action", texts=both("Add pods"), intent="scale", slots={}),
        Step(kind="say", texts=both("Tell the owner")),
    ),
    verification=both("It is well"),
    back=both("Undo it"),
    owner="SRE",
    reviewed=datetime.date(2026, 1, 1),
)


def newest(talk: Talk) -> Card:
    return talk.cards[f"c{talk.session.cards}"]


def buttons(card: Card) -> list[str]:
    return [button.id for button in card.buttons]


def walking() -> Talk:
    """At a step that scales, without a number."""
    talk = Talk()
    talk.world = msgspec.structs.replace(
        talk.world, runbooks=Runbooks((BOOK,)), nodes={"node-1": (Service(entity=NODE),)}
    )
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.queried()
    talk.say("alice", Route.QUERY, Request("runbook", slots={"text": "x"}), text="walk me through area/scale")
    do = next(button for button in newest(talk).buttons if button.id == "walk:do")
    talk.click("alice", "walk:do", token="", value=do.value)
    return talk


def test_a_step_that_lacks_something_asks_for_it_and_the_walk_goes_on_when_the_plan_is_dropped() -> None:
    talk = walking()
    assert talk.state is State.COLLECTING
    assert "How many replicas" in newest(talk).text()
    talk.say("alice", Route.PROVIDE, Request("", slots={"replicas": Quantity("to", 5)}))
    talk.prepared()
    card = talk.session.pending[0].card
    talk.click("alice", "cancel")
    assert {"walk:do", "walk:skip"} <= set(buttons(talk.cards[card]))
    assert talk.session.walk is not None
    assert talk.session.walk.position == 0


def test_and_when_its_question_is_left_or_given_up() -> None:
    talk = walking()
    talk.say("alice", Route.CANCEL)
    assert "walk:do" in buttons(newest(talk))
    talk = walking()
    for _ in range(MOST_TRIES):
        talk.say("alice", Route.CHAT, text="abc")
    assert {"take_up:1", "hand_off", "walk:do"} <= set(buttons(newest(talk)))


def test_and_when_the_plan_is_done() -> None:
    talk = walking()
    talk.say("alice", Route.PROVIDE, Request("", slots={"replicas": Quantity("to", 5)}))
    talk.prepared()
    card = talk.session.pending[0].card
    talk.click("alice", "confirm")
    talk.judged()
    talk.executed()
    assert "walk:on" in buttons(talk.cards[card])


VALUES: st.SearchStrategy[dict[str, SlotValue]] = st.one_of(
    st.just({}),
    st.builds(lambda v: {"replicas": Quantity("to", v)}, st.sampled_from([-1.0, 2.5, 0.0, 4.0])),
    st.just({"replicas": Quantity("unclear", 3)}),
    st.builds(lambda v: {"image": v}, st.sampled_from(["reg/web:2", "no tag", ""])),
    st.builds(lambda v: {"tail": v}, st.sampled_from([0, 20])),
    st.just({"min": 9, "max": 3}),
    st.just({"service": "5"}),
)
NAMES = st.sampled_from(
    [None, named(WEB), named(API), Name("zzz", 0), Name("we", 0, closest=(Service(entity=WEB),)), named(NODE)]
)
REQUESTS = st.builds(
    Request,
    intent=st.sampled_from([*ACTIONS, *QUERIES, "walk", "help", ""]),
    slots=VALUES,
    name=NAMES,
    pronoun=st.booleans(),
)
WORDS = st.tuples(st.just("say"), st.sampled_from(list(Route)), st.lists(REQUESTS, max_size=4))
PRESSES = st.tuples(st.just("press"), st.integers(0, 9), st.booleans())
STEPS = st.lists(
    st.one_of(WORDS, PRESSES, st.tuples(st.just("plan")), st.tuples(st.just("run"))), min_size=1, max_size=14
)


@settings(max_examples=150, deadline=None)
@given(STEPS)
def test_whatever_is_said_and_pressed_nothing_is_lost_and_nothing_asked_for_ever(
    steps: list[tuple[object, ...]],
) -> None:
    talk = Talk()
    talk.world = msgspec.structs.replace(talk.world, nodes={"node-1": (Service(entity=NODE),)})
    for step in steps:
        match step:
            case ("say", Route() as route, list(requests)):
                found = tuple(
                    msgspec.structs.replace(request, start=start)
                    for start, request in enumerate(requests)
                    if request.intent or route in (Route.PROVIDE, Route.MODIFY)
                )
                talk.say("alice", route, *found, text="abc")
            case ("press", int(at), bool(mine)):
                shown = [button for card in talk.cards.values() for button in card.buttons]
                if shown:
                    button = shown[-1 - at % len(shown)]
                    talk.click("alice" if mine else "bob", button.id, token=button.token, value=button.value)
            case ("run",):
                if talk.token:
                    talk.click("alice", "confirm")
                    if any(isinstance(effect, Judge) for effect in talk.work):
                        talk.judged()
                    if any(isinstance(effect, Execute) for effect in talk.work):
                        talk.executed()
            case _:
                if any(isinstance(effect, Prepare) for effect in talk.work):
                    talk.prepared()
        _holds(talk)


def _holds(talk: Talk) -> None:
    session = talk.session
    flow = session.flow
    flows = [*session.parked, *([flow] if flow is not None else [])]
    numbers = [one.number for one in flows]
    assert len(set(numbers)) == len(numbers)
    assert all(0 < number <= session.flows for number in numbers)
    assert len(session.parked) <= MOST_PARKED
    assert len(session.queued) <= 2
    assert flow is None or (flow.asked is not None and flow.tries < MOST_TRIES)
    assert all(one.intent in FLOWS for one in (*flows, *session.queued))
    assert not session.queued or flow is not None or session.pending
