"""Which part of the engine takes a claimed queue: turns, cards, work, or a plan to settle."""

from __future__ import annotations

import msgspec

from chatops_bot.domain import effects, events
from chatops_bot.domain.effects import Effect, Enlist, Execute, Follow, Judge, LeaveNote, Prepare, Query, Switch, Void
from chatops_bot.domain.events import Event, Switched
from chatops_bot.engine.arrivals import enlisting
from chatops_bot.engine.drawing import Drawing
from chatops_bot.engine.execution import Execution
from chatops_bot.engine.following import Following
from chatops_bot.engine.gate import Gate
from chatops_bot.engine.noting import Noting
from chatops_bot.engine.preparation import Preparation
from chatops_bot.engine.queries import Queries
from chatops_bot.engine.turns import Later, Turns
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.meter import Meter
from chatops_bot.ports.store import Claim, Committed, ThreadStore


class Dispatch:
    """One claim, taken as far as it goes. Raises what its parts raise."""

    def __init__(
        self,
        *,
        store: ThreadStore,
        turns: Turns,
        drawing: Drawing,
        queries: Queries,
        gate: Gate,
        preparation: Preparation,
        execution: Execution,
        following: Following,
        noting: Noting,
        clock: Clock,
        meter: Meter,
    ) -> None:
        self._store = store
        self._turns = turns
        self._drawing = drawing
        self._queries = queries
        self._gate = gate
        self._preparation = preparation
        self._execution = execution
        self._following = following
        self._noting = noting
        self._clock = clock
        self._meter = meter

    async def take(self, claim: Claim) -> Committed | None:
        """What its last step answered; None for a settled plan."""
        match claim.queue[:1]:
            case "t":
                return await self._turns.take(claim)
            case "c":
                return await self._drawing.take(claim)
            case "p":
                await self._execution.settle(claim.queue[2:], claim.entry, attempts=claim.attempts)
                return None
            case _:
                return await self._work(claim)

    async def _work(self, claim: Claim) -> Committed:
        try:
            effect = effects.decode(claim.body)
        except msgspec.ValidationError as error:
            raise Later(str(error)) from error
        begun = self._clock.monotonic()
        result = await self._result(effect, claim)
        self._meter.observe("effect_seconds", self._clock.monotonic() - begun, effect=type(effect).__name__)
        event = events.encode(result) if result is not None else b""
        return await self._store.done(claim, event_id=f"r:{effect.id}", event=event)

    async def _enlist(self, effect: Enlist) -> None:
        taken = await self._store.intake(enlisting(effect))
        await self._store.give_back(list(taken.claims))

    async def _result(self, effect: Effect, claim: Claim) -> Event | None:
        match effect:
            case Query():
                return await self._queries.run(effect)
            case Prepare():
                return await self._preparation.run(effect)
            case Judge():
                return await self._gate.judge(effect)
            case Switch():
                await self._store.set_read_only(effect.reason)
                await self._gate.halted()
                return Switched(effect=effect.id, reason=effect.reason)
            case LeaveNote():
                await self._noting.run(effect, attempts=claim.attempts)
                return None
            case Void():
                await self._gate.void(effect)
                return None
            case Enlist():
                await self._enlist(effect)
                return None
            case Execute():
                return await self._execution.run(effect, claim)
            case Follow():
                return await self._following.run(effect, claim)
