"""Overviews, their rows, and what is found by name, as the dialogue takes them."""

from __future__ import annotations

import msgspec
import pytest

from chatops_bot.domain.cards import Button
from chatops_bot.domain.dialogue.turn import Decision
from chatops_bot.domain.effects import Query
from chatops_bot.domain.entities import Entity, EntityKind
from chatops_bot.domain.events import Queried
from chatops_bot.domain.intents import Request, Route, SlotValue, State
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.policy_file import parse
from chatops_bot.domain.reports import Report, Row
from chatops_bot.domain.say import say
from tests.unit.domain.dialogue.talk import API, NOW, WEB, Talk, act

JOB = Entity("east", "shop", "Job", "backup-28", "backup-28", "prod")
LINE = say("overview.row", name="web", cause="cause.crash_loop", ago="5m")


def found(*entities: Entity, at: int = NOW, **slots: SlotValue) -> Report:
    rows = tuple(Row(entity=one, line=LINE, tone="danger") for one in entities)
    return Report(
        kind="overview", at=at, headline=say("overview.broken", place="pay", count=1, total=9), rows=rows, slots=slots
    )


def question(talk: Talk, who: str = "alice", **slots: SlotValue) -> Query:
    """What `who` asks of a place becomes one query."""
    talk.say(who, Route.QUERY, Request(intent="overview", slots=slots))
    return taken(talk)


def taken(talk: Talk) -> Query:
    effect = talk.take(Query)
    assert isinstance(effect, Query)
    return effect


def answered(talk: Talk, effect: Query, report: Report) -> Decision:
    return talk.event(Queried(effect=effect.id, report=report))


def button(talk: Talk, name: str, card: str = "c1") -> Button:
    return next(one for one in talk.cards[card].buttons if one.id == name)


def test_it_locks_nothing_and_each_row_is_a_button() -> None:
    talk = Talk()
    effect = question(talk, namespace="pay", reason="no")
    assert (effect.intent, effect.entity, effect.slots) == ("overview", None, {"namespace": "pay"})
    answered(talk, effect, found(WEB, API, namespace="pay"))
    assert talk.session.lock is None
    assert [one.id for one in talk.cards["c1"].buttons] == ["open:web", "open:api", "refresh"]
    assert button(talk, "open:api").value == f"en {API.key}"
    assert "1. web: a container keeps crashing, for 5m" in talk.cards["c1"].text()
    assert "as of" in talk.cards["c1"].text()


def test_the_same_question_soon_after_is_answered_from_memory() -> None:
    talk = Talk()
    answered(talk, question(talk, namespace="pay"), found(WEB, namespace="pay"))
    talk.now += 5_000
    talk.say("alice", Route.QUERY, Request(intent="overview", slots={"namespace": "pay"}))
    assert not talk.work
    assert question(talk, namespace="shop").slots == {"namespace": "shop"}


def test_refresh_draws_the_card_anew_in_place_also_after_a_restart_of_the_talk() -> None:
    talk = Talk()
    answered(talk, question(talk, namespace="pay"), found(WEB, namespace="pay"))
    talk.click("bob", "refresh", token="", value=button(talk, "refresh").value)
    effect = taken(talk)
    assert effect.slots == {"namespace": "pay"}
    assert "Looking again" in talk.cards["c1"].text() or talk.session.queries[effect.id].card == "c1"
    answered(talk, effect, found(API, namespace="pay"))
    assert [one.id for one in talk.cards["c1"].buttons] == ["open:api", "refresh"]
    other = Talk()
    other.click("bob", "refresh", token="", value=button(talk, "refresh").value)
    assert taken(other).slots == {"namespace": "pay"}


def test_an_order_by_pronoun_afterwards_offers_what_was_shown() -> None:
    talk = Talk()
    hidden = msgspec.structs.replace(WEB, workload="hidden", name="hidden")
    answered(talk, question(talk), found(JOB, API))
    talk.say("alice", Route.ACT, Request(intent="restart", pronoun=True))
    assert talk.state is State.COLLECTING
    assert talk.cards["c2"].buttons[0].id == "service:api"
    assert hidden.key not in talk.session.offered
    assert JOB.key not in talk.session.offered


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_row_opens_the_diagnosis_in_the_language_of_its_card(language: str) -> None:
    talk = Talk()
    talk.click("bob", "open:web", token="", value=f"{language} {WEB.key}")
    effect = taken(talk)
    assert (effect.intent, effect.entity, effect.user.id) == ("status", WEB, "bob")
    assert talk.session.lock is not None
    assert (talk.session.lock.entity, talk.session.language) == (WEB, language)


def test_pressed_again_it_is_drawn_anew_on_the_first_card() -> None:
    talk = Talk()
    value = f"en {WEB.key}"
    talk.click("bob", "open:web", token="", value=value)
    first = taken(talk)
    talk.click("bob", "open:web", token="", value=value)
    assert not talk.work
    talk.event(Queried(effect=first.id, report=Report(kind="status", at=NOW, headline=LINE, entity=WEB)))
    talk.click("bob", "open:web", token="", value=value)
    assert talk.session.queries[taken(talk).id].card == "c1"
    assert talk.session.cards == 1


