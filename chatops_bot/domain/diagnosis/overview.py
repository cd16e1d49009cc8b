"""What is broken in some namespaces: one row for everything that has a problem, the worst first.

The checks are those of a diagnosis, on less: of pods only those that are not ready or have restarted are there, and
nothing around a workload. So a row is the reason to look closer, and a click on it does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Final, Literal, cast, get_args

import msgspec

from chatops_bot.domain.diagnosis.findings import Finding, rank_of
from chatops_bot.domain.diagnosis.hosts import not_ready, pressed
from chatops_bot.domain.diagnosis.pods import is_leftover, is_ready
from chatops_bot.domain.diagnosis.status import judge
from chatops_bot.domain.entities import Entity, EntityKind
from chatops_bot.domain.objects import (
    at,
    condition,
    controller_of,
    instant,
    items,
    label,
    mapping,
    name_of,
    number,
    span,
    text,
)
from chatops_bot.domain.observed import Around, Observed, Overview, Raw
from chatops_bot.domain.reports import Row
from chatops_bot.domain.rollout import RUNS, ready_pods, rollout_of, wanted_pods
from chatops_bot.domain.say import Say, say

Asked = Literal["", "restarts", "pods", "jobs"]
"""What is asked of a place: its problems, who restarts most, pods that are not ready, or jobs alone."""

STALE_MS: Final = 86_400_000
"""A Job that failed so long ago is no news: it stands behind what is broken now."""
_SOON_MS: Final = 120_000
_KINDS: Final = frozenset(get_args(EntityKind))
_HASHES: Final = ("pod-template-hash", "rollouts-pod-template-hash")

Place = tuple[str, str, str]
"""Namespace, kind and name of an object."""


class Seen(msgspec.Struct, frozen=True):
    """What one overview comes to. `hidden` are the namespaces of what the asker may not see, one for each; the counts
    leave it out."""

    rows: tuple[Row, ...] = ()
    workloads: int = 0
    pods: int = 0
    jobs: int = 0
    crons: int = 0
    nodes: int = 0
    hidden: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    """Checks that failed themselves."""

    @property
    def total(self) -> int:
        """Workloads and jobs."""
        return self.workloads + self.jobs + self.crons


class _Thing(msgspec.Struct, frozen=True):
    """Something that can be broken, with its pods and, of a CronJob, its Jobs."""

    entity: Entity
    object: Raw
    pods: tuple[Raw, ...] = ()
    jobs: tuple[Raw, ...] = ()


class _Ranked(msgspec.Struct, frozen=True):
    order: tuple[int, ...]
    row: Row


def seen_in(
    overview: Overview,
    now_ms: int,
    *,
    asked: Asked = "",
    known: Callable[[Entity], Entity],
    may: Callable[[Entity], bool],
    within: Callable[[Entity], bool],
    name: Callable[[Entity], str],
) -> Seen:
    """Its rows, worst first, and what was looked at. `known` gives the catalog's entity for one that was read, `may`
    whether the asker may see it, `within` whether it is where was asked, `name` how a row calls it."""
    things = [thing for thing in _things(overview, known) if within(thing.entity)]
    seen = [thing for thing in things if may(thing.entity)]
    kept = {thing.entity.key for thing in seen}
    hidden = [thing.entity.namespace for thing in things if thing.entity.key not in kept]
    make = {"restarts": _restarting, "pods": _unready}.get(asked, _broken)
    found: list[_Ranked] = []
    failed: set[str] = set()
    for thing in seen:
        if asked == "jobs" and thing.entity.kind not in ("Job", "CronJob"):
            continue
        found.extend(make(overview, thing, now_ms, name(thing.entity), failed))
    kinds = [thing.entity.kind for thing in seen]
    jobs, crons = sum(len(thing.jobs) for thing in seen) + kinds.count("Job"), kinds.count("CronJob")
    nodes, loose = kinds.count("Node"), kinds.count("Pod")
    return Seen(
        rows=tuple(one.row for one in sorted(found, key=lambda one: (one.order, one.row.entity.key))),
        workloads=len(kinds) - kinds.count("Job") - crons - nodes - loose,
        pods=overview.healthy + sum(len(thing.pods) for thing in seen),
        jobs=jobs,
        crons=crons,
        nodes=nodes,
        hidden=tuple(hidden),
        failed=tuple(sorted(failed)),
    )


def _things(overview: Overview, known: Callable[[Entity], Entity]) -> Iterator[_Thing]:
    """Everything that a row can be about; what belongs to another one goes with that."""
    pods: dict[Place, list[Raw]] = defaultdict(list)
    for pod in overview.pods:
        pods[_owner_of_pod(pod)].append(pod)
    jobs: dict[Place, list[Raw]] = defaultdict(list)
    crons = {_place(row) for row in overview.cron_jobs}
    alone: list[Raw] = []
    for job in overview.jobs:
        owner = controller_of(job)
        place = (text(job, "metadata", "namespace"), text(owner, "kind"), text(owner, "name"))
        if place in crons:
            jobs[place].append(job)
        else:
            alone.append(job)

    def thing(row: Raw, *, of: Iterable[Raw] = ()) -> _Thing:
        mine = [pod for one in (row, *of) for pod in pods.pop(_place(one), ())]
        return _Thing(known(_entity(overview.cluster, row)), row, tuple(mine), tuple(of))

    for row in (*overview.workloads, *alone):
        yield thing(row)
    for row in overview.cron_jobs:
        yield thing(row, of=jobs.get(_place(row), ()))
    for left in list(pods.values()):
        for pod in left:
            yield _Thing(known(_entity(overview.cluster, pod)), pod, (pod,))
    for node in overview.nodes:
        yield _Thing(known(_entity(overview.cluster, node)), node)


def _place(row: Raw) -> Place:
    return text(row, "metadata", "namespace"), text(row, "kind"), name_of(row)


def _owner_of_pod(pod: Raw) -> Place:
    """The workload or Job that made it: a ReplicaSet's name tells whose it is."""
    space, owner = text(pod, "metadata", "namespace"), controller_of(pod)
    kind, name = text(owner, "kind"), text(owner, "name")
    if kind != "ReplicaSet":
        return space, kind, name
    for key, maker in zip(_HASHES, ("Deployment", "Rollout"), strict=True):
        mark = label(pod, key)
        if mark and name.endswith(f"-{mark}"):
            return space, maker, name.removesuffix(f"-{mark}")
    return space, kind, name


