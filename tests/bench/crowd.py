"""A namespace with many pods on a real control plane, made as fast as it goes. No kubelet looks at them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from tests.cluster.api import Api
from tests.cluster.controlplane import ControlPlane

Json = dict[str, Any]
NAMESPACE: Final = "crowd"
SERVICE: Final = "app-0"
"""The one that is looked at."""
_AT_ONCE: Final = 24
_EVENTS_EACH: Final = 2
_APART: Final = "nobody"
"""A scheduler that there is none of: what it is to place stays where it is."""


class Crowd:
    """`pods` in the namespace, `each` of a service; those of SERVICE run and are ready, some of them crash."""

    def __init__(self, running: ControlPlane, *, pods: int, each: int) -> None:
        self._running = running
        self._names = [f"app-{number}" for number in range(pods // each)]
        self._each = each
        self._pool = ThreadPoolExecutor(_AT_ONCE)
        self._apis = [running.api() for _ in range(_AT_ONCE)]

    def gather(self) -> None:
        """Returns when all of them are there."""
        api = self._running.api()
        api.make("/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
        api.until(f"/api/v1/namespaces/{NAMESPACE}/serviceaccounts/default", lambda _: True)
        for name in self._names:
            for path, body in self._parts(name):
                api.make(path, body)
        deployments = f"/apis/apps/v1/namespaces/{NAMESPACE}/deployments"
        api.until(deployments, lambda found: all(self._whole(row) for row in found["items"]), limit_s=300)
        pods = self._pods(api)
        own = [pod for pod in pods if pod["metadata"]["labels"]["app"] == SERVICE]
        self._all(("PATCH", f"{_path(pod)}/status", _running(number)) for number, pod in enumerate(own))
        self._all(
            ("POST", f"/api/v1/namespaces/{NAMESPACE}/events", _event(pod, number))
            for pod in pods
            for number in range(_EVENTS_EACH)
        )
        self._pool.shutdown()

    def _whole(self, deployment: Json) -> bool:
        return bool(deployment.get("status", {}).get("replicas", 0) == self._each)

    def _pods(self, api: Api) -> list[Json]:
        found: list[Json] = []
        more = ""
        while True:
            page = api.get(f"/api/v1/namespaces/{NAMESPACE}/pods?limit=500{more}").json
            found += page["items"]
            if not page["metadata"].get("continue"):
                return found
            more = f"&continue={page['metadata']['continue']}"

    def _all(self, requests: Iterable[tuple[str, str, Json]]) -> None:
        """Each thread has a connection of its own."""

        def send(one: tuple[int, tuple[str, str, Json]]) -> None:
            number, (method, path, body) = one
            kind = "application/merge-patch+json" if method == "PATCH" else "application/json"
            answer = self._apis[number % _AT_ONCE].send(method, path, body, kind=kind)
            if answer.status >= 300:
                raise RuntimeError(f"{method} {path}: {answer.status} {answer.text}")

        for _ in self._pool.map(send, enumerate(requests)):
            pass

    def _parts(self, name: str) -> Iterator[tuple[str, Json]]:
        labels, metadata = {"app": name}, {"name": name}
        resources = {"requests": {"cpu": "100m", "memory": "64Mi"}, "limits": {"memory": "128Mi"}}
        variables = [{"name": f"SETTING_{number}", "value": f"value {number}"} for number in range(10)]
        probe = {"httpGet": {"path": "/healthz", "port": "http"}, "periodSeconds": 10}
        container = {
            "name": "app",
            "image": f"registry.test/{name}:1",
            "ports": [{"name": "http", "containerPort": 8080}],
            "env": variables,
            "resources": resources,
            "readinessProbe": probe,
            "livenessProbe": probe,
        }
        template = {"metadata": {"labels": labels}, "spec": {"schedulerName": _APART, "containers": [container]}}
        spec = {"replicas": self._each, "selector": {"matchLabels": labels}, "template": template}
        target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": name}
        backend = {"service": {"name": name, "port": {"number": 80}}}
        yield f"/apis/apps/v1/namespaces/{NAMESPACE}/deployments", {"metadata": metadata, "spec": spec}
        ports = [{"port": 80, "targetPort": "http"}]
        yield (
            f"/api/v1/namespaces/{NAMESPACE}/services",
            {"metadata": metadata, "spec": {"selector": labels, "ports": ports}},
        )
        yield (
            f"/apis/policy/v1/namespaces/{NAMESPACE}/poddisruptionbudgets",
            {"metadata": metadata, "spec": {"minAvailable": 1, "selector": {"matchLabels": labels}}},
        )
        yield (
            f"/apis/networking.k8s.io/v1/namespaces/{NAMESPACE}/ingresses",
            {"metadata": metadata, "spec": {"defaultBackend": backend}},
        )
        if name != SERVICE:
            return  # an autoscaler each would have the controllers busy with metrics that nobody has
        yield (
            f"/apis/autoscaling/v2/namespaces/{NAMESPACE}/horizontalpodautoscalers",
            {"metadata": metadata, "spec": {"scaleTargetRef": target, "minReplicas": self._each, "maxReplicas": 500}},
        )


def _path(pod: Json) -> str:
    return f"/api/v1/namespaces/{NAMESPACE}/pods/{pod['metadata']['name']}"


def _running(number: int) -> Json:
    """The status of a pod that is ready; every fiftieth crashes again and again."""
    crashes = number % 50 == 7
    ended = {"exitCode": 1, "reason": "Error", "finishedAt": "2026-01-01T00:00:00Z"}
    waits = {"waiting": {"reason": "CrashLoopBackOff", "message": "back-off 5m0s restarting failed container"}}
    container: Json = {
        "name": "app",
        "image": "registry.test/app:1",
        "imageID": "registry.test/app@sha256:0",
        "ready": not crashes,
        "restartCount": 7 if crashes else 0,
        "state": waits if crashes else {"running": {"startedAt": "2026-01-01T00:00:00Z"}},
        "lastState": {"terminated": ended} if crashes else {},
    }
    states = {"Ready": not crashes, "ContainersReady": not crashes, "Initialized": True, "PodScheduled": True}
    return {
        "status": {
            "phase": "Running",
            "podIP": f"10.9.{number // 250}.{number % 250 + 1}",
            "podIPs": [{"ip": f"10.9.{number // 250}.{number % 250 + 1}"}],
            "conditions": [{"type": kind, "status": str(holds)} for kind, holds in states.items()],
            "containerStatuses": [container],
        }
    }


def _event(pod: Json, number: int) -> Json:
    name, uid = pod["metadata"]["name"], pod["metadata"]["uid"]
    about = {"apiVersion": "v1", "kind": "Pod", "namespace": NAMESPACE, "name": name, "uid": uid}
    stamp = "2026-01-01T00:00:00Z"
    return {
        "metadata": {"name": f"{name}.{number}"},
        "involvedObject": about,
        "reason": "BackOff",
        "message": "Back-off restarting failed container app in pod",
        "type": "Warning",
        "firstTimestamp": stamp,
        "lastTimestamp": stamp,
        "count": 3,
        "source": {"component": "kubelet"},
    }
