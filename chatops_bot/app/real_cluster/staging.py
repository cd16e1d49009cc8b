"""Troubles and logs of a real cluster's pods, as annotations.

The kubelet of the project's tests understands them and shows such pods; a real cluster ignores them, and its pods are
as well as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from chatops_bot.adapters.kubernetes.client import Client
from chatops_bot.adapters.kubernetes.paths import resource_path
from chatops_bot.adapters.sandbox.seeding.format import WorkloadSeed
from chatops_bot.app.real_cluster.manifests import FORBIDDEN, MERGE, WORKLOADS, listed
from chatops_bot.domain.objects import annotation, at, controller_of, name_of, replicas_of, text, uid_of
from chatops_bot.domain.observed import Raw
from chatops_bot.ports.cluster import Refused

STAGE: Final = "kubelet.test/stage"
"""On a pod: the state that it shows from now on."""
LOGS: Final = "kubelet.test/logs"
"""On a pod, by its template or alone: what its container prints."""


class Staging:
    """Annotates pods that are there. Those that replace them have no trouble, as in the sandbox. Who may not annotate
    pods is told so, and they stay as they are."""

    def __init__(self, client: Client, *, tell: Callable[[str], None]) -> None:
        self._client = client
        self._tell = tell

    async def leave(self, seed: WorkloadSeed) -> None:
        """Evicted and terminating pods of a Deployment, which makes others in their place."""
        _, pods = await self._found(seed)
        for pod, state in zip(pods, seed.leftovers, strict=False):
            if await self._annotate(pod, STAGE, state) and state == "Terminating":
                await self._client.call("DELETE", _path(pod))

    async def stage(self, seed: WorkloadSeed) -> bool:
        """Give the pods their states, in the order of their names; those not listed run. Whether any state is new.
        Raises ValueError for more than the workload has."""
        live, pods = await self._found(seed)
        most = len(pods) if seed.kind == "DaemonSet" else replicas_of(live)
        if pods and len(seed.counted) > most:
            raise ValueError(f"{seed.path}.pods: {len(seed.counted)} pods are listed, and there are {most}")
        states = [*seed.counted, *["Running"] * (len(pods) - len(seed.counted))]
        changed = [(pod, state) for pod, state in zip(pods, states, strict=False) if state != _stage(pod)]
        return any([await self._annotate(pod, STAGE, state) for pod, state in changed])

    async def print(self, seed: WorkloadSeed) -> None:
        """Let the pods print the given text instead of what they printed before."""
        _, pods = await self._found(seed)
        for pod in pods:
            if seed.logs is not None and annotation(pod, LOGS) != seed.logs:
                await self._annotate(pod, LOGS, seed.logs)

    async def _found(self, seed: WorkloadSeed) -> tuple[Raw, list[Raw]]:
        """The workload, and its pods that have not ended, in the order of their names."""
        live = await self._client.call("GET", WORKLOADS[seed.kind].path(seed.namespace, seed.name))
        owners = {uid_of(live)}
        if seed.kind == "Deployment":
            sets = await listed(self._client, resource_path("apps", "v1", "replicasets", namespace=seed.namespace))
            owners = {uid_of(row) for row in sets if text(controller_of(row), "uid") in owners}
        pods = await listed(self._client, resource_path("", "v1", "pods", namespace=seed.namespace))
        own = [pod for pod in pods if text(controller_of(pod), "uid") in owners and _active(pod)]
        return live, sorted(own, key=name_of)

    async def _annotate(self, pod: Raw, key: str, value: str) -> bool:
        body = {"metadata": {"annotations": {key: value}}}
        try:
            await self._client.call("PATCH", _path(pod), body=body, content=MERGE)
        except Refused as problem:
            if problem.status != FORBIDDEN:
                raise
            self._tell(f"left pod/{name_of(pod)} as it is: {problem.message}")
            return False
        return True


def staged(pod: Raw) -> bool:
    """Whether a pod shows what it was told to, and is not on the way to anything else."""
    return bool(annotation(pod, STAGE))


def _stage(pod: Raw) -> str:
    return annotation(pod, STAGE) or "Running"


def _path(pod: Raw) -> str:
    return resource_path("", "v1", "pods", namespace=text(pod, "metadata", "namespace"), name=name_of(pod))


def _active(pod: Raw) -> bool:
    return not at(pod, "metadata", "deletionTimestamp") and text(pod, "status", "phase") not in ("Succeeded", "Failed")
