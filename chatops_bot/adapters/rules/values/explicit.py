"""The new values that a correction says, told from the old ones that it takes back.

An old value stands beside the new one in any order and dress ("10 is nuts. 6", "2h not 1h", "十五改五十", "s/15/10/"):
whatever equals what holds is blanked out, and what is left is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from chatops_bot.adapters.rules.tables import looking
from chatops_bot.adapters.rules.text.numbers import NUM, number, whole
from chatops_bot.adapters.rules.text.reading import Reading
from chatops_bot.adapters.rules.tone.filler import LITTLE, clause_at, left
from chatops_bot.adapters.rules.tone.flow import flow_of
from chatops_bot.adapters.rules.values.changed import bare, is_denied, is_taken_back
from chatops_bot.adapters.rules.values.parameters import OF_INTENT, slots_of
from chatops_bot.adapters.rules.values.placing import placed, says_place
from chatops_bot.adapters.rules.values.quantities import is_told
from chatops_bot.adapters.rules.values.slots import STAGE
from chatops_bot.adapters.rules.values.stepping import more_or_fewer
from chatops_bot.domain.intents import ACTIONS, Quantity, SlotValue

_UNITS: Final = {"m": 60, "h": 3600, "d": 86400, "w": 604800, "秒": 1, "分": 60, "刻": 900, "小": 3600, "钟": 3600}
_UNITS_ZH: Final = {"天": 86400, "日": 86400, "周": 604800, "星": 604800}
_SPAN: Final = re.compile(
    rf"(?P<n>(?:a )?quarter (?:of an?|-)|{NUM}|\bhalf an?|\ban?(?= )|半)\s*个?(?P<h>半)?整?\s*(?:(?:full|whole|"
    rf"entire) )?"
    r"(?P<u>min(?:ute)?s?(?![a-z])|m(?![a-z])|h(?:(?:ou)?rs?)?(?![a-z])|d(?:ays?)?(?![a-z])|w(?:eeks?)?(?![a-z])|"
    r"秒钟?|分钟?(?!之)|刻钟?|小时|钟头?(?!表)|天|日|周|星期)",
    re.ASCII,
)
_NOT_BACK: Final = re.compile(r"(?:\b(?:in|wait|after|next|every|for)|等|再过|每|过)\s*$")
"""Before a span of time that does not lie behind."""
_AHEAD: Final = re.compile(r"\s*(?:后|之后|以后|later|from now|each|一次)")
_COUNTED: Final = re.compile(
    r"\s*(?:lines?|rows?|entries|replicas?|pods?|instances?|copies|行|条|个|台|份|副本|实例|版本?|号)", re.ASCII
)
_OF_UNIT: Final = (
    (re.compile(r"\s*(?:lines?|rows?|entries|行|条)", re.ASCII), frozenset({"tail"})),
    (
        re.compile(r"\s*(?:replicas?|pods?|instances?|copies|[个台份]|副本|实例)", re.ASCII),
        frozenset({"replicas", "min", "max"}),
    ),
    (re.compile(r"\s*(?:号|那?个?版)", re.ASCII), frozenset({"revision"})),
)
"""Of what a number with such a word behind it is."""
_NO_COUNT: Final = re.compile(
    r"\s*(?:[%:]|[a-z]*\d|分钟|小时|秒|天|点|am\b|pm\b|[mhd]\b|min|sec|hour|day|week|gb|mb|ms\b|[倍些下起样])", re.ASCII
)
_NUMBERED: Final = re.compile(
    r"(?:\b(?:pods?|nodes?|shards?|instances?|zones?|steps?|sev|incident|ticket|issue|http|code|error)|第|节点|"
    r"分片|步骤)"
    r"[\s#-]*$",
    re.ASCII,
)
"""Before a number that one thing is called by."""
_NUMBER: Final = re.compile(NUM)
_STARRED: Final = re.compile(rf"\*+\s?(?P<n>{NUM})\W*")
"""How people put a slip right in the next message."""
_LAST: Final = re.compile(rf"\b(?:last|latest|tail)\s+({NUM})\W*$")
_RATHER: Final = re.compile(
    r"\b(?:instead|rather|actually|only|just|sorry|no+)\b|还是|就[好行够]|只要?|不对|不是|改|错了", re.ASCII
)
_FACTORS: Final = (
    (re.compile(r"\b(?:doubl\w+|twice)\b|翻倍|加倍|双倍|翻一[倍番]|多一倍"), 2.0),
    (
        re.compile(
            r"\b(?:halv\w+|half (?:of )?(?:that|it|as|the (?:number|amount))|half (?:will|would|is|"
            r"should) (?:do|be|enough))\b|减半|砍半|砍一半|一半"
        ),
        0.5,
    ),
)
_MORE: Final = re.compile(
    rf"(?P<a>{NUM})\s*(?:more|further|extra|additional)|(?:another|(?<!最)再?多看?|再加)\s*(?P<b>{NUM})\s*(?:more )?"
    r"(?=lines?|rows?|行|条)",
    re.ASCII,
)
_TAG: Final = re.compile(r"(?<![\w./:@-])(v?\d+(?:\.\d+)+[\w.-]*)(?![\w/:@])", re.ASCII | re.IGNORECASE)
_ANY_CASE: Final = re.ASCII | re.IGNORECASE
_TIME_OF_DAY: Final = re.compile(r"[012]?\d:[0-5]\d(?::[0-5]\d)?")
_GREP: Final = re.compile(
    r"(?:\bthe (?:word|string|text|pattern|keyword) (?:is|was|should be)|关键[字词](?:应该)?是|\bgrep|过滤|筛选?|"
    r"搜索?)(?:ping)?\s*(?:出|一?下|一遍|掉|for|by)?\s*[\"'`]?(?P<w>[A-Za-z0-9][\w.:/*-]*)|"
    r"[抓捞挑找取]\s*(?P<x>[A-Za-z0-9][\w.:/*-]*)\s*(?:的|相关|字样|行)",
    re.ASCII,
)
_HOLDING: Final = re.compile(
    r"(?:\b(?:with|(?:which|that) ha(?:s|ve)|containing|contains?|mention(?:s|ing)?|matching|match|about|saying|"
    r"says?) |含有?|包含|带着?|出现|"
    r"提到|关于)\s*(?:the (?:word|string) |关键[字词])?"
    r"(?:[\"'`](?P<q>[^\"'`]{1,40})[\"'`]|(?P<w>[A-Za-z0-9][\w.:/*-]*(?: (?!word|string|text|in\b|"
    r"lines?)[A-Za-z][\w.-]*)?))"
    r"\s*(?:这个?词|word|string|字样|关键[字词])?(?:$|\W*$|的|in (?:it|them)|[,.;!])",
    re.ASCII,
)
"""What the lines that are wanted have in them."""
_LINES: Final = re.compile(
    r"\b(?:lines?|rows?|entries|those|ones|anything|stuff|only|just|where (?:it|they))\b|行|条|只|日志|挑|筛|过滤|找"
)
_CRASHED: Final = re.compile(
    r"\b(?:before (?:it|the|that) (?:\w+ )?(?:crash|restart|die|went)\w*|the (?:crashed|dead|killed|terminated|old|"
    r"prior|former) (?:one|container|instance|pod)|(?:run|instance|incarnation|container|one) before (?:the current|"
    r"this|that)\b|"
    r"(?:last|previous) (?:incarnation|life|run|container|instance))\b|"
    r"(?:崩|挂|死|炸|退|凉|跪)(?:溃|掉|了|出)?的?[那上]?一?个?(?:容器|实例|pod)|(?:崩|挂|死|重启)(?:掉|"
    r"了)?之?前(?:的|那)|"
    r"上一个(?:容器|实例|pod)?(?:的|\W|$)|前一个容器"
)
"""The container before the one that runs."""
_TAKEN_BACK: Final = re.compile(r"\b(?:not|no|instead|rather|than|swap|replace|sorry|typo)\b|n't\b|不|别|换|改|错")
_LITTLE: Final = re.compile(
    r"\b(?:grep|search|look(?:ing)?|filter|find|show|swap|replace|than|no|longer|word|"
    r"lines?)\b"
)
_TOKEN: Final = re.compile(r"[A-Za-z0-9][\w.:/*-]{2,}", re.ASCII)
_NO_CONTAINER: Final = re.compile(
    r"prior|prev|former|earlier|old|dead|died|crashed|killed|terminated|exited|said|says|had|has|was|wrote|printed|"
    r"logged|"
    r"left|told|spat|output"
)
"""Stands beside the word, and is no container's name."""
_NO_WORD: Final = re.compile(r"errors?|exceptions?|it|them|for|the|by|that|this|\d{1,2}|\d{4,}", re.IGNORECASE)
_ERRORS: Final = re.compile(
    r"(?:筛(?:选|出)?(?:一?下)?|只[留剩看要]|留下|保留)(?:错误|报错|异常)|\berr(?:or)?s? only\b|\bonly err(?:or)?s?\b"
)
_DENIED: Final = re.compile(
    r"(?<!make )\b(?:the|that|this|other|first|second|last|which|wrong|right|each|every) one\b|"
    r"(?:\bnot\b|不是|唔[系係是]|不要|别看)(?!\s*(?:just|only|只|光|仅))[^,.;!?]{1,16}[,;](?=\s*\S)"
)
"""A span or a value that is taken back before the one that is meant ("not this week, the last")."""
_BACK_TO: Final = re.compile(r"\bback to\b|\bresume\b|\bcontinue\b|\bwhere were\b|继续|接着|回到")
_SHORT: Final = 6
"""Letters that may be left of what says a number and nothing else."""
_SLIPPED: Final = re.compile(
    r"\b(?:sorry|sry|oops|typo|my bad|i me?ant|instead|fat fingers?|brain fart|misspoke|did i say|autocorrect)\b|"
    r"错(?!误)|手[抖滑误]|口误|改主意",
    re.ASCII,
)
_SLIP: Final = 10
"""The same where somebody says to have made a slip."""
_LOOSE: Final = 40
"""The same where the number that is taken back stands beside it."""
_SLANG: Final = re.compile(r"\W*(?:6{3,}|8{2,}|2333*|520|1{3,}|10086)\W*")
_COUNTS: Final[dict[str, tuple[str, ...]]] = {
    "logs": ("tail", "since"),
    "events": ("since",),
    "changes": ("since",),
    "resources": ("since",),
}
"""Parameters that a number without any word beside it may be."""
_ALWAYS: Final = frozenset({"replicas", "revision"})
"""Those that it is also where none was said before."""


