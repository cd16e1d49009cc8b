"""Asking for runbooks: what the search is told, what is kept of it, and a runbook as a card."""

from __future__ import annotations

import datetime

import msgspec
import pytest

from chatops_bot.adapters.runbooks.loading import packaged
from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.dialogue.report_parts import fitted
from chatops_bot.domain.dialogue.runbook_cards import topic, whole
from chatops_bot.domain.effects import Query
from chatops_bot.domain.entities import Service
from chatops_bot.domain.events import Queried
from chatops_bot.domain.intents import Language, Route, State
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.policy_file import parse
from chatops_bot.domain.reports import Report
from chatops_bot.domain.runbooks import Runbook, Runbooks
from chatops_bot.domain.say import say
from tests.unit.domain.dialogue.talk import API, NOW, WEB, Talk, act, meaning, named

ALL = Runbooks(packaged().runbooks)
TODAY = datetime.date(2026, 12, 1)


def talk(*, policy: Policy | None = None) -> Talk:
    made = Talk(policy=policy)
    own = Service(entity=WEB, runbooks=("payment-timeouts", "no-such"))
    catalog = Catalog([own, Service(entity=API)])
    made.world = msgspec.structs.replace(made.world, runbooks=ALL, catalog=catalog)
    return made


def asked(made: Talk) -> Query:
    effect = made.take(Query)
    assert isinstance(effect, Query)
    return effect


def test_a_question_needs_no_service_and_asks_for_none() -> None:
    made = talk()
    decision = made.say("alice", Route.QUERY, act("runbook"), text="how do we handle a full disk")
    query = asked(made)
    assert (query.intent, query.entity, query.slots) == ("runbook", None, {"text": "how do we handle a full disk"})
    assert decision.session.lock is None
    assert made.state is State.FOLLOW_UP


def test_a_service_lends_its_own_runbooks_and_its_findings_and_not_its_name() -> None:
    made = talk()
    made.say("alice", Route.QUERY, act("status", WEB), text="status of web")
    made.event(
        Queried(
            effect=asked(made).id,
            report=Report("status", NOW, say("runbook.none"), WEB, codes=("out_of_memory", "crash_loop")),
        )
    )
    made.say("alice", Route.QUERY, act("runbook", WEB), text="runbook for web")
    query = asked(made)
    assert query.entity == WEB
    assert query.slots["own"] == "traffic/payment-timeouts"
    assert query.slots["symptoms"] == "out_of_memory crash_loop"
    assert "web" not in str(query.slots["text"])


def test_findings_of_another_service_count_for_nothing() -> None:
    made = talk()
    made.say("alice", Route.QUERY, act("status", API), text="status of api")
    made.event(
        Queried(effect=asked(made).id, report=Report("status", NOW, say("runbook.none"), API, codes=("out_of_memory",)))
    )
    made.say("alice", Route.QUERY, act("runbook", WEB), text="runbook for web")
    assert "symptoms" not in asked(made).slots


def test_who_may_not_look_at_a_service_gets_no_runbook_about_it() -> None:
    made = talk(policy=parse({"rules": [{"actions": ["read"], "request": [], "confirm": []}]}))
    decision = made.say("alice", Route.QUERY, act("runbook", WEB), text="runbook for web")
    assert [record.kind for record in decision.audit][-1] == "refusal"
    assert not decision.work


def test_what_was_cited_is_kept() -> None:
    made = talk()
    made.say("alice", Route.QUERY, act("runbook"), text="OOM?")
    report = Report("runbook", NOW, say("runbook.found", count=1), cited=("workloads/out-of-memory",))
    decision = made.event(Queried(effect=asked(made).id, report=report))
    assert decision.cited == decision.session.cited_runbooks == ("workloads/out-of-memory",)
    again = made.click("alice", "runbook", value="network/dns-failures")
    assert again.cited == ("network/dns-failures",)
    assert again.session.cited_runbooks == ("workloads/out-of-memory", "network/dns-failures")


def test_a_button_shows_the_whole_and_one_that_is_gone_is_said() -> None:
    made = talk()
    card = made.click("alice", "runbook", value="storage/disk-full").cards[-1][1]
    assert card.title == "Runbook: A volume or disk of a service is full or nearly so"
    gone = made.click("alice", "runbook", value="storage/gone")
    assert "There is no runbook storage/gone" in gone.cards[-1][1].text()
    assert not gone.cited


def test_one_that_is_named_by_its_id_is_shown_at_once() -> None:
    made = talk()
    decision = made.say("alice", Route.QUERY, act("runbook"), text="runbook network/dns-failures please")
    assert not decision.work
    assert decision.cited == ("network/dns-failures",)


def test_a_running_flow_goes_on_below_a_runbook() -> None:
    made = talk()
    made.plan("alice")
    decision = made.click("bob", "runbook", value="network/dns-failures")
    assert made.state is State.CONFIRMING
    [card] = [card for _, card in decision.cards if card.title.startswith("Runbook")]
    assert "confirm" in [button.id for button in card.buttons]


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("runbook", ALL.all, ids=lambda runbook: runbook.id)
def test_every_runbook_can_be_shown(runbook: Runbook, language: Language) -> None:
    card = whole(runbook, language, today=TODAY)
    text = card.text()
    assert all(f"\n{number}. " in text for number in range(1, len(runbook.steps) + 1))
    assert runbook.verification.of(language) in text
    assert runbook.back.of(language) in text
    assert runbook.owner in text
    assert "cause." not in text
    assert "intent." not in text
    assert "action." not in text
    assert not card.buttons


def test_where_an_answer_leads_is_written() -> None:
    runbook = ALL.by_id("workloads/crash-loop-after-deploy")
    assert runbook is not None
    text = whole(runbook, "en", today=TODAY).text()
    assert "Safe to roll back → step 5 · Not safe → step 6" in text
    assert '5. Action "roll back"' in text or "5. Action" in text
    assert "(then: end)" in text


def test_one_that_nobody_reviewed_for_a_year_says_so() -> None:
    runbook = ALL.all[0]
    assert "over a year" not in whole(runbook, "en", today=TODAY).text()
    late = runbook.reviewed + datetime.timedelta(days=366)
    assert "over a year" in whole(runbook, "en", today=late).text()
    assert "超过一年" in whole(runbook, "zh", today=late).text()


def test_names_are_no_part_of_the_topic() -> None:
    said = meaning(Route.QUERY, act("runbook", WEB))
    assert topic("disk of web is full", msgspec.structs.replace(said, names=(named(API),))).split() == [
        "disk",
        "of",
        "is",
        "full",
    ]


def test_a_diagnosis_offers_the_services_own_runbook_first_though_the_catalog_leaves_the_area_out() -> None:
    made = talk()
    own = Service(entity=WEB, runbooks=("crash-loop-without-deploy",))
    world = msgspec.structs.replace(made.world, catalog=Catalog([own]))
    report = fitted(Report("status", NOW, say("runbook.none"), WEB, codes=("crash_loop",)), world)
    assert [cited.id for cited in report.runbooks] == [
        "workloads/crash-loop-without-deploy",
        "workloads/crash-loop-after-deploy",
    ]
