"""Completing what was asked for, by the table of flows: all that is missing in one question, each value checked by code
before it is taken. Design section 5."""

from __future__ import annotations

import msgspec

from chatops_bot.domain import flows
from chatops_bot.domain.actions.argo import unfit
from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.dialogue import asking, freezing, parking, requests, rights
from chatops_bot.domain.dialogue.called import labels
from chatops_bot.domain.dialogue.lock import Doubt
from chatops_bot.domain.dialogue.turn import Turn, label
from chatops_bot.domain.dialogue.views import SHOWN_CHOICES, line_card
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.intents import Quantity
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.session import Flow


def start(turn: Turn, flow: Flow) -> None:
    """Begin a flow whose entity is known: ask for what is missing, else have it done."""
    if flow.intent not in ACTIONS:
        lacking = flows.lack(flow.intent, flow.slots) if flow.intent in requests.ANSWERED else None
        if lacking is not None:
            ask_slots(turn, flow, lacking)
        else:
            requests.start_query(turn, flow.intent, flow.entity, flow.slots)
    elif flow.entity is not None and not _declined(turn, flow, flow.entity):
        if not flow.undo_of:
            requests.stands(turn, flow.intent, flow.entity, flow.slots)
        _complete(turn, flow, flow.entity)


def lack(flow: Flow) -> flows.Lack | None:
    """What a flow, whose entity is known, cannot begin without."""
    if flows.unclear(flow.slots) is not None:
        return flows.Lack(("replicas",))
    return flows.lack(flow.intent, flow.slots)


def _declined(turn: Turn, flow: Flow, entity: Entity) -> bool:
    """Say no to what is not worth asking anything for."""
    ruling = rights.judge(turn, action=flow.intent, entity=entity, user=flow.requester, role="request")
    closed = freezing.closed(turn, flow.intent, entity)
    if entity.kind not in ACTIONS[flow.intent].kinds:
        requests.refuse(turn, unfit(flow.intent, entity), reason="kind", service=entity.key, action=flow.intent)
    elif not ruling.allowed and ruling.problem is not None:
        requests.refuse(turn, ruling.problem, reason="policy", service=entity.key, action=flow.intent)
    elif closed is not None:
        requests.refuse(turn, closed, reason="freeze", service=entity.key, action=flow.intent)
    else:
        return False
    return True


def _complete(turn: Turn, flow: Flow, entity: Entity) -> None:
    doubtful, lacking = flows.unclear(flow.slots), flows.lack(flow.intent, flow.slots)
    if flow.undo_of:
        requests.prepare(turn, flow, entity, undo_of=flow.undo_of)
    elif doubtful is not None:
        _ask_to_or_by(turn, flow, doubtful, lacking)
    elif lacking is not None:
        ask_slots(turn, flow, lacking)
    else:
        requests.prepare(turn, flow, entity)


def _ask_to_or_by(turn: Turn, flow: Flow, unclear: Quantity, lacking: flows.Lack | None) -> None:
    """A number that can mean the whole or the difference: both on buttons."""
    number, down = f"{abs(unclear.value):g}", unclear.value < 0
    key = "ask.replicas_unclear_down" if down else "ask.replicas_unclear"
    question = say(key, service=label(flow.entity) if flow.entity else "", number=number)
    notes = (lacking.problem,) if lacking is not None and lacking.problem is not None else ()
    slots = {name: kept for name, kept in flow.slots.items() if kept is not unclear}
    flow = msgspec.structs.replace(flow, slots=slots)
    choices = (number, f"{'-' if down else '+'}{number}")
    asking.ask(turn, flow, ("replicas",), question, *notes, choices=choices)


def ask_slots(turn: Turn, flow: Flow, lacking: flows.Lack) -> None:
    """One question for everything that is missing or cannot be taken as it was said."""
    what, offered = lacking.what, lacking.choices
    if len(what) == 1:
        question = say(f"ask.{what[0]}", service=label(flow.entity) if flow.entity else "")
    else:
        question = say("ask.slot", slot=asking.named_slots(turn, what))
    if lacking.problem is None and what[0] == "replicas" and (number := parking.last_number(turn, flow)):
        offered = (number,)
    kept = {name: value for name, value in flow.slots.items() if name not in what}
    notes = (lacking.problem,) if lacking.problem is not None else ()
    asking.ask(turn, msgspec.structs.replace(flow, slots=kept), what, question, *notes, choices=offered)


def ask_service(turn: Turn, flow: Flow, doubt: Doubt, *why: Say, on: str = "") -> None:
    """Which entity: candidates as buttons, on a new card or that of this id. The request waits in the flow. What else
    is missing is asked for in the same breath. `why` the answer before was none."""
    offered = labels(doubt.candidates[:SHOWN_CHOICES])
    missing = flows.missing(flow.intent, flow.slots)
    notes = [*why, *([say("ask.slot", slot=asking.named_slots(turn, missing))] if missing else [])]
    if len(doubt.candidates) > len(offered):
        notes.append(say("flow.more", count=len(doubt.candidates) - len(offered)))
    candidates = {name: entity.key for name, entity in offered.items()}
    asking.ask(turn, flow, ("service", *missing), doubt.question, *notes, candidates=candidates, on=on)


def cannot_take(turn: Turn, why: Say) -> None:
    """A question in the middle of a flow that cannot be answered as it was put: said so, and the flow goes on."""
    turn.reply(line_card(say("answer.cannot"), turn.language, why, tone="muted"))
    requests.repeat_prompt(turn)


def queue(turn: Turn, flow: Flow, doubt: Doubt | None = None) -> None:
    """What was asked for in the same breath, and has a question of its own, waits until the first one is settled.
    `doubt` is which of the entities is meant that were named for it."""
    if doubt is not None:
        keys = {entity.key: entity.key for entity in doubt.candidates}
        flow = msgspec.structs.replace(flow, prompt=doubt.question, candidates=keys)
    turn.set(queued=(*turn.session.queued, msgspec.structs.replace(flow, utterance=turn.event_id)))
    after = say("flow.queued", intent=parking.called(flow), about=parking.about(flow))
    requests.extend(turn, turn.answer_card, after, ())
