"""Pods that find no node: for want of room, of a volume, or of a node that they may use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

import msgspec

from chatops_bot.domain.amounts import amounts, asked, shown, total
from chatops_bot.domain.diagnosis.examining import Check, Scene
from chatops_bot.domain.diagnosis.findings import Evidence, Finding
from chatops_bot.domain.diagnosis.pending import Lack, Reason, reasons, resources_of, taints_of
from chatops_bot.domain.diagnosis.pods import is_leftover, of_pod, shows, unplaced
from chatops_bot.domain.diagnosis.proving import proof, quoted
from chatops_bot.domain.diagnosis.remedies import created, node_offer, offering, offers, way_back
from chatops_bot.domain.objects import (
    annotation,
    at,
    clause,
    condition,
    flag,
    has,
    instant,
    items,
    listed,
    mapping,
    name_of,
    span,
    text,
)
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.offers import Offer
from chatops_bot.domain.placing import takes, takes_once_open, untolerated
from chatops_bot.domain.say import Say, say

CLAIM_MS = 120_000
"""A claim that waits for so long for its volume gets none by waiting."""
_SHOWN_NODES = 3
_SHOWN_TAINTS = 4
_TAINTED = re.compile(r"untolerated taint\(s\)(?! \{)")
_DEFAULT = "storageclass.kubernetes.io/is-default-class"
_LABELS = "node affinity/selector"
"""The scheduler's words for the labels that a pod wants of its node."""
_MISSING = re.compile(r'persistentvolumeclaim "([^"]{1,253})" not found')
_NO_CLASS = "storageclass.storage.k8s.io"
_IN_ZONE = ("volume node affinity", "available volume zone")


def _unplaced(scene: Scene, code: str) -> Iterator[tuple[Raw, Finding, tuple[Reason, ...]]]:
    for pod in scene.observed.pods:
        found = unplaced(pod, scene.now)
        if found is not None and found.code == code:
            message = text(condition(pod, "PodScheduled"), "message")
            yield pod, of_pod(pod, _by_name(scene, pod, found)), reasons(message)


def _by_name(scene: Scene, pod: Raw, found: Finding) -> Finding:
    """The scheduler's words with the labels that the pod wants of a node, and with the taints, as far as nodes were
    read: since 1.34 it only counts these."""
    message = str(found.line.args.get("message", ""))
    if wanted := _wanted_labels(pod):
        message = message.replace(_LABELS, f"{_LABELS} ({wanted})")
    if taints := _taints(scene, pod):
        message = _TAINTED.sub(lambda _: f"untolerated taint(s) {{{', '.join(taints)}}}", message)
    return msgspec.structs.replace(found, line=Say(found.line.key, {**found.line.args, "message": message}))


def _taints(scene: Scene, pod: Raw) -> list[str]:
    """The taints of nodes that it does not tolerate, the commonest first; a cordoned node has one by that."""
    rows = [
        f"{text(taint, 'key')}: {text(taint, 'value')}".rstrip(": ")
        for node in scene.observed.nodes
        for taint in untolerated(node, pod)
        if not flag(node, "spec", "unschedulable")
    ]
    return sorted(set(rows), key=lambda row: (-rows.count(row), row))[:_SHOWN_TAINTS]


def no_capacity(scene: Scene) -> Iterator[Finding]:
    """No node that they may use has room: with what they need and what is free, where the nodes were read."""
    for pod, found, why in _unplaced(scene, "no_capacity"):
        needs = _needs(scene, pod, why)
        asks = asked(pod)
        short = [f"{shown(name, asks[name])} {name}" for name in resources_of(why) if name in asks]
        if needs is None and short:
            needs = say("finding.no_capacity_asks", needs=", ".join(short))
        if needs is not None:
            found = msgspec.structs.replace(found, line=Say(needs.key, {**found.line.args, **needs.args}))
        rows = tuple(
            shows(pod, f"spec.containers[].resources.requests.{name}", shown(name, asks[name]))
            for name in resources_of(why)
            if name in asks
        )
        found = _scaler(scene, pod, msgspec.structs.replace(found, evidence=(*rows, *found.evidence)))
        yield offering(found, way_back(scene, pod, created(pod)), _uncordon(scene, pod, why), _fewer(scene))


def _needs(scene: Scene, pod: Raw, why: tuple[Reason, ...]) -> Say | None:
    """What the pod asks for of the scarcest resource, and the node that has most of it."""
    observed = scene.observed
    for resource in resources_of(why):
        wanted = asked(pod).get(resource)
        nodes = [node for node in observed.nodes if takes(node, pod)]
        if not wanted or not nodes:
            continue
        there = {name_of(node): amounts(node, "status", "allocatable").get(resource, Fraction(0)) for node in nodes}
        largest = max(there, key=lambda name: there[name])
        if wanted > there[largest]:
            key, free, node = "finding.no_capacity_ever", there[largest], largest
        elif observed.elsewhere:
            left = {name: value - _taken(observed.elsewhere, name, resource) for name, value in there.items()}
            node = max(left, key=lambda name: left[name])
            key, free = "finding.no_capacity_needs", max(Fraction(0), left[node])
        else:
            continue
        needs = f"{shown(resource, wanted)} {resource}"
        return say(key, needs=needs, free=shown(resource, free), node=node)
    return None


