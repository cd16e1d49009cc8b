"""What is wrong with a workload as a whole: members that block it, nodes without a pod, pods that it shares."""

from __future__ import annotations

from collections.abc import Iterator

from chatops_bot.domain.diagnosis.checks.services import selecting
from chatops_bot.domain.diagnosis.examining import Check, Scene
from chatops_bot.domain.diagnosis.findings import Finding
from chatops_bot.domain.diagnosis.pods import PodRow, is_leftover
from chatops_bot.domain.diagnosis.proving import proof, quoted
from chatops_bot.domain.objects import (
    at,
    controller_of,
    instant,
    items,
    label,
    listed,
    name_of,
    number,
    replicas_of,
    text,
    uid_of,
)
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.offers import Offer
from chatops_bot.domain.rollout import observed_by_controller, partition_of
from chatops_bot.domain.say import say

STUCK_MS = 300_000
"""A pod of a StatefulSet that only is not ready may be replaying its log; after so long it blocks the others."""
REVISION_LABEL = "controller-revision-hash"


def member_blocks(scene: Scene) -> Iterator[Finding]:
    """The first pod of a StatefulSet that is broken, where the others wait for it."""
    workload = scene.observed.object
    if scene.observed.entity.kind != "StatefulSet" or not replicas_of(workload) or not observed_by_controller(workload):
        return
    broken = _first_broken(scene)
    if broken is None:
        return
    row, pod = broken
    ordered = text(workload, "spec", "podManagementPolicy") != "Parallel"
    revision, update = label(pod, REVISION_LABEL), text(workload, "status", "updateRevision")
    updating = bool(update) and update != text(workload, "status", "currentRevision")
    delete = Offer("delete_pod", {"pod": row.name})
    if ordered and revision and update and revision != update and _ordinal(row.name) >= partition_of(workload):
        key, offers = "finding.stateful_stale", [delete]
    elif updating and revision == update:
        key = "finding.stateful_broken" if ordered else "finding.stateful_broken_parallel"
        offers = [Offer("rollback"), delete] if ordered else [Offer("rollback")]
    else:
        yield from _waiting_behind(scene, row, ordered=ordered)
        return
    yield Finding(
        "stateful_stuck",
        "danger",
        say(key, pod=row.name, state=row.state, revision=revision, update=update),
        where=row.name,
        object=f"pod/{row.name}",
        evidence=(
            proof(f"pod/{row.name}", f"metadata.labels[{REVISION_LABEL}]", revision),
            quoted(scene.observed.entity.target, workload, "status", "updateRevision"),
            quoted(scene.observed.entity.target, workload, "status", "currentRevision"),
        ),
        causes=("why.new_revision",),
        offers=tuple(offers),
    )


def _first_broken(scene: Scene) -> tuple[PodRow, Raw] | None:
    """By ordinal; young pods, and those that are still starting, are not broken."""
    pods = {name_of(pod): pod for pod in scene.observed.pods}
    for row in sorted(scene.rows, key=lambda row: (_ordinal(row.name), row.name)):
        if row.healthy or row.finding is None or row.finding.code in ("startup", "restarted"):
            continue
        created = instant(at(pods.get(row.name), "metadata", "creationTimestamp"))
        if row.finding.severity == "danger" or (created and scene.now - created > STUCK_MS):
            return row, pods.get(row.name, {})
    return None


def _ordinal(pod: str) -> int:
    number = pod.rpartition("-")[2]
    return int(number) if number.isascii() and number.isdigit() else 0


def _waiting_behind(scene: Scene, row: PodRow, *, ordered: bool) -> Iterator[Finding]:
    start = number(scene.observed.object, "spec", "ordinals", "start")
    missing = replicas_of(scene.observed.object) - len([one for one in scene.rows if not one.ended])
    if not ordered or missing <= 0 or _ordinal(row.name) - start >= replicas_of(scene.observed.object):
        return
    yield Finding(
        "stateful_stuck",
        "warn",
        say("finding.stateful_waiting", pod=row.name, state=row.state, count=missing),
        where=row.name,
        object=f"pod/{row.name}",
        evidence=(proof(scene.observed.entity.target, "spec.podManagementPolicy", "OrderedReady"),),
    )


def own_service_missing(scene: Scene) -> Iterator[Finding]:
    """A StatefulSet names the headless Service by which its pods are found; nothing makes that."""
    name, around = text(scene.observed.object, "spec", "serviceName"), scene.observed.around
    if scene.observed.entity.kind != "StatefulSet" or not name or around.others is None:
        return
    if name in around.others or name in {name_of(row) for row in around.services}:
        return
    about = scene.observed.entity.target
    yield Finding(
        "stateful_stuck",
        "warn",
        say("finding.stateful_service", service=name),
        where="service",
        hard=False,
        object=about,
        evidence=(quoted(about, scene.observed.object, "spec", "serviceName"),),
    )


