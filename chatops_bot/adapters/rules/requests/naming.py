"""Which of the names in an utterance a request is about."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from chatops_bot.adapters.rules.requests.attached import attached
from chatops_bot.adapters.rules.requests.clauses import Clause, Mark, Split
from chatops_bot.adapters.rules.text.patterns import compiled
from chatops_bot.adapters.rules.text.reading import NAME
from chatops_bot.domain.actions.registry import is_node_action
from chatops_bot.domain.intents import Name, SlotValue
from chatops_bot.domain.name_words import JOINED

_OF_IT: Final = compiled(r"\b(?:of|for|from|on) (?:the )?(?:(?:prod(?:uction)?|staging|stage|dev|test) )?N")
"""What is asked before of nothing is asked of it as well ("events and logs of web")."""
_JOINED: Final = re.compile(
    rf"{JOINED.pattern}(?:(?:prod(?:uction)?|staging|stg|生产|线上|预发)\s*的?\s*)?", re.IGNORECASE
)
"""What joins two names, the second of which may be said with its place."""
_A_NODE: Final = re.compile(r"(?:[a-z]+-)+\d{1,3}")
_RATHER: Final = compiled(
    r"(?=[\s,.\-–—…]*[a-z\u4e00-\u9fff])(?>[\s,.\-–—…]|(?:no|nope|nah|wait|sorry|sry|oops|er|um|uh|actually|rather|"
    r"i mean(?:t)?|make that|correction)"
    r"(?![a-z])|不对|不是|错了|说错了?|口误|啊不|哦不|我是说|我说的是|应该是)*+"
)
"""Between two names: the second is meant."""
_MEANT: Final = compiled(
    r"\s*(?:i mean(?:t)?|that is|that's|as in|我(?:是)?说的?是|我指的?是|就是)[\s,:]+N\W*|\s*N[\s,]*(?:i mean(?:t)?|"
    r"that is|that one|我是说)\W*"
)


def names_for(said: Split, clause: Clause, mark: Mark) -> list[Name | None]:
    """The names that a mark is about: those joined with one another each get a request of their own."""
    return attached(said, clause, mark, _named(said, clause, mark))


def _named(said: Split, clause: Clause, mark: Mark) -> list[Name | None]:
    names = distinct(clause.names)
    if not names:
        return [None]
    if len(names) > 1 and _all_joined(said, clause.names):
        return list(names)
    if len(names) > 1 and mark.dangerous and put_right(said, clause.names):
        return [clause.names[-1]]
    after = [name for name in names if name.start >= mark.end]
    before = [name for name in names if name.start < mark.start]
    inside = [name for name in names if mark.start <= name.start < mark.end]
    if len(clause.marks) == 1 and before and after and not mark.dangerous:
        return [before[-1]]
    return [(inside or after[:1] or before[-1:])[0]]


def put_right(said: Split, names: tuple[Name, ...]) -> bool:
    """Whether the last of the names is said in place of the one before it ("restart web i mean mailer")."""
    before, last = names[-2:]
    return _RATHER.fullmatch(said.masked, before.start + len(before.text), last.start) is not None


def later_name(said: Split, index: int) -> Name | None:
    """A name said afterwards in a clause of its own ("restart please, web")."""
    for later in said.clauses[index + 1 :]:
        if later.marks and not later.names and not any(mark.dangerous for mark in later.marks):
            continue
        if later.marks:
            shared = all(not mark.dangerous for mark in later.marks) and _OF_IT.search(said.text(later))
            return best(later.names) if later.names and shared else None
        if later.names:
            return best(later.names)
    return None


def headed_name(said: Split, index: int) -> Name | None:
    """A name behind what is asked of it, as lists are written ("日志：web；事件：api")."""
    here, later = said.clauses[index], said.clauses[index + 1 : index + 2]
    if not later or not later[0].names or later[0].marks or said.masked[here.end : here.end + 1] != ":":
        return None
    return later[0].names[0]


def named_before(said: Split, index: int) -> Name | None:
    """What an order without a name means of the clause before it that names several ("web can't reach redis, restart
    it"): any of them, so that it is asked. None where that names one."""
    earlier = [clause for clause in said.clauses[:index] if clause.names]
    names = earlier[-1].names if earlier else ()
    if len(earlier) > 1 and ends_sentence(said, earlier[-2], earlier[-1]):
        names = (*earlier[-2].names, *names)
    known = [name for name in distinct(names) if name.matches]
    if len(known) < 2:
        return None
    matches = tuple(service for name in known for service in name.matches)
    return Name(" / ".join(name.text for name in known), known[0].start, matches)


def ends_sentence(said: Split, before: Clause, clause: Clause) -> bool:
    """Whether a clause that is only a name is the end of the one before it, from which a blank parts it ("web 连不上
    redis")."""
    only = len(clause.names) == 1 and said.text(clause).strip() == NAME * len(clause.names[0].text)
    told = bool(before.names) and said.text(before).strip() != NAME * len(before.names[0].text)
    return only and told and said.masked[before.end : clause.start].isspace()


def meant_name(said: Split, index: int) -> Name | None:
    """A name said afterwards as what was meant ("is the db ok, order-db i mean")."""
    later = said.clauses[index + 1] if index + 1 < len(said.clauses) else None
    if later is None or not later.names or _MEANT.fullmatch(said.text(later)) is None:
        return None
    return best(later.names)


def _all_joined(said: Split, names: tuple[Name, ...]) -> bool:
    return all(
        _JOINED.fullmatch(said.masked, left.start + len(left.text), right.start) is not None
        or (_listed(left, right) and said.masked[left.start + len(left.text) : right.start].isspace())
        for left, right in pairwise(names)
    )


def _listed(left: Name, right: Name) -> bool:
    """Whether names that only a blank parts are a list: those of nodes, or of services that are known apart."""
    if left.matches and right.matches:
        return not same(left, right) and not (is_pod(left) or is_pod(right))
    return all(_A_NODE.fullmatch(name.text.lower()) is not None for name in (left, right))


def distinct(names: tuple[Name, ...]) -> list[Name]:
    """Names without those that mean the same service as an earlier one ("订单数据库 order-db")."""
    kept: list[Name] = []
    for name in names:
        if not any(same(name, other) for other in kept):
            kept.append(name)
    return kept


def same(name: Name, other: Name) -> bool:
    """Whether two names mean the same."""
    if not name.matches or not other.matches:
        return name.text.lower() == other.text.lower()
    keys = {service.entity.key for service in other.matches}
    return all(service.entity.key in keys for service in name.matches)


def best(names: tuple[Name, ...]) -> Name:
    """Of several names of a clause, the last that is known."""
    known = [name for name in names if name.matches]
    return (known or list(names))[-1]


def add_named_slots(intent: str, slots: dict[str, SlotValue], name: Name | None) -> None:
    """A name that is a node or a pod is a parameter as well."""
    if name is None:
        return
    if any(service.entity.kind == "Node" for service in name.matches) or (is_node_action(intent) and not name.matches):
        slots["node"] = name.text.rpartition("/")[2]
    if is_pod(name):
        slots.setdefault("pod", name.text)


def is_pod(name: Name) -> bool:
    """Whether a known name is that of a pod of its service."""
    low = name.text.lower()
    return any(
        low.startswith((service.entity.workload.lower() + "-", service.entity.name.lower() + "-"))
        and low
        not in (
            service.entity.workload.lower(),
            service.entity.name.lower(),
            *(alias.lower() for alias in service.aliases),
        )
        for service in name.matches
    )
