"""An answer holds for the same question for as long as is configured, of the same object, and says how old it is."""

from __future__ import annotations

import msgspec

from chatops_bot.domain.effects import Prepare, Query
from chatops_bot.domain.events import Prepared, Queried
from chatops_bot.domain.intents import Quantity, Route
from chatops_bot.domain.reports import Report
from chatops_bot.domain.say import say
from chatops_bot.domain.world import FRESH_S, Recall
from tests.unit.domain.dialogue.talk import WEB, Talk, act, plan_for


def answer(talk: Talk, *, uid: str = "") -> None:
    """The oldest question comes back."""
    effect = talk.take(Query)
    assert isinstance(effect, Query)
    headline = say("memory.asked", what=effect.intent, service="web")
    report = Report(kind=effect.intent, at=talk.now, headline=headline, entity=WEB, slots=effect.slots, uid=uid)
    talk.event(Queried(effect=effect.id, report=report))


def ask(talk: Talk, intent: str = "status", **slots: int) -> str:
    """What is shown at once; a reading that is wanted first waits in `work`."""
    decision = talk.say("alice", Route.QUERY, act(intent, WEB, **slots))
    return "\n".join(str(block) for _, card in decision.cards for block in card.blocks)


def reads(talk: Talk) -> int:
    return sum(isinstance(effect, Query) for effect in talk.work)


def test_within_its_time_it_is_told_again_with_its_age_and_past_it_read_anew() -> None:
    talk = Talk()
    ask(talk)
    answer(talk)
    talk.now += 20_000
    assert "20 s ago" in ask(talk)
    assert reads(talk) == 0
    talk.now += 10_000
    ask(talk)
    assert reads(talk) == 1


def test_refresh_reads_anew_whatever_its_age() -> None:
    talk = Talk()
    ask(talk)
    answer(talk)
    talk.now += 1_000
    talk.say("alice", Route.REFRESH, text="refresh")
    assert reads(talk) == 1


def test_how_long_is_configured() -> None:
    talk = Talk()
    talk.world = msgspec.structs.replace(talk.world, recall=Recall(fresh_s={**FRESH_S, "status": 5, "events": 500}))
    for intent, after_s, again in (("status", 6, 1), ("events", 400, 0)):
        ask(talk, intent)
        answer(talk)
        talk.now += after_s * 1000
        ask(talk, intent)
        assert reads(talk) == again
        talk.work.clear()


def test_with_other_arguments_it_is_another_question() -> None:
    talk = Talk()
    ask(talk, "events", since=600)
    answer(talk)
    ask(talk, "events", since=60)
    assert reads(talk) == 1


def test_an_object_of_the_same_name_that_came_after_it_is_another() -> None:
    talk = Talk()
    ask(talk, "history")
    answer(talk, uid="old")
    ask(talk, "status")
    answer(talk, uid="new")
    assert set(talk.session.results) == {"status"}
    ask(talk, "history")
    assert reads(talk) == 1


def test_a_plan_tells_as_well_which_object_is_there() -> None:
    talk = Talk()
    ask(talk)
    answer(talk, uid="old")
    talk.say("alice", Route.ACT, act("scale", WEB, replicas=Quantity("to", 5)))
    effect = talk.take(Prepare)
    assert isinstance(effect, Prepare)
    plan = plan_for(effect, risk="medium", replicas=5)
    talk.event(Prepared(effect=effect.id, plan=msgspec.structs.replace(plan, uid="new")))
    assert talk.session.results == {}


def test_where_no_uid_is_known_it_is_taken_for_the_same() -> None:
    talk = Talk()
    ask(talk, "logs")
    answer(talk)
    ask(talk, "status")
    answer(talk, uid="new")
    assert set(talk.session.results) == {"logs", "status"}
