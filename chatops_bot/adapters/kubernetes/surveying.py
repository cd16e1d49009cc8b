"""One pass of reads around a workload: bounded, four at a time, and complete as far as it got."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from chatops_bot.adapters.kubernetes.client import Client, Query
from chatops_bot.adapters.kubernetes.installed import Installed
from chatops_bot.adapters.kubernetes.paths import RESOURCES, entity_path, resource_path
from chatops_bot.adapters.kubernetes.selectors import selector_text
from chatops_bot.domain.actions.argo import HASH_LABEL
from chatops_bot.domain.actions.owners import application_of
from chatops_bot.domain.diagnosis.pods import is_ready
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.objects import at, controller_of, items, mapping, name_of, number, text, uid_of
from chatops_bot.domain.observed import Need, Observed, Raw
from chatops_bot.domain.selectors import selects
from chatops_bot.ports.cluster import ClusterError, NotFound, Refused

AT_ONCE = 4
PAGE = 500
PAGES = 4
"""More objects than PAGE * PAGES around one workload are not read."""
CLUSTER_PAGES = 20
"""Likewise of the pods of a whole cluster, of which a part would be worse than none."""
SURVEY_S = 20.0
EXPIRED = 410
EVENT_PODS = 5
_RUNNING = "spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed"
"""Pods that hold room on a node."""


class Survey:
    """Reads what is needed to judge one workload. Parts that cannot be read are named, not guessed."""

    def __init__(self, client: Client, installed: Installed, *, now: Callable[[], float]) -> None:
        self._client = client
        self._installed = installed
        self._now = now

    async def observe(self, entity: Entity, *, events: bool, needs: frozenset[Need]) -> Observed:
        """Raises what reading the workload itself raises."""
        workload = await self._client.call("GET", entity_path(entity))
        taken = _Parts()
        if entity.kind == "Node":
            await self._around_node(entity, taken, elsewhere="room" in needs)
        else:
            await self._around(entity, workload, taken, needs)
        if events:
            await self._gather(taken, {"events": self._events(entity, workload, taken)})
        return Observed(
            entity=entity,
            at=int(self._now() * 1000),
            object=workload,
            pods=tuple(taken.rows.get("pods", ())),
            replica_sets=tuple(taken.rows.get("replica_sets", ())),
            revisions=tuple(taken.rows.get("revisions", ())),
            autoscalers=tuple(taken.rows.get("autoscalers", ())),
            budgets=tuple(taken.rows.get("budgets", ())),
            events=tuple(taken.rows.get("events", ())),
            rollouts=tuple(taken.rows.get("rollouts", ())),
            nodes=tuple(taken.rows.get("nodes", ())),
            elsewhere=tuple(taken.rows.get("elsewhere", ())),
            quotas=tuple(taken.rows.get("quotas", ())),
            limits=tuple(taken.rows.get("limits", ())),
            applications=tuple(taken.rows.get("applications", ())),
            unread=tuple(sorted(taken.unread)),
        )

    async def pods(self, entity: Entity) -> list[Raw]:
        """The workload's pods alone. Raises what reading raises."""
        workload = await self._client.call("GET", entity_path(entity))
        sets = await self._owned(entity, workload, "replicasets") if entity.kind in _BY_SETS else []
        return _owned_pods(await self._selected(entity, workload, "pods", group=""), workload, sets)

    async def _around(self, entity: Entity, workload: Raw, taken: _Parts, needs: frozenset[Need]) -> None:
        reads = {
            "pods": self._selected(entity, workload, "pods", group=""),
            "autoscalers": self._autoscalers(entity),
            "budgets": self._budgets(entity, workload),
        }
        if entity.kind == "Deployment":
            reads["rollouts"] = self._rollouts_of(entity)
        if entity.kind in _BY_SETS:
            reads["replica_sets"] = self._owned(entity, workload, "replicasets")
        elif "history" in needs:
            reads["revisions"] = self._owned(entity, workload, "controllerrevisions")
        await self._gather(taken, {**reads, **self._costs(entity, workload, needs)})
        if "pods" in taken.rows:
            sets = taken.rows.get("replica_sets") if entity.kind in _BY_SETS else []
            taken.rows["pods"] = _owned_pods(taken.rows["pods"], workload, sets)

    def _costs(self, entity: Entity, workload: Raw, needs: frozenset[Need]) -> dict[str, Awaitable[list[Raw]]]:
        """What bounds more pods in its namespace and on the nodes; part of the pods of a cluster is none of it."""
        reads: dict[str, Awaitable[list[Raw]]] = {}
        if "quotas" in needs:
            reads["quotas"] = self.rows(resource_path("", "v1", "resourcequotas", namespace=entity.namespace))
        if "limits" in needs:
            reads["limits"] = self.rows(resource_path("", "v1", "limitranges", namespace=entity.namespace))
        if "room" in needs:
            reads["nodes"] = self.rows(resource_path("", "v1", "nodes"))
            reads["elsewhere"] = self.rows(_PODS, _where(_RUNNING), whole=True)
        if "application" in needs and application_of(workload):
            reads["applications"] = self._application(application_of(workload))
        return reads

    async def _application(self, name: str) -> list[Raw]:
        """The one of Argo CD, in its usual namespace unless the name carries another; nothing where it is not there or
        may not be read, which is nothing to complain of."""
        space, _, bare = name.rpartition("_")
        try:
            path = resource_path("argoproj.io", "v1alpha1", "applications", namespace=space or "argocd", name=bare)
            return [await self._client.call("GET", path)]
        except (NotFound, Refused):
            return []

    async def _around_node(self, entity: Entity, taken: _Parts, *, elsewhere: bool) -> None:
        """The pods on it, the other nodes, and the budgets where those pods are. `elsewhere`: what runs on the others,
        for what has room there and what runs nowhere else."""
        reads = {
            "pods": self.rows(_PODS, _where(f"spec.nodeName={entity.workload}"), whole=True),
            "nodes": self.rows(resource_path("", "v1", "nodes"), pages=CLUSTER_PAGES, whole=True),
            "budgets": self.rows(
                resource_path("policy", "v1", "poddisruptionbudgets"), pages=CLUSTER_PAGES, whole=True
            ),
        }
        if elsewhere:
            others = f"spec.nodeName!={entity.workload},{_RUNNING}"
            reads["elsewhere"] = self.rows(_PODS, _where(others), pages=CLUSTER_PAGES, whole=True)
        await self._gather(taken, reads)
        namespaces = {text(pod, "metadata", "namespace") for pod in taken.rows.get("pods", [])}
        taken.keep("nodes", lambda node: name_of(node) != entity.workload)
        taken.keep("budgets", lambda budget: text(budget, "metadata", "namespace") in namespaces)

    async def _gather(self, taken: _Parts, reads: Mapping[str, Awaitable[list[Raw]]]) -> None:
        """Every read within the common deadline; what fails or is late is `unread`."""
        tasks = {asyncio.ensure_future(read): what for what, read in reads.items()}
        try:
            await asyncio.wait(tasks, timeout=SURVEY_S)
        finally:
            for task in tasks:
                task.cancel()
        for task, what in tasks.items():
            if not task.done() or task.cancelled():
                taken.unread.append(f"{what}:timeout")
                continue
            problem = task.exception()
            if problem is None:
                taken.rows[what] = task.result()
            elif isinstance(problem, ClusterError):
                taken.unread.append(f"{what}:{problem.status or problem.reason or 'no answer'}")
            else:
                raise problem

    async def rows(self, path: str, query: Query = (), *, pages: int = PAGES, whole: bool = False) -> list[Raw]:
        """All items of a list, page by page, up to the bound. Raises `ClusterError` where it must be the `whole` list
        and there is more."""
        rows: list[Raw] = []
        more = ""
        for _ in range(pages):
            paging = [("limit", str(PAGE)), *([("continue", more)] if more else [])]
            try:
                page = await self._client.call("GET", path, query=[*query, *paging])
            except Refused as problem:
                if problem.status != EXPIRED or not more:
                    raise
                rows, more = [], ""  # the list was too slow: its version is gone, and it begins anew
                continue
            rows += items(page, "items")
            more = text(page, "metadata", "continue")
            if not more:
                break
        if more and whole:
            raise ClusterError(f"more than {len(rows)} objects", reason="too many")
        return rows

    async def _selected(self, entity: Entity, workload: Raw, plural: str, *, group: str) -> list[Raw]:
        selector = selector_text(mapping(workload, "spec", "selector")) or _resolved_selector(workload)
        if not selector:
            return []
        path = resource_path(group, "v1", plural, namespace=entity.namespace)
        return await self.rows(path, [("labelSelector", selector)])

    async def _owned(self, entity: Entity, workload: Raw, plural: str) -> list[Raw]:
        rows = await self._selected(entity, workload, plural, group="apps")
        return [row for row in rows if text(controller_of(row), "uid") == uid_of(workload)]

    async def _autoscalers(self, entity: Entity) -> list[Raw]:
        path = resource_path("autoscaling", "v2", "horizontalpodautoscalers", namespace=entity.namespace)
        targets = ((row, mapping(row, "spec", "scaleTargetRef")) for row in await self.rows(path))
        return [
            row
            for row, target in targets
            if text(target, "kind") == entity.kind and text(target, "name") == entity.workload
        ]

    async def _rollouts_of(self, entity: Entity) -> list[Raw]:
        """The Argo Rollouts that have taken over the Deployment's pods."""
        if not await self._installed.has("Rollout"):
            return []
        group, version, plural = RESOURCES["Rollout"]
        try:
            rows = await self.rows(resource_path(group, version, plural, namespace=entity.namespace))
        except NotFound:
            return []
        references = ((row, mapping(row, "spec", "workloadRef")) for row in rows)
        return [
            row
            for row, reference in references
            if text(reference, "kind") == "Deployment" and text(reference, "name") == entity.workload
        ]

    async def _budgets(self, entity: Entity, workload: Raw) -> list[Raw]:
        path = resource_path("policy", "v1", "poddisruptionbudgets", namespace=entity.namespace)
        labels = mapping(workload, "spec", "template", "metadata", "labels") or mapping(
            workload, "spec", "selector", "matchLabels"
        )
        return [row for row in await self.rows(path) if selects(at(row, "spec", "selector"), labels)]

    async def _events(self, entity: Entity, workload: Raw, taken: _Parts) -> list[Raw]:
        """Of the workload, its living ReplicaSets and the pods in the worst state, each asked for by uid: names are
        used again, and others' events must not be blamed on these."""
        uids = [uid_of(workload), *_event_uids(taken)]
        if entity.kind == "Node":
            # The kubelet writes its node's name where controllers write the uid; both keep to this namespace.
            uids = [uid_of(workload), entity.workload]
        gate = asyncio.Semaphore(AT_ONCE)

        async def of(uid: str) -> list[Raw]:
            path = resource_path("", "v1", "events", namespace=entity.namespace or "default")
            async with gate:
                return await self.rows(path, [("fieldSelector", f"involvedObject.uid={uid}")])

        found = await asyncio.gather(*(of(uid) for uid in uids if uid))
        return [event for events in found for event in events]


