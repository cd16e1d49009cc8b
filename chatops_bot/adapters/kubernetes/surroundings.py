"""What a diagnosis looks at around a workload: what routes to it, what it waits for, where it runs, what it last said.

Two rounds after the workload's own parts, within what is left of the pass's reads: what has gone wrong decides what is
worth reading.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator
from functools import partial
from typing import Final

import msgspec

from chatops_bot.adapters.kubernetes.choosing import (
    backends_of,
    claims_of,
    hosts_of,
    in_trouble,
    is_unplaced,
    lacks_pods,
    last_words,
    meets_cordoned,
    meets_many_nodes,
    names_fail,
    near_services,
    newest_jobs,
    newest_set,
    pending_balancers,
    worst,
)
from chatops_bot.adapters.kubernetes.client import Client
from chatops_bot.adapters.kubernetes.eventlists import events_of, events_of_name
from chatops_bot.adapters.kubernetes.lists import Lists, fields
from chatops_bot.adapters.kubernetes.passes import Pass, Read
from chatops_bot.adapters.kubernetes.paths import resource_path
from chatops_bot.adapters.kubernetes.podlogs import Choice, read_log
from chatops_bot.adapters.kubernetes.selectors import selector_text
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.objects import mapping, name_of, text, uid_of
from chatops_bot.domain.observed import Around, LogQuery, LogText, Raw
from chatops_bot.ports.cluster import NotFound

LOG_LINES = 20
_WORST: Final = 2
_MOST_SERVICES: Final = 20
_MOST_NEIGHBOURS: Final = 20
_DNS: Final = ("kube-system", "k8s-app=kube-dns")
"""Where the cluster's name service runs, and the label that it has kept from kube-dns."""


class Subject(msgspec.Struct, frozen=True):
    """The object that a pass is about, read at `at` (ms)."""

    entity: Entity
    object: Raw
    at: int

    @property
    def labels(self) -> Raw:
        """Of its pods."""
        if self.entity.kind == "Pod":
            return mapping(self.object, "metadata", "labels")
        template = mapping(self.object, "spec", "template", "metadata", "labels")
        return template or mapping(self.object, "spec", "selector", "matchLabels")

    @property
    def exposed(self) -> bool:
        """Whether Services may route to its pods."""
        return self.entity.kind not in ("Job", "CronJob")


