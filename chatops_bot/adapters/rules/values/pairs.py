"""Both bounds of an autoscaler said at once: "3 min 8 max", "min/max 2/8"."""

from __future__ import annotations

from typing import Final

from chatops_bot.adapters.rules.text.numbers import NUM
from chatops_bot.adapters.rules.text.patterns import compiled

_LOW: Final = r"(?:min(?:imum)?(?![a-z])|最[小少低]|起步)"
_HIGH: Final = r"(?:max(?:imum)?(?![a-z])|最[大高多]|封顶)"
_ALONE: Final = rf"(?!\s?(?:[=:]|(?:to|of|is|at) |{NUM}))"
"""Behind a word of a bound whose number stands before it."""
_PAIR: Final = compiled(
    rf"(?P<a1>{NUM})\s?{_LOW}(?:\s|,|and\b|和)*(?P<a2>{NUM})\s?{_HIGH}{_ALONE}|"
    rf"(?P<b2>{NUM})\s?{_HIGH}(?:\s|,|and\b|和)*(?P<b1>{NUM})\s?{_LOW}{_ALONE}|"
    rf"(?<![a-z]){_LOW}\s?(?:[/&,-]|and\b|和)\s?{_HIGH}\s*(?:to|of|is|are|=|:|是|为|到)?\s*"
    rf"(?P<c1>{NUM})\s*(?:[/,~-]|to\b|and\b|到|和)\s*(?P<c2>{NUM})"
)
"""Each word behind its number, or both numbers behind both words."""


def paired(masked: str) -> tuple[str, str] | None:
    """The lower and the upper bound as they were said, or None where they are not said that way."""
    pair = _PAIR.search(masked)
    if pair is None:
        return None
    way = "a" if pair["a1"] else "b" if pair["b1"] else "c"
    return pair[f"{way}1"], pair[f"{way}2"]