_BY_SETS: Final = ("Deployment", "Rollout")
"""Kinds whose pods are made by ReplicaSets."""


def _resolved_selector(workload: Raw) -> str:
    """Of an Argo Rollout that refers to a Deployment and names no selector itself: the one that its controller found,
    without the revision that it may be narrowed down to."""
    parts = text(workload, "status", "selector").split(",")
    return ",".join(part for part in parts if part and not part.startswith(HASH_LABEL))


_PODS: Final = resource_path("", "v1", "pods")


def _where(fields: str) -> Query:
    """A selection by fields."""
    return [("fieldSelector", fields)]


class _Parts:
    """What the reads have brought so far."""

    def __init__(self) -> None:
        self.rows: dict[str, list[Raw]] = {}
        self.unread: list[str] = []

    def keep(self, what: str, wanted: Callable[[Raw], bool]) -> None:
        """Leave out of a part that was read what is not wanted."""
        self.rows[what] = [row for row in self.rows.get(what, ()) if wanted(row)]


def _owned_pods(pods: list[Raw], workload: Raw, sets: list[Raw] | None) -> list[Raw]:
    """The pods that the workload controls: others may match the selector as well. `sets` are its ReplicaSets, None
    where they could not be read; their names begin with the Deployment's."""
    if sets is None:
        return [pod for pod in pods if text(controller_of(pod), "name").startswith(f"{name_of(workload)}-")]
    uids = {uid_of(workload), *(uid_of(row) for row in sets)}
    return [pod for pod in pods if text(controller_of(pod), "uid") in uids]


def _event_uids(taken: _Parts) -> list[str]:
    living = [uid_of(row) for row in taken.rows.get("replica_sets", []) if number(row, "spec", "replicas")]
    pods = sorted(taken.rows.get("pods", []), key=lambda pod: (is_ready(pod), _stamp(pod)))
    return [*living[:3], *(uid_of(pod) for pod in pods[:EVENT_PODS])]


def _stamp(pod: Raw) -> str:
    return text(pod, "metadata", "creationTimestamp")
