"""One pod judged: its state in the words of `kubectl get pods`, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from chatops_bot.domain.diagnosis.containers import container_finding, is_sidecar
from chatops_bot.domain.diagnosis.findings import Finding
from chatops_bot.domain.diagnosis.pending import unschedulable_reasons
from chatops_bot.domain.masking import mask
from chatops_bot.domain.objects import (
    at,
    condition,
    flag,
    has,
    holds,
    instant,
    items,
    name_of,
    number,
    shortened,
    since,
    span,
    text,
)
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.say import say

STARTING_MS = 60_000
"""A pod that is not ready is starting for so long after it was created; then something is wrong with it."""
CREATING_LIMIT_MS = 120_000
"""A container that is still being created after so long is stuck (volume, network, huge image)."""
UNPLACED_MS = 120_000
"""A pod that finds no node for so long will not find one by waiting."""
TERMINATING_SLACK_MS = 30_000
"""Beyond the grace period, which `deletionTimestamp` already contains."""


class PodRow(msgspec.Struct, frozen=True):
    """A line of the pods table, with the pod's worst finding."""

    name: str
    ready: str
    state: str
    restarts: int
    age: str
    node: str
    healthy: bool
    ended: bool
    finding: Finding | None


def pod_row(pod: Raw, now_ms: int) -> PodRow:
    """The pod's line."""
    statuses = items(pod, "status", "containerStatuses")
    total = len(items(pod, "spec", "containers")) or len(statuses)
    return PodRow(
        name=name_of(pod),
        ready=f"{sum(flag(status, 'ready') for status in statuses)}/{total}",
        state=state_of(pod),
        restarts=max((number(status, "restartCount") for status in statuses), default=0),
        age=since(at(pod, "metadata", "creationTimestamp"), now_ms),
        node=text(pod, "spec", "nodeName"),
        healthy=is_ready(pod),
        ended=is_leftover(pod),
        finding=finding_of(pod, now_ms),
    )


def is_ready(pod: Raw) -> bool:
    """Ready and not being deleted."""
    return holds(pod, "Ready") and not is_deleting(pod)


def is_deleting(pod: Raw) -> bool:
    """Marked for deletion."""
    return bool(text(pod, "metadata", "deletionTimestamp"))


def is_leftover(pod: Raw) -> bool:
    """Finished for good (Succeeded, Failed, Evicted): it serves nobody, and its owner has replaced it."""
    return text(pod, "status", "phase") in ("Succeeded", "Failed")


def state_of(pod: Raw) -> str:
    """The STATUS column of kubectl: the reason that says most, in Kubernetes' own words."""
    if is_deleting(pod):
        return "Unknown" if text(pod, "status", "reason") == "NodeLost" else "Terminating"
    init = _init_state(pod)
    if init:
        return init
    for status in reversed(items(pod, "status", "containerStatuses")):
        reason = _reason(status)
        if reason:
            return reason
    phase = text(pod, "status", "phase")
    if phase == "Running" and not holds(pod, "Ready"):
        return "NotReady"
    return text(pod, "status", "reason") or phase or "Unknown"


def _reason(status: Raw) -> str:
    waiting = text(status, "state", "waiting", "reason")
    if waiting:
        return waiting
    terminated = at(status, "state", "terminated")
    if not isinstance(terminated, dict):
        return ""
    return text(terminated, "reason") or f"ExitCode:{number(terminated, 'exitCode')}"


def _init_state(pod: Raw) -> str:
    """The state as long as init containers hold the pod up, else ""."""
    statuses = items(pod, "status", "initContainerStatuses")
    for index, status in enumerate(statuses):
        if _init_done(pod, status):
            continue
        reason = _reason(status)
        if reason and reason != "PodInitializing":
            return f"Init:{reason}"
        return f"Init:{index}/{len(statuses)}"
    return ""


def _init_done(pod: Raw, status: Raw) -> bool:
    if is_sidecar(pod, text(status, "name")):
        return flag(status, "started")
    terminated = at(status, "state", "terminated")
    return isinstance(terminated, dict) and number(terminated, "exitCode") == 0


def finding_of(pod: Raw, now_ms: int) -> Finding | None:
    """What is wrong with the pod: the first that applies, causes before their consequences."""
    for check in _CHECKS:
        found = check(pod, now_ms)
        if found is not None:
            return msgspec.structs.replace(found, pods=(name_of(pod),))
    return None


