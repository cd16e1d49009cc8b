"""What a click does. A button names its plan by token or its entity by key; the session decides if that holds."""

from __future__ import annotations

from collections.abc import Callable

from chatops_bot.domain.dialogue import (
    alerts,
    approving,
    collecting,
    feedback,
    handing,
    incidents,
    opening,
    overview,
    requests,
    resuming,
    rights,
    runbook_cards,
    subscribing,
    walking,
)
from chatops_bot.domain.dialogue.button_values import slots_in
from chatops_bot.domain.dialogue.confirming import judge
from chatops_bot.domain.dialogue.starting import rebind
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.dialogue.views import line_card
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.events import Click
from chatops_bot.domain.flows import FLOWS
from chatops_bot.domain.intents import ACTIONS, QUERY_SLOTS
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.session import Ended, Flow, Pending


def on_click(turn: Turn, event: Click) -> None:
    """Route a click by its button; an unknown one is refused with a word."""
    name, _, rest = event.button.partition(":")
    turn.route = name
    if handing.withheld(turn, name):
        return
    handler = BUTTONS.get(name)
    if handler is not None:
        handler(turn, event, rest)
    elif name in ACTIONS:
        _action(turn, event, rest)
    else:
        problem = say("refuse.button_unknown", button=event.button[:60])
        requests.refuse(turn, problem, reason="button")


def _confirm(turn: Turn, event: Click, rest: str) -> None:
    pending = _pending(turn, event)
    if pending is not None and pending.phase == "shown":
        judge(turn, pending)
    else:
        _void(turn, event, pending)


def _approve(turn: Turn, event: Click, rest: str) -> None:
    pending = _pending(turn, event)
    if pending is not None and pending.phase == "approving":
        judge(turn, pending)
    else:
        _void(turn, event, pending)


def _cancel(turn: Turn, event: Click, rest: str) -> None:
    if not event.token and turn.session.flow is not None:
        turn.set(flow=None)
        resuming.call_off(turn)
        resuming.closed(turn, say("answer.cancelled"))
        return
    pending = _pending(turn, event)
    if pending is not None and pending.phase in ("shown", "approving"):
        requests.drop(turn, pending, "cancelled", say("plan.cancelled", name=_who(turn)))
        resuming.call_off(turn)
        resuming.offer(turn, pending.card)
    else:
        _void(turn, event, pending)


def _reject(turn: Turn, event: Click, rest: str) -> None:
    pending = _pending(turn, event)
    plan = pending.plan if pending is not None else None
    if pending is None or plan is None or pending.phase != "approving" or turn.user is None:
        _void(turn, event, pending)
        return
    ruling = rights.judge(
        turn, action=plan.action, entity=plan.entity, user=turn.user, role="approve", escalated=pending.escalated
    )
    if not ruling.allowed and ruling.problem is not None:
        requests.refuse(turn, ruling.problem, reason="policy", service=plan.entity.key, token=plan.token)
        return
    approving.reject(turn, pending, plan)


def _modify(turn: Turn, event: Click, rest: str) -> None:
    pending = _pending(turn, event)
    if pending is not None and pending.phase in ("shown", "approving"):
        requests.ask_change(turn, pending)
    else:
        _void(turn, event, pending)


def _service(turn: Turn, event: Click, rest: str) -> None:
    if not resuming.chosen(turn, event, rest) and not alerts.chosen(turn, rest):
        _void(turn, event, None)


def _choose(turn: Turn, event: Click, rest: str) -> None:
    if not resuming.chosen(turn, event, rest):
        _void(turn, event, None)


def _action(turn: Turn, event: Click, rest: str) -> None:
    entity = _entity_of(turn, event)
    if entity is None or turn.user is None:
        _void(turn, event, None)
        return
    pending = _pending(turn, event)
    if event.token and (pending is None or pending.phase != "shown"):
        _void(turn, event, pending)
        return
    intent = event.button.partition(":")[0]
    slots = slots_in(event.value, FLOWS[intent].slots)
    waiting = len(turn.session.pending)
    collecting.start(turn, Flow(intent=intent, requester=turn.user, entity=entity, slots=slots))
    if pending is not None and len(turn.session.pending) > waiting:
        requests.drop(turn, pending, "superseded", say("plan.superseded"))


def _query(intent: str) -> Callable[[Turn, Click, str], None]:
    def run(turn: Turn, event: Click, rest: str) -> None:
        entity = _entity_of(turn, event)
        if entity is None:
            _void(turn, event, None)
            return
        turn.record("request", service=entity.key, action=intent)
        requests.start_query(turn, intent, entity, {}, fresh=True)

    return run


