"""Answering which runbook is about something: what is cited, what is said where there is none, and a changed set."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from chatops_bot.adapters.runbooks.loading import packaged
from chatops_bot.adapters.runbooks.search import FullTextSearch
from chatops_bot.domain.effects import Query
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.runbooks import Runbook, Runbooks
from chatops_bot.domain.texts import render
from chatops_bot.engine.runbooks import RunbookAnswers

NOW = 1_767_600_000_000
WEB = Entity("prod-east", "shop", "Deployment", "web", "web")


class Shelf:
    """The runbooks in force, and how often an index was made of them."""

    def __init__(self) -> None:
        self.runbooks = Runbooks(packaged().runbooks)
        self.made = 0
        self.answers = RunbookAnswers(runbooks=lambda: self.runbooks, index=self._index)

    def _index(self, runbooks: Iterable[Runbook]) -> FullTextSearch:
        self.made += 1
        return FullTextSearch(runbooks)


def query(**slots: SlotValue) -> Query:
    room, user = Room("console", "local", "ops"), User("console", "local", "alice")
    return Query(id="e1", thread="t1", room=room, user=user, intent="runbook", entity=None, slots=slots)


async def test_an_answer_cites_id_title_and_step_in_both_languages() -> None:
    report = await Shelf().answers.report(query(text="etcd space exceeded, defrag"), NOW)
    assert (report.kind, report.at, report.cited[0]) == ("runbook", NOW, "platform/control-plane-slow")
    assert report.runbooks[0].id == report.cited[0]
    assert "etcd" in report.runbooks[0].titles["zh"]
    english, chinese = (render(report.lines[0], "en"), render(report.lines[0], "zh"))
    assert english.startswith(
        "1. The API server is slow or throttles, or etcd is in trouble (platform/control-plane-slow), step "
    )
    assert chinese.startswith("1. API server 慢、限流或 etcd 异常（platform/control-plane-slow）第 ")


async def test_what_is_known_is_passed_on() -> None:
    answers = Shelf().answers
    report = await answers.report(
        query(text="", symptoms="crash_loop out_of_memory", own="workloads/out-of-memory"), NOW
    )
    assert report.cited[0] == "workloads/out-of-memory"
    report = await answers.report(query(alerts="KubeNodeNotReady Other"), NOW)
    assert report.cited == ("nodes/node-not-ready",)


async def test_where_there_is_none_that_is_said() -> None:
    report = await Shelf().answers.report(query(text="the coffee machine"), NOW)
    assert not report.cited
    assert not report.runbooks
    assert render(report.headline, "en") == "There is no runbook about this."
    assert "36" in render(report.lines[0], "zh")


async def test_of_a_service_that_was_not_diagnosed_the_way_to_its_runbooks_is_told() -> None:
    about = msgspec.structs.replace(query(text="the coffee machine"), entity=WEB)
    report = await Shelf().answers.report(about, NOW)
    assert render(report.lines[0], "en").startswith('For those that fit web, ask "how is web?" first')
    diagnosed = msgspec.structs.replace(query(text="the coffee machine", symptoms="warning"), entity=WEB)
    report = await Shelf().answers.report(diagnosed, NOW)
    assert [line.key for line in report.lines] == ["runbook.none_hint"]


async def test_the_index_is_made_once_for_each_set() -> None:
    shelf = Shelf()
    for _ in range(3):
        await shelf.answers.report(query(text="OOMKilled"), NOW)
    assert shelf.made == 1
    shelf.runbooks = Runbooks()
    report = await shelf.answers.report(query(text="OOMKilled"), NOW)
    assert (shelf.made, report.cited) == (2, ())
