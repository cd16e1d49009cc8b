"""Answers of Prometheus' HTTP API as lines: whatever is wrong with one is said, and nothing of it gets further.

Format: Prometheus' documentation, "HTTP API", "Expression query result formats". Values are strings there, since JSON
has no NaN and no infinity.
"""

from __future__ import annotations

import heapq
import math
from itertools import islice
from typing import Final

import msgspec

from chatops_bot.domain.charts import Line, Measured
from chatops_bot.domain.masking import mask
from chatops_bot.ports.metrics import MOST_LINES, MetricsError

MOST_POINTS: Final = 1_000
"""Of one line: a chart holds far fewer."""

_LABEL: Final = 256
"""Characters of a label's name, and of its value."""
_LABELS: Final = 64
"""Of one line, as many as Prometheus has of anything in practice."""
_SAID: Final = 300
_LOOKED_AT: Final = 8 * _SAID
"""Characters of a reason in which secrets are looked for: the rest is not shown."""
_LARGEST_TIME: Final = 1e11
"""Seconds; beyond it nothing was ever measured."""

Point = tuple[float, str]
Raw = tuple[dict[str, str], list[Point]]


class _Vector(msgspec.Struct, tag_field="resultType", tag="vector"):
    result: list[_Sample]


class _Sample(msgspec.Struct):
    metric: dict[str, str] = {}
    value: Point | None = None


class _Matrix(msgspec.Struct, tag_field="resultType", tag="matrix"):
    result: list[_Stream]


class _Stream(msgspec.Struct):
    metric: dict[str, str] = {}
    values: list[Point] = []


class _Scalar(msgspec.Struct, tag_field="resultType", tag="scalar"):
    result: Point


class _Answer(msgspec.Struct):
    status: str
    data: _Vector | _Matrix | _Scalar | None = None
    error: str = ""


_decoder = msgspec.json.Decoder(_Answer)


def read(raw: bytes, *, status: int) -> Measured:
    """The lines of an answer with this HTTP status. Raises `MetricsError`."""
    try:
        answer = _decoder.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        if status >= 400:
            raise MetricsError("refused", f"status {status}") from None
        raise MetricsError("wrong", "the answer is not of Prometheus' form") from None
    if status >= 400 or answer.status != "success":
        said = " ".join(mask(answer.error[:_LOOKED_AT]).split())[:_SAID]
        raise MetricsError("refused", f"status {status}: {said or 'no reason given'}")
    if answer.data is None:
        raise MetricsError("wrong", "the answer has no data")
    found = _series(answer.data)
    left_out = len(found) - MOST_LINES
    if left_out > 0:
        found = heapq.nlargest(MOST_LINES, found, key=_ends_at)
    return Measured(tuple(_line(labels, points) for labels, points in found), max(0, left_out))


def _series(data: _Vector | _Matrix | _Scalar) -> list[Raw]:
    match data:
        case _Matrix(result=streams):
            return [(stream.metric, stream.values) for stream in streams]
        case _Vector(result=samples):
            return [(sample.metric, [sample.value] if sample.value is not None else []) for sample in samples]
        case _Scalar(result=point):
            return [({}, [point])]


def _ends_at(series: Raw) -> float:
    value = _number(series[1][-1][1]) if series[1] else None
    return value if value is not None else -math.inf


def _line(labels: dict[str, str], points: list[Point]) -> Line:
    kept = [
        (round(seconds * 1000), value)
        for seconds, text in points[-MOST_POINTS:]
        if 0 <= seconds < _LARGEST_TIME and (value := _number(text)) is not None
    ]
    few = islice(labels.items(), _LABELS)
    return Line({name[:_LABEL]: value[:_LABEL] for name, value in few}, tuple(sorted(kept)))


def _number(text: str) -> float | None:
    """None for what is no number or none that can be drawn."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
