"""Which services an alert's labels are about: for certain, or as a suggestion for a person to choose from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from chatops_bot.domain.entities import Service

Labels = Mapping[str, str]

_WORKLOAD_LABELS: Final = ("deployment", "statefulset", "daemonset")
_NAMING: Final = ("service", "app", "app_kubernetes_io_name", "component", "job", "container", "workload", "owner_name")
"""Labels whose value often is the name of a service; what they say is offered, and never believed."""
_OFFERED: Final = 5
"""As many as can be told apart on a phone."""


def among(alerts: Iterable[Labels], services: Sequence[Service], clusters: Sequence[str]) -> tuple[Service, ...]:
    """The services that these alerts are about for certain, in the order of the alerts."""
    known = Known(services, clusters)
    found: dict[str, Service] = {}
    for labels in alerts:
        for service in known.of(labels):
            found.setdefault(service.entity.key, service)
    return tuple(found.values())


class Known:
    """Services by what ties an alert to them, so that hundreds of alerts are looked up among thousands."""

    def __init__(self, services: Iterable[Service], clusters: Sequence[str]) -> None:
        self._single = len(clusters) == 1
        self._mapped: defaultdict[tuple[str, str], list[Service]] = defaultdict(list)
        self._named: defaultdict[tuple[str, str, str], list[Service]] = defaultdict(list)
        for service in services:
            if service.alerts:
                self._mapped[min(service.alerts.items())].append(service)
            entity = service.entity
            self._named[entity.kind.lower(), entity.namespace, entity.workload].append(service)

    def of(self, labels: Labels) -> list[Service]:
        """The services that an alert is about: those with the most labels of their `alerts` mapping in it, else the
        one workload that its labels name exactly. Two that fit equally well are both given."""
        possible = [service for pair in labels.items() for service in self._mapped.get(pair, ())]
        fitting = [service for service in possible if service.alerts.items() <= labels.items()]
        if fitting:
            most = max(len(service.alerts) for service in fitting)
            return [service for service in fitting if len(service.alerts) == most]
        namespace = labels.get("namespace", "")
        return [
            service
            for kind in _WORKLOAD_LABELS
            for service in self._named.get((kind, namespace, labels.get(kind, "")), ())
            if self._in_cluster(labels, service)
        ]

    def _in_cluster(self, labels: Labels, service: Service) -> bool:
        """An alert without a cluster is only believed to be about ours where there is just one."""
        cluster = labels.get("cluster")
        return cluster == service.entity.cluster or (cluster is None and self._single)


def candidates_of(alerts: Sequence[Labels], services: Sequence[Service]) -> tuple[Service, ...]:
    """Services that may be meant where none is for certain: those called as a label says, in the alert's namespace
    before any other; the likeliest first. Offered only."""
    scores: dict[str, tuple[int, Service]] = {}
    for labels in alerts[:_OFFERED]:
        names = {labels[name].casefold() for name in (*_NAMING, *_WORKLOAD_LABELS) if labels.get(name)}
        pod = labels.get("pod", "").casefold()
        for service in services:
            if score := _likeness(service, labels, names, pod):
                known = scores.get(service.entity.key, (0, service))[0]
                scores[service.entity.key] = known + score, service
    best = max((score for score, _ in scores.values()), default=0)
    ranked = sorted(scores.values(), key=lambda pair: (-pair[0], pair[1].entity.key))
    return tuple(service for score, service in ranked if 2 * score > best)[:_OFFERED]


def _likeness(service: Service, labels: Labels, names: set[str], pod: str) -> int:
    """How much speaks for it; nothing does where the alert names another namespace or cluster."""
    entity = service.entity
    if labels.get("namespace", entity.namespace) != entity.namespace:
        return 0
    if labels.get("cluster", entity.cluster) != entity.cluster:
        return 0
    called = {entity.name.casefold(), entity.workload.casefold(), *(alias.casefold() for alias in service.aliases)}
    score = 2 * bool(called & names) + bool(pod and pod.startswith(f"{entity.workload.casefold()}-"))
    return score + bool(score and "namespace" in labels)
