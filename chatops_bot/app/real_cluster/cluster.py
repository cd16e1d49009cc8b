"""A real cluster as what a transcript plays on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from chatops_bot.adapters.kubernetes import Connection, SwitchedConnection
from chatops_bot.adapters.kubernetes.client import Client
from chatops_bot.adapters.sandbox.seeding import format as seed_format
from chatops_bot.app import bot
from chatops_bot.app.printed import plain
from chatops_bot.app.real_cluster.clearing import Clearing
from chatops_bot.app.real_cluster.making import Making, placed
from chatops_bot.app.real_cluster.manifests import CREATOR, EDITOR
from chatops_bot.app.real_cluster.workloads import Mark, Workloads
from chatops_bot.app.replay_store import ReplayRedis
from chatops_bot.app.transcript import Transcript
from chatops_bot.app.written import Done
from chatops_bot.domain.objects import text
from chatops_bot.domain.plans import Plan
from chatops_bot.engine.gate import decode_plan
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.cluster import ClusterError


class RealCluster:
    """A `StageCluster` behind a kubeconfig.

    The bot acts under `context` ("" for the current one), everything else happens under the current one. `clock` is
    the real time; `tell` gets one line for everything that is made.
    """

    next_due: float | None = None

    def __init__(
        self,
        kubeconfig: Path,
        file: Transcript,
        redis: ReplayRedis,
        *,
        context: str,
        clock: Clock,
        tell: Callable[[str], None],
    ) -> None:
        self.namespaces = namespaces_of(file)
        self._file = file
        self._clock = clock
        self._switch = SwitchedConnection.from_kubeconfig(kubeconfig, context)
        self._client = Client(Connection.from_kubeconfig(kubeconfig))
        self._workloads = Workloads(self._client, self.namespaces, clock=clock, tell=tell)
        self._making = Making(self._client, settle=self._workloads.rest, tell=tell, clock=clock)
        self._clearing = Clearing(self._client, tell=tell, clock=clock)
        # A connection of its own: the bot's may be cut off.
        self._store = redis.client()
        self._asked = -1

    @property
    def connection(self) -> Connection:
        """Can be cut off."""
        return self._switch

    @property
    def time(self) -> float | None:
        """Real: objects there carry real stamps."""
        return self._clock.now()

    @property
    def down(self) -> bool:
        """While it is, the bot's connections fail as if refused; others' do not."""
        return self._switch.down

    @down.setter
    def down(self, away: bool) -> None:
        self._switch.down = away

    @property
    def seen(self) -> int:
        """Marks found."""
        return len(self._workloads.marks)

    async def open(self, head: Mapping[str, Any]) -> None:
        """What earlier replays have left in the namespaces of this one goes first."""
        try:
            seed = seed_format.read(head)
            await placed("cluster", self._clearing.clear(self.namespaces, seed.workloads))
            await self._apply(head, CREATOR)
        except (ValueError, ClusterError):
            await self.close()
            raise

    async def change(self, section: Mapping[str, Any]) -> None:
        """By `kubectl-edit`."""
        await self._apply(section, EDITOR)

    async def _apply(self, section: Mapping[str, Any], manager: str) -> None:
        stirred = await self._making.apply(seed_format.read(section), manager=manager)
        await self._workloads.rest(stirred=stirred)

    async def settle(self) -> None:
        """Looks only when the bot has asked the cluster something since."""
        asked = self._switch.requests
        if asked != self._asked:
            await self._workloads.rest(everywhere=False)
            self._asked = asked

    async def executed(self, after: int) -> list[Done]:
        """By the marks on the objects. What was done is the ledger's word, how many replicas the object's."""
        return [_done(mark, await self._plan(mark)) for mark in self._workloads.marks[after:]]

    async def close(self) -> None:
        """What was made stays."""
        await self._store.close()
        await self._client.close()

    async def _plan(self, mark: Mark) -> Plan | None:
        ledger = bot.stores(self._store, clock=self._clock).ledger
        for cluster in self._file.cluster_names:
            step = await ledger.read(token=mark.token, target=f"{cluster}/{mark.place}")
            if step.plan:
                return decode_plan(step.plan)
        return None


def namespaces_of(file: Transcript) -> tuple[str, ...]:
    """Those that a transcript speaks of, in its services and in what it makes or changes."""
    sections = [file.cluster, *(turn.what for turn in file.turns if turn.act == "cluster")]
    named = [service.entity.namespace for service in file.services if service.entity.namespace]
    return tuple(dict.fromkeys([*named, *(name for section in sections for name in _named(section))]))


def _named(section: Mapping[str, Any]) -> Iterator[str]:
    try:
        seed = seed_format.read(section)
    except ValueError:
        return  # told when it is carried out
    yield from (workload.namespace for workload in seed.workloads)
    yield from (space for each in seed.objects if (space := text(each, "metadata", "namespace")))


def _done(mark: Mark, plan: Plan | None) -> Done:
    done: Done = {
        "action": plan.action if plan else "patch",
        "target": f"{mark.kind.lower()}/{mark.name}",
        "namespace": mark.namespace,
    }
    if plan is not None:
        done |= {name: plain(value) for name, value in plan.parameters.items()}
    if "replicas" in done:
        done["replicas"] = mark.replicas
    return done