class _Old(NamedTuple):
    """A text without the values that hold, and which parameters they were of."""

    masked: str
    text: str
    slots: frozenset[str]
    per: int
    """Seconds that one of the span was counted as, when it was said again without its unit."""


def explicit(reading: Reading, intent: str, held: Mapping[str, SlotValue]) -> dict[str, SlotValue]:
    """Parameters that are said with a word for what they are ("the last 200 lines", "max 12", "in staging")."""
    old = _without_held(reading, held)
    own = OF_INTENT.get(intent, {})
    found = {slot: value for slot, value in slots_of(intent, old.masked, old.text).items() if slot in own}
    if "since" in own:
        _span(reading, held, found)
    if "grep" in own or "errors" in own:
        _lines(reading, old, held, found)
    if "image" in own:
        _image(old, held, found)
    if intent == "scale":
        _replicas(reading, old, held, found)
    if intent in ACTIONS and own.keys() & held.keys():
        new = {slot: value for slot, value in found.items() if not _same(value, held.get(slot))}
        alone = bare(reading, intent, held)
        found = (alone or new) if intent == "set_autoscaler" else {**alone, **new}
    where = placed(reading)
    ordered = intent in ACTIONS
    if where and not says_place(reading, ordered=ordered):
        return {} if not found else found if ordered else {**found, **where}
    return {**found, **where}


