"""The card of an answer: what it says first, what can be pressed, and how it is asked again."""

from __future__ import annotations

import datetime
from typing import Any

import msgspec
import pytest

from chatops_bot.domain.cards import Button, Card, Note, Table, Text
from chatops_bot.domain.dialogue.button_values import carried, slots_in
from chatops_bot.domain.dialogue.report_parts import fitted
from chatops_bot.domain.dialogue.views import report_card
from chatops_bot.domain.effects import Prepare, Query
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.events import Queried
from chatops_bot.domain.intents import Quantity, Request, Route, SlotValue
from chatops_bot.domain.offers import Offer
from chatops_bot.domain.policy import Policy, Rule
from chatops_bot.domain.reports import Cited, Detail, Report
from chatops_bot.domain.runbooks import Runbook, Runbooks, Texts
from chatops_bot.domain.say import say
from tests.unit.domain.dialogue.talk import API, NOW, WEB, Talk, act, user

VERDICT = say("status.degraded", name="web", ready=1, wanted=2, cause="cause.crash_loop")
FINDING = say("events.none", name="web")


def report(**more: Any) -> Report:
    return msgspec.structs.replace(
        Report(kind="status", at=NOW, headline=VERDICT, entity=WEB, tone="warn", table=(("table.pod",), ("web-a",))),
        **more,
    )


def pressed(card: Card, name: str) -> Button:
    return next(button for button in card.buttons if button.id == name)


def names(card: Card) -> list[str]:
    return [button.id for button in card.buttons]


# what it says


def test_the_verdict_is_first_and_strong_and_evidence_is_small_print() -> None:
    detail = Detail(evidence=("pod/web-a: status.phase = Failed",), causes=(say("events.none", name="x"),))
    card = report_card(report(lines=(FINDING, say("status.images", images="reg/web:1")), details=(detail,)), "en")
    assert card.blocks[0] == Text("web is degraded: only 1/2 pods ready, a container keeps crashing.", strong=True)
    assert isinstance(card.blocks[1], Text)
    assert card.blocks[2].text.startswith("Likely: ")  # type: ignore[union-attr]
    assert card.blocks[3] == Note("pod/web-a: status.phase = Failed")
    assert card.blocks[4] == Note("Image: reg/web:1")  # a fact, no finding
    assert isinstance(card.blocks[5], Table)


def test_which_service_where_and_as_of_when_is_on_it() -> None:
    card = report_card(report(), "en")
    assert card.title == "web (prod) · status"
    assert card.blocks[-1] == Note("PRODUCTION · east · shop · deployment/web · as of 01-05 08:00:00 UTC")
    assert "截至 01-05 08:00:00 UTC" in report_card(report(), "zh").text()


def test_what_was_not_read_stands_apart_and_what_was_asked_for_too() -> None:
    unread = (say("unread", what="unread.events", why="403"), say("report.check_failed", check="dns: KeyError"))
    card = report_card(report(unread=unread, applied=(say("applied.tail", count=5), say("applied.previous"))), "en")
    assert Note("⚠ Could not read the events (403): not part of this verdict.") in card.blocks
    assert Note("⚠ A check failed itself (dns: KeyError): what it looks for is not known.") in card.blocks
    assert card.blocks[1] == Note("last 5 lines · previous run")


def test_one_part_of_a_status_is_called_by_its_name() -> None:
    card = report_card(report(slots={"part": "dependents"}), "en")
    assert card.title == "web (prod) · ways in and dependents"
    assert "diagnose" in names(card)


# what can be pressed


