"""What of the objects that were read deserves further reads: the newest ReplicaSet, the pods in the worst state, what
these wait for. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from chatops_bot.domain.diagnosis.findings import rank_of
from chatops_bot.domain.diagnosis.pods import finding_of, is_leftover, is_ready
from chatops_bot.domain.objects import (
    annotation,
    at,
    condition,
    controller_of,
    has,
    instant,
    items,
    mapping,
    name_of,
    number,
    text,
    uid_of,
)
from chatops_bot.domain.observed import LogText, Raw
from chatops_bot.domain.selectors import selects

_CORDONED: Final = "were unschedulable"
RECENTLY_MS = 3_600_000
"""A container that ended badly no longer ago is worth a look at its log."""
_REVISIONS: Final = ("deployment.kubernetes.io/revision", "rollout.argoproj.io/revision")
_NAMES_FAIL: Final = re.compile(
    r"no such host|nxdomain|temporary failure in name resolution|name or service not known|server misbehaving"
    r"|could not resolve|getaddrinfo|enotfound|eai_again|unknownhostexception"
    r"|:53: ?(?:i/o timeout|read|connection refused)",
    re.IGNORECASE,
)
"""What Go, glibc, Node.js and Java say when a name cannot be looked up."""


def owned_pods(pods: list[Raw], workload: Raw, sets: list[Raw] | None) -> list[Raw]:
    """The pods that the workload controls: others may match the selector as well. `sets` are its ReplicaSets, None
    where they could not be read; their names begin with the Deployment's."""
    if sets is None:
        return [pod for pod in pods if text(controller_of(pod), "name").startswith(f"{name_of(workload)}-")]
    uids = {uid_of(workload), *(uid_of(row) for row in sets)}
    return [pod for pod in pods if text(controller_of(pod), "uid") in uids]


def newest_set(sets: Iterable[Raw]) -> Raw | None:
    """The ReplicaSet of the present revision; one that a rollback took up again has the highest number too."""
    return max(sets, key=lambda row: (_revision(row), text(row, "metadata", "creationTimestamp")), default=None)


def _revision(row: Raw) -> int:
    written = next((value for key in _REVISIONS if (value := annotation(row, key))), "")
    return int(written) if written.isascii() and written.isdigit() else 0


def worst(pods: Iterable[Raw], now_ms: int, *, most: int) -> list[Raw]:
    """Those in the worst state, one of each kind of trouble before a second of any; without trouble the newest."""
    rows = sorted(pods, key=lambda pod: _badness(pod, now_ms))
    seen: set[str] = set()
    first: list[Raw] = []
    further: list[Raw] = []
    for pod in rows:
        finding = finding_of(pod, now_ms)
        code = finding.code if finding is not None else ""
        (further if code in seen else first).append(pod)
        seen.add(code)
    return [*first, *further][:most]


def _badness(pod: Raw, now_ms: int) -> tuple[bool, bool, int, bool, float]:
    finding = finding_of(pod, now_ms)
    rank = rank_of(finding) if finding is not None and finding.severity != "info" else 99
    young = -instant(at(pod, "metadata", "creationTimestamp"))
    return (is_leftover(pod), is_ready(pod), rank, last_words(pod, now_ms) is None, young)


class LastWords(msgspec.Struct, frozen=True):
    """Whose log tells why a pod is as it is: the container, and whether it is that of the run before."""

    container: str
    previous: bool


def last_words(pod: Raw, now_ms: int, *, once: bool = False) -> LastWords | None:
    """Of the first container that ends again and again, or has ended badly within the last hour; None where there is
    none. A pod that is to run `once` is over when it has failed, and remains of interest; the pods of a workload that
    makes others in their place, and whose logs went with them, do not."""
    if is_leftover(pod) and not once:
        return None
    for status in _statuses(pod):
        name = text(status, "name")
        if _bad(status, "state", now_ms, once=once):
            return LastWords(name, previous=False)
        again = text(status, "state", "waiting", "reason") == "CrashLoopBackOff"
        if again or _bad(status, "lastState", now_ms, once=False):
            return LastWords(name, previous=True)
    return None


def _bad(status: Raw, place: str, now_ms: int, *, once: bool) -> bool:
    """Whether a run ended badly, and not too long ago unless it is the only one."""
    ended = mapping(status, place, "terminated")
    bad = number(ended, "exitCode") != 0 or text(ended, "reason") == "OOMKilled"
    return bad and (once or now_ms - instant(at(ended, "finishedAt")) < RECENTLY_MS)


