"""Changes of the last question or order: begun anew with the rest, judged as ever, never confirmed by it."""

from __future__ import annotations

import msgspec

from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.effects import Prepare, Query
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.events import Message
from chatops_bot.domain.intents import Interpretation, Quantity, Request, Route, SlotValue, State
from chatops_bot.domain.policy import Policy, Rule
from tests.unit.domain.dialogue.talk import API, ROOM, WEB, Talk, act, meaning, named, user

STAGED = Entity(cluster="east", namespace="stage", kind="Deployment", workload="web", name="web", environment="staging")


def change(target: Entity | None = None, **slots: SlotValue) -> Request:
    return Request("", slots=slots, name=named(target) if target else None)


def staged() -> Talk:
    talk = Talk()
    talk.world = msgspec.structs.replace(
        talk.world, catalog=Catalog([Service(entity=WEB), Service(entity=STAGED), Service(entity=API)])
    )
    return talk


def asked(talk: Talk) -> Query:
    effect = talk.take(Query)
    assert isinstance(effect, Query)
    return effect


def planned(talk: Talk) -> Prepare:
    effect = talk.take(Prepare)
    assert isinstance(effect, Prepare)
    return effect


def before(talk: Talk, route: Route = Route.QUERY) -> None:
    told = msgspec.structs.replace(meaning(route, Request("")), as_before=True)
    message = Message(
        id=f"b{talk.count}", room=ROOM, user=user("alice"), text="as before", addressed=True, name="alice"
    )
    talk.event(message, told)


def logs(talk: Talk, target: Entity = WEB, **slots: SlotValue) -> None:
    talk.say("alice", Route.QUERY, Request("logs", slots=slots, name=named(target)))
    talk.work.clear()


def test_a_dropped_order_can_be_had_with_another_value_and_is_to_be_confirmed() -> None:
    talk = Talk()
    talk.plan(replicas=5)
    talk.say("alice", Route.CANCEL)
    talk.work.clear()
    decision = talk.say("alice", Route.QUERY, change(replicas=Quantity("by", 1)))
    assert (decision.route, decision.intents) == ("act", ("scale",))
    assert planned(talk).slots == {"replicas": Quantity("to", 6)}
    assert talk.state is State.CONFIRMING


def test_another_place_is_the_namesake_there_and_said() -> None:
    talk = staged()
    logs(talk, tail=20)
    decision = talk.say("alice", Route.QUERY, change(environment="staging"))
    effect = asked(talk)
    assert (effect.entity, effect.slots) == (STAGED, {"tail": 20})
    assert "Now about web (staging)" in decision.cards[-1][1].text()
    before(talk)
    assert (asked(talk).entity, talk.session.lock.entity if talk.session.lock else None) == (WEB, WEB)


def test_the_other_one_is_the_namesake() -> None:
    talk = staged()
    logs(talk, tail=20)
    talk.say("alice", Route.QUERY, change(), other=True)
    assert asked(talk).entity == STAGED


def test_of_several_others_one_is_asked_for() -> None:
    talk = staged()
    third = msgspec.structs.replace(STAGED, namespace="canary", environment="canary")
    services = [Service(entity=each) for each in (WEB, STAGED, third)]
    talk.world = msgspec.structs.replace(talk.world, catalog=Catalog(services))
    logs(talk)
    talk.say("alice", Route.QUERY, change(), other=True)
    assert talk.state is State.COLLECTING
    assert not talk.work


def test_the_same_for_a_service_that_is_named() -> None:
    talk = Talk()
    logs(talk, tail=20, pod="web-a")
    talk.say("alice", Route.QUERY, change(API))
    effect = asked(talk)
    assert (effect.entity, effect.slots) == (API, {"tail": 20})


def test_as_before_takes_the_last_change_back_once_and_says_where_there_was_none() -> None:
    talk = Talk()
    logs(talk, tail=20)
    before(talk)
    assert not talk.work
    assert "Nothing was changed before" in talk.cards[f"c{talk.session.cards}"].text()
    talk.say("alice", Route.QUERY, change(tail=50))
    talk.work.clear()
    before(talk)
    assert asked(talk).slots == {"tail": 20}


def test_what_nothing_has_is_asked_and_nothing_runs() -> None:
    talk = Talk()
    logs(talk)
    decision = talk.say("alice", Route.QUERY, change(replicas=Quantity("to", 3)))
    assert (decision.route, talk.work, talk.state) == ("ask", [], State.FOLLOW_UP)
    assert "nothing here that this could change" in decision.cards[-1][1].text()


def test_a_question_is_narrowed_beside_a_plan_which_waits_on() -> None:
    talk = Talk()
    logs(talk, tail=20)
    token = talk.plan()
    decision = talk.say("alice", Route.ASK, change(errors=True))
    assert asked(talk).slots == {"tail": 20, "errors": True}
    assert (decision.intents, talk.state, talk.token) == (("logs",), State.CONFIRMING, token)
    talk.say("alice", Route.ASK, change(revision=3))
    assert not talk.work


