"""Workloads that an installed bot looks after. Their pods are only said to run."""

from __future__ import annotations

from tests.chart.rendering import Json
from tests.cluster.api import Api

_PLURALS = {"Deployment": "deployments", "StatefulSet": "statefulsets", "DaemonSet": "daemonsets"}


def path_of(namespace: str, name: str, kind: str = "Deployment") -> str:
    return f"/apis/apps/v1/namespaces/{namespace}/{_PLURALS[kind]}/{name}"


def workload(api: Api, namespace: str, name: str, *, kind: str = "Deployment", replicas: int = 2) -> None:
    """Made, and waited for until its pods are ready."""
    labels = {"app": name}
    pod = {"containers": [{"name": "main", "image": "registry.test/plain:1"}]}
    spec: Json = {"selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}, "spec": pod}}
    if kind != "DaemonSet":
        spec["replicas"] = replicas
    if kind == "StatefulSet":
        spec["serviceName"] = name
        service: Json = {"clusterIP": "None", "selector": labels, "ports": [{"port": 80}]}
        api.make(f"/api/v1/namespaces/{namespace}/services", {"metadata": {"name": name}, "spec": service})
    api.make(path_of(namespace, "", kind).rstrip("/"), {"metadata": {"name": name}, "spec": spec})
    field = "numberReady" if kind == "DaemonSet" else "readyReplicas"
    wanted = 3 if kind == "DaemonSet" else replicas
    api.until(path_of(namespace, name, kind), lambda found: found["status"].get(field, 0) == wanted)


def replicas_of(api: Api, namespace: str, name: str, kind: str = "Deployment") -> int:
    found: int = api.get(path_of(namespace, name, kind)).json["spec"]["replicas"]
    return found