def _entity(cluster: str, row: Raw) -> Entity:
    kind, name = text(row, "kind"), name_of(row)
    return Entity(
        cluster=cluster,
        namespace="" if kind == "Node" else text(row, "metadata", "namespace"),
        kind=cast("EntityKind", kind) if kind in _KINDS else "Pod",
        workload=name,
        name=name,
    )


def _observed(overview: Overview, thing: _Thing) -> Observed:
    entity = thing.entity
    names = {entity.workload, *(name_of(row) for row in (*thing.pods, *thing.jobs))}
    events = tuple(
        event
        for event in overview.events
        if text(event, "involvedObject", "namespace") == entity.namespace
        and text(event, "involvedObject", "name") in names
    )
    scalers = tuple(
        row
        for row in overview.autoscalers
        if text(row, "metadata", "namespace") == entity.namespace
        and text(row, "spec", "scaleTargetRef", "kind") == entity.kind
        and text(row, "spec", "scaleTargetRef", "name") == entity.workload
    )
    return Observed(
        entity=entity,
        at=overview.at,
        object=thing.object,
        pods=thing.pods,
        autoscalers=scalers,
        events=events,
        around=Around(jobs=thing.jobs),
        unread=("replica_sets:-",),
    )


def problems(overview: Overview, thing: _Thing, now_ms: int, failed: set[str]) -> list[Finding]:
    """What is wrong with it, worst first. Of a rollout that goes on, only what speaks against it. Checks that fail
    themselves are added to `failed`."""
    if thing.entity.kind == "Node":
        return [*not_ready(thing.object, now_ms), *pressed(thing.object, now_ms)]
    judgement = judge(_observed(overview, thing), now_ms)
    failed.update(judgement.failed)
    found = [one for one in judgement.findings if one.severity != "info"]
    if judgement.moving or (thing.entity.kind not in RUNS and judgement.wanted == 0):
        return []
    return found or list(_missing(thing, now_ms))


def _missing(thing: _Thing, now_ms: int) -> Iterator[Finding]:
    """Fewer pods than there should be, and none of those that were read tells why."""
    kind, row = thing.entity.kind, thing.object
    lacks = kind not in RUNS and ready_pods(row, kind) < wanted_pods(row, kind)
    starting = any(not is_ready(pod) for pod in thing.pods) or rollout_of(row, kind).state == "waiting"
    if lacks and not starting and now_ms - instant(at(row, "metadata", "creationTimestamp")) > _SOON_MS:
        line = say("overview.row_ageless", name=name_of(row), cause="cause.missing")
        yield Finding(code="missing", severity="warn", line=line)