def test_the_overview_is_asked_of_another_place_and_another_service_of_its_own() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("overview", namespace="shop", about="jobs"))
    talk.work.clear()
    talk.say("alice", Route.QUERY, change(environment="staging"))
    assert asked(talk).slots == {"environment": "staging", "about": "jobs"}
    talk.say("alice", Route.QUERY, change(API))
    assert (effect := asked(talk)).intent == "status"
    assert effect.entity == API


def test_beside_a_plan_the_overview_is_asked_of_another_place() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("overview", namespace="shop"))
    talk.plan()
    talk.work.clear()
    talk.say("alice", Route.ASK, change(about="jobs", environment="staging"))
    assert asked(talk).slots == {"environment": "staging", "about": "jobs"}


def test_an_order_is_not_revived_for_whom_somebody_else_turned_the_thread() -> None:
    talk = Talk()
    talk.plan("alice")
    talk.say("alice", Route.CANCEL)
    talk.say("bob", Route.QUERY, act("status", API), via_card=True)
    talk.plan("bob", API)
    talk.say("bob", Route.CANCEL)
    talk.work.clear()
    talk.say("alice", Route.QUERY, change(replicas=Quantity("to", 9)), via_card=True)
    assert talk.state is State.COLLECTING
    assert not talk.work


def test_permission_is_judged_again() -> None:
    talk = Talk(policy=Policy(rules=(Rule(actions=("scale",), request=("alice",), confirm=("*",)),)))
    talk.plan("alice")
    talk.say("alice", Route.CANCEL)
    talk.work.clear()
    decision = talk.say("mallory", Route.QUERY, change(replicas=Quantity("to", 9)), via_card=True)
    assert not talk.work
    assert decision.audit[-1].kind == "refusal"


def test_a_changed_plan_can_be_had_back_as_it_was() -> None:
    talk = Talk()
    talk.plan(replicas=5)
    before(talk, Route.MODIFY)
    assert talk.state is State.CONFIRMING
    assert not [each for each in talk.work if isinstance(each, Prepare)]
    talk.say("alice", Route.MODIFY, change(replicas=Quantity("to", 8)))
    talk.prepared(replicas=8)
    talk.work.clear()
    before(talk, Route.MODIFY)
    assert planned(talk).slots == {"replicas": Quantity("to", 5)}


def test_as_before_never_confirms_for_whom_the_thread_was_turned() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", API))
    talk.say("bob", Route.QUERY, act("status", WEB), via_card=True)
    talk.plan("bob", WEB)
    talk.say("bob", Route.MODIFY, change(replicas=Quantity("to", 8)))
    talk.prepared(replicas=8)
    talk.work.clear()
    before(talk, Route.MODIFY)
    assert talk.session.flow is not None
    assert not [each for each in talk.work if isinstance(each, Prepare)]


def test_to_another_service_only_what_holds_there_is_carried() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("delete_pod", WEB, pod="web-a", reason="stuck"))
    talk.prepared()
    talk.work.clear()
    talk.say("alice", Route.MODIFY, change(API), via_card=True)
    assert planned(talk).slots == {}


def test_an_order_at_another_place_turns_the_thread_and_a_question_beside_a_plan_does_not() -> None:
    talk = staged()
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.work.clear()
    talk.say("alice", Route.ACT, act("restart", environment="staging"))
    assert talk.session.pending[0].entity == STAGED
    assert talk.session.lock is not None
    assert talk.session.lock.entity == STAGED
    talk.prepared()
    talk.work.clear()
    talk.say("alice", Route.ASK, act("logs", environment="production"))
    assert asked(talk).entity == WEB
    assert talk.session.lock.entity == STAGED
    assert talk.state is State.CONFIRMING


def test_where_none_of_that_name_lies_it_is_asked() -> None:
    talk = staged()
    talk.say("alice", Route.QUERY, act("status", API))
    talk.work.clear()
    talk.say("alice", Route.ACT, act("restart", environment="staging"))
    assert talk.state is State.COLLECTING
    assert not talk.work


def test_where_several_lie_it_is_asked_which() -> None:
    talk = staged()
    second = msgspec.structs.replace(STAGED, namespace="stage2")
    services = [Service(entity=each) for each in (WEB, STAGED, second)]
    talk.world = msgspec.structs.replace(talk.world, catalog=Catalog(services))
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.work.clear()
    talk.say("alice", Route.ACT, act("restart", environment="staging"))
    assert talk.session.flow is not None
    assert len(talk.session.flow.candidates) == 2


def test_nothing_is_inherited_once_an_order_has_run() -> None:
    talk = Talk()
    talk.plan()
    talk.click("alice", "confirm")
    talk.judged()
    talk.executed()
    assert talk.session.archived
    assert talk.session.standing == ()


def test_an_interpretation_says_that_it_is_as_before() -> None:
    assert not Interpretation(route=Route.CHAT, language="en").as_before