def _statuses(pod: Raw) -> list[Raw]:
    return [*items(pod, "status", "initContainerStatuses"), *items(pod, "status", "containerStatuses")]


def in_trouble(pods: Iterable[Raw]) -> list[Raw]:
    """Pods that are neither ready nor over."""
    return [pod for pod in pods if not is_ready(pod) and not is_leftover(pod)]


def hosts_of(pods: Iterable[Raw], *, most: int) -> list[str]:
    """Names of the nodes that these pods are on, in their order."""
    return list(dict.fromkeys(name for pod in pods if (name := text(pod, "spec", "nodeName"))))[:most]


def claims_of(pods: Iterable[Raw], *, most: int) -> list[str]:
    """Names of the volume claims of those of the pods whose containers have not begun."""
    waiting = [pod for pod in pods if not any(_has_run(status) for status in _statuses(pod))]
    return list(dict.fromkeys(name for pod in waiting for name in _claims(pod)))[:most]


def _claims(pod: Raw) -> Iterator[str]:
    for volume in items(pod, "spec", "volumes"):
        if has(volume, "ephemeral"):
            yield f"{name_of(pod)}-{text(volume, 'name')}"
        elif name := text(volume, "persistentVolumeClaim", "claimName"):
            yield name


def _has_run(status: Raw) -> bool:
    return any(
        has(status, *place) for place in (("state", "running"), ("state", "terminated"), ("lastState", "terminated"))
    )


def is_unplaced(pod: Raw) -> bool:
    """Whether the scheduler has found no node for it."""
    return text(condition(pod, "PodScheduled"), "status") == "False"


def meets_cordoned(pods: Iterable[Raw]) -> bool:
    """Whether the scheduler counts cordoned nodes among those that will not do."""
    return any(is_unplaced(pod) and _CORDONED in text(condition(pod, "PodScheduled"), "message") for pod in pods)


def meets_many_nodes(pods: Iterable[Raw]) -> bool:
    """Whether the scheduler counts nodes that are too small, full or tainted, without a word on which."""
    said = [text(condition(pod, "PodScheduled"), "message") for pod in pods if is_unplaced(pod)]
    return any(word in one for one in said for word in ("Insufficient ", "untolerated taint"))


def lacks_pods(workload: Raw, pods: list[Raw], newest: Raw | None) -> bool:
    """Whether pods may be refused to it: it says so, or there are fewer than it asks for."""
    if any(text(condition(row or {}, "ReplicaFailure"), "status") == "True" for row in (workload, newest)):
        return True
    asked = number(workload, "status", "desiredNumberScheduled") or number(workload, "spec", "replicas")
    return len([pod for pod in pods if not is_leftover(pod)]) < asked


def names_fail(logs: Iterable[LogText]) -> bool:
    """Whether a log speaks of names that cannot be looked up."""
    return any(_NAMES_FAIL.search(log.text) for log in logs)


def near_services(services: Iterable[Raw], labels: Raw, *, names: Iterable[str]) -> list[Raw]:
    """The Services that select pods of these labels or would by all but one label, and those of these names."""
    wanted = set(names)
    return [row for row in services if name_of(row) in wanted or _near(mapping(row, "spec", "selector"), labels)]


def _near(selector: Raw, labels: Raw) -> bool:
    wrong = sum(labels.get(key) != value for key, value in selector.items())
    return bool(selector) and (wrong == 0 or wrong == 1 < len(selector))


def backends_of(ingress: Raw) -> Iterator[str]:
    """Names of the Services that an Ingress routes to."""
    backends = [at(ingress, "spec", "defaultBackend")]
    for rule in items(ingress, "spec", "rules"):
        backends += [at(path, "backend") for path in items(rule, "http", "paths")]
    yield from (name for backend in backends if (name := text(backend, "service", "name")))


def pending_balancers(services: Iterable[Raw]) -> list[str]:
    """Names of Services that wait for a load balancer."""
    return [
        name_of(row)
        for row in services
        if text(row, "spec", "type") == "LoadBalancer" and not items(row, "status", "loadBalancer", "ingress")
    ]


def covers(budget: Raw, labels: Raw) -> bool:
    """Whether a PodDisruptionBudget counts pods of these labels."""
    return selects(at(budget, "spec", "selector"), labels)


def newest_jobs(jobs: Iterable[Raw], *, most: int) -> list[Raw]:
    """The last that were started."""
    return sorted(jobs, key=lambda job: text(job, "metadata", "creationTimestamp"), reverse=True)[:most]
