"""What lies between a click on a plan's button and its write: so many round trips to Redis, and so many to the API
server, counted on the wire."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest

from chatops_bot.adapters.redis import scripts
from chatops_bot.adapters.redis.embedded import EmbeddedServer
from chatops_bot.adapters.redis.scripts import Script
from chatops_bot.adapters.redis.url import parse
from tests.contract.cluster.kit import until
from tests.scenario.playing import scene

SCRIPTS: Final = {each.sha.encode(): each.name for each in vars(scripts).values() if isinstance(each, Script)}
ASIDE: Final = frozenset({"drawn", "sweep", "renew", "later"})
"""Cards are drawn beside the work, not before it; the rest is what a worker does now and then."""


class Tap:
    """A wire to Redis that counts: each item of `batches` is what one write of a client had in it."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._open: set[asyncio.Task[None]] = set()
        self.batches: list[list[str]] = []

    def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._between(reader, writer))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _between(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, onward = await asyncio.open_unix_connection(self._server)
        back = asyncio.create_task(_pump(there, writer))
        try:
            while data := await reader.read(1 << 20):
                self.batches.append(_commands(data))
                onward.write(data)
        finally:
            onward.close()
            back.cancel()
            await asyncio.gather(back, return_exceptions=True)
            writer.close()

    async def closed(self) -> None:
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    def trips(self, since: int) -> list[list[str]]:
        """From the first delivery after that on, without what goes on beside."""
        first = next(n for n, batch in enumerate(self.batches) if n >= since and "intake" in batch)
        kept = ([name for name in batch if name not in ASIDE] for batch in self.batches[first:])
        return [batch for batch in kept if batch]


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(1 << 20):
        writer.write(data)


def _commands(data: bytes) -> list[str]:
    """Names of the commands in a write, of scripts those of the script."""
    found = [SCRIPTS[part[:40]] for part in data.split(b"\r\n$7\r\nEVALSHA\r\n$40\r\n")[1:]]
    return found + ["GET"] * data.count(b"\r\n$3\r\nGET\r\n")


@asynccontextmanager
async def tapped(folder: Path) -> AsyncIterator[tuple[Tap, str]]:
    """A Redis of its own behind the tap, and the URL to it."""
    server = await EmbeddedServer.start(folder, fsync="no")
    tap = Tap(parse(server.url).nodes[0].path)
    listening = await asyncio.start_unix_server(tap.connected, folder / "tap")
    try:
        yield tap, f"unix://{folder / 'tap'}"
    finally:
        listening.close()
        await tap.closed()
        await server.stop()


@pytest.mark.parametrize("order", ["scale web to 5", "restart web"])
async def test_a_confirmed_plan_is_written_after_few_round_trips(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, order: str
) -> None:
    async with tapped(tmp_path / "redis") as (tap, url):
        monkeypatch.setenv("REDIS_URL", url)
        async with scene(tmp_path) as playing:
            sandbox = playing.stage.sandbox
            turn = str((await playing.say("alice", f"@bot {order}"))["turn"])
            since, asked = len(tap.batches), len(sandbox.requests)
            sandbox.faults.hang(method="PATCH", path="/deployments/web", after=True)
            pressed = asyncio.ensure_future(playing.click("alice", "confirm", turn))
            await until(lambda: bool(sandbox.writes()))
            trips = tap.trips(since)
            calls = [(one.method, one.path) for one in sandbox.requests[asked:]]
            sandbox.faults.clear()
            await pressed
            assert len(trips) <= 7, trips
            assert len(calls) <= 3, calls
