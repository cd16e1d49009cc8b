"""The rules that every write obeys, whoever makes it: a client through the API, or a controller."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass

from chatops_bot.adapters.sandbox import defaults, ownership, validation
from chatops_bot.adapters.sandbox.errors import (
    MODIFIED,
    already_exists,
    bad_request,
    conflict,
    forbidden,
    not_found,
    terminating,
)
from chatops_bot.adapters.sandbox.objects import (
    Json,
    annotations_of,
    clone,
    is_deleting,
    name_of,
    namespace_of,
    short_hash,
    uid_of,
)
from chatops_bot.adapters.sandbox.resources import DEPLOYMENTS, NAMESPACES, PODS, Resource
from chatops_bot.adapters.sandbox.store import Store
from chatops_bot.adapters.sandbox.timeline import Timeline

_DEFAULT_GRACE = 30
_LEFT_OUT_EMPTY = ("labels", "annotations", "finalizers", "ownerReferences")
_LASTING = {"default", "kube-system", "kube-public"}
_UIDS = uuid.UUID("b2f5d7c4-6a0e-4a52-9f0e-7d3f0c9a1e55")


@dataclass(frozen=True, slots=True)
class DeleteOptions:
    """`uid` and `version` are preconditions; `grace` None leaves the object's own period."""

    uid: str = ""
    version: str = ""
    grace: int | None = None
    propagation: str = "Background"


