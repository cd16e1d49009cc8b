"""Slips of the thumb in the words that ask for something, put right before the tables look; those too that make a
word longer or shorter (`mishearing` keeps the length).

Only words of the tables are known, and only slips that make no word of their own: two letters swapped, one left out
or doubled, and orders in the letters of a Chinese keyboard. Names are never touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from chatops_bot.domain.name_words import of_words

_TYPED: Final = of_words(
    "restart reboot rollback revert rollout replicas scale pause resume unpause cordon uncordon drain delete status "
    "rollouts releases deploys "
    "logs events history revision revisions resources memory changes overview runbook playbook incident escalate "
    "container previous namespace autoscaler deploy deployment image upgrade"
)
_WORDS: Final = of_words(
    "sale scales darin dain evens event rever codon cordons depot mage logos drawn drains autoscale restarts deletes"
)
"""What a slip could be taken for, and is a word of its own."""

_SPELLED: Final = {
    "logz": "logs",
    "ment": "meant",
    "loggs": "logs",
    "lohs": "logs",
    "moar": "more",
    "wats": "whats",
    "skale": "scale",
    "scail": "scale",
    "replicaz": "replicas",
    "reastart": "restart",
    "rebot": "reboot",
    "rolbak": "rollback",
    "roleback": "rollback",
    "pauze": "pause",
    "kordon": "cordon",
    "incedent": "incident",
    "insident": "incident",
    "chongqi": "重启",
    "kuorong": "扩容",
    "suorong": "缩容",
    "huigun": "回滚",
    "rizhi": "日志",
    "zanting": "暂停",
    "zhuangtai": "状态",
}
_TYPED_SHORT: Final = re.compile(
    r"(?<![a-z0-9.-])(?:cq|kr|hg)(?=\s*(?:一下|下(?![午周班])|吧|到\s?\d|[\u4e00-\u9fff]{1,6}\s?到\s?\d|"
    r"$))",
    re.ASCII | re.IGNORECASE,
)
_BEFORE_A_NAME: Final = re.compile(r"(?<![a-z0-9.-])(?:cq|kr|hg)\s?", re.ASCII | re.IGNORECASE)
"""The same right before a name."""
_HEARD_AS: Final = (
    r"\s(?P<to>two|too)(?=\s(?:\d+|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty)"
    r"(?!\s(?:hundred|min|hour|line|day))\b|\s(?:revision|version|rev)\s(?:number\s)?(?:#?\d|[a-z]+teen\b|one\b|two\b|"
    r"three\b|four\b|five\b|six\b|seven\b|eight\b|nine\b|ten\b|eleven\b|twelve\b|twenty)|\s(?:ate|won)\s(?:replica|pod|"
    r"instance))"
)
_ATE: Final = re.compile(
    r"(?<=\b(?:two|too)\s)ate(?=\s(?:replica|pod|instance))|(?<=\bto\s)ate(?=\s(?:replica|pod|instance))", re.ASCII
)
_HEARD: Final = re.compile(
    rf"\b(?:scale|scaled|bump|roll|role|go|back|it|up|down|out|in|replicas|set|[a-z]+-[a-z]+){_HEARD_AS}",
    re.ASCII | re.IGNORECASE,
)
_HEARD_BEHIND: Final = re.compile(_HEARD_AS, re.ASCII | re.IGNORECASE)
"""Dictation hears "to" before a number as a number."""
_SCALED: Final = re.compile(
    r"(?<![\w-])(?:scale|bump|resize)(?: (?:up|down|out|in))?(?: the)?\s$", re.ASCII | re.IGNORECASE
)
_WRITTEN: Final = re.compile(r"\s(?P<to>2)(?=\s\d{1,3}(?:\s(?:pods?|replicas?|instances?|please|pls))*\W*$)", re.ASCII)
"""The same behind what is scaled, where it was written as a digit ("scale web 2 5")."""
_SHORTENED: Final = {
    "rb": "rollback",
    "ev": "events",
    "evs": "events",
    "img": "image",
    "repl": "replicas",
    "repls": "replicas",
    "lmk": "let me know",
    "rst": "restart",
    "hist": "history",
    "cfg": "config",
}
_SHORT: Final = re.compile(
    rf"(?<![\w./:@=\"'`-])(?:{'|'.join(_SHORTENED)})(?![\w/:@=\"'`-]|\.\w)", re.ASCII | re.IGNORECASE
)
"""What is typed in a hurry for a longer word."""
_INITIALS: Final = {"cq": "重启", "kr": "扩容", "hg": "回滚"}
_WORD: Final = re.compile(r"(?<![\w./:@=\"'`-])[a-z]{4,12}(?![\w/:@=\"'`-]|\.\w)", re.ASCII | re.IGNORECASE)


class Slip(NamedTuple):
    """What stands at `start` to `end`, and what was meant."""

    start: int
    end: int
    meant: str


def slips(text: str, kept: Sequence[tuple[int, int]]) -> list[Slip]:
    """The slips in a text, in order; none in the parts that are `kept` (from, to)."""
    found = [
        *(Slip(hit.start(), hit.end(), right) for hit in _WORD.finditer(text) if (right := _right(hit.group()))),
        *(Slip(hit.start(), hit.end(), _SHORTENED[hit.group().lower()]) for hit in _SHORT.finditer(text)),
        *(Slip(hit.start("to"), hit.end("to"), "to") for hit in _heard(text, kept)),
        *(Slip(hit.start(), hit.end(), _INITIALS[hit.group().lower()]) for hit in _TYPED_SHORT.finditer(text)),
        *(Slip(hit.start(), hit.end(), "eight") for hit in _ATE.finditer(text)),
        *(
            Slip(hit.start(), hit.start() + 2, _INITIALS[hit.group().strip().lower()])
            for hit in _BEFORE_A_NAME.finditer(text)
            if any(hit.end() == start for start, _ in kept)
        ),
    ]
    return sorted(slip for slip in set(found) if all(slip.end <= start or slip.start >= end for start, end in kept))


def _heard(text: str, kept: Sequence[tuple[int, int]]) -> Iterator[re.Match[str]]:
    yield from _HEARD.finditer(text)
    for start, end in kept:
        hit = _HEARD_BEHIND.match(text, end)
        if hit is None and _SCALED.search(text, 0, start) is not None:
            hit = _WRITTEN.match(text, end)
        if hit is not None:
            yield hit


def _right(word: str) -> str | None:
    return _VARIANTS.get(word.lower())


def _variants(word: str) -> Iterator[str]:
    """Swapped neighbours, a letter left out or doubled; the first letter stands, as it does when people mistype."""
    for at in range(1, len(word)):
        if at + 1 < len(word):
            yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        if len(word) > 4:
            yield word[:at] + word[at + 1 :]
            yield word[: at + 1] + word[at:]


_VARIANTS: Final[dict[str, str]] = {
    **{
        slip: word
        for word in _TYPED
        for slip in _variants(word)
        if slip not in _TYPED and slip not in _WORDS and slip + "s" not in _TYPED and slip != word + "s"
    },
    **_SPELLED,
}
