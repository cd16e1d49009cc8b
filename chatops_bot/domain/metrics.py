"""What is charted of a service, and by which queries; each can be replaced in the settings and in the catalog.

The names of metrics are those of cAdvisor, kube-state-metrics, and the usual client libraries for HTTP
(`http_requests_total`, `http_request_duration_seconds`, Spring's `http_server_requests_seconds`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from chatops_bot.domain.charts import (
    AlertSource,
    Chart,
    Line,
    Mark,
    Measured,
    Series,
    Threshold,
    Unit,
    amount,
    busiest,
    on_grid,
)
from chatops_bot.domain.masking import mask
from chatops_bot.domain.promql import Compared
from chatops_bot.domain.say import Say, say

_CONTAINERS: Final = ', container!="", container!="POD"'
"""Neither the sum over a pod nor its empty container, both of which cAdvisor gives beside the real ones."""

_HASH: Final = "[bcdfghjklmnpqrstvwxz2456789]{1,10}"
"""What the name of a ReplicaSet ends in."""


def _rate(metric: str, matchers: str = "") -> str:
    return f"rate({metric}{{$where{matchers}}}[$window])"


def _share(metric: str, matchers: tuple[str, ...]) -> str:
    """The part of a counter's rate that one of these matches; nothing of something is 0, not nothing."""
    some = " or ".join(_rate(metric, each) for each in matchers)
    return f"(sum({some}) or vector(0)) / sum({_rate(metric)})"


def _quantile(share: str) -> str:
    metrics = ("http_request_duration_seconds_bucket", "http_server_requests_seconds_bucket")
    return " or ".join(f"histogram_quantile({share}, sum by (le) ({_rate(metric)}))" for metric in metrics)


QUERIES: Final[dict[str, str]] = {
    "cpu": f"sum by (pod) ({_rate('container_cpu_usage_seconds_total', _CONTAINERS)})",
    "cpu_limit": 'max(sum by (pod) (kube_pod_container_resource_limits{$where, resource="cpu"}))',
    "memory": f"sum by (pod) (container_memory_working_set_bytes{{$where{_CONTAINERS}}})",
    "memory_limit": 'max(sum by (pod) (kube_pod_container_resource_limits{$where, resource="memory"}))',
    "requests": " or ".join(
        f"sum({_rate(metric)})"
        for metric in (
            "http_requests_total",
            "http_server_requests_seconds_count",
            "http_request_duration_seconds_count",
        )
    ),
    "errors": " or ".join(
        (
            _share("http_requests_total", (', code=~"5.."', ', status=~"5.."')),
            _share("http_server_requests_seconds_count", (', status=~"5.."',)),
        )
    ),
    "latency_p50": _quantile("0.5"),
    "latency_p95": _quantile("0.95"),
    "latency_p99": _quantile("0.99"),
    "restarts": "sum by (pod) (kube_pod_container_status_restarts_total{$where})",
    "replicas": 'sum(kube_pod_status_ready{$where, condition="true"})',
    "replicas_wanted": (
        'max(kube_deployment_spec_replicas{$place, deployment="$workload"}'
        ' or kube_statefulset_replicas{$place, statefulset="$workload"}'
        ' or kube_daemonset_status_desired_number_scheduled{$place, daemonset="$workload"})'
    ),
    "rollouts": f'max by (replicaset) (kube_replicaset_created{{$place, replicaset=~"$workload-{_HASH}"}})',
}
"""By name. What follows an underscore is drawn on the chart of what stands before it."""


class Panel(msgspec.Struct, frozen=True):
    """One chart: the query that is its lines, others that are a line each (`label` by query), and a limit."""

    name: str
    unit: Unit
    lines: tuple[str, ...]
    limit: str = ""
    """Query whose last value is a threshold, which is called `label`."""
    label: str = "chart.limit"

    @property
    def queries(self) -> tuple[str, ...]:
        """Names of all its queries."""
        return (*self.lines, self.limit) if self.limit else self.lines


PANELS: Final[tuple[Panel, ...]] = (
    Panel("cpu", "cores", ("cpu",), "cpu_limit"),
    Panel("memory", "bytes", ("memory",), "memory_limit"),
    Panel("requests", "per_second", ("requests",)),
    Panel("errors", "share", ("errors",)),
    Panel("latency", "seconds", ("latency_p50", "latency_p95", "latency_p99")),
    Panel("restarts", "count", ("restarts",)),
    Panel("replicas", "count", ("replicas",), "replicas_wanted", "chart.wanted"),
)
"""In the order in which they are shown."""

