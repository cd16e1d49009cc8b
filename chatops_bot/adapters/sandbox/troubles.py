"""What can be wrong with a pod, and how its status then looks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

from chatops_bot.adapters.sandbox.objects import Json, name_of, namespace_of, uid_of

Trouble = Literal[
    "Running", "NotReady", "CrashLoopBackOff", "OOMKilled", "ImagePullBackOff", "Pending", "Evicted", "Terminating"
]
TROUBLES: Final[tuple[str, ...]] = get_args(Trouble)

RESTARTS = 7  # what a pod that keeps crashing shows
CRASHED_AGO = 60.0  # seconds since it last did


@dataclass(frozen=True, slots=True)
class Staged:
    """`since` is the epoch second from which the trouble is there."""

    trouble: Trouble
    since: float


@dataclass(slots=True)
class Troubles:
    """Troubles by pod uid: they belong to a pod, and a pod that replaces it has none."""

    _staged: dict[str, Staged] = field(default_factory=dict)

    def stage(self, pod: Json, trouble: Trouble, since: float) -> None:
        if trouble == "Running":
            self._staged.pop(uid_of(pod), None)
        else:
            self._staged[uid_of(pod)] = Staged(trouble, since)

    def of(self, pod: Json) -> Staged | None:
        return self._staged.get(uid_of(pod))

    def forget(self, pod: Json) -> None:
        self._staged.pop(uid_of(pod), None)


@dataclass(frozen=True, slots=True)
class ContainerView:
    """One container of a status: what it does now, what it did before."""

    state: Json
    last: Mapping[str, Json] = field(default_factory=dict)
    ready: bool = False
    started: bool = False
    restarts: int = 0


def healthy(started: str, *, ready: bool = True) -> ContainerView:
    return ContainerView({"running": {"startedAt": started}}, ready=ready, started=True)


def creating() -> ContainerView:
    return ContainerView({"waiting": {"reason": "ContainerCreating"}})


def crashing(pod: Json, container: str, *, oom: bool, started: str, finished: str) -> ContainerView:
    """Between two attempts: waiting, with the last crash in lastState."""
    ended = {"exitCode": 137, "reason": "OOMKilled"} if oom else {"exitCode": 1, "reason": "Error"}
    ended |= {"startedAt": started, "finishedAt": finished}
    where = f"container={container} pod={name_of(pod)}_{namespace_of(pod)}({uid_of(pod)})"
    message = f"back-off 5m0s restarting failed {where}"
    waiting = {"waiting": {"reason": "CrashLoopBackOff", "message": message}}
    return ContainerView(waiting, {"terminated": ended}, restarts=RESTARTS)


def pull_error(image: str) -> str:
    """The runtime's words for an image that is not there."""
    reference = image if ":" in image.rpartition("/")[2] else f"{image}:latest"
    return f'failed to pull and unpack image "{reference}": failed to resolve image: {reference}: not found'


def not_pulled(image: str) -> ContainerView:
    message = f'Back-off pulling image "{image}": ErrImagePull: {pull_error(image)}'
    return ContainerView({"waiting": {"reason": "ImagePullBackOff", "message": message}})


def killed(started: str, finished: str) -> ContainerView:
    ended = {"exitCode": 137, "reason": "Error", "startedAt": started, "finishedAt": finished}
    return ContainerView({"terminated": ended})


def eviction_message(container: str) -> str:
    return (
        "The node was low on resource: ephemeral-storage. Threshold quantity: 5Gi, available: 3Gi. "
        f"Container {container} was using 12Gi, request is 0, has larger consumption of ephemeral-storage. "
    )
