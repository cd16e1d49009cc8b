"""A cluster that answers at once from memory, and a catalog of some size: what is measured is the bot."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.entities import Entity, EntityKind, Service
from chatops_bot.domain.impersonation import Actor
from chatops_bot.domain.notes import Note
from chatops_bot.domain.observed import Found, LogQuery, LogText, Need, Observed, Overview, Permission, Raw
from chatops_bot.domain.plans import Change
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.cluster import Permit

SERVICES = 300
CLUSTER = "prod-east"


def _entity(name: str) -> Entity:
    return Entity(cluster=CLUSTER, namespace="shop", kind="Deployment", workload=name, name=name, environment="prod")


WEB = _entity("web-shop")


def catalog() -> Catalog:
    """As many services as a platform team looks after."""
    others = (Service(entity=_entity(f"team{n % 20}-service-{n}"), aliases=(f"svc{n}",)) for n in range(SERVICES))
    return Catalog([Service(entity=WEB, aliases=("网店",)), *others])


def deployment() -> Raw:
    """Two replicas, both ready."""
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {
            "name": WEB.workload,
            "namespace": WEB.namespace,
            "uid": "0d7c2f7e-2f8e-4a77-9a55-3f0f3b6f3c11",
            "resourceVersion": "4711",
            "generation": 3,
            "annotations": {"deployment.kubernetes.io/revision": "3"},
        },
        "spec": {
            "replicas": 2,
            "selector": {"matchLabels": {"app": WEB.workload}},
            "template": {
                "metadata": {"labels": {"app": WEB.workload}},
                "spec": {"containers": [{"name": "app", "image": "registry.example/web-shop:1.4"}]},
            },
        },
        "status": {
            "observedGeneration": 3,
            "replicas": 2,
            "readyReplicas": 2,
            "updatedReplicas": 2,
            "availableReplicas": 2,
        },
    }


def _merged(object: Raw, patch: Mapping[str, Any]) -> Raw:
    """The object with a patch of mappings applied."""
    merged = dict(object)
    for key, value in patch.items():
        known = merged.get(key)
        merged[key] = _merged(known if isinstance(known, dict) else {}, value) if isinstance(value, Mapping) else value
    return merged


class StubReader:
    """`ClusterReader` that always sees the same deployment."""

    name = CLUSTER

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    async def observe(self, entity: Entity, *, events: bool = False, needs: frozenset[Need] = frozenset()) -> Observed:
        return Observed(entity=entity, at=int(self._clock.now() * 1000), object=deployment())

    async def overview(self, namespaces: tuple[str, ...] = ()) -> Overview:
        return Overview(cluster=CLUSTER, at=int(self._clock.now() * 1000), namespaces=namespaces)

    async def find(self, kind: EntityKind, name: str, namespace: str = "") -> list[Found]:
        return []

    async def read(self, which: Entity | Change) -> Raw:
        return deployment()

    async def logs(self, entity: Entity, query: LogQuery) -> LogText:
        return LogText(pod="web-shop-1", container="app", text="ready")

    async def allowed(
        self, permission: Permission, *, namespace: str, name: str = "", actor: Actor | None = None
    ) -> bool:
        return True

    async def installed(self, kind: EntityKind) -> bool:
        return kind != "Rollout"

    async def whoami(self) -> str:
        return "bench"

    async def workloads(self) -> list[Entity]:
        return [WEB]

    async def watch(self, changed: Callable[[list[Entity]], Awaitable[None]]) -> None:
        await changed([WEB])

    async def close(self) -> None:
        return


class StubWriter:
    """`ClusterWriter` that accepts every dry run and refuses to write: no row of the bench executes."""

    async def dry_run(self, change: Change, *, uid: str, actor: Actor | None = None) -> Raw:
        return _merged(deployment(), change.body)

    async def write(self, change: Change, *, uid: str, resource_version: str, permit: Permit) -> Raw:
        raise PermissionError("a benchmark writes nothing")

    async def touch(self, which: Entity | Change, *, uid: str, permit: Permit) -> Raw:
        raise PermissionError("a benchmark writes nothing")

    async def note(self, entity: Entity, note: Note, *, permit: Permit) -> None:
        raise PermissionError("a benchmark writes nothing")

    async def close(self) -> None:
        return
