"""The stage of a replay: cluster, console, virtual clock, and the bot between them."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Final, Self

from chatops_bot.adapters.runbooks.loading import packaged
from chatops_bot.adapters.sandbox import Sandbox
from chatops_bot.app import bot
from chatops_bot.app.bot import Bot, Stores
from chatops_bot.app.catalog_sources import merged
from chatops_bot.app.replay_store import ReplayRedis, SwitchedClient
from chatops_bot.app.stage_chat import StageChat, StageConsole
from chatops_bot.app.stage_cluster import SandboxCluster, StageCluster
from chatops_bot.app.stage_names import called
from chatops_bot.app.transcript import DAY, START, Transcript, TranscriptError, Turn, policy_of
from chatops_bot.app.virtual_clock import VirtualClock
from chatops_bot.domain.cards import Card
from chatops_bot.domain.catalog import Catalog, index_nodes
from chatops_bot.domain.dialogue.turn import Decision
from chatops_bot.domain.policy_file import PolicyError
from chatops_bot.domain.runbooks import Runbooks
from chatops_bot.domain.session import Session
from chatops_bot.domain.world import Timing, World
from chatops_bot.engine.gate import Cluster
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.ports.chat import ChatPort, NotAccepted
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.cluster import ClusterError
from chatops_bot.ports.interpreter import Interpreter
from chatops_bot.ports.meter import NoMeter
from chatops_bot.ports.store import Claim, StoreUnavailable

MOST_STEPS: Final = 5_000
"""Moments at which something was due within one wait; more is an endless loop."""


class Stage:
    """What a transcript plays on; `cluster` is the sandbox unless one is given, `chat` makes another chat than the
    console, and `interpreter` understands in place of the rules. `rest` returns when nothing but time is awaited."""

    def __init__(
        self,
        file: Transcript,
        redis: ReplayRedis,
        *,
        cluster: StageCluster | None = None,
        chat: Callable[[Clock], StageChat] | None = None,
        interpreter: Interpreter | None = None,
    ) -> None:
        self.file = file
        self._interpreter = interpreter
        self._redis = redis
        self._midnight = DAY.timestamp()
        self.clock = VirtualClock(self._midnight + _seconds(START))
        self.chat: StageChat = chat(self.clock) if chat else StageConsole(clock=self.clock)
        self.cluster = cluster or SandboxCluster(self.clock.now)
        self._client: SwitchedClient | None = None
        self._stores: Stores | None = None
        self._clusters: dict[str, Cluster] = {}
        self._bot: Bot | None = None
        self._port: ChatPort | None = None
        self.snapshot = Snapshot(catalog=Catalog(), policy=file.policy, timing=Timing(), listen=file.listen)
        self.snapshot.set_runbooks(Runbooks(packaged().runbooks))
        self.sessions: dict[str, Session] = {}
        self.decisions: list[tuple[Claim, Decision]] = []
        self.history: dict[str, list[Card]] = {}
        """Every view that each card has had, by the message in which it was first posted."""

    async def __aenter__(self) -> Self:
        turns = self.file.turns
        rooms = {turn.room for turn in turns} | set(self.file.links.values())
        await self.chat.open(users={turn.user for turn in turns if turn.user}, rooms=rooms)
        self.snapshot.set_links({name: self.chat.place(room) for name, room in self.file.links.items()})
        self.snapshot.set_policy(self.chat.policy(self.file.policy))
        oncall = called(self.file.oncall, self.file.policy, person=lambda name: self.chat.person(name).key)
        self.snapshot.set_oncall(oncall)
        try:
            await self.cluster.open(self.file.cluster)
        except ValueError as error:
            await self.__aexit__(None, None, None)
            raise TranscriptError([f"{self.file.path}: {error}"]) from error
        except ClusterError:
            await self.__aexit__(None, None, None)
            raise
        if self.cluster.time is not None:
            # Objects carry stamps of that time: the first turn plays then, and their ages are right.
            first = self.file.turns[0].clock_s
            self._midnight = self.cluster.time - (_seconds(START) if first is None else first)
            self.clock.set(self._midnight + _seconds(START))
        try:
            await self._begin()
        except ClusterError:
            await self.__aexit__(None, None, None)
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._end(grace_s=0)
        await self.chat.close()
        await self.cluster.close()

    async def _begin(self) -> None:
        """A process of the bot starts."""
        self._client = self._redis.client()
        self._stores = bot.stores(self._client, clock=self.clock, virtual=self.clock.ms)
        self._clusters = {
            name: bot.cluster(
                name,
                self.cluster.connection,
                ledger=self._stores.ledger,
                clock=self.clock,
                namespaces=self.cluster.namespaces,
            )
            for name in self.file.cluster_names
        }
        self._port = self.chat.join()
        self._bot = await bot.assemble(
            stores=self._stores,
            clusters=self._clusters,
            chats={self.chat.platform: self._port},
            snapshot=self.snapshot,
            clock=self.clock,
            meter=NoMeter(),
            interpreter=self._interpreter,
            decided=self._decided,
        )
        await self._port.start(self._bot.intake)
        await self._survey()

    async def _end(self, *, grace_s: float) -> None:
        """It dies: what it held is not given back."""
        if self._bot is not None and self._port is not None:
            await self._port.stop()
            await self._bot.worker.kill()
        for both in self._clusters.values():
            await both.reader.close()
            await both.writer.close()
        if self._client is not None:
            await self._client.close()
        self._bot = self._client = self._stores = None
        self._clusters = {}

    def _decided(self, claim: Claim, decision: Decision) -> None:
        self.decisions.append((claim, decision))
        if not decision.move:
            self.sessions[decision.session.thread] = decision.session

    async def _survey(self) -> None:
        """The catalog as the cluster is now."""
        if self.cluster.down:
            return
        first = self._clusters[self.file.cluster_names[0]]
        described = {(s.entity.namespace, s.entity.kind, s.entity.workload) for s in self.file.services}
        found = [
            entity
            for entity in await first.reader.workloads()
            if (entity.namespace, entity.kind, entity.workload) not in described
        ]
        nodes = index_nodes(entity for entity in found if entity.kind == "Node")
        self.snapshot.set_catalog(merged(self.file.services, found), nodes)

    async def change(self, turn: Turn) -> None:
        """Somebody else changes the cluster or the policy, or something goes away or comes back."""
        where = f"{self.file.path}: turn {turn.id}"
        if turn.act == "cluster":
            try:
                await self.cluster.change(turn.what)
            except ValueError as error:
                raise TranscriptError([f"{where}: {error}"]) from error
            await self._survey()
        elif turn.act == "policy":
            users = {turn.user for turn in self.file.turns}
            try:
                self.snapshot.set_policy(self.chat.policy(policy_of(turn.what, users)))
            except PolicyError as error:
                raise TranscriptError([f"{where}: {problem}" for problem in error.problems]) from error
        elif turn.act == "restart":
            await self._end(grace_s=0)
            await self._begin()
        else:
            self._switch(str(turn.what), down=turn.act == "down")

    @property
    def sandbox(self) -> Sandbox:
        """Where there is one. Raises `TypeError` on a real cluster."""
        if not isinstance(self.cluster, SandboxCluster):
            raise TypeError("this stage has a real cluster")
        return self.cluster.sandbox

    @property
    def bot(self) -> Bot:
        """The running process; `NotAccepted` while there is none."""
        if self._bot is None:
            raise NotAccepted("the bot is down")
        return self._bot

    @property
    def world(self) -> World:
        """Catalog and policy as of now."""
        return self.snapshot.world

    def _switch(self, what: str, *, down: bool) -> None:
        if what == "cluster":
            self.cluster.down = down
        elif self._client is not None:
            self._client.down = down

    async def wait_for(self, turn: Turn) -> None:
        """Move the clock to the turn's time, stopping wherever something is due."""
        until = self.clock.now() + turn.after_s if turn.after_s is not None else None
        if until is None:
            until = self._midnight + (turn.clock_s or 0)
            if until < self.clock.now() and self.decisions:
                until += 86_400
        if not self.decisions and turn.clock_s is not None:
            self.clock.set(until)
            return
        for _ in range(MOST_STEPS):
            due = await self._next_due()
            if due is None or due > until:
                break
            self.clock.move_to(max(due, self.clock.now() + 0.001))
            await self.rest()
        self.clock.move_to(until)
        await self.rest()

    async def _next_due(self) -> float | None:
        moments = [self.cluster.next_due, self.clock.next_sleeper]
        if self._stores is not None:
            try:
                due = await self._stores.threads.next_due()
            except StoreUnavailable:
                due = 0
            moments.append(due / 1000 if due else None)
        known = [moment for moment in moments if moment is not None]
        return min(known, default=None)

    async def rest(self) -> None:
        """Until nothing but time is awaited: the cluster's controllers first, then whatever is due."""
        for _ in range(MOST_STEPS):
            worker = self._bot.worker if self._bot else None
            if worker is not None:
                await worker.idle()
            await self.cluster.settle()
            for shown in self.chat.cards():
                seen = self.history.setdefault(shown.origin, [])
                if not seen or seen[-1] != shown.card:
                    seen.append(shown.card)
            if worker is None:
                return
            try:
                if not await worker.sweep() and not worker.busy:
                    return
            except StoreUnavailable:
                return


def _seconds(clock: str) -> float:
    hours, minutes, seconds = clock.split(":")
    return int(hours) * 3600 + int(minutes) * 60 + float(seconds)
