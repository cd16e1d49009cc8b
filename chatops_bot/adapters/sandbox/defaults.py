"""What the API server fills in where a manifest is silent."""

from __future__ import annotations

from collections.abc import Callable

from chatops_bot.adapters.sandbox.objects import Json, clone


def fill(obj: Json) -> None:
    """Set the defaults of the object's kind, in place. Kinds without defaults are left alone."""
    fill_kind = _BY_KIND.get(obj.get("kind", ""))
    if fill_kind is not None:
        if obj.get("spec") is None:
            obj["spec"] = {}
        fill_kind(obj["spec"])


def mark(obj: Json) -> None:
    """Labels and annotations that a new object is given, in place."""
    if obj["kind"] == "Namespace":
        labels = obj["metadata"].setdefault("labels", {})
        labels.setdefault("kubernetes.io/metadata.name", obj["metadata"].get("name", ""))
    if obj["kind"] == "DaemonSet":
        annotations = obj["metadata"].setdefault("annotations", {})
        annotations.setdefault("deprecated.daemonset.template.generation", "1")


def admit(obj: Json, *, token: str) -> None:
    """What the server adds to a new object in nobody's name, in place; `token` ends the name of a pod's own volume."""
    if obj["kind"] == "Namespace":
        obj.setdefault("spec", {}).setdefault("finalizers", ["kubernetes"])
    if obj["kind"] == "Pod":
        _admit_pod(obj["spec"], f"kube-api-access-{token}")


def _admit_pod(spec: Json, volume: str) -> None:
    account = spec.setdefault("serviceAccountName", "default")
    _set(spec, {"serviceAccount": account, "priority": 0, "preemptionPolicy": "PreemptLowerPriority"})
    tolerations = spec.setdefault("tolerations", [])
    for key in ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"):
        if not any(
            item.get("key") in {key, None} and item.get("effect") in {"NoExecute", None} for item in tolerations
        ):
            tolerations.append({"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300})
    if spec.get("automountServiceAccountToken") is False:
        return
    sources = [
        {"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}},
        {"configMap": {"name": "kube-root-ca.crt", "items": [{"key": "ca.crt", "path": "ca.crt"}]}},
        {
            "downwardAPI": {
                "items": [{"path": "namespace", "fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.namespace"}}]
            }
        },
    ]
    spec.setdefault("volumes", []).append({"name": volume, "projected": {"sources": sources, "defaultMode": 420}})
    for container in [*(spec.get("initContainers") or []), *(spec.get("containers") or [])]:
        mounts = container.setdefault("volumeMounts", [])
        if not any(mount.get("mountPath") == _TOKEN_PATH for mount in mounts):
            mounts.append({"name": volume, "readOnly": True, "mountPath": _TOKEN_PATH})


_TOKEN_PATH = "/var/run/secrets/kubernetes.io/serviceaccount"  # noqa: S105 - a place, no secret


def initial_status(obj: Json) -> Json | None:
    """The status that a new object is given; a manifest's own does not count."""
    if obj["kind"] == "Pod":
        return {"phase": "Pending", "qosClass": quality_of_service(obj)}
    status = _STATUSES.get(obj["kind"])
    return None if status is None else clone(status)


# What a status of nothing but zeros looks like: some counters are shown even then.
_STATUSES: dict[str, Json] = {
    "Deployment": {},
    "ReplicaSet": {"replicas": 0},
    "StatefulSet": {"replicas": 0, "availableReplicas": 0},
    "DaemonSet": {"currentNumberScheduled": 0, "numberMisscheduled": 0, "desiredNumberScheduled": 0, "numberReady": 0},
    "HorizontalPodAutoscaler": {"desiredReplicas": 0, "currentMetrics": None},
    "PodDisruptionBudget": {"disruptionsAllowed": 0, "currentHealthy": 0, "desiredHealthy": 0, "expectedPods": 0},
    "Namespace": {"phase": "Active"},
    "Service": {"loadBalancer": {}},
}


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
        template.setdefault("metadata", {})
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
    for variable in container.get("env") or []:
        if reference := (variable.get("valueFrom") or {}).get("fieldRef"):
            reference.setdefault("apiVersion", "v1")
    for kind in ("livenessProbe", "readinessProbe", "startupProbe"):
        if probe := container.get(kind):
            _set(probe, {"timeoutSeconds": 1, "periodSeconds": 10, "successThreshold": 1, "failureThreshold": 3})
            if probe.get("httpGet"):
                _set(probe["httpGet"], {"path": "/", "scheme": "HTTP"})


def _running_pod(spec: Json) -> None:
    _pod(spec)
    _set(spec, {"enableServiceLinks": True})


def _service(spec: Json) -> None:
    _set(spec, {"type": "ClusterIP", "sessionAffinity": "None", "internalTrafficPolicy": "Cluster"})
    for port in spec.get("ports") or []:
        _set(port, {"protocol": "TCP", "targetPort": port.get("port")})


def _autoscaler(spec: Json) -> None:
    _set(spec, {"minReplicas": 1})
    if not spec.get("metrics"):
        target = {"type": "Utilization", "averageUtilization": 80}
        spec["metrics"] = [{"type": "Resource", "resource": {"name": "cpu", "target": target}}]


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
