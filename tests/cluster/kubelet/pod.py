"""One pod, from the moment it is bound to a node until it is gone."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import replace
from datetime import datetime
from typing import Any

from tests.cluster.kubelet.client import UNREACHABLE, Json
from tests.cluster.kubelet.clock import now
from tests.cluster.kubelet.events import Note
from tests.cluster.kubelet.logs import LOGS, Line, Refused, pretended, run_to_show
from tests.cluster.kubelet.machine import Machine
from tests.cluster.kubelet.node import Node
from tests.cluster.kubelet.run import RealPod
from tests.cluster.kubelet.stages import Scene, play, stage_of
from tests.cluster.kubelet.status import ContainerState, Whole, build

_RETRY_S = 0.3
_LAST_GRACE_S = 2.0
"""When the kubelet itself ends."""

_OVER = ("Succeeded", "Failed")

_log = logging.getLogger("kubelet")


class PodWorker:
    """Reports level by level: whatever happened, what is so now is compared with what was last written."""

    def __init__(self, machine: Machine, node: Node, pod: Json) -> None:
        self.node = node
        self._machine = machine
        self._pod = pod
        self._changed = asyncio.Event()
        self._gone = False
        self._sent: Json = {}
        self._stage = ""
        self._scene: Scene | None = None
        self._real: RealPod | None = None
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._staged_at = now()
        self._since = now()
        self._address = ""

    def update(self, pod: Json) -> None:
        """Take a state from the watch, unless a newer one is known already."""
        if int(pod["metadata"]["resourceVersion"]) > int(self._pod["metadata"]["resourceVersion"]):
            self._pod = pod
            self._changed.set()

    def poke(self) -> None:
        """Look again whether all is reported."""
        self._changed.set()

    def vanish(self) -> None:
        """The pod is no longer on the server."""
        self._gone = True
        self._changed.set()

    def log(self, container: str, *, previous: bool) -> list[Line]:
        """Raises `Refused`, or KeyError for a container that the pod does not have."""
        metadata = self._pod["metadata"]
        if self._scene is None:
            raise Refused(f'container "{container}" in pod "{metadata["name"]}" is waiting to start: ContainerCreating')
        states = {item.name: item for item in [*self._scene.initial, *self._scene.main]}
        run = run_to_show(metadata["name"], states[container], previous=previous)
        staged = LOGS in (metadata.get("annotations") or {})
        if self._real and not staged and (lines := self._real.log(container, run)) is not None:
            return lines
        return pretended(self._pod, states[container], self._staged_at)

    async def run(self) -> None:
        await self.node.reachable.wait()
        self._since = now()
        workshop = self._machine.workshop
        self._address = await self._machine.addresses.take(usable=workshop is not None and workshop.runs(self._pod))
        try:
            while not self._gone:
                self._changed.clear()
                if self._deleted() and await self._end():
                    return
                self._act()
                await self._report()
                await self._changed.wait()
        finally:
            if self._real:
                await self._clear(self._real)
            self._machine.addresses.give_back(self._address)

    async def refresh(self) -> None:
        """Let files follow what they are made of."""
        if self._real:
            await self._real.refresh(self._pod)

    def _deleted(self) -> bool:
        return "deletionTimestamp" in self._pod["metadata"] and self._stage != "Terminating"

    def _act(self) -> None:
        """What is run stays so; what is only said to run may be staged anew."""
        stage = stage_of(self._pod, self._machine.order.place(self._pod))
        if stage == self._stage or self._real or self._deleted():
            return
        self._stage, self._staged_at = stage, now()
        workshop = self._machine.workshop
        if workshop and stage == "Running" and workshop.runs(self._pod):
            self._real = RealPod(
                self._machine, workshop, self._pod, address=self._address, changed=self.poke, tell=self._tell
            )
            self._scene = Scene(self._real.initial, self._real.main, Whole(self._address, self._since), ())
            self._start("run", self._real.run())
            return
        self._scene = play(self._pod, stage, address=self._address, since=self._since, at=self._staged_at)
        for note in self._scene.notes:
            self._tell(note)

    def _tell(self, note: Note) -> None:
        self._machine.recorder.tell(self._pod, note)

    def _start(self, name: str, doing: Coroutine[Any, Any, None]) -> None:
        self._tasks[name] = asyncio.create_task(doing)
        self._tasks[name].add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (problem := task.exception()):
            _log.error("pod %s", self._path(), exc_info=problem)
        self.poke()

    def _stopped(self, real: RealPod) -> bool:
        """Begin to stop the processes, or hear whether they have."""
        grace = float(self._pod["metadata"].get("deletionGracePeriodSeconds") or 0)
        if "stop" not in self._tasks:
            self._start("stop", real.stop(grace))
        real.hasten(grace)
        return all(task.done() for task in self._tasks.values())

    async def _clear(self, real: RealPod) -> None:
        """Nothing of it is left afterwards. A pod whose object is gone has no time any more."""
        grace = 0 if self._gone else _LAST_GRACE_S
        if "stop" not in self._tasks:
            self._start("stop", real.stop(grace))
        real.hasten(grace)
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        real.clear()

    async def _end(self) -> bool:
        """False while that has to be tried again."""
        if not self.node.reachable.is_set():
            return False
        if self._real and not self._stopped(self._real):
            return False
        metadata = self._pod["metadata"]
        if (metadata.get("finalizers") or self._real) and self._scene is not None:
            # Somebody reads how it ended before the object goes: the Job controller does.
            self._scene = _ended(self._scene, now())
            await self._report()
        body = {"gracePeriodSeconds": 0, "preconditions": {"uid": metadata["uid"]}}
        try:
            status, answer = await self._machine.client.send("DELETE", self._path(), body)
        except UNREACHABLE:
            status, answer = 503, {}
        if status < 300 or status in {404, 409}:
            return True
        _log.warning("delete of %s: %s %s", self._path(), status, answer.get("message"))
        self._again()
        return False

    async def _report(self) -> None:
        if self._scene is None or not self.node.reachable.is_set():
            return
        whole = self._scene.whole
        if self._real:
            whole = replace(whole, sandbox=self._real.mounted)
        status = build(self._pod, self._scene.initial, self._scene.main, whole, now())
        ended_by_others = self._pod.get("status", {}).get("phase") in _OVER and status["phase"] not in _OVER
        if status == self._sent or ended_by_others:
            return
        body = {"metadata": {"uid": self._pod["metadata"]["uid"]}, "status": status}
        try:
            code, answer = await self._machine.client.patch(f"{self._path()}/status", body)
        except UNREACHABLE:
            self._again()
            return
        if code == 200:
            self._sent = status
            self.update(answer)
        elif code == 429 or code >= 500:
            self._again()
        elif code not in {404, 409}:
            _log.error("status of %s: %s %s", self._path(), code, answer.get("message"))

    def _path(self) -> str:
        metadata = self._pod["metadata"]
        return f"/api/v1/namespaces/{metadata['namespace']}/pods/{metadata['name']}"

    def _again(self) -> None:
        asyncio.get_running_loop().call_later(_RETRY_S, self._changed.set)


def _ended(scene: Scene, at: datetime) -> Scene:
    """After a SIGTERM; what has ended by itself stays as it is."""

    def end(item: ContainerState) -> None:
        if "running" in item.state:
            item.end(143, at, at)
        elif "waiting" in item.state:
            item.end(137, at, at, reason="ContainerStatusUnknown")

    for item in scene.main:
        end(item)
    phase = "Succeeded" if all(item.succeeded for item in scene.main) else "Failed"
    return Scene(scene.initial, scene.main, Whole(scene.whole.address, scene.whole.since, phase), ())