def _taken(pods: tuple[Raw, ...], node: str, resource: str) -> Fraction:
    return total(pod for pod in pods if text(pod, "spec", "nodeName") == node).get(resource, Fraction(0))


def _fewer(scene: Scene) -> tuple[Offer, ...]:
    """Fewer replicas fit, where an autoscaler or somebody has asked for more than there is room for."""
    if scene.observed.autoscalers:
        return offers(scene, "set_autoscaler")
    return offers(scene, "scale") if any(row.healthy for row in scene.rows) else ()


def _scaler(scene: Scene, pod: Raw, found: Finding) -> Finding:
    """What the cluster autoscaler says of the pod: a node is coming, or none would help."""
    about = f"pod/{name_of(pod)}"
    told = scene.told(about, "TriggeredScaleUp", "NotTriggerScaleUp")
    if not told:
        return found
    coming = told[0].reason == "TriggeredScaleUp"
    return msgspec.structs.replace(
        found,
        severity="warn" if coming else found.severity,
        hard=found.hard and not coming,
        causes=("why.scaler_coming" if coming else "why.scaler_stuck", *found.causes),
        evidence=(*found.evidence, proof(about, f"event {told[0].reason}", told[0].message)),
    )


def _cordoned(scene: Scene, pod: Raw) -> list[str]:
    """The cordoned nodes that were read and would take the pod otherwise, empty as they may be by now."""
    needs = asked(pod)
    found = []
    for name, node in scene.hosts.items():
        if flag(node, "spec", "unschedulable") and takes_once_open(node, pod):
            has_most = amounts(node, "status", "allocatable")
            if all(needs[row] <= has_most[row] for row in needs if row in has_most):
                found.append(name)
    return found


def _uncordon(scene: Scene, pod: Raw, why: tuple[Reason, ...]) -> list[Offer]:
    """Such nodes, where the scheduler counts some among those that will not do."""
    names = _cordoned(scene, pod) if any(one.lacking == "cordoned" for one in why) else []
    return [node_offer(scene, "uncordon", name) for name in names[:_SHOWN_NODES]]


def unschedulable(scene: Scene) -> Iterator[Finding]:
    """Taints, labels, spreading, ports, cordoned nodes: which of them, by name."""
    for pod, found, why in _unplaced(scene, "unschedulable"):
        lacking = {one.lacking for one in why}
        names = _cordoned(scene, pod) if "cordoned" in lacking else []
        if any(flag(node, "spec", "unschedulable") for node in scene.hosts.values()) and not names:
            others = tuple(cause for cause in found.causes if cause != "why.cordoned")
            found = msgspec.structs.replace(found, causes=others)
        if names:
            line = Say("finding.unschedulable_cordoned", {**found.line.args, "nodes": listed(names)})
            found = msgspec.structs.replace(found, line=line)
        evidence = (*found.evidence, *_rules(pod, lacking, taints_of(why) or _taints(scene, pod)))
        evidence += tuple(proof(f"node/{name}", "spec.unschedulable", "true") for name in names[:_SHOWN_NODES])
        found = _scaler(scene, pod, msgspec.structs.replace(found, evidence=evidence))
        yield offering(found, _uncordon(scene, pod, why), way_back(scene, pod, created(pod)))


def _rules(pod: Raw, lacking: set[Lack], taints: list[str]) -> Iterator[Evidence]:
    """What of the pod's spec the nodes do not meet."""
    if "taint" in lacking and taints:
        yield shows(pod, "spec.tolerations lack", ", ".join(taints))
    if "labels" in lacking:
        yield shows(pod, "spec.nodeSelector", _wanted_labels(pod))
        if mapping(pod, "spec", "affinity", "nodeAffinity"):
            yield shows(pod, "spec.affinity.nodeAffinity", mapping(pod, "spec", "affinity", "nodeAffinity"))
    if "spread" in lacking:
        for path in (("topologySpreadConstraints",), ("affinity", "podAntiAffinity"), ("affinity", "podAffinity")):
            if has(pod, "spec", *path):
                yield shows(pod, ".".join(("spec", *path)), at(pod, "spec", *path))
    if "port" in lacking:
        ports = [str(port["hostPort"]) for row in items(pod, "spec", "containers") for port in _host_ports(row)]
        yield shows(pod, "spec.containers[].ports[].hostPort", ", ".join(ports))


