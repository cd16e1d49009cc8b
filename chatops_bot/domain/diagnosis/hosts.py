"""What is wrong with a node, as its conditions tell."""

from __future__ import annotations

from collections.abc import Iterator

from chatops_bot.domain.diagnosis.findings import Finding
from chatops_bot.domain.diagnosis.proving import of_condition, proof, quoted
from chatops_bot.domain.masking import mask
from chatops_bot.domain.objects import (
    at,
    clause,
    condition,
    flag,
    instant,
    items,
    name_of,
    number,
    since,
    span,
    text,
)
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.say import Say, say

# Any other condition type is unknown here (`EtcdIsVoter` …) and may well be True in health.
_PRESSURES = ("MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable")
_PRESSURE_CAUSES = {
    "MemoryPressure": "why.node_memory",
    "DiskPressure": "why.disk",
    "PIDPressure": "why.node_short",
    "NetworkUnavailable": "why.kubelet",
}
NEW_MS = 120_000
"""A node that has just joined is not ready yet: its network is being set up."""


def pressures(node: Raw) -> list[str]:
    """The conditions by which it is short of something."""
    return [kind for kind in _PRESSURES if text(condition(node, kind), "status") == "True"]


def not_ready(node: Raw, now_ms: int, pods: tuple[Raw, ...] = ()) -> Iterator[Finding]:
    """It is out of contact, or says itself that it cannot run pods. A node without conditions has not spoken yet."""
    ready, name = condition(node, "Ready"), name_of(node)
    new = now_ms - instant(at(node, "metadata", "creationTimestamp")) < NEW_MS
    if not ready or text(ready, "status") == "True" or new:
        return
    lost = text(ready, "status") == "Unknown"
    about = f"node/{name}"
    yield Finding(
        "node_not_ready",
        "danger",
        _not_ready_line(name, ready, now_ms, pods),
        where=name,
        pods=tuple(name_of(pod) for pod in pods),
        object=about,
        evidence=(
            of_condition(about, ready),
            proof(about, "status.conditions[Ready].lastHeartbeatTime", text(ready, "lastHeartbeatTime") or "-"),
        ),
        causes=("why.machine", "why.kubelet") if lost else ("why.kubelet", "why.disk"),
    )


def _not_ready_line(name: str, ready: Raw, now_ms: int, pods: tuple[Raw, ...]) -> Say:
    lost = text(ready, "status") == "Unknown"
    wait = evicted_after(pods[0], "unreachable" if lost else "not-ready") if pods else None
    return say(
        "finding.node_lost" if lost and wait else "finding.node_not_ready",
        node=name,
        ago=since(text(ready, "lastTransitionTime"), now_ms),
        reason=text(ready, "reason") or "?",
        message=clause(mask(text(ready, "message"))),
        after=span(1000 * wait) if wait else "?",
    )


def evicted_after(pod: Raw, why: str) -> int | None:
    """Seconds that the pod stays on a node that is `unreachable` or `not-ready`; None where that is not said, or where
    it stays for good as those of DaemonSets do."""
    rows = [row for row in items(pod, "spec", "tolerations") if text(row, "key") == f"node.kubernetes.io/{why}"]
    found = [number(row, "tolerationSeconds", default=-1) for row in rows]
    return max(found) if found and min(found) > 0 else None


def pressed(node: Raw, now_ms: int, pods: tuple[Raw, ...] = ()) -> Iterator[Finding]:
    """It is short of memory, disk or process ids, or its network is not set up."""
    found, name = pressures(node), name_of(node)
    if not found:
        return
    about = f"node/{name}"
    yield Finding(
        "node_pressure",
        "warn",
        say(
            "finding.node_pressure",
            node=name,
            pressures=", ".join(found),
            ago=since(text(condition(node, found[0]), "lastTransitionTime"), now_ms),
        ),
        where=name,
        pods=tuple(name_of(pod) for pod in pods),
        object=about,
        evidence=tuple(of_condition(about, condition(node, kind)) for kind in found),
        causes=tuple(dict.fromkeys(_PRESSURE_CAUSES[kind] for kind in found)),
    )


def cordoned(node: Raw, pods: tuple[Raw, ...] = ()) -> Iterator[Finding]:
    """It takes no new pods: no trouble by itself."""
    if not flag(node, "spec", "unschedulable"):
        return
    name = name_of(node)
    yield Finding(
        "node_cordoned",
        "info",
        say("finding.node_cordoned", node=name),
        where=name,
        pods=tuple(name_of(pod) for pod in pods),
        hard=False,
        object=f"node/{name}",
        evidence=(quoted(f"node/{name}", node, "spec", "unschedulable"),),
        causes=("why.maintenance",),
    )
