"""What a session can be about: a service (a named workload) or a node. Design sections 2 and 4."""

from __future__ import annotations

from typing import Literal

import msgspec

EntityKind = Literal["Deployment", "StatefulSet", "DaemonSet", "Rollout", "Node", "Job", "CronJob", "Pod"]
"""A Rollout is that of Argo Rollouts, where its kind is installed. Jobs, CronJobs and pods that no workload owns can be
looked at by their names; they are in no catalog, and no action takes them."""

KIND_OF_RESOURCE: dict[str, EntityKind] = {
    "deployment": "Deployment",
    "statefulset": "StatefulSet",
    "daemonset": "DaemonSet",
    "rollout": "Rollout",
    "node": "Node",
}

UNLISTED: dict[str, EntityKind] = {"job": "Job", "cronjob": "CronJob", "pod": "Pod"}
"""Kinds that are in no catalog."""


class Entity(msgspec.Struct, frozen=True, omit_defaults=True):
    """One exact object of one configured cluster: what a lock holds and what a plan targets.

    `namespace` is empty for a node. `name` is the catalog's name of the service (what people say and
    what cards show); `workload` is the Kubernetes object's name, which may differ.
    """

    cluster: str
    namespace: str
    kind: EntityKind
    workload: str
    name: str
    environment: str = ""

    @property
    def key(self) -> str:
        """`cluster/namespace/kind/workload`, as in the store's keys `target:…`."""
        return f"{self.cluster}/{self.namespace}/{self.kind.lower()}/{self.workload}"

    @property
    def target(self) -> str:
        """`deployment/web`, as in catalog files and transcripts."""
        return f"{self.kind.lower()}/{self.workload}"


class Service(msgspec.Struct, frozen=True, omit_defaults=True):
    """A catalog entry: an entity with the names that people use for it and what hangs on it."""

    entity: Entity
    aliases: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()
    runbooks: tuple[str, ...] = ()
    alerts: dict[str, str] = {}
    metrics: dict[str, str] = {}
    """Queries of its own for charts, by name."""
    watch: bool = False
    """Whether it is looked after without being asked."""