@pytest.mark.parametrize("value", ["", "en", "en east/shop/deployment/nope", "zh east/shop/secret/x", "en ../../etc"])
def test_a_row_of_nothing_known_opens_nothing(value: str) -> None:
    talk = Talk()
    decision = talk.click("bob", "open:web", token="", value=value)
    assert not talk.work
    assert talk.session.lock is None
    assert [record.kind for record in decision.audit] == ["refusal"]


def test_a_row_of_what_may_not_be_read_is_refused() -> None:
    rule = {"actions": ["read"], "namespaces": ["shop"], "request": ["alice"]}
    talk = Talk(policy=parse({"rules": [rule]}))
    talk.click("bob", "open:web", token="", value=f"en {WEB.key}")
    assert not talk.work
    talk = Talk(policy=parse({"rules": [rule]}))
    talk.click("bob", "open:backup-28", token="", value=f"en {JOB.key}")
    assert not talk.work


def asked_by_name(talk: Talk, text: str, *requests: Request, route: Route = Route.QUERY) -> Query | None:
    talk.say("alice", route, *requests, text=text)
    return taken(talk) if talk.work else None


def by_name(kind: EntityKind, *entities: Entity, **slots: SlotValue) -> Report:
    rows = tuple(Row(entity=one, line=LINE) for one in entities)
    asked: dict[str, SlotValue] = {"kind": kind, "look": "status", **slots}
    return Report(kind="find", at=NOW, headline=LINE, rows=rows, slots=asked)


def test_what_is_found_by_name_is_what_the_thread_is_about() -> None:
    talk = Talk()
    effect = asked_by_name(talk, "logs of job backup-28", Request(intent="logs", slots={"tail": 9}))
    assert effect is not None
    assert effect.slots == {"kind": "Job", "name": "backup-28", "look": "logs", "tail": 9}
    answered(talk, effect, by_name("Job", JOB, look="logs", tail=9))
    query = taken(talk)
    assert (query.intent, query.entity, query.slots) == ("logs", JOB, {"tail": 9})
    assert talk.session.lock is not None
    assert talk.session.lock.entity == JOB
    assert talk.session.cards == 1


def test_a_pod_of_a_service_is_asked_for_within_it() -> None:
    talk = Talk()
    effect = asked_by_name(talk, "why is pod web-abc-1 down", act("status"))
    assert effect is not None
    answered(talk, effect, by_name("Pod", WEB, name="web-abc-1"))
    assert (taken(talk).slots, talk.session.lock and talk.session.lock.entity) == ({"pod": "web-abc-1"}, WEB)


def test_several_are_asked_on_the_same_card() -> None:
    talk = Talk()
    effect = asked_by_name(talk, "job backup-28")
    assert effect is not None
    elsewhere = msgspec.structs.replace(JOB, namespace="pay")
    answered(talk, effect, by_name("Job", JOB, elsewhere, name="backup-28"))
    assert (talk.state, talk.session.cards) == (State.COLLECTING, 1)
    talk.world = msgspec.structs.replace(talk.world, clusters={"east": "prod"})
    talk.click("alice", "service:pay/backup-28", token="")
    assert taken(talk).entity == elsewhere


def test_none_is_said_and_not_said_where_not_all_could_be_read() -> None:
    for unread, words in (((), "There is no Job backup-28."), ((LINE,), "in the clusters that could be read")):
        talk = Talk()
        effect = asked_by_name(talk, "job backup-28")
        assert effect is not None
        answered(talk, effect, msgspec.structs.replace(by_name("Job", name="backup-28"), unread=unread))
        assert words in talk.cards["c1"].text()
        assert talk.session.lock is None


def test_a_service_that_is_named_wins_and_orders_go_their_own_way() -> None:
    talk = Talk()
    assert asked_by_name(talk, "pod web-1-a of web", act("status", WEB)) is not None
    assert talk.session.last_query is not None
    assert talk.session.last_query.intent == "status"
    refused = Talk()
    assert asked_by_name(refused, "restart job backup-28", act("restart"), route=Route.ACT) is None
    assert "I only look at Job backup-28" in refused.cards["c1"].text()
    asking = Talk()
    asked_by_name(asking, "delete pod tool-abc-1", act("delete_pod"), route=Route.ACT)
    assert asking.state is State.COLLECTING


def test_nothing_of_what_is_only_looked_at_can_be_changed() -> None:
    talk = Talk()
    effect = asked_by_name(talk, "job backup-28")
    assert effect is not None
    answered(talk, effect, by_name("Job", JOB, name="backup-28"))
    for action in ("restart", "scale", "delete_pod", "drain"):
        talk.say("alice", Route.ACT, Request(intent=action, pronoun=True))
        assert talk.state is State.FOLLOW_UP
        assert not talk.session.pending
    assert "I only look at Job backup-28" in talk.cards[f"c{talk.session.cards}"].text()


def test_open_policy_lets_everybody_look() -> None:
    assert Policy.open().may_talk(Talk().session.room, question(Talk()).user).allowed
