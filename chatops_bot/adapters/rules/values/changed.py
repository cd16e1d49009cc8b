"""What is put in place of a value of an order where no word tells what it is of.

"29" below a rollback, "不是14，13", "min别3了 直接6起步", "the lead says 7", "2.7 pls", "b is healthy, a is the one",
"s/5/8/". A message is read clause by clause. What holds already, what is denied, what measures or names something else,
and what is only asked does not count; of the numbers that are left that one is meant that a word introduces, or that
stands in its clause with hardly anything beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final, NamedTuple

from chatops_bot.adapters.rules.text.numbers import NUM, number, whole
from chatops_bot.adapters.rules.text.reading import Reading
from chatops_bot.adapters.rules.tone.filler import Clause, asks, clause_at, left
from chatops_bot.adapters.rules.values.quantities import is_told, relative, roughly
from chatops_bot.adapters.rules.values.slots import STAGE
from chatops_bot.domain.intents import PendingPlan, Quantity, SlotValue

_NUMBER: Final = re.compile(
    rf"(?<![\w./:@-])(?:\d+(?![\w./:-]*[a-z_/:-]|\.\d)|{NUM})|(?<=[\u4e00-\u9fffa-z])(?<!\d[a-z])\d+(?![\w.])|(?<=min|max)\d+|"
    rf"(?<=[\u4e00-\u9fff]:)\d+|"
    r"(?<=第)[一二三四五六七八九十]{1,3}(?=个?版)",
    re.ASCII,
)
_MEASURED: Final = re.compile(
    r"\s*(?:%|核|cores?\b|分|小时|钟头|秒|天|点|行(?![不吗么吧就])|条|次|倍|周|月|年|岁|人|遍|块|元|min|sec|hour|hr|"
    r"day|week|month|"
    r"am\b|pm\b|[hmsdkxw]\b|ms\b|gb|mb|gi|mi\b|[些下样]|起(?!步)|"
    r"千|万|百|:\d|x\b|o'clock|people|times|minutes|percent|lines?\b|rows?\b)"
)
_A_SHARE: Final = re.compile(r"\s?/\s?\d|\s(?:thirds?|quarters?|fifths?)\b")
_A_MINIMUM: Final = re.compile(r"\s*min\b", re.ASCII)
_DATED: Final = re.compile(r"\s*号(?!版)")
_A_VERSION: Final = re.compile(r"(?<=一)\s*个|(?<=one)\s*(?:version|revision)")
_NAMED: Final = re.compile(
    r"(?:\b(?:nodes?|shards?|zones?|steps?|sev|incident|ticket|issue|http|code|error)|节点|分片|步骤)[\s#-]*$", re.ASCII
)
"""Before a number that one thing is called by."""
_A_THING: Final = re.compile(r"one\b(?!\s*(?:replica|pod|instance|cop))|一(?![个台份])", re.ASCII)
"""Rather "that one" than a number."""
_ONE: Final = frozenset({"one", "a", "一"})
"""In words it is as often an article."""
_DENIED_BEFORE: Final = re.compile(
    r"(?:不(?:能|该|应该)?是|别|甭|不要|不用|不能|不|而非|从|由|原来|之前|本来|"
    r"\b(?:not|isn't|than|instead of|from|rather than|"
    r"was|were|the old|except))\s*(?:要|用|回|到|版本|"
    r"revision|rev)?\s*$|(?:[回扣打发]个|扣|\d\s*(?:or|或者?|还是))\s*$|\bgive (?:him|her|them|us|me)\s*$",
    re.ASCII,
)
"""Also of a number that stands for assent ("回个 1"), or for minutes ("give him five")."""
_TAKEN_BACK: Final = re.compile(
    r"(?:不是|不要|不用|别|而非|\b(?:(?<!why )(?<!how about )not|isn't|rather than|instead of))\s*(?:to\s|到)?\s*$|"
    r"(?:\b(?:don't|dont|do not|never) (?:make|set|scale|put|use|take)(?: (?:it|that|them))?(?: (?:to|at))?|"
    r"别[改设扩缩调](?:成|到|为))\s*$",
    re.ASCII,
)
"""Before a number that is not meant, whatever else is said."""
_DENIED_BEHIND: Final = re.compile(
    r"\s*(?:个|版|那版|台|号|版本)?\s*(?:也|都|还是|还|就)?(?:不够|不行|不对|不变|不一定|未必|可能不|太|扛不住|"
    r"顶不住|有点|有(?:问题|"
    r"bug|毛病|白屏|泄漏)|挂|坏|带|不稳|别)|"
    r"\s*(?:or|或者?|还是|-|~)\s*\d|\s*个?\?\s*(?:no\b|nope\b|nah\b|不)|"
    r"\s*(?:is|was|has|had|seems|looks) (?:the same|too|not|overkill|broken|bad|a bug|bugs|also|enough)",
    re.ASCII,
)
_MARKED: Final = re.compile(
    r"(?:[回退切滚到成为至用换改选要是给留开扩缩取按]|起步|保持|应该|第|版本?|就|直接|"
    r"\b(?:to|at|use|take|make (?:it|that)|with|want|need|keep|said|meant?|be|is|it's|its|revision|rev|version|for|"
    r"number|only|just|"
    r"try|do|then|number|actually|go|read|says?|wants?|wanted|asked for|fits?|allows?)|[得批说定写按来够])"
    r"\s*(?:the |a |版本?|第|号|number |#)*\s*$",
    re.ASCII,
)
_SUFFICES: Final = re.compile(
    r"\s*(?:[个台份版]|副本|replicas?|pods?|instances?)*\s*(?:(?:will|should|would|'ll) (?:do|be (?:enough|fine|"
    r"plenty))\b|"
    r"is (?:enough|plenty|fine|better|safer)\b|suffices\b|it is\b|(?:就|也|便)?(?:行|够|足够|得了|即可|为准|"
    r"完事)(?!吗|么))"
)
"""Behind a number that is chosen."""
_TOLD_OF: Final = re.compile(
    r"\s*(?:[个台份只]|副本|实例|replicas?|pods?|instances?)*\s*(?:"
    r"(?:are|were|was|have|has|had|is(?! (?:fine|better|enough|plenty|ok|okay|good|right|correct|what|the|it|safe)))\b|"
    r"(?:crash|fail|died|dead|down|restart|pending|error|alert|user|request|ticket|customer|issue|node|machine|oom|"
    r"evict|running|ready|left|of)|(?:都|已经|正)?(?:挂|崩|报|重启|在跑|告警|工单|用户|请求|节点|机器|错误|异常|失败))"
)
"""Behind a number that is told, not wanted."""
_CODE: Final = re.compile(r"[45]\d\d")
"""What errors are called by."""
_ONLY_IF: Final = re.compile(r"\b(?:if|unless|in case|whether)\b|如果|要是|万一|假如|的话")
_UNSURE: Final = re.compile(
    r"\b(?:if|unless|whether|until|before|once|after|maybe|might|perhaps|not sure|thinking(?! about it| again)|"
    r"wonder\w*|let me|still)\b|"
    r"如果|要是|万一|假如|的话|再说|不确定|也许|可能|考虑|想想|看看|等.{1,8}(?:再|完|后)|之后|先别"
)
_SED: Final = re.compile(r"\bs/(\S+?)/(\S+?)/?(?=\s|$)")
_MIN: Final = re.compile(
    r"(?<![a-z])min(?:imum|s)?(?![a-z])|最小|最少|至少|最低|下限|下线|保底|打底|起步|不低于|floor|bottom|\blower\b|"
    r"\blow(?: end)?\b|"
    r"\bstart(?:s|ing)? (?:from|at|with)\b|"
    r"at least"
)
_MAX: Final = re.compile(
    r"(?<![a-z])max(?:imum|es)?(?![a-z])|最大|最多|最高|至多|上限|上线|封顶|顶多|不超过|ceiling|\btop\b|\bupper\b|顶到|"
    r"\bhigh(?: end)?\b|"
    r"at most|up to|(?<![a-z])cap(?![a-z])"
)
_JOINED: Final = re.compile(r"(?<=\d)(?=min|max)|(?<=min)(?=\d)|(?<=max)(?=\d)")
"""Where a bound and its number are written as one word ("3min9max")."""
_STEPPED: Final = re.compile(r"\bby\s*$|\b(?:less|more|fewer|lower|higher) than\s*$")
"""Before a number that a bound goes up or down by, or is counted from."""
_BOTH: Final = re.compile(r"上下限|\bmin ?(?:and|[&/+]) ?max\b")
"""One word for both bounds."""
_CLOSE: Final = 3
"""Characters at most between a number and the word of a bound behind it."""
_RANGE: Final = re.compile(rf"({NUM})\s*(?:to|and|-|~|到|至|和|/)\s*({NUM})")
_TAG: Final = re.compile(
    (
        r"(?<![\w./:@-])(?!\d{1,2}:\d\d(?!\d))(?:(?:[a-z0-9][\w.-]*(?::\d+)?/)*[a-z0-9][\w.-]*:[a-z0-9][\w.-]*|"
        r"v?\d+(?:\.\d+)+[\w.-]*|v\d+[\w.-]*|(?:sha|git|rel|release|build|hotfix)-[\w.-]*\d[\w.-]*)(?![\w/:])"
    ),
    re.ASCII,
)
_SPOKEN: Final = re.compile(
    rf"(?<![a-z])(?P<a>{NUM}) point (?P<b>{NUM})|"
    r"(?<![\d一二三四五六七八九十])(?P<c>[一二三四五六七八九十]+)点(?P<d>[零一二三四五六七八九]+)(?![十分钟点刻半])"
)
"""A tag as it is spoken."""
_LETTER: Final = re.compile(
    r"(?<![\w'-])(?P<a>[a-z]\d?|\d{1,3})(?![\w'-])(?=\s*(?:is (?:the one|what)|'s the one|那台|这台|节点|机器|那个|"
    r"号机|node|box|one))|"
    r"(?:\b(?:it's|its|meant?|use|make it|make that|take|not \w+ but)(?: node)?\s+|(?:换成?|是|改成?|应该是)(?:node|"
    r"节点)?\s*)"
    r"(?P<b>[a-z]\d?)(?![\w'-])(?!\s*(?:is|was|\d))",
    re.ASCII,
)
_SLIPPED: Final = re.compile(
    r"\b(?:sorry|sry|oops|typo|my bad|i me?a?nt|instead|fat fingers?|brain fart|misspoke|did i say|autocorrect|"
    r"correction)\b|错(?!误)|手[抖滑误]|口误|改主意",
    re.ASCII,
)
_TAKES_BACK: Final = re.compile(
    r"[^\w\u4e00-\u9fff@]*+(?:@\S+ )?(?>(?:oh|ah|ugh|argh|oops|whoops|wait|hang on|hold on|actually|ok|啊|哦|呃|"
    r"哎呀?|诶|唉|等等|等下|"
    r"慢着)[\s,.!]*+)*+"
    r"(?:(?:scratch|strike|correct) that|scratch it|no+(?! (?:problem|issue|objection|need|way|one))\b|nope|nah|"
    r"sorry|sry|"
    r"my (?:bad|mistake|fault)|typo|oops|whoops|correction|"
    r"wrong|i misread|i misspoke|i was wrong|i me?a?nt|changed my mind|on second thought|不对|不是|错|口误|"
    r"手[抖滑误]|嘴瓢|"
    r"[写说打看记弄搞想][错岔串]|改主意|更正|纠正)",
    re.ASCII,
)
"""How somebody begins who takes a value back."""
_FORBIDS: Final = re.compile(
    r"\b(?:don't|dont|do not|never|stop|cancel|abort|forget|leave|keep|stay|no|not|nobody|nothing|cannot|can't|"
    r"won't)\b|"
    r"[别不没勿停]|取消|算了|撤"
)
_BAD: Final = re.compile(
    r"[^,.;!?]{0,24}(?:\b(?:broken?|broke|bad|buggy|fail\w*|crash\w*|leak\w*|slow\w*|wrong|down|dead|worse|still)\b|"
    r"[挂崩坏慢]|错误|报错|失败|有问题|bug)"
)
_BESIDE: Final = 8
"""Letters that may stand beside a number in its clause, little words apart."""
_READ: Final = 12
"""Numbers of a message that are looked at: who says more of them pastes."""
_CURT: Final = 24
"""Characters of a message that has room for a value and the word that introduces it."""
_SLANG: Final = re.compile(r"\W*(?:6{3,}|8{2,}|2333*|520|1{3,}|10086)\W*")
_ONE_VALUE: Final = {"scale": "replicas", "rollback": "revision"}


class _Said(NamedTuple):
    start: int
    end: int
    text: str


def of_plan(reading: Reading, plan: PendingPlan) -> dict[str, SlotValue]:
    """Values of a plan's own parameters that differ from what it has."""
    if plan.action == "delete_pod":
        return _pod(reading.masked, plan)
    return _node(reading.masked, plan) if plan.entity.kind == "Node" else {}


