"""The whole cluster in a few plain values, for a screen."""

from __future__ import annotations

from chatops_bot.adapters.sandbox.api.tables import pod_restarts, pod_state
from chatops_bot.adapters.sandbox.conditions import is_true
from chatops_bot.adapters.sandbox.controllers.context import Context, count_ready, is_active
from chatops_bot.adapters.sandbox.objects import Json, annotations_of, name_of, namespace_of
from chatops_bot.adapters.sandbox.resources import DAEMONSETS, HPAS, NODES
from chatops_bot.adapters.sandbox.seeding.staging import WORKLOADS, pods_of_workload


def snapshot(context: Context) -> Json:
    """`{"workloads": [...], "nodes": [...], "version": N}`; every value is of a plain type.

    A workload: kind, namespace, name, image, replicas (wanted), ready, paused, revision (a Deployment's, else ""),
    autoscaler ({min, max} or None), pods. A pod: name, node, state (as `kubectl get pods` shows it), ready, restarts,
    image, created. A node: name, ready, unschedulable, pods (how many).
    """
    workloads = [_workload(context, obj) for resource in WORKLOADS.values() for obj in context.store.all(resource)]
    load: dict[str, int] = {}
    for workload in workloads:
        for pod in workload["pods"]:
            load[pod["node"]] = load.get(pod["node"], 0) + 1
    return {
        "version": context.store.version,
        "workloads": sorted(workloads, key=lambda item: (item["namespace"], item["name"], item["kind"])),
        "nodes": [_node(node, load.get(name_of(node), 0)) for node in context.store.all(NODES)],
    }


def _workload(context: Context, workload: Json) -> Json:
    pods = pods_of_workload(context, workload)
    spec = workload["spec"]
    wanted = spec.get("replicas", 1)
    if workload["kind"] == DAEMONSETS.kind:
        wanted = workload.get("status", {}).get("desiredNumberScheduled", 0)
    return {
        "kind": workload["kind"],
        "namespace": namespace_of(workload),
        "name": name_of(workload),
        "image": spec["template"]["spec"]["containers"][0]["image"],
        "replicas": wanted,
        "ready": count_ready(pod for pod in pods if is_active(pod)),
        "paused": bool(spec.get("paused")),
        "revision": annotations_of(workload).get("deployment.kubernetes.io/revision", ""),
        "autoscaler": _autoscaler(context, workload),
        "pods": [_pod(pod) for pod in pods],
    }


def _autoscaler(context: Context, workload: Json) -> Json | None:
    for hpa in context.store.all(HPAS, namespace_of(workload)):
        target = hpa["spec"].get("scaleTargetRef") or {}
        if (target.get("kind"), target.get("name")) == (workload["kind"], name_of(workload)):
            return {"min": hpa["spec"].get("minReplicas", 1), "max": hpa["spec"]["maxReplicas"]}
    return None


def _pod(pod: Json) -> Json:
    return {
        "name": name_of(pod),
        "node": pod["spec"].get("nodeName", ""),
        "state": pod_state(pod),
        "ready": is_true(pod, "Ready"),
        "restarts": pod_restarts(pod),
        "image": pod["spec"]["containers"][0]["image"],
        "created": pod["metadata"]["creationTimestamp"],
    }


def _node(node: Json, pods: int) -> Json:
    return {
        "name": name_of(node),
        "ready": is_true(node, "Ready"),
        "unschedulable": bool(node["spec"].get("unschedulable")),
        "pods": pods,
    }
