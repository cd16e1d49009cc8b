"""A pod's status, put together from what its containers do."""

from __future__ import annotations

import hashlib

from chatops_bot.adapters.sandbox.conditions import set_condition
from chatops_bot.adapters.sandbox.defaults import quality_of_service
from chatops_bot.adapters.sandbox.objects import Json, uid_of
from chatops_bot.adapters.sandbox.troubles import ContainerView


def build(pod: Json, view: ContainerView, *, phase: str, now: str, bound: str) -> Json:
    """The status of a pod whose first container looks like `view`; any further ones run as well as the pod allows."""
    containers = pod["spec"]["containers"]
    statuses = [_container(pod, containers[0], view)]
    statuses += [_container(pod, container, _companion(view)) for container in containers[1:]]
    status: Json = {
        "observedGeneration": pod["metadata"].get("generation", 1),
        "phase": phase,
        "conditions": _conditions(pod, statuses, phase, now),
        "startTime": bound,
        "containerStatuses": sorted(statuses, key=lambda item: str(item["name"])),
        "qosClass": quality_of_service(pod),
    }
    node = sum(pod["spec"]["nodeName"].encode()) % 200 + 10
    status["hostIP"] = f"10.0.0.{node}"
    status["hostIPs"] = [{"ip": status["hostIP"]}]
    if view.state.get("waiting", {}).get("reason") != "ContainerCreating" and phase != "Failed":
        status["podIP"] = address(pod)
        status["podIPs"] = [{"ip": status["podIP"]}]
    if initial := pod["spec"].get("initContainers"):
        status["initContainerStatuses"] = [_finished(pod, container, bound) for container in initial]
    return status


def _companion(view: ContainerView) -> ContainerView:
    """What a sidecar does meanwhile: it runs, unless nothing of the pod does yet or any more."""
    if "terminated" in view.state or view.state.get("waiting", {}).get("reason") == "ContainerCreating":
        return view
    since = view.state.get("running", {}).get("startedAt")
    running = {"running": {"startedAt": since}} if since else {"running": {}}
    return ContainerView(running, ready=True, started=True)


def _container(pod: Json, container: Json, view: ContainerView) -> Json:
    pulled = view.started or bool(view.last) or "terminated" in view.state
    status: Json = {
        "name": container["name"],
        "image": container["image"],
        "imageID": _digest(container["image"], "sha256:") if pulled else "",
        "ready": view.ready,
        "started": view.started,
        "restartCount": view.restarts,
        "state": view.state,
        "lastState": dict(view.last),
    }
    if pulled:
        status["containerID"] = _digest(uid_of(pod) + container["name"], "containerd://")
    return status


def _finished(pod: Json, container: Json, at: str) -> Json:
    ended = {"exitCode": 0, "reason": "Completed", "startedAt": at, "finishedAt": at}
    view = ContainerView({"terminated": ended}, ready=True)
    return _container(pod, container, view)


def _digest(text: str, prefix: str) -> str:
    return prefix + hashlib.sha256(text.encode()).hexdigest()


def _conditions(pod: Json, containers: list[Json], phase: str, now: str) -> list[Json]:
    conditions = list(pod.get("status", {}).get("conditions") or [])
    unready = [item["name"] for item in containers if not item["ready"]]
    reason = "PodFailed" if phase == "Failed" else "ContainersNotReady"
    message = f"containers with unready status: [{' '.join(unready)}]" if phase != "Failed" else ""
    sandboxed = any("waiting" not in item["state"] or item["restartCount"] for item in containers)
    conditions = _with(conditions, pod, "PodReadyToStartContainers", sandboxed, now)
    conditions = _with(conditions, pod, "Initialized", True, now)
    for kind in ("Ready", "ContainersReady"):
        if unready:
            conditions = _with(conditions, pod, kind, False, now, reason, message)
        else:
            conditions = _with(conditions, pod, kind, True, now)
    return _with(conditions, pod, "PodScheduled", True, now)


def _with(
    conditions: list[Json], pod: Json, kind: str, holds: bool, now: str, reason: str = "", message: str = ""
) -> list[Json]:
    further = {"observedGeneration": pod["metadata"].get("generation", 1), "lastProbeTime": None}
    status = "True" if holds else "False"
    return set_condition(conditions, kind, status, stamp=now, reason=reason, message=message, **further)


def not_ready(pod: Json, now: str) -> Json:
    """The status that the node controller leaves on the pods of a lost node: all as it was, but Ready."""
    status = dict(pod["status"])
    status["conditions"] = set_condition(list(status["conditions"]), "Ready", "False", stamp=now)
    return status


def address(pod: Json) -> str:
    """A pod IP that depends on the uid alone."""
    digest = hashlib.sha256(uid_of(pod).encode()).digest()
    return f"10.244.{digest[0]}.{digest[1] % 250 + 2}"