def stated(reading: Reading, action: str, held: Mapping[str, SlotValue]) -> bool:
    """Whether another value stands all alone in a clause, whatever is asked, wondered or waited for beside it ("did I
    say 9? 11", "hang on, the lead says 14, so 14"): not under a condition, nor while it is still looked at."""
    masked = reading.masked
    if slips(reading, action, held):
        return True
    if _UNSURE.search(masked) or not (values := bare(reading, action, held)):
        return False
    if action == "set_autoscaler":
        return True
    if action == "set_image":
        return any(_beside(masked, one) <= _BESIDE for one in _spots(masked, str(values["image"])))
    meant = {_planned(values, slot) for slot in values}
    short = len(masked) <= _CURT
    return any(
        _whole(one.text) in meant
        and (
            not _beside(masked, one)
            or _SUFFICES.match(masked, one.end)
            or (short and _MARKED.search(masked, 0, one.start))
        )
        for one in _numbers(masked)
    )


def _spots(masked: str, text: str) -> Iterator[_Said]:
    for found in re.finditer(re.escape(text), masked):
        yield _Said(found.start(), found.end(), text)


def bare(reading: Reading, action: str, held: Mapping[str, SlotValue]) -> dict[str, SlotValue]:
    """Values of an order that differ from what holds."""
    if _SLANG.fullmatch(reading.masked):
        return {}
    if action in _ONE_VALUE:
        return _one(reading, _ONE_VALUE[action], held) or slips(reading, action, held)
    if action == "set_autoscaler":
        return _bounds(reading.masked, held)
    return _image(reading.masked, held) if action == "set_image" else {}