def _broken(overview: Overview, thing: _Thing, now_ms: int, name: str, failed: set[str]) -> Iterator[_Ranked]:
    found = problems(overview, thing, now_ms, failed)
    if not found:
        return
    worst = found[0]
    since = _since(thing, worst)
    ago = now_ms - since if since else 0
    stale = worst.code == "job_failed" and ago > STALE_MS
    tone: Literal["warn", "danger"] = "danger" if worst.severity == "danger" and not stale else "warn"
    order = (int(stale), int(tone == "warn"), rank_of(worst), -since)
    yield _Ranked(order, Row(entity=thing.entity, line=_line(name, worst, ago, len(found) - 1), tone=tone))


def _line(name: str, worst: Finding, ago: int, more: int) -> Say:
    cause = f"cause.{worst.code}"
    if not ago:
        return say("overview.row_ageless", name=name, cause=cause)
    if more:
        return say("overview.row_more", name=name, cause=cause, ago=span(ago), more=more)
    return say("overview.row", name=name, cause=cause, ago=span(ago))


def _since(thing: _Thing, worst: Finding) -> int:
    """Since when (ms), by the conditions of what the finding is about; 0 where nothing tells."""
    if worst.code == "job_failed":
        job = next((row for row in (*thing.jobs, thing.object) if name_of(row) == worst.where), thing.object)
        return instant(text(condition(job, "Failed"), "lastTransitionTime"))
    pods = [pod for pod in thing.pods if name_of(pod) in worst.pods] or [
        pod for pod in thing.pods if not is_ready(pod) and not is_leftover(pod)
    ]
    stamps = [moment for pod in pods if (moment := _unready_since(pod))]
    if stamps:
        return min(stamps)
    kind = {"Node": "Ready", "Deployment": "Available"}.get(thing.entity.kind, "Ready")
    ended = condition(thing.object, kind)
    return instant(text(ended, "lastTransitionTime")) if text(ended, "status") not in ("", "True") else 0


def _unready_since(pod: Raw) -> int:
    for kind in ("Ready", "PodScheduled"):
        state = condition(pod, kind)
        if state and text(state, "status") != "True":
            return instant(text(state, "lastTransitionTime"))
    return 0


def _unready(overview: Overview, thing: _Thing, now_ms: int, name: str, failed: set[str]) -> Iterator[_Ranked]:
    bad = [pod for pod in thing.pods if not is_ready(pod) and not is_leftover(pod)]
    old = [pod for pod in bad if now_ms - instant(at(pod, "metadata", "creationTimestamp")) > _SOON_MS]
    if not bad:
        return
    found = problems(overview, thing, now_ms, failed)
    cause = f"cause.{found[0].code}" if found else ("cause.not_ready" if old else "cause.startup")
    danger = bool(found) and found[0].severity == "danger"
    line = say("overview.row_unready", name=name, count=len(bad), cause=cause)
    yield _Ranked(
        (int(not danger), int(not found), -len(bad)),
        Row(entity=thing.entity, line=line, tone="danger" if danger else "warn"),
    )


def _restarting(overview: Overview, thing: _Thing, now_ms: int, name: str, _failed: set[str]) -> Iterator[_Ranked]:
    counts = {name_of(pod): _restarts(pod) for pod in thing.pods}
    total = sum(count for count, _ in counts.values())
    if not total:
        return
    most = max(counts, key=lambda pod: counts[pod])
    last = max(moment for _, moment in counts.values())
    ago = span(now_ms - last) if last else "?"
    line = say("overview.row_restarts", name=name, count=total, ago=ago, pod=most)
    recent = bool(last) and now_ms - last < 3_600_000
    yield _Ranked((-total,), Row(entity=thing.entity, line=line, tone="warn" if recent else "muted"))


def _restarts(pod: Raw) -> tuple[int, int]:
    """How often its containers were started again, and when last (ms)."""
    statuses = [*items(pod, "status", "initContainerStatuses"), *items(pod, "status", "containerStatuses")]
    counted = [status for status in statuses if number(status, "restartCount")]
    ends = [
        instant(mapping(status, state, "terminated").get("finishedAt"))
        for status in counted
        for state in ("state", "lastState")
    ]
    return sum(number(status, "restartCount") for status in counted), max(ends, default=0)
