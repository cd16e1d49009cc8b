"""What a question is made of beside its entity, what of its answer is remembered, and what may be quoted in it."""

from __future__ import annotations

from collections.abc import Mapping

from chatops_bot.domain.dialogue import rights
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.identity import User
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.reports import Report
from chatops_bot.domain.scopes import READ

_WHERE = frozenset({"service", "cluster", "namespace", "environment", "reason"})
"""What says which entity is meant, and nothing of how it is looked at."""


def how(slots: Mapping[str, SlotValue]) -> dict[str, SlotValue]:
    """The slots that say how something is looked at."""
    return {name: value for name, value in slots.items() if name not in _WHERE}


def remembered(
    turn: Turn, intent: str, entity: Entity | None, slots: Mapping[str, SlotValue], user: User
) -> Report | None:
    """What the same question was answered with last, unless this person may see more or less of it than whoever asked
    then."""
    known = turn.session.results.get(intent)
    same = known is not None and known.entity is not None and entity is not None and known.entity.key == entity.key
    if known is None or entity is None or not same or known.slots != slots:
        return None
    return None if intent == "status" and _differs(turn, entity, known, user) else known


def keep(turn: Turn, report: Report) -> None:
    """An answer is remembered for the same question; what is known of an object of that name that is gone, is not."""
    if report.entity is not None:
        passed(turn, report.entity, report.uid)
    turn.set(results={**turn.session.results, report.kind: report})


def passed(turn: Turn, entity: Entity, uid: str) -> None:
    """An entity's object has this uid now: forget what was read of another one under its name."""
    known = turn.session.results
    found = {kind: report for kind, report in known.items() if not _of_another(report, entity, uid)}
    if len(found) < len(known):
        turn.set(results=found)


def _of_another(report: Report, entity: Entity, uid: str) -> bool:
    """Whether it was read of another object of that name; where a uid is not known it is taken for the same."""
    same = report.entity is not None and report.entity.key == entity.key
    return same and "" not in (uid, report.uid) and report.uid != uid


def _differs(turn: Turn, entity: Entity, known: Report, user: User) -> bool:
    """Whether a diagnosis may be another for this person: by the pods of a node, which are of all namespaces, or by
    what is quoted of logs."""
    if entity.kind == "Node":
        return any(rule.covers_action(READ, reading=True) for rule in turn.world.policy.rules)
    withheld = any(line.key == "report.logs_withheld" for line in known.unread)
    return withheld == may_see_logs(turn, entity, user)


def may_see_logs(turn: Turn, entity: Entity | None, user: User) -> bool:
    """Whether a diagnosis for this person may quote logs: the rules for `logs` hold there too, in every room in which
    it is shown."""
    if entity is None:
        return True
    shown_in = rights.shown_in(turn)
    return rights.judge(turn, action="logs", entity=entity, user=user, role="read", also=shown_in).allowed