ROLLOUTS: Final = "rollouts"
NOTHING: Final = Measured()
MOST_OWN: Final = 4
_MOST_MARKS: Final = 6
_LONGEST_NAME: Final = 60


def panels(own: Mapping[str, str]) -> tuple[Panel, ...]:
    """Those of every service and, behind them, those that a service has queries of its own for."""
    known = {query for panel in PANELS for query in panel.queries} | {ROLLOUTS}
    further = [name for name in own if name not in known][:MOST_OWN]
    return (*PANELS, *(Panel(name, "number", (name,)) for name in further))


def title(panel: Panel) -> Say:
    """What a chart is called; one of a service's own queries as the catalog calls it."""
    if panel.unit == "number":
        return say("chart.own", name=panel.name[:_LONGEST_NAME])
    return say(f"chart.{panel.name}")


def chart(
    panel: Panel,
    found: Mapping[str, Measured],
    *,
    start: int,
    end: int,
    step: int,
    marks: tuple[Mark, ...] = (),
) -> Chart | None:
    """The chart of what its queries found, None where that is nothing."""
    several = len(panel.lines) > 1
    named = [
        (_name(line, query if several else ""), on_grid(line, start=start, end=end, step=step))
        for query in panel.lines
        for line in found.get(query, NOTHING).lines
    ]
    series, left_out = busiest(named)
    left_out += sum(found.get(query, NOTHING).left_out for query in panel.lines)
    if not series:
        return None
    limits = [line.points[-1][1] for line in found.get(panel.limit, NOTHING).lines if line.points]
    return Chart(
        title=title(panel),
        unit=panel.unit,
        start=start,
        step=step,
        series=_labelled(series, several=several),
        thresholds=tuple(Threshold(limit, say(panel.label)) for limit in limits[:1] if limit > 0),
        marks=marks,
        left_out=left_out,
    )


def alert_chart(
    alert: AlertSource, parts: Compared | None, found: Measured, *, start: int, end: int, step: int
) -> Chart | None:
    """What an alert's expression measured: those of its lines that the alert is about (all their labels are its own),
    or all where none is. `parts` gives the threshold."""
    about = [line for line in found.lines if alert.labels and _fits(line.labels, alert.labels)]
    shown = about or found.lines
    series, left_out = busiest((_name(line, ""), on_grid(line, start=start, end=end, step=step)) for line in shown)
    left_out += 0 if about else found.left_out
    if not series:
        return None
    thresholds: tuple[Threshold, ...] = ()
    if parts is not None:
        label = say("chart.threshold", comparison=parts.comparison, value=amount(parts.number, "number"))
        thresholds = (Threshold(parts.number, label),)
    return Chart(
        title=say("chart.alert", name=alert.name[:_LONGEST_NAME]),
        unit="number",
        start=start,
        step=step,
        series=_labelled(series, several=False),
        thresholds=thresholds,
        marks=(Mark(alert.since, say("chart.firing")),) if start <= alert.since <= end else (),
        left_out=left_out,
    )


def _fits(labels: Mapping[str, str], alert: Mapping[str, str]) -> bool:
    return all(alert.get(name) == value for name, value in labels.items() if name != "__name__")


def rollouts(found: Measured, *, start: int, end: int) -> tuple[Mark, ...]:
    """When new ReplicaSets were made within the window: the values are seconds since 1970."""
    moments = sorted({round(line.points[-1][1] * 1000) for line in found.lines if line.points})
    within = [moment for moment in moments if start <= moment <= end]
    return tuple(Mark(moment, say("chart.rollout")) for moment in within[-_MOST_MARKS:])


def _name(line: Line, query: str) -> str:
    """What tells a line from the others of its chart: its pod, else its labels; of several queries, which one."""
    if query:
        return query.rpartition("_")[2]
    labels = {name: value for name, value in line.labels.items() if name != "__name__"}
    shown = mask(labels.get("pod") or ", ".join(f"{name}={value}" for name, value in sorted(labels.items())))
    return shown if len(shown) <= _LONGEST_NAME else shown[: _LONGEST_NAME - 1] + "…"


def _labelled(series: tuple[Series, ...], *, several: bool) -> tuple[Series, ...]:
    """A lone line needs no name."""
    if len(series) == 1 and not several:
        return (msgspec.structs.replace(series[0], name=""),)
    return series
