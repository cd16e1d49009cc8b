"""Charts: bounded, on a grid, and said in a line."""

import math
from collections.abc import Mapping
from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatops_bot.domain import charts
from chatops_bot.domain.cards import Card, Picture
from chatops_bot.domain.charts import (
    AlertSource,
    Chart,
    Line,
    Mark,
    Measured,
    Series,
    Threshold,
    amount,
    busiest,
    on_grid,
    window,
)
from chatops_bot.domain.dialogue.pictures import pictures
from chatops_bot.domain.dialogue.views import report_card
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.intents import Language
from chatops_bot.domain.metrics import PANELS, QUERIES, Panel, alert_chart, chart, panels, rollouts
from chatops_bot.domain.promql import problem_of
from chatops_bot.domain.reports import Report
from chatops_bot.domain.say import say
from chatops_bot.domain.texts import render
from chatops_bot.ports.metrics import Trouble

MINUTE = 60_000


def test_a_window_is_of_whole_steps_and_at_most_as_many_points_as_a_chart_holds() -> None:
    for seconds in (60, 600, 3600, 7200, 86_400, 604_800):
        start, end, step = window(now=1_700_000_012_345, seconds=seconds)
        assert start % step == end % step == 0
        assert (end - start) // step + 1 <= charts.MOST_POINTS
        assert end - start >= seconds * 1000 * 0.95
    assert window(now=1_700_000_000_500, seconds=3600) == window(now=1_700_000_001_500, seconds=3600)


def test_values_stand_at_the_chart_s_times_and_gaps_stay_gaps() -> None:
    line = Line({}, ((0, 1.0), (2 * MINUTE, 3.0), (3 * MINUTE + 1, 4.00004), (9 * MINUTE, 9.0)))
    assert on_grid(line, start=0, end=4 * MINUTE, step=MINUTE) == (1.0, None, 3.0, 4.0, None)


@given(st.lists(st.tuples(st.integers(-(10**15), 10**15), st.floats()), max_size=50))
def test_no_point_however_odd_leaves_the_grid(points: list[tuple[int, float]]) -> None:
    values = on_grid(Line({}, tuple(points)), start=0, end=60 * MINUTE, step=MINUTE)
    assert len(values) == 61
    assert all(value is None or math.isfinite(value) for value in values)


def test_of_many_lines_those_that_rise_highest_are_kept_and_the_rest_counted() -> None:
    found = [(f"pod-{number:04}", (float(number), None)) for number in range(5000)]
    kept, left_out = busiest([*found, ("empty", (None, None))])
    assert [line.name for line in kept] == [f"pod-{number}" for number in range(4992, 5000)]
    assert left_out == 4992


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (0.25, "cores", "250m"),
        (2.5, "cores", "2.5"),
        (1.5 * 2**30, "bytes", "1.5 GiB"),
        (0, "bytes", "0 B"),
        (0.0312, "share", "3.12 %"),
        (0.08, "seconds", "80 ms"),
        (12.0, "seconds", "12 s"),
        (1234.5, "per_second", "1,234/s"),
        (3.0, "count", "3"),
        (2**70, "bytes", "1,048,576 PiB"),
    ],
)
def test_amounts_are_as_people_read_them(value: float, unit: charts.Unit, shown: str) -> None:
    assert amount(value, unit) == shown


def sample(**changed: object) -> Chart:
    fields: dict[str, object] = {
        "title": say("chart.memory"),
        "unit": "bytes",
        "start": 0,
        "step": MINUTE,
        "series": (Series("", (2.0**20, None, 2.0**22, 2.0**21)),),
        "thresholds": (Threshold(2.0**23, say("chart.limit")),),
        "marks": (Mark(MINUTE, say("chart.rollout")),),
    }
    return Chart(**{**fields, **changed})  # type: ignore[arg-type]


def test_a_chart_is_said_in_one_line_in_both_languages() -> None:
    (english,) = pictures((sample(),), "en")
    (chinese,) = pictures((sample(),), "zh")
    assert english.lines == ("📈 Memory of each pod: now 2 MiB, 1 MiB to 4 MiB over 3m, limit 8 MiB",)
    assert chinese.lines == ("📈 每个 Pod 的内存：当前 2 MiB，最近 3 分钟内 1 MiB 至 4 MiB，上限 8 MiB",)
    assert english.captions[0].marks == ("rollout",)


def test_several_lines_and_those_left_out_are_counted() -> None:
    two = (Series("a", (1.0,)), Series("b", (2.0,)))
    (picture,) = pictures((sample(series=two, left_out=5, thresholds=(), unit="count"),), "en")
    assert picture.lines == ("📈 Memory of each pod (7 lines): now 2 at most, 1 to 2 over 1m; 5 more are not drawn",)


def test_a_picture_holds_two_charts_at_most_and_a_card_says_them_in_text() -> None:
    found = pictures((sample(),) * 5, "en")
    assert [len(picture.charts) for picture in found] == [2, 2, 1]
    card = Card(title="t", language="en", blocks=found[:1])
    assert card.text().count("Memory of each pod") == 2


def test_the_largest_picture_is_small_enough_to_be_stored() -> None:
    values = tuple(-1.234567e-100 - number / 1e110 for number in range(charts.MOST_POINTS))
    rounded = on_grid(Line({}, tuple(enumerate(values))), start=0, end=119, step=1)
    series = tuple(Series("x" * 60, rounded) for _ in range(charts.MOST_SERIES))
    picture = Picture((sample(series=series),) * 2, ())
    assert len(msgspec.json.encode(picture)) < 30_000


