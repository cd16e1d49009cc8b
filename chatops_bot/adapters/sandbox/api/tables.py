"""Tables, the form in which `kubectl get` asks for lists so that it can show more than names."""

from __future__ import annotations

from collections.abc import Callable

from chatops_bot.adapters.sandbox.conditions import is_true
from chatops_bot.adapters.sandbox.http import HttpRequest
from chatops_bot.adapters.sandbox.objects import Json, is_deleting, name_of
from chatops_bot.adapters.sandbox.registry import Registry
from chatops_bot.adapters.sandbox.resources import Resource
from chatops_bot.adapters.sandbox.timeline import parse

Cell = str | int
Row = Callable[[Json, float], list[Cell]]


def wants_table(request: HttpRequest) -> bool:
    return "as=Table" in request.header("accept")


def as_table(resource: Resource, rows: list[Json], registry: Registry, metadata: Json | None = None) -> Json:
    """The Table of these objects, with the columns that kubectl shows for their kind; NAME and AGE for any other."""
    columns, row = _COLUMNS.get(resource.kind, (("Name", "Age"), _plain))
    now = registry.timeline.now()
    return {
        "kind": "Table",
        "apiVersion": "meta.k8s.io/v1",
        "metadata": metadata or {},
        "columnDefinitions": [_column(name, wide=name in _WIDE) for name in columns],
        "rows": [{"cells": row(obj, now), "object": _partial(obj)} for obj in rows],
    }


def _column(name: str, *, wide: bool) -> Json:
    numeric = name in _NUMERIC
    return {
        "name": name,
        "type": "integer" if numeric else "string",
        "format": "name" if name == "Name" else "",
        "description": "",
        "priority": int(wide),
    }


def _partial(obj: Json) -> Json:
    return {"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": obj["metadata"]}


def pod_state(pod: Json) -> str:
    """The STATUS column: the first thing worth knowing of the pod's phase, reason and containers."""
    status = pod.get("status", {})
    state = str(status.get("reason") or status.get("phase") or "Unknown")
    for container in status.get("containerStatuses") or []:
        now = container.get("state") or {}
        reason = (now.get("waiting") or now.get("terminated") or {}).get("reason")
        if reason and status.get("reason") is None:
            state = str(reason)
    return "Terminating" if is_deleting(pod) else state


def pod_restarts(pod: Json) -> int:
    return sum(int(item.get("restartCount", 0)) for item in pod.get("status", {}).get("containerStatuses") or [])


def age(obj: Json, now: float) -> str:
    return duration(now - parse(obj["metadata"]["creationTimestamp"]))


def duration(seconds: float) -> str:
    """`45s`, `12m`, `5h`, `3d`."""
    for unit, size, enough in (("d", 86_400, 2), ("h", 3_600, 2), ("m", 60, 2)):
        if seconds >= size * enough:
            return f"{int(seconds // size)}{unit}"
    return f"{max(0, int(seconds))}s"


def _plain(obj: Json, now: float) -> list[Cell]:
    return [name_of(obj), age(obj, now)]


def _pod(pod: Json, now: float) -> list[Cell]:
    containers = pod.get("status", {}).get("containerStatuses") or []
    ready = f"{sum(item['ready'] for item in containers)}/{len(pod['spec']['containers'])}"
    place = [pod.get("status", {}).get("podIP", "<none>"), pod["spec"].get("nodeName", "<none>")]
    return [name_of(pod), ready, pod_state(pod), pod_restarts(pod), age(pod, now), *place]


def _deployment(obj: Json, now: float) -> list[Cell]:
    status = obj.get("status", {})
    ready = f"{status.get('readyReplicas', 0)}/{obj['spec']['replicas']}"
    counts = [status.get("updatedReplicas", 0), status.get("availableReplicas", 0)]
    return [name_of(obj), ready, *counts, age(obj, now)]


def _stateful_set(obj: Json, now: float) -> list[Cell]:
    ready = f"{obj.get('status', {}).get('readyReplicas', 0)}/{obj['spec']['replicas']}"
    return [name_of(obj), ready, age(obj, now)]


def _replica_set(obj: Json, now: float) -> list[Cell]:
    status = obj.get("status", {})
    counts = [obj["spec"]["replicas"], status.get("replicas", 0), status.get("readyReplicas", 0)]
    return [name_of(obj), *counts, age(obj, now)]


