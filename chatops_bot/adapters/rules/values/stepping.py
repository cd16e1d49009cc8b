"""Values that are said as steps from those of a waiting plan: "one further back", "再退两版", "raise the max by 4"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from chatops_bot.adapters.rules.text.numbers import NUM, whole
from chatops_bot.adapters.rules.text.reading import Reading
from chatops_bot.adapters.rules.tone.filler import asks, clauses, left
from chatops_bot.adapters.rules.values.quantities import relative
from chatops_bot.domain.intents import Quantity, SlotValue

_BACK: Final = re.compile(
    rf"\b(?:(?P<a>{NUM}) (?:more |further |versions? |revisions? |releases? |steps? )*(?:back|earlier|older|"
    rf"before (?:that|this|it))\b"
    r"(?! (?:to|in|then|when|at)\b)|"
    rf"(?:back|earlier) (?P<b>{NUM}) (?:more\b|further\b|(?:versions?|revisions?|releases?|steps?) (?:more|further)\b)|"
    r"(?:one|a|another) (?:version|revision|release|step) (?:further )?(?:back|earlier|older)\b|"
    r"further back (?:by )?one\b|back (?:one|a|another) (?:more )?(?:version|revision|release|step)\b)|"
    rf"(?:再|还)[要往向前后早多退回倒滚上撤]+(?P<c>{NUM})个?版本?"
)
_BOUND: Final = (
    r"(?:min(?:imum)?|max(?:imum)?|floor|ceiling|cap|lower bound|upper bound|最[小大少多低高]|[上下]限)(?:值|副本)?"
)
_BY: Final = re.compile(
    rf"\b(?P<v>raise|bump|increase|lift|reduce|drop|lower|cut) (?:up |down )?(?:the |its )?(?P<s>{_BOUND}) "
    rf"(?:up |down )?by (?P<n>{NUM})|"
    rf"(?P<s2>{_BOUND}) (?P<v2>up|down|plus|minus) (?:by )?(?P<n2>{NUM})|"
    rf"(?P<s7>{_BOUND}) ?(?P<v7>[+-]) ?(?P<n7>\d+)(?!\d)|"
    rf"(?P<s5>{_BOUND}) (?P<n5>{NUM}) (?P<v5>more|less|lower|higher)\b(?: than (?P<of>{NUM}))?|"
    rf"(?P<v6>[+-])\s?(?P<n6>\d+) (?:on|for|at|to) (?:the )?(?P<s6>{_BOUND})|"
    rf"(?P<n3>{NUM}) (?P<v3>more|less|higher|lower) (?:on|for|at) (?:the )?(?P<s3>{_BOUND})|"
    rf"(?P<s4>{_BOUND})(?:再|还|要|也|多|少|往[上下高低]){{0,3}}(?P<v4>[加升涨提抬减降扣])(?!到|至|成)(?:多|"
    rf"少)?(?P<n4>{NUM})(?!\d)",
    re.ASCII,
)
_STEPS_SOMEHOW: Final = re.compile(
    rf"\b{_BOUND}(?: (?:one|bound|limit))? (?:by {NUM}|{NUM} ?(?:x\b|times\b))", re.ASCII
)
"""So many more or fewer, or times as many, of which it is not told which, or not counted."""
_UNSURE: Final = re.compile(
    r"\b(?:if|unless|until|once|when|after(?! that)|maybe|might|perhaps|not sure|wonder\w*|let me|later|tomorrow|"
    r"already|did|was|ago|yesterday|lost|died|"
    r"were|had)\b|\b(?:not|never)\b|n't\b|如果|要是|万一|的话|再说|也许|可能|考虑|等(?!等)|之后|晚点|稍后|回头|已经|"
    r"昨天|流量|请求|用户|"
    r"(?<![好得行])[了过]\W*$|[加减扩缩开起]了(?!吧)|都不|别|不(?!够|对|行|多|错)|过$"
)
_ASSENT: Final = re.compile(
    r"^\W*(?:(?:yes|yeah|yep|yup|ok|okay|sure|right|lgtm|go)\b|好|行|可以|嗯|对|确认)|\?", re.ASCII
)
_BESIDE: Final = 10
"""Letters that may stand beside so many more or fewer in its clause."""
_DOWN: Final = re.compile(r"less|lower|down|reduce|drop|cut|minus|[-减降扣]")
_LOWER: Final = re.compile(r"min|floor|lower|最[小少低]|下限")


def says_relative(
    reading: Reading,
    action: str,
    planned: Mapping[str, SlotValue],
    before: Mapping[str, SlotValue],
    said: Mapping[str, SlotValue],
) -> bool:
    """Whether a clause says so many more or fewer than planned and hardly anything beside. Counted from what runs it
    may only repeat the plan ("so two more, right")."""
    wanted = said.get("replicas")
    if action != "scale" or not isinstance(wanted, Quantity) or wanted.kind not in ("by", "times"):
        return False
    has, plan = before.get("replicas"), planned.get("replicas")
    again = isinstance(has, int) and plan == (has * wanted.value if wanted.kind == "times" else has + wanted.value)
    if again and _ASSENT.search(reading.masked):
        return False
    return more_or_fewer(reading, beside=_BESIDE) == wanted


def more_or_fewer(reading: Reading, *, beside: int = 24) -> Quantity | None:
    """How many more or fewer are wanted, or how many times as many: what the last clause says that neither tells of
    something, nor asks, nor says more than that many letters beside."""
    wanted = None
    for clause in clauses(reading.masked):
        found = relative(clause.text)
        if found is None or _UNSURE.search(clause.text) or asks(reading, clause):
            continue
        if left(clause.text[: found.start]) + left(clause.text[found.end :]) <= beside:
            wanted = found.said
    return wanted


def steps_somehow(masked: str, action: str) -> bool:
    """Whether a bound is to move, and it is to be asked where to ("max by 4")."""
    return action == "set_autoscaler" and _STEPS_SOMEHOW.search(masked) is not None


def steps_from(masked: str, action: str, planned: Mapping[str, SlotValue]) -> dict[str, SlotValue]:
    """What the parameters of a plan come to, counted from what it has; nothing where it has no whole number there, or
    would come to less than a revision or a bound can be."""
    if action == "rollback":
        return _back(masked, planned.get("revision"))
    return _bound(masked, planned) if action == "set_autoscaler" else {}


def _back(masked: str, planned: SlotValue | None) -> dict[str, SlotValue]:
    said = _BACK.search(masked)
    if said is None or isinstance(planned, bool) or not isinstance(planned, int):
        return {}
    count = next((whole(one) for one in said.groups() if one), 1)
    return {"revision": planned - count} if 0 < count < planned else {}


def _bound(masked: str, planned: Mapping[str, SlotValue]) -> dict[str, SlotValue]:
    stepped: dict[str, SlotValue] = {}
    for said in _BY.finditer(masked):
        groups = {name[0]: value for name, value in said.groupdict().items() if value}
        slot = "min" if _LOWER.search(groups["s"]) else "max"
        value = whole(groups["o"]) if "o" in groups else planned.get(slot)
        if isinstance(value, bool) or not isinstance(value, int):
            continue
        count = -whole(groups["n"]) if _DOWN.search(groups["v"]) else whole(groups["n"])
        if value + count >= 1:
            stepped[slot] = value + count
    return stepped
