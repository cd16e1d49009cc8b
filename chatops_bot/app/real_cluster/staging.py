"""Troubles and logs of a real cluster's pods, as annotations.

The kubelet of the project's tests understands them and shows such pods; a real cluster ignores them, and its pods are
as well as they are.
"""

from __future__ import annotations

from typing import Final

from chatops_bot.adapters.kubernetes.client import Client
from chatops_bot.adapters.kubernetes.paths import RESOURCES, resource_path
from chatops_bot.adapters.sandbox.seeding.format import WorkloadSeed
from chatops_bot.domain.objects import annotation, at, controller_of, items, name_of, text, uid_of
from chatops_bot.domain.observed import Raw

STAGE: Final = "kubelet.test/stage"
"""On a pod: the state that it shows from now on."""
LOGS: Final = "kubelet.test/logs"
"""On a pod, by its template or alone: what its container prints."""

_MERGE: Final = "application/merge-patch+json"


class Staging:
    """Annotates pods that are there. Those that replace them have no trouble, as in the sandbox."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def leave(self, seed: WorkloadSeed) -> None:
        """Evicted and terminating pods of a Deployment, which makes others in their place."""
        for pod, state in zip(await self._active(seed), seed.leftovers, strict=False):
            await self._annotate(pod, STAGE, state)
            if state == "Terminating":
                await self._client.call("DELETE", _path(pod))

    async def stage(self, seed: WorkloadSeed) -> bool:
        """Give the pods their states, in the order of their names; those not listed run. Whether any state is new.
        Raises ValueError for too many."""
        pods = await self._active(seed)
        if len(seed.counted) > len(pods):
            raise ValueError(f"{seed.path}.pods: {len(seed.counted)} pods are listed, and there are {len(pods)}")
        states = [*seed.counted, *["Running"] * (len(pods) - len(seed.counted))]
        changed = [(pod, state) for pod, state in zip(pods, states, strict=True) if state != _stage(pod)]
        for pod, state in changed:
            await self._annotate(pod, STAGE, state)
        return bool(changed)

    async def print(self, seed: WorkloadSeed) -> None:
        """Let the pods print the given text instead of what they printed before."""
        for pod in await self._active(seed):
            if seed.logs is not None and annotation(pod, LOGS) != seed.logs:
                await self._annotate(pod, LOGS, seed.logs)

    async def _active(self, seed: WorkloadSeed) -> list[Raw]:
        group, version, plural = RESOURCES[seed.kind]  # type: ignore[index]
        path = resource_path(group, version, plural, namespace=seed.namespace, name=seed.name)
        owners = {uid_of(await self._client.call("GET", path))}
        if seed.kind == "Deployment":
            sets = await self._listed(resource_path("apps", "v1", "replicasets", namespace=seed.namespace))
            owners = {uid_of(row) for row in sets if text(controller_of(row), "uid") in owners}
        pods = await self._listed(resource_path("", "v1", "pods", namespace=seed.namespace))
        return sorted((pod for pod in pods if text(controller_of(pod), "uid") in owners and _active(pod)), key=name_of)

    async def _listed(self, path: str) -> list[Raw]:
        return items(await self._client.call("GET", path), "items")

    async def _annotate(self, pod: Raw, key: str, value: str) -> None:
        body = {"metadata": {"annotations": {key: value}}}
        await self._client.call("PATCH", _path(pod), body=body, content=_MERGE)


def staged(pod: Raw) -> bool:
    """Whether a pod shows what it was told to, and is not on the way to anything else."""
    return bool(annotation(pod, STAGE))


def _stage(pod: Raw) -> str:
    return annotation(pod, STAGE) or "Running"


def _path(pod: Raw) -> str:
    return resource_path("", "v1", "pods", namespace=text(pod, "metadata", "namespace"), name=name_of(pod))


def _active(pod: Raw) -> bool:
    return not at(pod, "metadata", "deletionTimestamp") and text(pod, "status", "phase") not in ("Succeeded", "Failed")
