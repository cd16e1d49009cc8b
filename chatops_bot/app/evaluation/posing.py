"""Poses one utterance: to an interpreter as a turn would, and then to the real `decide`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Final, TypeVar

import msgspec

from chatops_bot.adapters.console import people
from chatops_bot.adapters.console.speech import mentioned, spoken
from chatops_bot.adapters.rules import RulesInterpreter
from chatops_bot.domain import names
from chatops_bot.domain.context import context_of
from chatops_bot.domain.dialogue.confirming import UNSURE
from chatops_bot.domain.dialogue.decide import decide
from chatops_bot.domain.dialogue.turn import Decision
from chatops_bot.domain.effects import Judge, Query
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.events import Mentioned, Message
from chatops_bot.domain.intents import ACTIONS, Interpretation, Language, PendingPlan, Request, Route, Utterance
from chatops_bot.domain.normalise import clean
from chatops_bot.domain.plans import Change, Plan, digest_of
from chatops_bot.domain.session import Lock, Pending, Session, Speaker
from chatops_bot.domain.world import World
from chatops_bot.engine.turns import utterance_of
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.interpreter import Interpreter, Where

Row = TypeVar("Row")
Outcome = TypeVar("Outcome")

ROOM: Final = people.room("ops")
ASKER: Final = people.user("asker", {})
NOW: Final = 1_767_607_200_000
_BOT: Final = "bot"
_RULES: Final = RulesInterpreter()


class Contender(msgspec.Struct, frozen=True):
    """Who is measured. `at_once`: how many rows are posed beside each other; `clock` measures how long it takes."""

    name: str
    interpreter: Interpreter
    clock: Clock
    at_once: int = 1


class Posed(msgspec.Struct, frozen=True):
    """What an utterance came to, and what understanding it took."""

    meaning: Interpretation
    decision: Decision
    seconds: float

    @property
    def executes(self) -> bool:
        """Whether the words would have a waiting plan executed."""
        return any(isinstance(effect, Judge) for effect in self.decision.work)

    @property
    def unsure(self) -> bool:
        """Whether they were taken for a yes that takes a press, or plainer words."""
        return any(record.reason in UNSURE for record in self.decision.audit)

    @property
    def reads(self) -> tuple[str, ...]:
        """Which questions it has answered."""
        return tuple(effect.intent for effect in self.decision.work if isinstance(effect, Query))

    @property
    def confirmed(self) -> bool:
        """Whether both keys of a confirmation turned."""
        return self.meaning.route is Route.CONFIRM and self.meaning.affirmative


def heard(text: str, session: Session, world: World) -> tuple[Message, Utterance]:
    """What an interpreter is given of what somebody writes."""
    text = clean(spoken(text, bot=_BOT).text)
    called = tuple(Mentioned(name, name) for name in mentioned(text))
    event = Message(id="row", room=ROOM, user=ASKER, text=text, addressed=True, name=ASKER.id, mentioned=called)
    return event, utterance_of(event, session, names.find(text, world.catalog, world.nodes))


async def pose(text: str, session: Session, world: World, contender: Contender) -> Posed:
    """Somebody writes to the bot in a thread that stands so."""
    event, utterance = heard(text, session, world)
    intents = [request.intent for request in _RULES.interpret(utterance).requests if request.intent]
    context = context_of(session, asker=ASKER.key, now=NOW, intents=intents)
    utterance = msgspec.structs.replace(utterance, context=context)
    where = Where(thread=session.thread, room=ROOM.key, catalog=world.catalog)
    begun = contender.clock.monotonic()
    meaning = await contender.interpreter.interpret(utterance, where=where)
    seconds = contender.clock.monotonic() - begun
    meaning = msgspec.structs.replace(meaning, names=utterance.names)
    decision = _decided(session, event, meaning, world)
    if decision.wants_number:
        decision = _decided(session, event, meaning, world, number=1)
    return Posed(meaning=meaning, decision=decision, seconds=seconds)


def _decided(session: Session, event: Message, meaning: Interpretation, world: World, *, number: int = 0) -> Decision:
    return decide(
        session,
        event,
        meaning,
        event_id="row",
        sequence=session.sequence + 1,
        now=NOW,
        world=world,
        number=number,
    )


async def all_of(rows: Iterable[Row], judge: Callable[[Row], Awaitable[Outcome]], *, at_once: int) -> list[Outcome]:
    """Judge rows, so many beside each other; the results are in their order."""
    free = asyncio.Semaphore(at_once)

    async def one(row: Row) -> Outcome:
        async with free:
            return await judge(row)

    return list(await asyncio.gather(*(one(row) for row in rows)))


def fresh(language: Language) -> Session:
    """A thread in which nothing has been said yet."""
    return Session(thread="row", room=ROOM, owner=ASKER.key, language=language)


def talking_of(entity: Entity, language: Language) -> Session:
    """A thread in which its asker has asked how this service is."""
    return msgspec.structs.replace(
        fresh(language),
        used=True,
        sequence=1,
        cards=1,
        people={ASKER.key: Speaker(ASKER, language, spoke=1, name=ASKER.id)},
        lock=Lock(entity=entity, by=ASKER.key, at=NOW, sequence=1),
        last_query=Request("status"),
    )


def below(proposed: PendingPlan, language: Language) -> Session:
    """A thread in which its asker has just been shown this plan, which words may confirm."""
    entity = proposed.entity
    plan = Plan(
        token="token",  # noqa: S106  (of no plan in any ledger)
        action=proposed.action,
        entity=entity,
        uid="uid",
        resource_version="1",
        change=Change(group="apps", version="v1", plural="deployments", name=entity.workload, body={}),
        parameters=proposed.parameters,
        before=proposed.before,
        watched={},
        risk="medium",
        preview=(),
        room=ROOM,
        thread="row",
        requester=ASKER.key,
        language=language,
        created=NOW,
        expires=NOW + 900_000,
    )
    plan = msgspec.structs.replace(plan, digest=digest_of(plan))
    pending = Pending(
        effect="row.0",
        card="c1",
        phase="shown",
        action=plan.action,
        entity=entity,
        requester=ASKER,
        utterance="row",
        slots=plan.parameters,
        plan=plan,
        shown_at=2,
    )
    return msgspec.structs.replace(talking_of(entity, language), sequence=2, last_query=None, pending=(pending,))


_FOREIGN: Final = ("scale", "restart", "pause", "cordon")


def foreign_plan(entity: Entity, intents: Iterable[str]) -> PendingPlan:
    """A plan that none of these intents can mean, so that nothing said for them may confirm it."""
    action = next(action for action in _FOREIGN if action not in set(intents))
    scaled = action == "scale"
    return PendingPlan(
        action=action,
        entity=entity,
        parameters={"replicas": 7} if scaled else {},
        before={"replicas": 2} if scaled else {},
    )


def orders(intents: Iterable[str]) -> list[str]:
    """Those that would change the cluster."""
    return [intent for intent in intents if intent in ACTIONS]
