"""After a change: the wish that it be told in the cluster, with people as they are shown and as they are known."""

from __future__ import annotations

from chatops_bot.domain.dialogue import approvals
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.effects import LeaveNote
from chatops_bot.domain.plans import Plan
from chatops_bot.domain.session import Pending


def leave_note(turn: Turn, pending: Pending, plan: Plan, outcome: str) -> None:
    """Where something was written, or may have been."""
    if outcome not in ("done", "unknown"):
        return
    turn.do(
        LeaveNote(
            id=turn.effect_id(),
            thread=turn.session.thread,
            room=turn.session.room,
            token=plan.token,
            entity=plan.entity,
            card=pending.card,
            outcome=outcome,
            by=_certain(turn, (pending.confirmer or pending.requester).key),
            approvers=tuple(_certain(turn, approver) for approver in pending.approvals),
        )
    )


def _certain(turn: Turn, key: str) -> str:
    """A person by name and by account, for people choose their names."""
    name = approvals.people(turn, (key,))
    return name if name == key else f"{name} ({key})"
