"""Beginning what an utterance asks for: two requests at most, each with its entity, the lock kept true."""

from __future__ import annotations

import msgspec

from chatops_bot.domain.dialogue import (
    collecting,
    handing,
    incidents,
    looking_back,
    overview,
    parking,
    requests,
    runbook_cards,
    subscribing,
    walk_starting,
)
from chatops_bot.domain.dialogue.lock import Doubt, bind, resolve
from chatops_bot.domain.dialogue.turn import Turn, label
from chatops_bot.domain.dialogue.walking_words import wanted
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.events import Message
from chatops_bot.domain.flows import FLOWS, WHERE, problem
from chatops_bot.domain.intents import ACTIONS, Interpretation, Request, Route, SlotValue
from chatops_bot.domain.say import say
from chatops_bot.domain.session import Flow
from chatops_bot.domain.texts import word

MOST_REQUESTS = 2
"""Intents handled of one utterance."""


def act_or_query(turn: Turn, event: Message, meaning: Interpretation) -> None:
    """Handle the requests of an utterance, at most two, the dangerous one first."""
    narrowed = _beside_help(tuple(_of_one(turn, request) for request in meaning.requests))
    if narrowed != meaning.requests:
        meaning = msgspec.structs.replace(meaning, requests=narrowed)
        turn.intents = tuple(request.intent for request in narrowed)
    taken, left_out = split(_once(turn, _topics_aside(turn, meaning.requests, event.text)))
    taken = tuple(_about(each, runbook_cards.topic(event.text, meaning)) for each in taken)
    override(turn, tuple(each for each in taken if each.intent not in subscribing.INTENTS))
    _leave_out(turn, meaning.requests, left_out)
    for request in taken:
        begin(turn, request, _named_before(meaning.requests, request))


def _beside_help(found: tuple[Request, ...]) -> tuple[Request, ...]:
    """Who asks for something is helped by that."""
    return tuple(each for each in found if each.intent != Route.HELP) or found


def _leave_out(turn: Turn, found: tuple[Request, ...], left_out: tuple[Request, ...]) -> None:
    """Name what is not handled; a change among it is put aside, so that it can be taken up when the others are done."""
    if left_out:
        between = "、" if turn.language == "zh" else ", "
        turn.first(say("left_out", what=between.join(_named(turn, found, request) for request in left_out)))
    for request in left_out:
        entity = resolve(turn, request, _named_before(found, request))
        if request.intent in FLOWS and request.dangerous and isinstance(entity, Entity) and turn.user is not None:
            kept = Flow(intent=request.intent, requester=turn.user, slots=request.slots, entity=entity)
            parking.park(turn, kept)


def _of_one(turn: Turn, request: Request) -> Request:
    """A question for what is broken that says no place, where a service is named or talked about, is one about that."""
    if request.intent != overview.INTENT:
        return request
    named = request.name is not None and bool(request.name.matches)
    slots = request.slots
    anywhere = slots.keys() & {"cluster", "namespace", "environment"} or slots.get("about") in ("all", "jobs")
    if not named and (anywhere or turn.session.lock is None):
        return request
    return msgspec.structs.replace(request, intent="status", slots={})


def _topics_aside(turn: Turn, found: tuple[Request, ...], text: str) -> tuple[Request, ...]:
    """Beside a question for a runbook, what sounds like a question for readings of nothing in particular is its topic:
    a full disk, logs that say so. Where one is to be walked, it does the looking."""
    asked = any(request.intent == runbook_cards.INTENT for request in found)
    if not asked or (turn.session.lock is not None and not wanted(text)):
        return found
    return tuple(r for r in found if r.intent == runbook_cards.INTENT or r.dangerous or r.name is not None)


def _once(turn: Turn, found: tuple[Request, ...]) -> tuple[Request, ...]:
    """The requests without those for what an earlier one asks for already by another name of the same service: two
    plans of theirs would do it twice."""
    kept: list[Request] = []
    asked: list[tuple[str, str, dict[str, SlotValue]]] = []
    for request in found:
        entity = resolve(turn, request, _named_before(found, request))
        values = {name: value for name, value in request.slots.items() if name not in WHERE}
        whose = entity.key if isinstance(entity, Entity) else ""
        if not whose or (request.intent, whose, values) not in asked:
            kept.append(request)
            asked.append((request.intent, whose, values))
    return tuple(kept)


def _about(request: Request, text: str) -> Request:
    """A question for runbooks with the words that it is asked in."""
    if request.intent != runbook_cards.INTENT:
        return request
    return msgspec.structs.replace(request, slots={**request.slots, "text": text})


def split(found: tuple[Request, ...]) -> tuple[tuple[Request, ...], tuple[Request, ...]]:
    """The two that are handled, the dangerous ones first, and those that are left out."""
    kept, left_out = found[:MOST_REQUESTS], found[MOST_REQUESTS:]
    return tuple(sorted(kept, key=lambda request: (not request.dangerous, request.start))), left_out


