"""A worker process: the real bot on the real store and clusters; its chat is the test's, over a socket.

Run as `python -m tests.safety.worker`: imports everything once, then forks a worker for each line of settings
on its standard input and prints its process id. A worker may be armed to die, or to freeze, before or after any
step towards store, platform or cluster; nothing of that is inside the product.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import structlog

from chatops_bot.adapters.kubernetes import Connection
from chatops_bot.adapters.redis.audit import RedisAuditLog
from chatops_bot.adapters.redis.client import connect
from chatops_bot.adapters.redis.ledger import RedisLedger
from chatops_bot.adapters.redis.resp import Reply
from chatops_bot.adapters.redis.scripts import Script
from chatops_bot.adapters.redis.store import RedisStore, Scripts
from chatops_bot.app import bot
from chatops_bot.domain import events
from chatops_bot.domain.cards import Card
from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.events import Click, Message
from chatops_bot.domain.identity import Room
from chatops_bot.domain.impersonation import Actor
from chatops_bot.domain.notes import Note
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.plans import Change
from chatops_bot.domain.policy_file import parse
from chatops_bot.domain.world import Timing
from chatops_bot.engine.gate import Cluster
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.ports.chat import CardGone, ChatUnavailable, NotAccepted, Posted, Sink
from chatops_bot.ports.clock import random_bytes
from chatops_bot.ports.cluster import ClusterWriter, Permit
from chatops_bot.ports.meter import NoMeter
from tests.safety import wild
from tests.safety.clock import SharedClock
from tests.safety.scene import CLUSTER, SERVICES
from tests.safety.wire import LIMIT, Failed, Json, Peer


class Settings(msgspec.Struct):
    """What a worker is born with."""

    number: int
    socket: str
    redis: str
    clock: str
    cluster: str
    token: str
    policy: Json
    log: str
    wild: bool = False
    """Whether a model is asked that answers at random."""


class Points:
    """Where this process dies or freezes: the `left`-th time that it comes by the armed place."""

    def __init__(self) -> None:
        self._place = ""
        self._left = 0
        self._signal = signal.SIGKILL

    def arm(self, place: str, left: int, number: int) -> None:
        self._place, self._left, self._signal = place, left, signal.Signals(number)

    def pass_by(self, place: str) -> None:
        if not self._place or not place.startswith(self._place):
            return
        self._left -= 1
        if self._left <= 0:
            self._place = ""
            os.kill(os.getpid(), self._signal)


class MortalScripts(Scripts):
    """Every step on the store is a place to die at: before it, and after it when nobody knows yet."""

    def __init__(self, points: Points, clock: SharedClock, url: str) -> None:
        super().__init__(connect(url), random_bytes=random_bytes, clock=clock.ms)
        self._points = points

    async def run(self, script: Script, shard: int, token: str, arguments: Any = (), **more: Any) -> Reply:
        self._points.pass_by(f"{script.name} before")
        reply = await super().run(script, shard, token, arguments, **more)
        self._points.pass_by(f"{script.name} after")
        return reply


class MortalWriter:
    """The write side, with places to die at around it."""

    def __init__(self, writer: ClusterWriter, points: Points) -> None:
        self._writer = writer
        self._points = points

    async def dry_run(self, change: Change, *, uid: str, actor: Actor | None = None) -> Raw:
        return await self._writer.dry_run(change, uid=uid, actor=actor)

    async def write(self, change: Change, *, uid: str, resource_version: str, permit: Permit) -> Raw:
        self._points.pass_by("write before")
        raw = await self._writer.write(change, uid=uid, resource_version=resource_version, permit=permit)
        self._points.pass_by("write after")
        return raw

    async def touch(self, which: Entity | Change, *, uid: str, permit: Permit) -> Raw:
        self._points.pass_by("touch before")
        raw = await self._writer.touch(which, uid=uid, permit=permit)
        self._points.pass_by("touch after")
        return raw

    async def note(self, entity: Entity, note: Note, *, permit: Permit) -> None:
        self._points.pass_by("note before")
        await self._writer.note(entity, note, permit=permit)
        self._points.pass_by("note after")

    async def close(self) -> None:
        await self._writer.close()


class RemoteChat:
    """`ChatPort` whose platform is the test."""

    platform = "console"

    def __init__(self, points: Points) -> None:
        self.peer: Peer
        self._points = points

    async def start(self, sink: Sink) -> None:
        """Events come by the worker's own connection."""

    async def stop(self) -> None:
        """Nothing to end."""

    def healthy(self) -> str:
        return ""

    async def post(self, *, room: Room, thread: str, card: Card, root: str, key: str, again: bool) -> Posted:
        return Posted(await self._call("post", room=room.channel, thread=thread, card=card, key=key, again=again))

    async def update(self, *, room: Room, thread: str, card: Card, message: str, root: str) -> None:
        await self._call("update", room=room.channel, thread=thread, card=card, message=message)

    async def permalink(self, *, room: Room, message: str) -> str:
        return ""

    async def notice(self, *, room: Room, text: str, root: str, to: str = "") -> None:
        await self._call("notice", room=room.channel, text=text, to=to)

    async def _call(self, method: str, *, card: Card | None = None, **parameters: Any) -> str:
        self._points.pass_by("post before")
        if card is not None:
            parameters["card"] = msgspec.to_builtins(card)
        try:
            answer = await self.peer.call(method, **parameters)
        except Failed as refusal:
            if refusal.what[0] == "gone":
                raise CardGone from refusal
            raise ChatUnavailable("the platform is away", maybe_posted=refusal.what[0] == "maybe") from refusal
        self._points.pass_by("post after")
        return str(answer)


