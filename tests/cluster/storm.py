"""Two workers that may die at any time, on one Redis before a real cluster. The test is their platform, their clock,
the weather between them and the API server, and what kills them."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

from chatops_bot.adapters.kubernetes.connection import Limits
from chatops_bot.adapters.redis.audit import RedisAuditLog
from chatops_bot.adapters.redis.client import Client, connect
from chatops_bot.adapters.redis.shards import SHARDS
from chatops_bot.adapters.redis.store import RedisStore, Scripts
from chatops_bot.domain import audit, events
from chatops_bot.domain.audit import Record
from chatops_bot.domain.cards import Button, Card
from chatops_bot.domain.events import Click, Message
from chatops_bot.domain.identity import Room, User
from tests.cluster.mortal import Settings
from tests.cluster.weather import Weather, until
from tests.safety.clock import SharedClock
from tests.safety.crew import Crew, Nursery
from tests.safety.platform import Platform, Shown
from tests.safety.wire import Failed, Gone

ROOM = Room("console", "local", "ops")
ROOT = Path(__file__).parents[2]
LIMITS = Limits(connect_s=1.0, read_s=1.0, deadline_s=1.5)
"""Short, because the bots' time goes faster than the cluster's."""
OPEN: Mapping[str, Any] = {"rules": [{"confirm": ["*"]}]}

Json = dict[str, Any]


class Storm:
    """`crew` are the workers by number, `there` what they work on."""

    def __init__(self, there: Weather, folder: Path, nursery: Nursery, names: tuple[str, ...]) -> None:
        self.there = there
        self.clock = SharedClock.create(folder / "clock")
        self.platform = Platform(lambda shown: None)
        self.client: Client = connect(there.store)
        self._base = Scripts(self.client, random_bytes=os.urandom, clock=self.clock.ms)
        self.store = RedisStore(self._base, monotonic=self.clock.monotonic)
        self.crew = Crew(nursery, folder, self.platform.handle, self._settings)
        self._folder = folder
        self._names = names
        self._numbers = itertools.count(1)
        (folder / "workers.log").touch()

    def _settings(self, number: int) -> Settings:
        return Settings(
            number=number,
            socket=str(self._folder / "test.sock"),
            redis=self.there.store,
            clock=str(self._folder / "clock"),
            cluster=str(self.there.kubeconfig),
            token="",
            policy=dict(OPEN),
            log=str(self._folder / "workers.log"),
            namespace=self.there.namespace,
            names=self._names,
            limits=LIMITS,
        )

    # People.

    def said(self, user: str, text: str) -> Message:
        id = f"w{next(self._numbers)}"
        return Message(id=id, room=ROOM, user=User("console", "local", user), text=text, addressed=True, name=user)

    def pressed(self, user: str, shown: Shown, button: Button) -> Click:
        return Click(
            id=f"c{next(self._numbers)}",
            room=ROOM,
            user=User("console", "local", user),
            button=button.id,
            card=shown.message,
            thread=shown.thread,
            token=button.token,
            value=button.value,
            name=user,
        )

    async def deliver(self, event: Message | Click, *, first: int = 0) -> str:
        """Again and again, until somebody takes it; the thread that it belongs to."""
        raw = events.encode(event).decode()
        for number in itertools.cycle((first, 1 - first)):
            with contextlib.suppress(Gone, Failed):
                if self.crew.alive(number):
                    return str((await self.crew.call(number, "deliver", event=raw))[1])
            await asyncio.sleep(0.02)
        raise AssertionError

    def cards(self, thread: str) -> list[Card]:
        """As they are now."""
        return [shown.card for shown in self.platform.there() if shown.thread == thread]

    def text(self, thread: str) -> str:
        return "\n\n".join(card.text() for card in self.cards(thread))

    def waiting(self, thread: str, button: str = "confirm") -> tuple[Shown, Button] | None:
        """The newest card of the thread that carries this button."""
        for shown in reversed(self.platform.there()):
            for each in shown.card.buttons:
                if shown.thread == thread and each.id == button:
                    return shown, each
        return None

    async def plan(self, thread: str) -> tuple[Shown, Button]:
        """The plan to confirm, once it is shown."""
        with contextlib.suppress(AssertionError):
            await until(lambda: self.waiting(thread), "a plan", limit_s=20)
        found = self.waiting(thread)
        assert found, f"no plan is shown in {thread}: {self.text(thread)}"
        return found

    # Time.

    async def pass_time(self, seconds: float, *, step_s: float = 1.0) -> None:
        """Step by step, as leases need it; each step is a moment of real time, for the cluster to answer."""
        ends = self.clock.now() + seconds
        while self.clock.now() < ends:
            await self.tick(step_s)

    async def tick(self, step_s: float, *, real_s: float = 0.01) -> None:
        self.clock.set(self.clock.now() + step_s)
        await self.crew.everybody("tick")
        await asyncio.sleep(real_s)

    async def pass_until(self, holds: Callable[[], bool], thread: str, *, limit_s: float = 40) -> None:
        """Let time pass until something holds of a thread's cards, no faster than the cluster works."""
        ends = time.monotonic() + limit_s
        while not holds():
            assert time.monotonic() < ends, f"waited for the end of {self.text(thread)}"
            await self.tick(1.0)

    async def rest(self, *, limit_s: float = 240) -> None:
        """Bring everything to its end, with nobody killed any more: queues, plans, rollouts."""
        ends = time.monotonic() + limit_s
        while any((depths := await self.store.queue_depths()).values()):
            assert time.monotonic() < ends, f"left: {depths}"
            await self.crew.muster()
            busy = sum(await self.crew.everybody("busy"))
            left = await self.store.next_due() / 1000 - self.clock.now()
            await self.tick(1.0 if busy else min(60.0, max(1.0, left + 0.001)))

    # Witnesses.

    async def ledger(self) -> dict[str, Json]:
        """Every entry by its plan's token, with its state, target and whole plan."""
        found: dict[str, Json] = {}
        for key in cast("list[bytes]", await self.client.command("KEYS", "*}:plan:*")):
            flat = cast("list[bytes]", await self.client.command("HGETALL", key))
            entry = dict(zip(flat[::2], flat[1::2], strict=True))
            found[key.decode().rpartition(":")[2]] = {
                field.decode(): value for field, value in entry.items() if not field.startswith(b"effect:")
            }
        return found

    async def held(self) -> int:
        """How many workloads are held by a plan."""
        return len(cast("list[bytes]", await self.client.command("KEYS", "*}:target:*")))

    async def records(self) -> list[Record]:
        """Of the bot's audit log, whose chains hold."""
        log = RedisAuditLog(self._base)
        found: list[Record] = []
        for shard in range(SHARDS):
            entries = await log.entries(shard=shard, limit=1_000_000)
            assert not audit.verify(entries).reason
            found += [audit.decode(entry.record) for entry in entries]
        return found


@asynccontextmanager
async def storm(there: Weather, folder: Path, names: tuple[str, ...]) -> AsyncIterator[Storm]:
    """Both workers born. They may be asked about these Deployments."""
    nursery = Nursery(ROOT, "tests.cluster.mortal")
    await nursery.open()
    made = Storm(there, folder, nursery, names)
    try:
        await made.crew.open()
        yield made
    finally:
        await made.crew.close()
        await made.client.close()
        await nursery.close()