class UidSource:
    """The uids of one sandbox, in order: equal seeds give equal uids."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._given = 0

    def next(self) -> str:
        self._given += 1
        return str(uuid.uuid5(_UIDS, f"{self._seed}/{self._given}"))


class Registry:
    """Creates, updates and deletes stored objects as the API server does.

    `next_uid` gives the uids; nothing here is random, so that equal runs give equal clusters.
    """

    def __init__(self, store: Store, timeline: Timeline, next_uid: Callable[[], str]) -> None:
        self.store = store
        self.timeline = timeline
        self._next_uid = next_uid

    def get(self, resource: Resource, namespace: str, name: str) -> Json:
        """The stored object, not to be changed. Raises 404."""
        found = self.store.get(resource, namespace, name)
        if found is None:
            raise not_found(resource, name)
        return found

    def create(self, resource: Resource, obj: Json, *, manager: str, dry_run: bool = False) -> Json:
        """Raises 404 for a namespace that is missing, 409 for a name that is taken, 422 for an invalid object."""
        obj = clone(obj)
        metadata = obj.setdefault("metadata", {})
        if metadata.get("resourceVersion"):
            raise bad_request("resourceVersion should not be set on objects to be created")
        obj["apiVersion"], obj["kind"] = resource.api_version, resource.kind
        uid = self._next_uid()
        if not metadata.get("name") and metadata.get("generateName"):
            metadata["name"] = metadata["generateName"] + short_hash(uid, 5)
        self._check_place(resource, obj)
        metadata["uid"] = uid
        metadata["creationTimestamp"] = self.timeline.stamp()
        if resource.generation:
            metadata["generation"] = 1
        defaults.fill(obj)
        defaults.mark(obj)
        validation.check(resource, obj)
        if resource.has_status:
            obj.pop("status", None)
        ownership.record(obj, {}, manager=manager, subresource="", stamp=self.timeline.stamp())
        defaults.admit(obj, token=short_hash(uid, 5))
        if resource.has_status and (status := defaults.initial_status(obj)) is not None:
            obj["status"] = status
        return obj if dry_run else self.store.put(resource, obj)

    def _check_place(self, resource: Resource, obj: Json) -> None:
        namespace = namespace_of(obj)
        place = self.store.get(NAMESPACES, "", namespace) if resource.namespaced else None
        if resource.namespaced and place is None:
            raise not_found(NAMESPACES, namespace)
        if place is not None and is_deleting(place):
            raise terminating(resource, name_of(obj), namespace)
        if self.store.get(resource, namespace, name_of(obj)) is not None:
            raise already_exists(resource, name_of(obj))

    def update(
        self,
        resource: Resource,
        obj: Json,
        *,
        manager: str,
        subresource: str = "",
        dry_run: bool = False,
        patched: bool = False,
    ) -> Json:
        """Replace the stored object by `obj`. What does not change is not written, and keeps its version.

        `subresource` is "" (everything but the status), "status" (the status alone) or "scale".
        Raises 404, 409 for a uid or resourceVersion that is not the stored one, 422 for an invalid object. A uid that
        came by a patch (`patched`) is no precondition, but a field that must not change: 422.
        """
        old = self.get(resource, namespace_of(obj), name_of(obj))
        if not patched:
            check_uid(resource, old, uid_of(obj))
        self._check_version(resource, obj, old)
        if patched:
            validation.check_identity(resource, obj, old)
        new = self._merged(resource, clone(obj), old, subresource)
        if subresource != "status":
            defaults.fill(new)
            validation.check(resource, new, old)
        if _unmanaged(new) == _unmanaged(old):
            return old
        if resource.generation and _moves_generation(resource, new, old, subresource):
            new["metadata"]["generation"] = old["metadata"].get("generation", 1) + 1
        ownership.record(new, old, manager=manager, subresource=subresource, stamp=self.timeline.stamp())
        if dry_run:
            return new
        if is_deleting(new) and not new["metadata"].get("finalizers") and old["metadata"].get("finalizers"):
            self.store.remove(resource, new)
            return new
        return self.store.put(resource, new)

    @staticmethod
    def _check_version(resource: Resource, obj: Json, old: Json) -> None:
        version = obj["metadata"].get("resourceVersion")
        if version and version != old["metadata"]["resourceVersion"]:
            raise conflict(resource, name_of(obj), MODIFIED)

    @staticmethod
    def _merged(resource: Resource, new: Json, old: Json, subresource: str) -> Json:
        if subresource == "status":
            written = {**clone(old), "status": new.get("status") or {}}
            if (annotations := new["metadata"].get("annotations")) and not resource.custom:
                written["metadata"]["annotations"] = annotations
            return written
        new["apiVersion"], new["kind"] = resource.api_version, resource.kind
        metadata, before = new["metadata"], old["metadata"]
        kept = ("uid", "creationTimestamp", "generation", "resourceVersion", "deletionTimestamp")
        for field in (*kept, "deletionGracePeriodSeconds", "managedFields"):
            metadata.pop(field, None)
            if field in before:
                metadata[field] = before[field]
        for field in [field for field in _LEFT_OUT_EMPTY if not metadata.get(field)]:
            metadata.pop(field, None)
        if resource.has_status:
            new.pop("status", None)
            if "status" in old:
                new["status"] = clone(old["status"])
        return new

    def delete(self, resource: Resource, obj: Json, options: DeleteOptions, *, dry_run: bool = False) -> Json | None:
        """Begin or finish deleting a stored object; what remains of it (terminating), or None when it is gone.

        Raises 409 when a precondition does not hold.
        """
        self._check_preconditions(resource, obj, options)
        if resource == NAMESPACES and obj["spec"].get("finalizers"):
            return self._close(obj, dry_run=dry_run)
        grace = self._grace(obj, options) if resource == PODS else 0
        if options.propagation == "Orphan" and not dry_run:
            self._release(obj)
        finalizers = list(obj["metadata"].get("finalizers") or [])
        if options.propagation == "Foreground" and resource != PODS and "foregroundDeletion" not in finalizers:
            finalizers.append("foregroundDeletion")
        if not finalizers and grace == 0:
            if not dry_run:
                self.store.remove(resource, obj)
            return None
        if is_deleting(obj) and grace >= obj["metadata"].get("deletionGracePeriodSeconds", 0):
            return obj
        going = self.doomed(resource, obj, grace)
        if finalizers:
            going["metadata"]["finalizers"] = finalizers
        return going if dry_run else self.store.put(resource, going)

    def _close(self, namespace: Json, *, dry_run: bool) -> Json:
        """A namespace stays, closed to everything new, until what is in it has gone. Raises 403 for the usual ones."""
        if name_of(namespace) in _LASTING:
            raise forbidden(NAMESPACES, name_of(namespace), "this namespace may not be deleted")
        if is_deleting(namespace):
            return namespace
        closed = clone(namespace)
        closed["metadata"]["deletionTimestamp"] = self.timeline.stamp()
        closed["status"] = {**closed.get("status", {}), "phase": "Terminating"}
        return closed if dry_run else self.store.put(NAMESPACES, closed)

    def doomed(self, resource: Resource, obj: Json, grace: int = 0) -> Json:
        """The object as it looks from the moment on at which its deletion begins."""
        going = clone(obj)
        going["metadata"]["deletionTimestamp"] = self.timeline.stamp(grace)
        going["metadata"]["deletionGracePeriodSeconds"] = grace
        if resource.generation:
            going["metadata"]["generation"] = obj["metadata"].get("generation", 1) + 1
        return going

    def _release(self, owner: Json) -> None:
        """What this object owns shall outlive it."""
        for resource in self.store.resources():
            for obj in self.store.all(resource, namespace_of(owner)):
                references = obj["metadata"].get("ownerReferences") or []
                if any(reference["uid"] == uid_of(owner) for reference in references):
                    freed = clone(obj)
                    kept = [reference for reference in references if reference["uid"] != uid_of(owner)]
                    freed["metadata"]["ownerReferences"] = kept
                    self.store.put(resource, freed)

    @staticmethod
    def _check_preconditions(resource: Resource, obj: Json, options: DeleteOptions) -> None:
        uid, version = uid_of(obj), obj["metadata"]["resourceVersion"]
        if options.uid and options.uid != uid:
            raise conflict(
                resource,
                name_of(obj),
                f"the UID in the precondition ({options.uid}) does not match the UID in record ({uid}). "
                "The object might have been deleted and then recreated",
                kind=resource.kind,
            )
        if options.version and options.version != version:
            raise conflict(
                resource,
                name_of(obj),
                f"the ResourceVersion in the precondition ({options.version}) does not match the ResourceVersion in "
                f"record ({version}). The object might have been modified",
                kind=resource.kind,
            )

    @staticmethod
    def _grace(pod: Json, options: DeleteOptions) -> int:
        """Seconds that the pod's node gets to stop it: none for a pod that no node runs."""
        if not pod["spec"].get("nodeName") or pod.get("status", {}).get("phase") in {"Succeeded", "Failed"}:
            return 0
        if options.grace is not None:
            return options.grace
        return int(pod["spec"].get("terminationGracePeriodSeconds", _DEFAULT_GRACE))

    def finish_delete(self, resource: Resource, obj: Json) -> None:
        """The object's node or collector is done with it: it goes, unless a finalizer holds it."""
        if not obj["metadata"].get("finalizers"):
            self.store.remove(resource, obj)


