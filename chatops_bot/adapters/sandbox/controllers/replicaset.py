"""ReplicaSets: the right number of pods of one template."""

from __future__ import annotations

from chatops_bot.adapters.sandbox.controllers.context import MANAGER, Context, is_active, is_ready, pod_from
from chatops_bot.adapters.sandbox.objects import (
    Json,
    clone,
    controlled_by,
    controller_of,
    is_deleting,
    labels_of,
    name_of,
    namespace_of,
    owner_reference,
    short_hash,
    uid_of,
)
from chatops_bot.adapters.sandbox.resources import PODS, REPLICASETS
from chatops_bot.adapters.sandbox.selectors import selects

_COMPONENT = "replicaset-controller"


class ReplicaSets:
    def __init__(self, context: Context) -> None:
        self._context = context
        self._made: dict[str, int] = {}

    def run(self) -> None:
        for replica_set in self._context.store.all(REPLICASETS):
            if not is_deleting(replica_set):
                self._sync(replica_set)

    def _sync(self, replica_set: Json) -> None:
        self._claim(replica_set)
        pods = [pod for pod in self._context.pods_of(replica_set) if is_active(pod)]
        wanted = replica_set["spec"].get("replicas", 1)
        for _ in range(wanted - len(pods)):
            self._create_pod(replica_set)
        surplus = len(pods) - wanted
        if surplus > 0:
            for pod in sorted(pods, key=_first_to_go)[:surplus]:
                self._context.delete_pod(pod)
                self._tell(replica_set, "SuccessfulDelete", f"Deleted pod: {name_of(pod)}")
        self._report(replica_set)

    def _claim(self, replica_set: Json) -> None:
        """Take pods that fit and belong to nobody for one's own, and let go of those that no longer fit."""
        for pod in self._context.store.all(PODS, namespace_of(replica_set)):
            fits = selects(replica_set["spec"]["selector"], labels_of(pod))
            own = controlled_by(pod, replica_set)
            if is_deleting(pod) or own == fits or (fits and (controller_of(pod) or not is_active(pod))):
                continue
            changed = clone(pod)
            references = changed["metadata"].get("ownerReferences") or []
            others = [item for item in references if item["uid"] != uid_of(replica_set)]
            changed["metadata"]["ownerReferences"] = others + ([owner_reference(replica_set)] if fits else [])
            self._context.registry.update(PODS, changed, manager=MANAGER)

    def _create_pod(self, replica_set: Json) -> None:
        number = self._made[uid_of(replica_set)] = self._made.get(uid_of(replica_set), 0) + 1
        name = f"{name_of(replica_set)}-{short_hash([uid_of(replica_set), number], 5)}"
        template = replica_set["spec"]["template"]
        pod = pod_from(template, replica_set, name, {}, owner_reference(replica_set))
        pod["metadata"]["generateName"] = f"{name_of(replica_set)}-"
        self._context.registry.create(PODS, pod, manager=MANAGER)
        self._tell(replica_set, "SuccessfulCreate", f"Created pod: {name}")

    def _tell(self, replica_set: Json, reason: str, message: str) -> None:
        self._context.events.record(replica_set, reason, message, component=_COMPONENT)

    def _report(self, replica_set: Json) -> None:
        owned = self._context.pods_of(replica_set)
        pods = [pod for pod in owned if is_active(pod)]
        template_labels = replica_set["spec"]["template"]["metadata"].get("labels") or {}
        ready = sum(is_ready(pod) for pod in pods)
        status: Json = {
            "replicas": len(pods),
            "fullyLabeledReplicas": sum(template_labels.items() <= labels_of(pod).items() for pod in pods),
            "readyReplicas": ready,
            "availableReplicas": ready,
            "terminatingReplicas": sum(is_deleting(pod) for pod in owned),
            "observedGeneration": replica_set["metadata"]["generation"],
        }
        # The API server leaves zeros out, but for the numbers that its type requires.
        status = {key: number for key, number in status.items() if number or key in {"replicas", "terminatingReplicas"}}
        if conditions := replica_set.get("status", {}).get("conditions"):
            status["conditions"] = conditions
        self._context.set_status(REPLICASETS, replica_set, status)


def _first_to_go(pod: Json) -> tuple[bool, bool, bool, int, int, str]:
    """Real ReplicaSets first give up pods without a node, then those that serve nobody, then the youngest."""
    status = pod.get("status", {})
    restarts = sum(container.get("restartCount", 0) for container in status.get("containerStatuses") or [])
    age = int(pod["metadata"]["creationTimestamp"].translate(_DIGITS))
    return (
        bool(pod["spec"].get("nodeName")),
        status.get("phase") == "Running",
        is_ready(pod),
        -restarts,
        -age,
        name_of(pod),
    )


_DIGITS = str.maketrans("", "", "-:TZ")
