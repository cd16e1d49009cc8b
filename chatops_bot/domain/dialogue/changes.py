"""Completing and changing what was asked for: `provide` and `modify`. What is not named stays as it was."""

from __future__ import annotations

import msgspec

from chatops_bot.domain.actions.argo import unfit
from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.dialogue import collecting, handing, requests, walk_starting
from chatops_bot.domain.dialogue.lock import Doubt, beside, bind, drift_doubt, drifted, lies, of_name
from chatops_bot.domain.dialogue.starting import act_or_query, rebind
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.events import Message
from chatops_bot.domain.flows import FLOWS
from chatops_bot.domain.intents import Interpretation, Request
from chatops_bot.domain.say import say
from chatops_bot.domain.session import Flow, Pending
from chatops_bot.domain.standing import changed, changed_from, elsewhere, from_plan, of_plan, placed_anew

_PLACES = ("environment", "cluster", "namespace")
"""Slots that say where: they choose among services of one name."""

_NO_SLOTS = frozenset({*_PLACES, "service"})
"""What a change says of the entity; it is no slot of the action."""


def provide(turn: Turn, event: Message, meaning: Interpretation) -> None:
    """An answer to what was asked: slots, the service, or both; then on with the flow."""
    flow = turn.session.flow
    if flow is None:
        act_or_query(turn, event, meaning)
        return
    change = meaning.requests[0] if meaning.requests else Request(intent="")
    go_on(turn, flow, change, other=meaning.other)


def go_on(turn: Turn, flow: Flow, change: Request, *, other: bool = False) -> None:
    """Take an answer into a flow and start it again; asks anew for what is still missing."""
    slots = {name: value for name, value in change.slots.items() if name not in _NO_SLOTS}
    flow = msgspec.structs.replace(flow, slots=changed(flow.slots, slots))
    if flow.intent == handing.INTENT:
        handing.go_on(turn, flow)
        return
    chosen = _chosen(turn, flow, change, other=other)
    if isinstance(chosen, Doubt):
        collecting.ask_service(turn, flow, chosen)
        return
    if chosen is not None and flow.entity is None and not _can_be(flow.intent, chosen):
        known = [entity for key in flow.candidates.values() if (entity := _entity(turn, key)) is not None]
        doubt = Doubt(flow.prompt or say("ask.service"), tuple(known))
        collecting.ask_service(turn, flow, doubt, unfit(flow.intent, chosen))
        return
    carry_on(turn, flow, chosen or flow.entity)


def _can_be(intent: str, entity: Entity) -> bool:
    """Whether what is asked for can be done to an entity of its kind."""
    return intent not in ACTIONS or entity.kind in ACTIONS[intent].kinds


def carry_on(turn: Turn, flow: Flow, entity: Entity | None) -> None:
    """Start a flow with the entity chosen for it, which the session is now bound to."""
    if flow.intent == handing.INTENT:
        handing.go_on(turn, flow)
        return
    if entity is None:
        known = tuple(e for key in flow.candidates.values() if (e := _entity(turn, key)) is not None)
        collecting.ask_service(turn, flow, Doubt(flow.prompt or say("ask.service"), known))
        return
    turn.set(flow=None)
    lock = turn.session.lock
    if lock is None:
        bind(turn, entity)
    elif lock.entity.key != entity.key and not _stays(turn, flow, entity):
        rebind(turn, entity)
    flow = msgspec.structs.replace(flow, entity=entity, asked=None, candidates={}, prompt=None)
    if flow.intent in ACTIONS:
        note = say("plan.superseded")
        for waits in requests.waiting(turn):
            if (waits.action, waits.entity.key) == (flow.intent, entity.key):
                requests.drop(turn, waits, "superseded", note)
    if flow.intent == walk_starting.INTENT:
        walk_starting.chosen(turn, flow, entity)
    else:
        collecting.start(turn, flow)


def _stays(turn: Turn, flow: Flow, entity: Entity) -> bool:
    """Whether the thread stays about what it is: what waits beside the question was asked for in the same breath, so
    that its answer is no turning away from it; and a node is beside the service that is talked about."""
    lock = turn.session.lock
    if lock is not None and beside(lock, flow.intent, entity):
        return True
    waiting = requests.waiting(turn)
    return any(flow.entity == entity or waits.utterance == flow.utterance for waits in waiting)


def modify(turn: Turn, event: Message, meaning: Interpretation) -> None:
    """Change what was named and keep the rest; a new plan replaces the old one, whose buttons die."""
    change = meaning.requests[0] if meaning.requests else Request(intent="")
    flow = turn.session.flow
    if flow is not None:
        go_on(turn, flow, change, other=meaning.other)
        return
    pendings = [p for p in turn.session.pending if p.phase in ("preparing", "shown", "approving")]
    if len(pendings) > 1:
        pendings = list(requests.named(turn, meaning)) or pendings
        pendings = [p for p in pendings if _has_slots(p, change)] or pendings
    if len(pendings) != 1:
        requests.show_again(turn, say("ask.which_plan" if pendings else "plan.unclear"))
    elif meaning.as_before and not change.slots and change.name is None:
        _as_before(turn, pendings[0])
    else:
        _modify_plan(turn, pendings[0], change, other=meaning.other)


def _as_before(turn: Turn, pending: Pending) -> None:
    """Take back the last change of a plan: a plan anew, for what was wanted before it."""
    held = next((one for one in turn.session.standing if one.intent == pending.action), None)
    if held is None or held.was is None:
        requests.show_again(turn, say("correct.unchanged"))
        return
    lock = turn.session.lock
    flow = Flow(pending.action, turn.user or pending.requester, held.was, entity=held.was_about or pending.entity)
    if lock is not None and drifted(turn):
        collecting.ask_service(turn, flow, drift_doubt(turn, lock))
        return
    _replace(turn, pending, flow, flow.entity)


