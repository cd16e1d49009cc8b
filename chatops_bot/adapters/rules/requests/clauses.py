"""Splits an utterance into clauses and finds the words of the tables in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from chatops_bot.adapters.rules.tables import questions_en, questions_zh, shapes, shapes_zh
from chatops_bot.adapters.rules.tables import triggers_en as en
from chatops_bot.adapters.rules.tables import triggers_zh as zh
from chatops_bot.adapters.rules.text.patterns import chinese, compiled, words
from chatops_bot.adapters.rules.text.reading import NAME, Reading
from chatops_bot.adapters.rules.values.origins import without_origins
from chatops_bot.domain.intents import ACTIONS, Name

_EN = tuple(
    (intent, words((*patterns, *shapes.EN.get(intent, ()))))
    for intent, patterns in {**en.ACTIONS, **questions_en.QUERIES}.items()
)
_ZH = tuple(
    (intent, chinese((*patterns, *shapes_zh.ZH.get(intent, ()))))
    for intent, patterns in {**zh.ACTIONS, **questions_zh.QUERIES}.items()
)
_PICTURE = r"(?:[\u2600-\u27bf\u2b50\U0001f300-\U0001faff][\ufe0f\u200d]*\s*)+"
"""Pictures part clauses as commas do."""
_EN_BREAK = compiled(f"{_PICTURE}|{en.BREAK}")
_ZH_BREAK = re.compile(f"{_PICTURE}|{zh.BREAK}|{en.BREAK}", re.ASCII)
_SEEN_BACK = 60
"""Characters before a blank that tell whether a statement is complete."""
_BLANK = re.compile(r"(?<=\S) +(?=\S)")
_COMPLETE = compiled(
    r"[了吗呢吧啊呀哈啦哦嘛呗噢诶么]\W*$|N[^\ue000]*(?:一下|看看)\W*$|(?:恢复正常|[修换弄]好|搞定"
    r"|结束|完成|完毕|通过|正常|没问题|(?:确认|验证)过)\W*$"
)
_NEXT = compiled(r"(?:(?:prod|staging|stg|生产|线上|预发)\s)?N")
_SAID_OF_ONE = compiled(
    r"N[^\ue000]*(?:[\u4e00-\u9fffa-z0-9]\s?){2,}(?<![和跟与及或的把将给对从到在比是叫])"
    r"(?<!服务)(?<!应用)(?<!数据库)(?<!容器)(?<!节点)(?<!pod)(?<!pods)(?<!node)(?<!and)(?<!of)(?<!for)\s*$|"
    r"N[^\ue000]*[到成为至换用]\s?(?:[\w./-]*:)?[\w.-]*\d[\w.-]*\s*$"
)
"""What is asked of one name, so that behind it the next begins."""
_TROUBLE = re.compile(
    rf"(?:{questions_zh.REPORTS}|bug|有毒|不行|翻车|出事|泄漏|泄露|一直(?:在)?[涨高跌掉]|满了|不够用?|"
    rf"坏[了道])(?!\s?的)"
)
_TURNS = re.compile(r"(?:你|您)?(?:帮|请(?!求|假)|麻烦|劳烦|烦请|拜托|给我|求你?|能不能|能否)")
_TURNS_BACK = re.compile(
    r"不对|算了|说错|口误|当我没说|完了(?=[看查把给再]|帮)|我先?(?:看看|瞅瞅|瞧瞧)|(?:现在|这会儿?)(?:先|就|再|手动|"
    r"临时|给我)*(?=[扩缩]|重启|回滚|暂停)"
)
"""Before these a blank is as good as a comma."""
_HANDS = re.compile(r"(?:日志|事件|状态)(?:也|都)?(?:给我|发我|贴一?下|拿来|来一?份)")
"""What is to be given is named first, in a sentence of its own."""
_NOT_BUT = re.compile(
    r"((?<!是)不是[^,;!?\n]{0,40}?(?:重启|回滚|扩容|缩容|暂停|恢复|排空|封锁)[^,;!?\n]{0,40}?)[, ](?:而是| 是|是)"
    r"(?=重启|回滚|扩|缩|暂停|恢复|排空|封锁|[要把给将])"
)
"""One order is denied and another one said instead of it."""
_VERB = re.compile(
    r"(?:先|再|直接|立刻|马上|赶紧|就)?(?:重启|回滚|扩容|缩容|暂停|排空|腾空|封锁|隔离|下线)(?:一下|下|吧|掉|它|"
    r"了吧|[!~. ])*"
)
_SOMEBODY = re.compile(r"\s*(?:@\S+\s*)*(?:我|他|她|咱|大家|小\w|老\w)")
_LONG = re.compile(r"(?:[\u4e00-\u9fff][^\u4e00-\u9fff]*){5}|[要得该需][\u4e00-\u9fff]{2}")
_BETWEEN_SCRIPTS = re.compile(r"[\u4e00-\u9fff] [a-z0-9]|[a-z0-9] [\u4e00-\u9fff]")
_GOES_ON = re.compile(r"的|吗|么|呢|吧|日志|log|还是|了|过|信息|内容|次")
_RUN_ON = compiled(
    r"\b(?:is|are|looks?|seems?|keeps?|got|went|has|have|needs) (?:\w+ ){0,3}?(?!(?:to|and|please|pls|not|don't|"
    r"will|can|should|must|i|we|you|or|just|then|also|never|did|does|a|the)\b)[\w']+( )"
    r"(?=(?:restart|reboot|bounce|scale|roll|drain|cordon|uncordon|pause|resume|take|put|bring|kill"
    r"|delete|revert|undo|show|"
    r"check|give|get) (?:it|them|N|me|the node|that pod|its)(?!\w))"
)
"""Where a sentence on the state of something goes on, without a stop, in an order ("web is slow restart it")."""
_JOINT = compiled(
    r"\bboth (?:the )?N (?:and|&) (?:the )?N|(?:hpa|autoscaler|autoscaling) (?:for|of|on) (?:the )?N (?:and|&) (?:the "
    r")?N|"
    r"\b(?:freeze|pause|hold|halt|stop|resume|continue|unpause|suspend|unfreeze) (?:the )?N (?:and|&) (?:the )?N"
    r"(?='?s? (?:rollouts?|releases?|deploys?|deployments?|updates?)\b)|"
    r"\b(?:roll|put|bring|take|move|get|turn) (?:the )?N (?:and|&) (?:the )?N"
    r"(?= (?:both )?(?:back|on hold|up|down|to|out|off)\b)"
)
"""Two names that a verb in two parts takes together ("roll web and api back")."""
_CROSSES = re.compile(r"[?!;\n]\s*[a-z0-9\u4e00-\u9fff\ue000]")
"""What follows is a sentence of its own, which no word reaches into."""
_REASON = re.compile(f"{en.REASON}|{zh.REASON}")


class Mark(NamedTuple):
    """A word of the tables in the text: what it asks for and where it stands."""

    intent: str
    start: int
    end: int

    @property
    def dangerous(self) -> bool:
        """Whether it is the verb of an action."""
        return self.intent in ACTIONS


class Clause(NamedTuple):
    """A part of the utterance between breaks, with what was found in it."""

    start: int
    end: int
    marks: tuple[Mark, ...]
    names: tuple[Name, ...]


class Split(NamedTuple):
    """An utterance in clauses. In `masked` the stated `reason` is blanked out, and what a value is changed from."""

    reading: Reading
    masked: str
    reason: str
    clauses: tuple[Clause, ...]

    def text(self, clause: Clause) -> str:
        """What the clause says."""
        return self.masked[clause.start : clause.end]


def split(reading: Reading) -> Split:
    """The clauses of an utterance, those that hold nothing left out."""
    masked, reason = _without_reason(reading)
    masked = without_origins(masked)
    if reading.chinese:
        masked = _NOT_BUT.sub(lambda found: f"{found[1]},{' ' * (len(found[0]) - len(found[1]) - 1)}", masked)
    return Split(reading, masked, reason.strip(), tuple(_clauses(masked, reading)))


def _without_reason(reading: Reading) -> tuple[str, str]:
    """The text with the stated reason blanked out, so that its words are no orders; and the reason as it was written,
    with the names in it."""
    masked = reading.masked
    found = _REASON.search(masked)
    if found is None:
        return masked, ""
    start, end = found.span(1 if found[1] is not None else 2)
    blank = " " * (found.end() - found.start())
    return masked[: found.start()] + blank + masked[found.end() :], reading.text[start:end]


def _clauses(masked: str, reading: Reading) -> list[Clause]:
    edges = [0]
    ends: list[int] = []
    for start, end in _breaks(masked, reading):
        if start > edges[-1] or not ends:
            ends.append(start)
            edges.append(end)
        else:
            edges[-1] = end
    ends.append(len(masked))
    marks = _marks(masked, reading, edges[1:])
    clauses = []
    for start, end in zip(edges, ends, strict=False):
        inside = tuple(mark for mark in marks if start <= mark.start < max(end, start + 1))
        names = tuple(reading.between(start, max(end, start + 1)))
        if inside or names or masked[start:end].strip():
            clauses.append(Clause(start, end, inside, names))
    return clauses


def _breaks(masked: str, reading: Reading) -> Iterator[tuple[int, int]]:
    """From where to where nothing stands but what parts two clauses, in order."""
    if not reading.chinese:
        spans = {found.span() for found in _EN_BREAK.finditer(masked)}
        joint = [found.span() for found in _JOINT.finditer(masked)]
        spans = {(start, end) for start, end in spans if not any(at <= start and end <= to for at, to in joint)}
        yield from sorted(spans | {found.span(1) for found in _RUN_ON.finditer(masked)})
        return
    at = 0
    for found in _ZH_BREAK.finditer(masked):
        yield from _pauses(masked, at, found.start())
        yield found.span()
        at = found.end()
    yield from _pauses(masked, at, len(masked))


def _pauses(masked: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where a blank stands for a comma, as it does on a phone: behind a statement that is complete, or before words
    that turn to the bot. A subject is not cut off from its verb ("小王 把 web 重启了")."""
    for found in _BLANK.finditer(masked, start, end):
        said = masked[max(start, found.start() - _SEEN_BACK) : found.start()]
        if _HANDS.match(masked, found.end(), end) and not said.rstrip("的").endswith(NAME):
            yield found.span()
            continue
        if said.endswith("的") or _GOES_ON.match(masked, found.end(), end):
            continue
        turns = _TURNS.match(masked, found.end(), end) or (
            _VERB.fullmatch(masked, found.end(), end) and not _SOMEBODY.match(said)
        )
        turns = turns is not None and _LONG.search(said) is not None
        another = _NEXT.match(masked, found.end(), end) is not None and _SAID_OF_ONE.search(said) is not None
        another = another or _TURNS_BACK.match(masked, found.end(), end) is not None
        if turns or another or _COMPLETE.search(said) or _TROUBLE.search(said):
            yield found.span()
            start = found.end()


