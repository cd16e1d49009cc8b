"""PodDisruptionBudgets: how many of their pods may be evicted at present."""

from __future__ import annotations

from chatops_bot.adapters.sandbox.conditions import set_condition
from chatops_bot.adapters.sandbox.controllers.context import Context, is_ready, resolve_share
from chatops_bot.adapters.sandbox.objects import Json, controller_of, is_deleting, labels_of, name_of, namespace_of
from chatops_bot.adapters.sandbox.resources import DEPLOYMENTS, PDBS, PODS, REPLICASETS, STATEFULSETS
from chatops_bot.adapters.sandbox.selectors import selects
from chatops_bot.adapters.sandbox.timeline import parse

# An eviction that was granted and then not carried out counts against the budget for so long.
_GRANTED_FOR = 120.0


class DisruptionBudgets:
    def __init__(self, context: Context) -> None:
        self._context = context

    def run(self) -> None:
        for pdb in self._context.store.all(PDBS):
            if not is_deleting(pdb):
                self._sync(pdb)

    def _sync(self, pdb: Json) -> None:
        pods = [pod for pod in self._context.store.all(PODS, namespace_of(pdb)) if _covers(pdb, pod)]
        expected, desired = self._needs(pdb, pods)
        disrupted = self._disrupted(pdb, pods)
        healthy = sum(is_ready(pod) and name_of(pod) not in disrupted for pod in pods)
        allowed = max(0, healthy - desired) if expected else 0
        words = ("True", "SufficientPods") if allowed else ("False", "InsufficientPods")
        status: Json = {
            "disruptionsAllowed": allowed,
            "currentHealthy": healthy,
            "desiredHealthy": desired,
            "expectedPods": expected,
            "observedGeneration": pdb["metadata"]["generation"],
            "conditions": set_condition(
                list(pdb.get("status", {}).get("conditions") or []),
                "DisruptionAllowed",
                words[0],
                stamp=self._context.timeline.stamp(),
                reason=words[1],
                observedGeneration=pdb["metadata"]["generation"],
            ),
        }
        if disrupted:
            status["disruptedPods"] = disrupted
        self._context.set_status(PDBS, pdb, status)

    def _disrupted(self, pdb: Json, pods: list[Json]) -> dict[str, str]:
        """Pods whose eviction was granted and has not begun, by the time it was granted."""
        waiting = {name_of(pod) for pod in pods if not is_deleting(pod)}
        kept = {}
        for name, at in (pdb.get("status", {}).get("disruptedPods") or {}).items():
            due = parse(at) + _GRANTED_FOR
            if name in waiting and self._context.timeline.now() < due:
                kept[name] = at
                self._context.wake_at(due)
        return kept

    def _needs(self, pdb: Json, pods: list[Json]) -> tuple[int, int]:
        """How many pods there should be, and how many of them must stay healthy."""
        spec = pdb["spec"]
        if "maxUnavailable" in spec:
            expected = self._wanted(pods)
            return expected, max(0, expected - resolve_share(spec["maxUnavailable"], expected, up=True))
        least = spec.get("minAvailable", 0)
        if isinstance(least, str) and least.endswith("%"):
            expected = self._wanted(pods)
            return expected, resolve_share(least, expected, up=True)
        return len(pods), resolve_share(least, len(pods), up=True)

    def _wanted(self, pods: list[Json]) -> int:
        """The sizes of the workloads that own the pods; a pod without one counts for itself."""
        sizes: dict[str, int] = {}
        for pod in pods:
            owner = controller_of(pod)
            key, size = (owner["uid"], self._size(pod, owner)) if owner else (name_of(pod), 1)
            sizes[key] = size
        return sum(sizes.values())

    def _size(self, pod: Json, owner: Json) -> int:
        resource = {"ReplicaSet": REPLICASETS, "StatefulSet": STATEFULSETS}.get(owner["kind"])
        found = resource and self._context.store.get(resource, namespace_of(pod), owner["name"])
        if not found:
            return 1
        above = controller_of(found)
        if above is not None and above["kind"] == "Deployment":
            found = self._context.store.get(DEPLOYMENTS, namespace_of(pod), above["name"]) or found
        return int(found["spec"].get("replicas", 1))


def _covers(pdb: Json, pod: Json) -> bool:
    selector = pdb["spec"].get("selector")
    counted = pod.get("status", {}).get("phase") not in {"Succeeded", "Failed"}
    return counted and bool(selector) and selects(selector, labels_of(pod))
