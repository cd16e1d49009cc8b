"""All nodes of a cluster in one process."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.cluster.kubelet.addresses import Addresses
from tests.cluster.kubelet.claims import Provisioner
from tests.cluster.kubelet.client import Client, Json, Mirror, key_of
from tests.cluster.kubelet.environment import Sources
from tests.cluster.kubelet.events import Recorder
from tests.cluster.kubelet.images import Images
from tests.cluster.kubelet.machine import Machine, Workshop
from tests.cluster.kubelet.namespaces import Isolation
from tests.cluster.kubelet.node import Node
from tests.cluster.kubelet.pod import PodWorker

_TOKENS_S = 5.0
"""How often files are looked at although nothing has changed: tokens get old."""

_GATHER_S = 0.05
"""Changes come in bursts."""

_log = logging.getLogger("kubelet")


class Kubelet:
    """`images` and `isolation` for what is run; without any, every pod is only said to run."""

    def __init__(
        self,
        client: Client,
        *,
        folder: Path,
        pod_net: str,
        images: Images,
        isolation: Isolation | None,
        env: Mapping[str, str],
    ) -> None:
        self._stale = asyncio.Event()
        self._nodes: dict[str, Node] = {}
        self._workers: dict[str, PodWorker] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._folder = folder
        self._provisioner = Provisioner(client, folder / "claims")
        self._pods = Mirror(client, "/api/v1/pods", changed=self._pod_changed, removed=self._pod_removed)
        claims = Mirror(
            client,
            "/api/v1/persistentvolumeclaims",
            changed=self._provisioner.changed,
            removed=self._provisioner.removed,
        )
        nodes = Mirror(client, "/api/v1/nodes", changed=self._node_changed, removed=self._node_removed)
        self._mirrors = [nodes, claims, self._pods]
        self._machine = Machine(client, Recorder(client), Addresses(pod_net), folder)
        if isolation:
            configmaps, secrets, services = (
                Mirror(client, f"/api/v1/{kind}", changed=self._data_changed, removed=self._data_changed)
                for kind in ("configmaps", "secrets", "services")
            )
            self._mirrors += [configmaps, secrets, services]
            sources = Sources(configmaps.objects, secrets.objects, services.objects)
            self._machine.workshop = Workshop(images, isolation, sources, self._pods.objects, claims.objects, env)

    def find(self, namespace: str, name: str) -> PodWorker | None:
        pod = self._pods.objects.get(f"{namespace}/{name}")
        return self._workers.get(pod["metadata"]["uid"]) if pod else None

    async def run(self, nodes: Sequence[Node]) -> None:
        """Until cancelled; then everything that runs is stopped."""
        self._nodes = {node.name: node for node in nodes}
        await asyncio.gather(*(node.register() for node in nodes))
        try:
            async with asyncio.TaskGroup() as group:
                for mirror in self._mirrors:
                    group.create_task(mirror.run())
                for node in nodes:
                    group.create_task(node.run())
                group.create_task(self._machine.recorder.run())
                group.create_task(self._provisioner.run())
                group.create_task(self._refresh())
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            shutil.rmtree(self._folder / "pods", ignore_errors=True)

    async def _refresh(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stale.wait(), _TOKENS_S)
            await asyncio.sleep(_GATHER_S)
            self._stale.clear()
            for worker in list(self._workers.values()):
                await worker.refresh()

    def _data_changed(self, _obj: Json) -> None:
        self._stale.set()

    def _node_changed(self, obj: Json) -> None:
        node = self._nodes.get(key_of(obj))
        if node and node.update(obj):
            for worker in self._workers.values():
                if worker.node is node:
                    worker.poke()

    def _node_removed(self, obj: Json) -> None:
        node = self._nodes.get(key_of(obj))
        if node:
            node.removed()

    def _pod_changed(self, pod: Json) -> None:
        self._stale.set()
        node = self._nodes.get(pod["spec"].get("nodeName", ""))
        if node is None:
            return
        uid = pod["metadata"]["uid"]
        if uid in self._workers:
            self._workers[uid].update(pod)
            return
        worker = self._workers[uid] = PodWorker(self._machine, node, pod)
        task = asyncio.create_task(worker.run(), name=key_of(pod))
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _pod_removed(self, pod: Json) -> None:
        self._stale.set()
        worker = self._workers.pop(pod["metadata"]["uid"], None)
        if worker:
            worker.vanish()
        self._machine.order.forget(pod["metadata"]["uid"])

    def _ended(self, task: asyncio.Task[None]) -> None:
        """A fault in the handling of one pod must not take the others with it."""
        self._tasks.discard(task)
        if not task.cancelled() and (problem := task.exception()):
            _log.error("pod %s", task.get_name(), exc_info=problem)
