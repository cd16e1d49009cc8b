"""What a query found: the neutral form of an answer, kept in the session and rendered to a card."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, Literal

import msgspec

from chatops_bot.domain.charts import Chart
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.masking import mask
from chatops_bot.domain.offers import Offer
from chatops_bot.domain.say import Say


class Cited(msgspec.Struct, frozen=True, omit_defaults=True):
    """A runbook that fits, by its id; `step` of it (from 1) or 0 for the whole. `titles` by language."""

    id: str
    titles: dict[str, str] = {}
    step: int = 0


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of an overview, worst first: what it is about, and what is the matter. Pressed, it opens a thread of
    its own locked to `entity`."""

    entity: Entity
    line: Say
    tone: Literal["info", "ok", "warn", "danger", "muted"] = "info"


class Detail(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one finding rests on, as `kind/name: path = value`, and what is likely behind it. Of others: masked."""

    evidence: tuple[str, ...] = ()
    causes: tuple[Say, ...] = ()


class Report(msgspec.Struct, frozen=True, omit_defaults=True):
    """Answer to one query about one entity (or, for `overview`, about a namespace or cluster).

    - `kind` is the intent; `at` when it was read, ms of the wall clock.
    - `headline` is the verdict in one sentence; `lines` the findings and facts, worst first.
    - `table` a small table, its first row the header (keys of texts); `code` text of others (logs, events),
      already masked. `unread` is what could not be read, apart from what was not found.
    - `digest` is one line for later turns.
    - `offers` are the actions that fit what was found, `runbooks` those that are about it; `codes` the findings.
    - `rows` are the lines of an overview.
    - `details` belong to the first of the `lines`, which are findings.
    - `slots` are what was asked for beside the entity, so that the same can be asked again; `applied` says them in
      words.
    """

    kind: str
    at: int
    headline: Say
    entity: Entity | None = None
    tone: Literal["info", "ok", "warn", "danger", "muted"] = "info"
    lines: tuple[Say, ...] = ()
    table: tuple[tuple[str, ...], ...] = ()
    code: str = ""
    unread: tuple[Say, ...] = ()
    cited: tuple[str, ...] = ()
    digest: str = ""
    codes: tuple[str, ...] = ()
    offers: tuple[Offer, ...] = ()
    looked: tuple[Say, ...] = ()
    """Where nothing is wrong: how many things were looked at, then what."""
    runbooks: tuple[Cited, ...] = ()
    rows: tuple[Row, ...] = ()
    charts: tuple[Chart, ...] = ()
    """What was measured of it."""
    details: tuple[Detail, ...] = ()
    slots: dict[str, SlotValue] = {}
    applied: tuple[Say, ...] = ()
    uid: str = ""
    """Of the object that was looked at, where one was."""
    worded: tuple[Say, ...] = ()
    """The answer in a model's words, each sentence with what it is from."""


_UNSEEN: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_ARGUMENT: Final = 1_000
_CELL: Final = 200
"""Characters. What a cluster's API takes is no measure: it keeps names short, and images and reasons not at all."""


def masked(report: Report) -> Report:
    """The report without what looks like a secret in anything that others named (images, reasons, labels), none of that
    longer than can be read, and nothing that moves a cursor or turns the direction of writing. What is quoted at length
    (`code`) is masked and bounded where it is read."""
    head, *rows = report.table or ((),)
    return msgspec.structs.replace(
        report,
        headline=_said(report.headline),
        lines=masked_lines(report.lines),
        table=(head, *(tuple(_text(cell, _CELL) for cell in row) for row in rows)) if report.table else (),
        unread=masked_lines(report.unread),
        looked=masked_lines(report.looked),
        applied=masked_lines(report.applied),
        worded=masked_lines(report.worded),
        code=_UNSEEN.sub("", report.code),
        digest=_text(report.digest),
        rows=tuple(msgspec.structs.replace(row, line=_said(row.line)) for row in report.rows),
        details=tuple(
            Detail(tuple(_text(proof) for proof in one.evidence), masked_lines(one.causes)) for one in report.details
        ),
    )


def masked_lines(lines: Iterable[Say], *, most: int = _ARGUMENT) -> tuple[Say, ...]:
    """The same for sentences; `most` is how many characters an argument may have."""
    return tuple(_said(line, most) for line in lines)


def _said(line: Say, most: int = _ARGUMENT) -> Say:
    args = {name: _text(value, most) if isinstance(value, str) else value for name, value in line.args.items()}
    return Say(line.key, args)


def _text(value: str, most: int = _ARGUMENT) -> str:
    found = _UNSEEN.sub("", mask(value))
    return found if len(found) <= most else found[: most - 1] + "…"
