"""Expiry: what the session's clock ends. A timer that no longer applies changes nothing."""

from __future__ import annotations

from chatops_bot.domain.dialogue import approvals, approving, handing, requests, resuming, subscribing
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.say import say
from chatops_bot.domain.session import Pending, Session, Summary
from chatops_bot.domain.world import Timing


def on_timer(turn: Turn) -> None:
    """End plans whose time is over, ask once more for the approvals of others; then end the session if it has been idle
    long enough."""
    subscribing.on_time(turn)
    if turn.session.archived:
        return
    for pending in turn.session.pending:
        until = _until(pending)
        if until and turn.now >= until:
            late = approvals.late(turn, pending) if pending.phase == "approving" else say("plan.expired")
            requests.drop(turn, pending, "expired", late)
        else:
            approving.on_time(turn, pending)
    if not turn.session.pending and turn.session.flow is None:
        resuming.call_off(turn)  # nobody is there to be asked for more
    if turn.session.handed_off:
        handing.on_time(turn)
    elif not turn.session.pending and turn.now >= turn.session.touched + _idle_ms(turn.session, turn.world.timing):
        lock = turn.session.lock
        asked = turn.session.flow.intent if turn.session.flow else ""
        turn.archive(
            Summary(
                thread=turn.session.thread,
                at=turn.now,
                entity=lock.entity if lock else None,
                outcome="idle",
                asked=asked,
            )
        )


def wake_at(session: Session, timing: Timing) -> int:
    """When this session wants to be woken, ms; 0 for never."""
    news = subscribing.wake_at(session)
    if session.archived:
        return news
    deadlines = [news] if news else []
    deadlines += [at for pending in session.pending for at in _due(pending) if at]
    if session.handed_off:
        deadlines += handing.deadlines(session)
    elif not session.pending:
        deadlines.append(session.touched + _idle_ms(session, timing))
    return min(deadlines, default=0)


def _due(pending: Pending) -> tuple[int, ...]:
    """All that a plan waits for in its phase, 0 for what it does not."""
    asking = (pending.remind_at, pending.escalate_at) if pending.phase == "approving" else ()
    return _until(pending), *asking


def _until(pending: Pending) -> int:
    if pending.phase == "shown" and pending.plan is not None:
        return pending.plan.expires
    return pending.approve_until if pending.phase == "approving" else 0


def _idle_ms(session: Session, timing: Timing) -> int:
    waits = session.flow is not None or session.walk is not None
    return 1000 * (timing.collecting_s if waits else timing.idle_s)
