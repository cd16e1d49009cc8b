"""The garbage collector: what is owned goes after its owner; old events go by themselves."""

from __future__ import annotations

from collections.abc import Iterator

from chatops_bot.adapters.sandbox.controllers.context import Context
from chatops_bot.adapters.sandbox.objects import Json, clone, is_deleting, name_of, uid_of
from chatops_bot.adapters.sandbox.registry import DeleteOptions
from chatops_bot.adapters.sandbox.resources import (
    CONTROLLERREVISIONS,
    DAEMONSETS,
    DEPLOYMENTS,
    ENDPOINTSLICES,
    JOBS,
    NAMESPACES,
    PODS,
    REPLICASETS,
    SERVICES,
    STATEFULSETS,
    Resource,
)

_OWNED = (REPLICASETS, CONTROLLERREVISIONS, ENDPOINTSLICES, PODS)
_OWNERS = (DEPLOYMENTS, REPLICASETS, STATEFULSETS, DAEMONSETS, SERVICES, JOBS)


class Namespaces:
    """Empties what is being deleted, before any other controller makes something in it, and takes it away then."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def run(self) -> None:
        for namespace in self._context.store.all(NAMESPACES):
            if is_deleting(namespace) and not self._left(name_of(namespace)):
                self._context.store.remove(NAMESPACES, namespace)

    def _left(self, namespace: str) -> bool:
        """Whether anything is still there after what could go has gone."""
        store = self._context.store
        for resource in store.resources():
            for obj in store.all(resource, namespace):
                if not is_deleting(obj):
                    self._context.registry.delete(resource, obj, DeleteOptions())
        return any(store.all(resource, namespace) for resource in store.resources())


class GarbageCollector:
    """Knows the workloads of the sandbox as owners; an owner of another kind is taken to exist."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def run(self) -> None:
        self._context.events.expire()
        alive = {uid_of(owner): owner for resource in _OWNERS for owner in self._context.store.all(resource)}
        kinds = {resource.kind for resource in _OWNERS}
        for resource, obj in self._owned():
            references = [item for item in obj["metadata"]["ownerReferences"] if item["kind"] in kinds]
            owners = [alive.get(item["uid"]) for item in references]
            waited_for = any(owner is not None and is_deleting(owner) for owner in owners)
            gone = references and all(owner is None for owner in owners)
            if (gone or waited_for) and not is_deleting(obj):
                self._context.registry.delete(resource, obj, DeleteOptions())
        self._finish_foreground(alive)

    def _owned(self) -> Iterator[tuple[Resource, Json]]:
        for resource in _OWNED:
            for obj in self._context.store.all(resource):
                if obj["metadata"].get("ownerReferences"):
                    yield resource, obj

    def _finish_foreground(self, alive: dict[str, Json]) -> None:
        """An owner deleted in the foreground goes when nothing that it owns is left."""
        left = {item["uid"] for _, obj in self._owned() for item in obj["metadata"]["ownerReferences"]}
        for resource in _OWNERS:
            for owner in self._context.store.all(resource):
                finalizers = owner["metadata"].get("finalizers") or []
                if is_deleting(owner) and "foregroundDeletion" in finalizers and uid_of(owner) not in left:
                    changed = clone(owner)
                    changed["metadata"]["finalizers"] = [item for item in finalizers if item != "foregroundDeletion"]
                    self._context.registry.update(resource, changed, manager="kube-controller-manager")
