"""Objects as the API server, the kubelet and the controllers write them, for tests of the checks; and what the checks
find in them."""

from __future__ import annotations

from typing import Any

from chatops_bot.domain.diagnosis.checks import CHECKS
from chatops_bot.domain.diagnosis.examining import Examination, Scene, examine
from chatops_bot.domain.diagnosis.findings import Finding
from chatops_bot.domain.diagnosis.pods import pod_row
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.observed import Around, Observed, Raw
from chatops_bot.domain.rollout import rollout_of
from chatops_bot.domain.say import Say
from chatops_bot.domain.texts import render
from tests.unit.domain.cluster_objects import NOW, ago, entity, workload

HASH = "7d9f8b6c5"
OLD_HASH = "5c4d3e2f1"
REGISTRY = "registry.example.com/shop"


def running(since: float = 3600, **more: Any) -> Raw:
    """A container status that is as it should be."""
    return {
        "name": "app",
        "image": f"{REGISTRY}/web:1.4.2",
        "imageID": f"{REGISTRY}/web@sha256:0b1c",
        "containerID": "containerd://5d2e",
        "lastState": {},
        "ready": True,
        "restartCount": 0,
        "started": True,
        "state": {"running": {"startedAt": ago(since)}},
        **more,
    }


def waiting(reason: str, message: str = "", **more: Any) -> Raw:
    state: Raw = {"waiting": {"reason": reason}}
    if message:
        state["waiting"]["message"] = message
    return running(ready=False, started=False, state=state, imageID="", **more)


def terminated(code: int, reason: str = "Error", *, ran: float = 31, seconds: float = 120, **more: Any) -> Raw:
    return {
        "terminated": {
            "containerID": "containerd://5d2e",
            "exitCode": code,
            "reason": reason,
            "startedAt": ago(seconds + ran),
            "finishedAt": ago(seconds),
            **more,
        }
    }


def crashing(code: int, reason: str = "Error", *, restarts: int = 7, **more: Any) -> Raw:
    message = "back-off 5m0s restarting failed container=app pod=web-7d9f8b6c5-x2x4z_shop(u-web)"
    return waiting("CrashLoopBackOff", message, restartCount=restarts, lastState=terminated(code, reason, **more))


def conditions(age: float, *, ready: bool, scheduled: bool = True) -> list[Raw]:
    rows: list[Raw] = [
        {"type": "PodScheduled", "status": str(scheduled), "lastProbeTime": None, "lastTransitionTime": ago(age)}
    ]
    if scheduled:
        rows.append({"type": "Initialized", "status": "True", "lastTransitionTime": ago(age)})
        for kind in ("Ready", "ContainersReady"):
            row = {"type": kind, "status": str(ready), "lastTransitionTime": ago(age)}
            if not ready:
                row |= {"reason": "ContainersNotReady", "message": "containers with unready status: [app]"}
            rows.append(row)
    return rows


def pod(
    name: str = f"web-{HASH}-x2x4z", *statuses: Raw, age: float = 3600, spec: Raw | None = None, **status: Any
) -> Raw:
    """A pod of the newest ReplicaSet on node n1, ready where its containers are."""
    rows = list(statuses) or [running(age)]
    ready = all(row.get("ready") for row in rows)
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "namespace": "shop",
            "uid": f"u-{name}",
            "creationTimestamp": ago(age),
            "labels": {"app": "web", "pod-template-hash": HASH},
            "ownerReferences": [
                {
                    "apiVersion": "apps/v1",
                    "kind": "ReplicaSet",
                    "name": f"web-{HASH}",
                    "uid": "u-rs",
                    "controller": True,
                }
            ],
        },
        "spec": {
            "nodeName": "n1",
            "containers": [
                {
                    "name": "app",
                    "image": f"{REGISTRY}/web:1.4.2",
                    "imagePullPolicy": "IfNotPresent",
                    "ports": [{"containerPort": 8080, "protocol": "TCP"}],
                    "resources": {"requests": {"cpu": "500m", "memory": "256Mi"}, "limits": {"memory": "256Mi"}},
                }
            ],
            "tolerations": [
                {
                    "key": f"node.kubernetes.io/{why}",
                    "operator": "Exists",
                    "effect": "NoExecute",
                    "tolerationSeconds": 300,
                }
                for why in ("not-ready", "unreachable")
            ],
            "restartPolicy": "Always",
            **(spec or {}),
        },
        "status": {
            "phase": "Running",
            "qosClass": "Burstable",
            "startTime": ago(age),
            "conditions": conditions(age, ready=ready),
            "containerStatuses": rows,
            **status,
        },
    }


def pending(message: str, *, age: float = 300, reason: str = "Unschedulable", **more: Any) -> Raw:
    """A pod that no node has taken."""
    found = pod(age=age, phase="Pending", **more)
    del found["spec"]["nodeName"], found["status"]["containerStatuses"], found["status"]["startTime"]
    found["status"]["conditions"] = [
        {
            "type": "PodScheduled",
            "status": "False",
            "reason": reason,
            "message": message,
            "lastTransitionTime": ago(age),
        }
    ]
    return found


def with_probe(found: Raw, **probes: Raw) -> Raw:
    found["spec"]["containers"][0] |= probes
    return found


