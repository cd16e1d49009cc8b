"""The section's `objects:`: full manifests, made or merged by kind, namespace and name."""

from __future__ import annotations

from chatops_bot.adapters.sandbox.controllers.context import Context
from chatops_bot.adapters.sandbox.objects import Json, clone, name_of, namespace_of, uid_of
from chatops_bot.adapters.sandbox.resources import Catalog, Resource
from chatops_bot.adapters.sandbox.seeding.ground import EDITOR, ensure_namespace

_SERVERS_OWN = ("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields")
# Statuses of these kinds, when a manifest gives them, are scenery that no controller may repaint.
_SCENERY = {"Pod", "Job", "HorizontalPodAutoscaler", "PodDisruptionBudget", "Node"}
_COUNTED_BY_CONTROLLERS = {"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Rollout"}


def put(context: Context, catalog: Catalog, manifest: Json) -> None:
    """Raises ApiError where the API server would refuse the manifest."""
    namespaced = "namespace" in manifest["metadata"]
    resource = catalog.define(manifest["apiVersion"], manifest["kind"], namespaced=namespaced)
    obj = clone(manifest)
    metadata = obj["metadata"]
    if resource.namespaced:
        metadata.setdefault("namespace", "default")
        ensure_namespace(context, metadata["namespace"])
    else:
        metadata.pop("namespace", None)
    for field in _SERVERS_OWN:
        metadata.pop(field, None)
    _link_owners(context, catalog, obj)
    if context.store.get(resource, namespace_of(obj), name_of(obj)) is None:
        stored = context.registry.create(resource, obj, manager="kubectl-create")
    else:
        stored = context.registry.update(resource, obj, manager=EDITOR)
    _keep_status(context, resource, stored, manifest)


def _link_owners(context: Context, catalog: Catalog, obj: Json) -> None:
    """A manifest cannot know the uids of its owners: they are looked up by kind and name."""
    for reference in obj["metadata"].get("ownerReferences") or []:
        resource = catalog.of_kind(reference.get("apiVersion", ""), reference.get("kind", ""))
        if resource is None:
            continue
        namespace = namespace_of(obj) if resource.namespaced else ""
        owner = context.store.get(resource, namespace, reference.get("name", ""))
        if owner is not None:
            reference["uid"] = uid_of(owner)


def _keep_status(context: Context, resource: Resource, stored: Json, manifest: Json) -> None:
    status = manifest.get("status")
    if not status or resource.kind in _COUNTED_BY_CONTROLLERS:
        return
    context.frozen.discard(uid_of(stored))
    context.set_status(resource, stored, status, manager="kubelet")
    if resource.kind in _SCENERY:
        context.frozen.add(uid_of(stored))
