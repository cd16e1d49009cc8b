"""A pod's status, put together from what its containers do, in the words of a kubelet."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from tests.cluster.kubelet.client import Json
from tests.cluster.kubelet.clock import stamp

HOST_IP = "127.0.0.1"


@dataclass
class ContainerState:
    """What one container does now (`state`) and how its previous run ended (`last`), both as the API has them."""

    name: str
    image: str
    uid: str
    """Of the pod."""
    state: Json = field(default_factory=lambda: {"waiting": {"reason": "ContainerCreating"}})
    last: Json = field(default_factory=dict)
    ready: bool = False
    started: bool = False
    restarts: int = 0
    sidecar: bool = False
    """An init container that goes on beside the others."""

    @property
    def terminated(self) -> Json | None:
        found: Json | None = self.state.get("terminated")
        return found

    @property
    def waiting(self) -> str:
        """The reason, or nothing."""
        return str(self.state.get("waiting", {}).get("reason", ""))

    @property
    def ran(self) -> bool:
        return "waiting" not in self.state or bool(self.last)

    @property
    def identity(self) -> str:
        """`containerID` of the newest run."""
        return "containerd://" + hashlib.sha256(f"{self.uid}/{self.name}/{self.restarts}".encode()).hexdigest()

    def run_since(self, at: datetime, *, ready: bool, started: bool = True) -> None:
        self.state, self.ready, self.started = {"running": {"startedAt": stamp(at)}}, ready, started

    def wait(self, reason: str, message: str = "") -> None:
        """A run that has ended becomes the last one."""
        if self.terminated:
            self.last = self.state
        self.state = {"waiting": {"reason": reason, **({"message": message} if message else {})}}
        self.ready = self.started = False

    def again(self) -> None:
        """The next run begins; the one that has ended becomes the last one."""
        if self.terminated:
            self.last = self.state
        self.restarts += 1

    def end(self, code: int, began: datetime, at: datetime, *, reason: str = "", message: str = "") -> None:
        ended: Json = {"exitCode": code, "reason": reason or ("Error" if code else "Completed")}
        ended |= {"startedAt": stamp(began), "finishedAt": stamp(at), "containerID": self.identity}
        self.state = {"terminated": {**ended, **({"message": message} if message else {})}}
        self.ready = self.started = False

    @property
    def succeeded(self) -> bool:
        return self.terminated is not None and self.terminated["exitCode"] == 0


def container_status(container: ContainerState) -> Json:
    found: Json = {
        "name": container.name,
        "image": container.image,
        "imageID": _image_id(container.image) if container.ran else "",
        "ready": container.ready,
        "started": container.started,
        "restartCount": container.restarts,
        "state": container.state,
        "lastState": container.last,
    }
    if container.ran:
        found["containerID"] = container.identity
    return found


def phase_of(spec: Json, initial: Sequence[ContainerState], main: Sequence[ContainerState]) -> str:
    """As the kubelet's `getPhase` has it."""
    policy = spec.get("restartPolicy", "Always")
    if any(item.terminated and not item.succeeded for item in initial) and policy == "Never":
        return "Failed"
    if not initialized(initial) or any("waiting" in item.state and not item.last for item in main):
        return "Pending"
    if policy != "Always" and all(item.terminated for item in main):
        if all(item.succeeded for item in main):
            return "Succeeded"
        if policy == "Never":
            return "Failed"
    return "Running"


def initialized(initial: Sequence[ContainerState]) -> bool:
    return all(item.started if item.sidecar else item.succeeded for item in initial)


@dataclass(frozen=True)
class Whole:
    """What is said of the pod beside its containers; an empty `phase` follows from them."""

    address: str
    since: datetime
    phase: str = ""
    reason: str = ""
    message: str = ""
    sandbox: bool = True


