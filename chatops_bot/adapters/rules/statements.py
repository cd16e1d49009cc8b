"""Sentences of an answer that only tell how bad things are, made of listed words alone (`plain_words`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from chatops_bot.adapters.rules import plain_words as say
from chatops_bot.adapters.rules.reading import NAME

_TELLS: Final = frozenset(say.TELLS_EN.split()) | frozenset(say.TELLS_ZH.split())
_WORDS: Final = frozenset(say.PLAIN_EN.split()) | frozenset(say.PLAIN_ZH.split()) | _TELLS
_LONGEST: Final = max(len(word) for word in _WORDS if not word.isascii())
_FEWEST: Final = 3
"""Words, or Chinese characters less one: fewer make no sentence."""

_LATIN: Final = re.compile(r"[a-z0-9][a-z0-9'-]*")
_CLAUSE: Final = re.compile(r"[,.;!~\n]+|(?<=[\u4e00-\u9fff]) +(?=[\u4e00-\u9fff])")
_ATTACHED: Final = re.compile(r"(?:in|on|at|by|from|for|to|of|with|and)\b")
"""What begins so belongs to the clause before it."""


def without_statements(text: str) -> str | None:
    """The other clauses of a text that has such sentences; None where it has none."""
    clauses = [clause.strip() for clause in _CLAUSE.split(text)]
    others = [clause for clause in clauses if clause and not _states(clause)]
    return ", ".join(others) if 0 < len(others) < sum(map(bool, clauses)) else None


def _states(clause: str) -> bool:
    """Whether it is listed words from end to end, one of which tells something."""
    if _ATTACHED.match(clause):
        return False
    reached: dict[int, tuple[int, bool]] = {0: (0, False)}
    for at in range(len(clause)):
        if at not in reached:
            continue
        words, tells = reached[at]
        for end, told in _steps(clause, at):
            before = reached.get(end, (0, False))
            reached[end] = (max(before[0], words + (end > at + clause[at:end].count(" "))), before[1] or tells or told)
    words, tells = reached.get(len(clause), (0, False))
    return tells and words >= _FEWEST


def _steps(clause: str, at: int) -> Iterator[tuple[int, bool]]:
    """Where a word ends that begins here, and whether it tells."""
    if clause[at] in (" ", NAME):
        yield at + 1, False
        return
    latin = _LATIN.match(clause, at)
    if latin is not None:
        if latin.group() in _WORDS:
            yield latin.end(), latin.group() in _TELLS
        return
    for end in range(at + 1, min(len(clause), at + _LONGEST) + 1):
        if clause[at:end] in _WORDS:
            yield end, clause[at:end] in _TELLS
