"""The bot as `chatops-bot run` puts it together, between signed Slack deliveries, a Redis and a Web API.

In place of the real ones are only: the cluster (`stubs`), Slack itself (`slack_api`), the engine's wall clock (it
stands, so that an answer stays as fresh as it was) and Slack's limit of one post a second and channel.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from aiohttp import ClientSession
from slack_sdk.web.async_client import AsyncWebClient

from chatops_bot.adapters.redis.audit import RedisAuditLog
from chatops_bot.adapters.redis.client import Client, connect
from chatops_bot.adapters.redis.embedded import EmbeddedServer
from chatops_bot.adapters.redis.ledger import RedisLedger
from chatops_bot.adapters.redis.store import RedisStore, Scripts
from chatops_bot.adapters.slack import SlackChat, SlackSettings
from chatops_bot.adapters.slack.fake.deliveries import SECRET
from chatops_bot.adapters.slack.fake.workspace import BOT_USER
from chatops_bot.adapters.slack.web import SDK_LOG
from chatops_bot.app import bot
from chatops_bot.app.bot import Bot, BuiltInRules, Stores
from chatops_bot.app.event_door import EventDoor
from chatops_bot.app.telemetry import Metrics
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.world import Timing
from chatops_bot.engine.arrivals import Arrivals
from chatops_bot.engine.degraded import Degraded
from chatops_bot.engine.gate import Cluster
from chatops_bot.engine.intake import Intake
from chatops_bot.engine.queries import Queries
from chatops_bot.engine.rates import Rates
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.ports.clock import SystemClock, random_bytes
from chatops_bot.ports.pacing import Pace
from chatops_bot.ports.store import Claim, Committed, Twin
from tests.bench.hooks import PLATFORMS, Hook
from tests.bench.load import IN_FLIGHT, all_of
from tests.bench.signed import Delivery
from tests.bench.slack_api import Session, member
from tests.bench.stubs import CLUSTER, WEB, StubReader, StubWriter, catalog

BACKGROUND = frozenset({"INFO", "GET", "sweep", "renew", "depths"})
"""What a worker does once a second or so, however many events there are."""

_UNLIMITED = 10**9


class StandingClock(SystemClock):
    """The real clock, but people's time stands."""

    def __init__(self) -> None:
        self._fixed = super().now()

    def now(self) -> float:
        return self._fixed


class WatchedStore(RedisStore):
    """Tells who waits for a thread's card that it was recorded as drawn; `whole` says of a view that it is the
    one waited for."""

    def __init__(self, base: Scripts, *, clock: SystemClock) -> None:
        super().__init__(base, monotonic=clock.monotonic)
        self._waiting: defaultdict[str, deque[tuple[bytes, asyncio.Future[None]]]] = defaultdict(deque)

    def shown(self, thread: str, *, holds: bytes = b"") -> asyncio.Future[None]:
        """Done when a card of the thread whose view holds these bytes is recorded; first come, first served."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[thread].append((holds, future))
        return future

    async def drawn(
        self, claim: Claim, *, message: str, bind: tuple[str, ...] = (), twin: Twin | None = None
    ) -> Committed:
        committed = await super().drawn(claim, message=message, bind=bind, twin=twin)
        waiting = self._waiting.get(claim.queue.split("|")[1])
        if waiting and waiting[0][0] in claim.view:
            waiting.popleft()[1].set_result(None)
        return committed


class Rig:
    """A running bot with `threads` live threads, each of one person in one channel, whose last answer is fresh."""

    def __init__(
        self,
        *,
        clients: tuple[Client, ...],
        chat: SlackChat,
        store: WatchedStore,
        parts: Bot,
        threads: int,
        hooks: Sequence[Hook],
    ) -> None:
        self.client = clients[0]
        self._clients = clients
        self.store = store
        self.threads = threads
        self.hooks = hooks
        """Webhooks of all platforms before a bot that is stuck: it stores, and works nothing off."""
        self.bot = parts
        self.clock = SystemClock()
        self._chat = chat
        self._live: list[str] = []
        self._turn = 0
        self._rooms = 0

    async def warm(self) -> None:
        """Open the threads: each asks once."""
        opening = [self.ask(f"<@{BOT_USER}> status of {WEB.name}", n) for n in range(self.threads)]
        self._live = [delivery.thread for delivery in opening]
        await all_of(opening, self.stored, in_flight=IN_FLIGHT)
        await self.bot.worker.idle()
        await self.store.sweep()

    def ask(self, text: str, person: int, *, channel: str = "") -> Delivery:
        """A delivery of what somebody says, in the channel of their thread or another one."""
        return Delivery(text, user=member(person), channel=channel or f"C{person:08d}", now=self.clock.now())

    def next(self, count: int) -> range:
        """Whose turn it is: the next so many live threads, round and round."""
        self._turn += count
        return range(self._turn - count, self._turn)

    def live(self, turn: int) -> tuple[int, str]:
        """The person and the thread of a turn."""
        return turn % self.threads, self._live[turn % self.threads]

    def new_room(self) -> str:
        """A channel in which nobody has spoken."""
        self._rooms += 1
        return f"C1{self._rooms:07d}"

    async def stored(self, delivery: Delivery) -> None:
        """Deliver it; raises unless it is acknowledged."""
        endpoint = self._chat.endpoint
        assert endpoint is not None
        status = await delivery.to(endpoint)
        if status != 200:
            raise RuntimeError(f"a delivery was answered with {status}")

    def trips(self) -> int:
        """Round trips to Redis so far that events have caused."""
        counted = [client.round_trips for client in self._clients]
        return sum(times for trips in counted for name, times in trips.items() if name not in BACKGROUND)


@asynccontextmanager
async def rigged(threads: int, *, fsync: str, api: str = "") -> AsyncIterator[Rig]:
    """A bot on a Redis of its own, started and warm. `api` is the address of the Web API; without one it is in this
    process."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="bench-")))
        server = await EmbeddedServer.start(folder, fsync=fsync)
        stack.push_async_callback(server.stop)
        client = connect(server.url)
        stack.push_async_callback(client.close)
        clock, metrics = StandingClock(), Metrics()
        base = Scripts(client, random_bytes=random_bytes)
        store = WatchedStore(base, clock=clock)
        chat = _slack(api, members=threads)
        snapshot = Snapshot(catalog=catalog(), policy=Policy.open(), timing=Timing())
        parts = await bot.assemble(
            stores=Stores(threads=store, ledger=RedisLedger(base), audit=RedisAuditLog(base)),
            clusters={CLUSTER: Cluster(reader=StubReader(clock), writer=StubWriter())},
            chats={chat.platform: chat},
            snapshot=snapshot,
            clock=clock,
            meter=metrics,
            per_user=_UNLIMITED,
            per_room=_UNLIMITED,
        )
        door = EventDoor()
        door.open(parts.intake)
        stack.push_async_callback(parts.worker.kill)
        await chat.start(door)
        stack.push_async_callback(chat.stop)
        aside, hooks = await _hooks(stack, snapshot, clock, metrics, fsync=fsync)
        rig = Rig(clients=(client, aside), chat=chat, store=store, parts=parts, threads=threads, hooks=hooks)
        await rig.warm()
        yield rig