class Surroundings:
    """Reads `Around`, and the events of what matters."""

    def __init__(self, client: Client, lists: Lists) -> None:
        self._client = client
        self._lists = lists

    def first(self, subject: Subject, taken: Pass) -> list[Read]:
        """What needs nothing but the workload: to be read together with its own parts."""
        reads: list[Read] = []
        if subject.exposed:
            reads.append(("services", partial(self._all_services, subject.entity.namespace, taken)))
        selector = mapping(subject.object, "spec", "selector")
        if subject.entity.kind == "Pod":
            selector = {"matchLabels": subject.labels}
        if wanted := selector_text(selector):
            reads.append(("usage", partial(self._usage, subject.entity.namespace, wanted)))
        return reads

    async def around(self, subject: Subject, taken: Pass, *, events: bool) -> Around:
        """The rest of it. `taken` has the workload's parts and what `first` names, and gets the events."""
        services, others = self._services(subject, taken)
        newest = newest_set(taken.rows.get("replica_sets", ()))
        picture = _Picture(
            subject=subject,
            services=services,
            pods=worst(taken.rows.get("pods", ()), subject.at, most=_WORST),
            newest=newest,
            lacking="pods" in taken.rows and lacks_pods(subject.object, taken.rows["pods"], newest),
            jobs=newest_jobs(taken.rows.get("jobs", ()), most=1),
        )
        logs: list[LogText] = []
        reads = list(self._second(picture, logs, events=events))
        room = max(0, taken.left - any(what == "logs" for what, _ in reads))
        await taken.gather(reads[:room])
        skipped = {what for what, _ in reads[room:]} - {what for what, _ in reads[:room]}
        if names_fail(logs) and taken.left > 0:
            path = resource_path("", "v1", "pods", namespace=_DNS[0])
            await taken.gather([("dns", partial(self._lists.rows, path, [("labelSelector", _DNS[1])], slim=True))])
        names = {name_of(row) for row in services} | {subject.entity.workload}
        taken.keep("ingresses", lambda row: bool(names.intersection(backends_of(row))))
        return Around(
            services=tuple(services),
            slices=taken.of("slices"),
            ingresses=taken.of("ingresses"),
            network=taken.of("network"),
            claims=taken.of("claims"),
            classes=taken.of("classes"),
            usage=tuple(_of_pods(taken.of("usage"), taken.of("pods"))),
            dns=taken.of("dns"),
            jobs=taken.of("jobs"),
            neighbours=taken.of("neighbours")[:_MOST_NEIGHBOURS],
            hosts=taken.of("hosts"),
            logs=tuple(logs),
            others=others,
            skipped=tuple(sorted(skipped)),
        )

    def _services(self, subject: Subject, taken: Pass) -> tuple[list[Raw], tuple[str, ...] | None]:
        """Those that matter here, and the names of the others, None where there was no look at them."""
        if "services" not in taken.rows:
            return [], None
        names = {subject.entity.workload, text(subject.object, "spec", "serviceName")} - {""}
        found = taken.rows["services"]
        near = near_services(found, subject.labels, names=names)[:_MOST_SERVICES]
        mine = {name_of(row) for row in near}
        others = tuple(name for row in found if (name := name_of(row)) not in mine)
        return near, None if taken.missed_of("services") else others

    async def _all_services(self, namespace: str, taken: Pass) -> list[Raw]:
        """Of some alone it cannot be told that another is not there."""
        rows, more = await self._lists.some(resource_path("", "v1", "services", namespace=namespace))
        if more:
            taken.miss("services", f">{len(rows)}")
        return rows

    def _second(self, seen: _Picture, logs: list[LogText], *, events: bool) -> Iterator[Read]:
        """What to read next, the most telling first: where there is not room for all, the end is left out."""
        trouble = bool(in_trouble(seen.pods) or seen.crashed)
        if seen.services:
            yield "slices", partial(self._slices, seen)
        if events:
            yield from self._events(seen)
        if trouble:
            yield from self._about_pods(seen, logs)
        if seen.lacking:
            yield from self._about_quota(seen)
        space = seen.subject.entity.namespace
        network = resource_path("networking.k8s.io", "v1", "networkpolicies", namespace=space)
        yield "network", partial(self._lists.rows, network)
        further = seen.pods[1:]
        if events:
            yield from self._events_of(seen, in_trouble(further))
        if seen.subject.exposed:
            ingresses = resource_path("networking.k8s.io", "v1", "ingresses", namespace=space)
            yield "ingresses", partial(self._lists.rows, ingresses)
        if events:
            yield from self._events_of(seen, [pod for pod in further if not in_trouble([pod])])
        if events and seen.newest is not None and not seen.lacking:
            yield from self._events_of(seen, [seen.newest])

    def _about_pods(self, seen: _Picture, logs: list[LogText]) -> Iterator[Read]:
        """What the pods in the worst state said, where they are, what they wait for."""
        entity = seen.subject.entity
        yield from (("logs", partial(self._log, entity.namespace, choice, logs)) for choice in seen.crashed[:1])
        hosts = hosts_of(in_trouble(seen.pods), most=_WORST)
        yield from (("hosts", self._named("", "v1", "nodes", host)) for host in hosts[:1])
        if meets_cordoned(seen.pods):
            path = resource_path("", "v1", "nodes")
            yield "hosts", partial(self._lists.rows, path, fields(spec__unschedulable="true"), pages=1)
        if meets_many_nodes(seen.pods):
            yield "nodes", self._nodes
        for claim in claims_of(in_trouble(seen.pods), most=_WORST):
            yield "claims", self._named("", "v1", "persistentvolumeclaims", claim, entity.namespace)
            yield events_of_name(self._lists, entity.namespace, "PersistentVolumeClaim", claim)
        if any(is_unplaced(pod) for pod in seen.pods) and claims_of(seen.pods, most=1):
            yield "classes", partial(self._lists.rows, resource_path("storage.k8s.io", "v1", "storageclasses"))
        yield from (("hosts", self._named("", "v1", "nodes", host)) for host in hosts[1:])
        yield from (("logs", partial(self._log, entity.namespace, choice, logs)) for choice in seen.crashed[1:])

    async def _nodes(self) -> list[Raw]:
        """All, or nothing where that is more than a page: of part of them it cannot be told which is the largest."""
        rows, more = await self._lists.some(resource_path("", "v1", "nodes"), pages=1, slim=True)
        return [] if more else rows

    def _about_quota(self, seen: _Picture) -> Iterator[Read]:
        for what, plural in (("quotas", "resourcequotas"), ("limits", "limitranges")):
            path = resource_path("", "v1", plural, namespace=seen.subject.entity.namespace)
            yield what, partial(self._lists.rows, path)

    def _named(
        self, group: str, version: str, plural: str, name: str, space: str = ""
    ) -> Callable[[], Awaitable[list[Raw]]]:
        path = resource_path(group, version, plural, namespace=space)
        return partial(self._lists.rows, path, fields(metadata__name=name), pages=1)

    def _events(self, seen: _Picture) -> Iterator[Read]:
        """Of the workload and the pod in the worst state, and of what makes its pods where that may be hindered. Each
        is asked for by uid: names are used again, and others' events must not be blamed on these."""
        makers = [seen.newest] if seen.newest is not None and seen.lacking else []
        yield from self._events_of(seen, [seen.subject.object, *makers, *seen.jobs, *seen.pods[:1]])
        for name in pending_balancers(seen.services)[:1]:
            yield events_of_name(self._lists, seen.subject.entity.namespace, "Service", name)

    def _events_of(self, seen: _Picture, rows: Iterable[Raw]) -> Iterator[Read]:
        uids = dict.fromkeys(uid_of(row) for row in rows)
        yield from (events_of(self._lists, seen.subject.entity.namespace, uid) for uid in uids if uid)

    async def _slices(self, seen: _Picture) -> list[Raw]:
        path = resource_path("discovery.k8s.io", "v1", "endpointslices", namespace=seen.subject.entity.namespace)
        names = ",".join(name_of(row) for row in seen.services)
        return await self._lists.rows(path, [("labelSelector", f"kubernetes.io/service-name in ({names})")], slim=True)

    async def _usage(self, namespace: str, selector: str) -> list[Raw]:
        """Nothing where the cluster has no metrics API, which is nothing to complain of."""
        path = resource_path("metrics.k8s.io", "v1beta1", "pods", namespace=namespace)
        try:
            return await self._lists.rows(path, [("labelSelector", selector)], slim=True)
        except NotFound:
            return []

    async def _log(self, namespace: str, choice: Choice, logs: list[LogText]) -> list[Raw]:
        """Adds to `logs`."""
        logs.append(await read_log(self._client, namespace, choice, LogQuery(tail=LOG_LINES)))
        return []


class _Picture(msgspec.Struct, frozen=True):
    """What the first round has shown. `pods` are those in the worst state, `lacking` whether pods may be refused."""

    subject: Subject
    services: list[Raw]
    pods: list[Raw]
    newest: Raw | None
    lacking: bool
    jobs: list[Raw]

    @property
    def crashed(self) -> list[Choice]:
        """Whose last words are worth reading."""
        once = self.subject.entity.kind in ("Job", "CronJob", "Pod")
        found = ((pod, last_words(pod, self.subject.at, once=once)) for pod in self.pods)
        return [Choice(name_of(pod), words.container, words.previous) for pod, words in found if words is not None]


def _of_pods(usage: tuple[Raw, ...], pods: tuple[Raw, ...]) -> Iterator[Raw]:
    """The figures of these pods alone: others may match the selector."""
    names = {name_of(pod) for pod in pods}
    yield from (row for row in usage if name_of(row) in names)