def _one(reading: Reading, slot: str, held: Mapping[str, SlotValue]) -> dict[str, SlotValue]:
    """The one number that is meant instead: of those that are worth most, the last."""
    masked, planned = reading.masked, _planned(held, slot)
    if roughly(masked):
        return {}
    sed = _SED.search(masked)
    if sed is not None and sed.group(1).isdigit() and sed.group(2).isdigit() and int(sed.group(1)) == planned:
        return {slot: _as(int(sed.group(2)), slot)}
    other = _DATED if slot == "replicas" else _A_VERSION
    said = [one for one in _numbers(masked) if not other.match(masked, one.end)]
    others = [one for one in said if _whole(one.text) not in (None, planned)]
    taken_back = len(others) < len(said)
    worth = [_worth(reading, one, taken_back=taken_back) for one in others]
    best = max(worth, default=0)
    chosen = [one for one, worthy in zip(others, worth, strict=True) if best and worthy == best]
    value = _whole(chosen[-1].text) if chosen else None
    return {} if value is None else {slot: _as(value, slot)}


def sole(reading: Reading, plan: PendingPlan, *, but: float | None = None) -> dict[str, SlotValue]:
    """The one value of a message of which it is known already that it changes one, whatever stands beside it. `but` is
    a number of the message that counts for something else."""
    return _only(reading, plan.action, plan.parameters, but=but)


