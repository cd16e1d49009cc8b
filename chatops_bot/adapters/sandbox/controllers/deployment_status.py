"""What a Deployment says of itself: counters, and the conditions Available and Progressing."""

from __future__ import annotations

from chatops_bot.adapters.sandbox.conditions import condition, set_condition
from chatops_bot.adapters.sandbox.controllers.context import Context, resolve_share
from chatops_bot.adapters.sandbox.objects import Json, name_of, without_zeros
from chatops_bot.adapters.sandbox.resources import DEPLOYMENTS
from chatops_bot.adapters.sandbox.timeline import parse

_DONE = "NewReplicaSetAvailable"


def is_complete(deployment: Json) -> bool:
    status, wanted = deployment.get("status", {}), deployment["spec"]["replicas"]
    counters = (status.get("updatedReplicas", 0), status.get("replicas", 0), status.get("availableReplicas", 0))
    return all(counter == wanted for counter in counters)


def report_new_set(context: Context, deployment: Json, new: Json) -> None:
    """A rollout begins: the deadline counts from here."""
    text = f'Created new replica set "{name_of(new)}"'
    _set_progress(context, deployment, dict(deployment.get("status") or {}), "True", "NewReplicaSetCreated", text)


def report(context: Context, deployment: Json, new: Json | None, owned: list[Json]) -> None:
    deployment = context.reload(DEPLOYMENTS, deployment)
    status = _counters(deployment, new, owned)
    conditions = list(deployment.get("status", {}).get("conditions") or [])
    status["conditions"] = _available(context, deployment, status, conditions)
    progress = _progress(context, deployment, status, new)
    if progress is None:
        context.set_status(DEPLOYMENTS, deployment, status)
    else:
        _set_progress(context, deployment, status, *progress)


def _counters(deployment: Json, new: Json | None, owned: list[Json]) -> Json:
    states = [item.get("status", {}) for item in owned]
    available = sum(state.get("availableReplicas", 0) for state in states)
    sizes = sum(item["spec"]["replicas"] for item in owned)
    numbers = without_zeros(
        {
            "replicas": sum(state.get("replicas", 0) for state in states),
            "updatedReplicas": new.get("status", {}).get("replicas", 0) if new is not None else 0,
            "readyReplicas": sum(state.get("readyReplicas", 0) for state in states),
            "availableReplicas": available,
            "unavailableReplicas": max(0, sizes - available),
        }
    )
    going = sum(state.get("terminatingReplicas", 0) for state in states)
    return {**numbers, "terminatingReplicas": going, "observedGeneration": deployment["metadata"]["generation"]}


def _available(context: Context, deployment: Json, status: Json, conditions: list[Json]) -> list[Json]:
    wanted = deployment["spec"]["replicas"]
    rolling = deployment["spec"]["strategy"].get("rollingUpdate") or {"maxUnavailable": 0}
    least = wanted - resolve_share(rolling["maxUnavailable"], wanted, up=False)
    stamp = context.timeline.stamp()
    if status.get("availableReplicas", 0) >= least:
        flag, reason, message = "True", "MinimumReplicasAvailable", "Deployment has minimum availability."
    else:
        flag, reason, message = "False", "MinimumReplicasUnavailable", "Deployment does not have minimum availability."
    old = condition(deployment, "Available")
    updated = old["lastUpdateTime"] if old and old["status"] == flag else stamp
    return set_condition(
        conditions, "Available", flag, stamp=stamp, reason=reason, message=message, lastUpdateTime=updated
    )


def _progress(context: Context, deployment: Json, status: Json, new: Json | None) -> tuple[str, str, str] | None:
    """The Progressing condition to set (status, reason, message), or None to leave it as it is."""
    present = condition(deployment, "Progressing") or {}
    reason = present.get("reason", "")
    if deployment["spec"].get("paused"):
        return None if reason == "DeploymentPaused" else ("Unknown", "DeploymentPaused", "Deployment is paused")
    if reason == "DeploymentPaused":
        return "Unknown", "DeploymentResumed", "Deployment is resumed"
    if new is None or (reason == _DONE and status.get("replicas", 0) == status.get("updatedReplicas", 0)):
        return None
    if is_complete({**deployment, "status": status}):
        return "True", _DONE, f'ReplicaSet "{name_of(new)}" has successfully progressed.'
    if _moved(status, deployment.get("status", {})):
        return "True", "ReplicaSetUpdated", f'ReplicaSet "{name_of(new)}" is progressing.'
    if reason == "ProgressDeadlineExceeded" or "lastUpdateTime" not in present:
        return None
    deadline = parse(present["lastUpdateTime"]) + deployment["spec"]["progressDeadlineSeconds"]
    if context.timeline.now() < deadline:
        context.wake_at(deadline)
        return None
    return "False", "ProgressDeadlineExceeded", f'ReplicaSet "{name_of(new)}" has timed out progressing.'


def _moved(status: Json, before: Json) -> bool:
    def grown(field: str) -> bool:
        return bool(status.get(field, 0) > before.get(field, 0))

    old_pods = status.get("replicas", 0) - status.get("updatedReplicas", 0)
    old_before = before.get("replicas", 0) - before.get("updatedReplicas", 0)
    return grown("updatedReplicas") or grown("readyReplicas") or grown("availableReplicas") or old_pods < old_before


def _set_progress(context: Context, deployment: Json, status: Json, flag: str, reason: str, message: str) -> None:
    stamp = context.timeline.stamp()
    conditions = list(status.get("conditions") or [])
    status["conditions"] = set_condition(
        conditions, "Progressing", flag, stamp=stamp, reason=reason, message=message, lastUpdateTime=stamp
    )
    context.set_status(DEPLOYMENTS, deployment, status)
