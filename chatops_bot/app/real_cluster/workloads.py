"""The workloads of a real cluster: whether they have come to rest, and which plans have left their mark there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from chatops_bot.adapters.kubernetes.client import Client
from chatops_bot.adapters.kubernetes.paths import resource_path
from chatops_bot.app.real_cluster.manifests import HPAS, POLL_S, WORKLOADS, listed
from chatops_bot.app.real_cluster.staging import staged
from chatops_bot.domain.objects import (
    PLAN_ANNOTATION,
    annotation,
    at,
    condition,
    items,
    mapping,
    name_of,
    number,
    text,
    uid_of,
)
from chatops_bot.domain.observed import Raw
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.cluster import ClusterUnavailable

STEADY_S: Final = 0.5
"""Workloads that are not as they should be are at rest when nothing about them has changed for so long."""
STARTING_S: Final = 20.0
"""Likewise where pods are still being started: an image may have to be fetched."""
LIMIT_S: Final = 60.0
"""For controllers to come to rest at all."""
LIFELESS_S: Final = 10.0
"""Where no controller has looked at any workload for so long, none works: a bare API server."""

_COUNTS: Final = {
    "Deployment": ("replicas", "updatedReplicas", "readyReplicas", "availableReplicas"),
    "StatefulSet": ("replicas", "updatedReplicas", "readyReplicas", "availableReplicas"),
    "DaemonSet": ("currentNumberScheduled", "updatedNumberScheduled", "numberReady", "numberAvailable"),
}
"""Fields of a status that say how many pods are wanted, once all is well."""

Shapes = dict[str, tuple[object, ...]]


class Mark(msgspec.Struct, frozen=True):
    """A write of the bot, as it was found: the token that it left on a workload, and how that stood then."""

    token: str
    kind: str
    namespace: str
    name: str
    replicas: int | None

    @property
    def place(self) -> str:
        """As in an entity's key, after the cluster."""
        return f"{self.namespace}/{self.kind.lower()}/{self.name}"


def _mark(row: Raw, token: str) -> Mark:
    """An autoscaler stands for what it scales."""
    scaled = mapping(row, "spec", "scaleTargetRef")
    kind, name = (text(scaled, "kind"), text(scaled, "name")) if scaled else (row["kind"], name_of(row))
    return Mark(token, kind, text(row, "metadata", "namespace"), name, at(row, "spec", "replicas"))


