"""Alertmanager as others run it: a real one on free ports of loopback, with a configuration file such as theirs."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import shutil
import signal
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, BinaryIO, Final

import httpx
import yaml

ALERTMANAGER: Final = shutil.which("prometheus-alertmanager") or shutil.which("alertmanager")
MISSING: Final = "alertmanager is not installed"
READY_S: Final = 30.0

Json = dict[str, Any]


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def configuration(webhook: Json, *, group_by: Sequence[str] = ("alertname",), repeat: str = "4h", **more: Any) -> Json:
    """One route to one webhook, in a hurry."""
    route = {
        "receiver": "chatops",
        "group_by": list(group_by),
        "group_wait": "100ms",
        "group_interval": "300ms",
        "repeat_interval": repeat,
    }
    receivers = [{"name": "chatops", "webhook_configs": [{"send_resolved": True, **webhook}]}]
    return {"route": route, "receivers": receivers, **more}


@dataclass
class Alertmanager:
    """A running one."""

    client: httpx.AsyncClient
    folder: Path

    async def fire(
        self,
        *labels: dict[str, str],
        summary: str = "",
        ended: bool = False,
        began_s: int = 300,
        now: datetime | None = None,
    ) -> None:
        """What Prometheus sends of alerts that fire, since so long ago, or that have ended. It tells every
        Alertmanager the same times."""
        now = now or datetime.now(UTC)
        alerts = [
            {
                "labels": one,
                "annotations": {"summary": summary or f"{one['alertname']} is on"},
                "startsAt": (now - timedelta(seconds=began_s)).isoformat(),
                "endsAt": (now if ended else now + timedelta(minutes=10)).isoformat(),
                "generatorURL": "http://prometheus.example:9090/graph?g0.expr=up+%3D%3D+0&g0.tab=1",
            }
            for one in labels
        ]
        answer = await self.client.post("/api/v2/alerts", json=alerts)
        assert answer.status_code == 200, answer.text

    async def counted(self, metric: str) -> float:
        """The sum of a metric over its webhooks."""
        lines = (await self.client.get("/metrics")).text.splitlines()
        found = [line for line in lines if line.startswith(metric) and 'integration="webhook"' in line]
        return sum(float(line.rpartition(" ")[2]) for line in found)

    async def until_sent(self, times: int, *, failed: bool = False) -> None:
        """Until it has asked its webhook so often."""
        metric = "alertmanager_notifications_failed_total" if failed else "alertmanager_notification_requests_total"
        async with asyncio.timeout(READY_S):
            while await self.counted(metric) < times:  # noqa: ASYNC110 (what is awaited happens in another process)
                await asyncio.sleep(0.05)

    async def until_suppressed(self, name: str) -> None:
        """Until an alert is held back, by a silence or by another one."""
        async with asyncio.timeout(READY_S):
            while True:
                alerts: list[Json] = (await self.client.get("/api/v2/alerts")).json()
                if any(one["labels"]["alertname"] == name and one["status"]["state"] == "suppressed" for one in alerts):
                    return
                await asyncio.sleep(0.05)

    async def peers(self) -> int:
        """How many the cluster has that it is in."""
        status: Json = (await self.client.get("/api/v2/status")).json()
        return len(status["cluster"].get("peers") or [])


@asynccontextmanager
async def alertmanager(
    folder: Path, chosen: Json, *, gossip: int = 0, peers: Sequence[int] = ()
) -> AsyncIterator[Alertmanager]:
    """One that runs, alone or as a member of a cluster (`gossip` is its port there). Both of a pair send at once: that
    is what they do when their gossip is slower than they are."""
    log = _prepared(folder, chosen)
    port = free_port()
    address = f"127.0.0.1:{port}"
    cluster = [f"--cluster.listen-address=127.0.0.1:{gossip}"] if gossip else ["--cluster.listen-address="]
    process = await asyncio.create_subprocess_exec(
        str(ALERTMANAGER),
        f"--config.file={folder / 'alertmanager.yml'}",
        f"--storage.path={folder / 'data'}",
        f"--web.listen-address={address}",
        f"--web.external-url=http://{address}",
        "--cluster.peer-timeout=1ms",
        "--cluster.settle-timeout=1s",
        *cluster,
        *(f"--cluster.peer=127.0.0.1:{peer}" for peer in peers),
        stdout=log,
        stderr=log,
        preexec_fn=_end_with_parent,
    )
    try:
        async with httpx.AsyncClient(base_url=f"http://{address}") as client:
            await _until_ready(client, folder / "log", process)
            yield Alertmanager(client, folder)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        log.close()


@asynccontextmanager
async def pair(folder: Path, chosen: Json) -> AsyncIterator[tuple[Alertmanager, Alertmanager]]:
    """Two that know each other."""
    ports = free_port(), free_port()
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(alertmanager(folder / "am-0", chosen, gossip=ports[0], peers=ports[1:]))
        second = await stack.enter_async_context(
            alertmanager(folder / "am-1", chosen, gossip=ports[1], peers=ports[:1])
        )
        async with asyncio.timeout(READY_S):
            while await first.peers() < 2 or await second.peers() < 2:  # noqa: ASYNC110 (as above)
                await asyncio.sleep(0.05)
        yield first, second


def _prepared(folder: Path, chosen: Json) -> BinaryIO:
    folder.mkdir(parents=True)
    (folder / "alertmanager.yml").write_text(yaml.safe_dump(chosen), encoding="utf-8")
    return (folder / "log").open("wb")


def _said(log: Path) -> str:
    return log.read_text()[-2000:]


async def _until_ready(client: httpx.AsyncClient, log: Path, process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(READY_S):
            while process.returncode is None:
                with contextlib.suppress(httpx.TransportError):
                    if (await client.get("/-/ready")).status_code == 200:
                        return
                await asyncio.sleep(0.05)
    raise AssertionError(f"alertmanager did not start: {_said(log)}")


def _end_with_parent() -> None:
    with contextlib.suppress(AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
