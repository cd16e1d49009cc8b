"""Which entity a request is about: named, inherited, or asked. Design section 4, "Entity lock"."""

from __future__ import annotations

from typing import Final

import msgspec

from chatops_bot.domain.actions.registry import ACTIONS, is_node_action
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.dialogue.views import SHOWN_CHOICES
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.flows import WHERE
from chatops_bot.domain.intents import Name, Request
from chatops_bot.domain.places import environment_of, environment_of_entity, with_place
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.session import Lock


class Doubt(msgspec.Struct, frozen=True):
    """The entity must be asked for: the question and the candidates offered, likeliest first."""

    question: Say
    candidates: tuple[Entity, ...] = ()


def resolve(turn: Turn, request: Request, said_before: Entity | None) -> Entity | Doubt:
    """The one entity of a request, or what to ask.

    A name wins; then what was named earlier in the same utterance; then the lock, unless somebody else
    moved it since this user last spoke and the request is dangerous (drift guard). Each where the request says that
    it lies: of one service in two places each request is about its own ("restart web in staging and prod").
    """
    if request.name is not None:
        lock = turn.session.lock
        if lock is not None and not request.dangerous and _is_short_for(request.name, lock.entity):
            return lock.entity
        named = of_name(request.name, request.intent)
        return named if isinstance(named, Doubt) else _in_its_place(turn, request, named, said_before)
    if said_before is not None:
        return where_said(turn, request, said_before)
    lock = turn.session.lock
    if lock is None:
        candidates = likely(turn, request.intent)
        if is_node_action(request.intent):
            return Doubt(say("ask.node"), candidates)
        return Doubt(say("ask.service_pronoun" if request.pronoun and candidates else "ask.service"), candidates)
    if request.dangerous and not request.pronoun and is_node_action(request.intent) != (lock.entity.kind == "Node"):
        return _of_the_other_kind(turn, request.intent)
    if request.dangerous and drifted(turn):
        return drift_doubt(turn, lock)
    if request.dangerous and (alerted := news(turn, lock)) is not None:
        question = say("ask.service_alerted", alerted=alerted.name, service=lock.entity.name)
        return Doubt(question, (alerted, lock.entity))
    return where_said(turn, request, lock.entity)


def _in_its_place(turn: Turn, request: Request, named: Entity, said_before: Entity | None) -> Entity | Doubt:
    """What a name means, where the request says that it lies. Named in one place and ordered in another it is asked,
    unless an earlier request of the same words is about the one that is named ("web in staging, and in prod")."""
    there = where_said(turn, request, named)
    if isinstance(there, Doubt) or there.key == named.key or (said_before is not None and said_before.key == named.key):
        return there
    return Doubt(say("ask.service_several", text=named.name), (named, there))


def where_said(turn: Turn, request: Request, entity: Entity) -> Entity | Doubt:
    """What is talked about, unless the request says that it lies elsewhere: then its namesake there, and where there is
    none it is asked, rather than the one here taken for it."""
    wanted = {name: str(request.slots[name]) for name in WHERE if request.slots.get(name)}
    if entity.kind == "Node" or all(lies(entity, where, value) for where, value in wanted.items()):
        return entity
    namesakes = _entities(turn.world.catalog.lookup(entity.name)) or (entity,)
    there = tuple(one for one in namesakes if all(lies(one, where, value) for where, value in wanted.items()))
    if len(there) == 1:
        return there[0]
    if there:
        return Doubt(say("ask.service_several", text=f"{entity.name} {' '.join(wanted.values())}"), there)
    called = with_place([entity.name], wanted.values(), turn.world.catalog)
    return Doubt(say("ask.service_elsewhere", text=entity.name), (*_entities(called), *namesakes))


def lies(entity: Entity, where: str, wanted: str) -> bool:
    """Whether an entity is in that cluster, namespace or environment, whatever people call that."""
    value: str = getattr(entity, where)
    if value.casefold() == wanted.casefold():
        return True
    said = environment_of(wanted) if where == "environment" else None
    return said is not None and environment_of_entity(entity) == said


def _of_the_other_kind(turn: Turn, intent: str) -> Doubt:
    """An order for a node where a service is talked about, or the other way round: which one is asked."""
    return Doubt(say("ask.node") if is_node_action(intent) else say("ask.service"), likely(turn, intent))


def beside(lock: Lock, intent: str, entity: Entity) -> bool:
    """Whether a node that was asked for is beside what the thread is about, which stays what it is: an order for a node
    says nothing of the service that is talked about."""
    return is_node_action(intent) and entity.kind == "Node" and lock.entity.kind != "Node"


def _is_short_for(name: Name, entity: Entity) -> bool:
    """Whether what is said begins this entity's name, and that of no other that is alike: "payment" where payment-svc
    is talked about. Enough to look at it, never to change it."""
    begins = [one.entity for one in name.closest if one.entity.name.casefold().startswith(f"{name.text.casefold()}-")]
    return not name.matches and [one.key for one in begins] == [entity.key]