def http_probe(**more: Any) -> Raw:
    get = {"path": "/healthz", "port": 8080, "scheme": "HTTP"}
    return {
        "httpGet": get,
        "timeoutSeconds": 1,
        "periodSeconds": 10,
        "successThreshold": 1,
        "failureThreshold": 3,
        **more,
    }


def event(
    reason: str, message: str, *, about: Raw | None = None, seconds: float = 60, count: int = 5, **more: Any
) -> Raw:
    """As the kubelet writes it about the only container of a pod, or about another object."""
    involved: Raw = {
        "kind": "Pod",
        "namespace": "shop",
        "name": f"web-{HASH}-x2x4z",
        "fieldPath": "spec.containers{app}",
    }
    if about is not None:
        involved = about
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": f"web.{reason}", "namespace": "shop", "creationTimestamp": ago(seconds + 600)},
        "involvedObject": involved,
        "reason": reason,
        "message": message,
        "type": "Normal" if reason in ("Killing", "Pulling", "TriggeredScaleUp") else "Warning",
        "count": count,
        "firstTimestamp": ago(seconds + 600),
        "lastTimestamp": ago(seconds),
        **more,
    }


def of_pod(found: Raw) -> Raw:
    """What an event about the pod as a whole names."""
    return {"kind": "Pod", "namespace": "shop", "name": found["metadata"]["name"]}


def node(name: str = "n1", ready: str = "True", *pressures: str, age: float = 900_000, **spec: Any) -> Raw:
    reason = {"True": "KubeletReady", "False": "KubeletNotReady"}.get(ready, "NodeStatusUnknown")
    message = {
        "True": "kubelet is posting ready status",
        "False": "container runtime network not ready: cni plugin not initialized",
    }.get(ready, "Kubelet stopped posting node status.")
    rows = [
        {
            "type": kind,
            "status": str(kind in pressures),
            "reason": f"KubeletHas{kind}" if kind in pressures else f"KubeletHasNo{kind}",
            "lastTransitionTime": ago(480),
        }
        for kind in ("MemoryPressure", "DiskPressure", "PIDPressure")
    ]
    rows.append({"type": "EtcdIsVoter", "status": "True"})
    rows.append(
        {
            "type": "Ready",
            "status": ready,
            "reason": reason,
            "message": message,
            "lastHeartbeatTime": ago(400),
            "lastTransitionTime": ago(360),
        }
    )
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "uid": f"u-{name}", "creationTimestamp": ago(age)},
        "spec": spec,
        "status": {"conditions": rows, "allocatable": {"cpu": "4", "memory": "16Gi", "pods": "110"}},
    }


def replica_set(mark: str, revision: int, age: float, image: str, replicas: int = 0) -> Raw:
    template = {
        "metadata": {"labels": {"app": "web", "pod-template-hash": mark}},
        "spec": {"containers": [{"name": "app", "image": image, "imagePullPolicy": "IfNotPresent"}]},
    }
    return {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "metadata": {
            "name": f"web-{mark}",
            "namespace": "shop",
            "uid": f"u-rs-{mark}",
            "creationTimestamp": ago(age),
            "labels": {"app": "web", "pod-template-hash": mark},
            "annotations": {"deployment.kubernetes.io/revision": str(revision)},
        },
        "spec": {"replicas": replicas, "template": template},
    }


def revisions(age: float = 3600) -> tuple[Raw, Raw]:
    """The ReplicaSets of a Deployment whose last rollout was so many seconds ago."""
    return replica_set(HASH, 8, age, "reg/web:1", 2), replica_set(OLD_HASH, 7, 600_000, "reg/web:0")


def scene(
    *pods: Raw, kind: EntityKind = "Deployment", obj: Raw | None = None, around: Around | None = None, **parts: Any
) -> Scene:
    ready = sum(
        row["status"] == "True" for one in pods for row in one["status"]["conditions"] if row["type"] == "Ready"
    )
    found = obj or workload(kind, replicas=len(pods), ready=ready)
    observed = Observed(entity=entity(kind), at=NOW, object=found, pods=pods, around=around or Around(), **parts)
    rows = tuple(pod_row(one, NOW) for one in pods)
    return Scene(observed=observed, now=NOW, rows=rows, rollout=rollout_of(found, kind))


def examined(*pods: Raw, **parts: Any) -> Examination:
    found = examine(scene(*pods, **parts), CHECKS)
    assert not found.failed
    return found


def top(*pods: Raw, **parts: Any) -> Finding:
    """The worst finding."""
    return examined(*pods, **parts).findings[0]


def codes(*pods: Raw, **parts: Any) -> list[str]:
    return [one.code for one in examined(*pods, **parts).findings]


def alarms(*pods: Raw, **parts: Any) -> list[str]:
    """Codes of what is more than information."""
    return [one.code for one in examined(*pods, **parts).findings if one.severity != "info"]


def spoken(said: Say) -> str:
    """In English; that the other language renders is part of it."""
    assert render(said, "zh")
    return render(said, "en")


def offered(found: Finding) -> list[str]:
    return [f"{offer.action}{' ' + offer.entity if offer.entity else ''}" for offer in found.offers]


def proven(found: Finding) -> str:
    return "\n".join(f"{one.object} {one.path} = {one.value}" for one in found.evidence)