def _same(said: SlotValue, holds: SlotValue | None) -> bool:
    """Whether a value is what holds anyway."""
    if isinstance(said, Quantity) and said.kind == "to" and not isinstance(holds, Quantity):
        return said.value == holds
    return said == holds


def lone(reading: Reading, intent: str, held: Mapping[str, SlotValue]) -> dict[str, SlotValue]:
    """A number, or a version, that stands alone among little words: of what it must be."""
    if intent in ACTIONS:
        return bare(reading, intent, held)
    slots = _COUNTS.get(intent, ())
    if not slots or _SLANG.fullmatch(reading.masked):
        return {}
    old = _without_held(reading, held)
    if flow_of(reading).hold and not old.slots and _BACK_TO.search(reading.masked) is None:
        return {}
    numbers = [found for found in _NUMBER.finditer(old.masked) if _counts(old.masked, found)]
    if len({number(found.group()) for found in numbers}) != 1 or not _bare(old, numbers):
        return {}
    said = number(numbers[0].group())
    slots = _of_unit(slots, old.masked, numbers[0].end())
    slot = _counted(slots, held, old.slots)
    if slot is None or said % 1 or numbers[0].group()[0] in "+-":
        return {}
    if slot == "replicas":
        return {slot: Quantity("to", said)}
    return {slot: int(said) * (old.per or _per(held.get("since"))) if slot == "since" else int(said)}


