"""Where something is wanted, as a correction says it: "staging", "do it in staging, not in prod", "该上 prod 了".

A message is read clause by clause: the place counts that a clause says and hardly anything beside it, or that is named
where another is refused; what is told of a place ("staging works fine") asks for nothing there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from chatops_bot.adapters.rules.text.reading import Reading
from chatops_bot.adapters.rules.tone.filler import asks, clauses, left
from chatops_bot.adapters.rules.values import slots
from chatops_bot.adapters.rules.values.parameters import PLACES
from chatops_bot.domain.intents import SlotValue

_STAYS: Final = re.compile(
    r"\W*(?:(?:one|env\w*|环境|那个|的)\W*)?(?:stays?|remains?|is (?:fine|ok|good|right)|as (?:it )?is|alone|"
    r"untouched|不动|不变|别动|保持|没问题|不用)"
)
_RATHER: Final = (
    r"\b(?:i me?ant?|i mean|should be|instead|rather|actually|wrong|not|change|switch|make)\b|不是|应该|"
    r"改|换|错|说的是|我要"
)
_MEANT: Final = re.compile(
    rf"{_RATHER}|\b(?:same|what about|how about|(?:that|this|it|them|those|one) (?:for|in|on|from|of)|mirror|repeat|"
    r"and|also|too|there)\b|也|呢|同样"
)
_MEANT_BY_ORDER: Final = re.compile(_RATHER)
_WHERE: Final = re.compile(
    r"\b(?:numbers?|figures|nothing|there|env(?:ironment)?|cluster|namespace|ns|one|please|of course|side|version|"
    r"as well|check|look(?:s|ing)?|see|show|have|how|does|do|over|what'?s?|whats|happening|going|things|compare|"
    r"compared|same|now|got|get|flavou?r|variant|copy|edition|twin|instance|supposed|intended|"
    r"that's|it's|is|was|for)\b|环境|集群|命名空间|那个|那边|"
    r"这边|里面?|看看?|查|下|也|一套|套|有没有|这种|这类|一样的?|同样的?|操作|如何|咋样|怎么样|什么样|"
    r"哪样|呢"
)
_TOLD: Final = re.compile(
    r"\s+(?:is|was|works?|looks?|seems?|has|had|runs?|are|went|got|broke|still|already)\b|\s*(?:环境|那边|这边|那套|"
    r"那头)?(?:也|都|"
    r"已经|现在)?"
    r"(?:没|未|已|跑|闲|忙|空|机|不过|正常|没问题|没事|挂|好的|好着|有问题|崩|坏|在报)|(?:那边|这边|同学|组|部门|"
    r"团队)*的?人?(?:要(?!\s*\d|[一二两三四五六七八九十停动的])|说|"
    r"在|想|得|让|等|反馈)",
    re.ASCII,
)
_REFUSED: Final = re.compile(
    r"(?:\b(?:not|never|nobody|instead of|rather than|leave|out of|away from|off|isn't|wasn't|ain't)\b|n't\b|别|甭|勿|"
    r"不(?:是|要|能|该|应|在|碰|动|想|许|准)|而非)[^,.;]{0,16}$",
    re.ASCII,
)
"""Before a place that is refused ("not in prod", "先别拿生产练手")."""
_IS_TOLD: Final = re.compile(
    r"\b(?:tested|tried|verified|ran|saw|seen|worked|works|happened|happens|passed|failed|broke|soaked|baked|went|"
    r"was(?! (?:supposed|me?ant|for|intended))|were|"
    r"(?!need|speed|wanted|mixed|messed|confused|supposed|intended)[a-z]{3,}ed|did|had|has|if|unless|until|after|"
    r"before|once|when|yesterday|already|myself|ourselves|i'll|we'll|"
    r"i'm (?!talking|on about)|later)\b|"
    r"过[了的]|过\W*$|[验测试跑看签批]过|[验测试跑]完|还[在没]|等(?!等)|昨天|上周|刚才|已经|自己|等会|稍后|晚点|回头|"
    r"如果|要是|万一",
    re.ASCII,
)
"""Tells of a place, or of a time when it may be wanted."""
_WHICH: Final = re.compile(r"wrong|right|other|same|this|that|which|correct|whole|entire|错|对")
"""No name of a cluster or a namespace."""
_ALSO: Final = re.compile(
    r"\s*(?:那边|这边|环境)?(?:也|同样|照样)(?:来|要(?!不)|做|弄|搞|给我|上|看)|"
    r"\s*(?:one )?(?:too|as well|likewise|next)\W*$|"
    r"\s*(?:is|was) (?:the (?:one|idea|plan|target|goal|place|intention)|what|me?ant|intended|supposed)\b",
    re.ASCII,
)
"""Behind a place where the same is wanted, or that was meant from the start."""
_FOCUS: Final = re.compile(
    r"(?:的|说|指|要|该|应)是\s*$|\b(?:the|my|that|this|one) (?:\w+ )?(?:in|on|for|from|is) (?:the )?$|"
    r"\bme?ant (?:the )?$"
)
"""Before a place that is named as what is meant ("我想动的是 staging")."""
_PLACED: Final = 6
"""Letters that may be left of what says a place and nothing else."""


def says_place(reading: Reading, *, ordered: bool = False) -> bool:
    """Whether a place is said to be meant, and nothing told of it ("staging works fine"). Of an order it takes more
    than that something goes on there ("测试环境闲着呢")."""
    meant = _MEANT_BY_ORDER if ordered else _MEANT
    return meant.search(reading.masked) is not None or says_only_place(reading)


def says_only_place(reading: Reading, *, outright: bool = False) -> bool:
    """Whether hardly anything is said but a place, in one of its clauses; or one place is refused and another named.
    Outright that is where that clause does not ask."""
    return bool(_place_of(reading, outright=outright)) or _is_only_name(reading)


def _is_only_name(reading: Reading) -> bool:
    """Whether hardly anything is said but the name of a namespace or a cluster."""
    said = [str(value) for slot, value in placed(reading).items() if slot != "environment"]
    rest = reading.masked
    for value in said:
        rest = rest.replace(value.lower(), " ")
    return bool(said) and left(_WHERE.sub(" ", rest)) <= _PLACED


class _Place(NamedTuple):
    environment: str
    start: int
    end: int
    denied: bool


def _place_of(reading: Reading, *, outright: bool = False) -> str:
    """The environment that is meant: the last that a clause says and hardly anything beside, else the one that is
    named where the other is refused; "" where a place is only told of."""
    meant, named, denied = "", set[str](), set[str]()
    for clause in clauses(reading.masked):
        places = list(_places(clause.text))
        denied |= {place.environment for place in places if place.denied}
        last = next((place for place in reversed(places) if not place.denied), None)
        if last is None:
            continue
        if _ALSO.match(clause.text, last.end):
            meant = last.environment
        elif not ((outright and asks(reading, clause)) or _IS_TOLD.search(clause.text) or _told(clause.text, last)):
            named.add(last.environment)
            meant = last.environment if _is_all(clause.text, last, places) else meant
    rather = named - denied
    return meant or (rather.pop() if denied and len(rather) == 1 else "")


def _told(text: str, place: _Place) -> bool:
    return _TOLD.match(text, place.end) is not None


def _is_all(text: str, last: _Place, places: list[_Place]) -> bool:
    """Whether a clause says hardly anything but places, or nothing behind one that is named as what is meant."""
    if _FOCUS.search(text, 0, last.start) and not left(text[last.end :]):
        return True
    for place in places:
        text = text[: place.start] + " " * (place.end - place.start) + text[place.end :]
    return left(_WHERE.sub(" ", text)) <= _PLACED


def _places(text: str) -> Iterator[_Place]:
    """The environments that a clause names."""
    blank = slots.without_environment(text)
    marks = "".join("x" if one != other else "_" if one == " " else "." for one, other in zip(text, blank, strict=True))
    before = 0
    for found in re.finditer(r"x[x_]*", marks):
        environment = slots.environment(text[found.start() : found.end()], "")
        if environment:
            denied = _REFUSED.search(text, before, found.start()) or _STAYS.match(text, found.end())
            yield _Place(environment, found.start(), found.end(), denied is not None)
            before = found.end()


def placed(reading: Reading) -> dict[str, SlotValue]:
    """Where something is wanted: the place that is said and hardly anything beside it, else the last that is neither
    denied nor left as it is."""
    masked, text = reading.masked, reading.text
    found: dict[str, SlotValue] = {}
    for slot, extractor in PLACES.items():
        value = extractor(masked, text) if slot != "environment" else _place_of(reading) or _last_place(masked)
        if value and not (slot != "environment" and _WHICH.fullmatch(str(value))):
            found[slot] = value
    return found


def _last_place(masked: str) -> str:
    return next((one.environment for one in reversed([*_places(masked)]) if not one.denied), "")
