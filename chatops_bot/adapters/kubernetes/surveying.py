"""One pass of reads around a workload: bounded, four at a time, and complete as far as it got."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from chatops_bot.adapters.kubernetes.choosing import covers, newest_jobs, newest_set, owned_pods, worst
from chatops_bot.adapters.kubernetes.client import Client, Query
from chatops_bot.adapters.kubernetes.installed import Installed
from chatops_bot.adapters.kubernetes.lists import CLUSTER_PAGES, Lists
from chatops_bot.adapters.kubernetes.passes import FIRST_S, SURVEY_S, Pass, Read
from chatops_bot.adapters.kubernetes.paths import RESOURCES, resource_path
from chatops_bot.adapters.kubernetes.selectors import selector_text
from chatops_bot.adapters.kubernetes.surroundings import Subject, Surroundings
from chatops_bot.domain.actions.argo import HASH_LABEL
from chatops_bot.domain.actions.owners import application_of
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.objects import controller_of, mapping, name_of, text, uid_of
from chatops_bot.domain.observed import Around, Need, Observed, Raw
from chatops_bot.ports.cluster import NotFound, Refused

EVENT_PODS = 3
_BY_SETS: Final = ("Deployment", "Rollout")
"""Kinds whose pods are made by ReplicaSets."""
_LASTING: Final = ("Deployment", "Rollout", "StatefulSet", "DaemonSet")
"""Kinds that keep pods running."""
_JOBS_LOOKED_INTO: Final = 2
_RUNNING: Final = "spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed"
"""Pods that hold room on a node."""
_PODS: Final = resource_path("", "v1", "pods")


class Survey:
    """Reads what is needed to judge one workload. Parts that cannot be read are named, not guessed."""

    def __init__(self, client: Client, installed: Installed, *, now: Callable[[], float]) -> None:
        self._client = client
        self._installed = installed
        self._now = now
        self._lists = Lists(client)
        self._surroundings = Surroundings(client, self._lists)

    async def observe(self, entity: Entity, *, events: bool, needs: frozenset[Need]) -> Observed:
        """Raises what reading the workload itself raises."""
        taken = Pass()
        workload = await self._lists.object(entity)
        taken.left -= 1
        now_ms = int(self._now() * 1000)
        subject = Subject(entity=entity, object=workload, at=now_ms)
        around = Around()
        if entity.kind == "Node":
            await self._around_node(entity, taken, elsewhere="room" in needs)
            await taken.gather(self._node_events(entity, workload) if events else ())
        elif "diagnosis" in needs:
            await self._around(subject, taken, needs)
            around = await self._surroundings.around(subject, taken, events=events)
        else:
            await self._around(subject, taken, needs)
            await taken.gather(self._events(subject, taken) if events else ())
        return self._observed(subject, taken, around)

    def _observed(self, subject: Subject, taken: Pass, around: Around) -> Observed:
        return Observed(
            entity=subject.entity,
            at=subject.at,
            object=subject.object,
            pods=taken.of("pods"),
            replica_sets=taken.of("replica_sets"),
            revisions=taken.of("revisions"),
            autoscalers=taken.of("autoscalers"),
            budgets=taken.of("budgets"),
            events=taken.of("events"),
            rollouts=taken.of("rollouts"),
            nodes=taken.of("nodes"),
            elsewhere=taken.of("elsewhere"),
            quotas=taken.of("quotas"),
            limits=taken.of("limits"),
            applications=taken.of("applications"),
            around=around,
            unread=taken.missed(),
        )

    async def pods(self, entity: Entity) -> list[Raw]:
        """The workload's pods alone. Raises what reading raises."""
        workload = await self._lists.object(entity)
        subject = Subject(entity=entity, object=workload, at=int(self._now() * 1000))
        if entity.kind == "Pod":
            return [workload]
        if entity.kind == "CronJob":
            jobs = await self._jobs(subject)
            found = [await self._pods_of_job(job) for job in newest_jobs(jobs, most=_JOBS_LOOKED_INTO)]
            return [pod for pods in found for pod in pods]
        sets = await self._owned(subject, "replicasets") if entity.kind in _BY_SETS else []
        return owned_pods(await self._selected(subject, "pods", group=""), workload, sets)

    async def _around(self, subject: Subject, taken: Pass, needs: frozenset[Need]) -> None:
        seconds = FIRST_S if "diagnosis" in needs else SURVEY_S
        reads = list(self._parts(subject, taken, needs))
        if "diagnosis" in needs:
            reads += self._surroundings.first(subject)
        known = self._installed.knows("Rollout")
        await taken.gather(reads, seconds=seconds)
        taken.left += await self._saved(subject.entity, known=known)
        if "jobs" in taken.rows:
            jobs = newest_jobs(taken.rows["jobs"], most=_JOBS_LOOKED_INTO)
            await taken.gather([("pods", partial(self._pods_of_job, job)) for job in jobs])
        elif "pods" in taken.rows:
            self._sort_out(subject, taken)

    async def _saved(self, entity: Entity, *, known: bool) -> int:
        """How many requests fewer than reads there were: a pod was there already, and instead of the list of Argo
        Rollouts there may have been, now and then, the question whether the cluster has such, or both or neither."""
        if entity.kind != "Deployment" or not self._installed.knows("Rollout"):
            return 1 if entity.kind == "Pod" else 0
        listed = await self._installed.has("Rollout")
        return (0 if listed else 1) - (0 if known else 1)

    def _sort_out(self, subject: Subject, taken: Pass) -> None:
        """Whose the pods are that the selector matches."""
        by_sets = subject.entity.kind in _BY_SETS
        found = taken.rows["pods"]
        sets = taken.rows.get("replica_sets") if by_sets else []
        own = found if subject.entity.kind == "Pod" else owned_pods(found, subject.object, sets)
        mine = {uid_of(pod) for pod in own}
        taken.rows["pods"] = own
        taken.rows["neighbours"] = [pod for pod in found if uid_of(pod) not in mine and controller_of(pod)]

    def _parts(self, subject: Subject, taken: Pass, needs: frozenset[Need]) -> Iterator[Read]:
        """The workload's own parts, and what bounds it."""
        kind = subject.entity.kind
        if kind == "CronJob":
            yield "jobs", partial(self._jobs, subject)
            return
        yield "pods", partial(self._pods, subject, taken)
        if kind in _LASTING:
            yield "autoscalers", partial(self._autoscalers, subject.entity)
            yield "budgets", partial(self._budgets, subject)
        if kind == "Deployment":
            yield "rollouts", partial(self._rollouts_of, subject.entity)
        if kind in _BY_SETS:
            yield "replica_sets", partial(self._owned, subject, "replicasets")
        elif "history" in needs and kind in _LASTING:
            yield "revisions", partial(self._owned, subject, "controllerrevisions")
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
            yield "elsewhere", partial(self._lists.rows, _PODS, _where(_RUNNING), whole=True, slim=True)
        if "application" in needs and application_of(subject.object):
            yield "applications", partial(self._application, application_of(subject.object))

    async def _application(self, name: str) -> list[Raw]:
        """The one of Argo CD, in its usual namespace unless the name carries another; nothing where it is not there or
        may not be read, which is nothing to complain of."""
        space, _, bare = name.rpartition("_")
        try:
            path = resource_path("argoproj.io", "v1alpha1", "applications", namespace=space or "argocd", name=bare)
            return [await self._client.call("GET", path)]
        except (NotFound, Refused):
            return []

    async def _around_node(self, entity: Entity, taken: Pass, *, elsewhere: bool) -> None:
        """The pods on it, the other nodes, and the budgets where those pods are. `elsewhere`: what runs on the others,
        for what has room there and what runs nowhere else."""
        whole = partial(self._lists.rows, whole=True, slim=True)
        reads: list[Read] = [
            ("pods", partial(whole, _PODS, _where(f"spec.nodeName={entity.workload}"))),
            ("nodes", partial(whole, resource_path("", "v1", "nodes"), pages=CLUSTER_PAGES)),
            ("budgets", partial(whole, resource_path("policy", "v1", "poddisruptionbudgets"), pages=CLUSTER_PAGES)),
        ]
        if elsewhere:
            others = _where(f"spec.nodeName!={entity.workload},{_RUNNING}")
            reads.append(("elsewhere", partial(whole, _PODS, others, pages=CLUSTER_PAGES)))
        await taken.gather(reads)
        namespaces = {text(pod, "metadata", "namespace") for pod in taken.rows.get("pods", [])}
        taken.keep("nodes", lambda node: name_of(node) != entity.workload)
        taken.keep("budgets", lambda budget: text(budget, "metadata", "namespace") in namespaces)

    async def _pods(self, subject: Subject, taken: Pass) -> list[Raw]:
        if subject.entity.kind == "Pod":
            return [subject.object]
        return await self._selected(subject, "pods", group="", taken=taken)

    async def _selected(self, subject: Subject, plural: str, *, group: str, taken: Pass | None = None) -> list[Raw]:
        workload = subject.object
        selector = selector_text(mapping(workload, "spec", "selector")) or _resolved_selector(workload)
        if not selector:
            return []
        path = resource_path(group, "v1", plural, namespace=subject.entity.namespace)
        rows, more = await self._lists.some(path, [("labelSelector", selector)], slim=True)
        if more and taken is not None:
            taken.miss(plural, f">{len(rows)}")
        return rows

    async def _owned(self, subject: Subject, plural: str) -> list[Raw]:
        rows = await self._selected(subject, plural, group="apps")
        return [row for row in rows if text(controller_of(row), "uid") == uid_of(subject.object)]

    async def _jobs(self, subject: Subject) -> list[Raw]:
        """The Jobs of a CronJob: nothing but their owner tells them from others."""
        path = resource_path("batch", "v1", "jobs", namespace=subject.entity.namespace)
        uid = uid_of(subject.object)
        rows, _ = await self._lists.some(path, slim=True, keep=lambda row: text(controller_of(row), "uid") == uid)
        return rows

    async def _pods_of_job(self, job: Raw) -> list[Raw]:
        entity = Entity("", text(job, "metadata", "namespace"), "Job", name_of(job), name_of(job))
        subject = Subject(entity=entity, object=job, at=0)
        return owned_pods(await self._selected(subject, "pods", group=""), job, [])

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

    def _events(self, subject: Subject, taken: Pass) -> Iterator[Read]:
        """Of the workload, its newest ReplicaSet and the pods in the worst state, each asked for by uid: names are
        used again, and others' events must not be blamed on these."""
        newest = newest_set(taken.rows.get("replica_sets", ()))
        pods = worst(taken.rows.get("pods", ()), subject.at, most=EVENT_PODS)
        uids = [uid_of(row) for row in (subject.object, newest, *pods) if row is not None]
        yield from (self._surroundings.events_of(subject.entity.namespace, uid) for uid in dict.fromkeys(uids) if uid)

    def _node_events(self, entity: Entity, node: Raw) -> Iterator[Read]:
        """The kubelet writes its node's name where controllers write the uid; both keep to this namespace."""
        yield from (self._surroundings.events_of("default", uid) for uid in (uid_of(node), entity.workload))


def _refers(row: Raw, field: str, entity: Entity) -> bool:
    """Whether a reference in the object's spec is to the entity."""
    target = mapping(row, "spec", field)
    return text(target, "kind") == entity.kind and text(target, "name") == entity.workload


def _resolved_selector(workload: Raw) -> str:
    """Of an Argo Rollout that refers to a Deployment and names no selector itself: the one that its controller found,
    without the revision that it may be narrowed down to."""
    parts = text(workload, "status", "selector").split(",")
    return ",".join(part for part in parts if part and not part.startswith(HASH_LABEL))


def _where(selection: str) -> Query:
    return [("fieldSelector", selection)]
