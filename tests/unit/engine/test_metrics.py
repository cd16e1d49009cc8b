"""Charts beside an answer: in time or not at all, and the answer is there whatever becomes of them."""

from __future__ import annotations

import asyncio

import pytest

from chatops_bot.domain.charts import AlertSource, Line, Measured
from chatops_bot.domain.effects import Query
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.reports import Report
from chatops_bot.domain.say import say
from chatops_bot.engine.metrics import PAUSE_S, Charts, Drawn, Recipes
from chatops_bot.ports.metrics import MetricsError, Trouble
from tests.fakes.clock import ManualClock

WEB = Entity(cluster="prod", namespace="pay", kind="Deployment", workload="web", name="web")
GENERATOR = "http://prom/graph?g0.expr=queue_length%7Bnamespace%3D%22pay%22%7D+%3E+5"


class Values:
    """`Metrics` that has one line for each query in which one of `known` occurs."""

    def __init__(self, clock: ManualClock, *known: str, value: float = 1.0) -> None:
        self.clock = clock
        self.known = known
        self.value = value
        self.asked: list[str] = []
        self.windows: set[tuple[int, int, int]] = set()
        self.at_once = 0
        self.most_at_once = 0
        self.trouble: Trouble | None = None
        self.hangs = False

    async def range(self, query: str, *, start: int, end: int, step: int) -> Measured:
        self.asked.append(query)
        self.windows.add((start, end, step))
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await asyncio.sleep(0)
            if self.hangs:
                await self.clock.sleep(3600)
            if self.trouble is not None:
                raise MetricsError(self.trouble, "why")
        finally:
            self.at_once -= 1
        if not any(part in query for part in self.known):
            return Measured()
        return Measured((Line({"pod": "web-1"}, ((start, self.value), (end, self.value))),))

    async def instant(self, query: str, *, at: int) -> Measured:
        raise NotImplementedError

    async def close(self) -> None:
        """Nothing is open."""


def charts_on(
    values: Values, clock: ManualClock, *, own: dict[str, str] | None = None, recipes: Recipes | None = None
) -> Charts:
    service = Service(entity=WEB, metrics=own or {})
    return Charts(
        sources={"prod": values},
        recipes=recipes or Recipes(),
        service=lambda key: service if key == WEB.key else None,
        clock=clock,
    )


def titles(drawn: Drawn) -> list[str]:
    return [chart.title.key for chart in drawn.charts]


async def test_resources_have_every_chart_that_has_data_in_one_order_and_window() -> None:
    clock = ManualClock()
    values = Values(clock, "container_memory", "container_cpu", "http_requests_total", "resource_limits")
    drawn = await charts_on(values, clock).charts_for(WEB, intent="resources")
    assert titles(drawn) == ["chart.cpu", "chart.memory", "chart.requests", "chart.errors"]
    assert [len(chart.thresholds) for chart in drawn.charts] == [1, 1, 0, 0]
    assert drawn.unread == ()
    ((start, end, _),) = values.windows
    assert (end - start) / 1000 == 3600
    assert values.most_at_once == 4


async def test_a_time_that_was_asked_for_is_the_window_within_bounds() -> None:
    clock = ManualClock()
    for seconds, shown in ((7200, 7200), (1, 300), (10**9, 7 * 86_400)):
        values = Values(clock, "container_cpu")
        (chart,) = (await charts_on(values, clock).charts_for(WEB, intent="resources", seconds=seconds)).charts
        assert (chart.end - chart.start) / 1000 == pytest.approx(shown, rel=0.05)


async def test_a_diagnosis_has_two_charts_at_most_and_none_that_is_nothing_but_zero() -> None:
    clock = ManualClock()
    everything = Values(clock, "{")
    assert titles(await charts_on(everything, clock).charts_for(WEB, intent="status")) == [
        "chart.errors",
        "chart.latency",
    ]
    calm = Values(clock, "{", value=0.0)
    assert titles(await charts_on(calm, clock).charts_for(WEB, intent="status")) == []


@pytest.mark.parametrize("intent", ["logs", "events", "history", "overview"])
async def test_other_answers_ask_nothing(intent: str) -> None:
    clock = ManualClock()
    values = Values(clock, "{")
    assert await charts_on(values, clock).charts_for(WEB, intent=intent) == Drawn()
    assert values.asked == []


async def test_without_a_prometheus_for_the_cluster_nothing_happens() -> None:
    clock = ManualClock()
    charts = Charts(sources={}, recipes=Recipes(), service=lambda _: None, clock=clock)
    assert await charts.charts_for(WEB, intent="resources") == Drawn()


async def test_the_catalog_s_queries_replace_ours_and_add_to_them() -> None:
    clock = ManualClock()
    values = Values(clock, "my_requests", "depth")
    own = {"requests": 'my_requests{app="$service"}', "queue": "depth", "broken": "x{$nothing}"}
    drawn = await charts_on(values, clock, own=own).charts_for(WEB, intent="resources")
    assert titles(drawn) == ["chart.requests", "chart.own"]
    assert 'my_requests{app="web"}' in values.asked
    assert not any("http_requests_total{" in query and query[:8] == "sum(rate" for query in values.asked)
    assert not any("$" in query.replace('$"', "") for query in values.asked)