def check_uid(resource: Resource, old: Json, uid: str) -> None:
    """Raises the 409 of a uid that is sent as a precondition and is not the stored object's."""
    if uid and uid != uid_of(old):
        place = f"{namespace_of(old)}/{name_of(old)}" if resource.namespaced else name_of(old)
        raise conflict(
            resource,
            name_of(old),
            f"StorageError: invalid object, Code: 4, Key: /registry/{resource.plural}/{place}, ResourceVersion: 0, "
            f"AdditionalErrorMsg: Precondition failed: UID in precondition: {uid}, UID in object meta: {uid_of(old)}",
        )


def _moves_generation(resource: Resource, new: Json, old: Json, subresource: str) -> bool:
    """The API server counts changes of the spec; of a Deployment, those of its annotations too, unless they come with
    the status; of a pod, not that it got a node."""
    if subresource == "status":
        return False
    before, after = old.get("spec"), new.get("spec")
    if resource == PODS:
        before, after = ({**(spec or {}), "nodeName": None} for spec in (before, after))
    return before != after or (resource == DEPLOYMENTS and annotations_of(new) != annotations_of(old))


def _unmanaged(obj: Json) -> Json:
    metadata = {key: value for key, value in obj["metadata"].items() if key not in {"managedFields"}}
    return {**obj, "metadata": metadata}
