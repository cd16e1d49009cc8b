"""Change freezes in the dialogue: who asks for a change in one is asked why, or told that there is no way."""

from __future__ import annotations

import msgspec

from chatops_bot.domain import joint
from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.dialogue import asking, rights
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.freezes import Frozen
from chatops_bot.domain.identity import User
from chatops_bot.domain.plans import Plan
from chatops_bot.domain.policy import freeze_line
from chatops_bot.domain.say import Say
from chatops_bot.domain.session import Flow


def frozen(turn: Turn, action: str, entity: Entity) -> tuple[Frozen, ...]:
    """The freezes that hold for this change now."""
    return turn.world.policy.frozen(action=action, entity=entity, room=turn.session.room, now=turn.now)


def closed(turn: Turn, action: str, entity: Entity) -> Say | None:
    """Why it is no use to ask for this change now: a freeze that nobody may override."""
    policy, room = turn.world.policy, turn.session.room
    for one in frozen(turn, action, entity):
        members = policy.members(one.override)
        if not members:
            return policy.not_overridden((one,), by=(), room=room)
    return None


def reason_of(flow: Flow) -> str:
    """Why it is wanted, as said with the order or when asked."""
    return str(flow.slots.get("reason", "")) or flow.reason


def ask_reason(turn: Turn, flow: Flow, entity: Entity, *, undo_of: str = "") -> bool:
    """Ask why, where a freeze wants to know and nothing was said. True when it was asked."""
    held = frozen(turn, flow.intent, entity)
    if not held or reason_of(flow).strip():
        return False
    question = freeze_line("ask_reason", held[0])
    asking.ask(turn, msgspec.structs.replace(flow, undo_of=undo_of), ("reason",), question)
    return True


def problem(turn: Turn, plan: Plan, user: User, others: tuple[str, ...]) -> Say | None:
    """Why a freeze keeps this person, and `others` who confirmed or approved before, from letting the plan run."""
    return joint.freeze_problem(
        turn.world.policy,
        (turn.session.room, *rights.further_rooms(turn)),
        action=plan.action,
        entity=plan.entity,
        now=turn.now,
        by=(user.key, *others),
        reason=plan.reason,
    )


def may(turn: Turn, action: str, entity: Entity, user: User) -> bool:
    """Whether no freeze keeps this person from confirming this change now, for a reason that is still to be said."""
    held = frozen(turn, action, entity)
    return turn.world.policy.not_overridden(held, by=(user.key,), room=turn.session.room) is None


def notes(turn: Turn, entity: Entity) -> list[Say]:
    """A sentence about each freeze that holds here for any change."""
    held = {one.name: one for action in ACTIONS for one in frozen(turn, action, entity)}
    said = (turn.world.policy.not_overridden((one,), by=(), room=turn.session.room) for one in held.values())
    return [line for line in said if line is not None]
