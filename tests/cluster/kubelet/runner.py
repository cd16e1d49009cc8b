"""One container that is run: started, probed, restarted, stopped."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from tests.cluster.kubelet.client import Json
from tests.cluster.kubelet.clock import now
from tests.cluster.kubelet.environment import Unconfigured
from tests.cluster.kubelet.events import Note
from tests.cluster.kubelet.namespaces import View
from tests.cluster.kubelet.network import forward
from tests.cluster.kubelet.probes import Probed, run_probes
from tests.cluster.kubelet.process import Running
from tests.cluster.kubelet.stages import back_off, started
from tests.cluster.kubelet.status import ContainerState

_QUICK = 2
"""Restarts without a word of back-off; a kubelet has one."""

_FIRST_DELAY_S, _LONGEST_DELAY_S = 0.5, 10.0
"""A twentieth of a kubelet's, whose words are kept."""

_NOMINAL = 20
_FORGIVEN_AFTER_S = 30.0

_MESSAGE_LIMIT = 4096

_log = logging.getLogger("kubelet")


class Deadline:
    """Until when something may take; it can be brought forward."""

    def __init__(self, seconds: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._at = self._loop.time() + seconds
        self._moved = asyncio.Event()

    @property
    def left_s(self) -> float:
        return max(self._at - self._loop.time(), 0.0)

    def shorten(self, seconds: float) -> None:
        sooner = self._loop.time() + seconds
        if sooner < self._at:
            self._at = sooner
            self._moved.set()

    async def allows(self, doing: Awaitable[object]) -> bool:
        """Wait for something. False when it was not done in time; it is left as it is."""
        task = asyncio.ensure_future(doing)
        while not task.done() and self.left_s:
            self._moved.clear()
            moved = asyncio.ensure_future(self._moved.wait())
            await asyncio.wait({task, moved}, timeout=self.left_s, return_when=asyncio.FIRST_COMPLETED)
            moved.cancel()
        return task.done()


@dataclass(frozen=True)
class Place:
    """Where a container of a pod is run, and who is told of it."""

    pod: Json
    spec: Json
    folder: Path
    address: str
    start: Callable[[Path], Awaitable[Running]] | None
    """Given the file for the log; raises `Unconfigured`. None where the container is only said to run."""
    own_network: bool
    changed: Callable[[], None]
    tell: Callable[[Note], None]


class Runner:
    """`run` returns when the container has ended for good. Restarts follow `policy`."""

    def __init__(self, place: Place, state: ContainerState, *, policy: str) -> None:
        self.state = state
        self._place = place
        self._policy = policy
        self._running: Running | None = None
        self._ended = asyncio.Event()
        self._stopping = asyncio.Event()
        self._restarting: asyncio.Task[None] | None = None
        self._forgiven = 0
        self._problem = ""

    @property
    def real(self) -> bool:
        return self._place.start is not None

    def log_file(self, run: int) -> Path:
        return self._place.folder / f"{run}.log"

    async def run(self) -> None:
        while not self._stopping.is_set():
            began = now()
            try:
                code = await self._once(began)
            except Unconfigured as problem:
                await self._unconfigured(str(problem))
                continue
            if self._stopping.is_set() or self._policy == "Never" or (self._policy == "OnFailure" and code == 0):
                return
            await self._back_off(now() - began)
            if not self._stopping.is_set():
                self.state.again()

    async def stop(self, deadline: Deadline) -> None:
        """preStop, SIGTERM, SIGKILL. Returns when the process is gone."""
        self._stopping.set()
        if self._running is not None:
            self._place.tell(Note("Killing", f"Stopping container {self.state.name}", container=self.state.name))
            await self._kill(self._running, deadline)

    async def _once(self, began: datetime) -> int:
        spec, state, place = self._place.spec, self.state, self._place
        if place.start is None:
            return await self._pretend(began)
        self._ended.clear()
        log = self.log_file(state.restarts)
        process = self._running = await place.start(log)
        if self._stopping.is_set():
            # The end came while it was started, and found nothing to stop.
            process.signal(signal.SIGKILL)
        up = "startupProbe" not in spec
        state.run_since(began, ready=up and "readinessProbe" not in spec, started=up)
        place.changed()
        for note in started(state):
            place.tell(note)
        probed = Probed(spec, state, process, place.address, place.changed, place.tell, self._failed)
        beside = [asyncio.create_task(run_probes(probed))]
        if place.own_network:
            ports = [item["containerPort"] for item in spec.get("ports") or []]
            beside.append(asyncio.create_task(forward(process, place.address, ports)))
        try:
            code = await process.wait()
        finally:
            for task in beside:
                task.cancel()
            for outcome in await asyncio.gather(*beside, return_exceptions=True):
                if isinstance(outcome, Exception):
                    _log.error("beside container %s", state.name, exc_info=outcome)
            self._running = None
            self._ended.set()
        state.end(code, began, now(), message=_last_words(process.view, spec, log, failed=code != 0))
        place.changed()
        return code

    async def _pretend(self, began: datetime) -> int:
        self.state.run_since(began, ready=True)
        self._place.changed()
        for note in started(self.state):
            self._place.tell(note)
        await self._stopping.wait()
        self.state.end(0, began, now())
        return 0

    async def _unconfigured(self, problem: str) -> None:
        if self._problem == problem and self.state.waiting != "CreateContainerConfigError":
            self._place.tell(Note("Failed", f"Error: {problem}", warning=True, container=self.state.name))
            self.state.wait("CreateContainerConfigError", problem)
            self._place.changed()
        # Said at the second time only: what was made a moment ago may not have come by the watch yet.
        self._problem = problem
        await self._sleep(0.2)

    async def _back_off(self, lasted: timedelta) -> None:
        state = self.state
        if lasted.total_seconds() > _FORGIVEN_AFTER_S:
            self._forgiven = state.restarts
        failures = state.restarts + 1 - self._forgiven
        if failures <= _QUICK:
            await self._sleep(_FIRST_DELAY_S / 5)
            return
        delay = min(_FIRST_DELAY_S * 2.0 ** (failures - _QUICK - 1), _LONGEST_DELAY_S)
        waits, told = back_off(self._place.pod, state.name, min(int(delay * _NOMINAL), 300))
        state.wait("CrashLoopBackOff", waits)
        self._place.tell(Note("BackOff", told, warning=True, container=state.name))
        self._place.changed()
        await self._sleep(delay)

    async def _sleep(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), seconds)

    def _failed(self, kind: str) -> None:
        """A probe says that the container has to be restarted."""
        if self._running is None or self._stopping.is_set():
            return
        message = f"Container {self.state.name} failed {kind} probe, will be restarted"
        self._place.tell(Note("Killing", message, container=self.state.name))
        grace = float(self._place.pod["spec"].get("terminationGracePeriodSeconds", 30))
        probe = self._place.spec.get(f"{kind}Probe", {})
        grace = float(probe.get("terminationGracePeriodSeconds") or grace)
        self._restarting = asyncio.create_task(self._kill(self._running, Deadline(grace)))

    async def _kill(self, process: Running, deadline: Deadline) -> None:
        hook = (self._place.spec.get("lifecycle") or {}).get("preStop")
        if hook:
            doing = asyncio.create_task(self._before_stop(process, hook, deadline.left_s))
            ended = asyncio.create_task(self._ended.wait())
            await deadline.allows(asyncio.wait({doing, ended}, return_when=asyncio.FIRST_COMPLETED))
            doing.cancel()
            ended.cancel()
        process.signal(signal.SIGTERM)
        if not await deadline.allows(self._ended.wait()):
            process.signal(signal.SIGKILL)
            await self._ended.wait()

    async def _before_stop(self, process: Running, hook: Json, limit_s: float) -> None:
        if "sleep" in hook:
            await asyncio.sleep(hook["sleep"]["seconds"])
        elif "exec" in hook:
            try:
                code, output = await process.execute(hook["exec"]["command"], limit_s=limit_s)
            except TimeoutError:
                return
            if code:
                message = f"PreStopHook failed: {output.strip() or code}"
                self._place.tell(Note("FailedPreStopHook", message, warning=True, container=self.state.name))


def _last_words(view: View, spec: Json, log: Path, *, failed: bool) -> str:
    """Of `terminationMessagePath`, or of the log where the container wants that."""
    path = view.folder / "termination-log"
    text = path.read_text(errors="replace")[-_MESSAGE_LIMIT:] if path.exists() else ""
    if not text and failed and spec.get("terminationMessagePolicy") == "FallbackToLogsOnError" and log.exists():
        lines = log.read_text(errors="replace").splitlines()
        text = "\n".join(line.partition(" ")[2] for line in lines[-80:])[-2048:]
    return text
