"""One utterance made ready for the tables: lower case, names masked, languages known.

Names are data and may be spelled like orders (`restart-operator`, `logs`), so that every named service is
replaced by `NAME` characters before any rule looks at the text. Masking keeps offsets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

import msgspec

from chatops_bot.adapters.rules.text.mishearing import put_right
from chatops_bot.adapters.rules.text.pinyin import in_characters
from chatops_bot.adapters.rules.text.spelling import slips
from chatops_bot.domain.intents import Name, Utterance
from chatops_bot.domain.normalise import clean, has_chinese, own_words

NAME: Final = "\ue000"
"""Stands for each character of a named service; in patterns, `N`."""

DISMISSED: Final = "\ue001"
"""Likewise for names that are only waved away."""

LONGEST: Final = 2000
"""Characters of a message that are read; orders do not come later, pasted logs do."""

LINES: Final = 60
"""Lines of it, likewise."""

_OVERLONG: Final = re.compile(r"[\w./:@-]{254,}", re.ASCII)
"""Longer than any name may be: no word, and blanked out."""

_LATIN = re.compile(r"[a-z]{2,}")


class Reading(NamedTuple):
    """`text` as written, `masked` for rules; equally long. `names` lie at the offsets where they are masked."""

    text: str
    masked: str
    names: tuple[Name, ...]
    chinese: bool
    latin: bool

    def __hash__(self) -> int:
        # Names cannot be hashed, and rarely differ where the texts do not.
        return hash((self.text, self.masked))

    def between(self, start: int, end: int) -> list[Name]:
        """Names that begin in this part of the text."""
        return [name for name in self.names if start <= name.start < end]


def read(utterance: Utterance) -> Reading:
    """Read an utterance. Text that was not cleaned before is cleaned, and its names are found again in it."""
    text = in_characters(clean(utterance.text))
    names, dismissed = utterance.names, utterance.dismissed
    end = _end(text)
    if len(text) > end:
        text = text[:end]
        names, dismissed = _inside(names, end), _inside(dismissed, end)
    elif text != utterance.text:
        names, dismissed = _relocated(text, names), _relocated(text, dismissed)
    text, names, dismissed = _put_right(text, names, dismissed)
    text = _OVERLONG.sub(lambda found: found.group() if found.group().isdigit() else " " * len(found.group()), text)
    masked = put_right(lowered(own_words(text)))
    masked = _mask(_mask(masked, names, NAME), dismissed, DISMISSED)
    chinese = has_chinese(masked)
    latin = not chinese or _LATIN.search(masked) is not None
    return Reading(text=text, masked=masked, names=names, chinese=chinese, latin=latin)


def _end(text: str) -> int:
    """How far a text is read: so many characters, and so many lines."""
    at = -1
    for _ in range(LINES):
        at = text.find("\n", at + 1, LONGEST)
        if at < 0:
            return min(len(text), LONGEST)
    return at


def _put_right(
    text: str, names: tuple[Name, ...], dismissed: tuple[Name, ...]
) -> tuple[str, tuple[Name, ...], tuple[Name, ...]]:
    """The text with its slips put right, and the names where they stand in it then."""
    kept = [(name.start, name.start + len(name.text)) for name in (*names, *dismissed)]
    wrong = slips(text, kept)
    if not wrong:
        return text, names, dismissed
    for slip in reversed(wrong):
        text = text[: slip.start] + slip.meant + text[slip.end :]
    moved = [(slip.end, len(slip.meant) - (slip.end - slip.start)) for slip in wrong]

    def shifted(name: Name) -> Name:
        by = sum(longer for end, longer in moved if end <= name.start)
        return msgspec.structs.replace(name, start=name.start + by) if by else name

    return text, tuple(map(shifted, names)), tuple(map(shifted, dismissed))


def lowered(text: str) -> str:
    """Lower case of the same length (some capitals become two characters: those stay)."""
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(one if len(one := letter.lower()) == 1 else letter for letter in text)


def _mask(text: str, names: Iterable[Name], mark: str) -> str:
    for name in names:
        end = name.start + len(name.text)
        text = text[: name.start] + mark * len(name.text) + text[end:]
    return text


def _inside(names: tuple[Name, ...], end: int) -> tuple[Name, ...]:
    return tuple(name for name in names if name.start + len(name.text) <= end)


def _relocated(text: str, names: tuple[Name, ...]) -> tuple[Name, ...]:
    """The same names at their offsets in another form of the text; one that is gone is left out."""
    found, at = [], 0
    low = lowered(text)
    for name in names:
        said = lowered(clean(name.text))
        start = low.find(said, at)
        if start < 0:
            continue
        at = start + len(said)
        found.append(Name(text=text[start:at], start=start, matches=name.matches, closest=name.closest))
    return tuple(found)
