"""Kubernetes objects for tests of diagnosis and actions, as small as the code under test allows."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from chatops_bot.domain.entities import Entity, EntityKind
from chatops_bot.domain.identity import Room
from chatops_bot.domain.observed import Observed, Raw
from chatops_bot.domain.plans import Draft, Plan
from chatops_bot.domain.say import Say
from chatops_bot.domain.texts import render

NOW = 1_795_946_400_000


def ago(seconds: float) -> str:
    """The stamp of so many seconds before NOW."""
    return datetime.fromtimestamp(NOW / 1000 - seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def entity(kind: EntityKind = "Deployment", name: str = "web") -> Entity:
    return Entity(cluster="prod-east", namespace="shop", kind=kind, workload=name, name=name, environment="prod")


def workload(kind: EntityKind = "Deployment", replicas: int = 3, ready: int | None = None, **spec: Any) -> Raw:
    """A workload at rest: everything observed, updated and, unless said otherwise, ready."""
    ready = replicas if ready is None else ready
    status: Raw = {"observedGeneration": 2, "replicas": replicas, "updatedReplicas": replicas}
    if kind == "DaemonSet":
        status |= {
            "desiredNumberScheduled": replicas,
            "updatedNumberScheduled": replicas,
            "numberReady": ready,
            "numberAvailable": ready,
        }
    else:
        spec = {"replicas": replicas, **spec}
        status |= {"readyReplicas": ready, "availableReplicas": ready}
    if kind == "Rollout":
        status |= {"observedGeneration": "2", "phase": "Healthy", "stableRS": "a1", "currentPodHash": "a1"}
    if kind == "Deployment":
        status["conditions"] = [{"type": "Progressing", "status": "True", "reason": "NewReplicaSetAvailable"}]
    template = {
        "metadata": {"labels": {"app": "web"}},
        "spec": {"containers": [{"name": "app", "image": "reg/web:1", "imagePullPolicy": "IfNotPresent"}]},
    }
    return {
        "apiVersion": "argoproj.io/v1alpha1" if kind == "Rollout" else "apps/v1",
        "kind": kind,
        "metadata": {"name": "web", "namespace": "shop", "uid": "u-web", "resourceVersion": "7", "generation": 2},
        "spec": {"selector": {"matchLabels": {"app": "web"}}, "template": template, **spec},
        "status": {key: value for key, value in status.items() if value},
    }


def container(**status: Any) -> Raw:
    """A container status; running and ready unless said otherwise."""
    return {"name": "app", "ready": True, "restartCount": 0, "started": True, "state": {"running": {}}, **status}


def waiting(reason: str, message: str = "", **status: Any) -> Raw:
    return container(ready=False, started=False, state={"waiting": {"reason": reason, "message": message}}, **status)


def ended(code: int, reason: str = "Error", seconds: float = 120, **more: Any) -> Raw:
    """A `lastState` or `state` of a container that has ended."""
    return {"terminated": {"exitCode": code, "reason": reason, "finishedAt": ago(seconds), **more}}


def pod(name: str = "web-a", *statuses: Raw, phase: str = "Running", age: float = 3600, **status: Any) -> Raw:
    """A pod of one container, ready when all its statuses are."""
    rows = list(statuses) or [container()]
    ready = phase == "Running" and all(row.get("ready") for row in rows)
    return {
        "metadata": {"name": name, "uid": f"u-{name}", "creationTimestamp": ago(age)},
        "spec": {
            "nodeName": "n1",
            "containers": [
                {"name": "app", "image": "reg/web:1", "resources": {"limits": {"memory": "256Mi"}}},
            ],
        },
        "status": {
            "phase": phase,
            "startTime": ago(age),
            "conditions": [{"type": "Ready", "status": str(ready), "lastTransitionTime": ago(age)}],
            "containerStatuses": rows,
            **status,
        },
    }


def observed(obj: Raw | None = None, *pods: Raw, kind: EntityKind = "Deployment", **parts: Any) -> Observed:
    return Observed(entity=entity(kind), at=NOW, object=obj or workload(kind), pods=pods, **parts)


def keys(says: tuple[Say, ...]) -> list[str]:
    return [one.key for one in says]


def spoken(*says: Say) -> str:
    """All sentences in English, one a line; rendering also proves that key and fields fit each other."""
    for one in says:
        render(one, "zh")
    return "\n".join(render(one, "en") for one in says)


def plan_of(made: Draft) -> Plan:
    """The plan that a gate would make of a draft on `observed()`."""
    found = observed()
    return Plan(
        token="t0", action=made.action, entity=found.entity, uid="u-web", resource_version="7", change=made.change,
        parameters=made.parameters, before=made.before, watched=made.watched, risk=made.risk, preview=made.preview,
        steps=made.steps,
        room=Room("console", "t", "ops"), thread="x", requester="alice", language="en", created=NOW, expires=NOW + 1,
    )  # fmt: skip
