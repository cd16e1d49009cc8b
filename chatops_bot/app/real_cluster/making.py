"""Makes on a real cluster what the `cluster:` section of a transcript says.

This is done as the person whose kubeconfig it is, under the field managers of `kubectl`, and never on the bot's
behalf: what the bot writes goes through the gate, here as anywhere.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from chatops_bot.adapters.kubernetes.client import Client
from chatops_bot.adapters.sandbox.seeding.format import ClusterSeed, WorkloadSeed
from chatops_bot.adapters.sandbox.seeding.workloads import workload_manifest
from chatops_bot.app.real_cluster.clearing import MADE, made_from, remove
from chatops_bot.app.real_cluster.manifests import HPAS, MERGE, PDBS, WORKLOADS, Manifests, Resource
from chatops_bot.app.real_cluster.staging import LOGS, Staging
from chatops_bot.domain.objects import at, items
from chatops_bot.domain.observed import Raw
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.cluster import Conflict, NotFound, Refused

Settle = Callable[[], Awaitable[None]]


class Making:
    """`settle` returns when the cluster's controllers have come to rest; `tell` is told of all that is done."""

    def __init__(self, client: Client, *, settle: Settle, tell: Callable[[str], None], clock: Clock) -> None:
        self._client = client
        self._settle = settle
        self._tell = tell
        self._staging = Staging(client, tell=tell)
        self._manifests = Manifests(client, tell=tell, clock=clock)

    async def apply(self, seed: ClusterSeed, *, manager: str) -> bool:
        """What is there is merged by kind, namespace and name, the rest is made; whether pods are about to change
        their states. Raises ValueError that names the place of what cannot be made, and `ClusterUnavailable`."""
        if seed.nodes:
            raise ValueError("cluster.nodes: nodes cannot be made on a real cluster; leave them out")
        for workload in seed.workloads:
            await placed(workload.path, self._workload(workload, manager))
        for index, manifest in enumerate(seed.objects):
            await placed(f"cluster.objects[{index}]", self._manifests.put(manifest, manager=manager))
        listed = [each for each in seed.workloads if each.pods is not None or each.logs is not None]
        if not listed:
            return False
        await self._settle()
        stirred = [await placed(workload.path, self._stage(workload)) for workload in listed]
        return any(stirred)

    async def _workload(self, seed: WorkloadSeed, manager: str) -> None:
        await self._manifests.namespace(seed.namespace)
        try:
            live = await self._client.call("GET", _path(seed))
        except NotFound:
            await self._create(seed, manager)
            done = "created"
        else:
            done = "changed" if await self._change(seed, live, manager) else "left as it is:"
        self._tell(f"{done} {seed.kind.lower()}/{seed.name} in {seed.namespace}")
        await self._attach(seed, manager)

    async def _create(self, seed: WorkloadSeed, manager: str) -> None:
        """Through all its revisions, oldest first."""
        images = (*seed.revisions, seed.image or f"registry.example/{seed.name}:1")
        body = workload_manifest(seed, images[0])
        body["metadata"]["labels"][MADE] = made_from(seed)
        if seed.logs is not None:
            body["spec"]["template"]["metadata"]["annotations"] = {LOGS: seed.logs}
        await self._client.call(
            "POST", WORKLOADS[seed.kind].path(seed.namespace), query=[("fieldManager", manager)], body=body
        )
        for image in images[1:]:
            await self._settle()
            await self._patch(seed, {"spec": _image(body, image)}, manager)
        if seed.paused:
            await self._settle()
            await self._patch(seed, {"spec": {"paused": True}}, manager)

    async def _change(self, seed: WorkloadSeed, live: Raw, manager: str) -> bool:
        """Only what the entry says, and nothing where that is so; whether anything was sent."""
        for image in seed.revisions:
            await self._patch(seed, {"spec": _image(live, image)}, manager)
            await self._settle()
        last = seed.image or (_containers(live)[0]["image"] if seed.revisions else "")
        spec: dict[str, Any] = _image(live, last) if last else {}
        if seed.replicas is not None and seed.kind != "DaemonSet":
            spec["replicas"] = seed.replicas
        if seed.paused is not None:
            spec["paused"] = seed.paused or None
        body = {"metadata": {"labels": dict(seed.labels), "annotations": dict(seed.annotations)}, "spec": spec}
        if not seed.revisions and _is_so(live, body):
            return False
        await self._patch(seed, body, manager)
        return True

    async def _patch(self, seed: WorkloadSeed, body: Raw, manager: str) -> None:
        await self._client.call("PATCH", _path(seed), query=[("fieldManager", manager)], body=body, content=MERGE)

    async def _attach(self, seed: WorkloadSeed, manager: str) -> None:
        """The autoscaler and the disruption budget, which are called like their workload."""
        if seed.hpa is not None:
            usage = {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}}
            spec: dict[str, Any] = {
                "minReplicas": seed.hpa[0],
                "maxReplicas": seed.hpa[1],
                "scaleTargetRef": {"apiVersion": "apps/v1", "kind": seed.kind, "name": seed.name},
                "metrics": [{"type": "Resource", "resource": usage}],
            }
            await self._put(seed, HPAS, spec, manager)
        if seed.pdb is not None:
            other = {"minAvailable": None, "maxUnavailable": None}
            spec = {**other, **seed.pdb, "selector": {"matchLabels": {"app": seed.name}}}
            await self._put(seed, PDBS, spec, manager)
        for key, resource in (("hpa", HPAS), ("pdb", PDBS)):
            if key in seed.removed:
                with suppress(NotFound):
                    await remove(self._client, resource.path(seed.namespace, seed.name))

    async def _put(self, seed: WorkloadSeed, resource: Resource, spec: Raw, manager: str) -> None:
        body = {"metadata": {"name": seed.name}, "spec": spec}
        await self._manifests.merge(resource.path(seed.namespace), body, manager=manager, label={MADE: made_from(seed)})

    async def _stage(self, seed: WorkloadSeed) -> bool:
        if seed.logs is not None:
            await self._staging.print(seed)
        if seed.leftovers:
            await self._staging.leave(seed)
            await self._settle()
        return await self._staging.stage(seed) if seed.pods is not None else False


async def placed(place: str, step: Awaitable[Any]) -> Any:
    """What comes of a step; a refusal is told with its place in the file."""
    try:
        return await step
    except (Refused, Conflict, NotFound) as problem:
        raise ValueError(f"{place}: the cluster refuses it: {problem.message}") from problem
    except ValueError as problem:
        where = str(problem)
        raise ValueError(where if where.startswith("cluster") else f"{place}: {where}") from problem


def _path(seed: WorkloadSeed) -> str:
    return WORKLOADS[seed.kind].path(seed.namespace, seed.name)


def _is_so(live: Any, merged: Any) -> bool:
    """Whether a merge patch would change nothing."""
    if not isinstance(merged, dict):
        return bool(live == merged)
    return all(_is_so(at(live, key), value) for key, value in merged.items())


def _containers(workload: Raw) -> list[Raw]:
    return items(workload, "spec", "template", "spec", "containers")


def _image(workload: Raw, image: str) -> dict[str, Any]:
    """The part of a spec that gives the first container another image; a merge replaces lists as a whole."""
    first, *others = _containers(workload)
    return {"template": {"spec": {"containers": [{**first, "image": image}, *others]}}}
