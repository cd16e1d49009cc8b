"""What a session leaves open when it ends, beside what became of its changes."""

from __future__ import annotations

from collections.abc import Iterator

from chatops_bot.domain.intents import ACTIONS
from chatops_bot.domain.memory import Open
from chatops_bot.domain.say import say
from chatops_bot.domain.session import Flow, Session


def left_open(session: Session) -> tuple[Open, ...]:
    """Orders that were put aside or not said to the end, a runbook that is under way, and who has the thread."""
    return tuple(_left(session))


def _left(session: Session) -> Iterator[Open]:
    if session.assigned_to is not None or session.handed_off:
        taken = session.assigned_to
        who = (taken.name or taken.who) if taken is not None else "memory.somebody"
        yield Open("handed_off", say("memory.handed", who=who))
    if session.flow is not None and session.flow.intent in ACTIONS:
        yield Open("asked", say("memory.unasked", action=f"action.{session.flow.intent}", service=_name(session.flow)))
    for flow in session.parked:
        if flow.intent in ACTIONS:
            yield Open("parked", say("memory.parked", action=f"action.{flow.intent}", service=_name(flow)))
    walk = session.walk
    if walk is not None and walk.position < walk.length:
        yield Open("walk", say("memory.walk", runbook=walk.runbook, step=walk.position + 1))


def _name(flow: Flow) -> str:
    return flow.entity.name if flow.entity is not None else ""
