"""The policy's file, the clusters' workloads and their health, followed on a virtual clock."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import structlog

from chatops_bot.app import sources_watch
from chatops_bot.app.sources import PolicyInForce, read_policy_file
from chatops_bot.app.sources_watch import CatalogWatch, ClusterHealth, PolicyWatch
from chatops_bot.app.virtual_clock import VirtualClock
from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.entities import Entity, EntityKind, Service
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.world import Timing
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.ports.cluster import ClusterReader, ClusterUnavailable, Refused

Changed = Callable[[list[Entity]], Awaitable[None]]


@dataclass
class Cluster:
    """The part of a `ClusterReader` that is followed. `held` makes `whoami` wait."""

    name: str = "demo"
    problem: Exception | None = None
    held: asyncio.Event | None = None
    asked: int = 0
    told: list[Changed] = field(default_factory=list)

    async def whoami(self) -> str:
        self.asked += 1
        if self.held is not None:
            await self.held.wait()
        if self.problem is not None:
            raise self.problem
        return "bot"

    async def watch(self, changed: Changed) -> None:
        self.told.append(changed)
        await asyncio.Event().wait()

    @property
    def reader(self) -> ClusterReader:
        return cast(ClusterReader, self)


def entity(name: str, *, cluster: str = "demo", kind: EntityKind = "Deployment") -> Entity:
    namespace = "" if kind == "Node" else "shop"
    return Entity(cluster=cluster, namespace=namespace, kind=kind, workload=name, name=name, environment="prod")


def snapshot(policy: Policy | None = None) -> Snapshot:
    return Snapshot(catalog=Catalog(), policy=policy or Policy.open(), timing=Timing())


def confirmers(world: Snapshot) -> list[str]:
    return list(world.world.policy.rules[0].confirm or ())


async def test_a_changed_policy_file_comes_into_force_and_a_broken_one_does_not(tmp_path: Path) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text("rules: [{confirm: [alice]}]", encoding="utf-8")
    first = read_policy_file(file)
    world = snapshot(first)
    watch = PolicyWatch(PolicyInForce(first, file=file), snapshot=world, clock=VirtualClock(0))
    with structlog.testing.capture_logs() as logs:
        await watch.look()
        assert world.world.policy is first
        file.write_text("rules: [{confirm: [alice, bob]}]", encoding="utf-8")
        await watch.look()
        assert confirmers(world) == ["alice", "bob"]
        file.write_text("rules: [{confirm: nobody", encoding="utf-8")
        await watch.look()
        await watch.look()
        assert confirmers(world) == ["alice", "bob"]
        assert world.world.policy.outdated
        file.write_text("rules: [{confirm: [carol]}]  # mended", encoding="utf-8")
        await watch.look()
        assert confirmers(world) == ["carol"]
        file.unlink()
        await watch.look()
        assert world.world.policy.standing == "broken"
    assert [line["event"] for line in logs] == ["policy_read", "policy_unusable", "policy_read", "policy_unusable"]
    assert "line 1" in logs[1]["problems"][0]
    assert "the rules of before hold" in logs[1]["consequence"]
    assert "every change is refused" in logs[3]["consequence"]
    assert "no such file" in logs[3]["problems"][0]


async def test_the_catalog_has_what_the_file_describes_and_what_all_clusters_hold() -> None:
    described = Service(entity=entity("web"), aliases=("front",))
    world = snapshot()
    east, west = Cluster("demo"), Cluster("west")
    watch = CatalogWatch([described], clusters=["demo", "west"], snapshot=world)
    following = [asyncio.create_task(watch.follow(cluster.reader)) for cluster in (east, west)]
    await asyncio.sleep(0)
    await east.told[0]([entity("web"), entity("order-api"), entity("node-1", kind="Node")])
    assert not await watch.complete(within_s=0)
    await west.told[0]([entity("web", cluster="west")])
    assert await watch.complete(within_s=0)
    catalog = world.world.catalog
    assert [service.entity.cluster for service in catalog.lookup("web")] == ["demo", "west"]
    assert catalog.lookup("front") == (described,)
    assert catalog.lookup("order-api")
    assert not catalog.lookup("node-1")
    assert list(world.world.nodes) == ["node-1"]
    await east.told[0]([entity("web")])
    assert not world.world.catalog.lookup("order-api")
    assert not world.world.nodes
    for task in following:
        task.cancel()
    await asyncio.gather(*following, return_exceptions=True)


async def test_many_workloads_hold_up_nobody() -> None:
    world = snapshot()
    watch = CatalogWatch([], clusters=["demo"], snapshot=world)
    cluster = Cluster()
    following = asyncio.create_task(watch.follow(cluster.reader))
    await asyncio.sleep(0)
    building = asyncio.ensure_future(
        cluster.told[0]([entity(f"service-{number}") for number in range(sources_watch.MANY * 10)])
    )
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert not building.done(), "the catalog was built on the event loop"
    await building
    assert len(world.world.catalog) == sources_watch.MANY * 10
    following.cancel()
    await asyncio.gather(following, return_exceptions=True)


async def test_a_cluster_is_said_to_be_unwell_once_and_well_again() -> None:
    cluster = Cluster(problem=ClusterUnavailable("connection refused"))
    health = ClusterHealth(cluster.reader, clock=VirtualClock(0))
    with structlog.testing.capture_logs() as logs:
        assert await health.check() == "connection refused"
        assert await health.check() == "connection refused"
        cluster.problem = None
        assert await health.check() == ""
        assert await health.check() == ""
    assert [line["event"] for line in logs] == ["cluster_unwell", "cluster_well"]


async def test_a_cluster_that_hangs_is_asked_by_one_question_at_a_time() -> None:
    cluster = Cluster(held=asyncio.Event())
    health = ClusterHealth(cluster.reader, clock=VirtualClock(0))
    probes = [asyncio.create_task(health.check()) for _ in range(20)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert cluster.asked == 1
    for probe in probes[:19]:
        probe.cancel()
    await asyncio.gather(*probes[:19], return_exceptions=True)
    assert cluster.held
    cluster.held.set()
    assert await probes[19] == ""
    await health.close()


async def test_an_unnamed_bot_is_unwell_unless_the_cluster_asks_for_no_names() -> None:
    cluster = Cluster(problem=Refused("system:anonymous", reason="Anonymous"))
    assert await ClusterHealth(cluster.reader, clock=VirtualClock(0)).check() == "system:anonymous"
    assert await ClusterHealth(cluster.reader, clock=VirtualClock(0), anonymous=True).check() == ""
    cluster.problem = Refused("unauthorized", status=401)
    assert await ClusterHealth(cluster.reader, clock=VirtualClock(0), anonymous=True).check() == "unauthorized"
