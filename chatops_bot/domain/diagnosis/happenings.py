"""Kubernetes events: when they were, how often, whose; and the report on them.

Two APIs write the same objects, so that the time and the count stand in different fields. Events are best
effort and kept for an hour: their absence proves nothing, and no verdict rests on them alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from chatops_bot.domain.diagnosis.applied import applied
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.masking import mask
from chatops_bot.domain.objects import at, instant, number, shortened, span, text
from chatops_bot.domain.observed import Observed, Raw
from chatops_bot.domain.reports import Report
from chatops_bot.domain.say import Say, say

SHOWN = 20
_TIMES = (
    ("series", "lastObservedTime"),
    ("lastTimestamp",),
    ("eventTime",),
    ("firstTimestamp",),
    ("metadata", "creationTimestamp"),
)


_READ: Final = 8_000
"""Characters of a field that are looked at: whoever may write events may write a megabyte into one."""
_NAME: Final = 300


class Happening(msgspec.Struct, frozen=True):
    """One event, its equals counted in. `at` in ms, 0 when unknown; `message` masked and one line; `part` the field of
    the object that it is about (`spec.containers{app}`). `whole` is more of the message, to be searched."""

    at: int
    warning: bool
    reason: str
    about: str
    message: str
    count: int
    part: str = ""
    whole: str = ""


def event_time(event: Raw) -> int:
    """When it was seen last: the order that covers events of both APIs."""
    return next((moment for path in _TIMES if (moment := instant(at(event, *path)))), 0)


def happenings(events: tuple[Raw, ...]) -> list[Happening]:
    """The newest first; events that say the same of the same object are one."""
    merged: dict[tuple[str, str, str, str], Happening] = {}
    for event in events:
        one = _happening(event)
        key = (one.reason, one.about, one.part, one.message)
        seen = merged.get(key)
        if seen is not None:
            one = msgspec.structs.replace(one, at=max(one.at, seen.at), count=one.count + seen.count)
        merged[key] = one
    return sorted(merged.values(), key=lambda one: -one.at)


def _happening(event: Raw) -> Happening:
    kind, name = text(event, "involvedObject", "kind"), text(event, "involvedObject", "name")
    message = mask(text(event, "message")[:_READ])
    return Happening(
        at=event_time(event),
        warning=text(event, "type") == "Warning",
        reason=shortened(mask(text(event, "reason")[:_READ]), _NAME) or "?",
        about=shortened(mask(f"{kind.lower()}/{name}"[:_READ]), _NAME),
        message=shortened(message, 300),
        count=max(number(event, "series", "count"), number(event, "count"), 1),
        part=text(event, "involvedObject", "fieldPath"),
        whole=shortened(message, 1000),
    )


def events_report(observed: Observed, now_ms: int, slots: Mapping[str, SlotValue] | None = None) -> Report:
    """What happened around the workload, newest first; with the slots `since` (seconds) and `pod` only that. Warnings
    decide the tone, not their number."""
    slots = slots or {}
    found = [one for one in happenings(observed.events) if _wanted(one, now_ms, slots)]
    warnings = [one for one in found if one.warning]
    return Report(
        kind="events",
        at=observed.at,
        entity=observed.entity,
        headline=_headline(observed, found, warnings, now_ms),
        tone="warn" if warnings else "muted",
        code="\n".join(_row(one, now_ms) for one in found[:SHOWN]),
        lines=(say("events.more", count=len(found) - SHOWN),) if len(found) > SHOWN else (),
        unread=unread_says(observed),
        digest="; ".join(f"{one.reason} x{one.count} {one.about}" for one in (warnings or found)[:3]) or "no events",
        slots=dict(slots),
        applied=tuple(applied(slots)),
    )


def _wanted(one: Happening, now_ms: int, slots: Mapping[str, SlotValue]) -> bool:
    since, pod = slots.get("since"), slots.get("pod")
    young = not isinstance(since, int) or since <= 0 or now_ms - one.at <= since * 1000
    return young and (not pod or one.about == f"pod/{pod}")


def _headline(observed: Observed, found: list[Happening], warnings: list[Happening], now_ms: int) -> Say:
    name = observed.entity.name
    if observed.why_unread("events") is not None:
        return say("events.unread", name=name)
    if not found:
        return say("events.none", name=name)
    if not warnings:
        return say("events.normal", name=name, count=len(found), ago=_ago(found[0], now_ms))
    worst = max(warnings, key=lambda one: one.count)
    return say(
        "events.warnings",
        name=name,
        count=sum(one.count for one in warnings),
        reason=worst.reason,
        times=worst.count,
        ago=_ago(worst, now_ms),
    )


def _ago(one: Happening, now_ms: int) -> str:
    return span(now_ms - one.at) if one.at else "?"


def _row(one: Happening, now_ms: int) -> str:
    kind = "Warning" if one.warning else "Normal"
    times = f" x{one.count}" if one.count > 1 else ""
    return f"{_ago(one, now_ms):>6}  {kind:<7}  {one.reason}{times}  {one.about}: {one.message}"


def unread_says(observed: Observed, parts: tuple[str, ...] = ()) -> tuple[Say, ...]:
    """What could not be read, said apart from what was not found. Entries are `what` or `what:why`. Of `parts` alone
    where some are named: what a report does not need is none of its gaps."""
    pairs = (unread.partition(":") for unread in observed.unread)
    return tuple(
        say("unread", what=f"unread.{what}", why=why or "?") for what, _, why in pairs if not parts or what in parts
    )


def skipped_says(observed: Observed) -> tuple[Say, ...]:
    """What was left out for the sake of the bound on reads; the two that come first, in one line."""
    left = set(observed.around.skipped)
    both = {"ingresses", "network"}
    if both <= left:
        left = (left - both) | {"ways"}
    return tuple(say("report.skipped", what=f"unread.{part}") for part in sorted(left))