def build(
    pod: Json, initial: Sequence[ContainerState], main: Sequence[ContainerState], whole: Whole, at: datetime
) -> Json:
    """A patch of the status; `pod` is the newest one known, whose conditions are gone on from."""
    phase = whole.phase or phase_of(pod["spec"], initial, main)
    generation = pod["metadata"].get("generation", 1)
    status: Json = {
        "phase": phase,
        "observedGeneration": generation,
        "startTime": stamp(whole.since),
        "hostIP": HOST_IP,
        "hostIPs": [{"ip": HOST_IP}],
        "reason": whole.reason or None,
        "message": whole.message or None,
        "conditions": [
            {**condition, "observedGeneration": generation}
            for condition in _conditions(pod, initial, main, phase, whole, at)
        ],
        "containerStatuses": [container_status(item) for item in sorted(main, key=lambda item: item.name)],
    }
    if initial:
        status["initContainerStatuses"] = [_initial_status(item) for item in initial]
    if whole.sandbox and whole.address:
        status |= {"podIP": whole.address, "podIPs": [{"ip": whole.address}]}
    return status


def _initial_status(item: ContainerState) -> Json:
    found = container_status(item)
    if not item.sidecar:
        found |= {"ready": item.succeeded, "started": "running" in item.state}
    return found


def _conditions(
    pod: Json,
    initial: Sequence[ContainerState],
    main: Sequence[ContainerState],
    phase: str,
    whole: Whole,
    at: datetime,
) -> list[Json]:
    over = {"Succeeded": "PodCompleted", "Failed": "PodFailed"}.get(phase, "")
    unready = [item.name for item in main if not item.ready]
    unfinished = [item.name for item in initial if not (item.started if item.sidecar else item.succeeded)]
    begun: tuple[bool, str, str] = (not unfinished, "", "")
    if unfinished and over != "PodCompleted":
        begun = (False, "ContainersNotInitialized", f"containers with incomplete status: [{' '.join(unfinished)}]")
    elif over == "PodCompleted":
        begun = (True, over, "")
    running: tuple[bool, str, str] = (not unready, "", "")
    if over:
        running = (False, over, "")
    elif unready:
        running = (False, "ContainersNotReady", f"containers with unready status: [{' '.join(unready)}]")
    gates = [gate["conditionType"] for gate in pod["spec"].get("readinessGates") or []]
    held = [gate for gate in gates if _old(pod, gate).get("status") != "True"]
    ready = running
    if held and running[0]:
        quoted = " ".join(f'"{gate}"' for gate in held)
        ready = (False, "ReadinessGatesNotReady", f"the status of pod readiness gates {quoted} is not True")
    return [
        _condition(pod, "PodReadyToStartContainers", (whole.sandbox and not over, "", ""), at),
        _condition(pod, "Initialized", begun, at),
        _condition(pod, "Ready", ready, at),
        _condition(pod, "ContainersReady", running, at),
        _condition(pod, "PodScheduled", (True, "", ""), at),
    ]


def _old(pod: Json, kind: str) -> Json:
    for condition in pod.get("status", {}).get("conditions") or []:
        if condition["type"] == kind:
            return dict(condition)
    return {}


def _condition(pod: Json, kind: str, says: tuple[bool, str, str], at: datetime) -> Json:
    """`lastTransitionTime` moves only with the status. Null takes an old reason away."""
    holds, reason, message = says
    status = "True" if holds else "False"
    old = _old(pod, kind)
    moved = stamp(at) if old.get("status") != status else old.get("lastTransitionTime") or stamp(at)
    return {
        "type": kind,
        "status": status,
        "reason": reason or None,
        "message": message or None,
        "lastProbeTime": None,
        "lastTransitionTime": moved,
    }


def _image_id(image: str) -> str:
    repository = image.partition("@")[0]
    if ":" in repository.rpartition("/")[2]:
        repository = repository.rpartition(":")[0]
    return f"{repository}@sha256:{hashlib.sha256(image.encode()).hexdigest()}"