def of_name(name: Name, intent: str = "") -> Entity | Doubt:
    """Exactly one match is it; several or none are asked, never guessed."""
    if len(name.matches) == 1:
        return name.matches[0].entity
    if not name.matches and is_node_action(intent):
        return Doubt(say("ask.node_nothing", text=name.text))
    if name.matches:
        called = {service.entity.name for service in name.matches}
        key = "ask.service_several" if len(called) == 1 else "ask.service_which"
        return Doubt(say(key, text=name.text), _entities(name.matches))
    if any(service.entity.name == name.text.casefold() for service in name.closest):
        return Doubt(say("ask.service_elsewhere", text=name.text), _entities(name.closest))
    if name.closest:
        return Doubt(say("ask.service_unknown", text=name.text), _entities(name.closest))
    return Doubt(say("ask.service_nothing", text=name.text))


def drifted(turn: Turn) -> bool:
    """Whether somebody else changed the lock since this turn's user last spoke here.

    For one who has not spoken here yet only a rebinding counts, not the first binding.
    """
    lock = turn.session.lock
    if lock is None or turn.user is None or lock.by == turn.user.key:
        return False
    speaker = turn.session.people.get(turn.user.key)
    if speaker is None or speaker.spoke == 0:
        return lock.before is not None
    return lock.sequence > speaker.spoke and lock.before is not None


ALERTED_MS: Final = 900_000
"""An alert older than this is no longer what everybody talks of."""


def news(turn: Turn, lock: Lock) -> Entity | None:
    """What an alert is about that came into the room after this user last wrote here, if it is something else: "restart
    it" may well be meant of that. An answer to a card says itself what it is about."""
    alerted = turn.world.alerted
    if alerted is None or turn.via_card or turn.user is None or alerted.entity.key == lock.entity.key:
        return None
    spoken = [line.at for line in turn.session.window if not line.bot and line.user in (turn.name, turn.user.key)]
    fresh = max(spoken, default=0) < alerted.at and turn.now - alerted.at <= ALERTED_MS
    return alerted.entity if fresh else None


def drift_doubt(turn: Turn, lock: Lock) -> Doubt:
    """The question of the drift guard: the lock as it is, and what it was before."""
    before = lock.before or lock.entity
    speaker = turn.session.people.get(lock.by)
    name = (speaker.name or lock.by) if speaker else lock.by
    question = say("ask.service_drift", name=name, before=before.name, service=lock.entity.name)
    candidates = (lock.entity, before) if before.key != lock.entity.key else (lock.entity,)
    return Doubt(question, candidates)


def likely(turn: Turn, intent: str, *, few: bool = True) -> tuple[Entity, ...]:
    """Candidates when no service was said, of the kinds that it can be done to: what the asker came from, what the last
    question offered, what an overview has shown, what the room spoke of lately, then the nodes, or the catalog, if that
    has `few`."""
    found: dict[str, Entity] = {}
    if turn.came_from is not None:
        found[turn.came_from.key] = turn.came_from
    for key in turn.session.offered:
        if (service := turn.world.catalog.by_key(key)) is not None:
            found.setdefault(key, service.entity)
    shown = turn.session.results.get("overview")
    rows = shown.rows if shown is not None else ()
    for entity in (*(row.entity for row in rows), *turn.world.recent):
        found.setdefault(entity.key, entity)
    known = turn.world.catalog.services
    if is_node_action(intent):
        known, few = tuple(node for nodes in turn.world.nodes.values() for node in nodes), False
    if len(known) <= SHOWN_CHOICES or not few:
        for service in known:
            found.setdefault(service.entity.key, service.entity)
    action = ACTIONS.get(intent)
    return tuple(entity for entity in found.values() if action is None or entity.kind in action.kinds)


def bind(turn: Turn, entity: Entity) -> bool:
    """Lock the session to an entity. True when that rebinds it: the caller then drops what was pending."""
    lock = turn.session.lock
    if lock is not None and lock.entity.key == entity.key:
        return False
    by = turn.user.key if turn.user else ""
    before = lock.entity if lock is not None else None
    turn.set(lock=Lock(entity=entity, by=by, at=turn.now, sequence=turn.sequence, before=before))
    return before is not None


def bind_reopened(turn: Turn, entity: Entity) -> None:
    """Lock a reopened card's thread to what its card is about: nobody's doing, so nobody drifts."""
    turn.set(lock=Lock(entity=entity, by="", at=turn.now, sequence=turn.sequence))


def _entities(services: tuple[Service, ...]) -> tuple[Entity, ...]:
    return tuple(service.entity for service in services[:SHOWN_CHOICES])
