"""The form of a runbook's file. `runbooks/schema.json` is made of these models, and so are the complaints about a file.

Each field says what it is for; `docs/runbooks.md` has the same sentences.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.runbooks import Answer, Runbook, Step, Texts

Sentence = Annotated[str, Field(min_length=1, max_length=2_000)]
Word = Annotated[str, Field(min_length=1, max_length=120)]
Label = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
Words = Annotated[tuple[Word, ...], Field(max_length=200)]
SlotText = str | bool | int

Read = Literal["status", "logs", "events", "history", "resources", "changes", "overview"]
READS: Final[tuple[Read, ...]] = get_args(Read)
"""The queries that a step may run."""

KINDS: Final = ("say", "query", "ask", "action")


class Part(BaseModel):
    """A part of a runbook's file; what it does not know is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class Bilingual(Part):
    """One sentence in both languages."""

    zh: Sentence
    """Chinese."""
    en: Sentence
    """English."""

    def texts(self) -> Texts:
        """As the domain has it."""
        return Texts(self.zh.strip(), self.en.strip())


class Choice(Bilingual):
    """One answer to a question."""

    goto: Label | None = None
    """Id of the step that this answer leads to, or `end`; left out: the next one."""


class SayStep(Part):
    """Something to know, or to do by hand."""

    say: Bilingual
    """What to know or do. Commands are text to read: the bot runs none of them."""
    id: Label | None = None
    """Name of the step, for `goto`."""
    goto: Label | None = None
    """Id of the step that follows, or `end`; left out: the next one."""


class QueryStep(Part):
    """A question to the cluster that the bot asks itself."""

    query: Read
    """What the bot looks at."""
    slots: dict[str, SlotText] = {}
    """What the query is asked with: of `logs` pod, container, previous, since (seconds), tail (lines), grep."""
    expect: Bilingual
    """What the answer should show, and what it means if it does not."""
    id: Label | None = None
    """Name of the step, for `goto`."""
    goto: Label | None = None
    """Id of the step that follows, or `end`; left out: the next one."""


class AskStep(Part):
    """A question to whoever walks through the runbook."""

    ask: Bilingual
    """The question."""
    answers: Annotated[tuple[Choice, ...], Field(min_length=2, max_length=5)]
    """The answers, each a button."""
    id: Label | None = None
    """Name of the step, for `goto`."""


class ActionStep(Part):
    """A change that the bot offers, behind its plan and confirmation like every other."""

    action: str
    """Name of the action, such as `rollback`."""
    slots: dict[str, SlotText] = {}
    """Slots of the action that are the same every time; what is left out is asked for."""
    when: Bilingual
    """When it is right to do this, and what it costs."""
    id: Label | None = None
    """Name of the step, for `goto`."""
    goto: Label | None = None
    """Id of the step that follows, or `end`; left out: the next one."""


def _kind(step: object) -> str | None:
    """Which step it is, by its one key that names a kind."""
    keys = [kind for kind in KINDS if isinstance(step, Mapping) and kind in step]
    return keys[0] if len(keys) == 1 else None


AnyStep = Annotated[
    Annotated[SayStep, Tag("say")]
    | Annotated[QueryStep, Tag("query")]
    | Annotated[AskStep, Tag("ask")]
    | Annotated[ActionStep, Tag("action")],
    Discriminator(
        _kind,
        custom_error_type="step_kind",
        custom_error_message="a step has exactly one of the keys say, query, ask and action; keep one",
    ),
]


class RunbookFile(Part):
    """A runbook of chatops_bot: what to do about a known kind of trouble, step by step, in both languages."""

    title: Bilingual
    """What it is about, in one line."""
    symptoms: Words = ()
    """Codes of findings that it is for, as in `docs/diagnosis.md`."""
    alerts: Words = ()
    """Names of alerts that it is for (`alertname`)."""
    services: Words = ()
    """Names of services whose own runbook it is, as in the catalog; empty for any service."""
    words: Words = ()
    """What people call it, in any language; search looks at these first."""
    steps: Annotated[tuple[AnyStep, ...], Field(min_length=1, max_length=30)]
    """The steps, in order."""
    verification: Bilingual
    """How to see that it has helped."""
    back: Bilingual
    """How to undo what was done, and when to stop and call somebody."""
    owner: Word
    """Team or role that keeps it right."""
    reviewed: datetime.date
    """When somebody last went through it, `YYYY-MM-DD`; after a year it is shown as overdue."""

    def runbook(self, id_: str) -> Runbook:
        """As the domain has it."""
        return Runbook(
            id=id_,
            title=self.title.texts(),
            steps=tuple(_step(step) for step in self.steps),
            verification=self.verification.texts(),
            back=self.back.texts(),
            owner=self.owner,
            reviewed=self.reviewed,
            symptoms=self.symptoms,
            alerts=self.alerts,
            services=self.services,
            words=self.words,
        )


def _step(step: SayStep | QueryStep | AskStep | ActionStep) -> Step:
    id_ = step.id or ""
    match step:
        case SayStep():
            return Step("say", step.say.texts(), id=id_, goto=step.goto or "")
        case QueryStep():
            slots: dict[str, SlotValue] = {**step.slots}
            return Step("query", step.expect.texts(), id=id_, intent=step.query, slots=slots, goto=step.goto or "")
        case ActionStep():
            slots = {**step.slots}
            return Step("action", step.when.texts(), id=id_, intent=step.action, slots=slots, goto=step.goto or "")
        case AskStep():
            answers = tuple(Answer(answer.texts(), answer.goto or "") for answer in step.answers)
            return Step("ask", step.ask.texts(), id=id_, answers=answers)


def json_schema() -> dict[str, Any]:
    """The JSON schema of a runbook's file: what `runbooks/schema.json` holds."""
    schema = RunbookFile.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
