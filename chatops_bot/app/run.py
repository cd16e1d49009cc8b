"""`chatops-bot run`: the process, from its start to its end in order."""

from __future__ import annotations

import asyncio
import gc
import socket
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from importlib.metadata import version
from typing import Final, Literal

import structlog

from chatops_bot.adapters.console.pane import Pane
from chatops_bot.adapters.redis.embedded import EmbeddedError
from chatops_bot.adapters.redis.shards import SHARDS
from chatops_bot.adapters.redis.spending import RedisSpending
from chatops_bot.app import bot, care, connecting, digest, groups, quiet
from chatops_bot.app.alert_door import AlertDoor
from chatops_bot.app.bot import Bot, Stores
from chatops_bot.app.charting import Charting
from chatops_bot.app.configuration import Configuration
from chatops_bot.app.event_door import EventDoor
from chatops_bot.app.groups import GroupsWatch
from chatops_bot.app.http import CLUSTER_PREFIX, Check, create_app
from chatops_bot.app.links_watch import LinkWatch
from chatops_bot.app.modelling import Modelling, modelling_of
from chatops_bot.app.opening import Opened, open_store
from chatops_bot.app.platforms import Platforms
from chatops_bot.app.process import Background, Signals, StartError, outcome, until
from chatops_bot.app.runbooks import RunbooksWatch
from chatops_bot.app.serving import Servers, listen
from chatops_bot.app.settings_retention import DAY
from chatops_bot.app.sources import PolicyInForce
from chatops_bot.app.sources_watch import CatalogWatch, ClusterHealth, PolicyWatch
from chatops_bot.app.telemetry import Metrics
from chatops_bot.domain.people import People
from chatops_bot.engine.audit_copies import AuditCopies
from chatops_bot.engine.audit_freshness import Freshness
from chatops_bot.engine.audit_trimming import AuditTrimming
from chatops_bot.engine.gate import Cluster
from chatops_bot.ports.audit_sink import AuditSink
from chatops_bot.ports.chat import ChatPort
from chatops_bot.ports.clock import SystemClock
from chatops_bot.ports.store import StoreUnavailable

GRACE_S: Final = 15.0
"""For what is at work when the process is told to stop. A write takes 12 s at most, and Kubernetes kills after 30."""

CATALOG_S: Final = 5.0
"""How long the platforms wait for the first sight of the clusters: a name asked for at once should be known."""

STORE_PAUSE_S: Final = 15.0

log = structlog.get_logger(__name__)

Phase = Literal["starting", "running", "stopping"]


async def run(configuration: Configuration) -> None:
    """Until SIGTERM or SIGINT, and then to the end of what is at work. A second signal ends it at once.

    Raises `StartError` for what can only be mended by whoever configures it (a port in use, an embedded store that
    does not start), and when a part has ended without which the process is of no use.
    """
    process = Process(configuration)
    with Signals(at_once=process.kill) as signals:
        await live(process, signals.stopping)


async def live(process: Process, stopping: asyncio.Event, *, ready: Callable[[], None] | None = None) -> None:
    """Start the process, tell when it is `ready`, and stop it when `stopping` is set. Raises as `run`."""
    broken = process.background.broken
    try:
        if await until(stopping, process.start()):
            if ready is not None:
                ready()
            await until(stopping, broken.wait())
    finally:
        await process.stop()
    if broken.is_set():
        raise StartError("a part of the process has ended that it cannot do without; the log says why")


