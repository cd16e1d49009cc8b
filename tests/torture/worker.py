"""A worker process that may die between any two steps. Run as `python -m tests.torture.worker SETTINGS NUMBER`."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Final

import msgspec

from chatops_bot.adapters.redis.client import Client
from chatops_bot.adapters.redis.ledger import RedisLedger
from chatops_bot.adapters.redis.store import RedisStore, Scripts
from chatops_bot.adapters.redis.url import parse
from chatops_bot.ports.store import CardView, Claim, Committed, Facts, Outcome, StoreUnavailable, Work
from tests.torture import talk
from tests.torture.outside import Outside

POINTS: Final = (
    "intake.before", "intake.after", "acknowledged",
    "turn.taken", "turn.decided", "turn.committed",
    "card.taken", "card.before", "card.after", "card.told",
    "work.taken", "work.done", "work.told",
    "prepare.read", "prepare.recorded", "confirm.recorded",
    "execute.started", "execute.before", "execute.after", "execute.finished",
    "settle.before", "settle.read", "settle.recorded",
)  # fmt: skip
"""Where a process may die or stall: between every two steps."""

RARE: Final = {"settle": 40.0, "execute": 12.0, "confirm": 8.0, "prepare": 4.0, "work": 3.0}
"""Seldom passed, so more dangerous by this much."""


class Settings(msgspec.Struct):
    folder: str
    store: str
    outside: str
    wait_replicas: int = 0
    lease_ms: int = 1_000
    sweep_ms: int = 200
    kill: float = 0.0
    stall: float = 0.0


class Worker:
    """Takes deliveries, turns, cards and work, as the engine does."""

    def __init__(self, settings: Settings, number: int) -> None:
        self.settings = settings
        self.number = number
        client = Client(parse(settings.store), timeout_s=1.0, patience_s=1.0, wait_replicas=settings.wait_replicas)
        base = Scripts(client, random_bytes=os.urandom, lease_ms=settings.lease_ms)
        self.store = RedisStore(base, monotonic=time.monotonic, cap=10_000)
        self.ledger = RedisLedger(base)
        self.outside = Outside(Client(parse(settings.outside), timeout_s=60))
        self.held: dict[str, tuple[Claim, float]] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self.journal = os.open(f"{settings.folder}/journal", os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def point(self, name: str) -> None:
        """Die here, or stop here past the lease."""
        luck = random.random() / RARE.get(name.partition(".")[0], 1.0)
        if luck < self.settings.kill:
            os.write(self.journal, f"killed {name}\n".encode())
            os.kill(os.getpid(), signal.SIGKILL)
        elif luck < self.settings.kill + self.settings.stall:
            os.write(self.journal, f"stalled {name}\n".encode())
            time.sleep(self.settings.lease_ms / 1000 * random.choice((0.5, 1.3, 2.2)))

    def spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, StoreUnavailable):
            os.write(self.journal, f"error {error!r}\n".encode())

    def sure(self, claim: Claim) -> bool:
        """Whether enough of the lease is left to call outside."""
        held = self.held.get(claim.token)
        return held is not None and held[1] - time.monotonic() > 0.3 * self.settings.lease_ms / 1000

    # Deliveries.

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            self.spawn(self.deliver(msgspec.json.decode(line, type=talk.Event), writer))

    async def deliver(self, event: talk.Event, writer: asyncio.StreamWriter) -> None:
        self.point("intake.before")
        taken = await self.store.intake(talk.arrival(event))
        self.point("intake.after")
        writer.write(msgspec.json.encode({"id": event.id, "taken": taken.taken, "thread": taken.thread}) + b"\n")
        self.point("acknowledged")
        self.take(taken.claims)

    # Queues.

    def take(self, claims: tuple[Claim, ...] | list[Claim]) -> None:
        for claim in claims:
            self.held[claim.token] = (claim, claim.deadline)
            self.spawn(self.work_off(claim))

    async def work_off(self, claim: Claim) -> None:
        steps: dict[str, Callable[[Claim], Awaitable[Committed | None]]] = {
            "t": self.turn,
            "c": self.card,
            "w": self.work,
            "p": self.watch,
        }
        try:
            committed = await steps[claim.queue[0]](claim)
        finally:
            self.held.pop(claim.token, None)
        if committed is not None:
            self.take(committed.claims)

    async def turn(self, claim: Claim) -> Committed:
        self.point("turn.taken")
        event = msgspec.json.decode(claim.body, type=talk.Event)
        before = msgspec.json.decode(claim.session, type=talk.Session) if claim.session else talk.Session()
        await asyncio.sleep(random.random() * 0.02)  # understanding takes a while
        thread = claim.queue[2:]
        now = await self.store.now()
        made = talk.decide(before, event, thread=thread, id=claim.entry, sequence=claim.sequence, now=now)
        after = made.session
        archived = after.state == "archived"
        self.point("turn.decided")
        committed = await self.store.commit(
            claim,
            Outcome(
                session=msgspec.json.encode(after),
                facts=Facts(state=after.state, lock=after.lock),
                cards=tuple(CardView(name, msgspec.json.encode(view)) for name, view in made.cards),
                work=tuple(
                    Work(f"{claim.entry}.{n}", msgspec.json.encode(effect)) for n, effect in enumerate(made.work)
                ),
                wake=made.wake,
                release=(event.user,) if archived and event.user else (),
                summary=b"ended" if archived else b"",
                audit=(f'{{"at":{now},"kind":"decision","event":"{claim.entry}"}}'.encode(),),
                move=talk.arrival(event) if made.move else None,
            ),
        )
        self.point("turn.committed")
        return committed

    async def card(self, claim: Claim) -> Committed | None:
        self.point("card.taken")
        view = msgspec.json.decode(claim.view, type=talk.View)
        _, thread, name = claim.queue.split("|")
        await asyncio.sleep(random.random() * 0.02)
        if not self.sure(claim):
            return None
        self.point("card.before")
        message = await self.outside.draw(
            f"{thread}|{name}", claim.message, claim.view, token=view.token, thread=thread
        )
        self.point("card.after")
        told = await self.store.drawn(claim, message=message)
        self.point("card.told")
        return told

    async def work(self, claim: Claim) -> Committed | None:
        self.point("work.taken")
        effect = msgspec.json.decode(claim.body, type=talk.Effect)
        steps = {"prepare": self.prepare, "confirm": self.confirm, "execute": self.execute}
        result = await steps[effect.type](claim, effect)
        if result is None:
            await self.store.later(claim, 300)
            return None
        self.point("work.done")
        told = await self.store.done(claim, event_id=f"r:{claim.entry}", event=msgspec.json.encode(result))
        self.point("work.told")
        return told

    # Plans.

    async def prepare(self, claim: Claim, effect: talk.Effect) -> talk.Event | None:
        generation = await self.outside.generation(effect.target)
        self.point("prepare.read")
        await self.ledger.prepare(
            token=effect.token,
            target=effect.target,
            plan=msgspec.json.encode(generation),
            digest="d",
            lives_ms=talk.PLAN_LIVES_MS + 1_000,
            effect=claim.entry,
            audit=(_record("request", effect.token),),
        )
        self.point("prepare.recorded")
        return talk.Event(type="prepared", token=effect.token, target=effect.target)

    async def confirm(self, claim: Claim, effect: talk.Effect) -> talk.Event | None:
        step = await self.ledger.confirm(
            token=effect.token,
            target=effect.target,
            digest="d",
            by=effect.user,
            effect=claim.entry,
            start_within_ms=60_000,
            audit=(_record("confirmation", effect.token),),
        )
        self.point("confirm.recorded")
        return talk.Event(type="judged", token=effect.token, ok=step.ok)

    async def execute(self, claim: Claim, effect: talk.Effect) -> talk.Event | None:
        limit_ms = self.settings.lease_ms * 2
        begun = time.monotonic()
        step = await self.ledger.start(
            token=effect.token,
            target=effect.target,
            attempt=claim.token,
            limit_ms=limit_ms,
            audit=(_record("execution", effect.token),),
        )
        self.point("execute.started")
        if step.state == "executing" and not step.ok:
            return None if step.wait_ms else await self.settled(effect.token, effect.target, step.plan)
        if not step.ok:
            return talk.Event(type="executed", token=effect.token, outcome=step.state)
        generation = msgspec.json.decode(step.plan, type=int)
        if await self.outside.written_by(effect.target) == effect.token:
            outcome = "done"
        elif time.monotonic() - begun > 0.8 * limit_ms / 1000 or not self.sure(claim):
            return None  # too late to call: to be settled
        else:
            self.point("execute.before")
            outcome = await self.outside.write(effect.token, effect.target, generation)
            self.point("execute.after")
        end = await self.ledger.finish(
            token=effect.token,
            target=effect.target,
            attempt=claim.token,
            outcome="done" if outcome == "done" else "refused",
            detail=b"",
            audit=(_record("outcome", effect.token),),
        )
        self.point("execute.finished")
        if end.state == "executing":
            return None
        return talk.Event(type="executed", token=effect.token, outcome=end.state)

    async def settled(self, token: str, target: str, plan: bytes) -> talk.Event | None:
        self.point("settle.before")
        outcome = await self.outside.settle(token, target, msgspec.json.decode(plan, type=int))
        self.point("settle.read")
        end = await self.ledger.finish(
            token=token,
            target=target,
            attempt="settle",
            outcome="done" if outcome == "done" else "interrupted" if outcome == "interrupted" else "unknown",
            detail=b"",
            audit=(_record("outcome", token),),
        )
        self.point("settle.recorded")
        return None if end.state == "executing" else talk.Event(type="executed", token=token, outcome=end.state)

    async def watch(self, claim: Claim) -> None:
        """A plan past its deadline: its thread may never come back to it."""
        token, target = claim.queue[2:], claim.entry
        step = await self.ledger.read(token=token, target=target)
        if step.state == "executing" and not step.wait_ms:
            await self.settled(token, target, step.plan)
        elif step.state == "confirmed":
            await self.ledger.void(token=token, target=target, reason="expired", effect="watch", audit=())

    # Loops.

    async def sweep(self) -> None:
        while True:
            with contextlib.suppress(StoreUnavailable):
                self.take(await self.store.sweep())
            await asyncio.sleep(self.settings.sweep_ms / 1000 * random.uniform(0.75, 1.25))

    async def renew(self) -> None:
        while True:
            await asyncio.sleep(self.settings.lease_ms / 3000)
            held = [claim for claim, _ in self.held.values()]
            deadline = time.monotonic() + self.settings.lease_ms / 1000
            try:
                lost = await self.store.renew(held)
            except StoreUnavailable:
                continue
            for claim in held:
                if claim.token in self.held:
                    self.held[claim.token] = (claim, 0.0 if claim.token in lost else deadline)

    async def run(self) -> None:
        socket = Path(self.settings.folder) / f"worker-{self.number}.sock"
        socket.unlink(missing_ok=True)
        self.spawn(self.sweep())
        self.spawn(self.renew())
        server = await asyncio.start_unix_server(self.serve, socket)
        await server.serve_forever()


def _record(kind: str, token: str) -> bytes:
    return f'{{"at":1,"kind":"{kind}","token":"{token}"}}'.encode()


if __name__ == "__main__":
    read = msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Settings)
    asyncio.run(Worker(read, int(sys.argv[2])).run())