def _refresh(turn: Turn, event: Click, rest: str) -> None:
    """The same question again, on the card that was pressed where that is one of this thread."""
    said = event.value.partition(" ")[0]
    if said == overview.INTENT:
        slots = slots_in(event.value, (*overview.SLOTS, "card"))
        card = str(slots.pop("card", ""))
        overview.start(turn, slots, fresh=True, again_on=card if requests.redrawable(turn, card) else "")
        return
    intent = said if said in requests.ANSWERED else "status"
    entity = _entity_of(turn, event)
    if entity is None:
        _void(turn, event, None)
        return
    turn.record("request", service=entity.key, action=intent)
    slots = slots_in(event.value, (*QUERY_SLOTS, "card"))
    card = str(slots.pop("card", ""))
    again_on = card if requests.redrawable(turn, card) else ""
    requests.start_query(turn, intent, entity, slots, fresh=True, again_on=again_on)


def _undo(turn: Turn, event: Click, rest: str) -> None:
    entity = _entity_of(turn, event)
    action = event.value.partition(" ")[0]
    if entity is None or turn.user is None or not event.token or action not in ACTIONS:
        _void(turn, event, None)
        return
    turn.set(used=True)
    flow = Flow(intent=action, requester=turn.user, entity=entity)
    requests.prepare(turn, flow, entity, undo_of=event.token)


def _entity_of(turn: Turn, event: Click) -> Entity | None:
    """The entity that the card was about when it was drawn; the session is bound to it again."""
    key = event.value.rpartition(" ")[2]
    entity = turn.world.entity(key) if key else None
    lock = turn.session.lock
    if entity is None:
        return lock.entity if lock and not key else None
    if lock is None or lock.entity.key != entity.key:
        rebind(turn, entity)
    return entity


def _pending(turn: Turn, event: Click) -> Pending | None:
    """The plan of the click's token. Without a token, or with a foreign one, there is none."""
    if not event.token:
        return None
    return next((p for p in turn.session.pending if p.token == event.token), None)


def _void(turn: Turn, event: Click, pending: Pending | None) -> None:
    """Nothing is executed, and the clicker is told why; a plan that waits is pointed at."""
    why = why_void(turn, event, pending)
    reason = why.key.rpartition(".")[2]
    problem = say("refuse.button_void", why=turn.text(why))
    turn.record("refusal", reason=reason, text=turn.text(problem), token=event.token[:80], action=event.button[:40])
    turn.reply(line_card(say("refuse.title"), turn.language, problem, tone="warn"))
    requests.repeat_prompt(turn)


def why_void(turn: Turn, event: Click, pending: Pending | None) -> Say:
    """The reason in words: what became of the plan, or that it is none of this thread's."""
    if pending is not None:
        return say(f"refuse.why.{pending.phase}") if pending.phase in _PHASES else say("refuse.why.token")
    ended = next((e for e in reversed(turn.session.ended) if event.token and e.token == event.token), None)
    if ended is not None:
        return _of_ended(turn, ended)
    return say("refuse.why.token") if turn.session.pending else say("refuse.why.unknown")


_PHASES = frozenset({"preparing", "judging", "approving", "executing"})


def _of_ended(turn: Turn, ended: Ended) -> Say:
    if ended.outcome in ("done", "working", "halted"):
        return say("refuse.why.done", by=ended.by or turn.text(say("nobody")))
    known = {"superseded", "expired", "cancelled", "rejected", "left", "refused", "interrupted"}
    if ended.outcome in known:
        return say(f"refuse.why.{ended.outcome}")
    return say("refuse.why.unknown_outcome")


def _who(turn: Turn) -> str:
    return turn.name or (turn.user.key if turn.user else turn.text(say("nobody")))


Handler = Callable[[Turn, Click, str], None]

BUTTONS: dict[str, Handler] = {
    "confirm": _confirm,
    "cancel": _cancel,
    "modify": _modify,
    "approve": _approve,
    "reject": _reject,
    "service": _service,
    "choose": _choose,
    "diagnose": _query("status"),
    "logs": _query("logs"),
    "events": _query("events"),
    "refresh": _refresh,
    "undo": _undo,
    "hand_off": handing.pressed,
    "take": handing.take,
    "give_back": handing.give_back,
    "unsubscribe": subscribing.pressed,
    "incident": incidents.on_click,
    "open": opening.on_click,
    "runbook": runbook_cards.on_click,
    "walk": walking.on_click,
    "take_up": resuming.on_click,
    "helpful": feedback.helped,
    "unhelpful": feedback.did_not_help,
}
"""Every button that belongs to no action; the actions' own buttons come beside it from the registry."""
