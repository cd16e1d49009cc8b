"""The entity lock: inherited, overridden by a name, guarded against drift."""

from __future__ import annotations

import msgspec

from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.effects import Prepare, Query, Void
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.events import Message
from chatops_bot.domain.intents import Name, Quantity, Request, Route, State
from chatops_bot.domain.session import Public
from chatops_bot.domain.world import Alerted
from tests.unit.domain.dialogue.talk import API, ROOM, WEB, Talk, act, meaning, named, user


def prepares(talk: Talk) -> list[str]:
    return [effect.entity.name for effect in talk.work if isinstance(effect, Prepare)]


def test_a_pronoun_inherits_the_lock() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.say("alice", Route.ACT, Request(intent="restart", pronoun=True))
    assert prepares(talk) == ["web"]


def test_leaving_the_service_out_inherits_the_lock() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.say("alice", Route.ACT, Request(intent="restart"))
    assert prepares(talk) == ["web"]


def test_another_name_rebinds_and_drops_what_was_pending() -> None:
    talk = Talk()
    talk.plan("alice", WEB)
    decision = talk.say("bob", Route.SWITCH, act("status", API), via_card=True)
    assert talk.session.lock is not None
    assert talk.session.lock.entity == API
    assert talk.session.pending == ()
    assert any(isinstance(effect, Void) for effect in decision.work)
    said = "\n".join(card.text() for card in talk.cards.values())
    assert "Now about api (prod), no longer web (prod)" in said


def test_a_question_about_another_service_rebinds_too() -> None:
    talk = Talk()
    talk.plan("alice", WEB)
    talk.say("alice", Route.ASK, act("status", API), via_card=True)
    assert talk.session.lock is not None
    assert talk.session.lock.entity == API
    assert talk.session.pending == ()


def test_drift_a_dangerous_pronoun_after_somebody_elses_rebinding_is_asked() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.say("bob", Route.QUERY, act("status", API), via_card=True)
    talk.say("alice", Route.ACT, Request(intent="restart", pronoun=True))
    assert prepares(talk) == []
    assert talk.state is State.COLLECTING
    newest = talk.cards[max(talk.cards, key=lambda card: int(card[1:]))]
    assert [button.id for button in newest.buttons] == ["service:api", "service:web", "cancel"]
    talk.click("alice", "service:web", token="")
    assert prepares(talk) == ["web"]


def alerted(talk: Talk, *, ago_s: int = 1, about: Entity = API) -> None:
    talk.now += 1000
    talk.world = msgspec.structs.replace(talk.world, alerted=Alerted(about, talk.now))
    talk.now += ago_s * 1000


def test_an_alert_that_came_since_makes_a_dangerous_pronoun_doubtful() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    alerted(talk)
    talk.say("alice", Route.ACT, Request(intent="restart", pronoun=True))
    assert prepares(talk) == []
    newest = talk.cards[max(talk.cards, key=lambda card: int(card[1:]))]
    assert [button.id for button in newest.buttons] == ["service:api", "service:web", "cancel"]
    talk.click("alice", "service:web", token="")
    assert prepares(talk) == ["web"]


def test_no_alert_hinders_who_has_spoken_since_or_answers_a_card_or_only_asks() -> None:
    spoken, answering, asking, late, same = (Talk() for _ in range(5))
    for talk in (spoken, answering, asking, late, same):
        talk.say("alice", Route.QUERY, act("status", WEB))
        alerted(talk, ago_s=1200 if talk is late else 1, about=WEB if talk is same else API)
    spoken.say("alice", Route.QUERY, Request(intent="status", pronoun=True))
    answering.say("alice", Route.ACT, Request(intent="restart", pronoun=True), via_card=True)
    asking.say("alice", Route.QUERY, Request(intent="logs", pronoun=True))
    assert asking.state is not State.COLLECTING
    spoken.now += 1000
    for talk in (spoken, late, same):
        talk.say("alice", Route.ACT, Request(intent="restart", pronoun=True))
    assert [prepares(talk) for talk in (spoken, answering, late, same)] == [["web"]] * 4


def test_drift_does_not_hold_up_the_one_who_rebound_it() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.say("bob", Route.QUERY, act("status", API), via_card=True)
    talk.say("bob", Route.ACT, Request(intent="restart", pronoun=True), via_card=True)
    assert prepares(talk) == ["api"]


def test_drift_ends_once_the_user_has_spoken_after_the_change() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.say("bob", Route.QUERY, act("status", API), via_card=True)
    talk.say("alice", Route.QUERY, Request(intent="status"), via_card=True)
    talk.say("alice", Route.ACT, Request(intent="restart", pronoun=True), via_card=True)
    assert prepares(talk) == ["api"]


