"""One pod judged: its state in the words of `kubectl get pods`, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from chatops_bot.domain.diagnosis.ailments import RECENT_MS, SYMPTOMS
from chatops_bot.domain.diagnosis.containers import Container, containers, is_done
from chatops_bot.domain.diagnosis.findings import Evidence, Finding, worst_of
from chatops_bot.domain.diagnosis.pending import Lack, reasons, unschedulable_reasons
from chatops_bot.domain.masking import mask
from chatops_bot.domain.objects import (
    at,
    clause,
    condition,
    flag,
    has,
    holds,
    instant,
    items,
    mapping,
    name_of,
    number,
    shortened,
    since,
    span,
    text,
)
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.say import Say, say

STARTING_MS = 60_000
"""A pod that is not ready is starting for so long after it was created, or longer where its probes say so; then
something is wrong with it."""
CREATING_LIMIT_MS = 120_000
"""A container that is still being created after so long is stuck (volume, network, huge image)."""
UNPLACED_MS = 120_000
"""A pod that finds no node for so long will not find one by waiting."""
EVICTED_MS = 86_400_000
"""An evicted pod is mentioned for so long, and an alarm within the last hour. It stays until somebody deletes it."""
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
        if is_done(pod, status):
            continue
        reason = _reason(status)
        if reason and reason != "PodInitializing":
            return f"Init:{reason}"
        return f"Init:{index}/{len(statuses)}"
    return ""


def finding_of(pod: Raw, now_ms: int) -> Finding | None:
    """What is wrong with the pod, as far as it tells itself: the worst, of equals the one nearest to a cause."""
    return worst_of(pod_findings(pod, now_ms))


def pod_findings(pod: Raw, now_ms: int) -> Iterator[Finding]:
    """All that is wrong with the pod and its containers, as far as it tells itself."""
    for symptom in SYMPTOMS_OF_POD:
        found = symptom(pod, now_ms)
        if found is not None:
            yield of_pod(pod, found)
    for seen in containers(pod, now_ms):
        yield from (of_pod(pod, found) for symptom in SYMPTOMS if (found := symptom(seen)) is not None)


def of_pod(pod: Raw, found: Finding) -> Finding:
    """The finding with the pod that it is about."""
    return msgspec.structs.replace(found, pods=(name_of(pod),), object=found.object or f"pod/{name_of(pod)}")


def shows(pod: Raw, path: str, value: object) -> Evidence:
    """What stands at a path of the pod, masked and one line."""
    return Evidence(f"pod/{name_of(pod)}", path, shortened(mask(str(value)), 160) if value else "-")


def age_ms(pod: Raw, now_ms: int) -> int:
    """Since it was created."""
    return now_ms - instant(at(pod, "metadata", "creationTimestamp"))


def stuck_terminating(pod: Raw, now_ms: int) -> Finding | None:
    """It should have gone long ago."""
    due = instant(at(pod, "metadata", "deletionTimestamp"))
    late = now_ms - due
    if not due or late <= TERMINATING_SLACK_MS:
        return None
    finalizers = at(pod, "metadata", "finalizers")
    names = ", ".join(str(name) for name in finalizers) if isinstance(finalizers, list) else ""
    node = text(pod, "spec", "nodeName") or "-"
    lost = text(pod, "status", "reason") == "NodeLost"
    key = "finding.stuck_finalizer" if names else f"finding.stuck_terminating{'_lost' if lost else ''}"
    return Finding(
        "stuck_terminating",
        "warn",
        say(key, ago=span(late), finalizers=names, node=node),
        where=f"{node} {names}",
        evidence=(
            shows(pod, "metadata.deletionTimestamp", text(pod, "metadata", "deletionTimestamp")),
            shows(pod, "metadata.finalizers", names),
            shows(pod, "spec.nodeName", node),
        ),
        causes=("why.finalizer",) if names else ("why.node_gone",) if lost else ("why.hang", "why.node_gone"),
    )


def evicted(pod: Raw, now_ms: int) -> Finding | None:
    """The kubelet put it off its node, which was short of something."""
    if text(pod, "status", "reason") != "Evicted" or now_ms - _ended(pod) > EVICTED_MS:
        return None
    message = clause(mask(text(pod, "status", "message")))
    asks = any(has(row, "resources", "requests") for row in items(pod, "spec", "containers"))
    return Finding(
        "evicted",
        "warn" if now_ms - _ended(pod) <= RECENT_MS else "info",
        say("finding.evicted", node=text(pod, "spec", "nodeName") or "-", message=message),
        where=message,
        evidence=(
            shows(pod, "status.reason", "Evicted"),
            shows(pod, "status.message", message),
            shows(pod, "status.qosClass", text(pod, "status", "qosClass")),
        ),
        causes=(
            "why.disk_growth" if "storage" in message else "why.node_short",
            *(() if asks else ("why.best_effort",)),
        ),
    )


def _ended(pod: Raw) -> int:
    """When a pod came to its end, in ms: the latest that it bears."""
    stamps = [at(row, "lastTransitionTime") for row in items(pod, "status", "conditions")]
    stamps += [at(row, "state", "terminated", "finishedAt") for row in items(pod, "status", "containerStatuses")]
    stamps += [at(pod, "status", "startTime"), at(pod, "metadata", "creationTimestamp")]
    return max(instant(stamp) for stamp in stamps)


def gated(pod: Raw, now_ms: int) -> Finding | None:
    """A scheduling gate keeps it from being looked at."""
    placed = condition(pod, "PodScheduled")
    if text(placed, "status") != "False" or text(placed, "reason") != "SchedulingGated" or is_leftover(pod):
        return None
    gates = ", ".join(text(gate, "name") for gate in items(pod, "spec", "schedulingGates")) or "?"
    return Finding(
        "gated",
        "warn",
        say("finding.gated", gates=gates),
        where=gates,
        hard=age_ms(pod, now_ms) > UNPLACED_MS,
        evidence=(shows(pod, "spec.schedulingGates", gates),),
        causes=("why.queue", "why.gate"),
    )


def unplaced(pod: Raw, now_ms: int) -> Finding | None:
    """The scheduler finds no node: for want of room, of a volume, or of a node that it may use."""
    placed = condition(pod, "PodScheduled")
    if text(placed, "status") != "False" or text(placed, "reason") == "SchedulingGated" or is_leftover(pod):
        return None
    message = mask(text(placed, "message"))
    lacking = {one.lacking for one in reasons(message)}
    code = "no_capacity" if "capacity" in lacking else "volume" if "volume" in lacking else "unschedulable"
    said = unschedulable_reasons(message)
    begun = instant(text(placed, "lastTransitionTime") or at(pod, "metadata", "creationTimestamp"))
    # A cluster autoscaler may be about to bring a node.
    hard = now_ms - begun > UNPLACED_MS
    return Finding(
        code,
        "danger" if hard else "warn",
        say(f"finding.{code}", ago=span(now_ms - begun) if begun else "?", message=said),
        where=said,
        hard=hard,
        evidence=(shows(pod, "status.conditions[PodScheduled].message", message),),
        causes=tuple(why for lack, why in _WHY_UNPLACED if lack in lacking),
    )


_WHY_UNPLACED: tuple[tuple[Lack, str], ...] = (
    ("capacity", "why.cluster_full"),
    ("capacity", "why.requests"),
    ("cordoned", "why.cordoned"),
    ("labels", "why.node_labels"),
    ("spread", "why.spread"),
    ("port", "why.host_port"),
    ("pods", "why.pods_per_node"),
    ("volumes_full", "why.volumes_per_node"),
    ("taint", "why.taint"),  # tainted nodes there are in every cluster
)


def stuck_creating(pod: Raw, now_ms: int) -> Finding | None:
    """Its containers are not even made: no volume, no network, or a huge image."""
    waiting = {_reason(seen.status) for seen in containers(pod, now_ms)} & {"ContainerCreating", "PodInitializing"}
    begun = instant(text(pod, "status", "startTime") or at(pod, "metadata", "creationTimestamp"))
    if not waiting or not begun or is_leftover(pod) or is_deleting(pod) or now_ms - begun < CREATING_LIMIT_MS:
        return None
    if any(seen.init and _reason(seen.status) not in waiting for seen in containers(pod, now_ms)):
        return None  # an init container is at it
    node = text(pod, "spec", "nodeName") or "-"
    return Finding(
        "stuck_creating",
        "warn",
        say("finding.stuck_creating", ago=span(now_ms - begun), node=node),
        node,
        evidence=(shows(pod, "status.phase", text(pod, "status", "phase")), shows(pod, "spec.nodeName", node)),
        causes=("why.mount_fails", "why.sandbox", "why.big_image"),
    )


def not_ready(pod: Raw, now_ms: int) -> Finding | None:
    """It runs, and has had its time to start, but gets no traffic."""
    if text(pod, "status", "phase") != "Running" or holds(pod, "Ready") or is_deleting(pod):
        return None
    if age_ms(pod, now_ms) < _starting_ms(pod) or not items(pod, "status", "containerStatuses"):
        return None
    running = [seen for seen in containers(pod, now_ms) if has(seen.status, "state", "running")]
    unready = [seen for seen in running if not flag(seen.status, "ready")]
    if any(at(seen.status, "started") is False for seen in unready):
        return None
    if not unready and len(running) < len(list(containers(pod, now_ms))):
        return None
    ready = condition(pod, "Ready")
    ago = since(text(ready, "lastTransitionTime") or text(pod, "status", "startTime"), now_ms)
    names = ", ".join(seen.name for seen in unready)
    line = say("finding.not_ready", container=names, ago=ago) if names else _held(pod, ago)
    return Finding(
        "not_ready",
        "warn",
        line,
        where=names or line.key,
        hard=False,
        evidence=(
            shows(pod, "status.conditions[Ready].reason", text(ready, "reason")),
            shows(pod, "status.conditions[Ready].message", text(ready, "message")),
            *(seen.probes("readinessProbe") for seen in unready[:1]),
        ),
        causes=() if names else ("why.gate",) if line.key.endswith("gate") else ("why.node_gone",),
    )


def _held(pod: Raw, ago: str) -> Say:
    """All its containers are ready."""
    gates = [text(row, "conditionType") for row in items(pod, "spec", "readinessGates")]
    closed = [gate for gate in gates if gate and not holds(pod, gate)]
    if closed:
        return say("finding.not_ready_gate", ago=ago, gates=", ".join(closed))
    reason = text(condition(pod, "Ready"), "reason") or "?"
    return say("finding.not_ready_pod", ago=ago, reason=reason, node=text(pod, "spec", "nodeName") or "-")


def _starting_ms(pod: Raw) -> int:
    """How long it may take until its readiness probes have let it pass."""
    longest = max((_probing_ms(mapping(row, "readinessProbe")) for row in items(pod, "spec", "containers")), default=0)
    return max(STARTING_MS, longest)


def _probing_ms(probe: Raw) -> int:
    delay = number(probe, "initialDelaySeconds")
    return 1000 * (delay + 3 * number(probe, "periodSeconds", default=10)) if delay else 0


def startup_budget_ms(seen: Container) -> int:
    """What its startup probe allows, 0 where it has none."""
    probe = mapping(seen.spec, "startupProbe")
    if not probe:
        return 0
    tries, period = number(probe, "failureThreshold", default=3), number(probe, "periodSeconds", default=10)
    return 1000 * (number(probe, "initialDelaySeconds") + tries * period)


def startup(pod: Raw, now_ms: int) -> Finding | None:
    """It has not finished starting: no alarm as long as its startup probe allows it."""
    if text(pod, "status", "phase") != "Running" or is_deleting(pod) or age_ms(pod, now_ms) < STARTING_MS:
        return None
    slow = [seen for seen in containers(pod, now_ms) if _is_starting(seen)]
    if not slow:
        return None
    seen, budget = slow[0], startup_budget_ms(slow[0])
    begun = instant(at(seen.status, "state", "running", "startedAt") or at(pod, "status", "startTime"))
    ago = span(now_ms - begun) if begun else "?"
    key = "finding.startup_allowed" if budget else "finding.startup"
    over = begun and now_ms - begun > max(budget, 10 * STARTING_MS)
    return Finding(
        "startup",
        "warn" if over else "info",
        say(key, container=seen.name, ago=ago, budget=span(budget)),
        where=seen.name,
        hard=False,
        evidence=(seen.shows("started"), seen.probes("startupProbe")),
        causes=("why.slow_start",),
    )


def _is_starting(seen: Container) -> bool:
    return not seen.init and has(seen.status, "state", "running") and at(seen.status, "started") is False


SYMPTOMS_OF_POD: tuple[Callable[[Raw, int], Finding | None], ...] = (
    stuck_terminating,
    evicted,
    gated,
    unplaced,
    stuck_creating,
    not_ready,
    startup,
)
"""Of one pod as a whole."""