def _only(
    reading: Reading, action: str, held: Mapping[str, SlotValue], *, but: float | None = None
) -> dict[str, SlotValue]:
    if _SLANG.fullmatch(reading.masked):
        return {}
    if action == "set_image":
        return _image(reading.masked, held)
    slot = _ONE_VALUE.get(action)
    if slot is None or roughly(reading.masked):
        return {}
    meant = {
        _whole(said.text)
        for said in _numbers(reading.masked)
        if not (
            said.text in _ONE
            or _denied(reading.masked, said)
            or is_told(reading.masked, said.start, said.end)
            or _is_step(reading.masked, said)
        )
    } - {None, _planned(held, slot), but}
    value = meant.pop() if len(meant) == 1 else None
    return {} if value is None else {slot: _as(value, slot)}


def _is_step(masked: str, said: _Said) -> bool:
    """Whether a number is how many more or fewer ("要是不够再加两个")."""
    clause = clause_at(masked, said.start, said.end)
    found = relative(clause.text)
    return found is not None and clause.start + found.start <= said.start < clause.start + found.end


def is_taken_back(masked: str, at: int) -> bool:
    """Whether what stands there is not meant, as the word before it says."""
    return _TAKEN_BACK.search(masked, 0, at) is not None


def is_denied(masked: str, value: float) -> bool:
    """Whether a number is said, and each time it is taken back ("6 not 5") or what stands behind denies it ("8
    个也不一定够")."""
    said = [one for one in _numbers(masked) if _whole(one.text) == value]
    return bool(said) and all(
        is_taken_back(masked, one.start)
        or (_DENIED_BEHIND.match(masked, one.end) and not _SUFFICES.match(masked, one.end))
        for one in said
    )


