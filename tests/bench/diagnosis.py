"""`python -m tests.bench.diagnosis`: what one look at a large service costs, beside kubectl's of the same service.

Both in one run on one real API server, in turns: only their ratio says something. kubectl asks for four lists of the
service's selector (`kubectl get pods,events,rs,hpa -o json -l …`), its process included; the bot makes the whole pass of
a diagnosis, the report included.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path
from statistics import median

from chatops_bot.adapters.kubernetes import KubernetesCluster
from chatops_bot.adapters.kubernetes.switched import SwitchedConnection
from chatops_bot.domain.diagnosis import status_report
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.observed import Observed
from chatops_bot.ports.clock import SystemClock
from tests.bench.crowd import NAMESPACE, SERVICE, Crowd
from tests.cluster.binaries import find
from tests.cluster.controlplane import ControlPlane
from tests.cluster.kubectl import Kubectl

WEB = Entity("bench", NAMESPACE, "Deployment", SERVICE, SERVICE)


class Beside:
    """The two, on one cluster."""

    def __init__(self, running: ControlPlane, cache: Path) -> None:
        self._connection = SwitchedConnection.from_kubeconfig(running.kubeconfig())
        self.cluster = KubernetesCluster("bench", self._connection, clock=SystemClock(), namespaces=(NAMESPACE,))
        self._kubectl = Kubectl(running.kubeconfig(), namespace=NAMESPACE, cache=cache)

    async def bot(self) -> tuple[float, int, Observed]:
        """Seconds, requests, and what was seen."""
        before, begun = self._connection.requests, time.perf_counter()
        seen = await self.cluster.observe(WEB, events=True, needs=frozenset({"diagnosis"}))
        status_report(seen, seen.at)
        return time.perf_counter() - begun, self._connection.requests - before, seen

    async def kubectl(self) -> float:
        """Seconds."""
        begun = time.perf_counter()
        await self._kubectl.run("get", "pods,events,rs,hpa", "-o", "json", "-l", f"app={SERVICE}")
        return time.perf_counter() - begun


async def measure(running: ControlPlane, *, rounds: int) -> tuple[float, str]:
    """The ratio, and a line that tells of it."""
    with tempfile.TemporaryDirectory() as cache:
        both = Beside(running, Path(cache))
        _, _, seen = await both.bot()
        await both.kubectl()  # it learns what the server has, once
        pairs = []
        for _ in range(rounds):
            told = await both.kubectl()
            seconds, requests, seen = await both.bot()
            pairs.append((seconds, told, requests))
        tracemalloc.start()
        await both.bot()
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        await both.cluster.close()
    ratio = median(seconds / told for seconds, told, _ in pairs)
    bot, told = median(pair[0] for pair in pairs), median(pair[1] for pair in pairs)
    reads = max(pair[2] for pair in pairs)
    line = f"{len(seen.pods)} pods: diagnosis {bot * 1000:.0f} ms, kubectl {told * 1000:.0f} ms, ratio {ratio:.2f}; "
    missing = ", ".join(seen.unread) or "nothing"
    return ratio, f"{line}{reads} requests; {peak / 2**20:.0f} MB at the most; unread: {missing}\n"


def main() -> int:
    """0 when the look is no dearer than it may be."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.diagnosis", description=__doc__)
    parser.add_argument("--pods", type=int, default=5_000, help="in the namespace")
    parser.add_argument("--each", type=int, default=200, help="of one service")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--most", type=float, default=1.5, help="the largest ratio that is good enough")
    wanted = parser.parse_args()
    running = ControlPlane(find(), nodes=())
    running.start()
    try:
        begun = time.perf_counter()
        Crowd(running, pods=wanted.pods, each=wanted.each).gather()
        sys.stdout.write(f"{wanted.pods} pods made in {time.perf_counter() - begun:.0f} s\n")
        ratio, line = asyncio.run(measure(running, rounds=wanted.rounds))
    finally:
        running.stop()
    sys.stdout.write(line)
    return 0 if ratio < wanted.most else 1


if __name__ == "__main__":
    raise SystemExit(main())
