"""An answer in a model's words stands above the runbooks that it is made of, or it does not stand at all."""

from __future__ import annotations

import json
from collections.abc import Iterable

import pytest

from chatops_bot.adapters.runbooks.loading import packaged
from chatops_bot.adapters.runbooks.search import FullTextSearch
from chatops_bot.domain.breaker import Breaker
from chatops_bot.domain.cards import Note, Text
from chatops_bot.domain.dialogue.report_parts import report_blocks
from chatops_bot.domain.effects import Query
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.proposals.inquiry import Inquiry
from chatops_bot.domain.reports import Report
from chatops_bot.domain.runbooks import Runbook, Runbooks
from chatops_bot.engine.runbooks import RunbookAnswers
from chatops_bot.engine.understanding import Lead, Limits
from chatops_bot.engine.wording import Wording
from chatops_bot.ports.meter import NoMeter
from chatops_bot.ports.model import ModelError, Reply
from tests.fakes.clock import ManualClock
from tests.unit.domain.proposals.scene import CATALOG

BOOK = "platform/control-plane-slow"


class Writes:
    """A model that writes these sentences, each from the first source that is offered."""

    name = "m"
    form = "json_schema"

    def __init__(self, *sentences: str, fails: bool = False) -> None:
        self._sentences = sentences
        self._fails = fails
        self.asked: list[Inquiry] = []

    def version(self, prompt: str) -> str:
        return f"{prompt}.v1"

    async def ask(self, inquiry: Inquiry, *, timeout_s: float) -> Reply:
        self.asked.append(inquiry)
        if self._fails:
            raise ModelError("refused")
        sources = inquiry.schema["properties"]["sentences"]["items"]["properties"]["source"]["enum"]
        written = [{"text": text, "source": sources[0]} for text in self._sentences]
        return Reply(json.dumps({"sentences": written}), 10, 5)

    async def close(self) -> None:
        return


async def answered(model: Writes, text: str) -> Report:
    lead = Lead(model, spending=None, limits=Limits(), breaker=Breaker(), clock=ManualClock(), meter=NoMeter())

    def index(runbooks: Iterable[Runbook]) -> FullTextSearch:
        return FullTextSearch(runbooks)

    shelf = Runbooks(packaged().runbooks)
    wording = Wording(lead, catalog=lambda: CATALOG, meter=NoMeter())
    answers = RunbookAnswers(runbooks=lambda: shelf, index=index, wording=wording)
    room, user = Room("console", "local", "ops"), User("console", "local", "alice")
    effect = Query(id="e", thread="t", room=room, user=user, intent="runbook", entity=None, slots={"text": text})
    return await answers.report(effect, 1_767_600_000_000)


async def test_it_stands_above_what_was_found_with_its_source_and_its_mark() -> None:
    model = Writes("Look at etcd first.")
    report = await answered(model, "etcd space exceeded, defrag")
    first, mark, verdict = list(report_blocks(report, "en"))[:3]
    assert first == Text(f"Look at etcd first. ({BOOK})")
    assert isinstance(mark, Note)
    assert "language model" in mark.text
    assert isinstance(verdict, Text)
    assert verdict.strong
    assert report.cited[0] == BOOK
    assert "etcd" in "".join(part.text for part in model.asked[0].parts)


@pytest.mark.parametrize("sentence", ["Restart web.", "Wait 17 minutes.", "Run kubectl drain node-9."])
async def test_a_made_up_name_or_number_shows_the_plain_card(sentence: str) -> None:
    report = await answered(Writes("Look at etcd first.", sentence), "etcd space exceeded, defrag")
    assert report.worded == ()
    assert report.cited[0] == BOOK


async def test_without_an_answer_the_card_is_plain_too() -> None:
    report = await answered(Writes(fails=True), "etcd space exceeded, defrag")
    assert (report.worded, report.cited[0]) == ((), BOOK)


async def test_where_nothing_is_found_nobody_is_asked() -> None:
    model = Writes("Look at etcd first.")
    await answered(model, "qqqq zzzz")
    assert model.asked == []
