"""One turn: interpret, decide, commit. Everything it changes, it changes in the commit."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import msgspec
import structlog

from chatops_bot.domain import audit, effects, events, mirrors, names, session, standing
from chatops_bot.domain.cards import Card
from chatops_bot.domain.context import context_of
from chatops_bot.domain.dialogue.alerts import keep_s
from chatops_bot.domain.dialogue.decide import decide
from chatops_bot.domain.dialogue.timers import wake_at
from chatops_bot.domain.dialogue.turn import Decision
from chatops_bot.domain.entities import UNLISTED, Entity
from chatops_bot.domain.events import AlertGroup, Click, Event, Message
from chatops_bot.domain.identity import Room
from chatops_bot.domain.incidents import Incident
from chatops_bot.domain.intents import Interpretation, Language, PendingPlan, State, Utterance
from chatops_bot.domain.object_names import key_of
from chatops_bot.domain.routing import opens_own
from chatops_bot.domain.session import Public, Session, Summary
from chatops_bot.domain.world import World
from chatops_bot.engine.arrivals import COURTESY_MARK, Arrivals
from chatops_bot.engine.incidents import IncidentDesk, stored
from chatops_bot.engine.past import Past, filed, with_words
from chatops_bot.engine.recent import Recent
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.engine.understanding import for_the_bot
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.incidents import IncidentStore
from chatops_bot.ports.interpreter import Interpreter, Where
from chatops_bot.ports.meter import Meter
from chatops_bot.ports.store import AuditUnwritable, CardView, Claim, Committed, Facts, Outcome, ThreadStore, Work
from chatops_bot.ports.summaries import SummaryStore

log = structlog.get_logger(__name__)

LAST_INTERPRETED = 5
"""From the sixth attempt on a message is decided uninterpreted: it may be what kills its workers."""


class View(msgspec.Struct, frozen=True, omit_defaults=True):
    """A card's view as stored: what to draw and where. `home` is the room of its thread, where that is shown in others
    as well."""

    room: Room
    thread: str
    card: Card
    root: str = ""
    home: Room | None = None


class Later(Exception):
    """This worker cannot take the entry (it was written by a newer one): others may."""


_views = msgspec.json.Encoder()
_view_decoder = msgspec.json.Decoder(View)


def decode_view(raw: bytes) -> View:
    """The view of a card lane. Raises `msgspec.ValidationError` on a form this version does not know."""
    return _view_decoder.decode(raw)


class Turns:
    """Takes claimed mailboxes one event further."""

    def __init__(
        self,
        *,
        store: ThreadStore,
        incidents: IncidentStore,
        summaries: SummaryStore,
        interpreter: Interpreter,
        arrivals: Arrivals,
        snapshot: Snapshot,
        clock: Clock,
        meter: Meter,
        decided: Callable[[Claim, Decision], None] | None = None,
        unrecorded: Callable[[Event, Room, str], None] | None = None,
        contexts: bool = False,
    ) -> None:
        """`contexts`: the interpreter looks at what stands beside an utterance. `decided` is told every decision before
        it is committed (replay); `unrecorded` an event, its room and its entry, whose turn cannot be recorded."""
        self._store = store
        self._interpreter = interpreter
        self._arrivals = arrivals
        self._snapshot = snapshot
        self._clock = clock
        self._meter = meter
        self._decided = decided
        self._unrecorded = unrecorded
        self._contexts = contexts
        self._recent = Recent()
        self._desk = IncidentDesk(incidents, meter=meter)
        self._past = Past(summaries)

    async def take(self, claim: Claim) -> Committed:
        """Work off the head of a claimed mailbox. Raises `Later` for entries of a newer version."""
        world = self._snapshot.world
        begun = self._clock.monotonic()
        now = int(self._clock.now() * 1000)
        event, before = _decode(claim, world.language)
        beside = beside_of(claim)
        meaning = await self._meaning(claim, event, before, world, beside)
        seen = await self._seen(claim, before, meaning, event)
        if before.lock is None:
            world = msgspec.structs.replace(world, recent=self._recent.of(before.room))
        elif isinstance(event, Message):
            world = msgspec.structs.replace(world, alerted=self._recent.alerted(before.room))
        known = await self._desk.known(event, before, beside, meaning)
        decide_it = partial(
            decide,
            before,
            event,
            meaning,
            event_id=claim.entry,
            sequence=claim.sequence,
            now=now,
            world=world,
            beside=beside,
            via_card=claim.via_card,
            seen=seen,
            courtesy=before.thread.startswith(COURTESY_MARK),
            known=known,
        )
        decision = await self._decision(decide_it, event, before, beside, known, now=now)
        if decision.session.lock is not None:
            self._recent.note(before.room, decision.session.lock.entity)
            if isinstance(event, AlertGroup) and event.firing:
                self._recent.alert(before.room, decision.session.lock.entity, at=now)
        if self._decided is not None:
            self._decided(claim, decision)
        try:
            committed = await self._store.commit(claim, self._outcome(decision, event, world))
        except AuditUnwritable:
            if self._unrecorded is not None:
                self._unrecorded(event, before.room, claim.entry)
            raise
        self._count(decision, event, self._clock.monotonic() - begun)
        if not committed.lost:
            self._desk.count(decision, known)
        log.info(
            "turn",
            event_id=claim.entry,
            thread=before.thread,
            kind=type(event).__name__,
            route=decision.route,
            state=decision.session.state.value,
            ignored=decision.ignored,
            moved=decision.move,
            lost=committed.lost,
        )
        return committed

    async def _decision(
        self,
        decide_it: Callable[..., Decision],
        event: Event,
        before: Session,
        beside: Public | Summary | None,
        known: tuple[Incident, ...],
        *,
        now: int,
    ) -> Decision:
        """Decided once, and anew with what only the first decision shows to be needed: a number, or what was before."""
        decision = decide_it()
        if decision.wants_number:
            decide_it = partial(decide_it, number=await self._desk.number(now))
            decision = decide_it()
        earlier = await self._past.earlier(event, before, beside, decision, now=now)
        if earlier:
            decision = decide_it(earlier=earlier, known=await self._desk.beside(known, earlier, before.room))
        return decision

    def _count(self, decision: Decision, event: Event, seconds: float) -> None:
        kind = type(event).__name__
        self._meter.count("turns", route=decision.route or kind.lower(), state=decision.session.state.value)
        self._meter.observe("turn_seconds", seconds, kind=kind)
        for record in decision.audit:
            if record.kind == "refusal":
                self._meter.count("refusals", reason=record.reason)

    async def _meaning(
        self, claim: Claim, event: Event, before: Session, world: World, beside: Public | Summary | None
    ) -> Interpretation | None:
        if not isinstance(event, Message) or before.archived or claim.attempts > LAST_INTERPRETED:
            return None
        found = self._snapshot.names_in(event.text, world)
        # What guests say leaves the house for nothing, and spends what the room may ask.
        welcome = world.policy.may_talk(event.room, event.user).allowed and for_the_bot(
            event, before, via_card=claim.via_card
        )
        where = Where(
            thread=before.thread,
            room=before.room.key,
            recent=self._recent.of(before.room),
            catalog=world.catalog,
            ask=claim.attempts <= 1 and welcome,
        )
        utterance = utterance_of(event, before, found, beside)
        if where.ask and self._contexts:
            utterance = await self._in_context(utterance, event, before, beside)
        meaning = await self._interpreter.interpret(utterance, where=where)
        return msgspec.structs.replace(meaning, names=found.names)

    async def _in_context(
        self, utterance: Utterance, event: Message, before: Session, beside: Public | Summary | None
    ) -> Utterance:
        """With what a model may see beside it."""
        ended = beside if isinstance(beside, Summary) else None
        if ended is None and not before.began:
            ended = await self._past.last(before, event, utterance)
        context = context_of(
            before,
            asker=event.user.key,
            now=int(self._clock.now() * 1000),
            intents=self._arrivals.intents(utterance),
            beside=ended,
        )
        return msgspec.structs.replace(utterance, context=context)

    async def _seen(self, claim: Claim, before: Session, meaning: Interpretation | None, event: Event) -> bool:
        """Whether words that may confirm can be about the plan as it is on the screen: they came in after its card
        was drawn where they were said, else they answer what stood there before."""
        if meaning is None or not meaning.affirmative or not isinstance(event, Message):
            return True
        shown = [pending.card for pending in before.pending if pending.phase == "shown"]
        if not shown:
            return True
        card = shown[0] if event.room == before.room else mirrors.lane(shown[0], event.room)
        return await self._store.seen(claim, card)

    def _outcome(self, decision: Decision, event: Event, world: World) -> Outcome:
        after = decision.session
        moved = event if decision.move and isinstance(event, Message | Click | AlertGroup) else None
        return Outcome(
            session=session.encode(after),
            facts=facts_of(after),
            cards=_views_of(decision),
            work=tuple(Work(id=effect.id, body=effects.encode(effect)) for effect in decision.work),
            wake=wake_at(after, world.timing),
            keep_s=keep_s(after),
            release=decision.release,
            summary=session.encode_beside(decision.summary) if decision.summary else b"",
            filed=filed(decision.summary),
            audit=tuple(audit.encode(record) for record in decision.audit),
            incidents=stored(decision.incidents),
            move=self._arrivals.read(self._arrivals.anew(moved), moved) if moved is not None else None,
        )


def _views_of(decision: Decision) -> tuple[CardView, ...]:
    """What is to be drawn: in the room of the thread, and in those that it is shown in."""
    after = decision.session
    home = after.room if decision.copies else None
    own = (
        (card_id, View(after.room, after.thread, card, after.roots.get(card_id, ""), home))
        for card_id, card in decision.cards
    )
    copies = ((copy.lane, View(copy.room, after.thread, copy.card, copy.root, after.room)) for copy in decision.copies)
    return tuple(CardView(card=name, view=_views.encode(view)) for name, view in (*own, *copies))


def _decode(claim: Claim, language: Language) -> tuple[Event, Session]:
    try:
        event = events.decode(claim.body)
        before = session.decode(claim.session) if claim.session else _fresh(claim, event, language)
    except msgspec.ValidationError as error:
        raise Later(str(error)) from error
    return event, before


def beside_of(claim: Claim) -> Public | Summary | None:
    """What intake put beside an entry. Raises `Later` for a form that this version does not know."""
    try:
        beside = session.decode_beside(claim.extra) if claim.extra else None
    except msgspec.ValidationError as error:
        raise Later(str(error)) from error
    return with_words(beside) if isinstance(beside, Summary) else beside


def _fresh(claim: Claim, event: Event, language: Language) -> Session:
    """The session of a thread that this event opens. Only a user thread has an owner."""
    room = event.room if isinstance(event, Message | Click | AlertGroup) else Room("", "", "")
    if isinstance(event, Message | Click) and event.linked is not None:
        room = event.linked.home
    own = opens_own(event.button) if isinstance(event, Click) else not claim.via_card
    owner = event.user.key if isinstance(event, Message | Click) and own else ""
    return Session(thread=claim.queue.split("|")[1], room=room, owner=owner, language=language)


def facts_of(after: Session) -> Facts:
    """What routing must know of this session."""
    flow = after.flow
    pending = after.pending[-1] if after.pending else None
    public = Public(
        entity=after.lock.entity if after.lock else None,
        action=pending.action if pending else (flow.intent if flow else ""),
        slots=pending.slots if pending else (flow.slots if flow else {}),
        standing=standing.recent(after),
    )
    return Facts(
        state=after.state.value,
        lock=_about(after),
        asks=flow.asked.user if flow and flow.asked else after.walk.by if after.walk and after.walk.asks else "",
        public=session.encode_beside(public),
    )


def _about(after: Session) -> str:
    """What the thread is about, one key a line: several plans of one utterance may wait for several services."""
    locked = () if after.lock is None else (after.lock.entity.key,)
    keys = (*locked, *(pending.entity.key for pending in after.pending))
    beside = [key_of(lock.kind, lock.workload)] if (lock := _locked(after)) and lock.kind in UNLISTED.values() else []
    return "\n".join(dict.fromkeys((*keys, *beside)))


def _locked(after: Session) -> Entity | None:
    return after.lock.entity if after.lock is not None else None


def utterance_of(
    event: Message, before: Session, found: names.Found, beside: Public | Summary | None = None
) -> Utterance:
    """What an interpreter is told: the text, and what the state says around it. Of several plans, those whose
    service is named come first. Who comes from another thread may ask for the same here (R6)."""
    named = {service.entity.key for name in found.names for service in name.matches}
    plans = tuple(
        PendingPlan(
            action=pending.action,
            entity=pending.entity,
            parameters=pending.plan.parameters if pending.plan else pending.slots,
            before=pending.plan.before if pending.plan else {},
            reason=pending.plan.reason if pending.plan else "",
        )
        for pending in sorted(before.pending, key=lambda pending: pending.entity.key not in named)
    )
    flow = before.flow
    return Utterance(
        text=event.text,
        state=before.state if before.state is not State.ARCHIVED else State.IDLE,
        names=found.names,
        dismissed=found.dismissed,
        lock=before.lock.entity if before.lock else None,
        plans=plans,
        asked=flow.asked if flow else None,
        intent=flow.intent if flow else before.last_query.intent if before.last_query else "",
        standing=standing.standings(before) or (beside.standing if isinstance(beside, Public) else ()),
    )