def _squeezed(masked: str) -> tuple[str, list[int]]:
    """The text without the blanks that stand between Chinese and Latin words or numbers ("pod 全部迁走"), as some
    write them and some do not; and where each character of it stands in the text."""
    places = [
        at
        for at, letter in enumerate(masked)
        if letter != " " or _BETWEEN_SCRIPTS.match(masked, max(at - 1, 0)) is None
    ]
    return "".join(masked[at] for at in places), places


def _within(masked: str, mark: Mark) -> Mark:
    crosses = _CROSSES.search(masked, mark.start, mark.end)
    return mark if crosses is None or crosses.start() == mark.start else mark._replace(end=crosses.start())


def _marks(masked: str, reading: Reading, edges: list[int]) -> list[Mark]:
    """Words of the tables, the longest where they overlap; of those that lie in one clause first. `edges`: where
    further clauses begin."""
    found = []
    if reading.chinese:  # first: of two readings of one word, the one that sees what stands behind it
        close, places = _squeezed(masked)
        found = [
            Mark(intent, places[match.start()], places[match.end() - 1] + 1)
            for intent, pattern in _ZH
            for match in pattern.finditer(close)
            if match.end() > match.start()
        ]
    found += [
        Mark(intent, match.start(), match.end())
        for intent, pattern in (_EN if reading.latin else ())
        for match in pattern.finditer(masked)
        if match.end() > match.start()
    ]
    found = [_within(masked, mark) for mark in found]
    if len(found) < 2:
        return found
    found.sort(key=lambda mark: (any(mark.start < at < mark.end for at in edges), mark.start - mark.end, mark.start))
    kept: list[Mark] = []
    for mark in found:
        if all(mark.end <= other.start or mark.start >= other.end for other in kept):
            kept.append(mark)
    kept.sort(key=lambda mark: mark.start)
    return kept
