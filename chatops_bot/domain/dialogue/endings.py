"""What a session leaves open when it ends, beside what became of its changes."""

from __future__ import annotations

from collections.abc import Iterator

from chatops_bot.domain.intents import ACTIONS
from chatops_bot.domain.memory import Open, OpenKind
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
        yield _order("asked", "memory.unasked", session.flow)
    for flow in session.parked:
        if flow.intent in ACTIONS:
            yield _order("parked", "memory.parked", flow)
    walk = session.walk
    if walk is not None and walk.position < walk.length:
        yield Open("walk", say("memory.walk", runbook=walk.runbook, step=walk.position + 1))


def _order(kind: OpenKind, key: str, flow: Flow) -> Open:
    entity = flow.entity
    said = say(key, action=f"action.{flow.intent}", service=entity.name if entity is not None else "")
    return Open(kind, said, about=entity.key if entity is not None else "")
