"""A pod whose containers, or some of them, are run as processes of this machine."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tests.cluster.kubelet.client import Json
from tests.cluster.kubelet.environment import Unconfigured, environment
from tests.cluster.kubelet.events import Note
from tests.cluster.kubelet.images import Image, command_of, expand
from tests.cluster.kubelet.logs import Line
from tests.cluster.kubelet.machine import Machine, Workshop
from tests.cluster.kubelet.names import hosts
from tests.cluster.kubelet.namespaces import Mount, View
from tests.cluster.kubelet.network import LOOPBACK_UP
from tests.cluster.kubelet.process import Running, read_log
from tests.cluster.kubelet.runner import Deadline, Place, Runner
from tests.cluster.kubelet.stages import containers_of
from tests.cluster.kubelet.status import ContainerState
from tests.cluster.kubelet.volumes import READ_ONLY, Volumes


class RealPod:
    """`run` returns when every container has ended for good; `initial`, `main` and `mounted` are to be reported."""

    def __init__(
        self,
        machine: Machine,
        workshop: Workshop,
        pod: Json,
        *,
        address: str,
        changed: Callable[[], None],
        tell: Callable[[Note], None],
    ) -> None:
        self.initial = containers_of(pod, "initContainers")
        self.main = containers_of(pod, "containers")
        self.mounted = False
        self._machine = machine
        self._workshop = workshop
        self._pod = pod
        self._address = address
        self._changed = changed
        self._moved = asyncio.Event()
        self._tell = tell
        self._folder = machine.folder / "pods" / pod["metadata"]["uid"]
        self._volumes = Volumes(
            machine.client,
            workshop.sources,
            pod,
            address,
            self._folder / "volumes",
            workshop.claims,
            machine.folder / "claims",
        )
        self._paths: dict[str, Path] = {}
        self._stopping: Deadline | None = None
        policy = pod["spec"].get("restartPolicy", "Always")
        specs = {
            item["name"]: item for field in ("initContainers", "containers") for item in pod["spec"].get(field, [])
        }
        self._runners = {
            state.name: self._runner(specs[state.name], state, "OnFailure" if first and policy != "Never" else policy)
            for first, states in ((True, self.initial), (False, self.main))
            for state in states
        }

    def log(self, container: str, run: int) -> list[Line] | None:
        """None for a container that is only said to run."""
        runner = self._runners[container]
        return read_log(runner.log_file(run)) if runner.real else None

    async def run(self) -> None:
        if any(not item.sidecar for item in self.initial):
            for item in self.main:
                item.wait("PodInitializing")
        if not await self._mount():
            return
        beside: list[asyncio.Task[None]] = []
        if await self._initialise(beside):
            await asyncio.gather(*(self._runners[item.name].run() for item in self.main))
        # Sidecars go last.
        await asyncio.gather(*(self._runners[item.name].stop(self._stopping or Deadline(30)) for item in self.initial))
        await asyncio.gather(*beside)

    async def stop(self, grace_s: float) -> None:
        """Returns when `run` is about to."""
        self._stopping = deadline = Deadline(grace_s)
        self._moved.set()
        await asyncio.gather(*(self._runners[item.name].stop(deadline) for item in self.main))
        await asyncio.gather(*(self._runners[item.name].stop(deadline) for item in self.initial))

    def hasten(self, grace_s: float) -> None:
        """What is being stopped may have less time than was said; never more."""
        if self._stopping:
            self._stopping.shorten(grace_s)

    async def _initialise(self, beside: list[asyncio.Task[None]]) -> bool:
        """Init containers one after another. False when the others are not to be started."""
        for state in self.initial:
            running = asyncio.create_task(self._runners[state.name].run())
            beside.append(running)
            if state.sidecar:
                await self._until_started(state, running)
            else:
                await running
            if self._stopping or not (state.sidecar or state.succeeded):
                return False
        return True

    async def refresh(self, pod: Json) -> None:
        """Bring files up to date with what they are made of."""
        self._volumes.pod = pod
        if self.mounted:
            await self._volumes.refresh()
            self._write_hosts()

    def clear(self) -> None:
        """Remove everything of the pod; its claims stay."""
        self._paths, self.mounted = {}, False
        shutil.rmtree(self._folder, ignore_errors=True)

    async def _mount(self) -> bool:
        """Wait until every volume is there. False when the pod is to stop first."""
        before = told = ""
        while not self._stopping:
            try:
                self._paths = await self._volumes.prepare()
            except Unconfigured as problem:
                # What was made a moment ago may not have come by the watch yet.
                if str(problem) == before != told:
                    told = before
                    self._tell(Note("FailedMount", told, warning=True))
                before = str(problem)
                await asyncio.sleep(0.2)
            else:
                self._write_hosts()
                self.mounted = True
                return True
        return False

    async def _until_started(self, state: ContainerState, running: asyncio.Task[None]) -> None:
        running.add_done_callback(lambda _task: self._moved.set())
        while not (state.started or running.done() or self._stopping):
            self._moved.clear()
            await self._moved.wait()

    def _on_change(self) -> None:
        self._moved.set()
        self._changed()

    def _runner(self, spec: Json, state: ContainerState, policy: str) -> Runner:
        image = self._workshop.images.find(spec["image"])
        place = Place(
            self._pod,
            spec,
            self._folder / "containers" / spec["name"],
            self._address,
            (lambda log: self._start(spec, image, log)) if image else None,
            bool(image and image.own_network),
            self._on_change,
            self._tell,
        )
        return Runner(place, state, policy="Always" if state.sidecar else policy)

    async def _start(self, spec: Json, image: Image, log: Path) -> Running:
        env = environment(
            self._pod,
            spec,
            self._workshop.sources,
            address=self._address,
            server=(self._machine.client.access.host, self._machine.client.access.port),
            given=self._workshop.env,
        )
        about = {"POD_IP": self._address, "POD_NAME": self._pod["metadata"]["name"]}
        command = command_of(spec, image, about | env)
        env.setdefault("PATH", f"{Path(sys.executable).parent}:{os.environ.get('PATH', os.defpath)}")
        env.setdefault("HOME", "/root")
        folder = log.parent
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "termination-log").write_text("")
        security = spec.get("securityContext") or {}
        view = View(
            folder,
            self._pod["spec"].get("hostname") or self._pod["metadata"]["name"],
            self._mounts(spec, folder, env),
            bool(security.get("readOnlyRootFilesystem")),
            spec.get("workingDir") or "/",
            command,
            LOOPBACK_UP.format(python=sys.executable) if image.own_network else "",
        )
        isolation = self._workshop.isolation
        return await Running.start(isolation.with_network() if image.own_network else isolation, view, env, log)

    def _mounts(self, spec: Json, folder: Path, env: dict[str, str]) -> list[Mount]:
        kinds = {item["name"]: item for item in self._pod["spec"].get("volumes") or []}
        mounts = [
            Mount(self._folder / "hosts", "/etc/hosts", read_only=False),
            Mount(
                folder / "termination-log", spec.get("terminationMessagePath", "/dev/termination-log"), read_only=False
            ),
        ]
        for item in spec.get("volumeMounts") or []:
            source = self._paths[item["name"]]
            below = item.get("subPath") or expand(item.get("subPathExpr", ""), env)
            if below:
                source = source / below
                if not source.exists():
                    source.mkdir(parents=True)
                source = source.resolve()
            fixed = any(kind in kinds[item["name"]] for kind in READ_ONLY)
            mounts.append(Mount(source, item["mountPath"], read_only=fixed or item.get("readOnly", False)))
        return [*mounts, *part_of_the_image(mounts, env)]

    def _write_hosts(self) -> None:
        """In place: the file is bound into mount namespaces. Never shorter than it is while it is read."""
        text = hosts(
            self._pod,
            self._address,
            self._workshop.sources.services.values(),
            self._workshop.pods,
            self._machine.client.access.host,
        ).encode()
        path = self._folder / "hosts"
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            if os.pread(file, len(text) + 1, 0) != text:
                os.pwrite(file, text, 0)
                os.ftruncate(file, len(text))
        finally:
            os.close(file)


def part_of_the_image(mounts: Sequence[Mount], env: Mapping[str, str]) -> list[Mount]:
    """What an image would hold and a volume hides here: the checkout may lie in /tmp, where pods mount theirs."""
    own = {sys.prefix, sys.base_prefix, str(_CHECKOUT), *env.get("PYTHONPATH", "").split(os.pathsep)} - {""}
    hidden = [Path(path) for path in own if any(Path(path).is_relative_to(mount.target) for mount in mounts)]
    return [Mount(path, str(path), read_only=True) for path in hidden if path.exists()]


_CHECKOUT = Path(__file__).parents[3]
