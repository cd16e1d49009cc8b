"""Nodes: what a lost one means for its pods."""

from __future__ import annotations

from chatops_bot.adapters.sandbox.conditions import condition
from chatops_bot.adapters.sandbox.controllers.context import MANAGER, Context
from chatops_bot.adapters.sandbox.objects import Json, clone, controller_of, is_deleting, name_of
from chatops_bot.adapters.sandbox.resources import NODES, PODS
from chatops_bot.adapters.sandbox.timeline import parse

# Pods tolerate a lost node for so long, by the tolerations that the API server gives every pod.
_TOLERATED = 300.0
_HEARTBEAT = 300.0
_CORDONED = "node.kubernetes.io/unschedulable"


class NodeLifecycle:
    def __init__(self, context: Context) -> None:
        self._context = context

    def run(self) -> None:
        for listed in self._context.store.all(NODES):
            node = self._tainted(listed)
            ready = condition(node, "Ready")
            if ready is None:
                continue
            if ready["status"] == "True":
                self._beat(node, ready)
            else:
                self._evict(node, parse(ready["lastTransitionTime"]) + _TOLERATED)

    def _tainted(self, node: Json) -> Json:
        """The node as it is then: a cordoned one bears a taint as well, for as long as it is cordoned."""
        taints = node["spec"].get("taints") or []
        others = [taint for taint in taints if taint["key"] != _CORDONED]
        cordoned = bool(node["spec"].get("unschedulable"))
        if cordoned == (len(others) < len(taints)):
            return node
        own = [{"key": _CORDONED, "effect": "NoSchedule", "timeAdded": self._context.timeline.stamp()}]
        changed = clone(node)
        changed["spec"].pop("taints", None)
        if left := others + (own if cordoned else []):
            changed["spec"]["taints"] = left
        return self._context.registry.update(NODES, changed, manager=MANAGER)

    def _beat(self, node: Json, ready: Json) -> None:
        """Kubelets report every five minutes when nothing changes. Nobody waits for it, so no time is set for it."""
        heard = ready.get("lastHeartbeatTime")
        if heard and self._context.timeline.now() - parse(heard) >= _HEARTBEAT:
            stamp = self._context.timeline.stamp()
            conditions = [{**item, "lastHeartbeatTime": stamp} for item in node["status"]["conditions"]]
            self._context.set_status(NODES, node, {**node["status"], "conditions": conditions}, manager="kubelet")

    def _evict(self, node: Json, due: float) -> None:
        """Delete the node's pods once they have been lost for too long; its dead kubelet never confirms it."""
        if self._context.timeline.now() < due:
            self._context.wake_at(due)
            return
        for pod in self._context.store.all(PODS):
            on_it = pod["spec"].get("nodeName") == name_of(node) and not is_deleting(pod)
            if on_it and (controller_of(pod) or {}).get("kind") != "DaemonSet":
                text = f"Marking for deletion Pod {pod['metadata']['namespace']}/{name_of(pod)}"
                self._context.events.record(pod, "TaintManagerEviction", text, component="taint-eviction-controller")
                self._context.delete_pod(pod)


def node_manifest(name: str) -> Json:
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": name,
            "labels": {
                "kubernetes.io/hostname": name,
                "kubernetes.io/os": "linux",
                "kubernetes.io/arch": "amd64",
                "topology.kubernetes.io/zone": "zone-a",
            },
        },
        "spec": {},
    }


def node_status(name: str, *, ready: bool, stamp: str) -> Json:
    """The status that a kubelet keeps, or that remains of it when it has stopped reporting."""
    lost = ("Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status.")
    found = {
        "MemoryPressure": ("False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
        "DiskPressure": ("False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
        "PIDPressure": ("False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
        "Ready": ("True", "KubeletReady", "kubelet is posting ready status"),
    }
    conditions = []
    for kind, words in found.items():
        status, reason, message = words if ready else lost
        times = {"lastHeartbeatTime": stamp, "lastTransitionTime": stamp}
        conditions.append({"type": kind, "status": status, "reason": reason, "message": message, **times})
    capacity = {"cpu": "4", "memory": "16Gi", "pods": "110", "ephemeral-storage": "100Gi"}
    address = f"10.0.0.{sum(name.encode()) % 200 + 10}"
    return {
        "capacity": capacity,
        "allocatable": dict(capacity),
        "conditions": conditions,
        "addresses": [{"type": "InternalIP", "address": address}, {"type": "Hostname", "address": name}],
        "nodeInfo": {
            "architecture": "amd64",
            "bootID": "",
            "containerRuntimeVersion": "containerd://2.1.0",
            "kernelVersion": "6.12.0",
            "kubeProxyVersion": "",
            "kubeletVersion": "v1.36.2",
            "machineID": "",
            "operatingSystem": "linux",
            "osImage": "sandbox",
            "systemUUID": "",
        },
    }
