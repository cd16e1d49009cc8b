"""Charts beside an answer: read while the answer is, and never a reason for it to come late or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Final

import msgspec
import structlog

from chatops_bot.domain import metrics
from chatops_bot.domain.charts import AlertSource, Chart, Measured, flat, window
from chatops_bot.domain.effects import Query
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.promql import compared, expression_of, fill, problem_of
from chatops_bot.domain.reports import Report
from chatops_bot.domain.say import Say, say
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.metrics import Metrics, MetricsError, Trouble

log = structlog.get_logger(__name__)

AT_ONCE: Final = 4
"""Queries that wait for one Prometheus at a time, per answer."""

PAUSE_S: Final = 30.0
"""For how long a Prometheus is not asked after it did not answer: nobody should wait for it again and again."""

ON_DIAGNOSIS: Final = 2
"""Charts of a diagnosis, which is about findings."""

_SHORTEST_S: Final = 300
_LONGEST_S: Final = 7 * 86_400
_WINDOW_STEPS: Final = 4
_SHORTEST_WINDOW_S: Final = 300
"""A rate needs two scrapes in its window, and scrapes may be a minute apart or more."""


class Recipes(msgspec.Struct, frozen=True):
    """How charts are made.

    - `queries` by name stand for those of `domain/metrics`; an empty one takes its chart away.
    - `cluster_labels` are of clusters whose Prometheus has several: the label that tells them apart.
    - `seconds` are what a chart covers unless another time is asked for.
    - `diagnosis` are the charts of a diagnosis, the first ones first.
    """

    queries: dict[str, str] = {}
    cluster_labels: dict[str, str] = {}
    seconds: int = 3_600
    diagnosis: tuple[str, ...] = ("errors", "latency", "memory")


class Drawn(msgspec.Struct, frozen=True):
    """Charts, and what could not be read of them."""

    charts: tuple[Chart, ...] = ()
    unread: tuple[Say, ...] = ()


class Charts:
    """Asks the Prometheus of a cluster (`sources`); `service` finds the catalog's entry by an entity's key. All of one
    answer's queries together take `limit_s` at most."""

    def __init__(
        self,
        *,
        sources: Mapping[str, Metrics],
        recipes: Recipes,
        service: Callable[[str], Service | None],
        clock: Clock,
        limit_s: float = 3.0,
    ) -> None:
        self._sources = sources
        self._recipes = recipes
        self._service = service
        self._clock = clock
        self._limit_s = limit_s
        self._closed: dict[str, tuple[float, Trouble]] = {}

    def covers(self, entity: Entity) -> bool:
        """Whether there is a Prometheus to ask about it."""
        return entity.cluster in self._sources and bool(entity.namespace)

    async def beside(self, effect: Query, entity: Entity, reading: Awaitable[Report]) -> Report:
        """The report that is being read, with charts where it is one that has them. Raises what `reading` does."""
        if "part" in effect.slots:  # about what stands around it, where its own values say nothing
            return await reading
        seconds = effect.slots.get("since")
        asked = seconds if isinstance(seconds, int) and not isinstance(seconds, bool) else 0
        drawing = asyncio.create_task(
            self.charts_for(entity, intent=effect.intent, seconds=asked, alert=effect.alert), name="charts"
        )
        try:
            report = await reading
            drawn = await drawing
        finally:
            drawing.cancel()
        return msgspec.structs.replace(
            report, charts=(*report.charts, *drawn.charts), unread=(*report.unread, *drawn.unread)
        )

    async def charts_for(
        self, entity: Entity, *, intent: str, seconds: int = 0, alert: AlertSource | None = None
    ) -> Drawn:
        """All charts with data for `resources`, a few for `status`, that of the alert first; of the last `seconds`."""
        source = self._sources.get(entity.cluster)
        if source is None or not entity.namespace or intent not in ("status", "resources"):
            return Drawn()
        until, trouble = self._closed.get(entity.cluster, (0.0, "slow"))
        if self._clock.monotonic() < until:
            return Drawn(unread=(self._said(trouble),))
        span = max(_SHORTEST_S, min(seconds or self._recipes.seconds, _LONGEST_S))
        start, end, step = window(now=int(self._clock.now() * 1000), seconds=span)
        asking = _Asking(source, start=start, end=end, step=step)
        own = self._own(entity)
        panels = [
            panel for panel in metrics.panels(own) if intent == "resources" or panel.name in self._recipes.diagnosis
        ]
        rate_s = max(_SHORTEST_WINDOW_S, _WINDOW_STEPS * step // 1000)
        label = self._recipes.cluster_labels.get(entity.cluster, "")
        wanted = {
            name: fill(template, entity, window_s=rate_s, cluster_label=label)
            for name in (*(query for panel in panels for query in panel.queries), metrics.ROLLOUTS)
            if (template := own.get(name, self._template(name)))
        }
        if alert is not None and (expression := expression_of(alert.url)):
            parts = compared(expression)
            wanted[_ALERT] = parts.expression if parts is not None else expression
        found, troubles = await self._found(asking, wanted)
        self._remember(entity.cluster, troubles, found)
        charts = self._charts(found, panels, asking, intent)
        if alert is not None and _ALERT in found:
            parts = compared(expression_of(alert.url))
            made = metrics.alert_chart(alert, parts, found[_ALERT], start=start, end=end, step=step)
            charts = (*((made,) if made else ()), *charts)
        return Drawn(charts, tuple(self._said(trouble) for trouble in dict.fromkeys(troubles)))

    def _own(self, entity: Entity) -> dict[str, str]:
        """The service's own queries; one that the catalog should not have let in is left out."""
        service = self._service(entity.key)
        own = service.metrics if service is not None else {}
        return {name: template for name, template in own.items() if not problem_of(template)}

    def _template(self, name: str) -> str:
        return self._recipes.queries.get(name, metrics.QUERIES.get(name, ""))

    def _charts(
        self, found: Mapping[str, Measured], panels: Iterable[metrics.Panel], asking: _Asking, intent: str
    ) -> tuple[Chart, ...]:
        grid = {"start": asking.start, "end": asking.end}
        marks = metrics.rollouts(found.get(metrics.ROLLOUTS, metrics.NOTHING), **grid)
        made = {
            panel.name: chart
            for panel in panels
            if (chart := metrics.chart(panel, found, **grid, step=asking.step, marks=marks)) is not None
        }
        if intent == "resources":
            return tuple(made.values())
        telling = [made[name] for name in self._recipes.diagnosis if name in made and not flat(made[name])]
        return tuple(telling[:ON_DIAGNOSIS])

    async def _found(self, asking: _Asking, wanted: Mapping[str, str]) -> tuple[dict[str, Measured], list[Trouble]]:
        """What the queries found by their names, as far as it came in time, and what was in the way of the others."""
        tasks = {asyncio.create_task(asking.measured(query)): name for name, query in wanted.items()}
        limit = asyncio.create_task(self._clock.sleep(self._limit_s))
        found: dict[str, Measured] = {}
        troubles: list[Trouble] = []
        try:
            pending = set(tasks)
            while pending and not limit.done():
                done, _ = await asyncio.wait({*pending, limit}, return_when=asyncio.FIRST_COMPLETED)
                pending -= done
        finally:
            limit.cancel()
            for task in tasks:
                task.cancel()
        for task, name in tasks.items():
            if not task.done():
                troubles.append("slow")
                continue
            if isinstance(error := task.exception(), MetricsError):
                log.warning("chart_unread", query=name, trouble=error.trouble, why=error.message)
                troubles.append(error.trouble)
            else:
                found[name] = task.result()
        return found, troubles

    def _remember(self, cluster: str, troubles: list[Trouble], found: Mapping[str, object]) -> None:
        """Leave a Prometheus alone for a while that answered nothing at all."""
        if not found and troubles and troubles[0] in ("slow", "unreachable"):
            self._closed[cluster] = (self._clock.monotonic() + PAUSE_S, troubles[0])
        else:
            self._closed.pop(cluster, None)

    def _said(self, trouble: Trouble) -> Say:
        return say(f"chart.unread_{trouble}", **({"seconds": f"{self._limit_s:g}"} if trouble == "slow" else {}))


_ALERT: Final = "$alert"
"""The name of an alert's expression among the queries; no query of the settings can be called so."""


class _Asking:
    """Queries of one answer: one window, a few at a time."""

    def __init__(self, source: Metrics, *, start: int, end: int, step: int) -> None:
        self.start = start
        self.end = end
        self.step = step
        self._source = source
        self._slots = asyncio.Semaphore(AT_ONCE)

    async def measured(self, query: str) -> Measured:
        """Over the window. Raises `MetricsError`."""
        async with self._slots:
            return await self._source.range(query, start=self.start, end=self.end, step=self.step)
