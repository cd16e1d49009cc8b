"""Pods that are only said to run, and the troubles that annotations stage on them."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tests.cluster.kubelet.client import Json
from tests.cluster.kubelet.events import Note
from tests.cluster.kubelet.status import ContainerState, Whole

STAGES = "kubelet.test/stages"
"""On pods: a JSON list, one stage for each pod of an owner in the order in which they start; the rest run. A stage is one
of `NAMES`, or an object in which it is written out (`told.py`)."""

STAGE = "kubelet.test/stage"
"""On one pod: the stage it is in from now on; goes before the list, and may change while the pod lives."""

NAMES = (
    "Running",
    "NotReady",
    "CrashLoopBackOff",
    "OOMKilled",
    "ImagePullBackOff",
    "Pending",
    "Evicted",
    "Terminating",
    "Completed",
    "Failed",
)

MISSING_TAG = "missing"
"""An image with this tag cannot be pulled, whatever the annotations say."""

_RESTARTS = 7

_log = logging.getLogger("kubelet")


@dataclass
class Order:
    """Which pod of its owner a pod is. An owner whose template changes counts anew."""

    _counts: dict[str, int] = field(default_factory=dict)
    _places: dict[str, int] = field(default_factory=dict)

    def place(self, pod: Json) -> int:
        metadata = pod["metadata"]
        owner = next((item["uid"] for item in metadata.get("ownerReferences") or [] if item.get("controller")), "")
        if not owner:
            return 0
        uid = metadata["uid"]
        if uid not in self._places:
            key = owner + (metadata.get("labels") or {}).get("controller-revision-hash", "")
            self._places[uid] = self._counts.get(key, 0)
            self._counts[key] = self._places[uid] + 1
        return self._places[uid]

    def forget(self, uid: str) -> None:
        self._places.pop(uid, None)


def stage_of(pod: Json, place: int) -> str:
    """A name of `NAMES`, or the JSON of a stage that is written out; what is not known is said in the log and means
    Running."""
    annotations = pod["metadata"].get("annotations") or {}
    if any(container["image"].endswith(f":{MISSING_TAG}") for container in pod["spec"]["containers"]):
        return "ImagePullBackOff"
    name = str(annotations.get(STAGE, ""))
    if name.startswith("{"):
        return name
    if not name and STAGES in annotations:
        try:
            listed = json.loads(annotations[STAGES])
            name = listed[place] if place < len(listed) else "Running"
            if isinstance(name, dict):
                return json.dumps(name)
        except (ValueError, TypeError, KeyError):
            _log.error("%s of %s is not a JSON list", STAGES, pod["metadata"]["name"])
    if name and name not in NAMES:
        _log.error("%s: there is no stage %r", pod["metadata"]["name"], name)
    return name if name in NAMES else "Running"


@dataclass(frozen=True)
class Scene:
    """One stage of one pod, ready to be reported."""

    initial: Sequence[ContainerState]
    main: Sequence[ContainerState]
    whole: Whole
    notes: Sequence[Note]


def containers_of(pod: Json, field_name: str) -> list[ContainerState]:
    uid = pod["metadata"]["uid"]
    return [
        ContainerState(item["name"], item["image"], uid, sidecar=item.get("restartPolicy") == "Always")
        for item in pod["spec"].get(field_name) or []
    ]


def play(pod: Json, stage: str, *, address: str, since: datetime, at: datetime) -> Scene:
    """What a pod looks like in a stage. The trouble is the first container's (or the one's with the missing image)."""
    initial, main = containers_of(pod, "initContainers"), containers_of(pod, "containers")
    for item in [*initial, *main]:
        item.run_since(at, ready=True)
        if item in initial and not item.sidecar:
            item.end(0, at, at)
    troubled = next((item for item in main if item.image.endswith(f":{MISSING_TAG}")), main[0])
    notes = [note for item in [*initial, *main] if item is not troubled for note in started(item)]
    whole = Whole(address, since)
    if stage == "Pending":
        for item in [*main, *(item for item in initial if item.sidecar)]:
            item.wait("ContainerCreating")
        return Scene(initial, main, Whole(address, since, sandbox=False), [])
    if stage in {"Completed", "Failed"}:
        for item in main:
            item.end(1 if stage == "Failed" and item is troubled else 0, at, at)
        whole = Whole(address, since, phase="Succeeded" if stage == "Completed" else "Failed")
    elif stage == "Evicted":
        whole, killing = _evict(main, whole, at)
        return Scene(initial, main, whole, [*notes, *started(troubled), *killing])
    return Scene(initial, main, whole, [*notes, *_trouble(pod, troubled, stage, at)])


def _trouble(pod: Json, item: ContainerState, stage: str, at: datetime) -> list[Note]:
    match stage:
        case "NotReady":
            item.ready = False
            message = "Readiness probe failed: HTTP probe failed with statuscode: 503"
            return [*started(item), Note("Unhealthy", message, warning=True, container=item.name, count=6)]
        case "CrashLoopBackOff" | "OOMKilled":
            return _crash(pod, item, at, oom=stage == "OOMKilled")
        case "ImagePullBackOff":
            return _not_pulled(item)
        case _:
            return started(item)


def started(item: ContainerState, count: int = 1) -> list[Note]:
    """Events of a container that starts."""
    pulled = f'Container image "{item.image}" already present on machine'
    return [
        Note("Pulled", pulled, container=item.name, count=count),
        Note("Created", f"Container created: {item.name}", container=item.name, count=count),
        Note("Started", "Container started", container=item.name, count=count),
    ]


def back_off(pod: Json, container: str, seconds: int) -> tuple[str, str]:
    """The words for a container that is not yet started again: in the status, and in an Event."""
    metadata = pod["metadata"]
    which = f"{metadata['name']}_{metadata['namespace']}({metadata['uid']})"
    minutes, rest = divmod(seconds, 60)
    delay = f"{minutes}m{rest}s" if minutes else f"{rest}s"
    return (
        f"back-off {delay} restarting failed container={container} pod={which}",
        f"Back-off restarting failed container {container} in pod {which}",
    )


def _crash(pod: Json, item: ContainerState, at: datetime, *, oom: bool) -> list[Note]:
    item.restarts = _RESTARTS
    item.end(137 if oom else 1, at - timedelta(seconds=2), at, reason="OOMKilled" if oom else "Error")
    waits, told = back_off(pod, item.name, 300)
    item.wait("CrashLoopBackOff", waits)
    warning = Note("BackOff", told, warning=True, container=item.name, count=_RESTARTS * 4)
    return [*started(item, _RESTARTS + 1), warning]


def pull_error(image: str) -> str:
    """The words of containerd for an image that is not there."""
    reference = image if ":" in image.rpartition("/")[2] else f"{image}:latest"
    return (
        f'rpc error: code = NotFound desc = failed to pull and unpack image "{reference}": '
        f'failed to resolve reference "{reference}": {reference}: not found'
    )


def _not_pulled(item: ContainerState) -> list[Note]:
    why = pull_error(item.image)
    item.wait("ImagePullBackOff", f'Back-off pulling image "{item.image}": ErrImagePull: {why}')
    return [
        Note("Pulling", f'Pulling image "{item.image}"', container=item.name, count=4),
        Note("Failed", f'Failed to pull image "{item.image}": {why}', warning=True, container=item.name, count=4),
        Note("Failed", "Error: ErrImagePull", warning=True, container=item.name, count=4),
        Note("BackOff", f'Back-off pulling image "{item.image}"', container=item.name, count=6),
        Note("Failed", "Error: ImagePullBackOff", warning=True, container=item.name, count=6),
    ]


def _evict(main: Sequence[ContainerState], whole: Whole, at: datetime) -> tuple[Whole, list[Note]]:
    message = (
        "The node was low on resource: ephemeral-storage. Threshold quantity: 5Gi, available: 3Gi. "
        f"Container {main[0].name} was using 12Gi, request is 0, has larger consumption of ephemeral-storage. "
    )
    for item in main:
        item.end(137, whole.since, at)
    notes = [Note("Evicted", message, warning=True)]
    notes += [Note("Killing", f"Stopping container {item.name}", container=item.name) for item in main]
    return Whole(whole.address, whole.since, "Failed", "Evicted", message, sandbox=False), notes