def _span(reading: Reading, held: Mapping[str, SlotValue], found: dict[str, SlotValue]) -> None:
    """The one span of time that is said and does not hold already."""
    said = {seconds for seconds, _, _ in _spans(reading.masked) if seconds != held.get("since")}
    if len(said) == 1:
        found["since"] = said.pop()
    elif found.get("since") == held.get("since"):
        found.pop("since", None)


def _spans(masked: str) -> Iterator[tuple[int, int, int]]:
    """Spans of time back from now: seconds, start and end."""
    for said in _SPAN.finditer(masked):
        if _NOT_BACK.search(masked, 0, said.start()) and "last" not in masked[: said.start()]:
            continue
        if _AHEAD.match(masked, said.end()):
            continue
        unit = (_UNITS | _UNITS_ZH)[said["u"][0]]
        yield int((_count(said["n"]) + (0.5 if said["h"] else 0)) * unit), said.start(), said.end()


def _count(said: str) -> float:
    if "quarter" in said:
        return 0.25
    return 0.5 if said.startswith(("half", "半")) else 1 if said in ("a", "an") else number(said)


def _replicas(reading: Reading, old: _Old, held: Mapping[str, SlotValue], found: dict[str, SlotValue]) -> None:
    """ "扩 9 个" and "scale up 9" do not tell whether to or by; where a number is taken back, it is to the other."""
    if (starred := _STARRED.fullmatch(old.masked)) is not None:
        found["replicas"] = Quantity("to", number(starred["n"]))
        return
    said = found.get("replicas")
    if isinstance(said, Quantity) and said.kind == "to" and is_denied(reading.masked, said.value):
        del found["replicas"]
    if held.get("replicas"):
        by = more_or_fewer(reading)
        if isinstance(said, Quantity) and said.kind in ("by", "times"):
            found.pop("replicas", None)
        if by is not None:
            found["replicas"] = by
    if isinstance(said, Quantity) and said.kind == "unclear" and held.get("replicas") and _RATHER.search(old.masked):
        found["replicas"] = Quantity("to", abs(said.value))


def _lines(reading: Reading, old: _Old, held: Mapping[str, SlotValue], found: dict[str, SlotValue]) -> None:
    """Which lines of a log, and how many more or fewer of them."""
    _which_lines(reading, old, held, found)
    last = _LAST.search(old.masked)
    if last is not None and "tail" not in found and ("since" not in held or "tail" in held):
        found["tail"] = whole(last[1])
    more = _MORE.search(old.masked)
    if more is not None and ("tail" in held or "tail" in found):
        found["tail"] = Quantity("by", number(more["a"] or more["b"]))
    for pattern, factor in _FACTORS:
        slot = next((slot for slot in ("tail", "since") if slot in held), None)
        if slot is not None and slot not in found and pattern.search(old.masked):
            found[slot] = Quantity("times", factor)


