"""The bot's own way to a change on a real cluster, without a chat: plan, dry-run, confirmation, execution, following.

Gate, execution and ledger are the product's, on a real Redis; only the wall clock is the test's.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from chatops_bot.adapters.kubernetes import Connection
from chatops_bot.adapters.redis.client import connect
from chatops_bot.app import bot
from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.effects import Execute, Follow, Judge, Prepare
from chatops_bot.domain.entities import Entity, EntityKind
from chatops_bot.domain.events import Executed, Followed, Prepared
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.observed import Observed
from chatops_bot.domain.plans import Plan
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.world import Timing
from chatops_bot.engine.execution import Execution
from chatops_bot.engine.following import Following
from chatops_bot.engine.gate import Gate
from chatops_bot.engine.outcomes import Wait
from chatops_bot.engine.preparation import Preparation
from chatops_bot.engine.rates import Rates
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.ports.meter import NoMeter
from chatops_bot.ports.store import Claim

CLUSTER = "real"
ROOM = Room("console", "t", "ops")
ALICE = User("console", "t", "alice")

_numbers = itertools.count(1)


class Clock:
    """Real time, unless the test says what the time is: the stamp of a restart is then that of another one."""

    def __init__(self) -> None:
        self.fixed: float | None = None

    def now(self) -> float:
        return time.time() if self.fixed is None else self.fixed

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class BotSide:
    """Asks for changes as alice does, who may do everything."""

    def __init__(self, gate: Gate, clock: Clock) -> None:
        self.clock = clock
        self._gate = gate
        self._execution = Execution(gate)
        self._following = Following(gate)
        self._executed: dict[str, Execute] = {}

    async def prepare(self, entity: Entity, action: str, slots: Mapping[str, SlotValue] | None = None) -> Prepared:
        """A plan in the ledger, or why there can be none."""
        effect = Prepare(
            id=f"prepare-{next(_numbers)}",
            thread="thread",
            room=ROOM,
            user=ALICE,
            action=action,
            entity=entity,
            language="en",
            lives_ms=900_000,
            slots=dict(slots or {}),
        )
        return await Preparation(self._gate).run(effect)

    async def execute(self, plan: Plan) -> Executed:
        """Confirm a plan and carry it out."""
        number = next(_numbers)
        judged = await self._gate.judge(
            Judge(
                id=f"judge-{number}",
                thread=plan.thread,
                room=ROOM,
                user=ALICE,
                token=plan.token,
                digest=plan.digest,
                entity=plan.entity,
                action=plan.action,
            )
        )
        assert judged.ok, judged.problem
        effect = Execute(
            id=f"execute-{number}",
            thread=plan.thread,
            room=ROOM,
            token=plan.token,
            entity=plan.entity,
            action=plan.action,
            confirmer=ALICE,
        )
        self._executed[plan.token] = effect
        claim = Claim(shard=0, queue=f"w|thread|{number}", token=f"claim-{number}", deadline=0.0)
        executed = await self._execution.run(effect, claim)
        assert isinstance(executed, Executed)
        return executed

    async def change(self, entity: Entity, action: str, slots: Mapping[str, SlotValue] | None = None) -> Plan:
        """All of it; the test fails where the bot would not do it."""
        prepared = await self.prepare(entity, action, slots)
        assert prepared.plan is not None, prepared.problem
        executed = await self.execute(prepared.plan)
        assert executed.outcome == ("working" if prepared.plan.steps else "done"), executed
        return prepared.plan

    async def follow(self, plan: Plan) -> Followed | None:
        """What the card says of the rollout at its end, None while it goes on. One round: of a plan of several writes
        it makes the next few."""
        number = next(_numbers)
        effect = Follow(
            id=f"follow-{number}",
            thread=plan.thread,
            room=ROOM,
            token=plan.token,
            entity=plan.entity,
            until=int(self.clock.now() * 1000) + 900_000,
            execute=self._executed.get(plan.token),
        )
        claim = Claim(shard=0, queue=f"w|thread|{number}", token=f"claim-{number}", deadline=0.0)
        try:
            told = await self._following.run(effect, claim)
        except Wait:
            return None
        return told if told.again is None else None

    def take_over(self, other: BotSide) -> None:
        """From now on it follows what the other one, on the same Redis, has begun."""
        self._executed |= other._executed

    async def observe(self, entity: Entity) -> Observed:
        return await self._gate.clusters[CLUSTER].reader.observe(entity)


def entity_of(kind: EntityKind, namespace: str, name: str) -> Entity:
    return Entity(cluster=CLUSTER, namespace=namespace, kind=kind, workload=name, name=name)


@asynccontextmanager
async def bot_side(*, redis: str, kubeconfig: Path) -> AsyncIterator[BotSide]:
    """On a Redis by its URL, and a cluster as whom the kubeconfig says."""
    clock = Clock()
    client = connect(redis)
    stores = bot.stores(client, clock=clock)
    cluster = bot.cluster(CLUSTER, Connection.from_kubeconfig(kubeconfig), ledger=stores.ledger, clock=clock)
    gate = Gate(
        store=stores.threads,
        ledger=stores.ledger,
        clusters={CLUSTER: cluster},
        snapshot=Snapshot(catalog=Catalog(), policy=Policy.open(), timing=Timing()),
        clock=clock,
        secret=await stores.threads.secret(),
        rates=Rates(clock=clock, per_user=10_000, per_room=10_000),
        meter=NoMeter(),
    )
    try:
        yield BotSide(gate, clock)
    finally:
        await cluster.reader.close()
        await cluster.writer.close()
        await client.close()
