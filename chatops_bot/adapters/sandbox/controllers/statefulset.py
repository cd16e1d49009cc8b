"""StatefulSets: numbered pods, made, updated and removed in order."""

from __future__ import annotations

from chatops_bot.adapters.sandbox.controllers.context import MANAGER, Context, is_ready, pod_from
from chatops_bot.adapters.sandbox.controllers.history import (
    HASH_LABEL,
    forget_old,
    present_revision,
    revisions_of,
    template_of,
)
from chatops_bot.adapters.sandbox.objects import Json, is_deleting, labels_of, name_of, owner_reference, without_zeros
from chatops_bot.adapters.sandbox.resources import PODS, STATEFULSETS

_COMPONENT = "statefulset-controller"


class StatefulSets:
    def __init__(self, context: Context) -> None:
        self._context = context

    def run(self) -> None:
        for stateful_set in self._context.store.all(STATEFULSETS):
            if not is_deleting(stateful_set):
                self._sync(stateful_set)

    def _sync(self, stateful_set: Json) -> None:
        update = present_revision(self._context, stateful_set)
        current = stateful_set.get("status", {}).get("currentRevision") or name_of(update)
        self._step(stateful_set, update, current)
        self._report(self._context.reload(STATEFULSETS, stateful_set), update, current)
        forget_old(self._context, stateful_set, {name_of(update), current})

    def _step(self, stateful_set: Json, update: Json, current: str) -> None:
        """As far as the order allows: first the pods that are to be there, then those too many, then old templates.

        With OrderedReady a pod that is not ready holds up everything behind it, also a template that would mend it.
        """
        ordered = stateful_set["spec"]["podManagementPolicy"] == "OrderedReady"
        pods = {ordinal_of(pod): pod for pod in self._context.pods_of(stateful_set)}
        wanted = stateful_set["spec"]["replicas"]
        for ordinal in range(wanted):
            if not self._ensure(stateful_set, pods.get(ordinal), ordinal, update, current) and ordered:
                return
        for ordinal in sorted((number for number in pods if number >= wanted), reverse=True):
            if not is_deleting(pods[ordinal]):
                self._delete(stateful_set, pods[ordinal])
            if ordered:
                return
        if stateful_set["spec"]["updateStrategy"]["type"] == "RollingUpdate":
            self._replace_old(stateful_set, pods, name_of(update))

    def _ensure(self, stateful_set: Json, pod: Json | None, ordinal: int, update: Json, current: str) -> bool:
        """Make the pod of this number if it is missing; whether it runs and is ready."""
        if pod is None:
            self._create(stateful_set, ordinal, update, current)
            return False
        finished = pod.get("status", {}).get("phase") in {"Failed", "Succeeded"}
        # A pod staged as evicted stays to be looked at, though a real controller would replace it at once.
        if finished and not is_deleting(pod) and self._context.troubles.of(pod) is None:
            self._delete(stateful_set, pod)
        return is_ready(pod)

    def _create(self, stateful_set: Json, ordinal: int, update: Json, current: str) -> None:
        revision = update
        if ordinal < _partition(stateful_set):
            known = {name_of(item): item for item in revisions_of(self._context, stateful_set)}
            revision = known.get(current, update)
        name = f"{name_of(stateful_set)}-{ordinal}"
        labels = {
            HASH_LABEL: name_of(revision),
            "statefulset.kubernetes.io/pod-name": name,
            "apps.kubernetes.io/pod-index": str(ordinal),
        }
        pod = pod_from(template_of(revision), stateful_set, name, labels, owner_reference(stateful_set))
        pod["metadata"]["generateName"] = f"{name_of(stateful_set)}-"
        pod["spec"] |= {"hostname": name}
        if service := stateful_set["spec"]["serviceName"]:
            pod["spec"]["subdomain"] = service
        self._context.registry.create(PODS, pod, manager=MANAGER)
        text = f"create Pod {name} in StatefulSet {name_of(stateful_set)} successful"
        self._context.events.record(stateful_set, "SuccessfulCreate", text, component=_COMPONENT)

    def _delete(self, stateful_set: Json, pod: Json) -> None:
        self._context.delete_pod(pod)
        text = f"delete Pod {name_of(pod)} in StatefulSet {name_of(stateful_set)} successful"
        self._context.events.record(stateful_set, "SuccessfulDelete", text, component=_COMPONENT)

    def _replace_old(self, stateful_set: Json, pods: dict[int, Json], update: str) -> None:
        """From the highest number down, one at a time, waiting for each to be ready again."""
        for ordinal in range(stateful_set["spec"]["replicas"] - 1, _partition(stateful_set) - 1, -1):
            pod = pods.get(ordinal)
            if pod is None or is_deleting(pod):
                return
            if labels_of(pod).get(HASH_LABEL) != update:
                self._delete(stateful_set, pod)
                return
            if not is_ready(pod):
                return

    def _report(self, stateful_set: Json, update: Json, current: str) -> None:
        pods = self._context.pods_of(stateful_set)
        ready = sum(is_ready(pod) for pod in pods)
        live = [pod for pod in pods if not is_deleting(pod)]
        updated = sum(labels_of(pod).get(HASH_LABEL) == name_of(update) for pod in live)
        complete = updated == len(pods) == ready == stateful_set["spec"]["replicas"]
        if complete and not _partition(stateful_set):
            current = name_of(update)
        numbers = {
            "readyReplicas": ready,
            "currentReplicas": sum(labels_of(pod).get(HASH_LABEL) == current for pod in live),
            "updatedReplicas": updated,
        }
        status = {
            "replicas": len(pods),
            "availableReplicas": ready,
            **without_zeros(numbers),
            "observedGeneration": stateful_set["metadata"]["generation"],
            "currentRevision": current,
            "updateRevision": name_of(update),
            "collisionCount": 0,
        }
        if conditions := stateful_set.get("status", {}).get("conditions"):
            status["conditions"] = conditions
        self._context.set_status(STATEFULSETS, stateful_set, status)


def ordinal_of(pod: Json) -> int:
    return int(name_of(pod).rpartition("-")[2])


def _partition(stateful_set: Json) -> int:
    return int((stateful_set["spec"]["updateStrategy"].get("rollingUpdate") or {}).get("partition") or 0)
