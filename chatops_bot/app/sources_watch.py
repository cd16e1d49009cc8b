"""What is followed while the bot runs: the policy's file, the workloads of the clusters, and whether they answer."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Final

import structlog

from chatops_bot.app.catalog_sources import merged
from chatops_bot.app.sources import PolicyInForce
from chatops_bot.domain.catalog import Catalog, index_nodes
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.cluster import ClusterError, ClusterReader, Refused

log = structlog.get_logger(__name__)

POLICY_S: Final = 1.0
"""Between looks at the policy's file; a rule taken away holds a second later."""

HEALTH_S: Final = 10.0
"""Between questions to a cluster that nobody else asks about."""

ANSWER_S: Final = 5.0

MANY: Final = 300
"""Workloads from which on their catalog is built in a thread: some 10 ms of the event loop."""


class PolicyWatch:
    """Brings a changed policy file into force. While one has errors the rules of before hold; while it is gone, every
    change is refused."""

    def __init__(self, in_force: PolicyInForce, *, snapshot: Snapshot, clock: Clock) -> None:
        self._in_force = in_force
        self._snapshot = snapshot
        self._clock = clock

    async def run(self) -> None:
        """For ever."""
        while True:
            await self.look()
            await self._clock.sleep(POLICY_S)

    async def look(self) -> None:
        """Once. In a thread, because the file may lie on a volume that hangs."""
        policy = await asyncio.to_thread(self._in_force.current)
        if policy is self._snapshot.policy_read:
            return
        self._snapshot.set_policy(policy)
        if self._in_force.problems:
            log.error(
                "policy_unusable",
                problems=self._in_force.problems,
                consequence="every change is refused until the file is mended"
                if policy.standing == "broken"
                else "the rules of before hold until the file is mended",
            )
        else:
            log.info("policy_read", rules=len(policy.rules), groups=len(policy.groups))


class CatalogWatch:
    """Keeps the catalog as the clusters are now, enriched by what the configuration says."""

    def __init__(self, services: Iterable[Service], *, clusters: Sequence[str], snapshot: Snapshot) -> None:
        self._services = tuple(services)
        self._clusters = tuple(clusters)
        self._snapshot = snapshot
        self._found: dict[str, list[Entity]] = {}
        self._building = asyncio.Lock()
        self._complete = asyncio.Event()
        if not self._clusters:
            self._complete.set()

    async def follow(self, reader: ClusterReader) -> None:
        """One cluster, for ever."""

        async def changed(entities: list[Entity]) -> None:
            await self._take(reader.name, entities)

        await reader.watch(changed)

    async def complete(self, *, within_s: float) -> bool:
        """Wait until every cluster has told what it has; whether that came in time."""
        try:
            async with asyncio.timeout(within_s):
                await self._complete.wait()
        except TimeoutError:
            missing = [name for name in self._clusters if name not in self._found]
            log.warning("catalog_incomplete", clusters=missing, consequence="their workloads are not known yet")
            return False
        return True

    async def _take(self, cluster: str, entities: list[Entity]) -> None:
        self._found[cluster] = entities
        async with self._building:
            found = [entity for each in self._found.values() for entity in each]
            catalog = await asyncio.to_thread(self._merged, found) if len(found) > MANY else self._merged(found)
            self._snapshot.set_catalog(catalog, index_nodes(entity for entity in found if entity.kind == "Node"))
        log.info("catalog_read", cluster=cluster, workloads=len(entities), services=len(catalog))
        if len(self._found) == len(self._clusters):
            self._complete.set()

    def _merged(self, found: list[Entity]) -> Catalog:
        return merged(self._services, found, clusters=self._clusters)


class ClusterHealth:
    """Whether one cluster answers, and takes the bot for somebody. Asked at most once at a time, so that probes
    never use up the threads of a cluster that hangs."""

    def __init__(self, reader: ClusterReader, *, clock: Clock, anonymous: bool = False) -> None:
        """`anonymous`: this one was configured without credentials, so that it knows nobody."""
        self.name = reader.name
        self._reader = reader
        self._clock = clock
        self._anonymous = anonymous
        self._problem: str | None = None
        self._asking: asyncio.Task[str] | None = None

    async def run(self) -> None:
        """Ask now and then, for the log."""
        while True:
            await self.check()
            await self._clock.sleep(HEALTH_S)

    async def check(self) -> str:
        """What is wrong now; "" when it is well."""
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask(), name=f"health {self.name}")
        return await asyncio.shield(self._asking)

    async def close(self) -> None:
        """Give up a question under way."""
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.gather(self._asking, return_exceptions=True)

    async def _ask(self) -> str:
        problem = await self._answer()
        if problem and problem != self._problem:
            log.warning("cluster_unwell", cluster=self.name, why=problem, what="it is asked again")
        elif not problem and self._problem:
            log.info("cluster_well", cluster=self.name)
        self._problem = problem
        return problem

    async def _answer(self) -> str:
        try:
            async with asyncio.timeout(ANSWER_S):
                await self._reader.whoami()
        except TimeoutError:
            return f"no answer within {ANSWER_S:g} s"
        except Refused as error:
            return "" if self._anonymous and error.reason == "Anonymous" else error.message
        except ClusterError as error:
            return error.message
        return ""
