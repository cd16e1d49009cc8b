"""Answering what only reads: limited per user and room, so that a flood of chat is no flood of calls."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping

from chatops_bot.domain import diagnosis
from chatops_bot.domain.effects import Query
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.events import Queried
from chatops_bot.domain.observed import LogQuery
from chatops_bot.domain.reports import Report
from chatops_bot.domain.say import Say, say
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.cluster import ClusterError, ClusterReader, NotFound

WINDOW_S = 60.0


class Rate:
    """At most so many in a minute, per key; a sliding window, by this process."""

    def __init__(self, *, most: int, clock: Clock) -> None:
        self._most = most
        self._clock = clock
        self._times: defaultdict[str, deque[float]] = defaultdict(deque)

    def wait_s(self, key: str) -> int:
        """0 and counted when allowed, else the seconds after which it would be."""
        now = self._clock.monotonic()
        times = self._times[key]
        while times and now - times[0] >= WINDOW_S:
            times.popleft()
        if len(times) >= self._most:
            return max(1, int(WINDOW_S - (now - times[0])))
        times.append(now)
        if len(self._times) > 10_000:
            self._forget(now)
        return 0

    def _forget(self, now: float) -> None:
        """Keys without a call in the window hold nothing and are dropped."""
        for key in [k for k, times in self._times.items() if not times or now - times[-1] >= WINDOW_S]:
            del self._times[key]


class Queries:
    """Runs query effects against the cluster of their entity."""

    def __init__(
        self, *, clusters: Mapping[str, ClusterReader], clock: Clock, per_user: int = 30, per_room: int = 120
    ) -> None:
        self._clusters = clusters
        self._clock = clock
        self._users = Rate(most=per_user, clock=clock)
        self._rooms = Rate(most=per_room, clock=clock)

    async def run(self, effect: Query) -> Queried:
        """The report, or why there is none: a failed read is an answer too."""
        wait = self._users.wait_s(f"{effect.room.key}/{effect.user.key}") or self._rooms.wait_s(effect.room.key)
        if wait:
            return Queried(effect=effect.id, problem=say("answer.too_many", seconds=wait))
        entity = effect.entity
        reader = self._clusters.get(entity.cluster) if entity is not None else None
        if entity is None or reader is None:
            cluster = entity.cluster if entity is not None else "-"
            return Queried(effect=effect.id, problem=say("answer.no_cluster", cluster=cluster))
        try:
            return Queried(effect=effect.id, report=await self._report(effect, entity, reader))
        except NotFound:
            gone = say("answer.gone", target=entity.target, namespace=entity.namespace, cluster=entity.cluster)
            return Queried(effect=effect.id, problem=gone)
        except ClusterError as error:
            return Queried(effect=effect.id, problem=unreachable(entity, error))

    async def _report(self, effect: Query, entity: Entity, reader: ClusterReader) -> Report:
        now = int(self._clock.now() * 1000)
        if effect.intent == "logs":
            return diagnosis.logs_report(entity, await reader.logs(entity, log_query(effect)), now)
        if effect.intent == "events":
            return diagnosis.events_report(await reader.observe(entity, events=True), now)
        return diagnosis.status_report(await reader.observe(entity, events=True), now)


def log_query(effect: Query) -> LogQuery:
    """The slots of a logs request as a query."""
    slots = effect.slots
    return LogQuery(
        pod=str(slots.get("pod", "")),
        container=str(slots.get("container", "")),
        previous=bool(slots.get("previous", False)),
        tail=_whole(slots.get("tail"), 50, most=500),
        since=_whole(slots.get("since"), 0, most=86_400),
        grep=str(slots.get("grep", "")),
    )


def _whole(value: object, default: int, *, most: int) -> int:
    return max(0, min(int(value), most)) if isinstance(value, int) else default


def unreachable(entity: Entity, error: ClusterError) -> Say:
    """A failed call in words: which cluster, and what the API server or the network said."""
    return say("answer.cluster_failed", cluster=entity.cluster, why=error.message[:300])
