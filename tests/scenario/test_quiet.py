"""What an earlier demo left in the store: worked off without a card in the rooms of the next."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from chatops_bot.adapters.console.chat import ConsoleChat, numbered
from chatops_bot.adapters.kubernetes import Connection
from chatops_bot.adapters.redis.client import connect
from chatops_bot.adapters.redis.embedded import EmbeddedServer
from chatops_bot.adapters.sandbox import Sandbox
from chatops_bot.adapters.sandbox.access import BOT_TOKEN
from chatops_bot.app import bot, quiet
from chatops_bot.app.bot import Bot
from chatops_bot.app.catalog_sources import merged
from chatops_bot.app.virtual_clock import VirtualClock
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.world import Timing
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.ports.chat import ChatPort
from chatops_bot.ports.meter import NoMeter

MINUTE = 60.0


@pytest.fixture
async def url(tmp_path: Path) -> AsyncIterator[str]:
    server = await EmbeddedServer.start(tmp_path / "store", fsync="everysec")
    yield server.url
    await server.stop()


@asynccontextmanager
async def begun(url: str, clock: VirtualClock, sandbox: Sandbox, chats: Mapping[str, ChatPort]) -> AsyncIterator[Bot]:
    """A bot that is swept by hand, as it is after it was put together."""
    client = connect(url)
    stores = bot.stores(client, clock=clock, virtual=clock.ms)
    connection = Connection.at_url(sandbox.url, BOT_TOKEN)
    cluster = bot.cluster("demo", connection, ledger=stores.ledger, clock=clock)
    snapshot = Snapshot(catalog=merged((), await cluster.reader.workloads()), policy=Policy.open(), timing=Timing())
    made = await bot.assemble(
        stores=stores, clusters={"demo": cluster}, chats=chats, snapshot=snapshot, clock=clock, meter=NoMeter()
    )
    try:
        yield made
    finally:
        await made.worker.stop(grace_s=0)
        await cluster.reader.close()
        await cluster.writer.close()
        await client.close()


@pytest.mark.parametrize("muted", [True, False])
async def test_an_expired_plan_of_an_earlier_demo_is_not_shown_in_a_fresh_room(
    url: str, sandbox: Sandbox, muted: bool
) -> None:
    clock = VirtualClock(1_800_000_000)
    first = ConsoleChat(clock=clock, ids=numbered("first-"))
    async with begun(url, clock, sandbox, {"console": first}) as made:
        await first.start(made.intake)
        await first.say(event_id=None, room="ops", user="alice", text="@bot restart web")
        await made.worker.idle()
        assert "To confirm" in first.cards()[-1].card.title
        await first.stop()

    clock.move_to(clock.now() + 16 * MINUTE)
    second = ConsoleChat(clock=clock, ids=numbered("second-"))
    chats: dict[str, ChatPort] = {"console": second}
    drawn_on = quiet.muted(chats) if muted else dict(chats)
    async with begun(url, clock, sandbox, drawn_on) as made:
        await second.start(made.intake)
        await quiet.settled(made.worker)
        drawn_on.update(chats)
        # Without the silence the expired plan turns up.
        assert bool(second.cards()) is not muted
        shown = len(second.cards())
        await second.say(event_id=None, room="ops", user="alice", text="@bot restart web")
        await made.worker.idle()
        assert len(second.cards()) == shown + 1
        assert "To confirm" in second.cards()[-1].card.title
        await second.stop()
