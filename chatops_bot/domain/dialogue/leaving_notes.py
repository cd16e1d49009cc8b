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
    key = (pending.confirmer or pending.requester).key
    name = approvals.confirmer_name(turn, pending)
    turn.do(
        LeaveNote(
            id=turn.effect_id(),
            thread=turn.session.thread,
            room=turn.session.room,
            token=plan.token,
            entity=plan.entity,
            card=pending.card,
            outcome=outcome,
            by=name if name == key else f"{name} ({key})",
            approvers=tuple(approvals.people(turn, (approver,)) for approver in pending.approvals),
        )
    )
