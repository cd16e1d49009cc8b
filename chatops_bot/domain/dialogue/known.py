"""What a question is made of beside its entity, what of its answer is remembered, and what may be quoted in it."""

from __future__ import annotations

from collections.abc import Mapping

from chatops_bot.domain.dialogue import rights
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.identity import User
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.reports import Report

_WHERE = frozenset({"service", "cluster", "namespace", "environment", "reason"})
"""What says which entity is meant, and nothing of how it is looked at."""


def how(slots: Mapping[str, SlotValue]) -> dict[str, SlotValue]:
    """The slots that say how something is looked at."""
    return {name: value for name, value in slots.items() if name not in _WHERE}


def remembered(turn: Turn, intent: str, entity: Entity | None, slots: Mapping[str, SlotValue]) -> Report | None:
    """What the same question was answered with last."""
    known = turn.session.results.get(intent)
    same = known is not None and known.entity is not None and entity is not None and known.entity.key == entity.key
    return known if known is not None and same and known.slots == slots else None


def may_see_logs(turn: Turn, entity: Entity | None, user: User) -> bool:
    """Whether a diagnosis for this person may quote logs: the rules for `logs` hold there too."""
    if entity is None:
        return True
    return rights.judge(turn, action="logs", entity=entity, user=user, role="read").allowed
