"""The alert rules ask for metrics and labels that the bot has."""

from __future__ import annotations

import re
from typing import Any

import pytest

from chatops_bot.adapters.redis.queues import KINDS
from chatops_bot.app.telemetry import METRICS, Metrics
from tests.chart.rendering import NAMESPACE, Helm

NAME = "bot-chatops-bot"
SERIES = re.compile(r"chatops_\w+")
SELECTOR = re.compile(r"(chatops_\w+)\{([^}]*)\}")
TARGET = {"namespace": f'"{NAMESPACE}"', "service": f'"{NAME}"'}
"""Labels that Prometheus adds by the ServiceMonitor."""


def rules(helm: Helm, values: dict[str, Any]) -> list[dict[str, Any]]:
    rendered = helm.render({"monitoring": {"prometheusRule": {"enabled": True}}, **values})
    (group,) = rendered.one("PrometheusRule")["spec"]["groups"]
    found: list[dict[str, Any]] = group["rules"]
    return found


@pytest.fixture(scope="module")
def alerts(newest: Helm) -> list[dict[str, Any]]:
    return rules(newest, {"policy": {"rules": [{"confirm": ["*"]}]}})


def metric(series: str) -> str:
    """Name in METRICS of a series."""
    return re.sub(r"^chatops_|_(total|bucket)$", "", series)


def test_every_series_is_exposed(alerts: list[dict[str, Any]]) -> None:
    exposed = Metrics()
    for name, each in METRICS.items():
        labels = dict.fromkeys(each.labels, "x")
        if each.kind == "counter":
            exposed.count(name, 1, **labels)
        elif each.kind == "gauge":
            exposed.level(name, 1, **labels)
        else:
            exposed.observe(name, 1, **labels)
    text = exposed.render().decode()
    for alert in alerts:
        for series in SERIES.findall(alert["expr"]):
            assert re.search(rf"^{series}[{{ ]", text, re.MULTILINE), f"{alert['alert']}: {series}"


def test_every_label_belongs_to_its_metric(alerts: list[dict[str, Any]]) -> None:
    for alert in alerts:
        selected = SELECTOR.findall(alert["expr"])
        assert len(selected) == len(SERIES.findall(alert["expr"])), "each series is that of this release alone"
        for series, selector in selected:
            pairs = dict(re.findall(r'(\w+)=~?("[^"]*")', selector))
            assert pairs.items() >= TARGET.items()
            assert set(pairs) - set(TARGET) <= set(METRICS[metric(series)].labels)
        kept = {label for group in re.findall(r"by \(([^)]*)\)", alert["expr"]) for label in group.split(", ")}
        known = {label for series, _ in selected for label in METRICS[metric(series)].labels}
        assert kept <= known | {"le"}
        said = set(re.findall(r"\$labels\.(\w+)", alert["annotations"]["summary"]))
        assert said <= kept


def test_what_operations_calls_worth_an_alert_has_one(alerts: list[dict[str, Any]]) -> None:
    asked = " ".join(alert["expr"] for alert in alerts)
    for worth in (
        "chatops_ready{",
        "chatops_queue_depth{",
        'chatops_executions_total{outcome="unknown"',
        "chatops_failures_total{",
        "chatops_events_total{",
        "chatops_intake_seconds_bucket{",
        "chatops_read_only{",
    ):
        assert worth in asked


def test_queues_are_those_that_there_are(alerts: list[dict[str, Any]]) -> None:
    (queues,) = {found for alert in alerts for found in re.findall(r'queue=~"([^"]*)"', alert["expr"])}
    assert set(queues.split("|")) <= set(KINDS)


def test_each_says_how_bad_it_is_and_what_to_do(alerts: list[dict[str, Any]]) -> None:
    assert len({alert["alert"] for alert in alerts}) == len(alerts)
    for alert in alerts:
        assert alert["labels"]["severity"] in ("critical", "warning", "info")
        assert alert["annotations"]["summary"].endswith(".")
        assert alert["annotations"]["description"]


def test_brackets_are_closed(alerts: list[dict[str, Any]]) -> None:
    for alert in alerts:
        for opening, closing in ("()", "{}", "[]"):
            assert alert["expr"].count(opening) == alert["expr"].count(closing)


def test_reading_only_is_no_alarm_where_it_is_meant(newest: Helm) -> None:
    assert not [alert for alert in rules(newest, {}) if "read_only" in alert["expr"]]


def test_prometheus_finds_the_bot(helm: Helm) -> None:
    rendered = helm.file("monitoring")
    monitor = rendered.one("ServiceMonitor")
    service = rendered.one("Service", NAME)
    assert monitor["metadata"]["labels"]["release"] == "prometheus"
    assert rendered.one("PrometheusRule")["metadata"]["labels"]["release"] == "prometheus"
    assert monitor["spec"]["selector"]["matchLabels"].items() <= service["metadata"]["labels"].items()
    redis = rendered.one("Service", f"{NAME}-redis")
    assert not monitor["spec"]["selector"]["matchLabels"].items() <= redis["metadata"]["labels"].items()
    (endpoint,) = monitor["spec"]["endpoints"]
    assert endpoint["port"] in [port["name"] for port in service["spec"]["ports"]]
    assert endpoint["path"] == "/metrics"


def test_nothing_of_the_operator_unless_it_is_asked_for(newest: Helm) -> None:
    rendered = newest.file("minimal")
    assert not rendered.of("ServiceMonitor")
    assert not rendered.of("PrometheusRule")
