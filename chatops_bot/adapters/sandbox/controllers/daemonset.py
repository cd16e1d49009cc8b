"""DaemonSets: one pod on every node."""

from __future__ import annotations

from chatops_bot.adapters.sandbox.controllers.context import (
    MANAGER,
    Context,
    is_active,
    is_ready,
    pod_from,
    resolve_share,
)
from chatops_bot.adapters.sandbox.controllers.history import HASH_LABEL, forget_old, present_revision
from chatops_bot.adapters.sandbox.objects import (
    Json,
    is_deleting,
    labels_of,
    name_of,
    owner_reference,
    short_hash,
    uid_of,
    without_zeros,
)
from chatops_bot.adapters.sandbox.resources import DAEMONSETS, NODES, PODS

_COMPONENT = "daemonset-controller"


class DaemonSets:
    def __init__(self, context: Context) -> None:
        self._context = context
        self._made: dict[str, int] = {}

    def run(self) -> None:
        for daemon_set in self._context.store.all(DAEMONSETS):
            if not is_deleting(daemon_set):
                self._sync(daemon_set)

    def _sync(self, daemon_set: Json) -> None:
        revision = present_revision(self._context, daemon_set)
        digest = labels_of(revision)[HASH_LABEL]
        nodes = self._nodes(daemon_set)
        pods = self._context.pods_of(daemon_set)
        self._place(daemon_set, nodes, pods, digest)
        if daemon_set["spec"]["updateStrategy"]["type"] == "RollingUpdate":
            self._replace_old(daemon_set, len(nodes), pods, digest)
        self._report(daemon_set, len(nodes), digest)
        forget_old(self._context, daemon_set, {name_of(revision)})

    def _nodes(self, daemon_set: Json) -> list[str]:
        """Daemons tolerate cordons and lost nodes; only a node selector keeps them away."""
        wanted = daemon_set["spec"]["template"]["spec"].get("nodeSelector") or {}
        nodes = self._context.store.all(NODES)
        return [name_of(node) for node in nodes if wanted.items() <= labels_of(node).items()]

    def _place(self, daemon_set: Json, nodes: list[str], pods: list[Json], digest: str) -> None:
        taken = {pod["spec"].get("nodeName") for pod in pods}
        for node in nodes:
            if node not in taken:
                self._create(daemon_set, node, digest)
        for pod in pods:
            if pod["spec"].get("nodeName") not in nodes and not is_deleting(pod):
                self._delete(daemon_set, pod)

    def _create(self, daemon_set: Json, node: str, digest: str) -> None:
        number = self._made[uid_of(daemon_set)] = self._made.get(uid_of(daemon_set), 0) + 1
        name = f"{name_of(daemon_set)}-{short_hash([uid_of(daemon_set), number], 5)}"
        template = daemon_set["spec"]["template"]
        pod = pod_from(template, daemon_set, name, {HASH_LABEL: digest}, owner_reference(daemon_set))
        pod["metadata"]["generateName"] = f"{name_of(daemon_set)}-"
        pod["spec"]["nodeName"] = node
        self._context.registry.create(PODS, pod, manager=MANAGER)
        self._context.events.record(daemon_set, "SuccessfulCreate", f"Created pod: {name}", component=_COMPONENT)

    def _delete(self, daemon_set: Json, pod: Json) -> None:
        self._context.delete_pod(pod)
        text = f"Deleted pod: {name_of(pod)}"
        self._context.events.record(daemon_set, "SuccessfulDelete", text, component=_COMPONENT)

    def _replace_old(self, daemon_set: Json, nodes: int, pods: list[Json], digest: str) -> None:
        rolling = daemon_set["spec"]["updateStrategy"]["rollingUpdate"]
        allowed = max(1, resolve_share(rolling["maxUnavailable"], nodes, up=True))
        missing = nodes - sum(is_ready(pod) for pod in pods)
        for pod in pods:
            if labels_of(pod).get(HASH_LABEL) == digest or is_deleting(pod):
                continue
            if is_ready(pod):
                if missing >= allowed:
                    continue
                missing += 1
            self._delete(daemon_set, pod)

    def _report(self, daemon_set: Json, nodes: int, digest: str) -> None:
        pods = [pod for pod in self._context.pods_of(daemon_set) if is_active(pod)]
        ready = sum(is_ready(pod) for pod in pods)
        updated = sum(labels_of(pod).get(HASH_LABEL) == digest for pod in pods)
        numbers = {"updatedNumberScheduled": updated, "numberAvailable": ready, "numberUnavailable": nodes - ready}
        status = {
            "currentNumberScheduled": len(pods),
            "desiredNumberScheduled": nodes,
            "numberMisscheduled": 0,
            "numberReady": ready,
            **without_zeros(numbers),
            "observedGeneration": daemon_set["metadata"]["generation"],
        }
        self._context.set_status(DAEMONSETS, daemon_set, status)
