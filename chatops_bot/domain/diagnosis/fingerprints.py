"""Errors in a log that differ only in what changes from one time to the next, put together and counted. Pure, and
bounded whatever the log holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

ROWS: Final = 5_000
"""Lines that are looked at, the newest."""
WIDTH: Final = 400
"""Characters of a line that make its fingerprint."""
HEAD: Final = 4
"""Lines of a stack trace that are kept below its message."""
TRACE: Final = 200
"""Lines that one entry may have; what goes on is another one."""

ERROR: Final = re.compile(
    r"\b(?:error|fatal|panic|exception|traceback|critical|oom|killed|segfault|failed|failures?)|(?<=\w)(?:Error|Exception)\b"
    r"|异常|错误|失败",
    re.IGNORECASE,
)
_NO_ERROR: Final = re.compile(
    r"\b(?:0|no|without(?: any)?) (?:errors?|exceptions?|failed|failures?)\b|"
    r"\b(?:errors?|exceptions?|failed)[\"']?\s{0,3}[=:]\s{0,3}"
    r"(?:0\b|null\b|none\b|nil\b|false\b|<nil>|\"\"|''|\[\])|没有(?:错误|异常)|(?:错误|异常)数?[:=为]\s?0\b",
    re.IGNORECASE,
)
_GOES_ON: Final = re.compile(
    r"\s|at [\w$.<>/]{1,200}\(|Caused by: |\.\.\. \d{1,6} (?:more|common)|goroutine \d{1,12} \["
)
_TRACEBACK: Final = "Traceback (most recent call last)"

_CHANGING: Final = (
    (re.compile(r"\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z| ?[+-]\d\d:?\d\d)?"), "<time>"),
    (re.compile(r"\b\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\b"), "<time>"),
    (re.compile(r"\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b"), "<id>"),
    (re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b"), "<address>"),
    (
        re.compile(r"\[?(?<![\w:])(?=[a-fA-F:]{0,40}\d)(?:[0-9a-fA-F]{0,4}:){2,7}[0-9a-fA-F]{0,4}\b\]?(?::\d{1,5})?"),
        "<address>",
    ),
    (re.compile(r"(?<=[a-z0-9])-[bcdfghjklmnpqrstvwxz2456789]{6,10}-[bcdfghjklmnpqrstvwxz2456789]{5}\b"), "-<pod>"),
    (re.compile(r"\b0x[0-9a-fA-F]{1,32}\b"), "<n>"),
    (re.compile(r"\b(?=[a-f]{0,64}\d)[0-9a-f]{7,64}\b|\b(?=[A-F]{0,64}\d)[0-9A-F]{7,64}\b"), "<n>"),
    (re.compile(r"\d+(?:[.,]\d+)*"), "<n>"),
)
"""What is no part of what went wrong: times, ids, addresses, hexadecimal and other numbers, the ends of pods' names."""


class Group(msgspec.Struct, frozen=True):
    """One kind of error: how often, the newest time it was said as it was written, the first lines of its stack trace,
    and its place among all lines."""

    fingerprint: str
    count: int
    line: str
    trace: tuple[str, ...]
    last: int


def fingerprint(line: str) -> str:
    """The line without what changes."""
    said = " ".join(line[:WIDTH].split())
    for pattern, sign in _CHANGING:
        said = pattern.sub(sign, said)
    return said


def is_error(line: str) -> bool:
    """Whether a line speaks of an error, and not of there being none."""
    return ERROR.search(_NO_ERROR.sub(" ", line[: 4 * WIDTH])) is not None


def groups(rows: Sequence[str]) -> list[Group]:
    """The errors of a log, the most frequent first, and of equally many the newest."""
    found: dict[str, Group] = {}
    for last, entry in _entries(rows[-ROWS:]):
        message = _message(entry)
        if not is_error(message) and not is_error(entry[0]):
            continue
        key = fingerprint(message)
        count = found[key].count + 1 if key in found else 1
        found[key] = Group(key, count, message, _trace(entry), last)
    return sorted(found.values(), key=lambda one: (-one.count, -one.last))


def _message(entry: Sequence[str]) -> str:
    """Of a Python traceback its last line, which says what went wrong; else the first."""
    return entry[-1] if _is_traceback(entry) else entry[0]


def _trace(entry: Sequence[str]) -> tuple[str, ...]:
    """The frames nearest to where it went wrong: Python writes them last, others first."""
    return tuple(entry[1:-1][-HEAD:] if _is_traceback(entry) else entry[1 : 1 + HEAD])


def _is_traceback(entry: Sequence[str]) -> bool:
    return entry[0].startswith(_TRACEBACK) and len(entry) > 1


def _entries(rows: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Messages with the lines that belong to them, each with the number of its first line."""
    entry: list[str] = []
    start = 0
    for place, row in enumerate(rows):
        if not row.strip():
            continue
        if entry and len(entry) < TRACE and _belongs(entry, row):
            entry.append(row)
            continue
        if entry:
            yield start, entry
        entry, start = [row], place
    if entry:
        yield start, entry


def _belongs(entry: list[str], row: str) -> bool:
    if _GOES_ON.match(row):
        return True
    # The line that names the exception of a traceback stands at the margin again, behind frames.
    return entry[0].startswith(_TRACEBACK) and entry[-1][:1].isspace()
