"""What is wrong with single pods: they do not come up, do not go, or were put off their node."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from chatops_bot.domain.diagnosis import pods as symptoms
from chatops_bot.domain.diagnosis.examining import RECENT_MS, Check, Scene
from chatops_bot.domain.diagnosis.findings import Finding
from chatops_bot.domain.diagnosis.happenings import Happening
from chatops_bot.domain.diagnosis.hosts import pressures
from chatops_bot.domain.diagnosis.pods import of_pod, shows
from chatops_bot.domain.diagnosis.proving import of_condition, proof
from chatops_bot.domain.diagnosis.remedies import is_newest, node_offer, offering, offers
from chatops_bot.domain.masking import mask
from chatops_bot.domain.objects import clause, condition, instant, listed, name_of, span, text
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.offers import Offer
from chatops_bot.domain.say import Say, say

_UNMADE: Final = (
    "FailedAttachVolume",
    "FailedMount",
    "FailedMapVolume",
    "FailedCreatePodSandBox",
    "FailedPodSandBoxStatus",
    "NetworkNotReady",
)
_NETWORK: Final = frozenset({"FailedCreatePodSandBox", "FailedPodSandBoxStatus", "NetworkNotReady"})
_NO_IP = re.compile(
    r"(?:no|not enough|insufficient|out of|available).{0,30}\bip\b|assign an ip|\bipam\b|no ip addresses", re.IGNORECASE
)
_ATTACH: Final = "FailedAttachVolume"
_SANDBOX: Final = re.compile(
    r"^Failed to create pod sandbox: (?:rpc error: code = \w+ desc = )?"
    r'(?:failed to setup network for sandbox "[^"]*": )?'
)
_USED_BY = re.compile(r"used by pod\(s\) ([a-z0-9.-]+)")
_PREEMPTED: Final = frozenset({"PreemptionByScheduler", "PreemptionByKubeScheduler"})


def stuck_terminating(scene: Scene) -> Iterator[Finding]:
    """Pods that do not go. In a StatefulSet nothing takes their place before they have. Finalizers are never taken off
    from here, and nothing is deleted by force: two writers may be worse than none."""
    for pod in scene.observed.pods:
        found = symptoms.stuck_terminating(pod, scene.now)
        if found is None:
            continue
        node = scene.hosts.get(text(pod, "spec", "nodeName"), {})
        lost = text(condition(node, "Ready"), "status") == "Unknown"
        if lost and found.line.key == "finding.stuck_terminating":
            line = Say("finding.stuck_terminating_lost", found.line.args)
            evidence = (of_condition(f"node/{name_of(node)}", condition(node, "Ready")), *found.evidence)
            found = msgspec.structs.replace(found, line=line, causes=("why.node_gone",), evidence=evidence)
        if scene.observed.entity.kind == "StatefulSet":
            found = msgspec.structs.replace(found, severity="danger")
        yield of_pod(pod, found)


def evicted(scene: Scene) -> Iterator[Finding]:
    """Pods that their nodes have put off. Those of earlier revisions are history."""
    for pod in scene.observed.pods:
        found = symptoms.evicted(pod, scene.now)
        if found is None or (scene.history.present is not None and _is_old(scene, pod)):
            continue
        name = text(pod, "spec", "nodeName")
        node = scene.hosts.get(name, {})
        short = pressures(node)
        if short:
            line = Say("finding.evicted_pressure", {**found.line.args, "pressures": ", ".join(short)})
            rows = tuple(of_condition(f"node/{name}", condition(node, kind)) for kind in short)
            found = msgspec.structs.replace(found, line=line, evidence=(*found.evidence[:2], *rows))
        cordon = [node_offer(scene, "cordon", name)] if short else []
        yield offering(of_pod(pod, found), cordon, offers(scene, "delete_pod", pod=name_of(pod)))


def _is_old(scene: Scene, pod: Raw) -> bool:
    """Of a Deployment: others do not mark their pods so that it can be told."""
    return scene.observed.entity.kind == "Deployment" and not is_newest(scene, pod)


def gated(scene: Scene) -> Iterator[Finding]:
    """Pods that a scheduling gate holds: somebody else's controller decides."""
    for pod in scene.observed.pods:
        found = symptoms.gated(pod, scene.now)
        if found is not None:
            yield of_pod(pod, found)


