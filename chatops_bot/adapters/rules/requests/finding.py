"""Finds what an utterance asks for: intents in order of appearance, each with its own name and parameters.

The tables say which words ask for what. `clauses` splits the utterance, `orders` decides whether a verb is an
order at all, `naming` which name it is about; here every request gets the numbers of its own clause.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

import msgspec

from chatops_bot.adapters.rules.requests.clauses import Clause, Mark, Split, split
from chatops_bot.adapters.rules.requests.continuing import BOUNDS, OF_QUESTIONS, ONLY_NAME, once_more
from chatops_bot.adapters.rules.requests.echoing import all_named, only_words
from chatops_bot.adapters.rules.requests.excepting import spared
from chatops_bot.adapters.rules.requests.fitting import fitting
from chatops_bot.adapters.rules.requests.inferring import inferred
from chatops_bot.adapters.rules.requests.lending import announced, echoed, elsewhere, named_with, valued
from chatops_bot.adapters.rules.requests.listing import list_forbidden, listed_before
from chatops_bot.adapters.rules.requests.naming import (
    add_named_slots,
    best,
    distinct,
    headed_name,
    later_name,
    meant_name,
    named_before,
    names_for,
    same,
)
from chatops_bot.adapters.rules.requests.orders import (
    asks_for,
    hangs,
    has_pronoun,
    is_told,
    looks,
    looks_next,
    of_one,
    only_looks,
    only_reports,
    only_thing,
    orders_in,
    other_command,
    queries_in,
    reports,
    standing,
)
from chatops_bot.adapters.rules.requests.recounting import only_told
from chatops_bot.adapters.rules.requests.sharing import clause_of, shared
from chatops_bot.adapters.rules.requests.taking_back import (
    forbidden_after,
    is_slip,
    meant_instead,
    taken_back,
    wanted_instead,
    without,
)
from chatops_bot.adapters.rules.text.reading import Reading
from chatops_bot.adapters.rules.values.parameters import OF_INTENT, slots_of
from chatops_bot.adapters.rules.values.slots import bounds, lone_count
from chatops_bot.domain.intents import Name, Request, SlotValue

__all__ = ["Findings", "find_requests", "has_pronoun"]

_NO_SUCH_ORDER = re.compile(
    r"\b(?:delet(?:e|ing)|remove|destroy|drop|wipe|nuke|purge|truncate|uninstall|promote|shut ?down|"
    r"turn (?:it )?off|kill|"
    r"terminate|stop|start|create)\b|删|清空|清掉|清理|下线|推全|全量(?:发|推)|晋升|关掉|关停|关闭|停掉|停了|停止|"
    r"销毁|卸载|"
    r"干掉|杀掉"
)
"""Orders that no intent stands for. Beside a name they are not taken for a look at it."""
_STRONG = frozenset({"hand_off", "runbook", "incident"})
"""Queries beside which what tells why they are asked asks for nothing itself, as beside orders."""
_BURNS = re.compile(r"on fire|firing|outages?")
"""Trouble that is told, rather than an incident that is asked for."""
_TALKED_OF = re.compile(
    r"(?:the |an? )?(?:incidents?|alerts?) (?:reviews?|fatigue|meetings?|drills?|culture|reports? (?:is|was))\b|"
    r"(?:事故|告警|报警)(?:了|复盘|疲劳|演练|会)"
)
"""Incidents in general, none that is to be opened."""
_VAGUE = frozenset({"status", "overview", "history", "resources"})
"""Queries whose words stand in orders as well."""
_COUNTING = frozenset({"scale", "set_autoscaler", "status"})
"""What a clause that only says the bounds of an autoscaler seems to ask for."""
_SAID_ANYWHERE = frozenset({"set_image", "set_autoscaler"})
"""Orders whose values nothing else in an utterance can mean."""
_OF_NOTHING = frozenset({"overview", "hand_off", "help"})
"""What is asked of nothing in particular is not asked of a further name."""


class Findings(NamedTuple):
    """`requests` in order of appearance; `denied` the actions that are forbidden ("don't restart"),
    "" for an order that there is none for ("delete web"); `told` whether
    an action is only told or asked about; `reported` whether trouble is reported, `looked` whether somebody is told to
    look; `bare` whether nothing but a name asks for the status; `narrated` whether all that is asked for is told."""

    requests: tuple[Request, ...]
    denied: tuple[str, ...]
    told: bool
    reported: bool
    looked: bool
    bare: bool
    narrated: bool = False


@lru_cache(maxsize=256)
def find_requests(reading: Reading) -> Findings:
    """All that one utterance asks for. An utterance is looked at several times on its way: at intake, whether it
    leaves a flow, and at its turn."""
    return _Builder(split(reading)).build()


class _Builder:
    """Turns clauses into requests, from left to right, remembering the last name."""

    def __init__(self, said: Split) -> None:
        self._said = fitting(said)
        self._narrated: set[int] = set()
        self._things: set[int] = set()
        self._requests: list[Request] = []
        self._denied: list[str] = []
        self._told = self._reported = self._looked = False
        self._weak: list[Request] = []
        self._looks: list[Request] = []
        self._bare: list[tuple[Name, dict[str, SlotValue]]] = []
        self._antecedent: Name | None = None
        self._slipped: Request | None = None

    def build(self) -> Findings:
        for index, clause in enumerate(self._said.clauses):
            self._clause(index, clause)
        bare = False
        if any(request.start not in self._narrated for request in self._requests) or self._told or self._denied:
            self._requests = [request for request in self._requests if request.start not in self._narrated]
        last = max((request.start for request in self._requests if request.dangerous), default=-1)
        self._requests = [one for one in self._requests if one.start > last or one.start not in self._things]
        if self._requests:
            self._requests += [
                look
                for look in self._looks
                if not any(_of_the_same(look, one) for one in self._requests if not one.dangerous)
            ]
        if only_words(self._said, self._requests):
            self._requests, self._told = [], True
        orders = spared(self._requests, self._said.reading)
        self._told = self._told or len(orders) < len(self._requests)
        self._requests = orders
        if not self._requests:
            self._requests, bare = self._fallback()
        return Findings(
            requests=tuple(sorted(self._requests, key=lambda request: request.start)),
            denied=tuple(self._denied),
            told=self._told,
            reported=self._reported,
            looked=self._looked,
            bare=bare,
            narrated=bool(self._requests) and all(request.start in self._narrated for request in self._requests),
        )

    def _fallback(self) -> tuple[list[Request], bool]:
        """Where nothing exact was asked: looking at something, trouble reported, or a bare name."""
        if self._weak:
            return [one for one in self._weak if one.start == self._weak[0].start], False
        if self._bare and not self._told and not self._denied:
            return [Request("status", slots, name, start=name.start) for name, slots in self._bare], True
        return [], False

    def _clause(self, index: int, clause: Clause) -> None:
        if self._completes(clause):
            return
        self._take_back(index, clause)
        self._note_refused(clause)
        orders = orders_in(self._said, clause)
        forbidden = [mark for mark in orders if list_forbidden(self._said, index, mark)]
        self._denied += [mark.intent for mark in forbidden]
        orders = [mark for mark in orders if mark not in forbidden]
        if not clause.marks and (self._meant(index, clause) or self._coordinated(clause)):
            self._antecedent = best(clause.names) if clause.names else self._antecedent
            return
        if not orders and not forbidden and not _spoken_of(self._said, clause):
            guess = inferred(
                self._said, clause, self._antecedent, _segment(self._said, index, first=not self._requests)[1]
            )
            orders = [guess] if guess is not None else []
        kept = _once(sorted(orders + queries_in(self._said, clause, orders), key=lambda mark: mark.start))
        if kept and not orders and only_reports(self._said, clause, kept):
            self._reported = True
            self._weaken(clause, kept[0])
        elif kept:
            if len(kept) == 1 and only_thing(self._said, clause, kept[0]):
                self._things.add(kept[0].start)
            if not orders and not asks_for(self._said, clause, kept):
                self._narrated.update(mark.start for mark in kept if not _is_strong(self._said, mark))
            self._take(index, clause, kept)
        else:
            self._leftover(index, clause)
        if clause.names:
            self._antecedent = best(clause.names)

    def _note_refused(self, clause: Clause) -> None:
        """Remember which actions are forbidden and whether any is only told of."""
        for mark in clause.marks:
            if mark.dangerous:
                is_what = standing(self._said, clause, mark)
                self._told = self._told or is_what == "told"
                if is_what == "denied":
                    self._denied.append(mark.intent)
                    self._requests = without(self._requests, forbidden_after(self._said, clause, mark, self._requests))

    def _take_back(self, index: int, clause: Clause) -> None:
        """Drop what the clause takes back; of a slip it is kept what was ordered, for the name that was meant."""
        taken = taken_back(self._said, index, self._requests)
        if taken:
            self._slipped = taken[-1] if is_slip(self._said, clause) else None
            self._denied += [request.intent for request in taken if request.dangerous and self._slipped is None]
            self._requests = without(self._requests, taken)
        elif clause.marks:
            self._slipped = None

    def _weaken(self, clause: Clause, mark: Mark) -> None:
        """A report asks for the status only where nothing else is asked for."""
        for name in names_for(self._said, clause, mark):
            if name is not None or has_pronoun(self._said.text(clause)):
                slots = _slots(self._said, "status", clause.start, clause.end)
                self._weak.append(Request("status", slots, name, pronoun=name is None, start=clause.start))

    def _take(self, index: int, clause: Clause, kept: list[Mark]) -> None:
        start, end = _segment(self._said, index, first=not self._requests)
        for mark in kept:
            slots = _slots(self._said, mark.intent, start, end)
            if mark.intent == "scale" and "replicas" not in slots:
                count = lone_count(self._said.masked[start:end])
                slots = {**slots, "replicas": count} if count is not None else slots
            if mark.dangerous and not _says_own(mark.intent, slots):
                slots = {**slots, **announced(self._said, mark.intent, index)}
            if mark.intent in _SAID_ANYWHERE and not _says_own(mark.intent, slots):
                whole = _slots(self._said, mark.intent, 0, len(self._said.masked))
                slots = {**{own: whole[own] for own in OF_INTENT[mark.intent] if own in whole}, **slots}
            every = [] if mark.intent in _OF_NOTHING else all_named(self._said, index) or shared(self._said, index)
            for listed in listed_before(self._said, index, mark) if not every else ():
                self._add(mark._replace(start=listed.start), {**slots, **_places(self._said, listed)}, listed, index)
            for name in every:
                self._add(mark, {**slots, **named_with(self._said, mark.intent, name)}, name, index, own=False)
            for one in names_for(self._said, clause, mark) if not every else ():
                self._add(mark, slots, one, index)

    def _add(self, mark: Mark, slots: dict[str, SlotValue], name: Name | None, index: int, *, own: bool = True) -> None:
        pronoun = name is None and has_pronoun(self._said.text(self._said.clauses[index]))
        slots = dict(slots)
        if name is not None and not name.matches and mark.intent == "hand_off":
            name = None  # who is called, not what it is about
        own = own and name is not None
        if name is None:
            name = self._unsaid(mark, index)
            slots = {**_places(self._said, name), **slots}
            if name is not None and mark.dangerous and not _says_own(mark.intent, slots):
                slots |= named_with(self._said, mark.intent, name)
        mark = of_one(mark, name, self._said)
        if (
            mark.intent == "status"
            and not own
            and not has_pronoun(self._said.text(self._said.clauses[index]))
            and ("namespace" in slots or "cluster" in slots)
        ):
            mark = mark._replace(intent="overview")  # "notify 命名空间好不好"
        if mark.intent == "overview":
            name = None
        add_named_slots(mark.intent, slots, name)
        for other in self._said.clauses[index].names:
            if name is not None and same(name, other):  # "logs of web pod web-6f8-x2"
                add_named_slots(mark.intent, slots, other)
        if self._said.reason and mark.dangerous:
            slots["reason"] = self._said.reason
        conditional = mark.dangerous and hangs(self._said, index)
        if (not mark.dangerous or not own) and self._merged(mark, name, slots):
            return
        self._requests.append(Request(mark.intent, slots, name, pronoun, conditional, mark.start))

    def _unsaid(self, mark: Mark, index: int) -> Name | None:
        """The name that a request means whose clause has none."""
        before = named_before(self._said, index) if mark.dangerous else self._antecedent
        name = meant_name(self._said, index) or headed_name(self._said, index) or before or self._antecedent
        if (
            name is not None
            or mark.intent == "overview"
            or (mark.intent == "runbook" and looks_next(self._said, index))
        ):
            return name
        return later_name(self._said, index)

    def _merged(self, mark: Mark, name: Name | None, slots: dict[str, SlotValue]) -> bool:
        """Whether the same was asked before of the same; what is said in addition is added to it. An order that says
        something else is one of its own."""
        for at, request in enumerate(self._requests):
            if request.intent != mark.intent:
                continue
            bare = mark.dangerous and not _says_own(request.intent, request.slots)
            if mark.dangerous and not bare and not slots.items() <= request.slots.items():
                continue
            unnamed = request.name is None and not request.pronoun
            if unnamed or request.name is name or (name and request.name and same(name, request.name)):
                merged = {**request.slots, **slots}
                self._requests[at] = msgspec.structs.replace(request, slots=merged, name=request.name or name)
                return True
        return False

    def _completes(self, clause: Clause) -> bool:
        """A clause that is only a range, behind an order for an autoscaler, says its bounds; what only says a span of
        time, behind a name that took over a question, says how far back."""
        last = self._requests[-1] if self._requests else None
        if last is None or clause.names:
            return False
        if last.intent == "set_autoscaler":
            found = BOUNDS.fullmatch(self._said.text(clause)) is not None or (
                bounds(self._said.text(clause)) and all(mark.intent in _COUNTING for mark in clause.marks)
            )
        else:
            found = not clause.marks and "since" in OF_INTENT.get(last.intent, {})
        said = _slots(self._said, last.intent, clause.start, clause.end) if found else {}
        if said and last.intent == "set_autoscaler" and said.items() <= last.slots.items():
            return True
        said = {slot: value for slot, value in said.items() if slot not in last.slots}
        if said:
            self._requests[-1] = msgspec.structs.replace(last, slots={**last.slots, **said})
        return bool(said)

    def _meant(self, index: int, clause: Clause) -> bool:
        """A further name behind a slip is the one that was meant by the order before ("restart web, no, mailer")."""
        last = self._requests[-1] if self._requests else None
        order = meant_instead(self._said, clause, self._slipped, last) if clause.names else None
        if order is not None:
            slots = {slot: value for slot, value in order.slots.items() if slot not in ("node", "pod")}
            add_named_slots(order.intent, slots, clause.names[0])
            self._requests = without(self._requests, [order])
            self._requests.append(msgspec.structs.replace(order, slots=slots, name=clause.names[0]))
            return True
        wanted = wanted_instead(self._said, index)
        if wanted is not None:
            self._requests += wanted
            return True
        if self._slipped is None or not clause.names:
            return False
        if self._slipped.name is not None and same(self._slipped.name, clause.names[0]):
            slots = {**self._slipped.slots, **valued(self._said, self._slipped.intent, clause)}
            self._requests.append(msgspec.structs.replace(self._slipped, slots=slots))
            return True
        self._requests.append(self._slipped)
        found = self._coordinated(clause)
        self._requests = without(self._requests, [self._slipped])
        return found

    def _coordinated(self, clause: Clause) -> bool:
        """A clause that is only a further name takes over the request before it ("restart api and web"), as does one
        that is only a further place ("same in prod")."""
        if self._requests and not clause.names and once_more(self._said, clause):
            last, places = self._requests[-1], _slots(self._said, "", clause.start, clause.end)
            slots = {**last.slots, **valued(self._said, last.intent, clause), **places}
            self._requests.append(msgspec.structs.replace(last, slots=slots, start=clause.start))
            return bool(places)
        if not clause.names or not self._requests or clause.marks or self._requests[-1].intent in _OF_NOTHING:
            return False
        found = ONLY_NAME.fullmatch(self._said.masked, clause.start, clause.end)
        last = self._requests[-1]
        asks = looks(self._said, clause) or OF_QUESTIONS.search(self._said.text(clause))
        if self._said.masked[clause.end : clause.end + 1] == ":" or (found is not None and last.dangerous and asks):
            return False
        if found is None:
            again = echoed(self._said, clause, last)
            self._requests += again
            return bool(again)
        if last.start in self._narrated:
            self._narrated.add(clause.start)
        places = _slots(self._said, "", clause.start, clause.end)
        if last.name is not None and same(last.name, clause.names[0]) and not elsewhere(last, places):
            if found.group("n") and not _says_own(last.intent, last.slots):
                said = _slots(self._said, last.intent, clause.start, clause.end)
                self._requests[-1] = msgspec.structs.replace(last, slots={**last.slots, **said})
            return True
        slots = {**last.slots, **places}
        if found.group("n"):
            said = valued(self._said, last.intent, clause)
            if last.dangerous and not _says_own(last.intent, said):  # a value that is not understood is asked for
                slots = {slot: value for slot, value in slots.items() if slot not in OF_INTENT.get(last.intent, ())}
            slots |= said
        slots = {slot: value for slot, value in slots.items() if slot not in ("node", "pod")}
        add_named_slots(last.intent, slots, clause.names[0])
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
        """A clause without an order or an exact question: looking, a report, a bare name, or only talk."""
        reported = reports(self._said, clause)
        told = is_told(self._said, clause)
        looking = not told and looks(self._said, clause)
        self._reported = self._reported or reported
        self._looked = self._looked or looking
        name = best(clause.names) if clause.names else None
        if (
            name is not None
            and not told
            and not (any(mark.dangerous for mark in clause.marks) and (self._told or self._denied))
        ):
            if looking or reported:
                slots = _slots(self._said, "status", clause.start, clause.end)
                self._weak.append(Request("status", slots, name, start=clause.start))
                if looking and not reported and name.matches:
                    self._looks.append(self._weak[-1])
                    listed = listed_before(self._said, index, Mark("status", clause.end, clause.end))
                    self._weak[-1:-1] = [Request("status", slots, one, start=clause.start) for one in listed]
            elif _NO_SUCH_ORDER.search(self._said.text(clause)) or other_command(self._said, clause):
                self._denied.append("")
            else:
                slots = _slots(self._said, "status", clause.start, clause.end)
                self._bare.extend((one, slots) for one in distinct(clause.names))
        elif name is None and not told and (looking or reported) and has_pronoun(self._said.text(clause)):
            every: list[Name | None] = [*(all_named(self._said, index) or shared(self._said, index))]
            every = every or [self._antecedent]
            asked = [Request("status", name=one, pronoun=True, start=clause.start) for one in every]
            self._weak = asked if len(asked) > 1 else self._weak + asked
            wanted = only_looks(self._said, clause)
            self._looks += [one for one in asked if wanted and one.name is not None]
        elif name is None and self._antecedent is not None and not told and only_looks(self._said, clause):
            self._looks.append(Request("status", name=self._antecedent, pronoun=True, start=clause.start))


def _spoken_of(said: Split, clause: Clause) -> bool:
    """Whether a clause tells of something, asks something exact, or is a command: no order is to be guessed in it."""
    if is_told(said, clause) or other_command(said, clause) or looks(said, clause) or only_told(said, clause):
        return True
    return any(not mark.dangerous and mark.intent not in _VAGUE for mark in clause.marks)


def _segment(said: Split, index: int, *, first: bool) -> tuple[int, int]:
    """From where to where the parameters of a clause's requests are said: also in clauses beside it that
    hold no request and no name ("最近半小时，payment 的日志", "between 2 and 8"); before it only for the first."""
    start, end = said.clauses[index].start, said.clauses[index].end
    for later in said.clauses[index + 1 :]:
        if later.marks or later.names or once_more(said, later):
            break
        end = later.end
    named = bool(said.clauses[index].names) or any(mark.dangerous for mark in said.clauses[index].marks)
    for earlier in reversed(said.clauses[:index] if first else ()):
        if earlier.marks or (named and earlier.names):
            break
        named, start = named or bool(earlier.names), earlier.start
    return start, end


def _is_strong(said: Split, mark: Mark) -> bool:
    if mark.intent == "incident" and _BURNS.fullmatch(said.masked, mark.start, mark.end):
        return False
    if mark.intent == "incident" and _TALKED_OF.match(said.masked, mark.start):
        return False
    return mark.intent in _STRONG


def _of_the_same(left: Request, right: Request) -> bool:
    return left.name is not None and right.name is not None and same(left.name, right.name)


def _once(marks: list[Mark]) -> list[Mark]:
    """Each intent once per clause, at its first mark."""
    seen: set[str] = set()
    kept = []
    for mark in marks:
        if mark.intent not in seen:
            seen.add(mark.intent)
            kept.append(mark)
    return kept


def _says_own(intent: str, slots: dict[str, SlotValue]) -> bool:
    """Whether a parameter of the intent's own is said, or it has none."""
    own = OF_INTENT.get(intent)
    return not own or any(slot in slots for slot in own)


def _slots(said: Split, intent: str, start: int, end: int) -> dict[str, SlotValue]:
    return slots_of(intent, said.masked[start:end], said.reading.text[start:end])


def _places(said: Split, name: Name | None) -> dict[str, SlotValue]:
    """Where a name said in another clause is, as that clause says."""
    clause = clause_of(said, name) if name is not None else None
    return _slots(said, "", clause.start, clause.end) if clause is not None else {}
