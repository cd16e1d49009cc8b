"""Objects around a workload as the API server writes them: Services, Ingresses, policies, autoscalers, budgets, jobs."""

from __future__ import annotations

from typing import Any

from chatops_bot.domain.observed import Around, LogText, Raw
from tests.unit.domain.cluster_objects import ago


def meta(name: str, *, age: float = 900_000, **more: Any) -> Raw:
    return {"name": name, "namespace": "shop", "uid": f"u-{name}", "creationTimestamp": ago(age), **more}


def service(name: str = "web", selector: Raw | None = None, *, age: float = 900_000, **spec: Any) -> Raw:
    """A ClusterIP Service on port 80 that leads to 8080 of the pods of app=web."""
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": meta(name, age=age),
        "spec": {
            "type": "ClusterIP",
            "clusterIP": "10.0.12.7",
            "selector": {"app": "web"} if selector is None else selector,
            "ports": [{"name": "http", "port": 80, "targetPort": 8080, "protocol": "TCP"}],
            **spec,
        },
        "status": {"loadBalancer": {}},
    }


def slices(name: str = "web", *ready: bool | None) -> Raw:
    """The EndpointSlice of a Service; None leaves the condition out, which means ready."""
    rows = [{"addresses": ["10.1.0.9"], "conditions": {} if one is None else {"ready": one}} for one in ready]
    return {
        "apiVersion": "discovery.k8s.io/v1",
        "kind": "EndpointSlice",
        "metadata": {**meta(f"{name}-k2x4z"), "labels": {"kubernetes.io/service-name": name}},
        "addressType": "IPv4",
        "endpoints": rows or None,
        "ports": [{"name": "http", "port": 8080, "protocol": "TCP"}],
    }


def around(*services: Raw, others: tuple[str, ...] = (), **parts: Any) -> Around:
    """Services that are read, each with one ready endpoint unless `slices` says otherwise."""
    parts.setdefault("slices", tuple(slices(one["metadata"]["name"], True) for one in services))
    return Around(services=services, others=others, **parts)


def ingress(*ways: tuple[str, str, int | str], age: float = 900_000, name: str = "shop", **spec: Any) -> Raw:
    """Of class nginx; each way is path, Service, port by number or name."""
    paths = [
        {
            "path": path,
            "pathType": "Prefix",
            "backend": {"service": {"name": to, "port": {"name": port} if isinstance(port, str) else {"number": port}}},
        }
        for path, to, port in ways
    ]
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "Ingress",
        "metadata": meta(name, age=age),
        "spec": {
            "ingressClassName": "nginx",
            "rules": [{"host": "shop.example.com", "http": {"paths": paths}}] if paths else None,
            **spec,
        },
        "status": {"loadBalancer": {"ingress": [{"ip": "203.0.113.7"}]}},
    }


def policy(name: str = "default-deny", selector: Raw | None = None, **spec: Any) -> Raw:
    return {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": meta(name),
        "spec": {"podSelector": selector or {}, **spec},
    }


def hpa(*rows: tuple[str, str, str, str], name: str = "web", labels: Raw | None = None, **status: Any) -> Raw:
    """On CPU, 2 to 10 replicas; conditions as type, status, reason, message."""
    return {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {**meta(name), **({"labels": labels} if labels else {})},
        "spec": {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
            "minReplicas": 2,
            "maxReplicas": 10,
            "metrics": [
                {
                    "type": "Resource",
                    "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 60}},
                }
            ],
        },
        "status": {
            "currentReplicas": 2,
            "desiredReplicas": 2,
            "conditions": [
                {"type": kind, "status": state, "reason": reason, "message": message, "lastTransitionTime": ago(600)}
                for kind, state, reason, message in rows
            ],
            **status,
        },
    }


def cpu_at(percent: int) -> Raw:
    current = {"averageUtilization": percent, "averageValue": f"{percent * 5}m"}
    return {"currentMetrics": [{"type": "Resource", "resource": {"name": "cpu", "current": current}}]}


def pdb(name: str = "web", **status: int) -> Raw:
    found = {"disruptionsAllowed": 0, "currentHealthy": 2, "desiredHealthy": 2, "expectedPods": 2, **status}
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": meta(name),
        "spec": {"minAvailable": found["desiredHealthy"], "selector": {"matchLabels": {"app": "web"}}},
        "status": found,
    }


def job(name: str = "backup-29401", *rows: tuple[str, str, str], age: float = 900, **status: Any) -> Raw:
    """Conditions as type, reason, message."""
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": meta(name, age=age, generation=1),
        "spec": {"backoffLimit": 5, "completions": 1, "parallelism": 1},
        "status": {
            "startTime": ago(age),
            "conditions": [
                {"type": kind, "status": "True", "reason": reason, "message": message} for kind, reason, message in rows
            ],
            **status,
        },
    }


def cron(schedule: str = "0 * * * *", *, success: float | None = 600, started: float | None = 600, **spec: Any) -> Raw:
    """A CronJob in Shanghai's time; seconds since its last success and its last start."""
    status: Raw = {}
    if success is not None:
        status["lastSuccessfulTime"] = ago(success)
    if started is not None:
        status["lastScheduleTime"] = ago(started)
    return {
        "apiVersion": "batch/v1",
        "kind": "CronJob",
        "metadata": meta("backup", age=90_000_000, generation=1),
        "spec": {"schedule": schedule, "timeZone": "Asia/Shanghai", "concurrencyPolicy": "Forbid", **spec},
        "status": status,
    }


def usage(pod: str, cpu: str = "100m", memory: str = "100Mi", container: str = "app") -> Raw:
    return {
        "apiVersion": "metrics.k8s.io/v1beta1",
        "kind": "PodMetrics",
        "metadata": {"name": pod, "namespace": "shop", "creationTimestamp": ago(5)},
        "window": "15s",
        "containers": [{"name": container, "usage": {"cpu": cpu, "memory": memory}}],
    }


def log(pod: str, text: str) -> LogText:
    return LogText(pod=pod, container="app", text=text)


def dns_pod(name: str, *, ready: bool) -> Raw:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "namespace": "kube-system",
            "labels": {"k8s-app": "kube-dns", "pod-template-hash": "6f6b67"},
            "ownerReferences": [{"kind": "ReplicaSet", "name": "coredns-6f6b67", "uid": "u-dns", "controller": True}],
        },
        "spec": {"containers": [{"name": "coredns"}]},
        "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": str(ready)}]},
    }


def written_by(found: Raw, field: str, who: str, seconds: float) -> Raw:
    """The object with a record of who set a field of its spec."""
    entry = {
        "manager": who,
        "operation": "Update",
        "time": ago(seconds),
        "fieldsType": "FieldsV1",
        "fieldsV1": {"f:spec": {f"f:{field}": {}}},
    }
    found["metadata"]["managedFields"] = [entry]
    return found