def _which_lines(reading: Reading, old: _Old, held: Mapping[str, SlotValue], found: dict[str, SlotValue]) -> None:
    if _ERRORS.search(old.masked):
        found["errors"] = True
        found.pop("grep", None)
    elif word := says_what_lines_hold(reading) or found.get("grep") or _grepped(reading.text):
        found["grep"] = word
    if _CRASHED.search(old.masked):
        found.setdefault("previous", True)
    if found.get("previous") and _NO_CONTAINER.fullmatch(str(found.get("container", ""))):
        del found["container"]
    if "grep" in found and not _ERRORS.search(old.masked) and looking.errors(old.masked, "") is None:
        found.pop("errors", None)
    if "grep" not in found and (word := _instead_of(reading, held)):
        found["grep"] = word


def says_what_lines_hold(reading: Reading) -> str:
    """What the lines that are wanted have in them ("the lines with disk in them"), "" where nothing is said of it:
    whatever else that word may mean."""
    said = _HOLDING.search(reading.text) if _LINES.search(reading.masked) else None
    word = (said["q"] or said["w"]) if said is not None else ""
    return "" if _NO_WORD.fullmatch(word) else word


def says_which_lines(reading: Reading, held: Mapping[str, SlotValue]) -> bool:
    """Whether it tells which lines of a log are wanted, in words that may sound like something else."""
    word = says_what_lines_hold(reading) or _instead_of(reading, held)
    return bool(word) or _CRASHED.search(reading.masked) is not None


def _instead_of(reading: Reading, held: Mapping[str, SlotValue]) -> str:
    """The one word that is said beside the one that lines are looked for by, where that is taken back."""
    old = str(held.get("grep", "")).lower()
    at = reading.masked.find(old) if old else -1
    if at < 0 or not _TAKEN_BACK.search(reading.masked):
        return ""
    rest = LITTLE.sub(lambda found: " " * len(found.group()), reading.masked)
    rest = _LITTLE.sub(lambda found: " " * len(found.group()), rest[:at] + " " * len(old) + rest[at + len(old) :])
    words = [reading.text[found.start() : found.end()] for found in _TOKEN.finditer(rest)]
    return words[0] if len(words) == 1 else ""


def _grepped(text: str) -> str:
    said = _GREP.search(text)
    word = (said["w"] or said["x"]) if said is not None else ""
    return "" if _NO_WORD.fullmatch(word) else word


def _image(old: _Old, held: Mapping[str, SlotValue], found: dict[str, SlotValue]) -> None:
    """A bare version is a tag of the image that was meant; a time of day is none."""
    if _TIME_OF_DAY.fullmatch(str(found.get("image", ""))):
        del found["image"]
    if "image" not in found and "image" in held:
        tags = {said[1].rstrip(".,-") for said in _TAG.finditer(old.text) if not STAGE.match(old.masked, said.end())}
        if len(tags) == 1:
            found["image"] = tags.pop()
    tag = str(found.get("image", "")).lower()
    at = old.masked.find(tag) if tag else -1
    if at >= 0 and (tag == str(held.get("image", "")).lower().rpartition(":")[2] or is_taken_back(old.masked, at)):
        del found["image"]


