"""What the controllers share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from chatops_bot.adapters.sandbox.conditions import is_true
from chatops_bot.adapters.sandbox.eventlog import EventLog
from chatops_bot.adapters.sandbox.objects import Json, clone, controlled_by, is_deleting, name_of, namespace_of, uid_of
from chatops_bot.adapters.sandbox.podlogs import PodLogs
from chatops_bot.adapters.sandbox.registry import DeleteOptions, Registry
from chatops_bot.adapters.sandbox.resources import PODS, Resource
from chatops_bot.adapters.sandbox.store import Store
from chatops_bot.adapters.sandbox.timeline import Timeline
from chatops_bot.adapters.sandbox.troubles import Troubles

MANAGER = "kube-controller-manager"


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds that things take: to find a node, to start the containers, to become ready after that, to stop.

    `spread` is added to starting and stopping, in a share that differs from pod to pod.
    """

    schedule: float = 0.0
    start: float = 0.0
    ready: float = 0.0
    stop: float = 0.0
    spread: float = 0.0


INSTANT = Timing()
NATURAL = Timing(schedule=0.2, start=0.9, ready=0.4, stop=1.0, spread=0.7)


@dataclass(slots=True)
class Context:
    """`frozen` holds the uids of objects whose status was given by a manifest and is not to be touched."""

    registry: Registry
    logs: PodLogs
    events: EventLog
    troubles: Troubles
    timing: Timing = INSTANT
    bad_images: set[str] = field(default_factory=set)
    frozen: set[str] = field(default_factory=set)
    wake: float | None = None

    @property
    def store(self) -> Store:
        return self.registry.store

    @property
    def timeline(self) -> Timeline:
        return self.registry.timeline

    def wake_at(self, moment: float) -> None:
        """Something is to be looked at again at `moment` (epoch seconds), even if nobody writes until then."""
        if self.wake is None or moment < self.wake:
            self.wake = moment

    def set_status(self, resource: Resource, obj: Json, status: Json, *, manager: str = MANAGER) -> None:
        if status != obj.get("status") and uid_of(obj) not in self.frozen:
            changed = {**obj, "metadata": dict(obj["metadata"]), "status": status}
            self.registry.update(resource, changed, manager=manager, subresource="status")

    def annotate(self, resource: Resource, obj: Json, annotations: dict[str, str]) -> None:
        """Change annotations along with the status, as the controllers of Deployments do: that moves no generation."""
        changed = {**obj, "metadata": dict(obj["metadata"])}
        changed["metadata"]["annotations"] = {**(obj["metadata"].get("annotations") or {}), **annotations}
        self.registry.update(resource, changed, manager=MANAGER, subresource="status")

    def set_spec(self, resource: Resource, obj: Json, spec: Json, annotations: dict[str, str] | None = None) -> Json:
        """Change fields of the spec and, when given, annotations; the object as it is now."""
        changed = clone(obj)
        changed["spec"].update(spec)
        if annotations:
            changed["metadata"]["annotations"] = {**(changed["metadata"].get("annotations") or {}), **annotations}
        return self.registry.update(resource, changed, manager=MANAGER)

    def pods_of(self, owner: Json) -> list[Json]:
        return [pod for pod in self.store.all(PODS, namespace_of(owner)) if controlled_by(pod, owner)]

    def delete_pod(self, pod: Json) -> None:
        self.registry.delete(PODS, pod, DeleteOptions())

    def reload(self, resource: Resource, obj: Json) -> Json:
        return self.registry.get(resource, namespace_of(obj), name_of(obj))


def is_active(pod: Json) -> bool:
    """Whether a workload still counts the pod: not on its way out, and not finished."""
    return not is_deleting(pod) and pod.get("status", {}).get("phase") not in {"Succeeded", "Failed"}


def is_ready(pod: Json) -> bool:
    return is_true(pod, "Ready") and not is_deleting(pod)


def count_ready(pods: Iterable[Json]) -> int:
    return sum(is_ready(pod) for pod in pods)


def resolve_share(value: object, total: int, *, up: bool) -> int:
    """A number or a percentage of `total`, rounded `up` or down, as `maxSurge` and `minAvailable` give it."""
    if isinstance(value, str) and value.endswith("%"):
        share = int(value[:-1]) * total
        return -(-share // 100) if up else share // 100
    return int(str(value))


def pod_from(template: Json, owner: Json, name: str, labels: dict[str, str], reference: Json) -> Json:
    """The pod that a workload makes from its template."""
    metadata = clone(template.get("metadata") or {})
    metadata.pop("creationTimestamp", None)
    metadata["labels"] = {**(metadata.get("labels") or {}), **labels}
    metadata |= {"name": name, "namespace": namespace_of(owner), "ownerReferences": [reference]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": clone(template["spec"])}
