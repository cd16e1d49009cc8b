"""The declared machine is the real one: every state, every route, every event, walked through `decide`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from chatops_bot.domain.dialogue.clicks import BUTTONS
from chatops_bot.domain.dialogue.messages import HANDLERS, admissible
from chatops_bot.domain.dialogue.transitions import TRANSITIONS, mermaid
from chatops_bot.domain.events import Left
from chatops_bot.domain.intents import ROUTES, Quantity, Request, Route, State
from tests.unit.domain.dialogue.talk import API, WEB, Talk, act, named, user

Found = dict[State, dict[str, set[State]]]


def _collecting() -> Talk:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale", WEB))
    return talk


def _confirming() -> Talk:
    talk = Talk()
    talk.plan()
    return talk


def _approving() -> Talk:
    talk = _confirming()
    talk.click("alice", "confirm")
    talk.judged(missing=1)
    return talk


def _executing() -> Talk:
    talk = _confirming()
    talk.click("alice", "confirm")
    talk.judged()
    return talk


def _follow_up() -> Talk:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.queried()
    return talk


def _handed_off() -> Talk:
    talk = _follow_up()
    talk.say("alice", Route.HAND_OFF)
    return talk


def _archived() -> Talk:
    talk = _executing()
    talk.executed()
    return talk


REACH: dict[State, Callable[[], Talk]] = {
    State.IDLE: Talk,
    State.COLLECTING: _collecting,
    State.CONFIRMING: _confirming,
    State.APPROVING: _approving,
    State.EXECUTING: _executing,
    State.FOLLOW_UP: _follow_up,
    State.HANDED_OFF: _handed_off,
    State.ARCHIVED: _archived,
}

SAID: tuple[tuple[Request, ...], ...] = (
    (),
    (act("status", WEB),),
    (act("scale", WEB, replicas=Quantity("to", 4)),),
    (act("scale", WEB),),
    (Request(intent="status", pronoun=True),),
    (Request(intent="restart", pronoun=True),),
    (Request(intent="", slots={"replicas": Quantity("to", 3)}),),
    (Request(intent="", name=named(API)),),
)


def _walk_routes(found: Found) -> None:
    for state, route, said, sure in product(State, Route, SAID, (True, False)):
        if route in ROUTES[state]:
            talk = REACH[state]()
            talk.say("alice", route, *said, affirmative=sure)
            label = "act" if route is Route.QUERY and any(r.dangerous for r in said) else route.value
            label = "query" if route is Route.ACT and said and not any(r.dangerous for r in said) else label
            found[state][label].add(talk.state)


def _walk_clicks(found: Found) -> None:
    for state, button in product(State, sorted(BUTTONS)):
        talk = REACH[state]()
        value = WEB.key if button not in ("refresh", "undo") else f"status {WEB.key}"
        name = {"service": "service:web", "choose": "choose:5"}.get(button, button)
        talk.click("bob", name, value=value)
        if talk.state is not state:
            found[state][f"[{button}]"].add(talk.state)


def _walk_results(found: Found) -> None:
    def after(state: State, label: str, talk: Talk) -> None:
        if talk.state is not state:
            found[state][label].add(talk.state)

    refused = Talk()
    refused.say("alice", Route.ACT, act("restart", WEB))
    refused.unprepared()
    after(State.CONFIRMING, "cannot be planned", refused)
    for approvals, missing, label in ((0, 0, "confirmed"), (0, 1, "confirmed, approvals wanted")):
        talk = _confirming()
        talk.click("alice", "confirm")
        talk.judged(missing=missing)
        after(State.CONFIRMING, label, talk)
        assert approvals == 0
    for final in (True, False):
        talk = _confirming()
        talk.click("alice", "confirm")
        talk.judged(ok=False, final=final)
        after(State.CONFIRMING, "ledger refuses", talk)
    talk = _approving()
    talk.click("carol", "approve")
    talk.judged(approvals=("carol",))
    after(State.APPROVING, "approved", talk)
    for outcome, fresh in (("done", False), ("refused", False), ("refused", True), ("unknown", False)):
        talk = _executing()
        talk.executed(outcome, fresh=fresh)
        after(State.EXECUTING, "target changed" if fresh else outcome, talk)
    talk = _collecting()
    for _ in range(3):
        talk.say("alice", Route.CHAT)
    after(State.COLLECTING, "third answer that is none", talk)
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale", WEB), act("restart", API, start=9))
    talk.prepared()
    talk.click("alice", "confirm")
    talk.judged()
    talk.executed()
    after(State.EXECUTING, "done", talk)
    for order in (act("scale", WEB), act("restart", WEB)):
        talk = _follow_up()
        talk.say("alice", Route.ACT, order)
        talk.say("alice", Route.SWITCH)
        talk.click("alice", "take_up:1", token="")
        after(State.FOLLOW_UP, "[take_up]", talk)
    for state in State:
        talk = REACH[state]()
        talk.timer(100_000)
        after(state, "time over", talk)
        talk = REACH[state]()
        talk.event(Left(user=user("alice")))
        after(state, "left for another service", talk)


def walked() -> Found:
    found: Found = defaultdict(lambda: defaultdict(set))
    _walk_routes(found)
    _walk_clicks(found)
    _walk_results(found)
    return found


@pytest.mark.parametrize("state", list(State))
def test_every_state_is_reached(state: State) -> None:
    assert REACH[state]().state is state


def test_the_declared_machine_is_what_decide_does() -> None:
    real = {
        state: {trigger: tuple(t for t in State if t in targets) for trigger, targets in sorted(triggers.items())}
        for state, triggers in walked().items()
    }
    declared = {state: dict(sorted(triggers.items())) for state, triggers in TRANSITIONS.items() if triggers}
    assert real == declared


def test_every_route_has_a_handler_and_every_state_its_routes() -> None:
    assert set(HANDLERS) == set(Route)
    assert set(ROUTES) == set(State)
    assert set().union(*ROUTES.values()) == set(Route), "a route that no state offers"


@pytest.mark.parametrize(("state", "route"), list(product([s for s in State if ROUTES[s]], Route)))
def test_whatever_the_interpreter_says_the_machine_takes_only_what_the_state_offers(state: State, route: Route) -> None:
    assert admissible(state, route) in ROUTES[state]
    if route is not Route.CONFIRM:
        assert admissible(state, route) is not Route.CONFIRM


def test_the_drawing_names_every_state() -> None:
    drawing = mermaid()
    assert all(state.value in drawing for state in State)


def test_the_docs_show_this_drawing() -> None:
    docs = Path(__file__).parents[4] / "docs" / "state-machine.md"
    assert f"```mermaid\n{mermaid()}```" in docs.read_text(encoding="utf-8")
