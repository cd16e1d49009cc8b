"""Paths of the API: where an entity, a list or a change lives."""

from __future__ import annotations

from urllib.parse import quote

import msgspec

from chatops_bot.domain.entities import Entity, EntityKind
from chatops_bot.domain.plans import Change
from chatops_bot.ports.cluster import Refused

RESOURCES: dict[EntityKind, tuple[str, str, str]] = {
    "Deployment": ("apps", "v1", "deployments"),
    "StatefulSet": ("apps", "v1", "statefulsets"),
    "DaemonSet": ("apps", "v1", "daemonsets"),
    "Rollout": ("argoproj.io", "v1alpha1", "rollouts"),
    "Node": ("", "v1", "nodes"),
    "Job": ("batch", "v1", "jobs"),
    "CronJob": ("batch", "v1", "cronjobs"),
    "Pod": ("", "v1", "pods"),
}
"""Group, version and plural by kind."""


def resource_path(
    group: str, version: str, plural: str, *, namespace: str = "", name: str = "", subresource: str = ""
) -> str:
    """`/apis/apps/v1/namespaces/shop/deployments/web`. Raises `Refused` for a name that is no path segment."""
    parts = ["apis", group, version] if group else ["api", version]
    if namespace:
        parts += ["namespaces", namespace]
    parts += [part for part in (plural, name, subresource) if part]
    return "/" + "/".join(_segment(part) for part in parts)


def entity_path(entity: Entity) -> str:
    """Where the entity's object is."""
    group, version, plural = RESOURCES[entity.kind]
    if not entity.workload or (entity.kind != "Node" and not entity.namespace):
        raise Refused(f"no full name: {entity.key}", reason="Request")
    return resource_path(group, version, plural, namespace=entity.namespace, name=entity.workload)


def object_path(which: Entity | Change) -> str:
    """Where the object is: the entity's, or the one that a change is of, whatever subresource it writes."""
    if isinstance(which, Entity):
        return entity_path(which)
    return change_path(msgspec.structs.replace(which, subresource="", verb="patch"))


def change_path(change: Change) -> str:
    """What the change is sent to."""
    if not change.name:
        raise Refused("a change without a name", reason="Request")
    return resource_path(
        change.group,
        change.version,
        change.plural,
        namespace=change.namespace,
        name=change.name,
        subresource="eviction" if change.verb == "evict" else change.subresource,
    )


def _segment(part: str) -> str:
    if part in (".", "..") or "/" in part:
        raise Refused(f"not a name: {part}", reason="Request")
    return quote(part, safe="")
