"""How many replicas an utterance says: to a number, by a number, times a number, or unclear which.

Tables in order: the first that matches decides. "扩容 5 个" and "scale up 5" are unclear on purpose.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from chatops_bot.adapters.rules.text.numbers import NUM, number
from chatops_bot.domain.intents import Quantity, QuantityKind

_NO_UNIT = (
    r"(?!\s*(?:%|分钟|小时|秒|天|点|号|行|条|次|版本|倍|[dhms]\b|min|sec|hour|day|week|line|row|gb|mb|gi|mi\b|"
    r"ms\b|g\b|time|percent|x\b|am\b|pm\b|thirds?\b|quarters?\b|fifths?\b|个(?:版本|小时|会话|对话|问题|任务|人|话题|字|服务|命令|操作)|[./:][a-z0-9]))"
)
_REPLICAS = r"(?:replicas?|pods?|instances?|copies|copy|nodes?|workers?)"
_COUNT = r"(?:个|台|份|只(?![要有留剩看是能会读用])|副本|实例|pods?|节点)"
_N = rf"({NUM}){_NO_UNIT}"
_THEM = r"(?:(?:prod|staging|stg|dev|test) )?(?:(?:it|this|that|them|the service|the replicas|replicas|\ue000+)\s+)?"

_DOWN = re.compile(
    r"\b(?:trim|shave|knock|down|reduce|decrease|lower|remove|drop|shrink|fewer|less|cut|subtract|minus"
    r"|take (?:away|off)|shed|lose|"
    r"get rid of|downscale|in by)\b|减|缩|降|"
    r"(?<![最至不])少|砍|撤|收|压(?!测|力)|去掉|下掉"
)

_RETRACTS: Final = (
    r"(?:\b(?:no|nope|sorry|oops|wait|i mean|i meant|or rather|actually)\b|哦?不对|"
    r"哦?不是?(?=[\s,.!])|(?:说|写|打)?错了|口误)"
)
"""What takes back the number before it ("to 5, no, 6"): the one behind it is meant."""

_TO: Final = (
    (
        rf"{NUM}\s*(?:{_COUNT}|{_REPLICAS})*\s*[,.;!]?\s*(?:{_RETRACTS}[\s,.!:]*)+"
        rf"(?:make (?:it|that)|to|应该是|是|改成|要)?\s*{_N}"
    ),
    rf"{NUM}\s*(?:个|副本|实例)*\s*(?:改|变|换|调)(?:到|成|为)?\s*{_N}",
    rf"\bfrom\s+{NUM}\s*(?:{_REPLICAS})?\s+to\s+{_N}",
    rf"从\s*{NUM}\s*{_COUNT}?(?:副本)?\s*(?:扩容?|缩容?|调整?|改|变|加|减|升|降){{0,4}}\s*(?:到|成|为|至)\s*{_N}",
    rf"(?:不是|别)\s*{NUM}\s*{_COUNT}?(?:副本)?\s*[, ]*(?:而?是|要|改成)\s*{_N}",
    rf"\bnot\s+{NUM}\s*(?:{_REPLICAS})?\s*,?\s*(?:but|it's|make it|rather)?\s*{_N}",
    rf"(?:到|成|为|至|改作|设置?|副本数?[=:是]?)\s*(?:正好|最多|最少|刚好)?\s*{_N}",
    rf"\b(?:back |down |up |out |in )?to\s+(?:exactly |just |only |a total of |at least |like )?{_N}",
    (
        rf"\b(?:replicas?|count|number|size|total)\s*(?:(?:should|must|has|needs) (?:to )?be|to|is|at|of|=|"
        rf":)?\s*[=:]?\s*{_N}"
    ),
    rf"=\s*{_N}",
    rf"(?:instead of|rather than|不用|不要)\s*{NUM}\s*(?:个|replicas|副本)*\s*[, ]\s*{_N}",
    rf"{NUM}\s*(?:->|→|=>|-->)\s*{_N}",
    rf"{_N}\s*(?:replicas|个|副本)*\s*,?\s*(?:not|rather than|instead of|不是|而不是)\s*{NUM}",
)
_BY: Final = (
    rf"({NUM})\s+(?:more\s+)?on top\b(?! of (?:that|it|this)?\s*\d)",
    rf"再(?:往上|往下|往回)?(?:添|抬|拉|提|升|降|压|收|撤|匀|拨)(?:上|掉|高|低)?\s*{_N}",
    rf"[扩加]多\s*{_N}",
    rf"\bby\s+(?:another |a further |a |)?{_N}",
    (
        rf"({NUM})\s+(?:more|extra|additional|further|fewer|less)\b"
        r"(?! (?:min|sec|hour|day|week|time|people|user|error|line|thing|question|moment))"
    ),
    (
        rf"\b(?:another|additional|extra|plus|minus|add|adding|remove|subtract|drop|kill|take away|cut|lose)\s+"
        rf"{_THEM}(?:up to )?{_N}"
    ),
    rf"({NUM})\s+{_REPLICAS}\s+(?:more|less|fewer|extra)",
    (
        rf"(?:再|(?<![最至不顶])多|另外?|额外|又)(?:扩容?|缩容?|加|增加?|减少?|起|开|上|来|给|弄|备|挂|跑|拉|怼|顶|去掉|砍|补"
        rf"|搞){{0,3}}掉?上?\s*{_N}"
    ),
    (
        rf"(?:加|增加|添加|加上|补|减少?|去掉|砍掉?|下掉|缩掉|降低?|(?<![最至不])少(?:跑|开|留|起|放|挂|用|要)?|干掉"
        rf"|删掉?)\s*(?:掉|上|了)?\s*{_N}"
    ),
    rf"{_N}\s*{_COUNT}?(?:副本)?\s*(?:以上)?(?:更多)",
    r"(?<![a-z\d.])([-+]\d+(?:\.\d+)?)(?![a-z\d.])",
)
_ONE_MORE: Final = (
    r"\b(?:add|plus|with)\s+(?:an?|one)\s*(?:more\s+|extra\s+|additional\s+)?(?:replica|pod|instance|copy)",
    r"\b(?:one|another)\s+(?:more\s+)?(?:replica|pod|instance|one)\b",
    r"(?:再|多)?(?:加|来|起|开|扩)(?:多)?个?(?:副本|实例|pod)(?!数)",
)
_ONE_LESS: Final = (
    r"\b(?:remove|drop|kill|lose)\s+(?:an?|one)\s+(?:replica|pod|instance|copy)\b",
    r"(?:减|少|去掉?)个(?:副本|实例|pod)",
)
_TIMES: Final[tuple[tuple[str, float], ...]] = (
    (r"\b(?:doubl(?:e|ing)|twice)\b|翻[个一了]{0,2}[倍番](?!以)|加倍|双倍|[加扩多涨]一倍|增加一倍", 2.0),
    (r"\b(?:tripl(?:e|ing)|thrice)\b|翻两番", 3.0),
    (r"\bquadrupl(?:e|ing)\b", 4.0),
    (
        (
            r"\b(?:halv(?:e|ing)|half(?! an?\b| hour| (?:of )?(?:my|our|us|the (?!replicas|pods|instances|number|count|"
            r"size|lot))))\b|减半|砍半|折半|一半|对半|腰斩|对折"
        ),
        0.5,
    ),
)
_TIMES_N = (
    rf"({NUM})\s*(?:times\b|倍|x\b)|(?:[×*]|乘以?|\b(?:multiply|times)(?: (?:it|that))? by)\s*({NUM})(?!\w)|"
    r"(?<![\w.])x\s?(\d+(?:\.\d+)?)(?![\w.])"
)
_UNCLEAR: Final = (
    rf"(?:扩容|缩容|伸缩|扩|缩|扩缩容)(?:一下|下|个)?\s*(?:\ue000+)?\s*{_N}",
    (
        rf"\b(?:scale|upscale|downscale|increase|decrease|raise|lower|bump|grow|shrink|reduce|resize)"
        rf"(?:\s+(?:up|down|out|in))?\s+{_THEM}(?:up |down |out |in )?{_N}"
    ),
)
_PLAIN: Final = (
    rf"\b(?:at least|at most|no more than|no fewer than)\s+{_N}",
    rf"({NUM})\s*(?:个|台|份)?\s*(?:副本|实例|pods?\b|{_REPLICAS}\b)",
    (
        rf"\b(?:make (?:it|that|them)|set (?:it|that)(?: at)?|want|need|needs|use|have|run|give (?:it|me)|go (?:with|"
        rf"for)|with|at|"
        rf"meant?|be|just|only|try|say|prefer|keep (?:it )?(?:at)?|do|run with|cap (?:it )?at|it's|rather|actually|"
        rf"instead|no|not|"
        rf"take|start with|how about|what about|said|should be|but|is|want|like|have)\s+(?:a total of |like |"
        rf"maybe |exactly |just |only |at )?{_N}"
    ),
    rf"(?:要|用|改|还是|换|就|只要|只|给|开|跑|起|来|先|是|弄|搞|上|保持|留|按|应该|取)\s*{_N}\s*{_COUNT}?",
    rf"{_N}\s*(?:instead|is (?:better|enough|fine)|would (?:be|do)|should (?:be|do)|will do|it is|please|then)",
    rf"{_N}\s*{_COUNT}(?!月|人|方案|问题)(?:就|吧|足|够|更|比较|好|行|即可|算了)?",
)

_METRIC: Final = (
    r"(?:\b(?:qps|rps|tps|p\d{2,3}|latency|cpu|load|mem|memory|rt|disk|port|pid|throughput|error rate|errors)\b|"
    r"延迟|负载|内存|流量|磁盘|错误率|错误数|耗时|端口)"
)
_MEASURES: Final = (
    rf"{_METRIC}(?>\s*(?:(?:is|was|at|of|around|about|now|hit|hits|over|above|below|under|up to|"
    r"at least|at most|max|min|goes|exceeds|tops|more than|less than)\b|"
    r"[:=<>≥≤]|到|在|是|有|了|涨|降|超过|超|高于|低于|大于|小于|达到?|已经|现在|最高|最大))*+"
)
_MEASURED: Final = re.compile(rf"{_MEASURES}\s*$", re.ASCII)
_TOLD_BEFORE: Final = re.compile(
    rf"(?:{_MEASURES}|(?:现在|目前|已经)?(?:只有|还有|只剩|还剩|剩下?)了?|[算加带]上?我们?|"
    r"(?<!can )(?<!could )\b(?:i|we|they|it|there)(?:'ve|'s)? (?:only |just |still |currently )*"
    r"(?:have|has|had|got|see)(?: only| just| still| about)*|"
    r"\b(?:i|we|they|he|she|it)(?: \w+)? (?!want|need|prefer|request|plann|intend)(?:lost|saw|had|killed|[a-z]{3,}ed)|"
    r"\bthere(?:'s| is| are| were| was)(?: only| just| still)*)\s*$",
    re.ASCII,
)
"""Before a number that tells how things are."""
_TOLD_BEHIND: Final = re.compile(
    rf"\s*(?:{_COUNT}|{_REPLICAS})*\s*(?:(?:of (?:them|those|these|the \w+) )?(?:"
    r"(?:is|are|was|were)(?: (?:still|now|already|only))* (?:up|down|ready|healthy|unhealthy|running|alive|left|"
    r"serving|dead|ok now|available|crash\w*|fail\w*|restart\w*|pending|stuck|broken)\b|"
    r"(?:left|respond\w*|ready|running|alive|healthy|crash\w*|died|failed|failing|complain\w*|remain\w*|survived)\b|"
    r"(?:users?|errors?|alerts?|customers?|tickets?|requests?|incidents?|nodes?)\b)|"
    r"(?:还)?(?:是)?(?:好的(?!吧)|好着|活着|正常|可用|能用|健康|在跑|在线|就绪|挂|崩|没起|起来了))",
    re.ASCII,
)
"""Behind a number that tells how things are ("only 1 pod is up")."""
_WISHED: Final = re.compile(
    r"(?:\b(?:wants?|wanted|needs?|needed|keep|make|use|leave|should|must|to|rev\w*|version|says?|said|meant?|set|give|"
    r"like|with|take|run)\b|[要留保改换按给第版到成])[^,.;!?\d]{0,12}$",
    re.ASCII,
)
"""Before a number that is wanted, whatever stands behind it."""


def is_told(text: str, start: int, end: int) -> bool:
    """Whether a number that stands there tells how things are, rather than what is wanted ("qps 3000", "算我一个")."""
    if _TOLD_BEFORE.search(text, 0, start):
        return True
    return _TOLD_BEHIND.match(text, end) is not None and _WISHED.search(text, 0, start) is None


_COMPILED: Final[tuple[tuple[re.Pattern[str], QuantityKind], ...]] = (
    *((re.compile(pattern), "to") for pattern in _TO),
    *((re.compile(pattern), "by") for pattern in _BY),
    *((re.compile(pattern), "unclear") for pattern in _UNCLEAR),
    *((re.compile(pattern), "to") for pattern in _PLAIN),
)
_OF_NO_VERB: Final = frozenset(compiled for compiled, _ in _COMPILED[-len(_PLAIN) :])
_FACTORS: Final = tuple((re.compile(pattern), factor) for pattern, factor in _TIMES)
_FACTOR_N = re.compile(_TIMES_N)
_MORE = re.compile("|".join(_ONE_MORE))
_LESS = re.compile("|".join(_ONE_LESS))
_FEW = re.compile(r"(?P<none>(?:归|清)零|(?:缩|降|减|调|砍|变)(?:到|成|为)零)|单(?:个)?(?:副本|实例|pod)")
_ANY = re.compile(
    rf"{NUM}|[归清]零|单|半|倍|番|twice|doubl|halv|half|tripl|quadrupl|\ban? |another|个副本|个实例|个pod|x\s?\d"
)
_OR = re.compile(
    rf"\s*(?:{_COUNT}|{_REPLICAS})*\s*"
    r"(?:-|~|or|或者?|还是|到|至|(?:, ?)?(?:and )?then|,?\s*(?:and|和|又|以及|&)|,(?=\s*(?:to\b|扩?到)))"
    rf"\s*(?:扩?到|to)?\s*{NUM}"
)
"""Behind a number, another one: which is meant is asked ("3-5", "3 or 4", "to 3 and to 5", "三到五个")."""

_RANGE = re.compile(rf"(?<!从)(?<!从 )(?<![^\W_]){NUM}\s*{_COUNT}?\s*[到至]\s*{NUM}")
_NEIGHBOURS: Final = re.compile(
    r"(?<![\d,.一二两三四五六七八九十百])(?<!不是)(?<!不要)(?<!not )([1-9一二两三四五六七八])[,、] ?"
    r"([2-9二三四五六七八九])(?![\d,.十百])"
)
_DENIED: Final = re.compile(
    rf"\b(?:not|rather than|instead of)\s+(?:to|by)\s+{NUM}|(?:不是|而非)[扩缩加减]?容?(?:到|成)\s*{NUM}"
)
"""A number that is taken back together with the word that tells what it would be ("by 5, not to 5")."""
_BARE = re.compile(
    rf"(?:to|at|到|成|=|:)?\s*({NUM})\s*(?:个|台|份|副本|实例|replicas?|pods?|instances?)*\s*[.!吧呀啊 ]*"
)


def measured(text: str, start: int) -> bool:
    """Whether a number that begins there is what a metric shows or is to reach ("cpu > 80"), and no value."""
    return _MEASURED.search(text, 0, start) is not None


def roughly(clause: str) -> bool:
    """Whether a number and a greater one are said for one about there ("5、6 个")."""
    return any(number(said[2]) > number(said[1]) for said in _NEIGHBOURS.finditer(clause))


def quantity(clause: str) -> Quantity | None:
    """The number of replicas that a masked clause says, or None: also where it leaves a choice between two."""
    if _ANY.search(clause) is None or _RANGE.search(clause) or roughly(clause):
        return None
    clause = _DENIED.sub(lambda found: " " * len(found.group()), clause)
    if (few := _FEW.search(clause)) is not None:
        return Quantity("to", 0 if few["none"] else 1)
    factor = _factor(clause)
    if factor is not None:
        return Quantity("times", factor)
    for compiled, kind in _COMPILED:
        match = compiled.search(clause)
        if match is not None and _is_told(compiled, clause, *match.span(match.lastindex or 1)):
            match = None
        if match is not None and _OR.match(clause, match.end(match.lastindex or 1)):
            return None
        if match is not None:
            return _signed(clause, kind, number(match.group(match.lastindex or 1)))
    if _LESS.search(clause):
        return Quantity("by", -1)
    if _MORE.search(clause):
        return Quantity("by", 1)
    return None


def _is_told(pattern: re.Pattern[str], clause: str, start: int, end: int) -> bool:
    """Beside a verb a number is wanted, unless it measures something."""
    if pattern in _OF_NO_VERB:
        return is_told(clause, start, end)
    return measured(clause, start)


def _factor(clause: str) -> float | None:
    """By what it is multiplied."""
    for pattern, factor in _FACTORS:
        if pattern.search(clause):
            return factor
    found = _FACTOR_N.search(clause)
    return None if found is None else number(found.group(found.lastindex or 1))


_MORE_EN = (
    r"more|extra|additional|further|another|add(?:ing)?|plus|spare|(?:tack|stick|throw|toss|chuck|pop|"
    r"put) (?:on|in)"
)
_LESS_EN = (
    r"less|fewer|drop|lose|shave|knock|trim|cut|chop|shed|remove|minus|subtract|ditch|kill|axe|deduct|lop|dock|"
    r"take (?:off|away|out)"
)
_BESIDE = (
    r"(?:\s|(?:off|out|away|of|it|that|them|those|an?|another|maybe|like|about|just|up to|by|up|on|in|more|extra)\b|"
    r"[掉上了个下它来给开要扩缩加起放弄搞用跑留约点]|大概|回去|出来)*"
)
_THINGS = r"(?:\s|[个台份只]|副本|实例|replicas?|pods?|instances?|copies|of (?:them|those|these)|that|it)*"
_DOWN_ZH = "减砍撤扣裁抠削剔踢刨抽匀省卸摘"
_NOT_TO = "(?![到至成为回版])[\u4e00-\u9fff]"
_ADDS: Final = (
    re.compile(
        rf"(?:\b(?:{_MORE_EN})\b|(?<![最至不顶])多(?![少了余久次于看])|再(?!说|看|等)|加(?!到|成)|添|补|涨|追|续|塞|怼|"
        rf"垫)"
        rf"{_BESIDE}({NUM})"
    ),
    re.compile(rf"(?:(?:再|额外)(?:(?![说看等试查问过下]){_NOT_TO}){{0,3}}|(?:又|另外?)[加添开起扩来补上])({NUM})"),
    re.compile(
        rf"({NUM}){_THINGS}(?:\b(?:{_MORE_EN}|on top|higher|(?:above|over) (?:that|it|this)|too few|"
        rf"short(?! of))\b|上去|进[去来])"
    ),
    re.compile(rf"(?<![最至不])(?:少|差|缺)(?:[算写报说估打开]?了)?({NUM})"),
)
_TAKES: Final = (
    re.compile(
        rf"(?:\b(?:{_LESS_EN})\b|(?<![最至不])少(?![说了于算写报])|减(?!到|成|至)|[砍撤扣裁]|匀出|去掉|拿掉)"
        rf"{_BESIDE}({NUM})"
    ),
    re.compile(rf"(?:[{_DOWN_ZH}](?:{_NOT_TO})?|[掉走]|(?:再|又)(?:{_NOT_TO})?[缩降收拿去退下](?:{_NOT_TO})?)({NUM})"),
    re.compile(
        rf"({NUM}){_THINGS}(?:\b(?:less|fewer|off|away|out|lower|down|back|(?:below|under) (?:that|it|this)|"
        rf"too many)\b|[下拿撤减抽砍]?(?:[下回出](?=[来去])|[掉走]))"
    ),
    re.compile(rf"多(?:[算写报说估打开]?了|出来?)({NUM})"),
)
_ANEW: Final = (
    (re.compile(rf"\b(?:add|put|bring|give)(?: me| us| it)? ({NUM}){_THINGS}back\b"), 1),
    (re.compile(rf"(?<![最至不])少(?:[减缩砍撤裁扣]|去掉|下掉)掉?({NUM})"), 1),
    (
        re.compile(rf"({NUM}){_THINGS}(?:more|further|extra)\b{_THINGS}(?:less|fewer|off|away|down|lower)\b"),
        -1,
    ),
)
"""Where two words that tell the direction stand by one number, how it is meant."""
_ANOTHER: Final = re.compile(
    r"\banother(?:\s+(?:one|replica|pod|instance|copy))?(?=\W*$|\s*[,.;!]| (?:on top|for|please|pls|to be|just)\b)|"
    r"\bone on top\b"
)
_TO_BEFORE = re.compile(r"(?:\b(?:to|at|=|->)|[到成为至])\s*$")
_NOT_COUNTED = re.compile(rf"{_NO_UNIT}(?!半|番|成|[个台份]?也?都|个?(?:环境|集群|服务|应用|问题|错))")


class Relative(NamedTuple):
    """How many more or fewer, or how many times as many, and where that is said."""

    said: Quantity
    start: int
    end: int


def relative(clause: str) -> Relative | None:
    """How many more or fewer than what was ordered a correction says ("drop one", "three off", "再塞俩进去"), or how
    many times as many. A direction and a number side by side tell that where a number stands already; alone they may
    tell the total."""
    for pattern, factor in _FACTORS:
        if (found := pattern.search(clause)) is not None:
            return Relative(Quantity("times", factor), *found.span())
    for pattern, sign in (*_ANEW, *((one, -1) for one in _TAKES), *((one, 1) for one in _ADDS)):
        for found in pattern.finditer(clause):
            if _TO_BEFORE.search(clause, 0, found.start(1)) or not all(
                _NOT_COUNTED.match(clause, end) for end in (found.end(1), found.end())
            ):
                continue
            return Relative(Quantity("by", sign * abs(number(found[1]))), *found.span())
    if (found := _ANOTHER.search(clause)) is not None:
        return Relative(Quantity("by", 1), *found.span())
    said = quantity(clause)
    return Relative(said, 0, len(clause)) if said is not None and said.kind in ("by", "times") else None


def bare_quantity(text: str) -> Quantity | None:
    """The number when the text is nothing but one ("5", "5 个副本", "to 3"), or says one in any other way."""
    found = _BARE.fullmatch(text.strip())
    if found is not None and not found.group(1).startswith(("+", "-")):
        return Quantity("to", number(found.group(1)))
    return quantity(text)


def _signed(clause: str, kind: QuantityKind, value: float) -> Quantity:
    if kind in ("by", "unclear") and value > 0 and _DOWN.search(clause):
        value = -value
    return Quantity(kind, value)