def test_for_a_newcomer_the_first_binding_is_no_drift_but_a_rebinding_is() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.say("bob", Route.ACT, Request(intent="restart", pronoun=True), via_card=True)
    assert prepares(talk) == ["web"]
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.say("alice", Route.QUERY, act("status", API), via_card=True)
    talk.say("bob", Route.ACT, Request(intent="restart", pronoun=True), via_card=True)
    assert prepares(talk) == []


def test_reading_by_pronoun_is_never_held_up() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.say("bob", Route.QUERY, act("status", API), via_card=True)
    talk.say("alice", Route.QUERY, Request(intent="events", pronoun=True))
    assert [e.entity.name for e in talk.work if isinstance(e, Query) and e.intent == "events" and e.entity] == ["api"]


def test_without_a_lock_a_pronoun_is_asked_never_guessed() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, Request(intent="restart", pronoun=True))
    assert prepares(talk) == []
    assert talk.state is State.COLLECTING


def test_what_the_user_came_from_is_offered_not_inherited() -> None:
    talk = Talk()
    message = Message(id="m", room=ROOM, user=user("alice"), text="restart it and look at api", addressed=True)
    wanted = (Request(intent="restart", pronoun=True, start=0), act("status", API, start=20))
    decision = talk.event(message, meaning(Route.ACT, *wanted), beside=Public(entity=WEB))
    assert prepares(talk) == []
    buttons = [b.id for _, card in decision.cards for b in card.buttons]
    assert "service:web" in buttons


def test_a_pronoun_after_a_name_in_the_same_words_means_that_name() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("logs", API, start=0), Request(intent="restart", pronoun=True, start=15))
    assert prepares(talk) == ["api"]


def test_an_ambiguous_name_is_asked_with_a_button_each() -> None:
    both = Name(text="w", start=0, matches=(Service(entity=WEB), Service(entity=API)))
    talk = Talk()
    talk.say("alice", Route.ACT, Request(intent="restart", name=both))
    assert prepares(talk) == []
    talk.click("alice", "service:api", token="")
    assert prepares(talk) == ["api"]


def test_an_unknown_name_offers_the_closest_and_takes_none() -> None:
    unknown = Name(text="wep", start=0, closest=(Service(entity=WEB),))
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", API))
    talk.say("alice", Route.ACT, Request(intent="restart", name=unknown))
    assert prepares(talk) == []
    assert talk.session.lock is not None
    assert talk.session.lock.entity == API


def test_after_the_execution_nothing_is_left_to_inherit() -> None:
    talk = Talk()
    talk.plan("alice", WEB)
    talk.click("alice", "confirm")
    talk.judged()
    decision = talk.executed()
    assert talk.state is State.ARCHIVED
    assert talk.session.lock is None
    assert decision.release == ("alice",)
    again = talk.say("alice", Route.ACT, Request(intent="restart", pronoun=True))
    assert again.move, "it is routed anew"


def test_a_cards_own_button_acts_on_the_cards_service() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.queried()
    talk.say("alice", Route.QUERY, act("status", API), via_card=True)
    talk.click("bob", "restart", token="", value=WEB.key)
    assert prepares(talk) == ["web"]


def test_modify_to_another_service_replaces_the_plan() -> None:
    talk = Talk()
    talk.plan("alice", WEB, replicas=6)
    talk.say("alice", Route.MODIFY, Request(intent="", name=named(API)), via_card=True)
    pending = [effect for effect in talk.work if isinstance(effect, Prepare)]
    assert [(p.entity.name, p.slots) for p in pending] == [("api", {"replicas": Quantity("to", 6)})]


def test_it_may_be_one_of_those_that_the_question_before_has_offered() -> None:
    talk = Talk()
    staging = msgspec.structs.replace(WEB, namespace="staging", environment="staging")
    services = [Service(entity=entity) for entity in (API, WEB, staging)]
    talk.world = msgspec.structs.replace(talk.world, catalog=Catalog(services), recent=(API,))
    both = Name(text="web", start=0, matches=(services[1], services[2]))
    talk.say("alice", Route.QUERY, Request(intent="status", name=both))
    talk.say("alice", Route.SWITCH, Request(intent="scale", pronoun=True, slots={"replicas": Quantity("to", 4)}))
    newest = talk.cards[f"c{talk.session.cards}"]
    offered = [button.value.split()[-1] for button in newest.buttons if button.id.startswith("service:")]
    assert offered == [WEB.key, staging.key, API.key]
