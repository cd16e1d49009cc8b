"""The report of an overview: the verdict first, then the worst, then what could not be read or may not be seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from chatops_bot.domain.cards import Tone
from chatops_bot.domain.diagnosis.overview import Asked, Seen
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.objects import listed
from chatops_bot.domain.observed import Overview
from chatops_bot.domain.reports import Report, Row
from chatops_bot.domain.say import Say, say

ROWS_SHOWN: Final = 8
"""More cannot be read on a phone, nor pressed."""
_SEVERITY: Final[dict[str, int]] = {"danger": 0, "warn": 1}


def overview_report(
    found: Iterable[tuple[Overview, Seen]],
    *,
    place: str,
    slots: Mapping[str, SlotValue],
    asked: Asked = "",
    unread: tuple[Say, ...] = (),
) -> Report:
    """One report of what was seen in one or several clusters. `place` says where, in a name or a word of the texts."""
    pairs = list(found)
    rows = [row for _, seen in pairs for row in seen.rows]
    if len(pairs) > 1 and asked != "restarts":
        rows.sort(key=lambda row: _SEVERITY.get(row.tone, 2))
    failed = dict.fromkeys(name for _, seen in pairs for name in seen.failed)
    blind = (say("report.check_failed", check=name) for name in failed)
    gaps = (*(line for overview, _ in pairs for line in _gaps(overview)), *blind, *unread)
    total = sum(seen.jobs + seen.crons if asked == "jobs" else seen.total for _, seen in pairs)
    headline, tone = _verdict(rows, total, place, asked, whole=not gaps)
    hidden = [name for _, seen in pairs for name in seen.hidden]
    return Report(
        kind="overview",
        at=min((overview.at for overview, _ in pairs), default=0),
        headline=headline,
        tone=tone,
        lines=tuple(_lines(rows, [seen for _, seen in pairs])),
        rows=tuple(rows[:ROWS_SHOWN]),
        unread=(*gaps, *hidden_says(hidden)),
        digest=f"{len(rows)}/{total} {asked or 'broken'}: {listed((row.entity.target for row in rows), most=5)}",
        slots=dict(slots),
    )


def _verdict(rows: list[Row], total: int, place: str, asked: Asked, *, whole: bool) -> tuple[Say, Tone]:
    key = {"": "overview.broken"}.get(asked, f"overview.{asked}")
    if rows:
        alarming = any(row.tone == "danger" for row in rows)
        tone: Tone = "info" if asked == "restarts" else "danger" if alarming else "warn"
        return say(key, place=place, count=len(rows), total=total), tone
    if asked and whole:
        return say(f"{key}_none", place=place), "ok"
    return say("overview.healthy" if whole else "overview.healthy_as_far", place=place), "ok" if whole else "info"


def _lines(rows: list[Row], seen: list[Seen]) -> Iterable[Say]:
    if len(rows) > ROWS_SHOWN:
        yield say("overview.more", count=len(rows) - ROWS_SHOWN)
    if not rows:
        yield say(
            "overview.looked",
            workloads=sum(one.workloads for one in seen),
            pods=sum(one.pods for one in seen),
            jobs=sum(one.jobs for one in seen),
            crons=sum(one.crons for one in seen),
            nodes=sum(one.nodes for one in seen),
        )


def _gaps(overview: Overview) -> Iterable[Say]:
    """What could not be read, and what there was too much of."""
    for row in overview.unread:
        what, _, why = row.partition(":")
        yield say("unread", what=f"unread.{what}", why=why or "?")
    for what in overview.cut:
        yield say("overview.cut", what=f"unread.{what}")


def hidden_says(spaces: list[str]) -> Iterable[Say]:
    """How much may not be seen, and where; what it is called is nobody's business."""
    if spaces:
        yield say("overview.hidden", count=len(spaces), names=listed(sorted(set(spaces))) or "-")
