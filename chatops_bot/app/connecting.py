"""From settings to the parts that a running bot consists of: clusters, the console, the first snapshot."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable

from starlette.types import ASGIApp

from chatops_bot.adapters.audit.output import OutputSink
from chatops_bot.adapters.audit.webhook import WebhookSink
from chatops_bot.adapters.console.chat import ConsoleChat, numbered
from chatops_bot.adapters.console.guard import LOOPBACK_HOSTS
from chatops_bot.adapters.console.pane import Pane
from chatops_bot.adapters.console.web import web_console
from chatops_bot.adapters.redis.ledger import RedisLedger
from chatops_bot.app import bot
from chatops_bot.app.catalog_sources import merged
from chatops_bot.app.configuration import Configuration
from chatops_bot.app.doctor_command import connection_to
from chatops_bot.app.process import StartError
from chatops_bot.app.settings import AuditSettings, ClusterSettings, Settings
from chatops_bot.domain.people import People
from chatops_bot.domain.world import Timing
from chatops_bot.engine.gate import Cluster
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.ports.audit_sink import AuditSink
from chatops_bot.ports.clock import Clock, random_bytes
from chatops_bot.ports.cluster import ClusterError

ROOM = "ops"
"""The console's room where the configuration names none."""

PEOPLE = ("alice", "bob", "carol")
"""Names that the console offers where the configuration names none; any other may be typed."""


def snapshot_of(configuration: Configuration) -> Snapshot:
    """The world before any cluster has answered: what the configuration alone says."""
    settings = configuration.settings
    times = settings.timeouts
    snapshot = Snapshot(
        catalog=merged(configuration.services, (), clusters=[cluster.name for cluster in settings.clusters]),
        policy=configuration.policy,
        timing=Timing(
            idle_s=times.idle_s,
            collecting_s=times.collecting_s,
            plan_s=times.plan_s,
            approval_s=times.approval_s,
            approval_reminder_s=times.approval_reminder_s,
        ),
        read_only=_read_only(configuration),
        language=settings.language,
        incidents=settings.incidents.of_world(settings.rooms),
        oncall=settings.oncall.of_world(settings.rooms),
        recall=settings.memory.of_world(settings.rooms, settings.retention),
        clusters={cluster.name: cluster.environment for cluster in settings.clusters},
    )
    snapshot.rooms = {room: chosen.listen for room, chosen in settings.rooms.items()}
    return snapshot


def _read_only(configuration: Configuration) -> str:
    """Why nothing may be changed, as a key of the words: each reader has it in their language."""
    if configuration.settings.read_only:
        return "why.configured"
    return "why.unpolicied" if configuration.policy.standing == "missing" else ""


async def connected(
    chosen: ClusterSettings, *, ledger: RedisLedger, clock: Clock, people: Callable[[], People] = People
) -> Cluster:
    """Both sides of one configured cluster; nothing is asked of it yet. `people` is the policy's map as it is now.
    Raises `StartError`."""

    def build() -> Cluster:
        return bot.cluster(
            chosen.name,
            connection_to(chosen),
            ledger=ledger,
            clock=clock,
            namespaces=chosen.namespaces,
            environment=chosen.environment,
            notes=chosen.events,
            impersonation=chosen.impersonate.of_cluster() if chosen.impersonate is not None else None,
            people=people,
        )

    try:
        return await asyncio.to_thread(build)  # a kubeconfig may run a program to get credentials
    except ClusterError as error:
        raise StartError(f"clusters: {chosen.name} cannot be used: {error.message}; check its entry") from error


def console_chat(*, clock: Clock) -> ConsoleChat:
    """The console of this process. Its ids differ from those of every earlier one on the same store."""
    return ConsoleChat(clock=clock, ids=numbered(f"{random_bytes(4).hex()}-"))


def console_app(chat: ConsoleChat, settings: Settings, *, pane: Pane | None) -> ASGIApp:
    """The console's page and interface. `pane` is the sandbox beside the room, where there is one."""
    chosen = settings.console
    own = f"[{chosen.host}]" if ":" in chosen.host else chosen.host
    rooms = tuple(room for room, what in settings.rooms.items() if what.platform == "console")
    return web_console(
        chat,
        rooms=rooms or (ROOM,),
        people=chosen.users or PEOPLE,
        closed=bool(chosen.users),
        pane=pane,
        hosts={*LOOPBACK_HOSTS, own, *chosen.hosts},
    )


def audit_sinks(chosen: AuditSettings) -> tuple[AuditSink, ...]:
    """The second places of the audit log that are configured."""
    token = chosen.token.get_secret_value() if chosen.token is not None else ""
    return (
        *((OutputSink(sys.stdout),) if chosen.output else ()),
        *((WebhookSink(chosen.webhook, token=token),) if chosen.webhook else ()),
    )
