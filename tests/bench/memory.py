"""What the bot costs before anybody has said a word: memory of the idle process, and the time until it is there."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import httpx

from chatops_bot.adapters.sandbox import Sandbox
from chatops_bot.adapters.sandbox.access import BOT_TOKEN
from chatops_bot.adapters.slack.fake.server import FakeSlack
from tests.fakes.clock import ManualClock
from tests.scenario.running import PATIENCE_S, Running, configured, descendants, started

IDLE_S: Final = 3.0
"""Of doing nothing before memory is read: what the start has left over is given back or stays."""

TRIES: Final = 5


class Footprint(NamedTuple):
    """Memory in MB (10^6 bytes, resident); times in seconds, medians. `embedded` is the server beside the bot."""

    bot_mb: float
    embedded_mb: float
    help_s: float
    import_s: float


async def footprint() -> Footprint:
    """Of a bot with Slack over two Socket Mode connections, one cluster, the embedded store and no model."""
    bot_mb, embedded_mb = await _idle()
    cli, run = ("-m", "chatops_bot", "--help"), ("-c", "import chatops_bot.app.run")
    return Footprint(bot_mb, embedded_mb, await asyncio.to_thread(_took, *cli), await asyncio.to_thread(_took, *run))


async def _idle() -> tuple[float, float]:
    with TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        async with FakeSlack(ManualClock(time.time())) as slack, Sandbox(time.time, auto=True) as sandbox:
            sandbox.apply({"workloads": [{"kind": "Deployment", "namespace": "shop", "name": "web", "replicas": 2}]})
            await sandbox.settle()
            (folder / "cluster-token").write_text(BOT_TOKEN, encoding="utf-8")
            cluster = {"name": "prod-east", "url": sandbox.url, "token_file": "cluster-token", "environment": "prod"}
            configured(
                folder,
                sandbox,
                clusters=[cluster],
                console=None,
                slack={"enabled": True, "mode": "socket", "base_url": slack.url},
            )
            secrets = {"CHATOPS_SLACK__BOT_TOKEN": "xoxb-test", "CHATOPS_SLACK__APP_TOKEN": "xapp-test"}
            async with started("run", cwd=folder, **secrets) as running:
                await running.until_logged("running")
                await _ready(running)
                await asyncio.sleep(IDLE_S)
                own = _resident_mb(running.process.pid)
                return own, sum(_resident_mb(child) for child in descendants(running.process.pid))


async def _ready(running: Running) -> None:
    async with httpx.AsyncClient(base_url=await running.address("http")) as http, asyncio.timeout(PATIENCE_S):
        while (await http.get("/readyz")).status_code != 200:  # noqa: ASYNC110 (another process gets ready)
            await asyncio.sleep(0.05)


def _resident_mb(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _took(*arguments: str) -> float:
    """A Python process, from its start to its end."""
    found = []
    for _ in range(TRIES):
        begun = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
        found.append(time.perf_counter() - begun)
    return median(found)
