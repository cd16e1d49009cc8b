"""Spans of time as people name them ("yesterday", "last night", "on Monday"), on a clock of some zone.

A span is said as a word, which means nothing without a day and a zone; here it becomes two moments. A day begins at
midnight, a night at six in the evening, a week on Monday.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

WHEN: Final = (
    "today",
    "this_morning",
    "yesterday",
    "day_before",
    "last_night",
    "this_week",
    "last_week",
    "week_before",
    *WEEKDAYS,
)
"""Values of the slot `when`. `day_before` is the day before yesterday, `week_before` the one before the last; a weekday
is its last one, today's own name included only where that day has begun."""

_EVENING: Final = time(18)
_MORNING: Final = time(6)


class Span(msgspec.Struct, frozen=True):
    """From a moment on, and until one that is no part of it: ms."""

    since: int
    until: int


def zone_named(name: str) -> tzinfo:
    """The zone of that name; UTC where there is none."""
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def span_of(when: str, *, now: int, zone: str = "UTC") -> Span | None:
    """The span that a value of `when` means at `now` (ms), never reaching past it; None for any other value."""
    clock = zone_named(zone)
    today = datetime.fromtimestamp(now / 1000, clock).date()
    found = _moments(when, today, clock)
    if found is None:
        return None
    since, until = (int(moment.timestamp() * 1000) for moment in found)
    return Span(min(since, now), min(until, now))


def _moments(when: str, today: date, zone: tzinfo) -> tuple[datetime, datetime] | None:
    day = timedelta(days=1)
    monday = today - day * today.weekday()
    days = {
        "today": (today, today + day),
        "yesterday": (today - day, today),
        "day_before": (today - 2 * day, today - day),
        "this_week": (monday, monday + 7 * day),
        "last_week": (monday - 7 * day, monday),
        "week_before": (monday - 14 * day, monday - 7 * day),
    }
    if when in days:
        first, last = days[when]
        return _at(first, time(), zone), _at(last, time(), zone)
    if when in WEEKDAYS:
        back = (today.weekday() - WEEKDAYS.index(when)) % 7
        return _at(today - day * back, time(), zone), _at(today - day * back + day, time(), zone)
    if when == "last_night":
        return _at(today - day, _EVENING, zone), _at(today, _MORNING, zone)
    if when == "this_morning":
        return _at(today, time(), zone), _at(today, time(12), zone)
    return None


def _at(day: date, clock: time, zone: tzinfo) -> datetime:
    return datetime.combine(day, clock, tzinfo=zone)


def shown(at: int, *, now: int, zone: str = "UTC") -> str:
    """A moment (ms) as it is read on a clock there: without the day where that is today's."""
    clock = zone_named(zone)
    local, today = datetime.fromtimestamp(at / 1000, clock), datetime.fromtimestamp(now / 1000, clock)
    return f"{local:%H:%M}" if local.date() == today.date() else f"{local:%m-%d %H:%M}"


def before_that(when: str) -> str:
    """The span before one of the same length ("not this one, the week before"); "" where that has no word."""
    return {
        "today": "yesterday",
        "yesterday": "day_before",
        "this_week": "last_week",
        "last_week": "week_before",
    }.get(when, "")
