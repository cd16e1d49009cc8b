"""The one place where concrete parts become a bot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import msgspec

from chatops_bot.adapters.kubernetes import Connection, KubernetesCluster, KubernetesWriter
from chatops_bot.adapters.redis.audit import RedisAuditLog
from chatops_bot.adapters.redis.client import Client
from chatops_bot.adapters.redis.ledger import RedisLedger
from chatops_bot.adapters.redis.store import RedisStore, Scripts
from chatops_bot.adapters.rules import RulesInterpreter, carries_request
from chatops_bot.adapters.rules.evidence import evidence
from chatops_bot.adapters.rules.leaving import leaves
from chatops_bot.domain.dialogue.turn import Decision
from chatops_bot.domain.impersonation import Actor, Impersonation
from chatops_bot.domain.intents import Interpretation, Utterance
from chatops_bot.domain.people import People
from chatops_bot.domain.plans import Change
from chatops_bot.domain.proposals.evidence import Evidence
from chatops_bot.domain.runbooks import Runbook
from chatops_bot.engine.accounts import Accounts
from chatops_bot.engine.arrivals import Arrivals
from chatops_bot.engine.degraded import Degraded
from chatops_bot.engine.dispatch import Dispatch
from chatops_bot.engine.drawing import Drawing
from chatops_bot.engine.execution import Execution
from chatops_bot.engine.following import Following
from chatops_bot.engine.gate import Cluster, Gate, decode_plan, permits, permits_note
from chatops_bot.engine.intake import Intake
from chatops_bot.engine.leases import Leases
from chatops_bot.engine.links import Links
from chatops_bot.engine.metrics import Charts
from chatops_bot.engine.noting import Noting
from chatops_bot.engine.overviews import OverviewAnswers
from chatops_bot.engine.preparation import Preparation
from chatops_bot.engine.queries import Queries
from chatops_bot.engine.rates import Rates
from chatops_bot.engine.runbooks import RunbookAnswers
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.engine.trail import Trail
from chatops_bot.engine.turns import Turns
from chatops_bot.engine.wording import Wording
from chatops_bot.engine.worker import Worker
from chatops_bot.ports.chat import ChatPort
from chatops_bot.ports.clock import Clock, random_bytes
from chatops_bot.ports.cluster import Permit, Refused
from chatops_bot.ports.interpreter import ANYWHERE, Interpreter, Rules, Where
from chatops_bot.ports.meter import Meter
from chatops_bot.ports.runbooks import RunbookSearch
from chatops_bot.ports.store import Claim


class Stores(msgspec.Struct, frozen=True):
    """The three faces of one Redis."""

    threads: RedisStore
    ledger: RedisLedger
    audit: RedisAuditLog


class Bot(msgspec.Struct, frozen=True):
    """All that runs: the door, the worker, and what they stand on."""

    stores: Stores
    intake: Intake
    worker: Worker
    gate: Gate
    turns: Turns
    snapshot: Snapshot


class BuiltInRules:
    """The rules, as the door asks them."""

    def __init__(self) -> None:
        self._interpreter = RulesInterpreter()

    def interpret(self, utterance: Utterance) -> Interpretation:
        """At once."""
        return self._interpreter.interpret(utterance)

    def evidence(self, utterance: Utterance, intents: Iterable[str]) -> Evidence:
        """What its text bears out of what a model makes of it."""
        return evidence(utterance, intents)

    def carries_request(self, utterance: Utterance) -> bool:
        """Whether it asks or orders the bot something."""
        return carries_request(utterance)

    def leaves(self, utterance: Utterance) -> bool:
        """Whether it leaves, in so many words, what was going on."""
        return leaves(utterance)


class ByRules:
    """The rules as an interpreter that waits for nothing."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    async def interpret(self, utterance: Utterance, *, where: Where = ANYWHERE) -> Interpretation:
        """At once."""
        return self._rules.interpret(utterance)


def stores(client: Client, *, clock: Clock, virtual: Callable[[], int] | None = None) -> Stores:
    """Store, ledger and audit log over one connection. `virtual` gives the time (ms) in a replay."""
    base = Scripts(client, random_bytes=random_bytes, clock=virtual)
    return Stores(
        threads=RedisStore(base, monotonic=clock.monotonic), ledger=RedisLedger(base), audit=RedisAuditLog(base)
    )