def _daemon_set(obj: Json, now: float) -> list[Cell]:
    status = obj.get("status", {})
    fields = ("desiredNumberScheduled", "currentNumberScheduled", "numberReady", "updatedNumberScheduled")
    counts = [status.get(field, 0) for field in (*fields, "numberAvailable")]
    return [name_of(obj), *counts, age(obj, now)]


def _node(obj: Json, now: float) -> list[Cell]:
    state = "Ready" if is_true(obj, "Ready") else "NotReady"
    if obj["spec"].get("unschedulable"):
        state += ",SchedulingDisabled"
    version = obj.get("status", {}).get("nodeInfo", {}).get("kubeletVersion", "")
    return [name_of(obj), state, "<none>", age(obj, now), version]


def _event(obj: Json, now: float) -> list[Cell]:
    last = obj.get("lastTimestamp") or (obj.get("eventTime") or "")
    seen = duration(now - parse(last)) if last else "<unknown>"
    about = obj["involvedObject"]
    return [
        seen,
        obj.get("type", ""),
        obj.get("reason", ""),
        f"{about['kind'].lower()}/{about['name']}",
        obj["message"],
    ]


def _hpa(obj: Json, now: float) -> list[Cell]:
    target = obj["spec"].get("scaleTargetRef") or {}
    spec, status = obj["spec"], obj.get("status", {})
    counts = [spec.get("minReplicas", 1), spec["maxReplicas"], status.get("currentReplicas", 0)]
    return [name_of(obj), f"{target.get('kind')}/{target.get('name')}", _usage(obj), *counts, age(obj, now)]


def _usage(hpa: Json) -> str:
    measured = {
        item["resource"]["name"]: item["resource"]["current"].get("averageUtilization")
        for item in hpa.get("status", {}).get("currentMetrics") or []
        if item.get("type") == "Resource"
    }
    parts = []
    for metric in hpa["spec"].get("metrics") or []:
        resource = metric.get("resource") or {}
        usage, goal = measured.get(resource.get("name")), (resource.get("target") or {}).get("averageUtilization")
        shown = "<unknown>" if usage is None else f"{usage}%"
        parts.append(f"{resource.get('name', metric.get('type'))}: {shown}/{goal}%")
    return ", ".join(parts) or "<none>"


def _pdb(obj: Json, now: float) -> list[Cell]:
    spec = obj["spec"]
    bounds = [str(spec.get("minAvailable", "N/A")), str(spec.get("maxUnavailable", "N/A"))]
    return [name_of(obj), *bounds, obj.get("status", {}).get("disruptionsAllowed", 0), age(obj, now)]


def _namespace(obj: Json, now: float) -> list[Cell]:
    return [name_of(obj), obj.get("status", {}).get("phase", "Active"), age(obj, now)]


_NUMERIC = {"Up-to-date", "Available", "Desired", "Current", "MinPods", "MaxPods", "Replicas"}
# Shown by `-o wide` only.
_WIDE = {"IP", "Node"}
_COLUMNS: dict[str, tuple[tuple[str, ...], Row]] = {
    "Pod": (("Name", "Ready", "Status", "Restarts", "Age", "IP", "Node"), _pod),
    "Deployment": (("Name", "Ready", "Up-to-date", "Available", "Age"), _deployment),
    "StatefulSet": (("Name", "Ready", "Age"), _stateful_set),
    "ReplicaSet": (("Name", "Desired", "Current", "Ready", "Age"), _replica_set),
    "DaemonSet": (("Name", "Desired", "Current", "Ready", "Up-to-date", "Available", "Age"), _daemon_set),
    "Node": (("Name", "Status", "Roles", "Age", "Version"), _node),
    "Event": (("Last Seen", "Type", "Reason", "Object", "Message"), _event),
    "HorizontalPodAutoscaler": (("Name", "Reference", "Targets", "MinPods", "MaxPods", "Replicas", "Age"), _hpa),
    "PodDisruptionBudget": (("Name", "Min Available", "Max Unavailable", "Allowed Disruptions", "Age"), _pdb),
    "Namespace": (("Name", "Status", "Age"), _namespace),
}
