"""Splits an utterance into clauses and finds the words of the tables in them."""

from __future__ import annotations

import re
from typing import NamedTuple

from chatops_bot.adapters.rules import triggers_en as en
from chatops_bot.adapters.rules import triggers_zh as zh
from chatops_bot.adapters.rules.origins import without_origins
from chatops_bot.adapters.rules.patterns import chinese, compiled, words
from chatops_bot.adapters.rules.reading import Reading
from chatops_bot.domain.intents import ACTIONS, Name

_EN = tuple((intent, words(patterns)) for intent, patterns in {**en.ACTIONS, **en.QUERIES}.items())
_ZH = tuple((intent, chinese(patterns)) for intent, patterns in {**zh.ACTIONS, **zh.QUERIES}.items())
_EN_BREAK, _ZH_BREAK = compiled(en.BREAK), re.compile(f"{zh.BREAK}|{en.BREAK}", re.ASCII)
_REASON = re.compile(f"{en.REASON}|{zh.REASON}")


class Mark(NamedTuple):
    """A word of the tables in the text: what it asks for and where it stands."""

    intent: str
    start: int
    end: int

    @property
    def dangerous(self) -> bool:
        """Whether it is the verb of an action."""
        return self.intent in ACTIONS


class Clause(NamedTuple):
    """A part of the utterance between breaks, with what was found in it."""

    start: int
    end: int
    marks: tuple[Mark, ...]
    names: tuple[Name, ...]


class Split(NamedTuple):
    """An utterance in clauses. In `masked` the stated `reason` is blanked out, and what a value is changed from."""

    reading: Reading
    masked: str
    reason: str
    clauses: tuple[Clause, ...]

    def text(self, clause: Clause) -> str:
        """What the clause says."""
        return self.masked[clause.start : clause.end]


def split(reading: Reading) -> Split:
    """The clauses of an utterance, those that hold nothing left out."""
    masked, reason = _without_reason(reading)
    masked = without_origins(masked)
    return Split(reading, masked, reason.strip(), tuple(_clauses(masked, reading)))


def _without_reason(reading: Reading) -> tuple[str, str]:
    """The text with the stated reason blanked out, so that its words are no orders; and the reason as it was written,
    with the names in it."""
    masked = reading.masked
    found = _REASON.search(masked)
    if found is None:
        return masked, ""
    start, end = found.span(1 if found[1] is not None else 2)
    blank = " " * (found.end() - found.start())
    return masked[: found.start()] + blank + masked[found.end() :], reading.text[start:end]


def _clauses(masked: str, reading: Reading) -> list[Clause]:
    breaks = _ZH_BREAK if reading.chinese else _EN_BREAK
    edges = [0]
    ends: list[int] = []
    for found in breaks.finditer(masked):
        if found.start() > edges[-1] or not ends:
            ends.append(found.start())
            edges.append(found.end())
        else:
            edges[-1] = found.end()
    ends.append(len(masked))
    marks = _marks(masked, reading)
    clauses = []
    for start, end in zip(edges, ends, strict=False):
        inside = tuple(mark for mark in marks if start <= mark.start < max(end, start + 1))
        names = tuple(reading.between(start, max(end, start + 1)))
        if inside or names or masked[start:end].strip():
            clauses.append(Clause(start, end, inside, names))
    return clauses


def _marks(masked: str, reading: Reading) -> list[Mark]:
    """Words of the tables, the longest where they overlap."""
    tables = (*(_ZH if reading.chinese else ()), *(_EN if reading.latin else ()))
    found = [
        Mark(intent, match.start(), match.end())
        for intent, pattern in tables
        for match in pattern.finditer(masked)
        if match.end() > match.start()
    ]
    if len(found) < 2:
        return found
    found.sort(key=lambda mark: (mark.start - mark.end, mark.start))
    kept: list[Mark] = []
    for mark in found:
        if all(mark.end <= other.start or mark.start >= other.end for other in kept):
            kept.append(mark)
    kept.sort(key=lambda mark: mark.start)
    return kept
