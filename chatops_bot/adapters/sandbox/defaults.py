"""What the API server fills in where a manifest is silent."""

from __future__ import annotations

from collections.abc import Callable

from chatops_bot.adapters.sandbox.objects import Json


def fill(obj: Json) -> None:
    """Set the defaults of the object's kind, in place. Kinds without defaults are left alone."""
    fill_kind = _BY_KIND.get(obj.get("kind", ""))
    if fill_kind is not None:
        if obj.get("spec") is None:
            obj["spec"] = {}
        fill_kind(obj["spec"])


def initial_status(obj: Json) -> Json | None:
    """The status that a new object is given; a manifest's own does not count."""
    if obj["kind"] == "Pod":
        return {"phase": "Pending", "qosClass": quality_of_service(obj)}
    return {"phase": "Active"} if obj["kind"] == "Namespace" else None


def quality_of_service(pod: Json) -> str:
    resources = [container.get("resources") or {} for container in pod["spec"]["containers"]]
    if not any(item.get("requests") or item.get("limits") for item in resources):
        return "BestEffort"
    for item in resources:
        limits = item.get("limits") or {}
        if set(limits) < {"cpu", "memory"} or (item.get("requests") or limits) != limits:
            return "Burstable"
    return "Guaranteed"


def _deployment(spec: Json) -> None:
    _set(spec, {"replicas": 1, "revisionHistoryLimit": 10, "progressDeadlineSeconds": 600, "strategy": {}})
    strategy = spec["strategy"]
    strategy.setdefault("type", "RollingUpdate")
    if strategy["type"] == "RollingUpdate":
        rolling = strategy.get("rollingUpdate") or {}
        strategy["rollingUpdate"] = {"maxSurge": "25%", "maxUnavailable": "25%", **rolling}
    _template(spec)


def _replica_set(spec: Json) -> None:
    _set(spec, {"replicas": 1})
    _template(spec)


def _stateful_set(spec: Json) -> None:
    _set(spec, {"replicas": 1, "revisionHistoryLimit": 10, "podManagementPolicy": "OrderedReady"})
    _set(spec, {"serviceName": "", "updateStrategy": {}})
    spec.setdefault("persistentVolumeClaimRetentionPolicy", {"whenDeleted": "Retain", "whenScaled": "Retain"})
    strategy = spec["updateStrategy"]
    strategy.setdefault("type", "RollingUpdate")
    if strategy["type"] == "RollingUpdate":
        strategy["rollingUpdate"] = {"partition": 0, **(strategy.get("rollingUpdate") or {})}
    _template(spec)


def _daemon_set(spec: Json) -> None:
    _set(spec, {"revisionHistoryLimit": 10, "updateStrategy": {}})
    strategy = spec["updateStrategy"]
    strategy.setdefault("type", "RollingUpdate")
    if strategy["type"] == "RollingUpdate":
        strategy["rollingUpdate"] = {"maxSurge": 0, "maxUnavailable": 1, **(strategy.get("rollingUpdate") or {})}
    _template(spec)


def _template(spec: Json) -> None:
    template = spec.get("template")
    if isinstance(template, dict) and isinstance(template.get("spec"), dict):
        metadata = template.setdefault("metadata", {})
        if isinstance(metadata, dict):
            metadata.setdefault("creationTimestamp", None)
        _pod(template["spec"])


def _pod(spec: Json) -> None:
    _set(
        spec,
        {
            "restartPolicy": "Always",
            "terminationGracePeriodSeconds": 30,
            "dnsPolicy": "ClusterFirst",
            "securityContext": {},
            "schedulerName": "default-scheduler",
        },
    )
    for field in ("initContainers", "containers"):
        for container in spec.get(field) or []:
            _container(container)


def _container(container: Json) -> None:
    image = str(container.get("image", ""))
    mutable = "@" not in image and (":" not in image.rpartition("/")[2] or image.endswith(":latest"))
    _set(
        container,
        {
            "resources": {},
            "terminationMessagePath": "/dev/termination-log",
            "terminationMessagePolicy": "File",
            "imagePullPolicy": "Always" if mutable else "IfNotPresent",
        },
    )
    for port in container.get("ports") or []:
        port.setdefault("protocol", "TCP")


def _running_pod(spec: Json) -> None:
    _pod(spec)
    _set(spec, {"serviceAccountName": "default", "enableServiceLinks": True})


def _service(spec: Json) -> None:
    _set(spec, {"type": "ClusterIP", "sessionAffinity": "None"})
    for port in spec.get("ports") or []:
        _set(port, {"protocol": "TCP", "targetPort": port.get("port")})


def _autoscaler(spec: Json) -> None:
    _set(spec, {"minReplicas": 1})


def _set(target: Json, defaults: Json) -> None:
    for key, value in defaults.items():
        if target.get(key) is None:
            # A fresh object each time: the stored one must not share it.
            target[key] = dict(value) if isinstance(value, dict) else value


def _nothing(_: Json) -> None:
    """A kind whose spec is only to be there."""


_BY_KIND: dict[str, Callable[[Json], None]] = {
    "Deployment": _deployment,
    "ReplicaSet": _replica_set,
    "StatefulSet": _stateful_set,
    "DaemonSet": _daemon_set,
    "Pod": _running_pod,
    "Service": _service,
    "HorizontalPodAutoscaler": _autoscaler,
    "PodDisruptionBudget": _nothing,
    "Node": _nothing,
}