def _has_slots(pending: Pending, change: Request) -> bool:
    """Whether what is changed is something that the plan's action has."""
    said = {slot for slot in change.slots if slot not in _NO_SLOTS}
    return bool(said) and said <= set(FLOWS[pending.action].slots)


def _modify_plan(turn: Turn, pending: Pending, change: Request, *, other: bool) -> None:
    slots = {name: value for name, value in change.slots.items() if name not in _NO_SLOTS}
    if not slots and change.name is None and not other and not _NO_SLOTS & change.slots.keys():
        requests.ask_change(turn, pending)
        return
    user = turn.user or pending.requester
    values = changed(from_plan(pending.slots, pending.plan), slots)
    flow = Flow(intent=pending.action, requester=user, slots=values, entity=pending.entity)
    lock = turn.session.lock
    if change.name is None and not other and lock is not None and drifted(turn):
        collecting.ask_service(turn, flow, drift_doubt(turn, lock))
        return
    chosen = _chosen(turn, flow, change, other=other)
    if isinstance(chosen, Doubt):
        _ask_instead(turn, pending, flow, chosen)
        return
    if chosen is not None and chosen.key == pending.entity.key and not slots:
        requests.ask_change(turn, pending)
        return
    if chosen is not None and chosen.key != pending.entity.key:
        kept = placed_anew(flow.slots) if change.name is None else elsewhere(flow.slots)
        flow = msgspec.structs.replace(flow, slots={**kept, **slots})
    _replace(turn, pending, flow, chosen)


def _replace(turn: Turn, pending: Pending, flow: Flow, chosen: Entity | None) -> None:
    """A new plan in the place of one that waits; what held before can be had back."""
    requests.drop(turn, pending, "superseded", say("plan.superseded"))
    if chosen is None or chosen.key == pending.entity.key:
        collecting.start(turn, flow)
    else:
        carry_on(turn, flow, chosen)
    turn.set(standing=changed_from(turn.session.standing, of_plan(pending)))


def _ask_instead(turn: Turn, pending: Pending, flow: Flow, doubt: Doubt) -> None:
    """Which other service is meant. The plan is no longer what anybody wants: a "yes" to the question must not
    confirm it."""
    requests.drop(turn, pending, "left", say("plan.left"))
    collecting.ask_service(turn, flow, doubt)


def _chosen(turn: Turn, flow: Flow, change: Request, *, other: bool) -> Entity | Doubt | None:
    """The entity that the change names, None when it names none."""
    if change.name is not None:
        return of_name(change.name, flow.intent)
    known = [_entity(turn, key) for key in flow.candidates.values()]
    candidates = [entity for entity in known if entity is not None]
    choice = str(change.slots.get("service", ""))
    if choice in flow.candidates:
        return _entity(turn, flow.candidates[choice])
    if other:
        return _other(turn, flow, candidates)
    wanted = {name: str(change.slots[name]) for name in _PLACES if name in change.slots}
    if wanted or choice:
        return _placed(turn, flow, candidates, wanted, choice)
    return None


def _other(turn: Turn, flow: Flow, candidates: list[Entity]) -> Entity | Doubt:
    lock = turn.session.lock
    current = flow.entity or (lock.entity if lock else None)
    last = (_entity(turn, key) for key in turn.session.offered)
    pool = candidates or [entity for entity in last if entity is not None]
    rest = [entity for entity in pool if current is None or entity.key != current.key]
    if not candidates and (len(rest) == len(pool) or not rest) and current is not None:
        # It was not chosen of what was offered: the other one is that of the same name.
        namesakes = [service.entity for service in turn.world.catalog.lookup(current.name)]
        rest = [entity for entity in namesakes if entity.key != current.key]
    if len(rest) == 1:
        return rest[0]
    return Doubt(say("ask.service"), tuple(rest))


def _placed(
    turn: Turn, flow: Flow, candidates: list[Entity], wanted: dict[str, str], choice: str
) -> Entity | Doubt | None:
    """Services of the same name that lie where it was said; `choice` may be any of these places."""
    if flow.entity is not None and not candidates:
        candidates = [s.entity for s in turn.world.catalog.lookup(flow.entity.name)]
    fitting = [entity for entity in candidates if all(lies(entity, k, v) for k, v in wanted.items())]
    if choice:
        exact = [entity for entity in fitting if any(lies(entity, place, choice) for place in (*_PLACES, "name"))]
        fitting = exact or [entity for entity in fitting if _is_part(entity, choice)]
    if len(fitting) == 1:
        return fitting[0]
    name = flow.entity.name if flow.entity else ""
    text = " ".join(part for part in (name, *wanted.values(), choice) if part)
    if fitting:
        question = say("ask.service_several", text=text)
    elif name:
        question = say("ask.service_elsewhere", text=name)
    else:
        question = say("ask.service_unknown", text=text)
    return Doubt(question, tuple(fitting or candidates))


def _is_part(entity: Entity, choice: str) -> bool:
    """Whether a word is one of the parts of where an entity is ("the eu one", of prod-eu and prod-east)."""
    said = choice.casefold()
    return any(said in str(getattr(entity, place)).casefold().split("-") for place in (*_PLACES, "name"))


def _entity(turn: Turn, key: str) -> Entity | None:
    return turn.world.entity(key)
