"""One run: two workers, a store, a cluster, a platform, and a judge who sees it all."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from pathlib import Path
from typing import Any, Final

import msgspec

from chatops_bot.adapters.redis.audit import RedisAuditLog
from chatops_bot.adapters.redis.client import connect
from chatops_bot.adapters.redis.shards import shard_of
from chatops_bot.adapters.redis.store import RedisStore, Scripts
from chatops_bot.domain import audit, events
from chatops_bot.domain.events import Click, Message
from tests.safety.clock import START, SharedClock
from tests.safety.cluster import ClusterUnderTest, Fate, entity_of
from tests.safety.crew import Crew, Nursery
from tests.safety.judge import Act, Judge
from tests.safety.platform import DONE, Platform, Shown
from tests.safety.scene import POLICIES, Rules
from tests.safety.wire import Failed, Gone, Json
from tests.safety.worker import Settings

CALM_S: Final = 3.0
"""Of real time, at most, that one step is waited for."""
BLOCKED_POLLS: Final = 6
"""Polls without anything moving after which a busy worker counts as waiting for something held."""
POLL_S: Final = 0.003
REST_STEPS: Final = 400
LONG_S: Final = 5 * 3600.0
"""Of virtual time, after which every plan, talk and rollout has ended."""


class Place(msgspec.Struct, frozen=True):
    """What outlives a run."""

    nursery: Nursery
    redis: str
    folder: Path


class Run:
    """`log` tells in words what happened, step by step."""

    def __init__(self, place: Place, seed: str) -> None:
        self.place = place
        self.rng = random.Random(f"deliveries {seed}")
        self.clock = SharedClock.create(place.folder / "clock")
        self.rules: Rules = POLICIES[0]
        self.judge = Judge(self.rules)
        self.platform = Platform(self.judge.drawn)
        self.cluster = ClusterUnderTest(
            self.clock.now, moment=self.judge.tick, wrote=self.judge.wrote, strike=self._strike, seed=seed
        )
        client = connect(place.redis)
        self.client = client
        self.store = RedisStore(
            Scripts(client, random_bytes=os.urandom, clock=self.clock.ms), monotonic=self.clock.monotonic
        )
        self.crew = Crew(place.nursery, place.folder, self._from_worker, self._settings)
        self.deliveries: set[asyncio.Task[None]] = set()
        self.delivered = 0
        self.log: list[str] = []

    async def open(self) -> None:
        await self.client.command("FLUSHALL")
        (self.place.folder / "workers.log").write_bytes(b"")
        await self.cluster.start()
        await self.crew.open()

    async def close(self) -> None:
        for task in self.deliveries:
            task.cancel()
        await asyncio.gather(*self.deliveries, return_exceptions=True)
        await self.crew.close()
        await self.cluster.stop()
        await self.client.close()

    def _settings(self, number: int) -> Settings:
        return Settings(
            number=number,
            socket=str(self.crew.socket),
            redis=self.place.redis,
            clock=str(self.place.folder / "clock"),
            cluster=self.cluster.url,
            token=self.cluster.token_of(number),
            policy=self.rules.file(),
            log=str(self.place.folder / "workers.log"),
            wild=bool(os.environ.get("CHATOPS_SAFETY_WILD")),
        )

    async def _from_worker(self, method: str, p: Json) -> Any:
        """What a worker wants of the platform. Before a card may say that something is done, it is on record who
        did it."""
        shown = self.platform.cards.get(p.get("message", ""))
        plan = self.judge.plans.get(shown.plan) if shown else None
        if plan is not None and DONE.fullmatch(p["card"]["title"]) and plan.told != "done":
            log = RedisAuditLog(Scripts(self.client, random_bytes=os.urandom))
            entity = entity_of(plan.namespace, plan.workload)
            entries = await log.entries(shard=shard_of(entity.key if entity else ""), limit=100_000)
            records = [audit.decode(entry.record) for entry in entries]
            if not any((record.token, record.kind) == (plan.token, "execution") for record in records):
                self.judge.broken(f"plan {plan.token[:6]} is shown as done before that is in the audit log")
        return await self.platform.handle(method, p)

    def _strike(self, worker: int, fate: Fate) -> None:
        self.crew.signal(worker, signal.SIGSTOP if fate == "freeze" else signal.SIGKILL)

    # Deliveries.

    def deliver(self, act: Act) -> None:
        """The platform hands an event over, again and again until somebody acknowledges it."""
        task = asyncio.create_task(self._insist(act))
        self.deliveries.add(task)
        task.add_done_callback(self.deliveries.discard)

    async def _insist(self, act: Act) -> None:
        raw = events.encode(act.event).decode()
        taken = thread = ""
        while not taken:
            running = self.crew.running()
            try:
                if running:
                    taken, thread = await self.crew.call(self.rng.choice(running), "deliver", event=raw)
                    continue
            except (Gone, Failed):
                pass
            await asyncio.sleep(0.01)
        self.delivered += 1
        if not act.acked:
            act.acked = self.judge.tick()
        if taken != "duplicate" or not act.taken:
            act.taken, act.thread = taken, thread

    # Time and rest.

    @property
    def _moved(self) -> tuple[int, int, int, int]:
        return self.cluster.activity, self.platform.activity, self.delivered, self.crew.deaths

    async def calm(self) -> bool:
        """Until nothing goes on but waiting for time, for what is held, or for who is frozen; whether all are idle."""
        loop = asyncio.get_running_loop()
        until, still, before = loop.time() + CALM_S, 0, self._moved
        while loop.time() < until:
            await self.crew.muster()
            busy = sum(await self.crew.everybody("busy"))
            waiting = bool(self.deliveries) and bool(self.crew.running())
            moved, before = self._moved != before, self._moved
            still = 0 if moved or waiting else still + 1
            if still >= 2 and not busy:
                return True
            if still >= BLOCKED_POLLS:
                return False
            await asyncio.sleep(POLL_S)
        return False

    async def pass_time(self, seconds: float) -> None:
        """At once while nobody is at work; second by second otherwise, so that leases are kept up."""
        until = self.clock.now() + seconds
        while (left := until - self.clock.now()) > 0:
            busy = sum(await self.crew.everybody("busy"))
            self.clock.set(self.clock.now() + (min(1.0, left) if busy else left))
            self.judge.time = self.clock.now() - START
            await self.cluster.sandbox.settle()
            await self.crew.everybody("tick")

    async def rest(self, *, most: int = REST_STEPS) -> str:
        """Until mailboxes, cards and work are empty, moving the clock as far as needed; "" or what is left."""
        left = ""
        for _ in range(most):
            idle = await self.calm()
            depths = await self.store.queue_depths()
            waiting = {kind: depths[kind] for kind in ("mailbox", "card", "work") if depths[kind]}
            if idle and not waiting and not self.deliveries and not self.cluster.held:
                self.judge.rest()
                return ""
            left = f"{waiting}, {len(self.deliveries)} deliveries, {self.cluster.held} held, idle: {idle}"
            if self.cluster.held or len(self.crew.running()) < len(self.crew.pids):
                if most < REST_STEPS:
                    return left
                self.undo_troubles()
            due = await self.store.next_due() / 1000
            await self.pass_time(min(120.0, max(1.0, due - self.clock.now() + 0.001)))
        return left

    def undo_troubles(self) -> None:
        """Everything works again, and everybody runs."""
        self.cluster.dooms.clear()
        self.cluster.down(False)
        self.cluster.release()
        self.platform.troubles.clear()
        for number in list(self.crew.pids):
            self.crew.signal(number, signal.SIGCONT)

    def shown_with(self, *buttons: str) -> list[tuple[Shown, str]]:
        """Cards with one of these buttons now, oldest first, with its plan's token."""
        return [
            (shown, button.token)
            for shown in self.platform.there()
            for button in shown.card.buttons
            if button.id in buttons
        ]

    def happened(self, event: Message | Click | None, words: str) -> None:
        self.log.append(
            f"{self.judge.count:5} {self.clock.now() - START:8.1f} s  {words}" + (f"  [{event.id}]" if event else "")
        )