def begin(turn: Turn, request: Request, said_before: Entity | None) -> None:
    """Start one request, or ask which entity it is about."""
    user = turn.user
    if user is None:
        return
    wrong = problem(request.intent, request.slots) if request.intent in FLOWS else None
    if wrong is not None and FLOWS[request.intent].about == "nothing":
        collecting.cannot_take(turn, wrong.problem)
        return
    if _placeless(turn, request, said_before):
        return
    flow = Flow(intent=request.intent, requester=user, slots=request.slots, reason=str(request.slots.get("reason", "")))
    entity = resolve(turn, request, said_before)
    if not requests.supported(request.intent):
        if isinstance(entity, Entity) and turn.session.lock is None:
            bind(turn, entity)
        requests.unsupported(turn, request)
        return
    if request.conditional and request.dangerous:
        turn.first(say("refuse.conditional"))
    if isinstance(entity, Doubt):
        _in_doubt(turn, flow, entity, named=request.name is not None)
        return
    lock = turn.session.lock
    if lock is None and not _aside(turn, flow):
        walk_starting.leave(turn, entity)
        bind(turn, entity)
    elif lock is not None and _lies_elsewhere(turn, request, lock.entity, entity, said_before):
        rebind(turn, entity)
    _start(turn, msgspec.structs.replace(flow, entity=entity))


def _lies_elsewhere(turn: Turn, request: Request, here: Entity, entity: Entity, said_before: Entity | None) -> bool:
    """Whether a place that was said turns the thread to another service of that name. A question beside what waits is
    only answered."""
    if request.name is not None or said_before is not None or entity.key == here.key or entity.name != here.name:
        return False
    return request.dangerous or not (turn.session.pending or turn.session.flow is not None)


def _in_doubt(turn: Turn, flow: Flow, doubt: Doubt, *, named: bool) -> None:
    """Ask which entity it is about; a question in the middle of an order gives way to that."""
    if _asked_now(turn):
        collecting.queue(turn, flow, doubt if named else None)
    elif _aside(turn, flow):
        collecting.cannot_take(turn, doubt.question if named else say("aside.name_it"))
    else:
        collecting.ask_service(turn, flow, doubt)


def _start(turn: Turn, flow: Flow) -> None:
    lack = collecting.lack(flow)
    if lack and _asked_now(turn):
        collecting.queue(turn, flow)
        return
    if lack is not None and lack.problem is not None and _aside(turn, flow):
        collecting.cannot_take(turn, lack.problem)
        return
    if flow.intent not in ACTIONS and flow.entity is not None:
        turn.record("request", service=flow.entity.key, action=flow.intent)
    collecting.start(turn, flow)


def _asked_now(turn: Turn) -> bool:
    """Whether something that was said in the same breath has just become a question."""
    flow, before = turn.session.flow, turn.began.flow
    return flow is not None and (before is None or before.number != flow.number)


def _aside(turn: Turn, flow: Flow) -> bool:
    """Whether this is a question in the middle of an order, which it must not push away."""
    order = turn.session.flow
    return order is not None and order.intent in ACTIONS and flow.intent not in ACTIONS


def _placeless(turn: Turn, request: Request, said_before: Entity | None) -> bool:
    """What needs no entity, and is never asked for one; whether it was that."""
    if request.intent == incidents.ACTION:
        incidents.show(turn)
    elif request.intent == overview.INTENT:
        overview.start(turn, request.slots)
    elif looking_back.of_room(turn, request, said_before):
        looking_back.start(turn, request.slots)
    elif request.intent in subscribing.INTENTS:
        subscribing.asked(turn, request)
    elif request.intent == handing.INTENT:
        turn.first(say("handed.order_first"))
    elif request.intent == runbook_cards.INTENT:
        text = str(request.slots.get("text", ""))
        ask = walk_starting.ask if wanted(text) else runbook_cards.ask
        ask(turn, request, said_before, text)
    else:
        return False
    return True


def override(turn: Turn, taken: tuple[Request, ...]) -> None:
    """Another service named in this thread rebinds its lock and drops what was pending for the old one."""
    lock = turn.session.lock
    if lock is None:
        return
    found = (resolve(turn, r, None) for r in taken if r.name is not None and len(r.name.matches) == 1)
    named = [entity for entity in found if isinstance(entity, Entity)]
    about = {lock.entity.key, *(pending.entity.key for pending in turn.session.pending)}
    if not named or any(entity.key in about for entity in named):
        return
    rebind(turn, named[0])


def rebind(turn: Turn, entity: Entity) -> None:
    """Bind to another entity, say so, and let nothing of the old one survive."""
    lock = turn.session.lock
    walk_starting.leave(turn, entity)
    if lock is None or not bind(turn, entity):
        bind(turn, entity)
        return
    before = label(lock.entity)
    turn.first(say("lock.rebound", service=label(entity), before=before))
    had_flow = turn.session.flow is not None
    turn.set(flow=None, queued=(), parked=(), results={}, last_query=None, standing=())
    if requests.drop_all(turn, "left", say("plan.left")) or had_flow:
        turn.first(say("lock.dropped", before=before))


def _named_before(found: tuple[Request, ...], request: Request) -> Entity | None:
    """What was named earlier in the same utterance, which a later pronoun or silence means."""
    earlier = [r for r in found if r.start < request.start and r.name is not None and len(r.name.matches) == 1]
    return earlier[-1].name.matches[0].entity if earlier and earlier[-1].name else None


def _named(turn: Turn, found: tuple[Request, ...], request: Request) -> str:
    """A request in words, with what it is about as far as that is known."""
    group = "action" if request.dangerous else "intent"
    what = word(f"{group}.{request.intent}", turn.language)
    lock = turn.session.lock
    about = _named_before(found, request) or (lock.entity if lock is not None else None)
    name = request.name.text if request.name is not None else about.name if about is not None else ""
    return f"{what} {name}".strip()
