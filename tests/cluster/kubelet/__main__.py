"""`python -m tests.cluster.kubelet`: every kubelet of a cluster under test, in one process.

Most pods are only said to run. What they look like can be staged by annotations: `kubelet.test/stages`,
`kubelet.test/stage` (`stages.py`) and `kubelet.test/logs` (`logs.py`) on pods, `kubelet.test/lost` and
`kubelet.test/conditions` (`node.py`) on nodes. Containers whose image is given by `--run` are run as processes of this
machine, in namespaces instead of a container runtime (`namespaces.py`): with their volumes, environment, probes and
restarts, but as the user that runs the tests, without limits of memory or CPU, and on this machine's loopback.

It ends on SIGTERM, and when the process that started it is gone; nothing that it started outlives it.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
import string
import sys
from pathlib import Path

from tests.cluster.kubelet.client import Client, read_kubeconfig
from tests.cluster.kubelet.images import Images
from tests.cluster.kubelet.kubelet import Kubelet
from tests.cluster.kubelet.namespaces import Isolation, NotPermitted
from tests.cluster.kubelet.node import Node
from tests.cluster.kubelet.server import serve


async def _orphaned() -> None:
    """Returns when the parent has ended."""
    parent = os.getppid()
    while True:
        await asyncio.sleep(0.5)
        if os.getppid() != parent:
            return


async def _main(options: argparse.Namespace, images: Images, isolation: Isolation | None) -> None:
    stop = asyncio.Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(each, stop.set)
    client = Client(read_kubeconfig(options.kubeconfig))
    kubelet = Kubelet(
        client,
        folder=options.folder,
        pod_net=options.pod_net,
        images=images,
        isolation=isolation,
        env=dict(item.split("=", 1) for item in options.env),
    )
    server, port = await serve(kubelet.find, cert=options.cert, key=options.key)
    nodes = [
        Node(client, name, zone=f"zone-{string.ascii_lowercase[place % 26]}", port=port)
        for place, name in enumerate(options.nodes.split(","))
    ]
    running = asyncio.create_task(kubelet.run(nodes))
    ends = [asyncio.create_task(stop.wait()), asyncio.create_task(_orphaned())]
    await asyncio.wait([running, *ends], return_when=asyncio.FIRST_COMPLETED)
    for task in [running, *ends]:
        task.cancel()
    outcomes = await asyncio.gather(running, *ends, return_exceptions=True)
    await server.cleanup()
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
    parser.add_argument(
        "--run",
        action="append",
        default=[],
        metavar="PREFIX=JSON",
        help="run images of this prefix as processes; the image's CMD as a list, or an object of entrypoint and cmd",
    )
    parser.add_argument(
        "--env", action="append", default=[], metavar="NAME=VALUE", help="for every such process; $(POD_IP) is known"
    )
    return parser.parse_args()


def _start() -> None:
    options = _options()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    images = Images(options.run)
    try:
        isolation = Isolation.find() if images else None
    except NotPermitted as problem:
        sys.exit(str(problem))
    options.folder.mkdir(parents=True, exist_ok=True)
    asyncio.run(_main(options, images, isolation))


if __name__ == "__main__":
    _start()
