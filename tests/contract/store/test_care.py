"""Two processes that look after the same services on one store: each finding has one card, whoever looks."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import Any

import msgspec
import pytest
import structlog

from chatops_bot.adapters.redis.audit import RedisAuditLog
from chatops_bot.adapters.redis.care import RedisCare
from chatops_bot.adapters.redis.shards import tag
from chatops_bot.app.telemetry import Metrics
from chatops_bot.domain.care import Terms
from chatops_bot.domain.diagnosis.checks import CHECKS
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.events import AlertGroup
from chatops_bot.domain.observed import Observed
from chatops_bot.engine.care import Care
from chatops_bot.ports.cluster import ClusterUnavailable
from tests.contract.store.kit import ROOM, World
from tests.fakes.clock import ManualClock
from tests.unit.domain.cluster_objects import NOW, workload
from tests.unit.domain.diagnosis.recorded import crashing, pod

EVERY_S = 60.0


def service(name: str) -> Service:
    return Service(entity=Entity("prod-east", "shop", "Deployment", name, name, "prod"), watch=True)


class Clock(ManualClock):
    """Tells how many sleep, so that what waits for the store is waited for."""

    def __init__(self, now: float) -> None:
        super().__init__(now)
        self._fell = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        self._fell.set()
        await super().sleep(seconds)

    async def all_asleep(self, processes: int) -> None:
        while len(self._sleepers) < processes:
            self._fell.clear()
            await self._fell.wait()


class Cluster:
    """Says of each service what the test says."""

    def __init__(self) -> None:
        self.broken: set[str] = set()
        self.away = False
        self.looks: list[tuple[float, str]] = []
        self.clock = Clock(NOW / 1000)

    async def observe(self, entity: Entity, **_: Any) -> Observed:
        self.looks.append((self.clock.monotonic(), entity.name))
        if self.away:
            raise ClusterUnavailable("no answer")
        bad = entity.name in self.broken
        found = pod(age=90_000) if not bad else pod("web-a", crashing(1), age=90_000)
        return Observed(entity=entity, at=NOW, object=workload("Deployment", 1, 0 if bad else 1), pods=(found,))


class Crew:
    """Processes on one store, and what they have told."""

    def __init__(self, world: World, *names: str, per_hour: int = 6) -> None:
        self.cluster = Cluster()
        self.told: list[AlertGroup] = []
        self.world = world
        self.services = tuple(service(name) for name in names)
        self.per_hour = per_hour
        self.refuses = False

    def process(self) -> Care:
        return Care(
            RedisCare(self.world.client, RedisAuditLog(self.world.base)),
            clusters={"prod-east": self.cluster},  # type: ignore[dict-item]
            watched=lambda: self.services,
            room_for=lambda _: ROOM,
            receive=self._receive,
            terms=Terms(stays_ms=180_000, gone_ms=180_000, per_hour=self.per_hour),
            every_s=EVERY_S,
            language="en",
            clock=self.cluster.clock,
            meter=Metrics(),
        )

    async def _receive(self, group: AlertGroup) -> None:
        self.told.append(group)

    async def run(self, minutes: int, *processes: Care) -> None:
        tasks = [asyncio.create_task(process.run()) for process in processes]
        for _ in range(minutes * 6):
            await self.cluster.clock.all_asleep(len(processes))
            await self.cluster.clock.advance(10)
        await self.cluster.clock.all_asleep(len(processes))
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def ended(world: World) -> None:
    """The process that led has been silent for long enough."""
    assert await world.client.command("DEL", f"{tag(0)}audit-lead:care") == 1


async def test_two_processes_look_once_and_tell_once(world: World) -> None:
    crew = Crew(world, "web", "api", "db")
    crew.cluster.broken = {"web"}
    await crew.run(6, crew.process(), crew.process())
    assert len(crew.told) == 1
    (group,) = crew.told
    assert (group.room, group.service, group.firing) == (ROOM, "prod-east/shop/deployment/web", 1)
    assert group.alerts[0].name == "web: a container keeps crashing"
    assert len(crew.cluster.looks) <= 3 * 7
    assert {name for _, name in crew.cluster.looks} == {"web", "api", "db"}
    moments = [at for at, _ in crew.cluster.looks[:6]]
    assert [later - earlier for earlier, later in pairwise(moments)] == [20.0] * 5


async def test_another_process_goes_on_and_says_that_it_is_over(world: World) -> None:
    crew = Crew(world, "web")
    crew.cluster.broken = {"web"}
    await crew.run(5, crew.process())
    await ended(world)
    crew.cluster.broken = set()
    await crew.run(5, crew.process())
    assert [(group.firing, group.resolved) for group in crew.told] == [(1, 0), (0, 1)]
    assert len({group.group for group in crew.told}) == 1
    assert len({group.id for group in crew.told}) == 2


async def test_a_cluster_that_does_not_answer_says_nothing(world: World) -> None:
    crew = Crew(world, "web")
    crew.cluster.broken = {"web"}
    await crew.run(5, process := crew.process())
    crew.cluster.away = True
    await crew.run(30, process)
    assert [(group.firing, group.resolved) for group in crew.told] == [(1, 0)]


async def test_a_check_that_fails_is_logged_and_hides_no_finding(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def tripping(_: object) -> Any:
        raise KeyError("x")

    monkeypatch.setattr("chatops_bot.domain.diagnosis.status.CHECKS", (*CHECKS, tripping))
    crew = Crew(world, "web")
    crew.cluster.broken = {"web"}
    with structlog.testing.capture_logs() as logs:
        await crew.run(5, crew.process())
    assert [group.firing for group in crew.told] == [1]
    told = {(row["check"], row["intent"]) for row in logs if row["event"] == "check_failed"}
    assert told == {("tripping: KeyError", "care")}


async def test_cards_are_limited_over_all_processes(world: World) -> None:
    crew = Crew(world, *(f"svc{n}" for n in range(5)), per_hour=2)
    crew.cluster.broken = {f"svc{n}" for n in range(5)}
    await crew.run(20, crew.process(), crew.process())
    assert len(crew.told) == 2
    await ended(world)
    await crew.run(50, crew.process())
    assert len(crew.told) == 4
    assert any("trouble elsewhere too, services: 2" in group.alerts[0].summary for group in crew.told)


async def test_a_service_with_alerts_has_its_card_already(world: World) -> None:
    crew = Crew(world, "web")
    crew.cluster.broken = {"web"}
    store = RedisCare(world.client, world.audit)
    key = "prod-east/shop/deployment/web"
    await store.note_alerts(key, group="g1", firing=True)
    await store.note_alerts(key, group="g2", firing=True)
    await store.note_alerts(key, group="g1", firing=False)
    await crew.run(8, process := crew.process())
    assert crew.told == []
    await store.note_alerts(key, group="g2", firing=False)
    await crew.run(2, process)
    assert len(crew.told) == 1


def test_a_watched_service_is_marked_in_the_catalog() -> None:
    assert msgspec.json.decode(msgspec.json.encode(service("web")), type=Service).watch
