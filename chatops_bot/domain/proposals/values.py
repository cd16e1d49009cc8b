"""Slots of a proposal, checked against the text: what does not stand in it was made up."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from chatops_bot.domain.intents import QUERIES, Quantity, SlotValue
from chatops_bot.domain.proposals.evidence import Evidence
from chatops_bot.domain.proposals.form import Said
from chatops_bot.domain.proposals.vocabulary import PLACES, slots_of

_UNITS: Final = (
    (1, re.compile(r"\d\s?s\b|\bsec|秒", re.ASCII)),
    (60, re.compile(r"\d\s?m\b|\bmin|分", re.ASCII)),
    (3_600, re.compile(r"\d\s?h\b|\bhours?\b|\bhrs?\b|小时|钟头", re.ASCII)),
    (86_400, re.compile(r"\d\s?d\b|\bdays?\b|天|日", re.ASCII)),
    (604_800, re.compile(r"\d\s?w\b|\bweeks?\b|周|星期", re.ASCII)),
)
"""Seconds of what a time can be counted in, and what says that it is."""

_COUNTED: Final = frozenset({"since", "tail", "previous", "errors", "everyone", "when", "part", "about"})
"""What the rules read of a question surely enough to be kept though a model leaves it out."""

_NUMBER: Final = re.compile(r"[-+]?\d{1,12}(?:\.\d{1,6})?", re.ASCII)
_WORD: Final = re.compile(r"[\w./:@-]", re.ASCII)


def checked(
    intent: str, said: tuple[Said, ...], evidence: Evidence, *, text: str
) -> tuple[dict[str, SlotValue], tuple[str, ...]]:
    """The slots of a request that the text bears out, and the names of those dropped. `text` is what its author says
    themselves. Where the rules read a slot of this intent, theirs is the value; of an action, one that differs from the
    model's is neither's, so that it is asked. Of a question, words that stand in the text are the model's."""
    ruled = evidence.said.get(intent, {})
    kept: dict[str, SlotValue] = {slot: value for slot, value in ruled.items() if slot in PLACES}
    dropped: list[str] = []
    for each in said:
        value = _value(each, evidence, text=text) if each.slot in slots_of(intent) else None
        if each.slot in ruled:
            value = _agreed(ruled[each.slot], value, each, reads=intent in QUERIES)
        if value is None:
            dropped.append(each.slot)
        else:
            kept[each.slot] = value
    if intent in QUERIES:
        kept = {**{slot: value for slot, value in ruled.items() if slot in _COUNTED}, **kept}
    return kept, tuple(dropped)


def _agreed(ruled: SlotValue, value: SlotValue | None, said: Said, *, reads: bool) -> SlotValue | None:
    if reads and said.slot not in _COUNTED | {*PLACES}:
        return value
    if reads or said.slot in PLACES:
        return ruled
    if isinstance(ruled, Quantity):
        number = _number(said.value)
        return ruled if number is not None and abs(number) == abs(ruled.value) else None
    return ruled if value == ruled else None


def _value(said: Said, evidence: Evidence, *, text: str) -> SlotValue | None:
    reader = _READERS.get(said.slot)
    return reader(said.value, evidence, text) if reader is not None else None


def _replicas(value: str, evidence: Evidence, _text: str) -> SlotValue | None:
    """A number whose meaning the rules do not know (to? by?) is unclear: both are offered. Of several numbers that
    might be meant, none is taken."""
    number = _number(value)
    if number is None or {abs(each) for each in evidence.numbers} != {abs(number)}:
        return None
    return Quantity("unclear", number)


def _whole(value: str, evidence: Evidence, _text: str) -> SlotValue | None:
    number = _number(value)
    return int(number) if number is not None and number % 1 == 0 and number in evidence.numbers else None


def _seconds(value: str, evidence: Evidence, text: str) -> SlotValue | None:
    """A time span that is a number of the text in a unit of the text."""
    seconds = _number(value)
    if seconds is None or seconds <= 0:
        return None
    low = text.lower()
    said = any(unit.search(low) and seconds / factor in evidence.numbers for factor, unit in _UNITS)
    return int(seconds) if said else None


def _yes(value: str, _evidence: Evidence, _text: str) -> SlotValue | None:
    return True if value.lower() == "true" else None


def _literal(value: str, _evidence: Evidence, text: str) -> SlotValue | None:
    """Words that stand in the text as they are, and are no part of longer ones."""
    if not value or value in ("null", "none"):
        return None
    at = text.lower().find(value.lower())
    while at >= 0:
        end = at + len(value)
        if not (_joins(text, at - 1, at) or _joins(text, end - 1, end)):
            return text[at:end]
        at = text.lower().find(value.lower(), at + 1)
    return None


def _joins(text: str, left: int, right: int) -> bool:
    """Whether what is taken would be cut out of a longer word; a full stop at the end of one is none of it."""
    if left < 0 or right >= len(text):
        return False
    if text[right] in ".:" and not _WORD.match(text, right + 1):
        return False
    return _WORD.match(text[left]) is not None and _WORD.match(text[right]) is not None


def _number(value: str) -> float | None:
    found = _NUMBER.fullmatch(value.strip().lstrip("x×"))
    return float(found.group()) if found is not None else None


_READERS: Final[Mapping[str, Callable[[str, Evidence, str], SlotValue | None]]] = {
    "replicas": _replicas,
    **dict.fromkeys(("min", "max", "revision", "tail"), _whole),
    "since": _seconds,
    **dict.fromkeys(("previous", "errors", "everyone"), _yes),
    **dict.fromkeys(("image", "container", "pod", "node", "grep", *PLACES), _literal),
}
