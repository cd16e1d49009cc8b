"""Answering which runbook is about something."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Final

from chatops_bot.domain.effects import Query
from chatops_bot.domain.reports import Cited, Report
from chatops_bot.domain.runbooks import Runbook, Runbooks
from chatops_bot.domain.say import Say, say
from chatops_bot.engine.wording import Wording
from chatops_bot.ports.runbooks import Hit, RunbookSearch

QUOTED: Final = 160
"""Characters of a step that are quoted."""


class RunbookAnswers:
    """Searches the runbooks in force. The index is made when it is first needed, and anew when they have changed."""

    def __init__(
        self,
        *,
        runbooks: Callable[[], Runbooks],
        index: Callable[[Iterable[Runbook]], RunbookSearch],
        wording: Wording | None = None,
    ) -> None:
        """With `wording`, the answer stands in words above what was found."""
        self._wording = wording
        self._runbooks = runbooks
        self._index = index
        self._made: tuple[Runbooks, RunbookSearch] | None = None
        self._making = asyncio.Lock()

    async def report(self, effect: Query, now: int) -> Report:
        """The answer, by the text and by what is known beside it: the slots `symptoms`, `alerts` and `own` are lists.
        `now` is in ms of the wall clock."""
        runbooks, search = await self._current()
        slots = {name: str(value) for name, value in effect.slots.items()}
        hits = search.search(
            slots.get("text", ""),
            symptoms=slots.get("symptoms", "").split(),
            alerts=slots.get("alerts", "").split(),
            service=slots.get("own", "").split(),
        )
        found = [(hit, book) for hit in hits if (book := runbooks.by_id(hit.id)) is not None]
        if not found:
            hints = [say("runbook.none_hint", count=len(runbooks))]
            if effect.entity is not None and "symptoms" not in slots:
                hints.insert(0, say("runbook.none_service", name=effect.entity.name))
            none, lines = say("runbook.none"), tuple(hints)
            return Report(kind=effect.intent, at=now, headline=none, entity=effect.entity, tone="muted", lines=lines)
        report = Report(
            kind=effect.intent,
            at=now,
            headline=say("runbook.found", count=len(found)),
            entity=effect.entity,
            lines=tuple(_line(number, hit, book) for number, (hit, book) in enumerate(found, 1)),
            cited=tuple(book.id for _, book in found),
            runbooks=tuple(
                Cited(book.id, titles={"zh": book.title.zh, "en": book.title.en}, step=hit.step) for hit, book in found
            ),
            digest=", ".join(book.id for _, book in found),
        )
        if self._wording is None:
            return report
        return await self._wording.beside(effect, report, [book for _, book in found])

    async def _current(self) -> tuple[Runbooks, RunbookSearch]:
        async with self._making:
            runbooks = self._runbooks()
            if self._made is None or self._made[0] is not runbooks:
                self._made = (runbooks, await asyncio.to_thread(self._index, runbooks.all))
            return self._made


def _line(number: int, hit: Hit, book: Runbook) -> Say:
    titles = {"title_zh": book.title.zh, "title_en": book.title.en}
    if not 0 < hit.step <= len(book.steps):
        return say("runbook.hit", number=number, id=book.id, **titles)
    texts = book.steps[hit.step - 1].texts
    steps = {"step_zh": _cut(texts.zh), "step_en": _cut(texts.en)}
    return say("runbook.hit_step", number=number, id=book.id, step=hit.step, **titles, **steps)


def _cut(text: str) -> str:
    return text if len(text) <= QUOTED else text[: QUOTED - 1] + "…"
