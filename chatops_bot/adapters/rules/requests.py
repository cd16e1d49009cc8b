"""Finds what an utterance asks for: intents in order of appearance, each with its own name and parameters.

The tables say which words ask for what. This module splits the utterance into clauses, decides whether a
verb is an order at all (not denied, not told of somebody, not a noun), and gives every request the name and
the numbers of its own clause.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from chatops_bot.adapters.rules import triggers_en as en
from chatops_bot.adapters.rules import triggers_zh as zh
from chatops_bot.adapters.rules.numbers import NUM
from chatops_bot.adapters.rules.patterns import chinese, compiled, words
from chatops_bot.adapters.rules.reading import NAME, Reading
from chatops_bot.adapters.rules.slots import slots_of
from chatops_bot.domain.intents import ACTIONS, Name, Request, SlotValue
from chatops_bot.domain.name_words import JOINED

_WEAK: Final = "look"
"""Marks that ask for a status when nothing more exact is in their clause."""

_EN = tuple((intent, words(patterns)) for intent, patterns in {**en.ACTIONS, **en.QUERIES}.items())
_ZH = tuple((intent, chinese(patterns)) for intent, patterns in {**zh.ACTIONS, **zh.QUERIES}.items())
_EN_LOOK, _ZH_LOOK = words(en.LOOKING), compiled(zh.LOOKING)
_EN_REPORT, _ZH_REPORT = words(en.REPORTS), compiled(zh.REPORTS)
_EN_ORDER, _ZH_ORDER = compiled(en.ORDER_PREFIX), compiled(zh.ORDER_PREFIX)
_EN_NOT, _ZH_NOT = compiled(en.NEGATION), compiled(zh.NEGATION)
_EN_BREAK, _ZH_BREAK = compiled(en.BREAK), re.compile(f"{zh.BREAK}|{en.BREAK}", re.ASCII)
_CONDITION = re.compile(f"{en.CONDITION}|{zh.CONDITION}", re.ASCII)
_PRONOUN = re.compile(f"{en.PRONOUN}|{zh.PRONOUN}".replace("N", f"{NAME}+"), re.ASCII)
_REASON = re.compile(f"{en.REASON}|{zh.REASON}")
_DONE, _ASKED_BACK = compiled(zh.DONE_SUFFIX), compiled(zh.QUESTION_SUFFIX)
_POLITE_CHOICE = re.compile(r"能不能|可不可以|能否|可否|是否可以")
_WHETHER = re.compile(
    r"要不要|该不该|是不是|需不需要|用不用|是否|会不会|有没有|应不应该|为什么|为啥|怎么|如何|何时|什么时候|谁|几次|"
    r"多少|吗"
)
_NEEDED = re.compile(r"(?:需要|要|该|应该|得|必须)\s*(?:把|给|对)?\s*(?:\ue000+)?\s*$")
_ASKS = re.compile(
    r"[?吗么]|怎么|什么|啥|咋|如何|哪|几|多少|为何|是不是|有没有|能不能|\b(?:what|why|how|when|who|which|is|are|"
    r"does|any)\b"
)
_HANDED = re.compile(r"把|帮|给我|麻烦|请")
_TELLING_EN = re.compile(
    r"^\s*(?:(?:ok|okay|so|well|yeah|hey|and|but|guys|hi)[, ]+)*(?:i|we|he|she|they|you guys|someone|somebody|"
    r"everyone|\w+ (?:will|already|just|has))\b"
    r"(?!\s*(?:'d| would| really| just)*\s*(?:want|need|like|wish|can't|cannot|see|think|believe|am seeing|"
    r"'m seeing|'re seeing|are seeing|'m getting|notice|get|got|have|keep|'ve got|should see))",
    re.ASCII,
)
_TELLING_ZH = re.compile(
    r"^\s*(?:我们?|他们?|她|大家|咱们?|小\w|老\w)(?!\s*(?:想|要|需要|希望|的|能|可以|觉得|看到|发现|应该|这边))"
)
_ONLY_NAME = compiled(
    rf"\s*(?:the |to |also |和|与|跟|还有|以及|both )*(?:service |deployment |服务)?N(?:\s*(?:service|deployment|"
    rf"one|too|as well|both|服务|也|都|各)?)*"
    rf"(?P<n>\s*(?:to|by|at|up to|到|成|为|加|减)?\s*{NUM}\s*(?:replicas|个|副本|台)*)?\s*(?:please|now|pls|吧|"
    rf"也一样)?\s*"
)


class Mark(NamedTuple):
    """A word of the tables in the text. `order` only of actions: whether it is one."""

    intent: str
    start: int
    end: int


class Clause(NamedTuple):
    """A part of the utterance between breaks, with what was found in it."""

    start: int
    end: int
    marks: tuple[Mark, ...]
    names: tuple[Name, ...]


class Findings(NamedTuple):
    """`requests` in order of appearance; `denied` the actions that are forbidden ("don't restart"); `told` whether
    an action is only told or asked about; `reported` whether trouble is reported, `looked` whether somebody is told to
    look; `bare` whether nothing but a name asks for the status."""

    requests: tuple[Request, ...]
    denied: tuple[str, ...]
    told: bool
    reported: bool
    looked: bool
    bare: bool


@lru_cache(maxsize=256)
def find_requests(reading: Reading) -> Findings:
    """All that one utterance asks for. An utterance is looked at several times on its way: at intake, whether it
    leaves a flow, and at its turn."""
    masked, reason = _without_reason(reading.masked)
    clauses = _clauses(masked, reading)
    builder = _Builder(reading, masked, clauses, reason)
    return builder.build()


def has_pronoun(text: str) -> bool:
    """Whether a masked text refers to something by a pronoun."""
    return _PRONOUN.search(text) is not None


def is_conditional(text: str) -> bool:
    """Whether a masked text hangs something on a condition or a later time."""
    return _CONDITION.search(text) is not None


def _without_reason(masked: str) -> tuple[str, str]:
    """The text with the stated reason blanked out, so that its words are no orders, and the reason."""
    found = _REASON.search(masked)
    if found is None:
        return masked, ""
    reason = found.group(1) or found.group(2) or ""
    return masked[: found.start()] + " " * (found.end() - found.start()) + masked[found.end() :], reason


def _clauses(masked: str, reading: Reading) -> list[Clause]:
    breaks = _ZH_BREAK if reading.chinese else _EN_BREAK
    edges = [0]
    ends: list[int] = []
    for found in breaks.finditer(masked):
        if found.start() > edges[-1] or not ends:
            ends.append(found.start())
            edges.append(found.end())
        else:
            edges[-1] = found.end()
    ends.append(len(masked))
    marks = _marks(masked, reading)
    clauses = []
    for start, end in zip(edges, ends, strict=False):
        inside = tuple(mark for mark in marks if start <= mark.start < max(end, start + 1))
        names = tuple(reading.between(start, max(end, start + 1)))
        if inside or names or masked[start:end].strip():
            clauses.append(Clause(start, end, inside, names))
    return clauses


def _marks(masked: str, reading: Reading) -> list[Mark]:
    """Words of the tables, the longest where they overlap."""
    tables = (*(_ZH if reading.chinese else ()), *(_EN if reading.latin else ()))
    found = [
        Mark(intent, match.start(), match.end())
        for intent, pattern in tables
        for match in pattern.finditer(masked)
        if match.end() > match.start()
    ]
    if len(found) < 2:
        return found
    found.sort(key=lambda mark: (mark.start - mark.end, mark.start))
    kept: list[Mark] = []
    for mark in found:
        if all(mark.end <= other.start or mark.start >= other.end for other in kept):
            kept.append(mark)
    kept.sort(key=lambda mark: mark.start)
    return kept


class _Builder:
    """Turns clauses into requests, from left to right, remembering the last name."""

    def __init__(self, reading: Reading, masked: str, clauses: list[Clause], reason: str) -> None:
        self._reading = reading
        self._masked = masked
        self._clauses = clauses
        self._reason = reason
        self._requests: list[Request] = []
        self._denied: list[str] = []
        self._told = self._reported = self._looked = False
        self._weak: list[Request] = []
        self._bare: list[Name] = []
        self._antecedent: Name | None = None

    def build(self) -> Findings:
        for index, clause in enumerate(self._clauses):
            self._clause(index, clause)
        bare = False
        if not self._requests:
            self._requests, bare = self._fallback()
        return Findings(
            requests=tuple(sorted(self._requests, key=lambda request: request.start)),
            denied=tuple(self._denied),
            told=self._told,
            reported=self._reported,
            looked=self._looked,
            bare=bare,
        )

    def _fallback(self) -> tuple[list[Request], bool]:
        """Where nothing exact was asked: looking at something, trouble reported, or a bare name."""
        if self._weak:
            return self._weak[:1], False
        if self._bare and not self._told and not self._denied:
            return [Request("status", name=name, start=name.start) for name in self._bare], True
        return [], False

    def _clause(self, index: int, clause: Clause) -> None:
        orders = [mark for mark in clause.marks if mark.intent in ACTIONS and self._is_order(clause, mark)]
        queries = self._queries(clause)
        if self._is_told(clause):
            queries = [mark for mark in queries if mark.intent in ("help", "hand_off")]
        kept = orders + [mark for mark in queries if not self._shadowed(mark, orders, queries)]
        kept = _once(sorted(kept, key=lambda mark: mark.start))
        if kept and not orders and self._only_reports(clause, kept):
            self._reported = True
            self._weak.extend(
                Request(
                    "status",
                    self._slots("status", clause.start, clause.end),
                    name,
                    pronoun=name is None,
                    start=clause.start,
                )
                for name in self._names_for(clause, kept[0])
                if name is not None or has_pronoun(self._masked[clause.start : clause.end])
            )
        elif kept:
            self._take(index, clause, kept)
        elif not self._coordinated(clause):
            self._leftover(index, clause)
        if clause.names:
            self._antecedent = _best(clause.names)

    def _only_reports(self, clause: Clause, kept: list[Mark]) -> bool:
        """Whether common words only tell of trouble ("web 流量大"): no question, nobody told to look."""
        text = self._masked[clause.start : clause.end + 1]
        reports = (_ZH_REPORT if self._reading.chinese else _EN_REPORT).search(text)
        if reports is None or any(mark.intent != "status" for mark in kept):
            return False
        return not self._looks(text) and _ASKS.search(text) is None

    def _is_order(self, clause: Clause, mark: Mark) -> bool:
        prefix = self._masked[clause.start : mark.start].lstrip()
        after = self._masked[mark.end : clause.end]
        chinese = bool(self._reading.chinese and not self._masked[mark.start : mark.end].isascii()) or (
            self._reading.chinese and not prefix.isascii()
        )
        plain = _POLITE_CHOICE.sub("请", prefix)
        if chinese and _NEEDED.search(plain) and _ASKS.search(self._masked[mark.end : clause.end + 1]):
            self._told = True
            return False
        if chinese and (_WHETHER.search(plain) or _ASKED_BACK.match(after)):
            self._told = True
            return False
        if (_ZH_NOT if chinese else _EN_NOT).search(plain):
            self._denied.append(mark.intent)
            return False
        whitelist = _ZH_ORDER if chinese else _EN_ORDER
        if whitelist.fullmatch(plain) is None:
            self._told = True
            return False
        if chinese and _DONE.match(after) and not _HANDED.search(prefix):
            self._told = True
            return False
        return True

    def _is_told(self, clause: Clause) -> bool:
        """Whether a clause tells what somebody does, rather than asking for it."""
        text = self._masked[clause.start : clause.end]
        return _TELLING_EN.match(text) is not None or _TELLING_ZH.match(text) is not None

    def _queries(self, clause: Clause) -> list[Mark]:
        queries = [mark for mark in clause.marks if mark.intent not in ACTIONS]
        if not queries:
            return []
        prefix = self._masked[clause.start : queries[0].start]
        denied = re.search(r"\b(?:don't|do not|no need to|without|stop|no)\s+(?:\w+\s+){0,2}$", prefix) or re.search(
            r"(?:别|不要|不用|不必|无需|不)(?:再)?(?:看|查|给我看|显示|贴|发)?\s*$", prefix
        )
        return [] if denied else queries

    def _shadowed(self, mark: Mark, orders: list[Mark], queries: list[Mark]) -> bool:
        """Common words (pods, state, why) ask for nothing beside an order or a more exact question."""
        if orders and mark.intent in ("status", "history", "runbook", "help", "resources", "overview"):
            return True
        if mark.intent != "status":
            return False
        exact = self._masked[mark.start : mark.end].startswith(_STATUS_WORDS)
        return not exact and any(other.intent != "status" for other in queries)

    def _take(self, index: int, clause: Clause, kept: list[Mark]) -> None:
        start, end = self._segment(index, clause)
        for mark in kept:
            slots = self._slots(mark.intent, start, end)
            for name in self._names_for(clause, mark):
                self._add(mark, slots, name, clause, index)

    def _add(self, mark: Mark, slots: dict[str, SlotValue], name: Name | None, clause: Clause, index: int) -> None:
        pronoun = name is None and has_pronoun(self._masked[clause.start : clause.end])
        if name is None:
            name = self._antecedent or self._later_name(index)
        slots = dict(slots)
        _add_named_slots(mark.intent, slots, name)
        if self._reason and mark.intent in ACTIONS:
            slots["reason"] = self._reason.strip()
        self._requests.append(
            Request(
                intent=mark.intent,
                slots=slots,
                name=name,
                pronoun=pronoun,
                conditional=mark.intent in ACTIONS and self._hangs(index),
                start=mark.start,
            )
        )

    def _slots(self, intent: str, start: int, end: int) -> dict[str, SlotValue]:
        return slots_of(intent, self._masked[start:end], self._reading.text[start:end])

    def _segment(self, index: int, clause: Clause) -> tuple[int, int]:
        """From where to where the parameters of a clause's requests are said: also in clauses beside it that
        hold no request and no name ("最近半小时，payment 的日志", "between 2 and 8")."""
        start, end = clause.start, clause.end
        for later in self._clauses[index + 1 :]:
            if later.marks or later.names:
                break
            end = later.end
        if index and not self._requests:
            for earlier in reversed(self._clauses[:index]):
                if earlier.marks or earlier.names:
                    break
                start = earlier.start
        return start, end

    def _names_for(self, clause: Clause, mark: Mark) -> list[Name | None]:
        """The names that a mark is about: those joined with one another each get a request of their own."""
        names = _distinct(clause.names)
        if not names:
            return [None]
        if len(names) > 1 and self._all_joined(clause.names):
            return list(names)
        after = [name for name in names if name.start >= mark.end]
        before = [name for name in names if name.start < mark.start]
        inside = [name for name in names if mark.start <= name.start < mark.end]
        if len(clause.marks) == 1 and before and after and mark.intent not in ACTIONS:
            return [before[-1]]
        return [(inside or after[:1] or before[-1:])[0]]

    def _all_joined(self, names: tuple[Name, ...]) -> bool:
        return all(
            JOINED.fullmatch(self._masked, left.start + len(left.text), right.start) is not None
            for left, right in pairwise(names)
        )

    def _later_name(self, index: int) -> Name | None:
        """A name said afterwards in a clause of its own ("restart please, web")."""
        for later in self._clauses[index + 1 :]:
            if later.marks:
                return None
            if later.names:
                return _best(later.names)
        return None

    def _coordinated(self, clause: Clause) -> bool:
        """A clause that is only a further name takes over the request before it ("restart api and web")."""
        if not clause.names or not self._requests or clause.marks:
            return False
        found = _ONLY_NAME.fullmatch(self._masked, clause.start, clause.end)
        last = self._requests[-1]
        if found is None:
            return False
        if last.name is not None and _same(last.name, clause.names[0]):
            return True
        slots = dict(last.slots)
        if found.group("n"):
            slots |= self._slots(last.intent, clause.start, clause.end)
        self._requests.append(
            Request(
                intent=last.intent,
                slots=slots,
                name=clause.names[0],
                conditional=last.conditional,
                start=clause.start,
            )
        )
        return True

    def _leftover(self, index: int, clause: Clause) -> None:
        text = self._masked[clause.start : clause.end]
        reported = (_ZH_REPORT if self._reading.chinese else _EN_REPORT).search(text) is not None
        self._reported = self._reported or reported
        told = self._is_told(clause)
        looking = not told and self._looks(text)
        self._looked = self._looked or looking
        name = _best(clause.names) if clause.names else None
        if name is not None and not told and not self._is_told_of(clause):
            if looking or reported:
                self._weak.append(
                    Request("status", self._slots("status", clause.start, clause.end), name, start=clause.start)
                )
            else:
                self._bare.extend(_distinct(clause.names))
        elif name is None and (looking or reported) and has_pronoun(text):
            self._weak.append(Request("status", name=self._antecedent, pronoun=True, start=clause.start))

    def _is_told_of(self, clause: Clause) -> bool:
        """Whether the clause only mentions its name while telling or denying an action."""
        return any(mark.intent in ACTIONS for mark in clause.marks) and (self._told or bool(self._denied))

    def _looks(self, text: str) -> bool:
        if self._reading.chinese and _ZH_LOOK.search(text):
            return True
        return self._reading.latin and _EN_LOOK.search(text) is not None

    def _hangs(self, index: int) -> bool:
        """Whether the order in this clause hangs on a condition in it or in a clause beside it."""
        here = self._clauses[index]
        if _CONDITION.search(self._masked, here.start, here.end):
            return True
        if index and self._only_condition(index - 1):
            return True
        last = index == len(self._clauses) - 2
        return last and self._only_condition(index + 1)

    def _only_condition(self, index: int) -> bool:
        clause = self._clauses[index]
        found = _CONDITION.search(self._masked, clause.start, clause.end)
        if found is None:
            return False
        return not any(mark.intent in ACTIONS and self._is_order(clause, mark) for mark in clause.marks)


_STATUS_WORDS: Final = ("status", "state", "health", "状态", "状况", "健康", "how is", "how's")


def _once(marks: list[Mark]) -> list[Mark]:
    """Each intent once per clause, at its first mark."""
    seen: set[str] = set()
    kept = []
    for mark in marks:
        if mark.intent not in seen:
            seen.add(mark.intent)
            kept.append(mark)
    return kept


def _distinct(names: tuple[Name, ...]) -> list[Name]:
    """Names without those that mean the same service as an earlier one ("订单数据库 order-db")."""
    kept: list[Name] = []
    for name in names:
        if not any(_same(name, other) for other in kept):
            kept.append(name)
    return kept


def _same(name: Name, other: Name) -> bool:
    if not name.matches or not other.matches:
        return name.text.lower() == other.text.lower()
    keys = {service.entity.key for service in other.matches}
    return all(service.entity.key in keys for service in name.matches)


def _best(names: tuple[Name, ...]) -> Name:
    """Of several names of a clause, the last that is known."""
    known = [name for name in names if name.matches]
    return (known or list(names))[-1]


def _add_named_slots(intent: str, slots: dict[str, SlotValue], name: Name | None) -> None:
    """A name that is a node or a pod is a parameter as well."""
    if name is None:
        return
    low = name.text.lower()
    if any(service.entity.kind == "Node" for service in name.matches) or (
        intent in ("cordon", "uncordon", "drain") and not name.matches
    ):
        slots.setdefault("node", name.text.rpartition("/")[2])
    for service in name.matches:
        if low.startswith((service.entity.workload.lower() + "-", service.entity.name.lower() + "-")) and low not in (
            service.entity.workload.lower(),
            service.entity.name.lower(),
            *(alias.lower() for alias in service.aliases),
        ):
            slots.setdefault("pod", name.text)