ENTITY = Entity(cluster="prod", namespace="pay", kind="Deployment", workload="web", name="web")


def made_of(panel: Panel, found: Mapping[str, tuple[Line, ...]]) -> Chart | None:
    measured = {query: Measured(lines) for query, lines in found.items()}
    return chart(panel, measured, start=0, end=10 * MINUTE, step=MINUTE)


def line(value: float, **labels: str) -> Line:
    return Line(labels, tuple((moment * MINUTE, value) for moment in range(11)))


def panel(name: str) -> Panel:
    return next(panel for panel in PANELS if panel.name == name)


def test_every_panel_s_queries_are_there_and_are_sound() -> None:
    assert {query for each in PANELS for query in each.queries} | {"rollouts"} == set(QUERIES)
    assert [problem_of(query) for query in QUERIES.values()] == [""] * len(QUERIES)


def test_a_chart_has_a_line_for_each_pod_and_the_limit_as_a_threshold() -> None:
    found = {"cpu": (line(0.5, pod="web-b"), line(0.25, pod="web-a")), "cpu_limit": (line(1.0),)}
    made = made_of(panel("cpu"), found)
    assert made is not None
    assert [each.name for each in made.series] == ["web-a", "web-b"]
    assert [threshold.value for threshold in made.thresholds] == [1.0]


def test_a_chart_without_values_is_none_whatever_its_limit_is() -> None:
    assert made_of(panel("cpu"), {"cpu_limit": (line(1.0),)}) is None
    assert made_of(panel("cpu"), {"cpu": (Line({}, ()),)}) is None


def test_quantiles_are_told_apart_and_a_lone_line_has_no_name() -> None:
    found = {"latency_p50": (line(0.1),), "latency_p99": (line(0.9),)}
    made = made_of(panel("latency"), found)
    assert made is not None
    assert [each.name for each in made.series] == ["p50", "p99"]
    alone = made_of(panel("requests"), {"requests": (line(9, job="x"),)})
    assert alone is not None
    assert [each.name for each in alone.series] == [""]


def test_a_service_s_own_queries_come_behind_the_known_ones_under_their_names() -> None:
    own = {"requests": "x", "queue depth": "y", **{f"more{number}": "z" for number in range(9)}}
    found = panels(own)
    assert found[: len(PANELS)] == PANELS
    assert [each.name for each in found[len(PANELS) :]] == ["queue depth", "more0", "more1", "more2"]
    made = made_of(found[len(PANELS)], {"queue depth": (line(7),)})
    assert made is not None
    (picture,) = pictures((made,), "zh")
    assert picture.captions[0].title == "queue depth"


def test_rollouts_within_the_window_are_marks() -> None:
    found = (line(30.0, replicaset="web-1"), line(-5.0, replicaset="web-0"), line(10_000.0, replicaset="web-2"))
    assert [mark.at for mark in rollouts(Measured(found), start=0, end=10 * MINUTE)] == [30_000]


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("trouble", get_args(Trouble))
def test_every_trouble_is_said_in_both_languages(trouble: str, language: Language) -> None:
    said = render(say(f"chart.unread_{trouble}", seconds="3"), language)
    assert "Prometheus" in said
    assert "{" not in said


def test_a_report_s_charts_are_on_its_card_and_so_is_why_some_are_not() -> None:
    report = Report(
        kind="resources",
        at=0,
        headline=say("chart.own", name="fine"),
        entity=ENTITY,
        charts=(sample(), sample()),
        unread=(say("chart.unread_unreachable"),),
    )
    card = report_card(report, "en")
    (shown,) = [block for block in card.blocks if isinstance(block, Picture)]
    assert len(shown.charts) == 2
    assert "Prometheus cannot be reached" in card.text()


def test_what_looks_like_a_secret_is_no_name_of_a_line() -> None:
    found = {"backlog": (line(7, url="https://bot:hunter2@queue/", password="hunter2"),)}
    two = {"backlog": (*found["backlog"], line(8, url="b"))}
    made = made_of(Panel("backlog", "number", ("backlog",)), two)
    assert made is not None
    assert len(made.series) == 2
    assert "hunter2" not in str(made)


@pytest.mark.parametrize(
    ("minutes", "shown"), [(1, "1m"), (60, "1h"), (90, "1h30m"), (48 * 60, "2d"), (7 * 1440, "7d")]
)
def test_a_span_is_as_kubectl_writes_it(minutes: int, shown: str) -> None:
    assert charts.span_of(sample(step=minutes * MINUTE, series=(Series("", (1.0, 2.0)),))) == shown


def test_an_alert_s_chart_has_a_threshold_only_where_its_expression_has_one_and_none_without_values() -> None:
    alert = AlertSource("Absent", "", {"alertname": "Absent"}, since=-1)

    def made(*lines: Line) -> Chart | None:
        return alert_chart(alert, None, Measured(lines), start=0, end=10 * MINUTE, step=MINUTE)

    whole = made(line(1, queue="mail"))
    assert whole is not None
    assert (whole.thresholds, whole.marks) == ((), ())
    assert made() is None
    assert made(Line({}, ())) is None
