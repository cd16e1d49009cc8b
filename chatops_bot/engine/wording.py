"""Answers to how-to questions in a model's words, beside the runbooks that they are made of. Off unless wanted."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import structlog

from chatops_bot.domain import names
from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.effects import Query
from chatops_bot.domain.intents import Language
from chatops_bot.domain.normalise import clean, language_of
from chatops_bot.domain.proposals.wording import Source, question, worded
from chatops_bot.domain.reports import Report
from chatops_bot.domain.runbooks import Runbook
from chatops_bot.domain.say import say
from chatops_bot.engine.understanding import Lead
from chatops_bot.ports.interpreter import Where
from chatops_bot.ports.meter import Meter

log = structlog.get_logger(__name__)


class Wording:
    """Has answers worded through the lead that understanding goes through too: one budget, one breaker."""

    def __init__(self, lead: Lead, *, catalog: Callable[[], Catalog], meter: Meter) -> None:
        self._lead = lead
        self._catalog = catalog
        self._meter = meter

    async def beside(self, effect: Query, report: Report, books: list[Runbook]) -> Report:
        """The report with the answer in words; as it was where there is none, or one that says more than it may."""
        text = str(effect.slots.get("text", ""))
        language = language_of(text, "en")
        sources = tuple(Source(book.id, _text(book, language)) for book in books)
        asked = question(text, sources, language=language, limit=self._lead.limits.characters)
        reply = await self._lead.ask(asked, where=Where(thread=effect.thread, room=effect.room.key))
        if reply is None:
            return report
        sentences = worded(reply.text, sources, services_in=self._services_in)
        self._meter.count("model_answers", result="shown" if sentences else "dropped")
        log.info("model_answer", result="shown" if sentences else "dropped", sources=[source.id for source in sources])
        lines = tuple(say("model.sentence", text=one.text, id=one.source) for one in sentences)
        return msgspec.structs.replace(report, worded=lines)

    def _services_in(self, text: str) -> list[str]:
        return [name.text for name in names.find(clean(text), self._catalog()).names if name.matches]


def _text(book: Runbook, language: Language) -> str:
    steps = "\n".join(f"{number}. {step.texts.of(language)}" for number, step in enumerate(book.steps, 1))
    return f"{book.title.of(language)}\n{steps}\n{book.verification.of(language)}\n{book.back.of(language)}"
