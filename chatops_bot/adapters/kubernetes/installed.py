"""Which kinds that are not Kubernetes' own a cluster has, by its discovery, which everybody who is known may ask."""

from __future__ import annotations

from typing import Final

from chatops_bot.adapters.kubernetes.client import Client
from chatops_bot.adapters.kubernetes.paths import RESOURCES
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.objects import items, text
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.cluster import NotFound

CUSTOM: Final[frozenset[EntityKind]] = frozenset({"Rollout"})
"""Kinds that a custom resource definition brings; all others are always there."""

KEPT_S: Final = 55.0
"""How long an answer is believed: less than the pause of whoever looks again, so that this sees what is new."""


class NotInstalled(NotFound):
    """The cluster has no such kind."""


class Installed:
    """Asked before a list, so that a cluster without such a kind is never asked for it: without leave to list, the
    server would answer 403 and not 404, and whoever reads its audit log would wonder."""

    def __init__(self, client: Client, *, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._known: dict[EntityKind, tuple[float, bool]] = {}

    async def has(self, kind: EntityKind) -> bool:
        """Raises `ClusterUnavailable` and `Refused`, where there is no recent answer either."""
        if kind not in CUSTOM:
            return True
        asked, found = self._known.get(kind, (-KEPT_S, False))
        if self._clock.monotonic() - asked < KEPT_S:
            return found
        found = await self._served(kind)
        self._known[kind] = (self._clock.monotonic(), found)
        return found

    def knows(self, kind: EntityKind) -> bool:
        """Whether `has` would answer without asking."""
        return kind not in CUSTOM or self._clock.monotonic() - self._known.get(kind, (-KEPT_S, False))[0] < KEPT_S

    def missing(self, kind: EntityKind) -> NotInstalled:
        """To be raised where the kind is not there, or has gone meanwhile."""
        self._known[kind] = (self._clock.monotonic(), False)
        return NotInstalled(f"no {kind} is installed", status=404)

    async def _served(self, kind: EntityKind) -> bool:
        group, version, plural = RESOURCES[kind]
        try:
            served = await self._client.call("GET", f"/apis/{group}/{version}")
        except NotFound:
            return False
        return any(text(row, "name") == plural for row in items(served, "resources"))