class Workloads:
    """Deployments, StatefulSets and DaemonSets of these namespaces, none named meaning all. `marks` grow whenever
    they are looked at; a mark that was there before the first look is none."""

    def __init__(self, client: Client, namespaces: Sequence[str], *, clock: Clock, tell: Callable[[str], None]) -> None:
        self.marks: list[Mark] = []
        self._client = client
        self._tell = tell
        self._lifeless = False
        self._namespaces = namespaces or ("",)
        self._clock = clock
        self._known: dict[str, str] = {}
        self._rested: Shapes = {}
        self._places: list[tuple[str, str]] = []

    async def rest(self, *, stirred: bool = False, everywhere: bool = True) -> None:
        """Until each is as it should be, or all have stopped changing. `stirred` says that one is about to change
        although it may not look like it yet. Not `everywhere` means that there are none where there were none before.
        Raises `ClusterUnavailable`."""
        began = changed = self._clock.monotonic()
        before: Shapes = {}
        if everywhere:
            self._places = [(kind, namespace) for kind in WORKLOADS for namespace in self._namespaces]
        while True:
            rows = await self._look()
            self._places = [place for place in self._places if any(_is_in(row, place) for row in rows)]
            now, shapes = self._clock.monotonic(), {uid_of(row): _shape(row) for row in rows}
            if shapes != before:
                before, changed = shapes, now
            known = not stirred and (shapes == self._rested or all(complete(row, row["kind"]) for row in rows))
            if all(_observed(row) for row in rows) and (known or await self._calm(now - changed)):
                self._rested = shapes
                return
            if self._no_controllers(rows, now - began):
                return
            if now - began > LIMIT_S:
                which = ", ".join(_told(row) for row in rows if not complete(row, row["kind"]))
                raise ClusterUnavailable(f"the controllers have not come to rest within {LIMIT_S:g} s: {which}")
            await self._clock.sleep(POLL_S)

    def _no_controllers(self, rows: Sequence[Raw], waited_s: float) -> bool:
        """Whether nobody works here whom one could wait for; said once."""
        if any(number(row, "status", "observedGeneration") for row in rows):
            return False
        if waited_s > LIFELESS_S and not self._lifeless:
            self._tell("no controllers work in this cluster: its workloads stay as they are written")
            self._lifeless = True
        return self._lifeless

    async def _look(self) -> list[Raw]:
        """New marks are noted in the order in which they were made."""
        found = await asyncio.gather(*(self._listed(kind, namespace) for kind, namespace in self._places))
        rows = [row for rows in found for row in rows]
        spaces = dict.fromkeys(namespace for _, namespace in self._places)
        scalers = await asyncio.gather(*(listed(self._client, HPAS.path(namespace)) for namespace in spaces))
        for row in sorted([*rows, *(row for rows in scalers for row in rows)], key=_version):
            token, uid = annotation(row, PLAN_ANNOTATION), uid_of(row)
            if token and self._known.get(uid, token) != token:
                self.marks.append(_mark(row, token))
            self._known[uid] = token
        return rows

    async def _listed(self, kind: str, namespace: str) -> list[Raw]:
        found = await listed(self._client, WORKLOADS[kind].path(namespace))
        return [{**row, "kind": kind} for row in found]

    async def _calm(self, unchanged_s: float) -> bool:
        """Whether so long without a change means that none will come."""
        return unchanged_s > STARTING_S or (unchanged_s > STEADY_S and not await self._starting())

    async def _starting(self) -> bool:
        """Whether some pod has a node but has not got as far as running or failing."""
        paths = [resource_path("", "v1", "pods", namespace=namespace) for namespace in self._namespaces]
        found = await asyncio.gather(*(listed(self._client, path) for path in paths))
        return any(_is_starting(pod) for pods in found for pod in pods)


def _version(row: Raw) -> int:
    version = text(row, "metadata", "resourceVersion")
    return int(version) if version.isdigit() else 0


def _is_in(row: Raw, place: tuple[str, str]) -> bool:
    return row["kind"] == place[0] and place[1] in ("", text(row, "metadata", "namespace"))


def complete(workload: Raw, kind: str) -> bool:
    """Whether its controller has seen its last change, and all pods are as that wants them."""
    if kind == "DaemonSet":
        wanted = number(workload, "status", "desiredNumberScheduled")
    else:
        wanted = number(workload, "spec", "replicas", default=1)
    return _observed(workload) and all(number(workload, "status", count) == wanted for count in _COUNTS[kind])


def _observed(row: Raw) -> bool:
    return number(row, "status", "observedGeneration") >= number(row, "metadata", "generation")


def _shape(row: Raw) -> tuple[object, ...]:
    status: Sequence[object] = [number(row, "status", count) for count in _COUNTS[row["kind"]]]
    return number(row, "metadata", "generation"), number(row, "status", "observedGeneration"), *status


def _told(row: Raw) -> str:
    ready = number(row, "status", "numberReady" if row["kind"] == "DaemonSet" else "readyReplicas")
    seen = f"generation {number(row, 'metadata', 'generation')}, observed {number(row, 'status', 'observedGeneration')}"
    where = text(row, "metadata", "namespace")
    return f"{row['kind'].lower()}/{name_of(row)} in {where} ({seen}, {ready} pods ready)"


def _is_starting(pod: Raw) -> bool:
    if (
        staged(pod)
        or text(pod, "status", "phase") != "Pending"
        or text(condition(pod, "PodScheduled"), "status") == "False"
    ):
        return False
    reasons = [text(status, "state", "waiting", "reason") for status in items(pod, "status", "containerStatuses")]
    return not reasons or any(reason in ("ContainerCreating", "PodInitializing") for reason in reasons)
