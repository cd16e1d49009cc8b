"""Nodes that this program says it is: registered, kept alive by leases, lost on request."""

from __future__ import annotations

import asyncio
import json
import logging

from tests.cluster.kubelet.client import Client, Json
from tests.cluster.kubelet.clock import micro, now, stamp
from tests.cluster.kubelet.status import HOST_IP

LOST = "kubelet.test/lost"
"""On nodes: "true" while the node is to be lost: no lease renewed, no pod reported, no log given."""

CONDITIONS = "kubelet.test/conditions"
"""On nodes: a JSON object of conditions to report, as {"MemoryPressure": "True"}."""

RENEW_S = 3.0

_LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases"

_HEALTHY = {
    "MemoryPressure": ("False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
    "DiskPressure": ("False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
    "PIDPressure": ("False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
    "Ready": ("True", "KubeletReady", "kubelet is posting ready status"),
}
_TROUBLED = {
    "MemoryPressure": ("KubeletHasInsufficientMemory", "kubelet has insufficient memory available"),
    "DiskPressure": ("KubeletHasDiskPressure", "kubelet has disk pressure"),
    "PIDPressure": ("KubeletHasInsufficientPID", "kubelet has insufficient PID available"),
    "Ready": ("KubeletNotReady", "container runtime is down"),
}
_CAPACITY = {"cpu": "8", "memory": "32Gi", "pods": "110", "ephemeral-storage": "100Gi"}

_log = logging.getLogger("kubelet")


class Node:
    """`reachable` is set while the node is not lost."""

    def __init__(self, client: Client, name: str, *, zone: str, port: int) -> None:
        self.name = name
        self.reachable = asyncio.Event()
        self._client = client
        self._zone = zone
        self._port = port
        self._obj: Json = {}
        self._stale = asyncio.Event()

    def update(self, obj: Json) -> bool:
        """Take the newest state. True when the node has just come back, so that its pods are reported anew."""
        self._obj = obj
        lost = (obj["metadata"].get("annotations") or {}).get(LOST) == "true"
        came_back = not lost and not self.reachable.is_set()
        if lost:
            self.reachable.clear()
        else:
            self.reachable.set()
        self._stale.set()
        return came_back

    def removed(self) -> None:
        self._obj = {}

    async def register(self) -> None:
        labels = {
            "kubernetes.io/hostname": self.name,
            "kubernetes.io/os": "linux",
            "kubernetes.io/arch": "amd64",
            "topology.kubernetes.io/zone": self._zone,
        }
        body = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": self.name, "labels": labels}}
        status, answer = await self._client.persist("POST", "/api/v1/nodes", body)
        if status not in {201, 409}:
            _log.error("node %s: %s %s", self.name, status, answer.get("message"))
        await self._report()

    async def run(self) -> None:
        await asyncio.gather(self._keep_alive(), self._keep_reported())

    async def _keep_alive(self) -> None:
        while True:
            if self._obj and self.reachable.is_set():
                await self._renew()
            await asyncio.sleep(RENEW_S)

    async def _renew(self) -> None:
        spec = {"holderIdentity": self.name, "leaseDurationSeconds": 40, "renewTime": micro(now())}
        status, _ = await self._client.persist(
            "PATCH", f"{_LEASES}/{self.name}", {"spec": spec}, kind="application/merge-patch+json"
        )
        if status == 404:
            owner = {"apiVersion": "v1", "kind": "Node", "name": self.name, "uid": self._obj["metadata"]["uid"]}
            metadata = {"name": self.name, "namespace": "kube-node-lease", "ownerReferences": [owner]}
            await self._client.persist("POST", _LEASES, {"metadata": metadata, "spec": spec})

    async def _keep_reported(self) -> None:
        """The node controller says Unknown of a node that was away; only its kubelet can say otherwise."""
        while True:
            await self._stale.wait()
            self._stale.clear()
            if self._obj and self.reachable.is_set() and self._says() != self._wants():
                await self._report()

    async def _report(self) -> None:
        at, says = stamp(now()), self._says()
        conditions = []
        for kind, (status, reason, message) in self._wants().items():
            moved = {} if says.get(kind, ("",))[0] == status else {"lastTransitionTime": at}
            conditions.append(
                {"type": kind, "status": status, "reason": reason, "message": message, "lastHeartbeatTime": at, **moved}
            )
        body: Json = {
            "status": {
                "capacity": _CAPACITY,
                "allocatable": _CAPACITY,
                "conditions": conditions,
                "addresses": [{"type": "InternalIP", "address": HOST_IP}, {"type": "Hostname", "address": self.name}],
                "daemonEndpoints": {"kubeletEndpoint": {"Port": self._port}},
                "nodeInfo": {
                    "kubeletVersion": "v1.36.3",
                    "containerRuntimeVersion": "containerd://2.1.0",
                    "osImage": "a test",
                    "operatingSystem": "linux",
                    "architecture": "amd64",
                },
            }
        }
        code, answer = await self._client.persist(
            "PATCH",
            f"/api/v1/nodes/{self.name}/status",
            body,
            kind="application/strategic-merge-patch+json",
        )
        if code not in {200, 404}:
            _log.error("status of node %s: %s %s", self.name, code, answer.get("message"))

    def _says(self) -> dict[str, tuple[str, str, str]]:
        found = self._obj.get("status", {}).get("conditions") or []
        return {
            item["type"]: (item["status"], item.get("reason", ""), item.get("message", ""))
            for item in found
            if item["type"] in self._wants()
        }

    def _wants(self) -> dict[str, tuple[str, str, str]]:
        annotations = self._obj.get("metadata", {}).get("annotations") or {}
        wanted = dict(_HEALTHY)
        try:
            staged = json.loads(annotations.get(CONDITIONS, "{}")).items()
        except (ValueError, AttributeError):
            _log.error("%s of %s is not a JSON object", CONDITIONS, self.name)
            return wanted
        for kind, status in staged:
            if status != wanted.get(kind, ("",))[0]:
                wanted[kind] = (status, *_TROUBLED.get(kind, ("Staged", "staged by an annotation")))
        return wanted
