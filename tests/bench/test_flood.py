"""So many events a second into a webhook, none unacknowledged and none lost, while a worker works them off."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest
import structlog
from starlette.applications import Starlette
from starlette.routing import Route

from chatops_bot.adapters.redis.client import connect
from chatops_bot.adapters.redis.embedded import EmbeddedServer
from chatops_bot.app import bot
from chatops_bot.app.process import Background
from chatops_bot.app.serving import Servers
from chatops_bot.app.settings import LogSettings
from chatops_bot.app.telemetry import Metrics, configure_logging
from chatops_bot.domain.cards import Card
from chatops_bot.domain.dialogue.turn import Decision
from chatops_bot.domain.events import Click, Message
from chatops_bot.domain.identity import Room
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.world import Timing
from chatops_bot.engine.gate import Cluster
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.ports.chat import Posted, Receipt, Sink
from chatops_bot.ports.clock import SystemClock
from chatops_bot.ports.store import Claim
from tests.bench.flood import Flood
from tests.bench.hooks import PEOPLE, PLATFORMS, Hook
from tests.bench.stubs import CLUSTER, StubReader, StubWriter, catalog
from tests.fakes.clock import until


@pytest.fixture(autouse=True)
def _logging_to_nowhere() -> Iterator[None]:
    """Lines are made as in production, and written to no disk."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    with Path(os.devnull).open("w") as nowhere:
        configure_logging(LogSettings(), stream=nowhere)
        yield
    structlog.reset_defaults()
    root.handlers = handlers
    root.setLevel(level)


class Silent:
    """A `ChatPort` that shows everything at once and nowhere: what platforms take a second is not what is asked here."""

    def __init__(self, platform: str) -> None:
        self.platform = platform

    async def start(self, sink: Sink) -> None:
        return

    async def stop(self) -> None:
        return

    async def post(self, *, room: Room, thread: str, card: Card, root: str, key: str, again: bool) -> Posted:
        return Posted(f"shown {key}")

    async def update(self, *, room: Room, thread: str, card: Card, message: str, root: str) -> None:
        return

    async def notice(self, *, room: Room, text: str, root: str, to: str = "") -> None:
        return

    async def permalink(self, *, room: Room, message: str) -> str:
        return ""

    def healthy(self) -> str:
        return ""


class Bot:
    """The door, and the ids of events that were taken and that were decided on."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.decided: set[str] = set()
        self.door: Sink | None = None

    async def receive(self, event: Message | Click) -> Receipt:
        assert self.door is not None
        receipt = await self.door.receive(event)
        self.taken.append(event.id)
        return receipt

    def note(self, claim: Claim, decision: Decision) -> None:
        self.decided.add(claim.entry)


@asynccontextmanager
async def serving(hook: Hook, folder: Path) -> AsyncIterator[tuple[Bot, str]]:
    """The whole bot, served, before a Redis of its own; its address."""
    server = await EmbeddedServer.start(folder, fsync="always")
    client, clock = connect(server.url), SystemClock()
    found, metrics = Bot(), Metrics()
    parts = await bot.assemble(
        stores=bot.stores(client, clock=clock),
        clusters={CLUSTER: Cluster(reader=StubReader(clock), writer=StubWriter())},
        chats={hook.platform: Silent(hook.platform)},
        snapshot=Snapshot(catalog=catalog(), policy=Policy.open(), timing=Timing()),
        clock=clock,
        meter=metrics,
        decided=found.note,
        per_user=10**9,
        per_room=10**9,
    )
    found.door = parts.intake
    background = Background(clock=clock, meter=metrics)
    servers = Servers(background)
    await hook.start(found)
    parts.worker.start()
    try:
        with socket.create_server(("127.0.0.1", 0)) as listening:
            servers.serve("flood", Starlette(routes=[Route(hook.path, endpoint=hook.door)]), listening)
            yield found, f"http://127.0.0.1:{listening.getsockname()[1]}"
            background.expect_ends()
            await servers.stop()
    finally:
        await hook.stop()
        await parts.worker.kill()
        await client.close()
        await server.stop()


async def flooded(hook: Hook, folder: Path, *, rate: int, seconds: int) -> tuple[Flood, Bot]:
    async with serving(hook, folder) as (found, url):
        command = [sys.executable, "-m", "tests.bench.flood", hook.platform, url, str(rate), str(seconds)]
        process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, env=dict(os.environ))
        printed, _ = await process.communicate()
        told = msgspec.json.decode(printed, type=Flood)
        await until(lambda: len(found.decided) >= len(set(found.taken)), "the end of all turns", within_s=240)
    return told, found


def holds(told: Flood, found: Bot) -> None:
    taken = set(found.taken[PEOPLE:])  # the first made people known
    assert taken <= found.decided, "taken, and then lost"
    assert len(taken) >= told.acknowledged, "acknowledged, and never taken"
    assert told.acknowledged == told.sent, told


@pytest.mark.parametrize("platform", PLATFORMS)
async def test_a_hundred_events_a_second_are_acknowledged_and_worked_off(platform: str, tmp_path: Path) -> None:
    told, found = await flooded(Hook(platform, clock=SystemClock()), tmp_path, rate=100, seconds=2)
    holds(told, found)


@pytest.mark.deep
@pytest.mark.timeout(600)
@pytest.mark.parametrize("platform", PLATFORMS)
async def test_three_hundred_events_a_second_for_a_minute(
    platform: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told, found = await flooded(Hook(platform, clock=SystemClock()), tmp_path, rate=300, seconds=60)
    with capsys.disabled():
        sys.stdout.write(f"\n{platform}: {told}\n")
    holds(told, found)