def stuck_creating(scene: Scene) -> Iterator[Finding]:
    """Pods whose containers are not made: which volume, or that their network fails, stands in an event. Events are
    read of few of them; what is no matter of a volume of their own is told of the others too."""
    stuck = [(pod, found) for pod in scene.observed.pods if (found := symptoms.stuck_creating(pod, scene.now))]
    told = {name_of(pod): one for pod, _ in stuck for one in scene.told(f"pod/{name_of(pod)}", *_UNMADE)[:1]}
    shared = next((one for one in told.values() if one.reason != _ATTACH), None)
    for pod, _ in stuck:
        if shared is not None and not scene.told(f"pod/{name_of(pod)}"):
            told[name_of(pod)] = shared
    nodes: dict[str, set[str]] = {}
    for pod, _ in stuck:
        if name_of(pod) in told:
            nodes.setdefault(_why_unmade(told[name_of(pod)]), set()).add(text(pod, "spec", "nodeName") or "-")
    for pod, found in stuck:
        about, one = f"pod/{name_of(pod)}", told.get(name_of(pod))
        if one is not None:
            where = nodes[_why_unmade(one)]
            yield offering(of_pod(pod, _unmade(found, one, where)), _for_unmade(scene, pod, one, where))
        elif scene.told(about, "Pulling") and not scene.told(about, "Pulled"):
            yield of_pod(pod, msgspec.structs.replace(found, causes=("why.big_image",)))
        else:
            yield of_pod(pod, found)


def _unmade(found: Finding, told: Happening, nodes: set[str]) -> Finding:
    why = _why_unmade(told)
    message = clause(_SANDBOX.sub("", told.whole))
    args = {**found.line.args, "node": listed(sorted(nodes)), "cause": why, "message": message}
    return msgspec.structs.replace(
        found,
        severity="danger",
        line=Say("finding.stuck_creating_why", args),
        where=why,
        evidence=(proof(told.about, f"event {told.reason} ×{told.count}", message), *found.evidence),
        causes=(why,),
    )


def _why_unmade(told: Happening) -> str:
    words = told.message.lower()
    if told.reason in _NETWORK:
        return "why.no_ip" if _NO_IP.search(words) else "why.sandbox"
    if told.reason == _ATTACH:
        return "why.multi_attach" if "multi-attach" in words else "why.attach"
    missing = "not found" in words and ("secret" in words or "configmap" in words)
    return "why.mount_missing" if missing else "why.mount_fails"


def _for_unmade(scene: Scene, pod: Raw, told: Happening, nodes: set[str]) -> tuple[Offer, ...]:
    """The pod that still holds the volume, where it is one of ours; else the node whose network is broken, where it is
    one alone."""
    if told.reason in _NETWORK:
        node = text(pod, "spec", "nodeName")
        return (node_offer(scene, "cordon", node),) if node and len(nodes) == 1 else ()
    holder = _USED_BY.search(told.message)
    ours = {name_of(other) for other in scene.observed.pods}
    name = holder[1].rstrip(".") if holder else ""
    return offers(scene, "delete_pod", pod=name) if name in ours and name != name_of(pod) else ()


def preempted(scene: Scene) -> Iterator[Finding]:
    """Pods that had to make room for others of a higher priority. Most are gone already: an event is left. It hurts as
    long as their place is not taken."""
    marked: set[str] = set()
    hurts = any(not row.healthy and not row.ended for row in scene.rows)
    for pod in scene.observed.pods:
        found = _preempted(pod, scene.now)
        if found is not None:
            marked.add(name_of(pod))
            yield of_pod(pod, msgspec.structs.replace(found, severity="danger" if hurts else "warn"))
    for one in scene.happened("Preempted"):
        kind, _, name = one.about.partition("/")
        if kind == "pod" and name not in marked:
            marked.add(name)
            yield msgspec.structs.replace(
                _preemption(one.message, scene.now - one.at),
                severity="danger" if hurts else "warn",
                pods=(name,),
                object=one.about,
                evidence=(proof(one.about, "event Preempted", one.message),),
            )


def _preempted(pod: Raw, now: int) -> Finding | None:
    ended = condition(pod, "DisruptionTarget")
    by_scheduler = text(ended, "status") == "True" and text(ended, "reason") in _PREEMPTED
    if not by_scheduler and text(pod, "status", "reason") != "Preempting":
        return None
    at = instant(text(ended, "lastTransitionTime") or text(pod, "status", "startTime"))
    if not at or now - at > RECENT_MS:
        return None
    message = mask(text(ended, "message") or text(pod, "status", "message"))
    found = _preemption(message, now - at)
    evidence = of_condition(f"pod/{name_of(pod)}", ended) if ended else shows(pod, "status.reason", "Preempting")
    return msgspec.structs.replace(found, evidence=(evidence, shows(pod, "spec.priority", _priority(pod))))


def _priority(pod: Raw) -> str:
    value = pod.get("spec", {}).get("priority") if isinstance(pod.get("spec"), dict) else None
    return str(value) if value is not None else ""


def _preemption(message: str, ago: int) -> Finding:
    line = say("finding.preempted", ago=span(ago), message=clause(message))
    return Finding(
        "preempted", "warn", line, where="preempted", hard=False, causes=("why.priority", "why.cluster_full")
    )


CHECKS: tuple[Check, ...] = (stuck_terminating, evicted, gated, stuck_creating, preempted)
"""One a symptom."""
