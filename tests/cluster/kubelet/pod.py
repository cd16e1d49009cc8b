"""One pod, from the moment it is bound to a node until it is gone."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import replace
from datetime import datetime
from typing import Any

from tests.cluster.kubelet.client import Json
from tests.cluster.kubelet.clock import now
from tests.cluster.kubelet.events import Note
from tests.cluster.kubelet.logs import LOGS, Line, Refused, pretended, run_to_show
from tests.cluster.kubelet.machine import Machine
from tests.cluster.kubelet.node import Node
from tests.cluster.kubelet.run import RealPod
from tests.cluster.kubelet.stages import Scene, stage_of
from tests.cluster.kubelet.status import ContainerState, Whole, build
from tests.cluster.kubelet.told import scene_of
from tests.cluster.kubelet.writing import Outcome, remove, write_status

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
        self._life: _Life | None = None
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
        if self._life and not staged and (lines := self._life.pod.log(container, run)) is not None:
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
            if self._life:
                # A pod whose object is gone has no time any more.
                await self._life.end(0 if self._gone else _LAST_GRACE_S)
            self._machine.addresses.give_back(self._address)

    async def refresh(self) -> None:
        """Let files follow what they are made of."""
        if self._life:
            await self._life.pod.refresh(self._pod)

    def _deleted(self) -> bool:
        return "deletionTimestamp" in self._pod["metadata"] and self._stage != "Terminating"

    def _act(self) -> None:
        """What is run stays so; what is only said to run may be staged anew."""
        stage = stage_of(self._pod, self._machine.order.place(self._pod))
        if stage == self._stage or self._life or self._deleted():
            return
        self._stage, self._staged_at = stage, now()
        workshop = self._machine.workshop
        if workshop and stage == "Running" and workshop.runs(self._pod):
            real = RealPod(
                self._machine, workshop, self._pod, address=self._address, changed=self.poke, tell=self._tell
            )
            self._scene = Scene(real.initial, real.main, Whole(self._address, self._since), ())
            self._life = _Life(real, self.poke)
            return
        self._scene = scene_of(self._pod, stage, address=self._address, since=self._since, at=self._staged_at)
        for note in self._scene.notes:
            self._tell(note)

    def _tell(self, note: Note) -> None:
        self._machine.recorder.tell(self._pod, note)

    async def _end(self) -> bool:
        """False while that has to be tried again."""
        if not self.node.reachable.is_set():
            return False
        metadata = self._pod["metadata"]
        if self._life and not self._life.over(float(metadata.get("deletionGracePeriodSeconds") or 0)):
            return False
        if (metadata.get("finalizers") or self._life) and self._scene is not None:
            # Somebody reads how it ended before the object goes: the Job controller does.
            self._scene = _ended(self._scene, now())
            await self._report()
        outcome = await remove(self._machine.client, self._pod)
        if outcome is Outcome.AGAIN:
            self._again()
        return outcome is not Outcome.AGAIN

    async def _report(self) -> None:
        if self._scene is None or not self.node.reachable.is_set():
            return
        whole = self._scene.whole
        if self._life:
            whole = replace(whole, sandbox=self._life.pod.mounted)
        status = build(self._pod, self._scene.initial, self._scene.main, whole, now())
        ended_by_others = self._pod.get("status", {}).get("phase") in _OVER and status["phase"] not in _OVER
        if status == self._sent or ended_by_others:
            return
        outcome, newest = await write_status(self._machine.client, self._pod, status)
        if outcome is Outcome.DONE:
            self._sent = status
            self.update(newest)
        elif outcome is Outcome.AGAIN:
            self._again()

    def _again(self) -> None:
        asyncio.get_running_loop().call_later(_RETRY_S, self._changed.set)


class _Life:
    """A pod that is run, and the tasks that run and stop it. `changed` is called when one of them has ended."""

    def __init__(self, pod: RealPod, changed: Callable[[], None]) -> None:
        self.pod = pod
        self._changed = changed
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._start("run", pod.run())

    def over(self, grace_s: float) -> bool:
        """Begin to stop the processes, or hear whether that is done."""
        if "stop" not in self._tasks:
            self._start("stop", self.pod.stop(grace_s))
        self.pod.hasten(grace_s)
        return all(task.done() for task in self._tasks.values())

    async def end(self, grace_s: float) -> None:
        """Nothing of it is left afterwards."""
        self.over(grace_s)
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        self.pod.clear()

    def _start(self, name: str, doing: Coroutine[Any, Any, None]) -> None:
        self._tasks[name] = asyncio.create_task(doing)
        self._tasks[name].add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (problem := task.exception()):
            _log.error("in a pod that is run", exc_info=problem)
        self._changed()


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