def test_what_fits_the_findings_comes_first_and_takes_the_place_of_the_usual() -> None:
    usual = report_card(report(), "en")
    assert names(usual) == ["logs", "events", "refresh", "restart", "scale", "hand_off"]
    nothing = report_card(report(headline=say("status.zero", name="web", ready=0, wanted=0)), "en")
    assert names(nothing) == ["logs", "events", "refresh", "scale", "hand_off"]
    offers = (Offer("rollback", {"revision": 6}), Offer("delete_pod", {"pod": "web-a"}))
    runbooks = (Cited("pods/crash", titles={"en": "Crash loop", "zh": "反复崩溃"}),)
    card = report_card(report(offers=offers, runbooks=runbooks), "en")
    assert names(card) == ["rollback", "delete_pod", "logs", "runbook", "events", "refresh", "hand_off"]
    labels = {button.id: button.label for button in card.buttons}
    assert labels["rollback"] == "Roll back to rev 6"
    assert labels["delete_pod"] == "Delete pod web-a"
    assert labels["runbook"] == "Runbook: Crash loop"
    assert pressed(card, "runbook").value == "pods/crash"
    assert pressed(report_card(report(offers=offers), "zh"), "rollback").label == "回滚到版本 6"


@pytest.mark.parametrize(
    ("offer", "en", "zh"),
    [
        (Offer("scale", {"replicas": 5}), "Scale to 5", "扩缩到 5"),
        (Offer("scale", {"replicas": Quantity("by", 2)}), "Replicas +2", "副本 +2"),
        (Offer("scale"), "Scale", "扩缩容"),
        (Offer("rollback"), "Roll back", "回滚"),
        (Offer("restart"), "Restart", "重启"),
        (Offer("resume"), "Resume rollout", "恢复发布"),
        (Offer("set_autoscaler", {"min": 2, "max": 9}), "Set HPA 2–9", "改为 HPA 2–9"),
        (Offer("set_image", {"image": "reg/web:2"}), "Set image web:2", "更换镜像 web:2"),
        (Offer("cordon", entity="east//node/n3"), "Cordon n3", "停止调度 n3"),
        (Offer("restart", entity="east/kube-system/deployment/coredns"), "Restart coredns", "重启 coredns"),
    ],
)
def test_a_button_says_what_it_does_to_what(offer: Offer, en: str, zh: str) -> None:
    for language, label in (("en", en), ("zh", zh)):
        button = report_card(report(offers=(offer,)), language).buttons[0]  # type: ignore[arg-type]
        assert button.label == label
        assert button.value.endswith(offer.entity or WEB.key)


def test_what_cannot_be_offered_is_not() -> None:
    talk = Talk()
    offers = (
        Offer("cordon"),
        Offer("restart", entity="east/x/deployment/unknown"),
        Offer("restart", entity=API.key),
        Offer("dance"),
    )
    assert fitted(report(offers=offers), talk.world).offers == (Offer("restart", entity=API.key),)


def runbook(name: str, *symptoms: str, services: tuple[str, ...] = ()) -> Runbook:
    both = Texts("中", "en")
    day = datetime.date(2026, 1, 1)
    return Runbook(f"pods/{name}", both, (), both, both, "sre", day, symptoms=symptoms, services=services)


def test_runbooks_of_the_symptoms_are_on_it_the_services_own_first() -> None:
    talk = Talk()
    books = Runbooks(
        [runbook("any", "crash_loop"), runbook("own", "crash_loop", services=("web",)), runbook("dns", "dns")]
    )
    talk.world = msgspec.structs.replace(talk.world, runbooks=books)
    found = fitted(report(codes=("crash_loop",)), talk.world)
    assert [one.id for one in found.runbooks] == ["pods/own", "pods/any"]
    assert fitted(report(), talk.world).runbooks == ()


def test_beside_several_actions_there_is_room_for_one_runbook() -> None:
    books = tuple(Cited(f"pods/{name}", titles={"en": name}) for name in ("a", "b"))
    assert names(report_card(report(runbooks=books), "en")).count("runbook") == 2
    offers = (Offer("rollback"), Offer("restart"))
    assert names(report_card(report(runbooks=books, offers=offers), "en")).count("runbook") == 1


def test_a_card_without_an_entity_has_no_buttons() -> None:
    assert report_card(report(entity=None), "en").buttons == ()