def slips(reading: Reading, action: str, held: Mapping[str, SlotValue]) -> dict[str, SlotValue]:
    """The one value of a message that begins by taking something back and neither leaves, asks, puts off nor forbids
    anything behind that ("scratch that, hotfix got tagged v3.2.1")."""
    begun = _TAKES_BACK.match(reading.masked)
    if begun is None or _UNSURE.search(reading.masked) or _FORBIDS.search(reading.masked, begun.end()):
        return {}
    value = _only(reading, action, held) if "?" not in reading.masked else {}
    for one in _spots(reading.masked, str(value.get("image", ""))) if "image" in value else _numbers(reading.masked):
        if _TOLD_OF.match(reading.masked, one.end) or _BAD.match(reading.masked, one.end):
            return {}
    return value


def _as(value: int, slot: str) -> SlotValue:
    return Quantity("to", value) if slot == "replicas" else value


def _planned(held: Mapping[str, SlotValue], slot: str) -> int | None:
    value = held.get(slot)
    if isinstance(value, Quantity):
        return int(value.value) if value.kind == "to" else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _numbers(masked: str, *, bounds: bool = False) -> Iterator[_Said]:
    minimum = bounds and "max" in masked  # beside which "min" is no minute
    for found in islice(_NUMBER.finditer(masked), _READ):
        measured = _MEASURED.match(masked, found.end()) or _A_SHARE.match(masked, found.end())
        if (measured and not (minimum and _A_MINIMUM.match(masked, found.end()))) or _NAMED.search(
            masked, 0, found.start()
        ):
            continue
        if _A_THING.fullmatch(found.group()) is None or _A_THING.match(masked, found.start()) is None:
            yield _Said(found.start(), found.end(), found.group())


def _whole(said: str) -> int | None:
    value = number(said)
    return whole(said) if value >= 0 and value % 1 == 0 and said[0] not in "+-" else None


def _worth(reading: Reading, said: _Said, *, taken_back: bool) -> int:
    """2 where a word introduces the number, 1 where little stands beside it in its clause, 0 where it is not meant.
    More may stand there where the old number is taken back, or a slip is."""
    masked = reading.masked
    clause = _clause(masked, said)
    if _denied(masked, said) or asks(reading, clause) or _ONLY_IF.search(masked, clause.start, clause.end):
        return 0
    if is_told(masked, said.start, said.end):
        return 0
    if _MARKED.search(masked, 0, said.start) or _SUFFICES.match(masked, said.end):
        return 2
    if (
        _TOLD_OF.match(masked, said.end)
        or _CODE.fullmatch(said.text)
        or (not _whole(said.text) and _beside(masked, said))
    ):
        return 0
    factor = 3 if taken_back else 1.5 if _SLIPPED.search(masked) else 1
    return 1 if _beside(masked, said) <= _BESIDE * factor else 0


