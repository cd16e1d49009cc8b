"""Two workers whose clocks are far apart: the record of a plan is in order, and its chain holds."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from chatops_bot.adapters.console.chat import ConsoleChat, numbered
from chatops_bot.adapters.kubernetes.connection import Connection
from chatops_bot.adapters.redis.client import connect
from chatops_bot.adapters.redis.embedded import EmbeddedServer
from chatops_bot.adapters.sandbox import Sandbox
from chatops_bot.adapters.sandbox.access import BOT_TOKEN
from chatops_bot.app import audit_command, audit_show, bot
from chatops_bot.app.bot import Bot
from chatops_bot.domain.audit import Record
from chatops_bot.domain.cards import Button
from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.policy_file import parse
from chatops_bot.domain.world import Timing
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.ports.meter import NoMeter
from tests.contract.cluster.kit import until

WEB = Entity(cluster="test", namespace="shop", kind="Deployment", workload="web", name="web", environment="prod")
MANIFEST = {"kind": "Deployment", "namespace": "shop", "name": "web", "replicas": 2, "image": "reg/web:1"}
POLICY = {"rules": [{"confirm": ["*"]}]}
SKEW_S = 600.0


class Clock:
    """Real time, so many seconds off."""

    def __init__(self, off_s: float) -> None:
        self.off_s = off_s

    def now(self) -> float:
        return time.time() + self.off_s

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(min(seconds, 0.05))


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[EmbeddedServer]:
    started = await EmbeddedServer.start(tmp_path)
    yield started
    await started.stop()


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox(clock=time.time) as running:
        running.apply({"workloads": [MANIFEST]})
        await running.settle()
        yield running


@asynccontextmanager
async def worker(server: EmbeddedServer, sandbox: Sandbox, chat: ConsoleChat, off_s: float) -> AsyncIterator[Bot]:
    """A process of the bot whose clock is so far off; what the chat hears goes to it."""
    clock, client = Clock(off_s), connect(server.url)
    stores = bot.stores(client, clock=clock)
    connection = Connection.at_url(sandbox.url, token=BOT_TOKEN)
    both = bot.cluster("test", connection, ledger=stores.ledger, clock=clock)
    made = await bot.assemble(
        stores=stores,
        clusters={"test": both},
        chats={"console": chat},
        snapshot=Snapshot(catalog=Catalog([Service(entity=WEB)]), policy=parse(POLICY), timing=Timing()),
        clock=clock,
        meter=NoMeter(),
    )
    made.worker.start()
    await chat.start(made.intake)
    try:
        yield made
    finally:
        await chat.stop()
        await made.worker.stop()
        for side in (both.reader, both.writer):
            await side.close()
        await client.close()


async def records_of(store: audit_command.Store) -> list[Record]:
    """All of them, as `audit list` has them in order."""
    lines: list[str] = []
    await audit_command.list_records(store, wanted=audit_command.Wanted(), as_json=True, echo=lines.append)
    return [msgspec.json.decode(line, type=Record) for line in lines]


@pytest.mark.parametrize("ahead", [SKEW_S, -SKEW_S], ids=["ahead", "behind"])
async def test_the_story_is_in_order_and_the_chains_hold(
    server: EmbeddedServer, sandbox: Sandbox, ahead: float
) -> None:
    """The first prepares the plan; the second, whose clock is ten minutes off, has it confirmed and carries it out."""
    chat = ConsoleChat(clock=Clock(0), ids=numbered())
    async with worker(server, sandbox, chat, 0):
        await chat.say(event_id="e1", room="ops", user="alice", text="@bot scale web to 5")
        await until(lambda: bool(offered(chat)))
        (card,) = chat.cards()
        token = offered(chat)[0].token
    async with worker(server, sandbox, chat, ahead) as second:
        await chat.click(event_id="e2", room="ops", user="bob", card=card.message, button="confirm", token=token)
        await until(lambda: "Done: scale web" in chat.cards()[0].card.text())
        found = await records_of(second.stores)
        said: list[str] = []
        assert await audit_command.verify_chains(second.stores, as_json=False, echo=said.append) == 0
        story: list[str] = []
        await audit_show.show(second.stores, wanted=token, as_json=True, echo=story.append)
    assert len(sandbox.writes()) == 1
    kinds = [record.kind for record in found]
    assert kinds[0] == "request"
    assert kinds.index("decision") < kinds.index("confirmation") < kinds.index("execution")
    asked, done = found[0], found[kinds.index("execution")]
    assert abs(done.at - asked.at - ahead * 1_000) < 60_000
    told = [json.loads(line)["kind"] for line in story]
    assert (told[0], told[1]) == ("request", "decision")
    assert told.index("confirmation") < told.index("execution")


def offered(chat: ConsoleChat) -> list[Button]:
    """The buttons that confirm."""
    return [button for card in chat.cards() for button in card.card.buttons if button.id == "confirm"]