@pytest.mark.parametrize("trouble", ["unreachable", "refused", "wrong", "large", "slow"])
async def test_trouble_is_said_once_and_hurts_nothing(trouble: Trouble) -> None:
    clock = ManualClock()
    values = Values(clock, "{")
    values.trouble = trouble
    drawn = await charts_on(values, clock).charts_for(WEB, intent="resources")
    assert drawn.charts == ()
    assert [said.key for said in drawn.unread] == [f"chart.unread_{trouble}"]


async def test_one_that_hangs_is_waited_for_once_and_left_alone_for_a_while() -> None:
    clock = ManualClock()
    values = Values(clock, "{")
    values.hangs = True
    charts = charts_on(values, clock)
    asking = asyncio.create_task(charts.charts_for(WEB, intent="resources"))
    await clock.advance(2.9)
    assert not asking.done()
    await clock.advance(0.2)
    drawn = await asking
    assert drawn == Drawn(unread=(say("chart.unread_slow", seconds="3"),))
    assert values.at_once == 0
    asked = len(values.asked)
    assert await charts.charts_for(WEB, intent="resources") == drawn
    assert len(values.asked) == asked
    values.hangs = False
    await clock.advance(PAUSE_S)
    assert (await charts.charts_for(WEB, intent="resources")).unread == ()


async def test_what_came_in_time_is_shown_when_the_rest_did_not() -> None:
    clock = ManualClock()

    class Partly(Values):
        async def range(self, query: str, *, start: int, end: int, step: int) -> Measured:
            if "container_memory" in query:
                await clock.sleep(3600)
            return await super().range(query, start=start, end=end, step=step)

    values = Partly(clock, "container_cpu", "container_memory")
    asking = asyncio.create_task(charts_on(values, clock).charts_for(WEB, intent="resources"))
    await clock.advance(3.1)
    drawn = await asking
    assert titles(drawn) == ["chart.cpu"]
    assert [said.key for said in drawn.unread] == ["chart.unread_slow"]


async def test_an_alert_s_expression_is_charted_first_with_its_threshold() -> None:
    clock = ManualClock()
    values = Values(clock, "queue_length", "container_memory", value=7.0)
    alert = AlertSource("QueueLong", GENERATOR, {"pod": "web-1"}, since=int(clock.now() * 1000) - 60_000)
    drawn = await charts_on(values, clock).charts_for(WEB, intent="status", alert=alert)
    assert titles(drawn) == ["chart.alert", "chart.memory"]
    assert 'queue_length{namespace="pay"}' in values.asked
    chart = drawn.charts[0]
    assert chart.thresholds[0].value == 5
    assert [mark.label.key for mark in chart.marks] == ["chart.firing"]


async def test_lines_that_an_alert_is_not_about_are_not_drawn() -> None:
    clock = ManualClock()

    class Several(Values):
        async def range(self, query: str, *, start: int, end: int, step: int) -> Measured:
            if "queue_length" not in query:
                return Measured()
            return Measured(tuple(Line({"pod": f"web-{n}", "__name__": "q"}, ((end, float(n)),)) for n in range(20)), 5)

    alert = AlertSource("QueueLong", GENERATOR, {"pod": "web-3", "alertname": "QueueLong"})
    charts = charts_on(Several(clock), clock)
    (own,) = (await charts.charts_for(WEB, intent="status", alert=alert)).charts
    assert [line.values[-1] for line in own.series] == [3.0]
    assert own.left_out == 0
    other = AlertSource("QueueLong", GENERATOR, {"pod": "db-1"})
    (whole,) = (await charts.charts_for(WEB, intent="status", alert=other)).charts
    assert len(whole.series) == 8
    assert whole.left_out == 17


def query(**changed: object) -> Query:
    fields: dict[str, object] = {
        "id": "q",
        "thread": "t",
        "room": Room("console", "local", "ops"),
        "user": User("console", "local", "alice"),
        "intent": "resources",
        "entity": WEB,
    }
    return Query(**{**fields, **changed})  # type: ignore[arg-type]


async def test_a_report_gets_its_charts_and_what_could_not_be_read() -> None:
    clock = ManualClock()
    charts = charts_on(Values(clock, "container_cpu"), clock)

    async def reading() -> Report:
        return Report("resources", 0, say("x"), unread=(say("pods"),))

    report = await charts.beside(query(slots={"since": 7200}), WEB, reading())
    assert [chart.title.key for chart in report.charts] == ["chart.cpu"]
    assert report.charts[0].end - report.charts[0].start == 7_200_000
    assert report.unread == (say("pods"),)


async def test_an_answer_about_what_hangs_on_a_service_has_none_of_its_charts() -> None:
    clock = ManualClock()
    values = Values(clock, "{")

    async def reading() -> Report:
        return Report("status", 0, say("x"))

    report = await charts_on(values, clock).beside(query(intent="status", slots={"part": "dependents"}), WEB, reading())
    assert report.charts == ()
    assert values.asked == []


async def test_a_failed_report_ends_the_asking_too() -> None:
    clock = ManualClock()
    values = Values(clock, "{")
    values.hangs = True

    async def reading() -> Report:
        await clock.sleep(1)
        raise LookupError

    asking = asyncio.create_task(charts_on(values, clock).beside(query(), WEB, reading()))
    await clock.advance(1.1)
    with pytest.raises(LookupError):
        await asking
    await clock.advance(0)
    assert values.at_once == 0
