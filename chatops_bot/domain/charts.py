"""Charts of measured values, small enough to lie in a card: what is drawn, before anything draws it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Literal

import msgspec

from chatops_bot.domain.say import Say, say

Unit = Literal["count", "cores", "bytes", "per_second", "share", "seconds", "number"]
"""`share` is a part of 1, shown in percent; `number` is a value whose unit nobody knows."""

MOST_POINTS: Final = 120
MOST_SERIES: Final = 8
_DIGITS: Final = 4
_LARGEST: Final = 1e300
_BYTES: Final = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")


class Series(msgspec.Struct, frozen=True):
    """One line. `values` stand at the chart's times, None where nothing was measured."""

    name: str
    values: tuple[float | None, ...]


class Threshold(msgspec.Struct, frozen=True):
    """A level that matters, such as a limit."""

    value: float
    label: Say


class Mark(msgspec.Struct, frozen=True):
    """Something that happened at a time (ms), such as a rollout."""

    at: int
    label: Say


class Chart(msgspec.Struct, frozen=True, omit_defaults=True):
    """Lines over one window. `start` (ms) and `step` (ms) give the times of all values; `left_out` counts lines that
    were measured and are not here."""

    title: Say
    unit: Unit
    start: int
    step: int
    series: tuple[Series, ...]
    thresholds: tuple[Threshold, ...] = ()
    marks: tuple[Mark, ...] = ()
    left_out: int = 0

    @property
    def length(self) -> int:
        """Values of each line."""
        return max((len(line.values) for line in self.series), default=0)

    @property
    def end(self) -> int:
        """Time of the last value, ms."""
        return self.start + max(0, self.length - 1) * self.step


class Line(msgspec.Struct, frozen=True):
    """What was measured of one thing: points (ms, value) in rising order, values finite."""

    labels: dict[str, str]
    points: tuple[tuple[int, float], ...]


class Measured(msgspec.Struct, frozen=True):
    """What a query found: its lines, and how many more there were."""

    lines: tuple[Line, ...] = ()
    left_out: int = 0


class AlertSource(msgspec.Struct, frozen=True, omit_defaults=True):
    """The alert whose expression is to be charted: its `url` is Alertmanager's `generatorURL`, of which the expression
    is read and nothing else (it is never gone to); `since` is when it began to fire, ms."""

    name: str
    url: str
    labels: dict[str, str] = {}
    since: int = 0


class Caption(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is written on a chart in the reader's language; `line` says in one line what it shows."""

    title: str
    line: str
    thresholds: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()


def window(*, now: int, seconds: int) -> tuple[int, int, int]:
    """Start, end and step (ms) of a chart of the last `seconds`; times are whole steps, so that the same minute asked
    for twice gives the same picture."""
    step = max(1, -(-seconds // (MOST_POINTS // 2))) * 1000
    end = now // step * step
    return end - seconds * 1000 // step * step, end, step


def on_grid(line: Line, *, start: int, end: int, step: int) -> tuple[float | None, ...]:
    """The line's values at the chart's times, each the nearest that was measured within half a step."""
    count = min(MOST_POINTS, (end - start) // step + 1)
    values: list[float | None] = [None] * count
    for moment, value in line.points:
        place = round((moment - start) / step)
        if 0 <= place < count and abs(value) < _LARGEST:  # never so for NaN
            values[place] = _rounded(value)
    return tuple(values)


def busiest(found: Iterable[tuple[str, tuple[float | None, ...]]]) -> tuple[tuple[Series, ...], int]:
    """The lines that rise highest, as many as a chart holds, in the order of their names; and how many are left out."""
    named = [(name, values) for name, values in found if any(value is not None for value in values)]
    highest = sorted(named, key=lambda each: -max(value for value in each[1] if value is not None))[:MOST_SERIES]
    return tuple(Series(name, values) for name, values in sorted(highest)), len(named) - len(highest)


def amount(value: float, unit: Unit) -> str:
    """A value as people read it: `1.5 GiB`, `250m`, `12 %`, `80 ms`."""
    match unit:
        case "bytes":
            size, power = abs(value), 0
            while size >= 1024 and power < len(_BYTES) - 1:
                size, power = size / 1024, power + 1
            return f"{'-' if value < 0 else ''}{_short(size)} {_BYTES[power]}"
        case "cores":
            return f"{_short(value * 1000)}m" if 0 < abs(value) < 1 else _short(value)
        case "share":
            return f"{_short(value * 100)} %"
        case "seconds":
            return f"{_short(value * 1000)} ms" if abs(value) < 1 else f"{_short(value)} s"
        case "per_second":
            return f"{_short(value)}/s"
        case _:
            return _short(value)


def span_of(chart: Chart) -> str:
    """How long the chart's window is, as kubectl writes durations."""
    minutes = max(1, round((chart.end - chart.start) / 60_000))
    hours, rest = divmod(minutes, 60)
    if hours >= 48:
        return f"{round(hours / 24)}d"
    return f"{hours}h{rest}m" if hours and rest else f"{hours}h" if hours else f"{rest}m"


def summary(chart: Chart, *, title: str) -> Say:
    """One line: the highest value now, the least and the greatest over the window; over all lines."""
    values = [value for line in chart.series for value in line.values if value is not None]
    latest = [value for line in chart.series if (value := _last(line.values)) is not None]
    return say(
        "chart.line" if len(chart.series) <= 1 else "chart.line_of",
        title=title,
        count=len(chart.series) + chart.left_out,
        now=amount(max(latest), chart.unit) if latest else "?",
        min=amount(min(values), chart.unit) if values else "?",
        max=amount(max(values), chart.unit) if values else "?",
        span=span_of(chart),
    )


def flat(chart: Chart) -> bool:
    """Whether nothing of it ever differs from nothing: it tells nobody anything."""
    return all(not value for line in chart.series for value in line.values)


def _last(values: Sequence[float | None]) -> float | None:
    return next((value for value in reversed(values) if value is not None), None)


def _rounded(value: float) -> float:
    """Four digits that count: what a picture can show, and a third of the length."""
    return float(f"{value:.{_DIGITS}g}")


def _short(value: float) -> str:
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"
