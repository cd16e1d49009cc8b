"""What belongs to a workload itself, and what bounds it: the lists, and what of them is its own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from chatops_bot.adapters.kubernetes.choosing import covers, owned_pods
from chatops_bot.adapters.kubernetes.client import METADATA, Client
from chatops_bot.adapters.kubernetes.installed import Installed
from chatops_bot.adapters.kubernetes.lists import PODS, RUNNING, Lists, selection
from chatops_bot.adapters.kubernetes.passes import Pass, Read
from chatops_bot.adapters.kubernetes.paths import RESOURCES, resource_path
from chatops_bot.adapters.kubernetes.selectors import selector_text
from chatops_bot.adapters.kubernetes.surroundings import Subject
from chatops_bot.domain.actions.argo import HASH_LABEL
from chatops_bot.domain.actions.owners import application_of
from chatops_bot.domain.config_maps import config_maps_of
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.objects import controller_of, mapping, name_of, text, uid_of
from chatops_bot.domain.observed import Need, Raw
from chatops_bot.ports.cluster import NotFound, Refused

BY_SETS: Final = ("Deployment", "Rollout")
"""Kinds whose pods are made by ReplicaSets."""
CONFIG_MAPS: Final = 4
"""So many of a workload's ConfigMaps are looked at."""
_LASTING: Final = ("Deployment", "Rollout", "StatefulSet", "DaemonSet")
"""Kinds that keep pods running."""


class Parts:
    """The lists of one cluster, read for one workload at a time."""

    def __init__(self, client: Client, installed: Installed) -> None:
        self._client = client
        self._installed = installed
        self._lists = Lists(client)

    def parts(self, subject: Subject, taken: Pass, needs: frozenset[Need]) -> Iterator[Read]:
        """The workload's own parts, and what bounds it."""
        kind = subject.entity.kind
        if kind == "CronJob":
            yield "jobs", partial(self.jobs, subject)
            return
        yield "pods", partial(self._pods, subject, taken)
        if kind in _LASTING:
            yield "autoscalers", partial(self._autoscalers, subject.entity)
            yield "budgets", partial(self._budgets, subject)
        if kind == "Deployment":
            yield "rollouts", partial(self._rollouts_of, subject.entity)
        if kind in BY_SETS:
            yield "replica_sets", partial(self.owned, subject, "replicasets")
        elif "history" in needs and kind in _LASTING:
            yield "revisions", partial(self.owned, subject, "controllerrevisions")
        yield from self._costs(subject, needs)

    def _costs(self, subject: Subject, needs: frozenset[Need]) -> Iterator[Read]:
        """What bounds more pods in its namespace and on the nodes; part of the pods of a cluster is none of it."""
        space = subject.entity.namespace
        if "quotas" in needs:
            yield "quotas", partial(self._lists.rows, resource_path("", "v1", "resourcequotas", namespace=space))
        if "limits" in needs:
            yield "limits", partial(self._lists.rows, resource_path("", "v1", "limitranges", namespace=space))
        if "room" in needs:
            yield "nodes", partial(self._lists.rows, resource_path("", "v1", "nodes"))
            yield "elsewhere", partial(self._lists.rows, PODS, selection(RUNNING), whole=True, slim=True)
        if "application" in needs and application_of(subject.object):
            yield "applications", partial(self._application, application_of(subject.object))
        if "configuration" in needs:
            for name in config_maps_of(subject.object)[:CONFIG_MAPS]:
                yield (
                    "config_maps",
                    partial(self._metadata, resource_path("", "v1", "configmaps", namespace=space, name=name)),
                )

    async def _metadata(self, path: str) -> list[Raw]:
        """Of the one object there what it is, without what is in it; nothing where it is not there."""
        try:
            found = await self._client.call("GET", path, accept=METADATA)
        except NotFound:
            return []
        return [{"metadata": mapping(found, "metadata")}]

    async def _application(self, name: str) -> list[Raw]:
        """The one of Argo CD, in its usual namespace unless the name carries another; nothing where it is not there or
        may not be read, which is nothing to complain of."""
        space, _, bare = name.rpartition("_")
        try:
            path = resource_path("argoproj.io", "v1alpha1", "applications", namespace=space or "argocd", name=bare)
            return [await self._client.call("GET", path)]
        except (NotFound, Refused):
            return []

    async def _pods(self, subject: Subject, taken: Pass) -> list[Raw]:
        if subject.entity.kind == "Pod":
            return [subject.object]
        return await self.selected(subject, "pods", group="", taken=taken)

    async def selected(self, subject: Subject, plural: str, *, group: str, taken: Pass | None = None) -> list[Raw]:
        """What the workload's selector matches. Where that is more than is read, `taken` is told."""
        workload = subject.object
        selector = selector_text(mapping(workload, "spec", "selector")) or _resolved_selector(workload)
        if not selector:
            return []
        path = resource_path(group, "v1", plural, namespace=subject.entity.namespace)
        rows, more = await self._lists.some(path, [("labelSelector", selector)], slim=True)
        if more and taken is not None:
            taken.miss(plural, f">{len(rows)}")
        return rows

    async def owned(self, subject: Subject, plural: str) -> list[Raw]:
        """Of what its selector matches, that which it controls."""
        rows = await self.selected(subject, plural, group="apps")
        return [row for row in rows if text(controller_of(row), "uid") == uid_of(subject.object)]

    async def jobs(self, subject: Subject) -> list[Raw]:
        """The Jobs of a CronJob: nothing but their owner tells them from others."""
        path = resource_path("batch", "v1", "jobs", namespace=subject.entity.namespace)
        uid = uid_of(subject.object)
        rows, _ = await self._lists.some(path, slim=True, keep=lambda row: text(controller_of(row), "uid") == uid)
        return rows

    async def pods_of_job(self, job: Raw) -> list[Raw]:
        """All that it has made and that are still there."""
        entity = Entity("", text(job, "metadata", "namespace"), "Job", name_of(job), name_of(job))
        subject = Subject(entity=entity, object=job, at=0)
        return owned_pods(await self.selected(subject, "pods", group=""), job, [])

    async def _autoscalers(self, entity: Entity) -> list[Raw]:
        path = resource_path("autoscaling", "v2", "horizontalpodautoscalers", namespace=entity.namespace)
        return [row for row in await self._lists.rows(path) if _refers(row, "scaleTargetRef", entity)]

    async def _rollouts_of(self, entity: Entity) -> list[Raw]:
        """The Argo Rollouts that have taken over the Deployment's pods."""
        if not await self._installed.has("Rollout"):
            return []
        group, version, plural = RESOURCES["Rollout"]
        try:
            rows = await self._lists.rows(resource_path(group, version, plural, namespace=entity.namespace))
        except NotFound:
            return []
        return [row for row in rows if _refers(row, "workloadRef", entity)]

    async def _budgets(self, subject: Subject) -> list[Raw]:
        path = resource_path("policy", "v1", "poddisruptionbudgets", namespace=subject.entity.namespace)
        return [row for row in await self._lists.rows(path) if covers(row, subject.labels)]


def _refers(row: Raw, field: str, entity: Entity) -> bool:
    """Whether a reference in the object's spec is to the entity."""
    target = mapping(row, "spec", field)
    return text(target, "kind") == entity.kind and text(target, "name") == entity.workload


def _resolved_selector(workload: Raw) -> str:
    """Of an Argo Rollout that refers to a Deployment and names no selector itself: the one that its controller found,
    without the revision that it may be narrowed down to."""
    parts = text(workload, "status", "selector").split(",")
    return ",".join(part for part in parts if part and not part.startswith(HASH_LABEL))