def cluster(
    name: str,
    connection: Connection,
    *,
    ledger: RedisLedger,
    clock: Clock,
    namespaces: tuple[str, ...] = (),
    environment: str = "",
    notes: bool = False,
    impersonation: Impersonation | None = None,
    people: Callable[[], People] = People,
) -> Cluster:
    """Both sides of one cluster. The write side asks the ledger before every write (promise 1 of the README), and with
    `impersonation` writes in the name of whom the ledger has as the confirmer; `people` is the policy's map."""

    async def permitted(permit: Permit, change: Change | None) -> bool | Actor:
        step = await ledger.read(token=permit.token, target=permit.target)
        if permit.ended:
            return permits_note(step)
        if not permits(step, change) or impersonation is None or change is None:
            return permits(step, change)
        actor = impersonation.actor(step.by, people=people(), room=decode_plan(step.plan).room)
        if actor is None:
            raise Refused(f"{step.by} is nobody in {name}: impersonate has no entry for them", reason="Impersonation")
        return actor

    return Cluster(
        reader=KubernetesCluster(name, connection, clock=clock, namespaces=namespaces, environment=environment),
        writer=KubernetesWriter(connection, permitted=permitted),
        notes=notes,
        namespaces=namespaces,
        impersonation=impersonation,
    )


async def assemble(
    *,
    stores: Stores,
    clusters: Mapping[str, Cluster],
    chats: Mapping[str, ChatPort],
    snapshot: Snapshot,
    clock: Clock,
    meter: Meter,
    interpreter: Interpreter | None = None,
    decided: Callable[[Claim, Decision], None] | None = None,
    per_user: int = 30,
    per_room: int = 120,
    behind: Callable[[], int] = lambda: 0,
    charts: Charts | None = None,
    wording: Wording | None = None,
) -> Bot:
    """A bot on these parts, not started. Raises `StoreUnavailable` when the store cannot give its secret."""
    rules, leases = BuiltInRules(), Leases(store=stores.threads, clock=clock)
    rates = Rates(clock=clock, per_user=per_user, per_room=per_room)
    links = Links(chats=chats, spawn=lambda work: worker.spawn(work), meter=meter)
    gate = Gate(
        store=stores.threads,
        ledger=stores.ledger,
        clusters=clusters,
        snapshot=snapshot,
        clock=clock,
        secret=await stores.threads.secret(),
        rates=rates,
        meter=meter,
        behind=behind,
        link_of=links.of,
    )
    queries = _queries(stores, clusters, snapshot, clock=clock, rates=rates, charts=charts, wording=wording)
    arrivals = Arrivals(rules=rules, snapshot=snapshot)
    degraded = Degraded(rules=rules, queries=queries, snapshot=snapshot, chats=chats)
    turns = Turns(
        store=stores.threads,
        incidents=stores.threads,
        summaries=stores.threads,
        interpreter=interpreter or ByRules(rules),
        contexts=interpreter is not None,
        arrivals=arrivals,
        snapshot=snapshot,
        clock=clock,
        meter=meter,
        decided=decided,
        unrecorded=lambda event, room, entry: worker.spawn(degraded.unrecorded(event, room, of=entry)),
    )
    drawing = Drawing(store=stores.threads, chats=chats, leases=leases, links=links, clock=clock)
    dispatch = _dispatch(stores, gate, turns=turns, drawing=drawing, queries=queries, links=links)
    worker = Worker(store=stores.threads, dispatch=dispatch, snapshot=snapshot, leases=leases, clock=clock, meter=meter)
    intake = Intake(
        store=stores.threads,
        arrivals=arrivals,
        degraded=degraded,
        take=worker.take,
        spawn=worker.spawn,
        clock=clock,
        meter=meter,
    )
    return Bot(stores=stores, intake=intake, worker=worker, gate=gate, turns=turns, snapshot=snapshot)


def _queries(
    stores: Stores,
    clusters: Mapping[str, Cluster],
    snapshot: Snapshot,
    *,
    clock: Clock,
    rates: Rates,
    charts: Charts | None,
    wording: Wording | None,
) -> Queries:
    """Who answers what only reads."""
    readers = {name: both.reader for name, both in clusters.items()}
    trail = Trail(stores.audit)
    return Queries(
        clusters=readers,
        clock=clock,
        rates=rates,
        charts=charts,
        trail=trail,
        runbooks=RunbookAnswers(runbooks=lambda: snapshot.world.runbooks, index=_index, wording=wording),
        overviews=OverviewAnswers(clusters=readers, world=lambda: snapshot.world),
        accounts=Accounts(
            summaries=stores.threads, incidents=stores.threads, trail=trail, world=lambda: snapshot.world
        ),
    )


def _index(runbooks: Iterable[Runbook]) -> RunbookSearch:
    from chatops_bot.adapters.runbooks.search import FullTextSearch  # its vocabulary is read when it is first asked for

    return FullTextSearch(runbooks)


def _dispatch(
    stores: Stores, gate: Gate, *, turns: Turns, drawing: Drawing, queries: Queries, links: Links
) -> Dispatch:
    """Who takes which work."""
    return Dispatch(
        store=stores.threads,
        turns=turns,
        drawing=drawing,
        queries=queries,
        gate=gate,
        preparation=Preparation(gate),
        execution=Execution(gate),
        following=Following(gate),
        noting=Noting(gate, links=links, audit_log=stores.audit),
        clock=gate.clock,
        meter=gate.meter,
    )
