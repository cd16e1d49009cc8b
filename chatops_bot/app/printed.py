"""The object that `replay` prints for a turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec

from chatops_bot.domain.dialogue.turn import Decision
from chatops_bot.domain.intents import Quantity, SlotValue, State
from chatops_bot.domain.plans import Plan
from chatops_bot.domain.session import Session
from chatops_bot.domain.texts import render
from chatops_bot.engine.arrivals import COURTESY_MARK


class Played(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of one turn. `own` are the decisions on its own event, `decisions` all of the turn; `reply`
    everything shown, in order; `buttons` those of the newest card of its thread; `executed` what reached the
    cluster."""

    id: str
    thread: str
    session: Session | None
    ignored: bool
    refused: str
    own: tuple[Decision, ...]
    decisions: tuple[Decision, ...]
    reply: tuple[str, ...]
    buttons: tuple[str, ...]
    executed: tuple[dict[str, Any], ...]


def turn(played: Played) -> dict[str, Any]:
    """Everything a transcript may expect; all keys always there."""
    session = played.session
    answered = [decision for decision in played.own if not decision.move]
    entity = session.lock.entity if session and session.lock else None
    visible = played.thread and not played.thread.startswith(COURTESY_MARK)
    return {
        "turn": played.id,
        "ignored": played.ignored,
        "thread": played.thread if visible and not played.ignored else None,
        "state": session.state.value if session and visible else None,
        "route": answered[-1].route or None if answered else None,
        "intents": list(answered[-1].intents) if answered else [],
        "service": entity.name if entity else None,
        "namespace": entity.namespace if entity else None,
        "slots": _slots(session),
        "plan": _plan(session),
        "executed": list(played.executed),
        "refused": played.refused or _refusal(played.decisions),
        "reply": "\n".join(played.reply),
        "buttons": list(played.buttons),
        "cited": list(dict.fromkeys(id_ for decision in played.decisions for id_ in decision.cited)),
        "model_tokens": sum(decision.tokens for decision in played.own if not decision.move),
    }


def _slots(session: Session | None) -> dict[str, Any]:
    if session is None:
        return {}
    slots: dict[str, Any] = {}
    if session.lock is not None:
        slots["service"] = session.lock.entity.name
    return slots | {name: _SPANS.get(name, plain)(value) for name, value in _held(session).items()}


def _held(session: Session) -> dict[str, SlotValue]:
    """Of what is collected or waits, else of the last question."""
    held = dict(session.flow.slots) if session.flow is not None else {}
    for pending in session.pending[:1]:
        held |= pending.slots | (pending.plan.parameters if pending.plan is not None else {})
    if session.state is State.FOLLOW_UP and session.last_query is not None:
        return session.last_query.slots
    return held


def _span(value: SlotValue) -> str | int | float | bool:
    """A span of time back from now, in the largest unit that it is whole in: `30m`, `2h`."""
    if not isinstance(value, int):
        return plain(value)
    unit, seconds = next((unit, each) for unit, each in _UNITS if value % each == 0)
    return f"{value // seconds}{unit}"


def plain(value: SlotValue) -> str | int | float | bool:
    """A slot's value as people would write it."""
    if not isinstance(value, Quantity):
        return value
    if value.kind == "by":
        return f"{value.value:+g}"
    if value.kind == "times":
        return f"x{value.value:g}"
    return int(value.value) if value.value == int(value.value) else value.value


_UNITS: Final = (("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1))
_SPANS: Final[dict[str, Callable[[SlotValue], str | int | float | bool]]] = {"since": _span}


def _plan(session: Session | None) -> dict[str, Any] | None:
    """The plan that awaits a confirmation or approval; the first where several do."""
    if session is None:
        return None
    waiting = [p for p in session.pending if p.phase in ("shown", "judging", "approving") and p.plan]
    plan: Plan | None = waiting[0].plan if waiting else None
    if plan is None:
        return None
    language = plan.language
    return {
        "action": plan.action,
        "target": plan.entity.target,
        "risk": plan.risk,
        "preview": [render(line, language) for line in plan.preview],
        "warnings": [render(line, language) for line in plan.warnings],
        **{name: plain(value) for name, value in plan.parameters.items()},
    }


def _refusal(decisions: tuple[Decision, ...]) -> str | None:
    refusals = [record for decision in decisions for record in decision.audit if record.kind == "refusal"]
    if not refusals:
        return None
    return ": ".join(part for part in (refusals[-1].reason, refusals[-1].text) if part)
