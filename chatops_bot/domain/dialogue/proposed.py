"""What came of an order that only a model has understood: its plan takes a click, whatever is said to it.

A model could otherwise make an order of small talk, and a courteous "ok" to that would run it.
"""

from __future__ import annotations

import msgspec

from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.intents import Interpretation, Request
from chatops_bot.domain.session import Flow, Session


def mark(turn: Turn, before: Session, meaning: Interpretation | None) -> None:
    """Mark orders and plans that this turn has begun: all of them where a model's order or change is among what it
    was told, else those that go on with a marked one."""
    told = any(request.proposed and (request.dangerous or not request.intent) for request in _requests(meaning))
    flows = [flow for flow in (before.flow, *before.parked, *before.queued) if flow is not None]
    going_on = {flow.intent for flow in flows if flow.proposed} | {p.action for p in before.pending if p.proposed}
    if not told and not going_on:
        return
    known = {pending.effect for pending in before.pending}

    def marked(flow: Flow) -> Flow:
        begun = flow not in flows and (told or flow.intent in going_on)
        return msgspec.structs.replace(flow, proposed=True) if begun else flow

    after = turn.session
    turn.set(
        flow=marked(after.flow) if after.flow is not None else None,
        parked=tuple(map(marked, after.parked)),
        queued=tuple(map(marked, after.queued)),
        pending=tuple(
            msgspec.structs.replace(pending, proposed=True)
            if pending.effect not in known and (told or pending.action in going_on)
            else pending
            for pending in after.pending
        ),
    )


def _requests(meaning: Interpretation | None) -> tuple[Request, ...]:
    return meaning.requests if meaning is not None else ()
