"""`python -m tests.cluster.kubelet`; ends cleanly on SIGTERM, and when the process that started it is gone."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
import string
from collections.abc import Sequence
from pathlib import Path

from tests.cluster.kubelet.addresses import Addresses
from tests.cluster.kubelet.client import Client, Json, Mirror, key_of, read_kubeconfig
from tests.cluster.kubelet.events import Recorder
from tests.cluster.kubelet.machine import Machine
from tests.cluster.kubelet.node import Node
from tests.cluster.kubelet.pod import PodWorker
from tests.cluster.kubelet.server import serve

_log = logging.getLogger("kubelet")


class Kubelet:
    """All nodes of a cluster in one process."""

    def __init__(self, machine: Machine, nodes: Sequence[Node]) -> None:
        self._machine = machine
        self._nodes = {node.name: node for node in nodes}
        self._workers: dict[str, PodWorker] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._pods = Mirror(machine.client, "/api/v1/pods", changed=self._pod_changed, removed=self._pod_removed)
        self._node_mirror = Mirror(
            machine.client, "/api/v1/nodes", changed=self._node_changed, removed=self._node_removed
        )

    def find(self, namespace: str, name: str) -> PodWorker | None:
        pod = self._pods.objects.get(f"{namespace}/{name}")
        return self._workers.get(pod["metadata"]["uid"]) if pod else None

    async def run(self) -> None:
        """Until cancelled."""
        await asyncio.gather(*(node.register() for node in self._nodes.values()))
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._node_mirror.run())
                group.create_task(self._pods.run())
                group.create_task(self._machine.recorder.run())
                for node in self._nodes.values():
                    group.create_task(node.run())
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

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
        worker = self._workers.pop(pod["metadata"]["uid"], None)
        if worker:
            worker.vanish()
        self._machine.order.forget(pod["metadata"]["uid"])

    def _ended(self, task: asyncio.Task[None]) -> None:
        """A fault in the handling of one pod must not take the others with it."""
        self._tasks.discard(task)
        if not task.cancelled() and (problem := task.exception()):
            _log.error("pod %s", task.get_name(), exc_info=problem)


async def _orphaned() -> None:
    """Returns when the parent has ended."""
    parent = os.getppid()
    while True:
        await asyncio.sleep(0.5)
        if os.getppid() != parent:
            return


async def _main(options: argparse.Namespace) -> None:
    stop = asyncio.Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(each, stop.set)
    options.folder.mkdir(parents=True, exist_ok=True)
    client = Client(read_kubeconfig(options.kubeconfig))
    machine = Machine(client, Recorder(client), Addresses(options.pod_net), options.folder)
    runner, port = await serve(
        lambda namespace, name: kubelet.find(namespace, name), cert=options.cert, key=options.key
    )
    zones = string.ascii_lowercase
    nodes = [
        Node(client, name, zone=f"zone-{zones[place % len(zones)]}", port=port)
        for place, name in enumerate(options.nodes.split(","))
    ]
    kubelet = Kubelet(machine, nodes)
    running = asyncio.create_task(kubelet.run())
    ends = [asyncio.create_task(stop.wait()), asyncio.create_task(_orphaned())]
    await asyncio.wait([running, *ends], return_when=asyncio.FIRST_COMPLETED)
    for task in [running, *ends]:
        task.cancel()
    outcomes = await asyncio.gather(running, *ends, return_exceptions=True)
    await runner.cleanup()
    await client.close()
    if isinstance(outcomes[0], Exception):
        raise outcomes[0]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests.cluster.kubelet", description="Stands in for kubelets in tests.")
    parser.add_argument("--kubeconfig", type=Path, required=True)
    parser.add_argument("--nodes", required=True, help="names, separated by commas")
    parser.add_argument("--cert", type=Path, required=True, help="for 127.0.0.1, of the cluster's authority")
    parser.add_argument("--key", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True, help="for logs and volumes")
    parser.add_argument("--pod-net", default="127.77.1", help="first two or three octets of the pods' addresses")
    parser.add_argument("--run", action="append", default=[])
    parser.add_argument("--env", action="append", default=[])
    return parser.parse_args()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    asyncio.run(_main(_options()))
