"""Answering what only reads."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

import msgspec
import structlog

from chatops_bot.domain import diagnosis
from chatops_bot.domain.effects import Query
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.events import Queried
from chatops_bot.domain.objects import name_of, text
from chatops_bot.domain.observed import LogQuery, Need, Observed
from chatops_bot.domain.reports import Report, masked
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.spans import span_of
from chatops_bot.engine.accounts import Accounts
from chatops_bot.engine.metrics import Charts
from chatops_bot.engine.overviews import OverviewAnswers
from chatops_bot.engine.rates import Rates
from chatops_bot.engine.runbooks import RunbookAnswers
from chatops_bot.engine.trail import Told, Trail
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.cluster import ClusterError, ClusterReader, ClusterUnavailable, NotFound

log = structlog.get_logger(__name__)

ERROR_LINES: Final = 1000
"""Lines in which errors are looked for."""
GREP: Final = 200
"""Characters of what a line should contain."""


class Queries:
    """Runs query effects against the cluster of their entity."""

    def __init__(
        self,
        *,
        clusters: Mapping[str, ClusterReader],
        clock: Clock,
        rates: Rates,
        charts: Charts | None = None,
        trail: Trail | None = None,
        runbooks: RunbookAnswers | None = None,
        overviews: OverviewAnswers | None = None,
        accounts: Accounts | None = None,
    ) -> None:
        self._clusters = clusters
        self._charts = charts
        self._trail = trail
        self._runbooks = runbooks
        self._overviews = overviews
        self._accounts = accounts
        self._clock = clock
        self._rates = rates

    async def run(self, effect: Query) -> Queried:
        """The report, or why there is none: a failed read is an answer too."""
        answer = await self._answer(effect)
        if answer.report is None:
            return answer
        about = effect.entity.key if effect.entity is not None else ""
        for line in answer.report.unread:
            if line.key == "report.check_failed":
                log.error("check_failed", check=line.args["check"], intent=effect.intent, entity=about)
        return msgspec.structs.replace(answer, report=masked(answer.report))

    async def _answer(self, effect: Query) -> Queried:
        wait = self._rates.wait_s(effect.room, effect.user)
        if wait:
            return Queried(effect=effect.id, problem=say("answer.too_many", seconds=wait))
        if effect.intent == "runbook" and self._runbooks is not None:
            return Queried(effect=effect.id, report=await self._runbooks.report(effect, int(self._clock.now() * 1000)))
        if effect.intent in ("overview", "find") and self._overviews is not None:
            return await self._overviews.answer(effect, int(self._clock.now() * 1000))
        if effect.slots.get("part") == "ours" and self._accounts is not None:
            return Queried(effect=effect.id, report=await self._accounts.report(effect, int(self._clock.now() * 1000)))
        entity = effect.entity
        reader = self._clusters.get(entity.cluster) if entity is not None else None
        if entity is None or reader is None:
            cluster = entity.cluster if entity is not None else "-"
            return Queried(effect=effect.id, problem=say("answer.no_cluster", cluster=cluster))
        reading = self._report(effect, entity, reader)
        try:
            report = await (self._charts.beside(effect, entity, reading) if self._charts is not None else reading)
            return Queried(effect=effect.id, report=self._with_gap(effect, entity, report))
        except NotFound as error:
            return Queried(effect=effect.id, problem=_missing(effect, entity, error))
        except ClusterError as error:
            return Queried(effect=effect.id, problem=failed(entity, error))

    def _with_gap(self, effect: Query, entity: Entity, report: Report) -> Report:
        """Whoever asks for latency or a curve is told why there is none, not left with a table of something else."""
        if effect.intent != "resources" or (self._charts is not None and self._charts.covers(entity)):
            return report
        return msgspec.structs.replace(report, lines=(*report.lines, say("chart.none")))

    async def _report(self, effect: Query, entity: Entity, reader: ClusterReader) -> Report:
        now = int(self._clock.now() * 1000)
        slots = effect.slots
        if effect.intent == "logs":
            lines = await reader.logs(entity, log_query(effect))
            return diagnosis.logs_report(entity, lines, now, slots)
        if effect.intent in ("history", "changes"):
            return await self._told(effect, entity, reader, now)
        observed = await reader.observe(entity, events=True, needs=_NEEDS.get(effect.intent, frozenset()))
        return _of_one(self._observed(effect, entity, observed, now), observed)

    def _observed(self, effect: Query, entity: Entity, observed: Observed, now: int) -> Report:
        slots = effect.slots
        if effect.intent == "events":
            return diagnosis.events_report(observed, now, slots)
        if effect.intent == "resources":
            return diagnosis.resources_report(observed, now, slots)
        if slots.get("part") == diagnosis.DEPENDENTS:
            return diagnosis.dependents_report(observed, now)
        if entity.kind == "Node":
            return self._node(effect, observed, now)
        pod = _pod_asked(effect, observed)
        if effect.logs or not observed.around.logs:
            return diagnosis.status_report(observed, now, pod)
        around = msgspec.structs.replace(observed.around, logs=())
        report = diagnosis.status_report(msgspec.structs.replace(observed, around=around), now, pod)
        return msgspec.structs.replace(report, unread=(*report.unread, say("report.logs_withheld")))

    def _node(self, effect: Query, observed: Observed, now: int) -> Report:
        """Pods of all namespaces run on a node; those are left out that this person may not see."""
        if self._overviews is None:
            return diagnosis.status_report(observed, now)
        seen, hidden = self._overviews.of_node(effect, observed)
        report = diagnosis.status_report(seen, now)
        return msgspec.structs.replace(report, unread=(*report.unread, *hidden))

    async def _told(self, effect: Query, entity: Entity, reader: ClusterReader, now: int) -> Report:
        """What has changed, with whom the bot did it for: its own record is read beside the cluster."""
        observing = reader.observe(entity, events=True, needs=_NEEDS[effect.intent])
        reading = self._trail.of(entity) if self._trail is not None else _nothing()
        observed, told = await asyncio.gather(observing, reading)
        if effect.intent == "history":
            return _of_one(diagnosis.history_report(observed, now, told.deeds), observed)
        unread = (say("changes.deeds_unread"),) if told.unread else ()
        zone = self._accounts.zone_of(effect.room) if self._accounts is not None else "UTC"
        within = span_of(str(effect.slots.get("when", "")), now=now, zone=zone)
        report = diagnosis.changes_report(observed, now, told.deeds, effect.slots, unread=unread, within=within)
        return _of_one(report, observed)


def _of_one(report: Report, observed: Observed) -> Report:
    """With the uid of the object that was looked at: one of the same name that came after it is another."""
    return msgspec.structs.replace(report, uid=text(observed.object, "metadata", "uid"))


def _pod_asked(effect: Query, observed: Observed) -> str:
    """The pod that a status is asked because of. Raises `NotFound` where the workload has none of that name."""
    pod = str(effect.slots.get("pod", ""))
    if pod and observed.why_unread("pods") is None and all(name_of(row) != pod for row in observed.pods):
        raise NotFound(f"no pod {pod}", status=404, reason="Pod")
    return pod


_NEEDS: dict[str, frozenset[Need]] = {
    "status": frozenset({"diagnosis"}),
    "resources": frozenset({"diagnosis"}),
    "history": frozenset({"history"}),
    "changes": frozenset({"history", "diagnosis", "configuration"}),
}
"""What the answer to each question is made of, beside the workload's own parts."""


