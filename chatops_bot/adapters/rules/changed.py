"""What an answer to a plan puts in place of the plan's own values, where no verb introduces it.

"29" below a rollback, "不是14，13", "min别3了 直接6起步", "2.7 pls", "b is healthy, a is the one", "s/5/8/". Values
that the plan has anyway and values that are denied are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from chatops_bot.adapters.rules.numbers import NUM, number, whole
from chatops_bot.domain.intents import PendingPlan, Quantity, SlotValue

_NUMBER: Final = re.compile(
    rf"(?<![\w./:@-])(?:\d+(?![\w./:-]*[a-z_/:-]|\.\d)|{NUM})|(?<=[\u4e00-\u9fffa-z])\d+(?![\w.])|(?<=min|max)\d+",
    re.ASCII,
)
_MEASURED: Final = re.compile(
    r"\s*(?:%|分|小时|钟头|秒|天|点|号(?!版)|行|条|次|倍|周|月|年|岁|人|遍|块|元|min|sec|hour|hr|day|week|month|"
    r"am\b|pm\b|[hmsdkxw]\b|ms\b|gb|mb|gi|mi\b|"
    r"千|万|百|:\d|x\b|o'clock|people|times|minutes|percent|%)"
)
_DENIED_BEFORE: Final = re.compile(
    r"(?:不是|别|甭|不要|不用|不能|不|而非|从|由|原来|之前|本来|\b(?:not|no|isn't|than|instead of|from|rather than|"
    r"was|were|the old|except))\s*(?:要|用|回|到|版本|"
    r"revision|rev)?\s*$",
    re.ASCII,
)
_DENIED_BEHIND: Final = re.compile(
    r"\s*(?:个|版|那版|台|号|版本)?\s*(?:也|都|还是|还|就)?(?:不够|不行|不对|不变|太|扛不住|顶不住|有点|有(?:问题|"
    r"bug|毛病|白屏|泄漏)|挂|坏|带|不稳|别)|"
    r"\s*(?:is|was|has|had|seems|looks) (?:the same|too|not|overkill|broken|bad|a bug|bugs|also|enough)",
    re.ASCII,
)
_MARKED: Final = re.compile(
    r"(?:[回退切滚到成为至用换改选要是给留开扩缩取按]|起步|保持|应该|第|版本?|就|直接|"
    r"\b(?:to|at|use|take|make (?:it|that)|with|want|need|keep|said|meant?|be|is|it's|its|revision|rev|version|for|"
    r"number|only|just|"
    r"try|do|then|number|actually|go|read|say))\s*(?:the |a |版本?|第|号|number |#)*\s*$",
    re.ASCII,
)
_SED: Final = re.compile(r"\bs/(\S+?)/(\S+?)/?(?=\s|$)")
_MIN: Final = re.compile(
    r"(?<![a-z])min(?:imum|s)?(?![a-z])|最小|最少|至少|最低|下限|下线|保底|起步|floor|lower (?:bound|limit)|at least"
)
_MAX: Final = re.compile(
    r"(?<![a-z])max(?:imum|es)?(?![a-z])|最大|最多|最高|至多|上限|上线|封顶|ceiling|upper (?:bound|limit)|at most|"
    r"up to|(?<![a-z])cap(?![a-z])"
)
_RANGE: Final = re.compile(rf"({NUM})\s*(?:to|and|-|~|到|至|/)\s*({NUM})")
_TAG: Final = re.compile(
    (
        r"(?<![\w./:@-])(?!\d{1,2}:\d\d(?!\d))(?:(?:[a-z0-9][\w.-]*(?::\d+)?/)*[a-z0-9][\w.-]*:[a-z0-9][\w.-]*|"
        r"v?\d+(?:\.\d+)+[\w.-]*|v\d+[\w.-]*)(?![\w/:])"
    ),
    re.ASCII,
)
_LETTER: Final = re.compile(
    r"(?<![\w'-])(?P<a>[a-z]\d?|\d{1,3})(?![\w'-])(?=\s*(?:is (?:the one|what)|'s the one|那台|这台|节点|机器|那个|"
    r"号机|node|box|one))|"
    r"(?:(?:it's|its|meant?|use|make it|make that|take|not \w+ but)|换成?|是|改成?|"
    r"应该是)\s*(?P<b>[a-z]\d?)(?![\w'])(?!\s*(?:is|was|\d))",
    re.ASCII,
)
_CLAUSE: Final = re.compile(r"[,.;!?\n]")
_FILLED: Final = re.compile(
    r"[\s,.!?~]|(?<![a-z])(?:to|no|nope|not|please|pls|plz|ok|okay|yes|sorry|actually|but|it's|its|is|be|the|"
    r"revision|rev|version|number|one|"
    r"instead|hmm|wait|oops|oh|make|that|it|man|then)(?![a-z])|不是|不对|是|吧|啊|哦|嗯|个|版本?|那|这|要|改成?|回|"
    r"到|第|号|副本|好|哈|请|谢谢|麻烦了?"
)


class _Said(NamedTuple):
    start: int
    end: int
    text: str


def values(masked: str, plan: PendingPlan) -> dict[str, SlotValue]:
    """Values of the plan's own parameters that differ from what it has."""
    if plan.action == "scale":
        return _one("replicas", masked, plan, as_quantity=True)
    if plan.action == "rollback":
        return _one("revision", masked, plan, as_quantity=False)
    if plan.action == "set_autoscaler":
        return _bounds(masked, plan)
    if plan.action == "set_image":
        return _image(masked, plan)
    if plan.action == "delete_pod":
        return _pod(masked, plan)
    if plan.entity.kind == "Node":
        return _node(masked, plan)
    return {}


