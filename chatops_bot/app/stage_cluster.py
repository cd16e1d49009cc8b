"""What a transcript plays on: the sandbox, or a real cluster (`real_cluster`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from chatops_bot.adapters.kubernetes import Connection
from chatops_bot.adapters.sandbox import RequestRecord, Sandbox
from chatops_bot.adapters.sandbox.access import BOT_TOKEN
from chatops_bot.adapters.sandbox.resources import HPAS
from chatops_bot.app.written import Done, done_by, drains_in, plan_of, with_drains
from chatops_bot.domain.objects import mapping, text


class StageCluster(Protocol):
    """Opened before, and closed after, everything else."""

    down: bool
    """Whether the bot cannot reach it; set to take it away and to bring it back."""

    @property
    def connection(self) -> Connection:
        """How the bot reaches it. Raises `ClusterError` where the cluster is not configured."""

    @property
    def namespaces(self) -> tuple[str, ...]:
        """Those that the bot serves; none named meaning all."""

    @property
    def time(self) -> float | None:
        """Its own time (seconds since 1970), where that is not the stage's."""

    @property
    def next_due(self) -> float | None:
        """When its controllers have something to do next, by the stage's clock."""

    @property
    def seen(self) -> int:
        """How many writes of clients have been seen so far."""

    async def open(self, head: Mapping[str, Any]) -> None:
        """Make it as the head of a transcript says. Raises ValueError that names the place of what is wrong, and
        `ClusterError`."""

    async def change(self, section: Mapping[str, Any]) -> None:
        """Somebody else changes it. Raises as `open`."""

    async def settle(self) -> None:
        """Until its controllers have nothing more to do but wait. Raises `ClusterError`."""

    async def executed(self, after: int) -> list[Done]:
        """What the bot really wrote, later than the first `after` writes seen."""

    async def close(self) -> None:
        """Release what is held."""


class SandboxCluster:
    """A `StageCluster` in memory. What reached it is read off the requests themselves."""

    namespaces: tuple[str, ...] = ()
    time: float | None = None

    def __init__(self, clock: Callable[[], float]) -> None:
        self.sandbox = Sandbox(clock)

    @property
    def connection(self) -> Connection:
        """Under the sandbox's account for the bot."""
        return Connection.at_url(self.sandbox.url, BOT_TOKEN)

    @property
    def next_due(self) -> float | None:
        """As of the last `settle`."""
        return self.sandbox.next_due

    @property
    def down(self) -> bool:
        """While it is, connections are refused."""
        return self.sandbox.down

    @down.setter
    def down(self, away: bool) -> None:
        self.sandbox.down = away

    @property
    def seen(self) -> int:
        """Requests, whatever they asked."""
        return self.sandbox.requests[-1].sequence if self.sandbox.requests else 0

    async def open(self, head: Mapping[str, Any]) -> None:
        """Start it, and give it a past of some days."""
        await self.sandbox.__aenter__()
        try:
            self.sandbox.apply(head)
        except ValueError:
            await self.close()
            raise
        await self.sandbox.settle()

    async def change(self, section: Mapping[str, Any]) -> None:
        """By `kubectl-edit`, now."""
        self.sandbox.apply(section)
        await self.sandbox.settle()

    async def settle(self) -> None:
        """By the stage's clock."""
        await self.sandbox.settle()

    async def executed(self, after: int) -> list[Done]:
        """Every write but touches, whether or not a plan stands behind it."""
        records = self.sandbox.writes(after=after)
        done = [(plan_of(record), done_by(record, scaled=self._scaled(record))) for record in records]
        done = [(token, each) for token, each in done if each["action"] != "touch"]
        return with_drains(done, drains_in(self.sandbox.requests))

    def _scaled(self, record: RequestRecord) -> str:
        """The target of an autoscaler; "" for everything else."""
        if record.resource != HPAS.plural:
            return ""
        target = mapping(self.sandbox.store.get(HPAS, record.namespace, record.name), "spec", "scaleTargetRef")
        return f"{text(target, 'kind').lower()}/{text(target, 'name')}"

    async def close(self) -> None:
        """Stop serving."""
        await self.sandbox.__aexit__(None, None, None)