def _without_held(reading: Reading, held: Mapping[str, SlotValue]) -> _Old:
    """The text without the numbers, spans and images that hold already, where others stand beside them, and without
    what is denied before them."""
    masked, text = reading.masked, reading.text
    for denied in _DENIED.finditer(masked):
        masked = masked[: denied.start()] + " " * len(denied.group()) + masked[denied.end() :]
    slots: set[str] = set()
    per = 0
    spots: list[tuple[int, int]] = []
    spans = list(_spans(masked))
    if len({seconds for seconds, _, _ in spans}) > 1 and held.get("since") in {seconds for seconds, _, _ in spans}:
        spots += [(start, end) for seconds, start, end in spans if seconds == held.get("since")]
        slots.add("since")
    numbers = [(number(found.group()), found) for found in _NUMBER.finditer(masked)]
    for value, found in numbers:
        of, unit = _held_as(value, held)
        if not of or any(start <= found.start() < end for start, end in spots) or _spanned(found, spans):
            continue
        if all(abs(other) == value for other, _ in numbers):
            continue
        end = unit_end.end() if (unit_end := _COUNTED.match(masked, found.end())) else found.end()
        spots.append((found.start(), end))
        slots |= of
        per = unit or per
    image = held.get("image")
    if isinstance(image, str) and (said := re.search(rf"{re.escape(image)}(?![\w.-]*\w)", text, _ANY_CASE)):
        spots.append(said.span())
    for start, end in spots:
        masked = masked[:start] + " " * (end - start) + masked[end:]
        text = text[:start] + " " * (end - start) + text[end:]
    return _Old(masked, text, frozenset(slots), per)


def _spanned(found: re.Match[str], spans: list[tuple[int, int, int]]) -> bool:
    return any(start <= found.start() < end for _, start, end in spans)


def _held_as(value: float, held: Mapping[str, SlotValue]) -> tuple[frozenset[str], int]:
    """Which parameters have this value now; of a span, also how it was counted."""
    of: set[str] = set()
    per = 0
    for slot, has in held.items():
        if isinstance(has, Quantity):
            has = int(has.value)
        if isinstance(has, bool) or not isinstance(has, int):
            continue
        if slot == "since":
            per = next((unit for unit in (60, 3600, 86400, 604800) if value * unit == has), 0)
            of |= {slot} if per else set()
        elif has == value:
            of.add(slot)
    return frozenset(of), per


def _counts(masked: str, found: re.Match[str]) -> bool:
    """Whether a number counts something, and is no time, share, part of a word, or "one" for a thing ("that one")."""
    if found.group() in ("one", "none", "一") and not any(unit.match(masked, found.end()) for unit, _ in _OF_UNIT):
        return False
    return _NO_COUNT.match(masked, found.end()) is None and _NUMBERED.search(masked, 0, found.start()) is None


def _bare(old: _Old, numbers: list[re.Match[str]]) -> bool:
    """Whether nothing is said but the number, in whatever words, or nothing else in its clause; more may be where the
    old one stands beside it."""
    rest = old.masked
    for found in numbers:
        rest = rest[: found.start()] + " " * len(found.group()) + rest[found.end() :]
    slipped = _SLIPPED.search(old.masked) is not None
    if left(rest) <= (_LOOSE if old.slots else _SLIP if slipped else _SHORT):
        return True
    clause = clause_at(rest, numbers[0].start(), numbers[-1].end())
    told = any(is_told(old.masked, found.start(), found.end()) for found in numbers)
    return not told and not left(clause.text)


def _counted(slots: tuple[str, ...], held: Mapping[str, SlotValue], named: frozenset[str]) -> str | None:
    """Which parameter the number is of: that whose old value stands beside it, else the only one that it can be."""
    beside = [slot for slot in slots if slot in named]
    if beside:
        return beside[0] if len(beside) == 1 else None
    known = [slot for slot in slots if slot in held or slot in _ALWAYS]
    return known[0] if len(known) == 1 else None


def _of_unit(slots: tuple[str, ...], masked: str, end: int) -> tuple[str, ...]:
    for unit, fits in _OF_UNIT:
        if unit.match(masked, end):
            return tuple(slot for slot in slots if slot in fits)
    return slots


def _per(since: SlotValue | None) -> int:
    """The unit in which people say a span of that length."""
    if not isinstance(since, int):
        return 60
    return next((unit for unit in (86400, 3600) if since % unit == 0), 60)