def _beside(masked: str, said: _Said) -> int:
    """How much stands beside a number in its clause."""
    clause = _clause(masked, said)
    return left(masked[clause.start : said.start]) + left(masked[said.end : clause.end])


def _denied(masked: str, said: _Said) -> bool:
    return (
        _DENIED_BEFORE.search(masked, 0, said.start) is not None
        or _DENIED_BEHIND.match(masked, said.end) is not None
        or is_taken_back(masked, said.start)
    )


def _clause(masked: str, said: _Said) -> Clause:
    return clause_at(masked, said.start, said.end)


def _bounds(masked: str, held: Mapping[str, SlotValue]) -> dict[str, SlotValue]:
    """A bound is the first new number behind its word that is not denied, or the last before it where numbers stand
    first ("2 min 8 max"); without such words, both are said, or the old one stands beside the new one."""
    masked = _JOINED.sub(" ", masked)
    places = sorted(
        [(found.start(), found.end(), "min") for found in _MIN.finditer(masked)]
        + [(found.start(), found.end(), "max") for found in _MAX.finditer(masked)]
    )
    numbers = [
        one
        for one in _numbers(masked, bounds=True)
        if not (is_told(masked, one.start, one.end) or _STEPPED.search(masked, 0, one.start))
    ]
    if not places or _BOTH.search(masked):
        return _bare_bounds(masked, held, numbers)
    changed: dict[str, SlotValue] = {}
    ahead = any(start - _CLOSE <= one.end <= start for start, _, _ in places[:1] for one in numbers)
    for at, (start, end, slot) in enumerate(places):
        since = places[at - 1][1] if at else 0
        until = places[at + 1][0] if at + 1 < len(places) else len(masked)
        said = [one for one in numbers if (since <= one.start < start if ahead else end <= one.start < until)]
        values = [_whole(one.text) for one in said if masked[end : one.start].isspace() or not _denied(masked, one)]
        new = [value for value in values if value not in (None, _planned(held, slot))]
        if new and slot not in changed:
            changed[slot] = new[-1 if ahead else 0]
    return changed


def _bare_bounds(masked: str, held: Mapping[str, SlotValue], numbers: list[_Said]) -> dict[str, SlotValue]:
    span = _RANGE.search(masked)
    if span is not None:
        pair = {"min": _whole(span.group(1)), "max": _whole(span.group(2))}
        return {slot: value for slot, value in pair.items() if value is not None and value != _planned(held, slot)}
    bounds = {_planned(held, slot): slot for slot in ("min", "max")}
    old = {bounds[value] for one in numbers if (value := _whole(one.text)) in bounds}
    new = {value for one in numbers if (value := _whole(one.text)) is not None and value not in bounds}
    return {old.pop(): new.pop()} if len(old) == len(new) == 1 else {}


def _image(masked: str, held: Mapping[str, SlotValue]) -> dict[str, SlotValue]:
    """Another image, or another tag of the same."""
    image = str(held.get("image", "")).lower()
    own = {image, image.rpartition("/")[2], image.rpartition(":")[2]}
    for found in _TAG.finditer(masked):
        said = _Said(found.start(), found.end(), found.group().rstrip("."))
        if said.text not in own and not (_denied(masked, said) or STAGE.match(masked, said.end)):
            return {"image": said.text}
    for found in _SPOKEN.finditer(masked):
        tag = f"{whole(found['a'] or found['c'])}.{whole(found['b'] or found['d'])}"
        if tag not in own and not _denied(masked, _Said(found.start(), found.end(), tag)):
            return {"image": tag}
    return {}


def _pod(masked: str, plan: PendingPlan) -> dict[str, SlotValue]:
    """Another pod of the same workload, by its whole name."""
    own = str(plan.parameters.get("pod", "")).lower()
    for found in re.finditer(rf"(?<![a-z0-9-]){re.escape(plan.entity.workload.lower())}(?:-[a-z0-9]+)+", masked):
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
