"""The door: an event becomes an arrival, is stored in one step, and only then counts as taken."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec
import structlog

from chatops_bot.domain import events, names, routing
from chatops_bot.domain.events import AlertGroup, Click, Left, Message
from chatops_bot.domain.intents import Interpretation, Route, State, Utterance
from chatops_bot.domain.routing import Heard, Verdict
from chatops_bot.engine.degraded import Degraded
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.ports.chat import NotAccepted, Receipt
from chatops_bot.ports.interpreter import Rules
from chatops_bot.ports.meter import Meter
from chatops_bot.ports.store import Arrival, Claim, StoreUnavailable, ThreadStore

log = structlog.get_logger(__name__)

COURTESY_MARK = "h"
"""First letter of the id of a thread that would be opened for one courteous line only (R8)."""


class Intake:
    """Implements `ports.chat.Sink`. `take` is called with the queues that storing an event made due; `spawn`
    runs what nobody waits for."""

    def __init__(
        self,
        *,
        store: ThreadStore,
        rules: Rules,
        snapshot: Snapshot,
        degraded: Degraded,
        take: Callable[[tuple[Claim, ...]], None],
        spawn: Callable[[Coroutine[Any, Any, None]], None],
        meter: Meter,
    ) -> None:
        self._store = store
        self._rules = rules
        self._snapshot = snapshot
        self._degraded = degraded
        self._take = take
        self._spawn = spawn
        self._meter = meter

    async def receive(self, event: Message | Click) -> Receipt:
        """Store a message or a click. Raises `NotAccepted` when the store did not say yes: whoever delivered
        it must deliver it again. The room is told, once in a while, when its events cannot be taken."""
        arrival = self.arrival(event)
        return await self._store_it(arrival, event)

    async def alert(self, group: AlertGroup) -> Receipt:
        """Store an alert group; raises as `receive`."""
        return await self._store_it(alert_arrival(group), group)

    def arrival(self, event: Message | Click) -> Arrival:
        """What the store must know of an event; also used when an event is routed anew."""
        return self._of_message(event) if isinstance(event, Message) else click_arrival(event)

    async def _store_it(self, arrival: Arrival, event: Message | Click | AlertGroup) -> Receipt:
        try:
            intake = await self._store.intake(arrival)
        except StoreUnavailable as error:
            self._count(event, "refused")
            log.warning("event_refused", event_id=arrival.id, why=str(error))
            self._tell(event, "notice.store")
            raise NotAccepted(str(error)) from error
        self._count(event, intake.taken)
        if intake.taken == "full":
            log.warning("mailbox_full", event_id=arrival.id, thread=intake.thread)
            if intake.first_full:
                self._tell(event, "notice.full")
            raise NotAccepted("the thread's mailbox is full")
        if intake.taken != "ignore":
            log.info("event_taken", event_id=arrival.id, thread=intake.thread, taken=intake.taken)
        self._take(intake.claims)
        return Receipt(taken=_RECEIPTS.get(intake.taken, "stored"), thread=intake.thread)

    def _count(self, event: Message | Click | AlertGroup, taken: str) -> None:
        self._meter.count("events", platform=event.room.platform, kind=type(event).__name__, taken=taken)

    def _tell(self, event: Message | Click | AlertGroup, key: str) -> None:
        """A plain line outside the store, beside the refusal. Nobody waits for an answer to an alert."""
        if not isinstance(event, AlertGroup) and self._degraded.owes_answer(event):
            self._spawn(self._degraded.tell(event, key))

    def _of_message(self, event: Message) -> Arrival:
        listen = self._snapshot.listen(event.room)
        addressed = event.addressed or event.direct
        if not addressed and listen == "mentions":
            heard = Heard(addressed=False, listen=listen)
            return message_arrival(event, heard, (), "", leaves=False)
        world = self._snapshot.world
        found = names.find(event.text, world.catalog, world.nodes)
        named = bool(found.names)
        meaning = self._idle(event.text, found) if addressed else None
        request = (
            _is_request(meaning) if meaning is not None else self._rules.carries_request(_heard(event.text, found))
        )
        heard = Heard(addressed=addressed, named=named, request=request, listen=listen)
        keys = tuple(service.entity.key for name in found.names for service in name.matches)
        lock = keys[0] if len(keys) == 1 else ""
        leaves = bool(keys) and self._rules.leaves(_heard(event.text, found))
        return message_arrival(event, heard, keys, lock, leaves=leaves)

    def _idle(self, text: str, found: names.Found) -> Interpretation:
        return self._rules.interpret(_heard(text, found))


_RECEIPTS = {"ignore": "ignored", "duplicate": "duplicate"}


def _heard(text: str, found: names.Found) -> Utterance:
    return Utterance(text=text, state=State.IDLE, names=found.names, dismissed=found.dismissed)


def _is_request(meaning: Interpretation) -> bool:
    return bool(meaning.requests) or meaning.route in (Route.HELP, Route.HAND_OFF)


def thread_id(event_id: str) -> str:
    """The id of the thread that an event would open: the same on every delivery."""
    return hashlib.blake2b(event_id.encode(), digest_size=9).hexdigest()


def message_arrival(event: Message, heard: Heard, keys: tuple[str, ...], lock: str, *, leaves: bool) -> Arrival:
    """A message on its way in (R2 to R9)."""
    verdicts = routing.for_message(heard)
    mark = COURTESY_MARK if verdicts.none is Verdict.COURTESY and not event.answers else "t"
    event = msgspec.structs.replace(event, heard=heard)
    return Arrival(
        room=event.room,
        id=event.id,
        event=events.encode(event),
        verdicts=verdicts,
        new=mark + thread_id(event.id),
        user=event.user.key,
        cards=event.answers,
        names=keys,
        lock=lock,
        leaves=leaves,
        left=events.encode(Left(user=event.user, text=event.text[:300])) if leaves else b"",
    )


def click_arrival(event: Click) -> Arrival:
    """A click on its way in (R1, R3)."""
    return Arrival(
        room=event.room,
        id=event.id,
        event=events.encode(event),
        verdicts=routing.for_click(event.button),
        new="t" + thread_id(event.id),
        user=event.user.key,
        thread=event.thread,
        cards=(event.card,) if event.card else (),
        urgent=True,
    )


def alert_arrival(group: AlertGroup) -> Arrival:
    """An alert group on its way in (design section 10)."""
    key = f"alert:{group.group}"
    return Arrival(
        room=group.room,
        id=group.id,
        event=events.encode(group),
        verdicts=routing.for_alert(firing=any(alert.firing for alert in group.alerts)),
        new="t" + thread_id(group.id),
        cards=(key,),
        bind=(key,),
        names=(group.service,) if group.service else (),
        lock=group.service,
        urgent=True,
    )
