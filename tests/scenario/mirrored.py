"""One bot on Slack and Feishu, each behind a fake of its wire, under a virtual clock."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

from chatops_bot.adapters.redis.shards import SHARDS
from chatops_bot.adapters.sandbox import Sandbox
from chatops_bot.app import bot
from chatops_bot.app.bot import Bot
from chatops_bot.app.catalog_sources import merged
from chatops_bot.app.replay_store import ReplayRedis, SwitchedClient
from chatops_bot.app.stage_cluster import SandboxCluster
from chatops_bot.app.stage_wire import wire_of
from chatops_bot.app.virtual_clock import VirtualClock
from chatops_bot.domain import policy_file
from chatops_bot.domain.audit import Record, decode
from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.identity import Room
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.world import Timing
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.ports.chat import ChatPort
from chatops_bot.ports.meter import NoMeter
from chatops_bot.ports.store import StoreUnavailable
from chatops_bot.ports.wire import Delivered, ShownCard, Wire
from tests.scenario.playing import HEAD

START = 1_767_607_200.0
"""2026-01-05 10:00:00 UTC."""


class Place:
    """A room of one platform, with the people in it."""

    def __init__(self, both: Both, wire: Wire) -> None:
        self._both = both
        self.wire = wire
        self.room = wire.room("ops")
        self.full = Room(wire.platform, wire.tenant, self.room)

    def cards(self, words: str = "") -> list[ShownCard]:
        return [card for card in self.wire.shown(self.room) if words in card.text]

    def card(self, words: str) -> ShownCard:
        """The newest one that says something."""
        found = self.cards(words)
        assert found, (words, [card.text for card in self.wire.shown(self.room)])
        return found[-1]

    async def say(self, text: str, *, user: str = "alice", reply_to: str = "", id: str = "") -> Delivered:
        return await self._both.through(
            self.wire.say(
                event_id=id or self._both.event(),
                room=self.room,
                user=self.wire.person(user),
                text=text,
                mention=True,
                reply_to=reply_to,
            )
        )

    async def press(self, card: ShownCard, button: str, *, user: str = "alice", id: str = "") -> Delivered:
        return await self._both.through(
            self.wire.click(
                event_id=id or self._both.event(),
                room=self.room,
                user=self.wire.person(user),
                message=card.message,
                button=button,
            )
        )


class Both:
    """The bot and both platforms. Time stands still unless it is moved."""

    def __init__(self, redis: ReplayRedis) -> None:
        self._redis = redis
        self.clock = VirtualClock(START)
        self.cluster = SandboxCluster(self.clock.now)
        self._numbers = count(1)
        self.slack = Place(self, wire_of("slack", clock=self.clock))
        self.feishu = Place(self, wire_of("feishu", clock=self.clock))
        self.snapshot = Snapshot(catalog=Catalog(), policy=Policy.open(), timing=Timing())
        self.client: SwitchedClient
        self.bot: Bot
        self._ports: list[ChatPort] = []

    def event(self) -> str:
        return f"e{next(self._numbers)}"

    @property
    def sandbox(self) -> Sandbox:
        return self.cluster.sandbox

    def replicas(self, name: str = "web") -> int:
        return int(next(each for each in self.sandbox.snapshot()["workloads"] if each["name"] == name)["replicas"])

    def rules(self, entry: Mapping[str, Any]) -> None:
        """The policy from here on."""
        self.snapshot.set_policy(policy_file.parse(entry, where="policy", users=set()))

    async def begin(self) -> None:
        """A process of the bot starts."""
        self.client = self._redis.client()
        stores = bot.stores(self.client, clock=self.clock, virtual=self.clock.ms)
        clusters = {"sandbox": bot.cluster("sandbox", self.cluster.connection, ledger=stores.ledger, clock=self.clock)}
        wires = [place.wire for place in (self.slack, self.feishu)]
        self._ports = [wire.chat(clock=self.clock, random_bytes=lambda count: b"\x80" * count) for wire in wires]
        self.bot = await bot.assemble(
            stores=stores,
            clusters=clusters,
            chats={port.platform: port for port in self._ports},
            snapshot=self.snapshot,
            clock=self.clock,
            meter=NoMeter(),
        )
        for port in self._ports:
            await port.start(self.bot.intake)
        services = await clusters["sandbox"].reader.workloads()
        self.snapshot.set_catalog(merged((), services), {})

    async def end(self) -> None:
        """It dies: nothing is given back. Nobody is left to call the platforms when their connections are closed."""
        await self.bot.worker.kill()
        for port in self._ports:
            await port.stop()
        for both in self.bot.gate.clusters.values():
            await both.reader.close()
            await both.writer.close()
        await self.client.close()

    async def through(self, work: Any) -> Delivered:
        delivered: Delivered = await work
        await self.rest()
        return delivered

    async def rest(self) -> None:
        """Until nothing but time is awaited, or the store cannot be asked."""
        while True:
            await self.bot.worker.idle()
            await self.cluster.settle()
            try:
                if not await self.bot.worker.sweep() and not self.bot.worker.busy:
                    return
            except StoreUnavailable:
                return

    async def wait(self, seconds: float) -> None:
        for _ in range(int(seconds)):
            self.clock.move_to(self.clock.now() + 1)
            await self.rest()

    async def incident(self) -> None:
        """One declared on Slack and linked with Feishu."""
        await self.slack.say("@bot declare an incident sev1: web is slow")
        await self.slack.say("@bot link the incident to feishu:" + self.feishu.room, reply_to=self.declared.message)

    @property
    def declared(self) -> ShownCard:
        return self.slack.card("declared (sev1)")

    async def audit(self) -> list[Record]:
        log = self.bot.stores.audit
        return [decode(each.record) for shard in range(SHARDS) for each in await log.entries(shard=shard)]


@asynccontextmanager
async def both_platforms() -> AsyncIterator[Both]:
    async with ReplayRedis() as redis:
        both = Both(redis)
        for place in (both.slack, both.feishu):
            await place.wire.start()
            for person in ("alice", "bob", "carol"):
                place.wire.person(person)
        await both.cluster.open(HEAD["cluster"])
        both.snapshot.set_links({"the factory": both.feishu.full})
        await both.begin()
        try:
            yield both
        finally:
            await both.end()
            for place in (both.slack, both.feishu):
                await place.wire.stop()
            await both.cluster.close()