def _one(slot: str, masked: str, plan: PendingPlan, *, as_quantity: bool) -> dict[str, SlotValue]:
    """The one number that is meant instead."""
    planned = _planned(plan, slot)
    sed = _SED.search(masked)
    if sed is not None and sed.group(1).isdigit() and sed.group(2).isdigit() and int(sed.group(1)) == planned:
        return {slot: _as(int(sed.group(2)), as_quantity=as_quantity)}
    said = [one for one in _numbers(masked) if _whole(one.text) not in (None, planned)]
    meant = [one for one in said if not _denied(masked, one)]
    marked = [one for one in meant if _MARKED.search(masked, 0, one.start)]
    alone = [one for one in meant if _alone(masked, one)]
    chosen = next(iter(marked or alone), None)
    if chosen is None or (value := _whole(chosen.text)) is None:
        return {}
    return {slot: _as(value, as_quantity=as_quantity)}


def _as(value: int, *, as_quantity: bool) -> SlotValue:
    return Quantity("to", value) if as_quantity else value


def _planned(plan: PendingPlan, slot: str) -> int | None:
    value = plan.parameters.get(slot)
    if isinstance(value, Quantity):
        return int(value.value) if value.kind == "to" else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _numbers(masked: str) -> Iterator[_Said]:
    for found in _NUMBER.finditer(masked):
        if _MEASURED.match(masked, found.end()) is None:
            yield _Said(found.start(), found.end(), found.group())


def _whole(said: str) -> int | None:
    value = number(said)
    return whole(said) if value >= 0 and value % 1 == 0 else None


def _denied(masked: str, said: _Said) -> bool:
    return (
        _DENIED_BEFORE.search(masked, 0, said.start) is not None or _DENIED_BEHIND.match(masked, said.end) is not None
    )


def _alone(masked: str, said: _Said) -> bool:
    """Whether its clause says nothing else."""
    start = max((found.end() for found in _CLAUSE.finditer(masked, 0, said.start)), default=0)
    after = _CLAUSE.search(masked, said.end)
    end = after.start() if after is not None else len(masked)
    return not _FILLED.sub("", masked[start : said.start] + masked[said.end : end])


def _bounds(masked: str, plan: PendingPlan) -> dict[str, SlotValue]:
    """A bound is the last number behind its word that is not denied, or the one right before it."""
    places = sorted(
        [(found.start(), found.end(), "min") for found in _MIN.finditer(masked)]
        + [(found.start(), found.end(), "max") for found in _MAX.finditer(masked)]
    )
    if not places:
        span = _RANGE.search(masked)
        pair = (_whole(span.group(1)), _whole(span.group(2))) if span is not None else (None, None)
        return {
            slot: value
            for slot, value in zip(("min", "max"), pair, strict=True)
            if value is not None and value != _planned(plan, slot)
        }
    numbers = list(_numbers(masked))
    changed: dict[str, SlotValue] = {}
    taken: list[_Said] = []
    for at, (start, end, slot) in enumerate(places):
        limit = places[at + 1][0] if at + 1 < len(places) else len(masked)
        behind = [one for one in numbers if end <= one.start < limit and not _denied(masked, one)]
        before = [one for one in numbers if start - 2 <= one.end <= start and not _denied(masked, one)]
        chosen = behind[-1:] or [one for one in before[-1:] if one not in taken]
        taken += chosen
        value = _whole(chosen[0].text) if chosen else None
        if value is not None and value != _planned(plan, slot) and slot not in changed:
            changed[slot] = value
    return changed


def _image(masked: str, plan: PendingPlan) -> dict[str, SlotValue]:
    """Another image, or another tag of the same."""
    image = str(plan.parameters.get("image", "")).lower()
    own = {image, image.rpartition("/")[2], image.rpartition(":")[2]}
    for found in _TAG.finditer(masked):
        said = _Said(found.start(), found.end(), found.group().rstrip("."))
        if said.text not in own and not _denied(masked, said):
            return {"image": said.text}
    return {}


def _pod(masked: str, plan: PendingPlan) -> dict[str, SlotValue]:
    """Another pod of the same workload, by its whole name."""
    own = str(plan.parameters.get("pod", "")).lower()
    for found in re.finditer(rf"(?<![\w-]){re.escape(plan.entity.workload.lower())}(?:-[a-z0-9]+)+(?![\w-])", masked):
        said = _Said(found.start(), found.end(), found.group())
        if said.text != own and not _denied(masked, said):
            return {"pod": said.text}
    return {}


def _node(masked: str, plan: PendingPlan) -> dict[str, SlotValue]:
    """Another node by the letter or number that its name ends in, where the plan's own ends likewise."""
    stem, dash, own = plan.entity.name.lower().rpartition("-")
    if not dash or len(own) > 3:
        return {}
    for found in _LETTER.finditer(masked):
        group = "a" if found.group("a") else "b"
        said = _Said(found.start(group), found.end(group), found.group(group))
        if (
            said.text != own
            and not _DENIED_BEFORE.search(masked, 0, said.start)
            and said.text.isdigit() == own.isdigit()
        ):
            return {"node": f"{stem}-{said.text}"}
    return {}
