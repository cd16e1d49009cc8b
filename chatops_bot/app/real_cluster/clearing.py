"""What an earlier replay has left on a real cluster: removed, or kept where nobody has touched it since."""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
from collections.abc import Callable, Iterable
from typing import Final

from chatops_bot.adapters.kubernetes.client import Client
from chatops_bot.adapters.sandbox.seeding.format import WorkloadSeed
from chatops_bot.app.real_cluster.manifests import CREATOR, HPAS, PDBS, POLL_S, WORKLOADS, Resource, listed
from chatops_bot.app.real_cluster.workloads import complete
from chatops_bot.domain.objects import items, label, name_of, text
from chatops_bot.domain.observed import Raw
from chatops_bot.ports.clock import Clock

MADE: Final = "chatops-bot.io/replay"
"""Label of what a replay has made, and a later one may remove: from which entry of a file, as a digest."""

CLEAR_S: Final = 60.0
"""For pods to end, before what an earlier replay has made is gone."""


class Clearing:
    """Only touches what carries the label."""

    def __init__(self, client: Client, *, tell: Callable[[str], None], clock: Clock) -> None:
        self._client = client
        self._tell = tell
        self._clock = clock

    async def clear(self, namespaces: Iterable[str], wanted: Iterable[WorkloadSeed]) -> None:
        """Remove what was made in these namespaces but for what is wanted just as it is. Raises ValueError for what
        does not go, and the exceptions of ports.cluster."""
        kept = {WORKLOADS[seed.kind].path(seed.namespace, seed.name): seed for seed in wanted}
        places = [(resource, namespace) for namespace in namespaces for resource in (*WORKLOADS.values(), HPAS, PDBS)]
        await asyncio.gather(*(self._clear(resource, namespace, kept) for resource, namespace in places))

    async def _clear(self, resource: Resource, namespace: str, kept: dict[str, WorkloadSeed]) -> None:
        """Pods of a Deployment may end in peace beside those of the next one; a StatefulSet's give it their names."""
        found = await self._made(resource, namespace)
        paths = {resource.path(namespace, name_of(row)): row for row in found}
        doomed = {path: row for path, row in paths.items() if path not in kept or not untouched(row, kept[path])}
        for path, row in doomed.items():
            await remove(self._client, path, wholly=resource.plural == "statefulsets")
            self._tell(f"removed {resource.plural}/{name_of(row)} in {namespace}, which an earlier replay had made")
        ends = self._clock.monotonic() + CLEAR_S
        gone = {text(row, "metadata", "uid") for row in doomed.values()}
        while gone & {text(row, "metadata", "uid") for row in (await self._made(resource, namespace) if gone else ())}:
            if self._clock.monotonic() > ends:
                raise ValueError(f"{', '.join(doomed)}: made by an earlier replay, and not gone in {CLEAR_S:g} s")
            await self._clock.sleep(POLL_S)

    async def _made(self, resource: Resource, namespace: str) -> list[Raw]:
        return await listed(self._client, resource.path(namespace), query=[("labelSelector", MADE)])


async def remove(client: Client, path: str, *, wholly: bool = False) -> None:
    """Delete an object with what belongs to it; `wholly` means that it stays until nothing of that is left."""
    body = {"apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": "Foreground" if wholly else "Background"}
    await client.call("DELETE", path, body=body)


def made_from(seed: WorkloadSeed) -> str:
    """Value of the label: the same for equal entries."""
    return hashlib.sha256(repr(dataclasses.replace(seed, path="")).encode()).hexdigest()[:16]


def untouched(workload: Raw, seed: WorkloadSeed) -> bool:
    """Whether it was made from an equal entry that makes nothing beside it, runs, and nobody has written to it since
    but its controllers to its status."""
    plain = (seed.pods, seed.hpa, seed.pdb, seed.paused, seed.logs) == (None,) * 5 and not seed.revisions
    writers = [
        text(entry, "manager")
        for entry in items(workload, "metadata", "managedFields")
        if text(entry, "subresource") != "status"
    ]
    return (
        plain
        and label(workload, MADE) == made_from(seed)
        and writers == [CREATOR]
        and complete(workload, seed.kind)
        and not text(workload, "metadata", "deletionTimestamp")
    )
