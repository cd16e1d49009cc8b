"""One pass of reads around a workload: bounded, four at a time, and complete as far as it got."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from chatops_bot.adapters.kubernetes.choosing import newest_jobs, newest_set, owned_pods, worst
from chatops_bot.adapters.kubernetes.client import Client
from chatops_bot.adapters.kubernetes.eventlists import events_of
from chatops_bot.adapters.kubernetes.installed import Installed
from chatops_bot.adapters.kubernetes.lists import Lists
from chatops_bot.adapters.kubernetes.node_parts import around_node
from chatops_bot.adapters.kubernetes.parts import BY_SETS, Parts
from chatops_bot.adapters.kubernetes.passes import FIRST_S, SURVEY_S, Pass, Read
from chatops_bot.adapters.kubernetes.surroundings import Subject, Surroundings
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.objects import controller_of, uid_of
from chatops_bot.domain.observed import Around, Need, Observed, Raw

EVENT_PODS = 3
_JOBS_LOOKED_INTO: Final = 2


class Survey:
    """Reads what is needed to judge one workload. Parts that cannot be read are named, not guessed."""

    def __init__(self, client: Client, installed: Installed, *, now: Callable[[], float]) -> None:
        self._installed = installed
        self._now = now
        self._lists = Lists(client)
        self._parts = Parts(client, installed)
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
            await around_node(self._lists, entity, taken, elsewhere="room" in needs)
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
            config_maps=taken.of("config_maps"),
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
            jobs = await self._parts.jobs(subject)
            found = [await self._parts.pods_of_job(job) for job in newest_jobs(jobs, most=_JOBS_LOOKED_INTO)]
            return [pod for pods in found for pod in pods]
        sets = await self._parts.owned(subject, "replicasets") if entity.kind in BY_SETS else []
        return owned_pods(await self._parts.selected(subject, "pods", group=""), workload, sets)

    async def _around(self, subject: Subject, taken: Pass, needs: frozenset[Need]) -> None:
        seconds = FIRST_S if "diagnosis" in needs else SURVEY_S
        reads = list(self._parts.parts(subject, taken, needs))
        if "diagnosis" in needs:
            reads += self._surroundings.first(subject, taken)
        known = self._installed.knows("Rollout")
        await taken.gather(reads, seconds=seconds)
        taken.left += await self._saved(subject.entity, known=known)
        if "jobs" in taken.rows:
            jobs = newest_jobs(taken.rows["jobs"], most=_JOBS_LOOKED_INTO)
            await taken.gather([("pods", partial(self._parts.pods_of_job, job)) for job in jobs])
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
        by_sets = subject.entity.kind in BY_SETS
        found = taken.rows["pods"]
        sets = taken.rows.get("replica_sets") if by_sets else []
        own = found if subject.entity.kind == "Pod" else owned_pods(found, subject.object, sets)
        mine = {uid_of(pod) for pod in own}
        taken.rows["pods"] = own
        taken.rows["neighbours"] = [pod for pod in found if uid_of(pod) not in mine and controller_of(pod)]

    def _events(self, subject: Subject, taken: Pass) -> Iterator[Read]:
        """Of the workload, its newest ReplicaSet and the pods in the worst state, each asked for by uid: names are
        used again, and others' events must not be blamed on these."""
        newest = newest_set(taken.rows.get("replica_sets", ()))
        pods = worst(taken.rows.get("pods", ()), subject.at, most=EVENT_PODS)
        uids = [uid_of(row) for row in (subject.object, newest, *pods) if row is not None]
        yield from (events_of(self._lists, subject.entity.namespace, uid) for uid in dict.fromkeys(uids) if uid)

    def _node_events(self, entity: Entity, node: Raw) -> Iterator[Read]:
        """The kubelet writes its node's name where controllers write the uid; both keep to this namespace."""
        yield from (events_of(self._lists, "default", uid) for uid in (uid_of(node), entity.workload))
