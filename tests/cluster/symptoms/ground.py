"""What scenes are staged with: a namespace of each one's own, short ways to make objects, and steps that wait."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from chatops_bot.domain.entities import EntityKind
from tests.cluster.api import Api
from tests.cluster.kubelet.logs import LOGS
from tests.cluster.kubelet.stages import STAGE, STAGES

Json = dict[str, Any]
Stage = str | Json
"""Of a pod, for the stand-in kubelet: a name, or a status written out."""

LOST, PRESSED, SMALL, CORDONED = "node-lost", "node-pressed", "node-small", "node-cordoned"
APART: Final = (LOST, PRESSED, SMALL, CORDONED)
"""Nodes that only those pods are placed on that are meant for them."""
TAINT: Final = "staged.test/apart"

IMAGE: Final = "registry.test/shop/web:1.4.2"

PATHS: Final = {
    "Deployment": "/apis/apps/v1/namespaces/{}/deployments",
    "StatefulSet": "/apis/apps/v1/namespaces/{}/statefulsets",
    "DaemonSet": "/apis/apps/v1/namespaces/{}/daemonsets",
    "ReplicaSet": "/apis/apps/v1/namespaces/{}/replicasets",
    "Job": "/apis/batch/v1/namespaces/{}/jobs",
    "CronJob": "/apis/batch/v1/namespaces/{}/cronjobs",
    "Pod": "/api/v1/namespaces/{}/pods",
    "Service": "/api/v1/namespaces/{}/services",
    "PersistentVolumeClaim": "/api/v1/namespaces/{}/persistentvolumeclaims",
    "ResourceQuota": "/api/v1/namespaces/{}/resourcequotas",
    "Event": "/api/v1/namespaces/{}/events",
    "EndpointSlice": "/apis/discovery.k8s.io/v1/namespaces/{}/endpointslices",
    "Ingress": "/apis/networking.k8s.io/v1/namespaces/{}/ingresses",
    "NetworkPolicy": "/apis/networking.k8s.io/v1/namespaces/{}/networkpolicies",
    "HorizontalPodAutoscaler": "/apis/autoscaling/v2/namespaces/{}/horizontalpodautoscalers",
    "PodDisruptionBudget": "/apis/policy/v1/namespaces/{}/poddisruptionbudgets",
    "PodMetrics": "/apis/metrics.k8s.io/v1beta1/namespaces/{}/pods",
}

Holds = Callable[[], bool]
Steps = Iterator[Holds]
"""What a scene waits for before it goes on."""


class Place:
    """One namespace."""

    def __init__(self, api: Api, namespace: str) -> None:
        self.api = api
        self.namespace = namespace

    def path(self, kind: str, name: str = "") -> str:
        base = PATHS[kind].format(self.namespace)
        return f"{base}/{name}" if name else base

    def make(self, kind: str, name: str, spec: Json | None = None, *, metadata: Json | None = None, **top: Any) -> Json:
        body = {"metadata": {"name": name, **(metadata or {})}, **({} if spec is None else {"spec": spec}), **top}
        return self.api.make(self.path(kind), body)

    def workload(self, kind: EntityKind = "Deployment", name: str = "web", *, pods: Json, **spec: Any) -> Json:
        """`pods` is the template."""
        base: Json = {"selector": {"matchLabels": {"app": name}}, "template": pods}
        if kind != "DaemonSet":
            base["replicas"] = 2
        if kind == "StatefulSet":
            base["serviceName"] = name
        return self.make(kind, name, {**base, **spec})

    def service(self, name: str = "web", selector: Json | None = None, **spec: Any) -> Json:
        """On port 80, to `http` of the pods of app=web."""
        ports = [{"name": "http", "port": 80, "targetPort": "http"}]
        return self.make("Service", name, {"selector": selector or {"app": "web"}, "ports": ports, **spec})

    def autoscaler(self, low: int, high: int, name: str = "web") -> Json:
        """At 60 % CPU."""
        target = {"type": "Utilization", "averageUtilization": 60}
        return self.make(
            "HorizontalPodAutoscaler",
            name,
            {
                "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
                "minReplicas": low,
                "maxReplicas": high,
                "metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": target}}],
                "behavior": {"scaleDown": {"stabilizationWindowSeconds": 0}},
            },
        )

    def measure(self, *cpu: str, memory: str = "40Mi") -> None:
        """What its pods use, one figure each; measured after they were ready."""
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 60))
        for pod, used in zip(self.pods(), cpu, strict=True):
            metadata = {"name": pod["metadata"]["name"], "labels": pod["metadata"]["labels"]}
            usage = [{"name": "app", "usage": {"cpu": used, "memory": memory}}]
            body = {"apiVersion": "metrics.k8s.io/v1beta1", "kind": "PodMetrics", "metadata": metadata}
            figures = {"timestamp": at, "window": "1s", "containers": usage}
            self.api.make(self.path("PodMetrics"), body | figures)

    def read(self, kind: str, name: str = "web") -> Json:
        found: Json = self.api.get(self.path(kind, name)).json
        return found

    def change(self, kind: str, name: str, body: Json) -> None:
        answer = self.api.patch(self.path(kind, name), body, kind="strategic")
        assert answer.status == 200, answer.text

    def pods(self) -> list[Json]:
        found: list[Json] = self.api.get(self.path("Pod")).json["items"]
        return sorted(found, key=lambda pod: str(pod["metadata"]["name"]))

    def stage(self, pod: Json, stage: Stage) -> None:
        """Put a pod that lives into a trouble."""
        written = stage if isinstance(stage, str) else json.dumps(stage)
        self.change("Pod", pod["metadata"]["name"], {"metadata": {"annotations": {STAGE: written}}})

    def ready(self, count: int = 2, name: str = "web", kind: EntityKind = "Deployment") -> Holds:
        field = "numberReady" if kind == "DaemonSet" else "readyReplicas"
        return self.when(kind, lambda obj: obj["status"].get(field, 0) == count, name)

    def when(self, kind: str, holds: Callable[[Json], bool], name: str = "web") -> Holds:
        def look() -> bool:
            answer = self.api.get(self.path(kind, name))
            return answer.status == 200 and holds(answer.json)

        return look

    def has(self, kind: str, type_: str, status: str, reason: str = "", name: str = "web") -> Holds:
        """A condition of an object."""
        return self.when(
            kind,
            lambda obj: any(
                row["type"] == type_ and row["status"] == status and reason in ("", row.get("reason"))
                for row in obj.get("status", {}).get("conditions") or []
            ),
            name,
        )

    def every_pod(self, holds: Callable[[Json], bool], count: int = 2) -> Holds:
        """There are at least so many pods, and it holds of all."""

        def look() -> bool:
            pods = self.pods()
            return len(pods) >= count and all(map(holds, pods))

        return look

    def told(self, count: int = 2) -> Holds:
        """The kubelet has said of so many pods how they are."""
        return self.every_pod(lambda pod: bool(pod["status"].get("containerStatuses")), count)

    def unplaced(self, reason: str = "Unschedulable", count: int = 2) -> Holds:
        return self.every_pod(lambda pod: _condition(pod, "PodScheduled").get("reason") == reason, count)

    def happened(self, reason: str, count: int = 1) -> Holds:
        def look() -> bool:
            events = self.api.get(self.path("Event")).json["items"]
            return [event["reason"] for event in events].count(reason) >= count

        return look


def _condition(obj: Json, kind: str) -> Json:
    rows = obj.get("status", {}).get("conditions") or []
    return next((row for row in rows if row["type"] == kind), {})


def container(**more: Any) -> Json:
    return {
        "name": "app",
        "image": IMAGE,
        "ports": [{"name": "http", "containerPort": 8080}],
        "resources": {"requests": {"cpu": "50m", "memory": "64Mi"}, "limits": {"cpu": "500m", "memory": "256Mi"}},
        **more,
    }


def pods(
    *stages: Stage,
    name: str = "web",
    labels: Json | None = None,
    app: Json | None = None,
    logs: str = "",
    on: str = "",
    metadata: Json | None = None,
    **spec: Any,
) -> Json:
    """A pod template: `app` are fields of its container, `on` the node apart that it is meant for."""
    annotations = {STAGES: json.dumps(stages)}  # none too: merged into another template, it replaces that one's
    if logs:
        annotations[LOGS] = logs
    if on:
        spec["nodeSelector"] = {"kubernetes.io/hostname": on}
        spec.setdefault("tolerations", [{"key": TAINT, "operator": "Exists"}])
    return {
        "metadata": {"labels": {"app": name, **(labels or {})}, "annotations": annotations, **(metadata or {})},
        "spec": {"containers": [container(**(app or {}))], "terminationGracePeriodSeconds": 30, **spec},
    }


def waits(reason: str, message: str = "", *events: Json, last: Json | None = None, restarts: int = 0) -> Json:
    """A container that waits; `last` is how its previous run ended."""
    status: Json = {"state": {"waiting": {"reason": reason, "message": message}}, "restartCount": restarts}
    if last:
        status["lastState"] = {"terminated": last}
    return {"containers": {"app": status}, "events": list(events)}


def ended(code: int, reason: str = "Error", *, ran_s: int = 31, ago_s: int = 30, **more: Any) -> Json:
    return {
        "exitCode": code,
        "reason": reason,
        "startedAt": f"@-{ago_s + ran_s}",
        "finishedAt": f"@-{ago_s}",
        "containerID": "containerd://5d2e",
        **more,
    }


def warning(reason: str, message: str, count: int = 5, container: str = "app") -> Json:
    return {"type": "Warning", "reason": reason, "message": message, "count": count, "container": container}


def normal(reason: str, message: str, count: int = 1) -> Json:
    return {"type": "Normal", "reason": reason, "message": message, "count": count, "container": "app"}


def probe(**more: Any) -> Json:
    return {"httpGet": {"path": "/healthz", "port": 8080}, "periodSeconds": 5, **more}


@dataclass(frozen=True)
class Scene:
    """`after_s` is how much later than it is staged somebody asks. `code` is what is to be found, nothing of a state
    that is as it should be; `below` says that a cause of it may stand above it; `says` what is to be said in English."""

    name: str
    stage: Callable[[Place], Steps]
    row: int = 0
    code: str = ""
    kind: EntityKind = "Deployment"
    target: str = "web"
    after_s: int = 600
    below: bool = False
    says: str = ""
    tones: Sequence[str] = ("ok", "info", "muted")
    """Of the verdict, where nothing is to be found."""


Table = dict[str, Scene]


Staging = Callable[[Place], Steps]


def staged(table: Table, row: int = 0, code: str = "", **more: Any) -> Callable[[Staging], Staging]:
    """Enter a scene, named like its function."""

    def enter(stage: Staging) -> Staging:
        name = stage.__name__.replace("_", "-")
        assert name not in table
        table[name] = Scene(name, stage, row, code, **more)
        return stage

    return enter


def play(scenes: Mapping[str, tuple[Scene, Place]], *, limit_s: float) -> dict[str, float]:
    """All side by side; when each stood. The limit only ends a run that has failed."""
    going: dict[str, tuple[Steps, Holds]] = {
        name: (iter(scene.stage(place)), lambda: True) for name, (scene, place) in scenes.items()
    }
    stood: dict[str, float] = {}
    ends = time.monotonic() + limit_s
    while going:
        for name, (steps, holds) in list(going.items()):
            if not holds():
                continue
            following = next(steps, None)
            if following is None:
                del going[name]
                stood[name] = time.time()
            else:
                going[name] = (steps, following)
        assert time.monotonic() < ends, f"these scenes did not come about: {sorted(going)}"
        time.sleep(0.05)
    return stood
