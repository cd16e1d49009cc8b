"""Windows of time that come again, or come once: when one is open, and until when.

A window is written as two moments in a time zone, either both as cron expressions (`0 18 * * FRI` to `0 8 * * MON`)
or both as local times (`2026-12-24T18:00` to `2027-01-02T08:00`). What cron means in the hours when clocks change is
what Debian's cron does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo
from typing import Final
from zoneinfo import ZoneInfo

import msgspec
from cronsim import CronSim, CronSimError

_LOCAL: Final = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?")
_FIELDS: Final = 5

ERRORS: Final = (CronSimError, StopIteration, KeyError, ValueError, OverflowError, OSError)
"""All that reading a moment or a zone may raise."""


class Span(msgspec.Struct, frozen=True):
    """From when to when a window is open, ms of wall time. `ends` 0: that cannot be told."""

    starts: int
    ends: int


class Window(msgspec.Struct, frozen=True, omit_defaults=True):
    """One window, as written. `zone` is a name of the IANA database."""

    starts: str
    ends: str
    zone: str = "UTC"

    def open_at(self, now: int) -> Span | None:
        """The span that is open at `now` (ms), or None. One that cannot be computed counts as open."""
        try:
            return self._open_at(now)
        except ERRORS:
            return Span(now, 0)

    def next_after(self, now: int) -> int:
        """When it opens next (ms), 0 when it never does."""
        try:
            starts = _ms(self.starts, now, self._zone(), fold=0)
        except ERRORS:
            return 0
        return starts if starts > now else 0

    def problems(self, now: int = 0) -> Iterator[tuple[str, str]]:
        """(field, what is wrong), for whoever wrote it."""
        try:
            zone = self._zone()
        except ERRORS:
            yield "timezone", f"there is no time zone {self.zone!r}; write one such as Asia/Shanghai"
            return
        moments = {"starts": self.starts, "ends": self.ends}
        wrong = {field for field, text in moments.items() if not _readable(text, now, zone)}
        for field in moments:
            if field in wrong:
                yield field, f"{moments[field]!r} is no moment; write 0 18 * * FRI (cron) or 2026-12-24T18:00"
        if wrong:
            return
        once = {field: bool(_LOCAL.fullmatch(text)) for field, text in moments.items()}
        if once["starts"] != once["ends"]:
            yield "ends", "must be of the same kind as starts: both cron, or both a date with a time"
        elif once["starts"] and _ms(self.ends, now, zone, fold=1) <= _ms(self.starts, now, zone, fold=0):
            yield "ends", f"{self.ends!r} is not after {self.starts!r}"
        elif not once["starts"] and self.starts.split() == self.ends.split():
            yield "ends", "is the same as starts, so it would never end"

    def shown(self, at: int) -> str:
        """A moment as read on a clock of the window's zone, "" where that cannot be told."""
        try:
            local = datetime.fromtimestamp(at / 1000, self._zone())
        except ERRORS:
            return ""
        return f"{local:%Y-%m-%d %H:%M} ({self.zone})" if at else ""

    def _open_at(self, now: int) -> Span | None:
        zone = self._zone()
        if _LOCAL.fullmatch(self.starts):
            # Where clocks go back, the hour that comes twice belongs to the window from its first time to its second.
            span = Span(_ms(self.starts, now, zone, fold=0), _ms(self.ends, now, zone, fold=1))
            return span if span.starts <= now < span.ends else None
        # Going back, cronsim leaves out the moment that it is given.
        before = datetime.fromtimestamp(now // 1000 + 1, zone)
        try:
            started: datetime = next(CronSim(_cron(self.starts), before, reverse=True))
        except StopIteration:
            return None
        ends = _stamp(next(CronSim(_cron(self.ends), started)))
        return Span(_stamp(started), ends) if now < ends else None

    def _zone(self) -> tzinfo:
        return UTC if self.zone == "UTC" else ZoneInfo(self.zone)


def _readable(text: str, now: int, zone: tzinfo) -> bool:
    try:
        _ms(text, now, zone, fold=0)
    except ERRORS:
        return False
    return True


def _ms(text: str, now: int, zone: tzinfo, *, fold: int) -> int:
    """A local time; or the first time after `now` that a cron expression means. Raises one of `ERRORS`."""
    if _LOCAL.fullmatch(text):
        return _stamp(datetime.fromisoformat(text).replace(tzinfo=zone, fold=fold))
    return _stamp(next(CronSim(_cron(text), datetime.fromtimestamp(now / 1000, zone))))


def _cron(text: str) -> str:
    if len(text.split()) != _FIELDS:
        raise CronSimError("Wrong number of fields")
    return text


def _stamp(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)