class Process:
    """All that runs.

    The demo gives a `pane` beside the console, its `listening` socket, no HTTP of its own, and has what an earlier
    demo left behind settled before its rooms open.
    """

    def __init__(
        self,
        configuration: Configuration,
        *,
        pane: Pane | None = None,
        listening: socket.socket | None = None,
        http: bool = True,
        settle_first: bool = False,
    ) -> None:
        self._configuration = configuration
        self._settings = configuration.settings
        self._pane = pane
        self._listening = listening
        self._http = http
        self._settle_first = settle_first
        self._clock = SystemClock()
        self._metrics = Metrics()
        self.background = Background(clock=self._clock, meter=self._metrics)
        self._servers = Servers(self.background)
        self._door = EventDoor()
        self._snapshot = connecting.snapshot_of(configuration)
        self._charting = Charting(self._settings, snapshot=self._snapshot, clock=self._clock)
        self._modelling: Modelling | None = None
        self._platforms = Platforms(self._settings, clock=self._clock, painter=self._charting.painter)
        self._catalog = CatalogWatch(
            configuration.services,
            clusters=[cluster.name for cluster in self._settings.clusters],
            snapshot=self._snapshot,
        )
        self._phase: Phase = "starting"
        self._waiting_for = "its parts"
        self._stack = AsyncExitStack()
        self._opened: Opened | None = None
        self._groups = GroupsWatch(
            groups.directories_of(self._settings, clock=self._clock),
            snapshot=self._snapshot,
            clock=self._clock,
            refresh_s=self._settings.groups.refresh_s,
            stale_s=self._settings.groups.stale_s,
        )
        self._clusters: dict[str, Cluster] = {}
        self._health: list[ClusterHealth] = []
        self._bot: Bot | None = None
        self._sinks: tuple[AuditSink, ...] = ()
        self._fresh: list[Freshness] = []
        self._checks: dict[str, Check] = {"process": self._check_process, "store": self._check_store}

    async def start(self) -> None:
        """Store, clusters, worker, platforms, in this order; health is served from the beginning. A store that
        cannot be reached is waited for, a cluster or a platform is not. Raises `StartError`."""
        if self._http:
            self._serve_http()
        opened = await self._open_store()
        await self._connect_clusters(opened)
        made = self._bot = await self._assemble(opened)
        made.worker.start()
        self.background.vital("worker", made.worker.watch())
        self._copy_audit(opened)
        await self._open_platforms(made)
        if self._settings.care.enabled:
            looking = care.of(
                self._settings,
                opened,
                clusters=self._clusters,
                snapshot=self._snapshot,
                door=self._door,
                room=self._platforms.room,
                clock=self._clock,
                meter=self._metrics,
            )
            self.background.keep("care", looking.run)
        if self._settings.digest.rooms:
            shown = self._platforms.chats
            weekly = digest.of(self._settings, opened, chats=shown, room=self._platforms.room, clock=self._clock)
            self.background.keep("digest", weekly.run)
        self._phase = "running"
        # What is there by now stays: the collector need not look through it again and again.
        gc.freeze()
        world = self._snapshot.world
        log.info("running", services=len(world.catalog), read_only=world.read_only, policy=world.policy.standing)

    async def stop(self) -> None:
        """Receive nothing more, let what is at work end, give back what is left of it, close everything. Each
        step is taken whatever became of the one before."""
        log.info("stopping")
        self._phase = "stopping"
        self.background.expect_ends()
        self._door.close()
        sides = [side for both in self._clusters.values() for side in (both.reader, both.writer)]
        steps: list[tuple[str, Awaitable[None]]] = [
            *([("worker", self._bot.worker.stop(grace_s=GRACE_S))] if self._bot else []),
            ("platforms", self._platforms.stop()),
            ("servers", self._servers.stop()),
            ("background", self.background.stop()),
            ("groups", self._groups.close()),
            *(("audit", sink.close()) for sink in self._sinks),
            ("charts", self._charting.close()),
            *([("model", self._modelling.close())] if self._modelling else []),
            *(("health", health.close()) for health in self._health),
            *(("cluster", side.close()) for side in sides),
            ("store", self._stack.aclose()),
        ]
        for name, step in steps:
            problem = await outcome(step)
            if problem is not None:
                log.error("stop_failed", step=name, exc_info=problem)
        log.info("stopped")

    def kill(self) -> None:
        """What must not outlive the process: the embedded store."""
        if self._opened is not None and self._opened.server is not None:
            self._opened.server.kill()

    def _serve_http(self) -> None:
        settings = self._settings
        alerts = AlertDoor(
            settings.alerts,
            receive=care.AlertsHeard(self._door, lambda: self._opened) if settings.care.enabled else self._door.alert,
            room=self._platforms.room,
            services=lambda: self._snapshot.world.catalog.services,
            clusters=[cluster.name for cluster in settings.clusters],
            meter=self._metrics,
            now=self._clock.now,
        )
        application = create_app(
            checks=self._checks,
            metrics=self._metrics,
            gauges=self._gauges,
            alert_door=alerts if settings.alerts.enabled else None,
            routes=self._platforms.routes(),
        )
        self._servers.serve("http", application, listen(settings.http.host, settings.http.port, setting="http"))

    async def _open_store(self) -> Opened:
        """Opened and answering; it is asked again and again until it does."""
        self._waiting_for = "the store"
        try:
            opened = await self._stack.enter_async_context(
                open_store(self._settings.store, clock=self._clock, retention=self._settings.retention.of_store())
            )
        except EmbeddedError as error:
            raise StartError(f"the embedded store cannot be started: {error}; or set REDIS_URL") from error
        self._opened = opened
        pause = 1.0
        while problem := await self._check_store():
            _tell_store(problem, again_s=pause)
            await self._clock.sleep(pause)
            pause = min(pause * 2, STORE_PAUSE_S)
        return opened

    async def _connect_clusters(self, opened: Opened) -> None:
        self._waiting_for = "the clusters"

        def people() -> People:
            return self._snapshot.world.policy.people

        for chosen in self._settings.clusters:
            both = await connecting.connected(chosen, ledger=opened.ledger, clock=self._clock, people=people)
            self._clusters[chosen.name] = both
            health = ClusterHealth(both.reader, clock=self._clock, anonymous=bool(chosen.url))
            self._health.append(health)
            self._checks[CLUSTER_PREFIX + chosen.name] = health.check
            self.background.keep(f"health {chosen.name}", health.run)
            self.background.keep(f"watch {chosen.name}", partial(self._catalog.follow, both.reader))
        if self._settings.policy_file is not None:
            in_force = PolicyInForce(
                self._configuration.policy, file=self._settings.policy_file, users=self._settings.console.users
            )
            self.background.keep("policy", PolicyWatch(in_force, snapshot=self._snapshot, clock=self._clock).run)
        runbooks = RunbooksWatch(self._settings.runbooks, snapshot=self._snapshot, clock=self._clock)
        self.background.keep("runbooks", runbooks.run)

    async def _assemble(self, opened: Opened) -> Bot:
        shown = self._platforms.chats
        chats = quiet.muted(shown) if self._settle_first else shown
        made: Bot | None = None
        while made is None:
            try:
                made = await self._put_together(opened, chats)
            except StoreUnavailable as error:
                _tell_store(str(error), again_s=1.0)
                await self._clock.sleep(1.0)
        if self._settle_first:
            await quiet.settled(made.worker)
            chats.update(shown)
        return made

    async def _put_together(self, opened: Opened, chats: dict[str, ChatPort]) -> Bot:
        if self._modelling is None:
            self._modelling = modelling_of(
                self._settings.model, spending=RedisSpending(opened.client), meter=self._metrics
            )
        return await bot.assemble(
            stores=Stores(threads=opened.threads, ledger=opened.ledger, audit=opened.audit),
            clusters=self._clusters,
            chats=chats,
            snapshot=self._snapshot,
            clock=self._clock,
            meter=self._metrics,
            per_user=self._settings.limits.user_queries_per_minute,
            per_room=self._settings.limits.room_queries_per_minute,
            behind=self._audit_behind,
            charts=self._charting.charts,
            interpreter=self._modelling.interpreter(bot.BuiltInRules()) if self._modelling else None,
            wording=self._modelling.wording(lambda: self._snapshot.world.catalog) if self._modelling else None,
        )

    def _copy_audit(self, opened: Opened) -> None:
        """The audit log in second places, behind everything else."""
        chosen, clock, meter = self._settings.audit, self._clock, self._metrics
        self._sinks = connecting.audit_sinks(chosen)
        for sink in self._sinks:
            fresh = Freshness(opened.audit, sink=sink.name, within_s=chosen.required_within_s, clock=clock)
            freshness = fresh if chosen.required else None
            self._fresh += [fresh] if chosen.required else []
            copies = AuditCopies(opened.audit, sink, shards=SHARDS, clock=clock, meter=meter, freshness=freshness)
            self.background.keep(f"audit {sink.name}", copies.run)
        if days := self._settings.retention.audit_days:
            names = [sink.name for sink in self._sinks]
            trimming = AuditTrimming(
                opened.audit, keep_s=days * DAY, sinks=names, shards=SHARDS, clock=clock, meter=meter
            )
            self.background.keep("audit trimming", trimming.run)

    def _audit_behind(self) -> int:
        """For how many minutes a place has not had the log that has to have it."""
        chosen = self._settings.audit
        if chosen.required and not self._fresh:
            return chosen.required_within_s // 60  # not begun to copy yet
        return max((fresh.behind() for fresh in self._fresh), default=0)

    async def _open_platforms(self, made: Bot) -> None:
        self._waiting_for = "the clusters"
        await self._catalog.complete(within_s=CATALOG_S)
        await self._groups.first()
        self.background.keep("groups", self._groups.run)
        self._waiting_for = "the platforms"
        self._checks.update(self._platforms.checks())
        self._door.open(made.intake)
        if self._platforms.console is not None:
            chosen = self._settings.console
            application = connecting.console_app(self._platforms.console, self._settings, pane=self._pane)
            listening = self._listening or listen(chosen.host, chosen.port, setting="console")
            self._servers.serve("console", application, listening)
        await self._platforms.start(self._door)
        if names := self._settings.incidents.links:
            links = LinkWatch(names, room=self._platforms.room, snapshot=self._snapshot, clock=self._clock)
            self.background.keep("links", links.run)

    async def _check_process(self) -> str:
        if self._phase == "starting":
            return f"starting, waiting for {self._waiting_for}"
        return "" if self._phase == "running" else self._phase

    async def _check_store(self) -> str:
        if self._opened is None:
            return "not opened yet"
        if self._phase == "stopping":
            return ""
        try:
            await self._opened.threads.ping()
        except StoreUnavailable as error:
            return str(error)
        return ""

    async def _gauges(self) -> None:
        self._metrics.level("read_only", 1 if self._snapshot.world.read_only else 0)
        self._metrics.level("build_info", 1, version=version("chatops-bot"))
        if self._modelling is not None:
            self._metrics.level("model_breaker", ("closed", "half_open", "open").index(self._modelling.lead.phase))
        if self._opened is None or self._phase == "stopping":
            return
        try:
            depths = await self._opened.threads.queue_depths()
            await digest.show_tally(self._opened, self._metrics)
        except StoreUnavailable as error:
            log.warning("store_figures_unknown", why=str(error))
            return
        for queue, waiting in depths.items():
            self._metrics.level("queue_depth", waiting, queue=queue)


def _tell_store(problem: str, *, again_s: float) -> None:
    log.error(
        "store_unavailable",
        why=problem,
        what_to_do="start Redis, or set REDIS_URL to where it is; `chatops-bot doctor` looks closer",
        consequence=f"nothing is taken in; tried again in {again_s:g} s",
    )