def nodes_without(scene: Scene) -> Iterator[Finding]:
    """Nodes on which a DaemonSet has no ready pod, though it should. A rollout takes pods away one after another."""
    workload, about = scene.observed.object, scene.observed.entity.target
    if scene.observed.entity.kind != "DaemonSet" or not observed_by_controller(workload):
        return
    desired, ready = number(workload, "status", "desiredNumberScheduled"), number(workload, "status", "numberReady")
    missing = desired - number(workload, "status", "currentNumberScheduled", default=desired)
    pods = {name_of(pod): pod for pod in scene.observed.pods}
    bad = [row for row in scene.rows if not row.healthy and not row.ended and _in_trouble(row)]
    nodes = sorted({node_of(pods.get(row.name, {})) for row in bad} - {""})
    if ready < desired and (bad or (missing > 0 and scene.rollout.state != "waiting")):
        yield Finding(
            "daemon_incomplete",
            "warn",
            say("finding.daemon_incomplete", ready=ready, desired=desired, nodes=listed(nodes, most=5) or "?"),
            hard=False,
            object=about,
            evidence=tuple(
                quoted(about, workload, "status", field)
                for field in ("desiredNumberScheduled", "currentNumberScheduled", "numberReady")
            ),
            # What keeps pods that are there is a finding of its own.
            causes=("why.taints", "why.node_full") if missing > 0 and not bad else (),
        )
    stray = number(workload, "status", "numberMisscheduled")
    if stray:
        line = say("finding.daemon_misscheduled", count=stray)
        evidence = (quoted(about, workload, "status", "numberMisscheduled"),)
        yield Finding("daemon_incomplete", "info", line, "stray", hard=False, object=about, evidence=evidence)


def _in_trouble(row: PodRow) -> bool:
    return row.finding is not None and row.finding.code != "startup"


def node_of(pod: Raw) -> str:
    """The node that a pod is on, or that a DaemonSet's pod is meant for."""
    placed = text(pod, "spec", "nodeName")
    if placed:
        return placed
    required = ("spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
    for term in items(pod, *required, "nodeSelectorTerms"):
        for field in items(term, "matchFields"):
            values = at(field, "values")
            if text(field, "key") == "metadata.name" and isinstance(values, list) and values:
                return str(values[0])
    return ""


def overlap(scene: Scene) -> Iterator[Finding]:
    """Pods of others that its selector matches: they are counted by its autoscaler and served by its Services. Those of
    a Job, or of nobody, come and go and are only mentioned."""
    observed = scene.observed
    if observed.rollouts:  # an Argo Rollout works through the Deployment that it refers to, by design
        return
    own = {uid_of(observed.object), *(uid_of(row) for row in observed.replica_sets)}
    owners: dict[str, list[str]] = {}
    for pod in observed.around.neighbours:
        owner = controller_of(pod)
        if is_leftover(pod) or (owner and text(owner, "uid") in own):
            continue
        target = f"{text(owner, 'kind').lower()}/{text(owner, 'name')}" if owner else "-"
        owners.setdefault(target, []).append(name_of(pod))
    for target, pods in owners.items():
        yield Finding(
            "overlap",
            "info" if target == "-" or target.startswith("job/") else "warn",
            say("finding.overlap", owner=target, count=len(pods), names=listed(pods)),
            where=target,
            hard=False,
            object=observed.entity.target,
            evidence=(
                proof(observed.entity.target, "spec.selector", _selector(observed.object)),
                proof(f"pod/{pods[0]}", "metadata.ownerReferences", target),
            ),
            causes=("why.same_labels",),
        )


def _selector(workload: Raw) -> str:
    labels = at(workload, "spec", "selector", "matchLabels")
    return ", ".join(f"{key}={value}" for key, value in labels.items()) if isinstance(labels, dict) else "-"


def alone(scene: Scene) -> Iterator[Finding]:
    """What nothing makes again, or what serves alone: said, never an alarm."""
    observed, about = scene.observed, scene.observed.entity.target
    if observed.entity.kind == "Pod" and not controller_of(observed.object):
        evidence = (proof(about, "metadata.ownerReferences", "-"),)
        yield Finding("unmanaged", "info", say("finding.unmanaged"), hard=False, object=about, evidence=evidence)
    if observed.entity.kind not in ("Deployment", "StatefulSet", "Rollout") or replicas_of(observed.object) != 1:
        return
    names = [name_of(service) for service in selecting(scene)]
    if names:
        yield Finding(
            "unmanaged",
            "info",
            say("finding.single_replica", services=listed(names)),
            hard=False,
            object=about,
            evidence=(quoted(about, observed.object, "spec", "replicas"),),
        )


CHECKS: tuple[Check, ...] = (member_blocks, own_service_missing, nodes_without, overlap, alone)
