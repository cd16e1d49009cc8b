"""What the parts of a yes are, and tables of phrases made into patterns of parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import IntFlag
from typing import Final, NamedTuple


class Part(IntFlag):
    """What a sequence of parts contains."""

    NOTHING = 0
    DECIDES = 1
    OKAY = 2
    NOD = 4
    ASKABLE = 8
    JUDGES = 16
    """Finds the plan good; said with anything beside it, it may be of how things are."""
    ACTS = 32
    """Sets going."""
    PLEASE = 64
    THANKS = 128
    SEEN = 256
    PRAISE = 512
    FILLED = 2048
    LED = 8192
    """Begins with what repeats the plan, so that what follows may tell of it."""
    URGED = 262144
    VERB = 1024
    """The plan's own verb."""
    TOLD = 4096
    """One that tells what has been done or is being done."""
    CONSENTING = 16384
    RESTATED = 32768
    """A number or a text of the plan."""
    NAMED = 65536
    GLUE = 131072


class Table(NamedTuple):
    """A pattern, and what it is a part of."""

    pattern: re.Pattern[str]
    part: Part


LATIN: Final = r"(?<![a-z0-9])(?:{})(?![a-z0-9'])"
CHINESE: Final = r"(?:{})"


def alternatives(pattern: str) -> list[str]:
    """The alternatives of a table, longest first."""
    parts, depth, last = [], 0, 0
    for at, character in enumerate(pattern):
        depth += (character in "([") - (character in ")]")
        if character == "|" and not depth:
            parts.append(pattern[last:at])
            last = at + 1
    parts.append(pattern[last:])
    return sorted(parts, key=len, reverse=True)


def longest_first(pattern: str) -> str:
    """The same table, so that the first alternative that fits is the longest."""
    return "|".join(alternatives(pattern))


def tables(pattern: str, edges: str, part: Part) -> list[Table]:
    """A table as two patterns, of its plain phrases and of those with groups: an alternation takes the first that
    fits, and only among plain phrases is the first the longest."""
    every = alternatives(pattern)
    plain = [alternative for alternative in every if "(" not in alternative]
    grouped = [alternative for alternative in every if "(" in alternative]
    return [Table(re.compile(edges.format("|".join(group))), part) for group in (plain, grouped) if group]


def steps(tables_of: Iterable[Table], text: str, at: int) -> Iterator[tuple[int, Part]]:
    """The parts of tables that begin here, with where they end."""
    for pattern, part in tables_of:
        yield from ((end, part) for end in _ends(pattern, text, at))


def _ends(pattern: re.Pattern[str], text: str, at: int) -> Iterator[int]:
    """Where a part can end that begins here: the longest reading first, then shorter ones."""
    limit = len(text)
    while limit > at:
        found = pattern.match(text, at, limit)
        if found is None or found.end() == at:
            return
        end = found.end()
        if end == len(text) or not (text[end - 1].isascii() and text[end - 1].isalnum() and _in_word(text[end])):
            yield end
        limit = end - 1


def _in_word(character: str) -> bool:
    return character == "'" or (character.isascii() and character.isalnum())
