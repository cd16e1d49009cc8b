"""The door: an event becomes an arrival, is stored in one step, and only then counts as taken."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import msgspec
import structlog

from chatops_bot.domain import events
from chatops_bot.domain.events import AlertGroup, Click, Message, whole
from chatops_bot.engine.arrivals import Arrivals
from chatops_bot.engine.degraded import Degraded
from chatops_bot.ports.chat import NotAccepted, Receipt
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.meter import Meter
from chatops_bot.ports.store import Arrival, Claim, StoreUnavailable, ThreadStore

log = structlog.get_logger(__name__)


class Intake:
    """Implements `ports.chat.Sink`. `take` is called with the queues that storing an event made due; `spawn`
    runs what nobody waits for."""

    def __init__(
        self,
        *,
        store: ThreadStore,
        arrivals: Arrivals,
        degraded: Degraded,
        take: Callable[[tuple[Claim, ...]], None],
        spawn: Callable[[Coroutine[Any, Any, None]], None],
        clock: Clock,
        meter: Meter,
    ) -> None:
        self._store = store
        self._arrivals = arrivals
        self._degraded = degraded
        self._take = take
        self._spawn = spawn
        self._clock = clock
        self._meter = meter

    async def receive(self, event: Message | Click) -> Receipt:
        """Store a message or a click. Raises `NotAccepted` when the store did not say yes: whoever delivered
        it must deliver it again. The room is told, once in a while, when its events cannot be taken."""
        event = whole(event)
        return await self._store_it(self._arrivals.of(event), event)

    async def alert(self, group: AlertGroup) -> Receipt:
        """Store an alert group; raises as `receive`."""
        group = whole(group)
        return await self._store_it(self._arrivals.of(group), group)

    async def _store_it(self, arrival: Arrival, event: Message | Click | AlertGroup) -> Receipt:
        begun = self._clock.monotonic()
        try:
            intake = await self._store.intake(arrival)
            if intake.taken == "unread":
                intake = await self._store.intake(self._arrivals.read(arrival, event))
            elif intake.taken == "elsewhere" and not isinstance(event, AlertGroup):
                # Nothing is stored here: where its card is at home it is stored in one step, or delivered again.
                event = msgspec.structs.replace(event, linked=events.decode_linked(intake.elsewhere))
                arrival = self._arrivals.of(event)
                intake = await self._store.intake(arrival)
        except StoreUnavailable as error:
            self._count(event, "refused")
            log.warning("event_refused", event_id=arrival.id, why=str(error))
            self._tell(event, "notice.store")
            raise NotAccepted(str(error)) from error
        self._count(event, intake.taken)
        self._meter.observe("intake_seconds", self._clock.monotonic() - begun, platform=event.room.platform)
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


_RECEIPTS = {"ignore": "ignored", "duplicate": "duplicate", "elsewhere": "ignored"}
