"""A plan of several writes on its card: under way, brought up to date, and how it ended."""

from __future__ import annotations

import msgspec
import pytest

from chatops_bot.domain.cards import Card
from chatops_bot.domain.effects import Execute, Follow, Prepare
from chatops_bot.domain.events import Followed, Prepared
from chatops_bot.domain.intents import Quantity, Route, State
from chatops_bot.domain.plans import WORK_S, Change, Plan, digest_of
from chatops_bot.domain.say import say
from tests.unit.domain.dialogue.talk import WEB, Talk, act, plan_for

STEP = Change(group="", version="v1", plural="pods", name="web-a", body={}, uid="u-a", verb="delete")


def in_two_steps(effect: Prepare) -> Plan:
    plan = msgspec.structs.replace(plan_for(effect, risk="medium", replicas=5), steps=(STEP,))
    return msgspec.structs.replace(plan, digest=digest_of(plan))


def working() -> tuple[Talk, str, Follow]:
    """Confirmed by alice, the first write made."""
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale", WEB, replicas=Quantity("to", 5)))
    effect = talk.take(Prepare)
    assert isinstance(effect, Prepare)
    talk.event(Prepared(effect=effect.id, plan=in_two_steps(effect)))
    token = talk.token
    talk.click("alice", "confirm")
    talk.judged()
    talk.executed("working")
    follow = talk.take(Follow)
    assert isinstance(follow, Follow)
    return talk, token, follow


def card(talk: Talk) -> str:
    return newest(talk).text()


def newest(talk: Talk) -> Card:
    return list(talk.cards.values())[-1]


def test_the_session_ends_with_the_first_write_and_the_rest_is_followed() -> None:
    talk, token, follow = working()
    assert talk.session.state is State.ARCHIVED
    assert "Under way: scale web" in card(talk)
    assert "1 more follow" in card(talk)
    assert follow.until == talk.now + (WORK_S + talk.world.timing.follow_s) * 1000
    assert isinstance(follow.execute, Execute)
    assert (follow.execute.confirmer.key, follow.execute.token) == ("alice", token)
    talk.click("bob", "confirm", token=token)
    assert "already done" in card(talk)


def test_progress_is_drawn_and_followed_further() -> None:
    talk, token, follow = working()
    lines = (say("progress.second_deleting", done=0, wanted=1),)
    again = msgspec.structs.replace(follow, shown="seen")
    talk.event(Followed(effect=follow.id, token=token, finished=False, lines=lines, again=again))
    assert "0 of 1 pods" in card(talk)
    further = talk.take(Follow)
    assert isinstance(further, Follow)
    assert (further.shown, further.execute, further.until) == ("seen", follow.execute, follow.until)
    assert further.id != follow.id


@pytest.mark.parametrize(
    ("state", "title", "outcome"),
    [("", "Done: scale web", "done"), ("interrupted", "Stopped half-way: scale web", "halted")],
)
def test_its_end_is_told(state: str, title: str, outcome: str) -> None:
    talk, token, follow = working()
    lines = (say("work.timeout"), say("work.rest", count=1, names="web-a")) if state else ()
    event = Followed(effect=follow.id, token=token, finished=not state, failed=bool(state), lines=lines, state=state)
    decision = talk.event(event)
    assert title in card(talk)
    assert ("Left undone (1): web-a" in card(talk)) is bool(state)
    assert "undo" in {button.id for button in newest(talk).buttons}
    assert [ended.outcome for ended in talk.session.ended] == [outcome]
    assert [record.kind for record in decision.audit] == ["outcome"]
