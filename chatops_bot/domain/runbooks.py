"""Runbooks: what to do about a known kind of trouble, step by step, in both languages. Immutable.

Their files are read in `adapters/runbooks`; `docs/runbooks.md` describes the format. Everything in them is text of
others: it is shown, never read as a route, and an action in a step is offered behind its confirmation like every other.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from typing import Final, Literal

import msgspec

from chatops_bot.domain.intents import Language, SlotValue

StepKind = Literal["say", "query", "ask", "action"]

END: Final = "end"
"""As a `goto`: the runbook ends there."""

REVIEW_DAYS: Final = 365
"""A runbook that nobody has reviewed for longer says so when it is shown."""


class Texts(msgspec.Struct, frozen=True):
    """One sentence in both languages."""

    zh: str
    en: str

    def of(self, language: Language) -> str:
        """In the reader's language."""
        return self.zh if language == "zh" else self.en


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """One answer to an `ask`, as its button says it, and where it leads (as `Step.goto`)."""

    texts: Texts
    goto: str = ""


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """One step.

    - `texts`: of a `say` what to know or do; of a `query` what its answer should show; of an `ask` the question, with
      `answers`; of an `action` when and why it is taken.
    - `intent`: the query that the bot runs itself, or the action that it offers; `slots` what is known for it.
    - `goto`: the id of the step that follows, `END`, or "" for the next one.
    """

    kind: StepKind
    texts: Texts
    id: str = ""
    intent: str = ""
    slots: dict[str, SlotValue] = {}
    answers: tuple[Answer, ...] = ()
    goto: str = ""


class Runbook(msgspec.Struct, frozen=True, omit_defaults=True):
    """One runbook. `id` is `area/name`, as its file lies in its folder.

    - `symptoms` are codes of findings, `alerts` names of alerts, `services` names or aliases of the catalog's
      services, all those that it is for; `words` what people call it, in any language.
    - `verification`: how to see that it has helped; `back`: how to undo what was done.
    - `owner` is a role or team; `reviewed` when somebody last went through it.
    """

    id: str
    title: Texts
    steps: tuple[Step, ...]
    verification: Texts
    back: Texts
    owner: str
    reviewed: datetime.date
    symptoms: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()
    services: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    def after(self, position: int, answer: int | None = None) -> int | None:
        """The index of the step that follows the one at `position` (with its answer, for an `ask`), None at the end.
        Raises `IndexError` for a position or an answer that it does not have."""
        step = self.steps[position]
        goto = step.answers[answer].goto if answer is not None else ""
        goto = goto or step.goto
        if goto == END:
            return None
        if goto:
            return next((index for index, each in enumerate(self.steps) if each.id == goto), None)
        return position + 1 if position + 1 < len(self.steps) else None

    def overdue(self, today: datetime.date) -> bool:
        """Whether it is too long ago that somebody went through it."""
        return (today - self.reviewed).days > REVIEW_DAYS


class Runbooks:
    """All runbooks that are in force, looked up by what they are for. Immutable."""

    __slots__ = ("_by_alert", "_by_id", "_by_name", "_by_service", "_by_symptom", "all")

    def __init__(self, runbooks: Iterable[Runbook] = ()) -> None:
        self.all: tuple[Runbook, ...] = tuple(runbooks)
        self._by_id = {runbook.id: runbook for runbook in self.all}
        self._by_name = _index((runbook, (runbook.id.rpartition("/")[2],)) for runbook in self.all)
        self._by_symptom = _index((runbook, runbook.symptoms) for runbook in self.all)
        self._by_alert = _index((runbook, runbook.alerts) for runbook in self.all)
        self._by_service = _index((runbook, runbook.services) for runbook in self.all)

    def __len__(self) -> int:
        return len(self.all)

    def by_id(self, id_: str) -> Runbook | None:
        """The runbook of this id; the area may be left out where only one bears the name."""
        named = self._by_name.get(id_.casefold(), ())
        return self._by_id.get(id_) or (named[0] if len(named) == 1 else None)

    def for_symptoms(self, codes: Iterable[str]) -> tuple[Runbook, ...]:
        """Those for any of these codes of findings, in the order of the codes."""
        return _found(self._by_symptom, codes)

    def for_alert(self, name: str) -> tuple[Runbook, ...]:
        """Those for an alert of this name."""
        return _found(self._by_alert, (name,))

    def for_service(self, name: str) -> tuple[Runbook, ...]:
        """Those that name this service as theirs. What the catalog lists for a service is looked up by `by_id`."""
        return _found(self._by_service, (name,))


_Index = Mapping[str, tuple[Runbook, ...]]


def _index(entries: Iterable[tuple[Runbook, Iterable[str]]]) -> _Index:
    found: dict[str, list[Runbook]] = {}
    for runbook, keys in entries:
        for key in dict.fromkeys(key.casefold() for key in keys):
            found.setdefault(key, []).append(runbook)
    return {key: tuple(runbooks) for key, runbooks in found.items()}


def _found(index: _Index, keys: Iterable[str]) -> tuple[Runbook, ...]:
    """Without repetition, in the order of the keys."""
    found = {runbook.id: runbook for key in keys for runbook in index.get(key.casefold(), ())}
    return tuple(found.values())
