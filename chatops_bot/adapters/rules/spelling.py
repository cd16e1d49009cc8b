"""Slips of the thumb and of dictation in the words that ask for something, put right before the tables look.

Only words of the tables are known, and only slips that make no word of their own: two letters swapped, one left out
or doubled, and what dictation and pinyin keyboards make of an order. Names are never touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from chatops_bot.domain.name_words import of_words

_TYPED: Final = of_words(
    "restart reboot rollback revert rollout replicas scale pause resume unpause cordon uncordon drain delete status "
    "logs events history revision revisions resources memory changes overview runbook playbook incident escalate "
    "container previous namespace autoscaler deploy deployment image upgrade"
)
_WORDS: Final = of_words(
    "sale scales darin dain evens event rever codon cordons depot mage logos drawn drains autoscale restarts deletes"
)
"""What a slip could be taken for, and is a word of its own."""

_SPELLED: Final = {
    "logz": "logs",
    "loggs": "logs",
    "lohs": "logs",
    "moar": "more",
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
_DICTATED: Final = re.compile(
    r"(?P<scale>阔容|括容|扩荣|扩溶|阔荣|扩融)|(?P<shrink>锁容|缩荣|缩溶|索容)|"
    r"(?P<restart>(?:从|充|崇|冲|虫)启(?!动|用|发|程)|重[企其气骑](?!业|中|实))|"
    r"(?P<rollback>会滚(?!动|来|去|出)|灰滚|回棍|回滾|回辊)|(?P<replicas>副版|付本|复本|福本)|(?P<pause>暂听|站停)|"
    r"(?P<image>镜象|境像|静像|镜相)|"
    r"(?<![a-z0-9.-])(?P<cq>cq|kr|hg)(?=\s*(?:一下|下(?![午周班])|吧|到\s?\d|$))",
    re.IGNORECASE,
)
_MEANT: Final = {
    "scale": "扩容",
    "shrink": "缩容",
    "restart": "重启",
    "rollback": "回滚",
    "replicas": "副本",
    "pause": "暂停",
    "image": "镜像",
}
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
        *(Slip(hit.start(), hit.end(), _dictated(hit)) for hit in _DICTATED.finditer(text)),
    ]
    return sorted(slip for slip in found if all(slip.end <= start or slip.start >= end for start, end in kept))


def _right(word: str) -> str | None:
    return _VARIANTS.get(word.lower())


def _dictated(found: re.Match[str]) -> str:
    group = found.lastgroup or ""
    return _MEANT.get(group) or _INITIALS[found.group().lower()]


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