async def _nothing() -> Told:
    return Told()


def log_query(effect: Query) -> LogQuery:
    """The slots of a logs request as a query. Errors are looked for among more lines than are shown."""
    slots = effect.slots
    errors = bool(slots.get("errors"))
    most = ERROR_LINES if errors else 500
    return LogQuery(
        pod=str(slots.get("pod", "")),
        container=str(slots.get("container", "")),
        previous=bool(slots.get("previous", False)),
        tail=_whole(slots.get("tail"), ERROR_LINES if errors else 50, most=most),
        since=_whole(slots.get("since"), 0, most=86_400),
        grep=str(slots.get("grep", ""))[:GREP],
        everyone=bool(slots.get("everyone", False)),
    )


def _missing(effect: Query, entity: Entity, error: NotFound) -> Say:
    """What is not there: the pod or the container that was named, or the workload itself."""
    if error.reason in ("Pod", "Container"):
        slot = error.reason.lower()
        return say(f"answer.no_{slot}", target=entity.target, name=str(effect.slots.get(slot, "")))
    return say("answer.gone", target=entity.target, namespace=entity.namespace, cluster=entity.cluster)


def _whole(value: object, default: int, *, most: int) -> int:
    return max(0, min(int(value), most)) if isinstance(value, int) else default


def failed(entity: Entity, error: ClusterError) -> Say:
    """A failed call in words: which cluster, what the API server or the network said, and what to do."""
    return say(f"answer.cluster_{failure(error)}", cluster=entity.cluster, why=error.message[:300])


def failure(error: ClusterError) -> str:
    """Which kind of failure, as far as it makes a difference what a person can do about it."""
    kinds = {401: "unauthorized", 403: "forbidden", 429: "busy"}
    return kinds.get(error.status) or ("failed" if isinstance(error, ClusterUnavailable) else "refused")
