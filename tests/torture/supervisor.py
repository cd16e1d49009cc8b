"""Workers that are killed, users that insist, a store that goes down: a run from start to rest."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Final

import msgspec

from chatops_bot.adapters.redis.client import Client
from chatops_bot.adapters.redis.embedded import EmbeddedServer
from chatops_bot.adapters.redis.store import RedisStore, Scripts
from chatops_bot.adapters.redis.url import parse
from chatops_bot.ports.store import StoreUnavailable
from tests.torture.outside import Outside
from tests.torture.stores import Kind, Store, started
from tests.torture.talk import Event
from tests.torture.worker import Settings

ROOT: Final = Path(__file__).parents[2]
REST_S: Final = 60
TARGETS: Final = tuple(f"prod/ns/deployment/app{n}" for n in range(6))


class Plan(msgspec.Struct, frozen=True):
    """How a run goes: for how long, with how many, how rough."""

    seconds: float
    workers: int = 3
    users: int = 12
    kill: float = 0.004
    stall: float = 0.001
    signals_every_s: float = 1.5
    store: Kind = "single"
    store_killed_every_s: float = 0.0
    think_s: float = 0.05
    seed: int = 1


class Sent(msgspec.Struct):
    """One delivery and the acknowledgement it got."""

    event: Event
    taken: str = ""
    thread: str = ""


def client(url: str) -> Client:
    """One that waits for a failover."""
    return Client(parse(url), patience_s=20.0)


class Run:
    """One run. `sent` is every delivery by its id, `by_user` their ids in order."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.folder = folder
        (folder / "store").mkdir()
        self.plan = plan
        self.random = random.Random(plan.seed)
        self.sent: dict[str, Sent] = {}
        self.by_user: dict[str, list[str]] = {}
        self.happened: Counter[str] = Counter()
        self.clicked: set[str] = set()
        self.store: Store
        self.outside_server: EmbeddedServer
        self.outside: Outside
        self._workers: dict[int, subprocess.Popen[bytes]] = {}
        self._writers: dict[int, asyncio.StreamWriter] = {}
        self._readers: set[asyncio.Task[None]] = set()
        self._acknowledged: dict[str, asyncio.Event] = {}
        self._stopping = False

    async def go(self) -> None:
        """From start to rest: afterwards nothing moves any more, and everything can be looked at."""
        self.store = await started(self.plan.store, self.folder / "store")
        self.outside_server = await EmbeddedServer.start(self.folder / "outside", fsync="no")
        self.outside = Outside(client(self.outside_server.url))
        self._settings(kill=self.plan.kill, stall=self.plan.stall)
        for number in range(self.plan.workers):
            self._spawn(number)
        loops = [asyncio.create_task(loop) for loop in (self._keep(), self._harass(), self._kill_store())]
        users = [asyncio.create_task(self._user(f"u{n}")) for n in range(self.plan.users)]
        await asyncio.sleep(self.plan.seconds)
        self._stopping = True
        # Whoever still waits for an acknowledgement gets one from workers that are left in peace.
        self._settings(kill=0.0, stall=0.0)
        for process in self._workers.values():
            process.send_signal(signal.SIGCONT)
            process.kill()
        await asyncio.gather(*users, *loops[1:])
        await self._rest()
        loops[0].cancel()

    async def end(self) -> None:
        for process in self._workers.values():
            process.kill()
            process.wait()
        for task in self._readers:
            task.cancel()
        await asyncio.gather(*self._readers, return_exceptions=True)
        await self.store.stop()
        await self.outside_server.stop()

    # Workers.

    def _settings(self, *, kill: float, stall: float) -> None:
        settings = Settings(
            folder=str(self.folder),
            store=self.store.url,
            wait_replicas=self.store.wait_replicas,
            outside=self.outside_server.url,
            kill=kill,
            stall=stall,
        )
        (self.folder / "settings.json").write_bytes(msgspec.json.encode(settings))

    def _spawn(self, number: int) -> None:
        with (self.folder / "workers.log").open("ab") as log:
            self._workers[number] = subprocess.Popen(
                [sys.executable, "-m", "tests.torture.worker", str(self.folder / "settings.json"), str(number)],
                cwd=ROOT,
                stdout=log,
                stderr=log,
            )

    async def _keep(self) -> None:
        while True:
            for number, process in self._workers.items():
                if process.poll() is not None:
                    self.happened["workers died"] += 1
                    self._spawn(number)
            await asyncio.sleep(0.05)

    async def _harass(self) -> None:
        """Kill a worker from outside, or stop it for a while, past its leases too."""
        while not self._stopping:
            await asyncio.sleep(self.random.expovariate(1 / self.plan.signals_every_s))
            process = self.random.choice(list(self._workers.values()))
            if process.poll() is not None:
                continue
            if self.random.random() < 0.5:
                self.happened["workers killed"] += 1
                process.kill()
                continue
            self.happened["workers stopped"] += 1
            process.send_signal(signal.SIGSTOP)
            await asyncio.sleep(self.random.choice((0.5, 1.5, 2.5)))
            process.send_signal(signal.SIGCONT)
            # Left alone for a moment: one that is killed between a late call to the platform and the word
            # that it was late leaves an old view on a card, which is known and accepted.
            await asyncio.sleep(0.5)

    async def _kill_store(self) -> None:
        every = self.plan.store_killed_every_s
        while every and not self._stopping:
            await asyncio.sleep(self.random.uniform(0.7, 1.3) * every)
            if self._stopping:
                return
            self.happened["stores killed"] += 1
            await self.store.crash()

    # Users.

    async def _user(self, user: str) -> None:
        """One after the other, each until it is acknowledged; some are delivered twice or late."""
        rng = random.Random(f"{self.plan.seed} {user}")
        count = 0
        while not self._stopping:
            count += 1
            event = await self._event(rng, user, f"{user}.{count}")
            await self._insist(rng, event)
            if rng.random() < 0.1:
                old = rng.choice(self.by_user[user])
                await self._deliver(rng, self.sent[old].event)
            await asyncio.sleep(rng.random() * self.plan.think_s)

    async def _event(self, rng: random.Random, user: str, id: str) -> Event:
        room = f"r{int(user[1:]) % 4}"
        luck = rng.random()
        if luck < 0.3:
            shown = await self.outside.buttons()
            if shown:
                token, thread = rng.choice(shown[-12:])
                self.clicked.add(token)
                return Event("click", id, self._room_of(thread, room), user, token=token, thread=thread)
        if luck < 0.55:
            return Event("act", id, room, user, target=rng.choice(TARGETS), leaves=rng.random() < 0.3)
        if luck < 0.62:
            return Event("bye", id, room, user)
        return Event("say", id, room, user, target=rng.choice(TARGETS) if rng.random() < 0.3 else "")

    def _room_of(self, thread: str, otherwise: str) -> str:
        """A button is clicked in its own room."""
        for sent in self.sent.values():
            if sent.thread == thread:
                return sent.event.room
        return otherwise

    async def _insist(self, rng: random.Random, event: Event) -> None:
        self.sent[event.id] = Sent(event)
        self.by_user.setdefault(event.user, []).append(event.id)
        acknowledged = self._acknowledged[event.id] = asyncio.Event()
        while not acknowledged.is_set():
            await self._deliver(rng, event)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(acknowledged.wait(), 0.3)

    async def _deliver(self, rng: random.Random, event: Event) -> None:
        number = rng.randrange(self.plan.workers)
        try:
            writer = await self._connected(number)
            writer.write(msgspec.json.encode(event) + b"\n")
            if rng.random() < 0.05:
                writer.write(msgspec.json.encode(event) + b"\n")
        except OSError:
            await asyncio.sleep(0.05)

    async def _connected(self, number: int) -> asyncio.StreamWriter:
        known = self._writers.get(number)
        if known is not None and not known.is_closing():
            return known
        reader, writer = await asyncio.open_unix_connection(self.folder / f"worker-{number}.sock")
        self._writers[number] = writer
        task = asyncio.create_task(self._read(reader, writer))
        self._readers.add(task)
        task.add_done_callback(self._readers.discard)
        return writer

    async def _read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                answer = msgspec.json.decode(line)
                if answer["taken"] == "full":
                    continue
                sent = self.sent[answer["id"]]
                if not sent.taken:
                    sent.taken, sent.thread = answer["taken"], answer["thread"]
                else:
                    self.happened["acknowledged again"] += 1
                self._acknowledged[answer["id"]].set()
        except OSError:
            pass
        finally:
            writer.close()

    async def _rest(self) -> None:
        """Until nothing waits: no event, card, work, plan or timer."""
        opened = client(self.store.url)
        store = RedisStore(Scripts(opened, random_bytes=os.urandom), monotonic=asyncio.get_running_loop().time)
        quiet = 0
        async with asyncio.timeout(REST_S):
            while quiet < 3:
                with contextlib.suppress(StoreUnavailable):
                    quiet = 0 if any((await store.queue_depths()).values()) else quiet + 1
                await asyncio.sleep(0.1)
        await opened.close()