async def _hooks(
    stack: AsyncExitStack, snapshot: Snapshot, clock: SystemClock, meter: Metrics, *, fsync: str
) -> tuple[Client, list[Hook]]:
    """Webhooks of all platforms before the door of a bot none of whose turns ever ends, and the client of its own
    Redis."""
    folder = Path(stack.enter_context(TemporaryDirectory(prefix="bench-")))
    server = await EmbeddedServer.start(folder, fsync=fsync)
    stack.push_async_callback(server.stop)
    client = connect(server.url)
    stack.push_async_callback(client.close)
    rates = Rates(clock=clock, per_user=_UNLIMITED, per_room=_UNLIMITED)
    rules, queries = BuiltInRules(), Queries(clusters={CLUSTER: StubReader(clock)}, clock=clock, rates=rates)
    door = Intake(
        store=RedisStore(Scripts(client, random_bytes=random_bytes), monotonic=clock.monotonic),
        arrivals=Arrivals(rules=rules, snapshot=snapshot),
        degraded=Degraded(rules=rules, queries=queries, snapshot=snapshot, chats={}),
        take=lambda claims: None,
        spawn=lambda work: work.close(),
        clock=clock,
        meter=meter,
    )
    hooks = [Hook(platform, clock=clock) for platform in PLATFORMS]
    for hook in hooks:
        stack.push_async_callback(hook.stop)
        await hook.start(door)
    return client, hooks


def _slack(api: str, *, members: int) -> SlackChat:
    clock = SystemClock()
    address = api or "http://slack.invalid/api/"
    settings = SlackSettings(bot_token="xoxb-bench", mode="http", signing_secret=SECRET, base_url=address)
    chat = SlackChat(settings, clock=clock, random_bytes=random_bytes)
    # Slack's own limit would be all that is measured.
    chat._desk._pace = Pace(clock=clock, every_s=0)
    if not api:
        session = cast(ClientSession, Session(members))
        chat._web._session = session
        chat._web._client = AsyncWebClient(
            token="xoxb-bench", base_url=address, session=session, retry_handlers=[], logger=SDK_LOG
        )
    return chat


@asynccontextmanager
async def web_api(members: int) -> AsyncIterator[str]:
    """The address of a Web API in a process of its own."""
    command: Sequence[str] = (sys.executable, "-m", "tests.bench.slack_api", str(members))
    process = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, env=dict(os.environ)
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        port = int(await process.stdout.readline())
        yield f"http://127.0.0.1:{port}/api/"
    finally:
        process.stdin.close()
        await process.wait()