def test_a_node_has_no_logs_and_what_no_action_takes_is_only_looked_at() -> None:
    node = Entity("east", "", "Node", "n1", "n1")
    assert names(report_card(report(entity=node), "en")) == ["events", "refresh", "hand_off"]
    job = Entity("east", "shop", "Job", "backup", "backup")
    assert names(report_card(report(entity=job), "en")) == ["logs", "events", "refresh", "hand_off"]


# what a button carries


@pytest.mark.parametrize(
    "slots",
    [
        {"revision": 6},
        {"pod": "web-7d9f-x2"},
        {"grep": "time out, 超时 = 100% 'x'"},
        {"previous": True, "tail": 200, "since": 600},
        {"replicas": Quantity("to", 5)},
        {"replicas": Quantity("by", -2)},
        {"grep": "6"},
        {"grep": "true"},
        {},
    ],
)
def test_slots_come_back_as_they_were(slots: dict[str, SlotValue]) -> None:
    value = carried(slots, WEB.key)
    assert value.rpartition(" ")[2] == WEB.key
    assert slots_in(value, tuple(slots)) == slots
    assert slots_in(value, ()) == {}


@pytest.mark.parametrize(
    "value",
    ["", "x", "tail=-1 k", "tail=1e9 k", "tail=99999999999 k", "replicas=to:x k", "=1 k", "tail k", "tail=²  k"],
)
def test_what_is_no_slot_is_left_out(value: str) -> None:
    assert slots_in(value, ("tail", "replicas")) == {}


def test_an_offer_leads_to_a_plan_with_its_slots_behind_its_confirmation() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    shown(talk, offers=(Offer("rollback", {"revision": 6}),))
    button = pressed(talk.cards["c1"], "rollback")
    talk.click("bob", button.id, token="", value=button.value)
    prepare = talk.take(Prepare)
    assert isinstance(prepare, Prepare)
    assert (prepare.action, prepare.slots, prepare.entity, prepare.user.id) == ("rollback", {"revision": 6}, WEB, "bob")


def test_an_offer_of_another_target_moves_the_thread_there_and_says_so() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    shown(talk, offers=(Offer("restart", entity=API.key),))
    button = pressed(talk.cards["c1"], "restart")
    talk.click("bob", button.id, token="", value=button.value)
    prepare = talk.take(Prepare)
    assert isinstance(prepare, Prepare)
    assert prepare.entity == API
    assert "Now about api" in talk.cards["c2"].text()


def test_replicas_on_a_button_are_a_quantity() -> None:
    card = report_card(report(offers=(Offer("scale", {"replicas": 5}),)), "en")
    assert slots_in(pressed(card, "scale").value, ("replicas",)) == {"replicas": Quantity("to", 5)}


# asked again


def shown(talk: Talk, **more: Any) -> Query:
    """The oldest query comes back as a report of its own slots."""
    effect = talk.take(Query)
    assert isinstance(effect, Query)
    found = report(kind=effect.intent, at=talk.now, entity=effect.entity, slots=effect.slots, **more)
    talk.event(Queried(effect=effect.id, report=found))
    return effect


def query(talk: Talk) -> Query:
    effect = talk.take(Query)
    assert isinstance(effect, Query)
    return effect


def test_refresh_asks_the_same_and_draws_its_own_card_anew() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("logs", WEB, tail=200, grep="time out"))
    shown(talk)
    button = pressed(talk.cards["c1"], "refresh")
    talk.click("bob", "refresh", token="", value=button.value)
    assert "Reading again…" in talk.cards["c1"].text()  # what it shows stays until then
    assert "is degraded" in talk.cards["c1"].text()
    assert shown(talk, code="new").slots == {"tail": 200, "grep": "time out"}
    assert list(talk.cards) == ["c1"]
    assert "new" in talk.cards["c1"].text()


