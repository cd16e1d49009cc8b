"""A conversation with the bot about a real cluster, in the test's own loop: console, real Redis, and a clock that the
test moves. What a call to the API server takes is real time; deadlines, leases and back-offs are the clock's.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

from chatops_bot.adapters.console.chat import ConsoleChat, ShownCard, numbered
from chatops_bot.adapters.kubernetes import Connection
from chatops_bot.adapters.kubernetes.connection import LIMITS, Limits
from chatops_bot.adapters.redis.client import Client, connect
from chatops_bot.adapters.redis.shards import SHARDS
from chatops_bot.app import bot
from chatops_bot.app.bot import Bot, Stores
from chatops_bot.app.virtual_clock import VirtualClock
from chatops_bot.domain import audit
from chatops_bot.domain.audit import Record
from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.impersonation import Impersonation
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.world import Timing
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.ports.meter import NoMeter
from tests.safety.clock import SharedClock

CLUSTER = "prod"
ROOM = "ops"
NOON = 1_767_600_000.0
STEP_S = 2.0


class CommonClock(SharedClock):
    """Time for several processes, as a machine's own clock gives it: one that was frozen sees at once how late it is.
    Nobody sleeps by it."""

    def move_to(self, time: float) -> None:
        self.set(max(time, self.now()))


class Talk:
    """`rest` returns when nothing but time is awaited; `say` and `click` do not wait for what they cause."""

    def __init__(self, chat: ConsoleChat, bot: Bot, client: Client, clock: VirtualClock | CommonClock) -> None:
        self.chat = chat
        self.bot = bot
        self.clock = clock
        self._client = client
        self._threads: dict[str, str] = {}

    async def say(self, text: str, user: str = "alice") -> None:
        receipt = await self.chat.say(event_id=None, room=ROOM, user=user, text=f"@bot {text}")
        self._threads[user] = receipt.thread

    async def click(self, button: str, user: str = "alice") -> None:
        """The newest button of this kind in the thread that this person spoke in last."""
        own = [shown for shown in self.chat.cards(ROOM) if shown.thread == self._threads[user]]
        card = next(shown for shown in reversed(own) if _button(shown, button))
        pressed = next(each for each in card.card.buttons if each.id == button)
        await self.chat.click(
            event_id=None,
            room=ROOM,
            user=user,
            card=card.message,
            button=button,
            token=pressed.token,
            value=pressed.value,
        )

    async def rest(self) -> None:
        worker = self.bot.worker
        while True:
            await worker.idle()
            if not await worker.sweep() and not worker.busy:
                return

    async def ask(self, text: str, user: str = "alice") -> str:
        """Say it, and hear what is answered."""
        await self.say(text, user)
        await self.rest()
        return self.heard(user)

    async def press(self, button: str, user: str = "alice") -> str:
        """Click it, and hear what is answered."""
        await self.click(button, user)
        await self.rest()
        return self.heard(user)

    async def pass_time(self, seconds: float) -> None:
        """Time passes, in steps, with everything done that becomes due."""
        until = self.clock.now() + seconds
        while self.clock.now() < until:
            self.clock.move_to(min(until, self.clock.now() + STEP_S))
            await self.rest()

    async def until_heard(self, words: str, user: str = "alice", *, limit_s: float = 60) -> str:
        """Let time pass until this person is told it, no faster than the cluster's controllers work."""
        ends = time.monotonic() + limit_s
        while words not in self.heard(user):
            assert time.monotonic() < ends, f"waited for {words!r}: {self.heard(user)}"
            await self.pass_time(STEP_S)
            await asyncio.sleep(0.05)
        return self.heard(user)

    def heard(self, user: str = "alice") -> str:
        """The cards of the thread that this person spoke in last, as they are now."""
        own = [shown.card.text() for shown in self.chat.cards(ROOM) if shown.thread == self._threads[user]]
        return "\n\n".join(own)

    def everything(self) -> str:
        """All cards, as they are now."""
        return "\n\n".join(shown.card.text() for shown in self.chat.cards(ROOM))

    def offers(self, button: str, user: str = "alice") -> bool:
        """Whether any card of that thread carries such a button."""
        own = [shown for shown in self.chat.cards(ROOM) if shown.thread == self._threads[user]]
        return any(_button(shown, button) for shown in own)

    async def ledger(self) -> list[str]:
        """States of all plans: those that ended first made are not told apart."""
        keys = cast("list[bytes]", await self._client.command("KEYS", "*}:plan:*"))
        states = [cast(bytes, await self._client.command("HGET", key, "state")) for key in keys]
        return sorted(state.decode() for state in states)

    async def targets(self) -> int:
        """How many workloads are held by a plan."""
        return len(cast("list[bytes]", await self._client.command("KEYS", "*}:target:*")))

    async def records(self, kind: str) -> list[Record]:
        """Of the bot's audit log."""
        log = self.bot.stores.audit
        found = [audit.decode(entry.record) for shard in range(SHARDS) for entry in await log.entries(shard=shard)]
        return [record for record in found if record.kind == kind]


def _button(shown: ShownCard, button: str) -> bool:
    return any(each.id == button for each in shown.card.buttons)


def service(namespace: str, name: str, *aliases: str) -> Service:
    """A Deployment of the catalog."""
    return Service(entity=Entity(CLUSTER, namespace, "Deployment", name, name, "prod"), aliases=aliases)


@asynccontextmanager
async def talk(
    *,
    redis: str,
    kubeconfig: Path,
    services: Sequence[Service],
    limits: Limits = LIMITS,
    clock: VirtualClock | CommonClock | None = None,
    impersonation: Impersonation | None = None,
) -> AsyncIterator[Talk]:
    """A bot on these; `clock` is that of another one on the same store, `impersonation` in whose names it writes."""
    clock = clock or VirtualClock(NOON)
    chat = ConsoleChat(clock=clock, ids=numbered(f"m{os.getpid()}-"))
    client = connect(redis)
    stores: Stores = bot.stores(client, clock=clock, virtual=clock.ms)
    connection = Connection.from_kubeconfig(kubeconfig, limits=limits)
    cluster = bot.cluster(CLUSTER, connection, ledger=stores.ledger, clock=clock, impersonation=impersonation)
    snapshot = Snapshot(catalog=Catalog(tuple(services)), policy=Policy.open(), timing=Timing())
    made = await bot.assemble(
        stores=stores,
        clusters={CLUSTER: cluster},
        chats={chat.platform: chat},
        snapshot=snapshot,
        clock=clock,
        meter=NoMeter(),
    )
    await chat.start(made.intake)
    try:
        yield Talk(chat, made, client, clock)
    finally:
        await chat.stop()
        await made.worker.kill()
        await cluster.reader.close()
        await cluster.writer.close()
        await client.close()
