"""Numbers as people say them, in both languages."""

from __future__ import annotations

import re
from typing import Final

_UNITS: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ENGLISH: Final[dict[str, float]] = {
    **{word: value for value, word in enumerate(_UNITS)},
    **{word: (value + 2) * 10 for value, word in enumerate(_TENS)},
    "a couple of": 2,
    "a couple": 2,
    "couple": 2,
    "a dozen": 12,
    "dozen": 12,
    "half a dozen": 6,
    "a hundred": 100,
    "hundred": 100,
    "none": 0,
    "a single": 1,
}
_DIGITS: Final = {character: value for value, character in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
    "俩": 2,
    "仨": 3,
}

_HUNDREDS: Final = {"百": 10, "千": 100, "万": 1_000}
_FACTORS: Final = {"k": 1_000, "千": 1_000, "万": 10_000}

LARGEST: Final = 2**53
"""Beyond it a float is no exact whole number any more."""

_WORDS = "|".join(sorted(_ENGLISH, key=len, reverse=True))
_TEEN_PLUS = rf"(?:{'|'.join(_TENS)})[ -](?:{'|'.join(_UNITS[1:10])})"
_DOZENS = rf"(?:{'|'.join(_UNITS[2:10])}) dozen"

_ROUGHLY = (
    r"(?![一二三四五六七八九][零〇一二三四五六七八九]{0,7}[零〇](?![十百千万]))"
    r"[零〇一二两三四五六七八九十百千万]{0,7}?[一二两三四五六七八九]{2}"
)
"""Two digits in a row say no number of their own ("五六个", "十五六"), unless a nought tells that a row of digits is
read out ("二零二四")."""

NUM = (
    r"(?:(?<![a-z0-9_.])[-+]?[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?(?:k(?![a-z0-9])| ?[千万](?!别|一))?"
    r"(?![0-9.]*[0-9])(?!,[0-9]|x[0-9a-f]|e[-+]?[0-9]|k(?![a-z])| ?[千万亿](?!别|一))"
    rf"|(?<![a-z])(?:{_TEEN_PLUS}|{_DOZENS}|{_WORDS})(?![a-z])"
    r"|"
    r"(?<![第统唯星期礼周上下另同每某任万之零〇一二两俩三仨四五六七八九十百千])(?:[半一二两三四]打(?=[吧副实啊呀]|$|[^\u4e00-\u9fff])|"
    rf"(?!{_ROUGHLY})[零〇一二两俩三仨四五六七八九十百][零〇一二两俩三仨四五六七八九十百千万]{{0,7}}+)"
    r"(?![打下样起直会些点定般共旦次遍声致律句块切边方]|"
    r"分(?!钟)|[个台套边者]都))"
)
"""Pattern of one number, without a group: digits with sign and fraction, or words of either language. "两个都" is both
of two things, and no number of any."""


def number(text: str) -> float:
    """Value of what `NUM` matched, at most `LARGEST`: longer rows of digits would be infinite, which can be neither
    computed with nor stored. Raises `ValueError` for anything else."""
    said = text.strip().lower()
    if said in _ENGLISH:
        return _ENGLISH[said]
    if said[:1] in "+-0123456789" and said[:1]:
        factor = _FACTORS.get(said[-1], 1)
        value = float(said.rstrip("k千万 ").replace(",", "")) * factor
        return max(-float(LARGEST), min(value, float(LARGEST)))
    if said.endswith("打"):
        return 6 if said[0] == "半" else _DIGITS[said[0]] * 12
    if said.endswith(" dozen"):
        return _ENGLISH[said.removesuffix(" dozen")] * 12
    tens, _, unit = said.replace("-", " ").partition(" ")
    if tens in _ENGLISH and unit in _ENGLISH:
        return _ENGLISH[tens] + _ENGLISH[unit]
    return _chinese(said)


def whole(text: str) -> int:
    """Like `number`, cut to a whole number; what no number of anything can be is cut to `LARGEST`."""
    return int(min(number(text), LARGEST))


def _chinese(said: str) -> float:
    total = current = 0
    for character in said:
        if character == "万":
            total, current = (total + current) * 10_000, 0
        elif character == "千":
            total, current = total + (current or 1) * 1_000, 0
        elif character == "百":
            total, current = total + (current or 1) * 100, 0
        elif character == "十":
            total, current = total + (current or 1) * 10, 0
        elif character in _DIGITS:
            current = current * 10 + _DIGITS[character]
        else:
            raise ValueError(f"{said!r} is no number")
    if said[-2:-1] in _HUNDREDS and said[-1:] in _DIGITS:  # "两百五" leaves out what it counts
        current *= _HUNDREDS[said[-2]]
    return total + current


def is_number(text: str) -> bool:
    """Whether the whole text is one number."""
    return _WHOLE.fullmatch(text.strip().lower()) is not None


_WHOLE = re.compile(NUM)
