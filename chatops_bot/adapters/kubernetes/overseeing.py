"""What is in some namespaces, read by as few lists as tell what is broken there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import Final

from chatops_bot.adapters.kubernetes.client import Client, Query
from chatops_bot.adapters.kubernetes.identity import allowed
from chatops_bot.adapters.kubernetes.installed import Installed
from chatops_bot.adapters.kubernetes.lists import Lists, fields, typed
from chatops_bot.adapters.kubernetes.passes import Pass, Read
from chatops_bot.adapters.kubernetes.paths import RESOURCES, resource_path
from chatops_bot.domain.diagnosis.pods import is_ready
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.objects import at, instant, items, number, text
from chatops_bot.domain.observed import Overview, Permission, Raw
from chatops_bot.ports.cluster import NotFound, Refused

MOST_NAMESPACES = 10
"""As many are looked into one by one, where the pods of the whole cluster may not be listed."""
POD_PAGES = 10
MOST_TROUBLED = 1000
EVENTS = 200
_EVERYWHERE: Final = Permission("", "pods", "list")
_WORKLOADS: Final[tuple[tuple[str, EntityKind], ...]] = (
    ("deployments", "Deployment"),
    ("statefulsets", "StatefulSet"),
    ("daemonsets", "DaemonSet"),
    ("argo", "Rollout"),
    ("jobs", "Job"),
    ("cron_jobs", "CronJob"),
)


class Overseer:
    """Makes overviews; `namespaces` are those served, none named meaning all."""

    def __init__(
        self,
        client: Client,
        installed: Installed,
        *,
        cluster: str,
        namespaces: tuple[str, ...],
        now: Callable[[], float],
    ) -> None:
        self._client = client
        self._lists = Lists(client)
        self._installed = installed
        self._cluster = cluster
        self._namespaces = namespaces
        self._now = now

    async def overview(self, namespaces: tuple[str, ...]) -> Overview:
        """Of these as far as they are served, or of all that are."""
        wanted = namespaces or self._namespaces
        served = tuple(space for space in wanted if not self._namespaces or space in self._namespaces)
        taken, sums = Pass(), _Sums(served)
        if strangers := [space for space in wanted if space not in served]:
            taken.miss("namespaces", ", ".join(strangers))
        spaces: tuple[str, ...] = served or (() if wanted else ("",))
        if len(served) > 1 and await allowed(self._client, _EVERYWHERE, namespace="", name=""):
            spaces = ("",)
        elif len(served) > MOST_NAMESPACES:
            sums.cut.add("namespaces")
            spaces = served[:MOST_NAMESPACES]
        reads = [read for space in spaces for read in self._reads(space, sums)]
        await taken.gather([*reads, ("nodes", self._nodes)] if reads else [])
        events = sorted(taken.of("events"), key=_moment, reverse=True)
        if len(events) > EVENTS:
            sums.cut.add("events")
        return Overview(
            cluster=self._cluster,
            at=int(self._now() * 1000),
            namespaces=served[:MOST_NAMESPACES] if "namespaces" in sums.cut else served or wanted,
            workloads=tuple(
                row for what in ("deployments", "statefulsets", "daemonsets", "argo") for row in taken.of(what)
            ),
            pods=taken.of("pods")[:MOST_TROUBLED],
            healthy=sums.healthy,
            jobs=taken.of("jobs"),
            cron_jobs=taken.of("cron_jobs"),
            autoscalers=taken.of("autoscalers"),
            events=tuple(events[:EVENTS]),
            nodes=taken.of("nodes"),
            unread=taken.missed(),
            cut=tuple(sorted(sums.cut)),
        )

    def _reads(self, space: str, sums: _Sums) -> Iterator[Read]:
        for what, kind in _WORKLOADS:
            yield what, partial(self._workloads, what, kind, space, sums)
        yield "pods", partial(self._pods, space, sums)
        scalers = resource_path("autoscaling", "v2", "horizontalpodautoscalers", namespace=space)
        yield "autoscalers", self._listed("autoscalers", scalers, sums)
        events = resource_path("", "v1", "events", namespace=space)
        yield "events", self._listed("events", events, sums, fields(type="Warning"))

    def _listed(self, what: str, path: str, sums: _Sums, query: Query = ()) -> Callable[[], Awaitable[list[Raw]]]:
        async def read() -> list[Raw]:
            rows, more = await self._lists.some(path, query, slim=True, keep=sums.served)
            sums.note(what, more=more)
            return rows

        return read

    async def _workloads(self, what: str, kind: EntityKind, space: str, sums: _Sums) -> list[Raw]:
        """Without the kind there is nothing of it, which is nothing to complain of."""
        if not await self._installed.has(kind):
            return []
        group, version, plural = RESOURCES[kind]
        rows = await self._listed(what, resource_path(group, version, plural, namespace=space), sums)()
        return [typed(row, kind) for row in rows]

    async def _pods(self, space: str, sums: _Sums) -> list[Raw]:
        """Those worth a word; the others are counted and let go page by page."""
        path = resource_path("", "v1", "pods", namespace=space)
        living = [("fieldSelector", "status.phase!=Succeeded")]
        rows, more = await self._lists.some(path, living, pages=POD_PAGES, slim=True, keep=sums.worth_a_word)
        sums.note("pods", more=more or len(rows) > MOST_TROUBLED)
        return [typed(row, "Pod") for row in rows]

    async def _nodes(self) -> list[Raw]:
        """None where they may not be read: most bots are not to know them."""
        try:
            rows, _ = await self._lists.some(resource_path("", "v1", "nodes"), pages=2, slim=True)
        except (NotFound, Refused):
            return []
        return [typed(row, "Node") for row in rows]


class _Sums:
    """What is counted while reading."""

    def __init__(self, namespaces: tuple[str, ...]) -> None:
        self.healthy = 0
        self.cut: set[str] = set()
        self._namespaces = frozenset(namespaces)

    def served(self, row: Raw) -> bool:
        """Whether it is in one of the namespaces, none named meaning all."""
        return not self._namespaces or text(row, "metadata", "namespace") in self._namespaces

    def note(self, what: str, *, more: bool) -> None:
        if more:
            self.cut.add(what)

    def worth_a_word(self, pod: Raw) -> bool:
        """Whether it is not ready, or one of its containers was started again."""
        if not self.served(pod):
            return False
        statuses = [*items(pod, "status", "initContainerStatuses"), *items(pod, "status", "containerStatuses")]
        if is_ready(pod) and not any(number(status, "restartCount") for status in statuses):
            self.healthy += 1
            return False
        return True


def _moment(event: Raw) -> int:
    """When it happened last (ms)."""
    stamps = (at(event, "series", "lastObservedTime"), at(event, "lastTimestamp"), at(event, "eventTime"))
    return next((moment for stamp in stamps if (moment := instant(stamp))), 0)