def _wanted_labels(pod: Raw) -> str:
    return ", ".join(f"{key}={value}" for key, value in mapping(pod, "spec", "nodeSelector").items())


def _host_ports(container: Raw) -> list[Raw]:
    return [port for port in items(container, "ports") if "hostPort" in port]


def volumes(scene: Scene) -> Iterator[Finding]:
    """Claims that have no volume, and volumes that no node of the pod can reach."""
    told: set[str] = set()
    for pod in scene.observed.pods:
        for claim in _claims(scene, pod):
            found = _claim(scene, claim)
            if found is not None and not is_leftover(pod) and not text(pod, "metadata", "deletionTimestamp"):
                told.add(name_of(pod))
                yield msgspec.structs.replace(found, pods=(name_of(pod),))
    for pod, found, why in _unplaced(scene, "volume"):
        missing = _MISSING.search(" ".join(one.words for one in why))
        if missing is not None:
            line = Say("finding.claim_missing", {**found.line.args, "claim": missing[1]})
            found = msgspec.structs.replace(found, line=line, where=missing[1])
        if name_of(pod) not in told:
            yield msgspec.structs.replace(found, causes=_why_volume(why))


def _why_volume(why: tuple[Reason, ...]) -> tuple[str, ...]:
    words = " ".join(one.words.lower() for one in why)
    if any(part in words for part in _IN_ZONE):
        return ("why.zone",)
    return ("why.claim_missing",) if "not found" in words else ("why.provisioner", "why.class_missing")


def _claims(scene: Scene, pod: Raw) -> list[Raw]:
    """Those that the pod's volumes name; one of its own is called after pod and volume."""
    names = {
        text(row, "persistentVolumeClaim", "claimName")
        or (f"{name_of(pod)}-{text(row, 'name')}" if "ephemeral" in row else "")
        for row in items(pod, "spec", "volumes")
    } - {""}
    return [claim for claim in scene.observed.around.claims if name_of(claim) in names]


def _claim(scene: Scene, claim: Raw) -> Finding | None:
    name, phase = name_of(claim), text(claim, "status", "phase")
    about = f"persistentvolumeclaim/{name}"
    wanted = text(claim, "spec", "storageClassName")
    evidence: tuple[Evidence, ...] = (
        quoted(about, claim, "status", "phase"),
        quoted(about, claim, "spec", "storageClassName"),
    )
    if phase == "Lost":
        line = say("finding.claim_lost", claim=name, name=text(claim, "spec", "volumeName") or "?")
        return Finding("volume", "danger", line, where=name, object=about, evidence=evidence)
    if phase != "Pending" or text(claim, "spec", "volumeName"):
        return None
    age = scene.now - instant(mapping(claim, "metadata").get("creationTimestamp"))
    failed = scene.told(about, "ProvisioningFailed")
    no_class = [one for one in failed if _NO_CLASS in one.message.lower() and "not found" in one.message.lower()]
    classes = {name_of(row): row for row in scene.observed.around.classes}
    line, causes = say("finding.claim_pending", claim=name, ago=span(age), name=wanted or "-"), ("why.provisioner",)
    if no_class:
        line, causes = say("finding.claim_class", claim=name, name=wanted or "-"), ("why.class_missing",)
        evidence = (*evidence, proof(about, "event ProvisioningFailed", no_class[0].message))
    elif failed:
        line = say("finding.claim_failed", claim=name, name=wanted or "-", message=clause(failed[0].message))
        evidence = (*evidence, proof(about, "event ProvisioningFailed", failed[0].message))
    elif _without_class(scene, claim, classes):
        key = "finding.claim_class" if wanted else "finding.claim_no_class"
        line, causes = say(key, claim=name, name=wanted or "-"), ("why.class_missing",)
    elif age < CLAIM_MS or text(classes.get(wanted), "volumeBindingMode") != "Immediate":
        return None  # a volume that is made where the pod is placed waits for that; else the scheduler's words are told
    return Finding("volume", "danger", line, where=name, object=about, evidence=evidence, causes=causes)


def _without_class(scene: Scene, claim: Raw, classes: dict[str, Raw]) -> bool:
    """Whether it names a class that is not there, or none though there is no default one. The empty name asks for a
    volume that somebody has made."""
    if not classes or scene.observed.why_unread("classes") is not None:
        return False
    wanted = at(claim, "spec", "storageClassName")
    if wanted is None:
        return not any(annotation(row, _DEFAULT) == "true" for row in classes.values())
    return isinstance(wanted, str) and bool(wanted) and wanted not in classes


CHECKS: tuple[Check, ...] = (no_capacity, unschedulable, volumes)
"""Of one pod at most one of the first two finds something."""