def _terminating(pod: Raw, now_ms: int) -> Finding | None:
    due = instant(at(pod, "metadata", "deletionTimestamp"))
    late = now_ms - due
    if not due or late <= TERMINATING_SLACK_MS:
        return None
    finalizers = at(pod, "metadata", "finalizers")
    names = ", ".join(str(name) for name in finalizers) if isinstance(finalizers, list) else ""
    node = text(pod, "spec", "nodeName") or "-"
    key = "finding.stuck_finalizer" if names else "finding.stuck_terminating"
    return Finding("stuck_terminating", "warn", say(key, ago=span(late), finalizers=names, node=node), where=node)


def _evicted(pod: Raw, now_ms: int) -> Finding | None:
    if text(pod, "status", "reason") != "Evicted":
        return None
    message = shortened(mask(text(pod, "status", "message")))
    return Finding(
        "evicted",
        "warn",
        say("finding.evicted", node=text(pod, "spec", "nodeName") or "-", message=message),
        where=message,
    )


def _unplaced(pod: Raw, now_ms: int) -> Finding | None:
    placed = condition(pod, "PodScheduled")
    if text(placed, "status") != "False":
        return None
    message = mask(text(placed, "message"))
    if text(placed, "reason") == "SchedulingGated":
        gates = ", ".join(text(gate, "name") for gate in items(pod, "spec", "schedulingGates")) or "?"
        return Finding("gated", "danger", say("finding.gated", gates=gates), where=gates)
    reasons = unschedulable_reasons(message)
    start = instant(text(placed, "lastTransitionTime") or at(pod, "metadata", "creationTimestamp"))
    line = say("finding.unschedulable", ago=span(now_ms - start) if start else "?", message=reasons)
    # A cluster autoscaler may be about to bring a node.
    return Finding("unschedulable", "danger", line, where=reasons, hard=now_ms - start > UNPLACED_MS)


def _containers(pod: Raw, now_ms: int) -> Finding | None:
    for status, init in _statuses(pod):
        found = container_finding(pod, status, now_ms, init=init)
        if found is not None:
            return found
    return None


def _statuses(pod: Raw) -> Iterator[tuple[Raw, bool]]:
    for status in items(pod, "status", "initContainerStatuses"):
        if not _init_done(pod, status):
            yield status, True
    for status in items(pod, "status", "containerStatuses"):
        yield status, False


def _creating(pod: Raw, now_ms: int) -> Finding | None:
    waiting = {_reason(status) for status, _ in _statuses(pod)} & {"ContainerCreating", "PodInitializing"}
    start = instant(text(pod, "status", "startTime") or at(pod, "metadata", "creationTimestamp"))
    if not waiting or not start or is_leftover(pod) or now_ms - start < CREATING_LIMIT_MS:
        return None
    running = [text(status, "name") for status, init in _statuses(pod) if init and has(status, "state", "running")]
    if running:
        line = say("finding.init_waiting", container=running[0], ago=span(now_ms - start))
        return Finding("init", "warn", line, where=running[0])
    node = text(pod, "spec", "nodeName") or "-"
    return Finding("stuck_creating", "warn", say("finding.stuck_creating", ago=span(now_ms - start), node=node), node)


def _not_ready(pod: Raw, now_ms: int) -> Finding | None:
    if text(pod, "status", "phase") != "Running" or holds(pod, "Ready") or is_deleting(pod):
        return None
    statuses = items(pod, "status", "containerStatuses")
    names = [text(status, "name") for status in statuses if not flag(status, "ready")]
    ago = since(text(condition(pod, "Ready"), "lastTransitionTime") or text(pod, "status", "startTime"), now_ms)
    young = now_ms - instant(at(pod, "metadata", "creationTimestamp")) < STARTING_MS
    if young or any(at(status, "started") is False for status in statuses):
        line = say("finding.startup", container=", ".join(names) or "?", ago=ago)
        return Finding("startup", "warn", line, where=",".join(names), hard=False)
    line = say("finding.not_ready", container=", ".join(names) or "?", ago=ago)
    return Finding("not_ready", "warn", line, where=",".join(names), hard=False)


_CHECKS: tuple[Callable[[Raw, int], Finding | None], ...] = (
    _terminating,
    _evicted,
    _unplaced,
    _containers,
    _creating,
    _not_ready,
)
