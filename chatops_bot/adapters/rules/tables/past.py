"""What was done before, as it is asked ("what did we do on web yesterday", "昨晚这里发生了什么"), and spans of time.

A span is a word here ("yesterday"); what it means on which clock is computed where there is one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.spans import WEEKDAYS, before_that

OURS: Final = "ours"
"""The part of `changes` that is what people did through the bot, and how it ended."""
ROOM: Final = "room"
"""Said to be meant of the room, whatever is talked about."""

_DAYS_ZH: Final = dict(zip("一二三四五六日", WEEKDAYS, strict=True)) | {"天": "sunday"}

_SPANS: Final = (
    ("day_before", r"\bthe day before(?: yesterday)?\b|前天|前日"),
    (
        "last_night",
        r"\blast night\b|\bovernight\b|\byesterday (?:night|evening)\b|昨晚|昨夜|昨天(?:晚上|夜里|半夜)|夜里",
    ),
    ("this_morning", r"\bthis morning\b|今早|今晨|今天(?:早上|上午|凌晨)"),
    ("yesterday", r"\byesterday\b|昨天|昨日|昨儿"),
    ("today", r"\btoday\b|今天|今日"),
    ("week_before", r"\b(?:the )?week before(?: last)?\b|上上个?(?:周|星期|礼拜)|再上一?个?(?:周|星期|礼拜)"),
    ("last_week", r"\blast week\b|上一?个?(?:周|星期|礼拜)"),
    ("this_week", r"\bthis week\b|这个?(?:周|星期|礼拜)(?![一二三四五六日天末])|本周"),
)
_NAMED: Final = tuple((name, re.compile(pattern, re.ASCII)) for name, pattern in _SPANS)
_WEEKDAY: Final = re.compile(
    rf"\b(?:on|last|this past) (?P<en>{'|'.join(WEEKDAYS)})\b|(?:周|星期|礼拜)(?P<zh>[一二三四五六日天])", re.ASCII
)
_WHEN_EN: Final = (
    r"(?:last night|overnight|yesterday|today|this (?:morning|week)|last week|the (?:day|week) before|"
    rf"(?:on|last) (?:{'|'.join(WEEKDAYS)}))"
)
_WHEN_ZH: Final = r"(?:昨[晚夜天日]|前天|今[天早日]|夜里|[上本这]上?个?(?:周|星期|礼拜)|(?:周|星期)[一二三四五六日天])"

_WHO_EN: Final = r"(?:we|you|people|everybody|everyone|anybody|anyone|the team|they|i)"
_HERE_EN: Final = r"(?:here|(?:in|on) (?:this|the) (?:channel|room|chat|group))"
_HERE_ZH: Final = r"(?:这里|这儿|这边|群里|本群|这个?群|频道里)"
_WHAT_ZH: Final = r"(?:什么|啥|哪些|些什么|些啥)"
_DO_ZH: Final = r"(?:做|干|弄|搞|操作|处理|执行|折腾)"

_OF_EN: Final = r"(?: (?:to|on|with|about|for|in) (?:the )?(?:N|it|this|that))?"
_OF_ZH: Final = r"(?:N|它|这个服务)"
_THINGS_ZH: Final = rf"{_DO_ZH}(?:了|过)+(?:{_WHAT_ZH})(?:操作|变更|事情?|动作)?"
_HAPPENED_ZH: Final = rf"(?:都|一共)?(?:发生|出)(?:了|过)*(?:{_WHAT_ZH})(?:事情?)?"

PASTS: Final = (
    (
        (
            rf"what(?: all)? (?:did|have|had|has) {_WHO_EN} (?:all |already |actually )?(?:do(?:ne)?|run|executed?|"
            rf"tr(?:y|ied)){_OF_EN}(?: {_HERE_EN})?(?: {_WHEN_EN})?(?! to (?:fix|help))"
        ),
        rf"what (?:was|has been|got|have been) done{_OF_EN}(?: {_HERE_EN})?",
        rf"what (?:happened|went on|was going on)(?: {_HERE_EN})(?: {_WHEN_EN})?",
        (
            rf"what (?:happened|went on){_OF_EN}(?: {_HERE_EN})? "
            rf"(?:{_WHEN_EN}|(?:in|over|during|within) the (?:last|past) (?:\d+|few|couple of|hour|day|week))"
        ),
        rf"who did what|(?:recap|summary|rundown) (?:of|for|from) {_WHEN_EN}",
    ),
    (
        (
            rf"(?:我们|你们|咱们?|大家|你|谁){_WHEN_ZH}?(?:都|一共|已经)?"
            rf"(?:[对给在把为](?:\s?{_OF_ZH}\s?)?(?:上|上面)?)?{_WHEN_ZH}?(?:都|一共|已经)?{_THINGS_ZH}"
        ),
        rf"(?:[对给在把为]\s?)?{_OF_ZH}\s?(?:上|上面)?{_WHEN_ZH}?(?:都|一共|已经|被)?{_THINGS_ZH}",
        rf"{_WHEN_ZH}(?:都|一共)?{_THINGS_ZH}",
        rf"{_HERE_ZH}(?:在)?{_WHEN_ZH}?(?:{_HAPPENED_ZH}|(?:都|一共)?{_THINGS_ZH})",
        rf"{_WHEN_ZH}{_HERE_ZH}?(?:都|一共)?(?:\s?N\s?)?{_HAPPENED_ZH}",
        rf"N\s?{_WHEN_ZH}{_HAPPENED_ZH}",
    ),
)
"""What asks for it, in English and in Chinese."""

_ASKS: Final = re.compile(
    rf"\b(?:{'|'.join(PASTS[0])})\b|{'|'.join(PASTS[1])}".replace("N", "\ue000+"), re.ASCII | re.IGNORECASE
)
_HERE: Final = re.compile(rf"\b{_HERE_EN}\b|{_HERE_ZH}", re.ASCII)


_BEFORE: Final = re.compile(
    r"\bthe (?:week|day|one) before\b(?! last| yesterday)|\bbefore that\b|"
    r"前一[天周]|再(?:往)?(?:前|上)一?个?|那之前|更早",
    re.ASCII,
)


_WEEK_BEFORE: Final = re.compile(r"\bthe week before\b(?! last)|前一周|再(?:往)?[前上]一?个?(?:周|星期|礼拜)", re.ASCII)
_NOT_THIS_WEEK: Final = re.compile(
    r"不是这[个周一].{0,6}上一?个?(?:周|星期|礼拜)|\bnot (?:this|that)\b.{0,12}\blast week\b"
)

_DAY_S: Final = 86_400
_REACH: Final = {
    "last_night": 1,
    "this_morning": 1,
    "yesterday": 2,
    "day_before": 3,
    "this_week": 7,
    "last_week": 14,
    "week_before": 21,
    **dict.fromkeys(WEEKDAYS, 7),
}
"""Days back from now that hold a span, at any hour of any day of the week."""


def before(masked: str, base: Mapping[str, SlotValue]) -> dict[str, SlotValue]:
    """The span before the one that was asked about last ("not this one, the week before"); nothing where it has no
    name, or none was asked about."""
    held = str(base.get("when", ""))
    if _WEEK_BEFORE.search(masked) and not held.endswith("week") and held != "week_before":
        return {"when": "last_week"} if held else {}
    if held == "last_week" and _NOT_THIS_WEEK.search(masked):
        return {"when": "week_before"}
    found = before_that(held) if _BEFORE.search(masked) else ""
    return {"when": found} if found else {}


def reach(masked: str, text: str) -> int | None:
    """Seconds back from now that hold a span said by its name, for what can only be looked at up to now."""
    named = when(masked, text)
    if named == "week_before" and _WEEK_BEFORE.search(masked):
        named = "last_week"
    return _REACH[str(named)] * _DAY_S if named is not None and named in _REACH else None


def asks_past(masked: str) -> bool:
    """Whether a text asks what was done."""
    return _ASKS.search(masked) is not None


def part(masked: str, _text: str) -> SlotValue | None:
    """The part of `changes` that is asked for."""
    return OURS if asks_past(masked) else None


def about(masked: str, _text: str) -> SlotValue | None:
    """The room, where that is said."""
    return ROOM if asks_past(masked) and _HERE.search(masked) else None


def when(masked: str, _text: str) -> SlotValue | None:
    """A span of time by its name. "Today" is one where it is asked what was done; else it is how far back one looks."""
    named = next((name for name, pattern in _NAMED if pattern.search(masked)), None)
    if named is not None:
        return named if named != "today" or asks_past(masked) else None
    found = _WEEKDAY.search(masked)
    if found is None:
        return None
    return found["en"] or _DAYS_ZH[found["zh"]]