def test_refresh_of_a_card_that_waits_already_makes_another() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    shown(talk)
    value = pressed(talk.cards["c1"], "refresh").value
    talk.click("bob", "refresh", token="", value=value)
    talk.click("carol", "refresh", token="", value=value)
    assert list(talk.cards) == ["c1", "c2"]


@pytest.mark.parametrize("card", ["'c99", "'c0", "'", "'x1", "7"])
def test_refresh_on_a_card_of_no_such_name_makes_one(card: str) -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    shown(talk)
    talk.click("bob", "refresh", token="", value=f"status card={card} {WEB.key}")
    assert "c2" in talk.cards


def test_a_question_with_other_slots_is_not_answered_from_memory() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB, part="dependents"))
    shown(talk)
    talk.say("alice", Route.QUERY, act("status", WEB))
    assert query(talk).slots == {}
    assert talk.session.results["status"].slots == {"part": "dependents"}


def test_the_same_question_is_wherever_the_service_is_said_to_be() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB, environment="prod"))
    assert shown(talk).slots == {}
    talk.say("alice", Route.QUERY, act("status", WEB))
    assert not talk.work


def bare(**slots: SlotValue) -> Request:
    return Request(intent="", slots=slots)


def test_more_or_less_of_the_last_answer_keeps_the_rest() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("logs", WEB, grep="timeout", pod="web-a"))
    shown(talk)
    talk.say("alice", Route.QUERY, bare(tail=200))
    assert (found := shown(talk)).intent == "logs"
    assert found.slots == {"grep": "timeout", "pod": "web-a", "tail": 200}
    talk.say("alice", Route.QUERY, bare(everyone=True))
    assert shown(talk).slots == {"grep": "timeout", "tail": 200, "everyone": True}
    talk.say("alice", Route.QUERY, bare(errors=True))
    assert shown(talk).slots == {"grep": "timeout", "tail": 200, "everyone": True, "errors": True}
    talk.say("alice", Route.QUERY, bare(grep=""))
    assert shown(talk).slots == {"tail": 200, "everyone": True, "errors": True}
    talk.say("alice", Route.QUERY, act("logs", WEB))
    assert query(talk).slots == {}  # asked anew


def test_refresh_by_words_is_of_the_last_question() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("changes", WEB, since=7200))
    shown(talk)
    talk.say("alice", Route.REFRESH)
    assert (found := query(talk)).intent == "changes"
    assert found.slots == {"since": 7200}


def test_of_another_service_nothing_is_kept() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("logs", WEB, grep="timeout"))
    shown(talk)
    talk.say("alice", Route.QUERY, act("logs", API), via_card=True)
    assert shown(talk).slots == {}
    talk.say("alice", Route.QUERY, bare(tail=5))
    assert query(talk).slots == {"tail": 5}


# what may be quoted, and whom it names


def test_a_diagnosis_quotes_no_log_for_whom_the_rules_for_logs_leave_out() -> None:
    logs = Rule(actions=("logs",), request=("bob",))
    talk = Talk(policy=Policy(rules=(logs,)))
    talk.say("alice", Route.QUERY, act("status", WEB))
    assert query(talk).logs is False
    talk.say("bob", Route.REFRESH)
    assert query(talk).logs is True


def test_people_of_the_thread_are_named_and_not_their_accounts() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("changes", WEB))
    effect = query(talk)
    table = (("table.when", "table.what", "table.who"), ("1m", "scale", user("alice").key), ("2m", "scale", "slack:U9"))
    talk.session = msgspec.structs.replace(
        talk.session,
        people={key: msgspec.structs.replace(speaker, name="Alice L.") for key, speaker in talk.session.people.items()},
    )
    found = Report(kind="changes", at=NOW, headline=say("changes.none", name="web", span="1d"), entity=WEB, table=table)
    talk.event(Queried(effect=effect.id, report=found))
    text = talk.cards["c1"].text()
    assert "1m  scale  Alice L." in text
    assert "slack:U9" in text