class Worker:
    """One bot and its commands."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.clock = SharedClock(Path(settings.clock))
        self.points = Points()
        self.bot: bot.Bot

    def scripts(self) -> Scripts:
        """The steps on the store, with places to die at."""
        return MortalScripts(self.points, self.clock, self.settings.redis)

    def cluster(self) -> tuple[str, Connection, Catalog]:
        """Its name, the way to it, and what is there."""
        return CLUSTER, Connection.at_url(self.settings.cluster, self.settings.token), Catalog(SERVICES)

    async def run(self) -> None:
        settings, points = self.settings, self.points
        base = self.scripts()
        stores = bot.Stores(
            threads=RedisStore(base, monotonic=self.clock.monotonic),
            ledger=RedisLedger(base),
            audit=RedisAuditLog(base),
        )
        name, connection, catalog = self.cluster()
        both = bot.cluster(name, connection, ledger=stores.ledger, clock=self.clock)
        chat = RemoteChat(points)
        self.bot = await bot.assemble(
            stores=stores,
            clusters={name: Cluster(reader=both.reader, writer=MortalWriter(both.writer, points))},
            chats={chat.platform: chat},
            snapshot=Snapshot(catalog=catalog, policy=parse(settings.policy), timing=Timing()),
            clock=self.clock,
            meter=NoMeter(),
            per_user=1_000_000,
            per_room=1_000_000,
            interpreter=wild.interpreter() if settings.wild else None,
        )
        reader, writer = await asyncio.open_unix_connection(settings.socket, limit=LIMIT)
        chat.peer = Peer(reader, writer, self.handle)
        self.bot.worker.start()
        serving = asyncio.create_task(chat.peer.serve())
        await chat.peer.call("hello", number=settings.number, pid=os.getpid())
        await serving

    async def handle(self, method: str, p: Json) -> Any:
        match method:
            case "deliver":
                return await self._deliver(p["event"])
            case "tick":
                await self.clock.wake()
            case "policy":
                self.bot.snapshot.set_policy(parse(p["policy"]))
            case "arm":
                self.points.arm(p["place"], p["left"], p["signal"])
        return self.bot.worker.busy

    async def _deliver(self, raw: str) -> list[str]:
        event = events.decode(raw.encode())
        if not isinstance(event, Message | Click):
            raise Failed("no event of a platform")
        try:
            receipt = await self.bot.intake.receive(event)
        except NotAccepted as refusal:
            raise Failed("not accepted", str(refusal)) from refusal
        return [receipt.taken, receipt.thread]


def born(worker: Worker) -> None:
    """The rest of a forked process."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    log = os.open(worker.settings.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.dup2(log, 1)
    os.dup2(log, 2)
    asyncio.run(worker.run())
    os._exit(0)


def main(kind: Callable[[bytes], Worker]) -> None:
    """Fork workers of a kind, made of a line of settings."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    gc.collect()
    gc.freeze()
    while line := sys.stdin.buffer.readline():
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            born(kind(line))
        os.write(1, f"{child}\n".encode())


if __name__ == "__main__":
    main(lambda line: Worker(msgspec.json.decode(line, type=Settings)))
