"""The default queries, the catalog's and an alert's own, answered by a real Prometheus."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import trustme
from prometheus_client import CollectorRegistry, Counter, Gauge, start_http_server

from chatops_bot.adapters.prometheus import Access, Prometheus
from chatops_bot.domain.charts import AlertSource, Chart
from chatops_bot.domain.dialogue.pictures import pictures
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.engine.metrics import Charts, Recipes
from chatops_bot.ports.clock import SystemClock
from chatops_bot.ports.metrics import MetricsError
from tests.fakes.clock import ManualClock
from tests.prometheus.server import MISSING, PROMETHEUS, PROMTOOL, Server, free_port

pytestmark = [
    pytest.mark.prometheus,
    pytest.mark.skipif(PROMETHEUS is None or PROMTOOL is None, reason=MISSING),
]

NOW = 1_760_000_400
"""Seconds; a past long enough ago that no clock of a test machine is before it."""

WEB = Entity(cluster="prod", namespace="pay", kind="Deployment", workload="web", name="web")
PODS = ("web-5d8f7c9b6c-x7k2p", "web-5d8f7c9b6c-zq4tv")
OTHERS = ("web-api-5d8f7c9b6c-x7k2p", "web-0", "web-api-x7k2p")
MIB = 2**20


def escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def past() -> dict[str, dict[int, float]]:
    """Two hours and a half of a service with two pods, and of others beside it."""
    times = range(NOW - 9_000, NOW + 1, 30)
    found: dict[str, dict[int, float]] = {}

    def series(name: str, labels: dict[str, str], value: float = 0, per_second: float = 0) -> None:
        shown = ",".join(f'{label}="{escaped(text)}"' for label, text in labels.items())
        found[f"{name}{{{shown}}}"] = {moment: value + per_second * (moment - times[0]) for moment in times}

    for number, pod in enumerate((*PODS, *OTHERS)):
        place = {"namespace": "pay", "pod": pod}
        app = {**place, "container": "app"}
        series("kube_pod_status_ready", {**place, "condition": "true"}, 1 if number != 1 else 0)
        series("kube_pod_container_status_restarts_total", app, 3 * number)
        series("container_cpu_usage_seconds_total", app, 10, 0.25 * (number + 1))
        series("container_cpu_usage_seconds_total", {**place, "container": ""}, 10, 9)
        series("container_memory_working_set_bytes", app, (100 + 50 * number) * MIB)
        series("kube_pod_container_resource_limits", {**app, "resource": "cpu"}, 2)
        series("kube_pod_container_resource_limits", {**app, "resource": "memory"}, 256 * MIB)
        series("http_requests_total", {**place, "code": "200"}, 0, 9)
        series("http_requests_total", {**place, "code": "500"}, 0, 1)
        for bound, share in (("0.1", 5.0), ("0.5", 9.0), ("+Inf", 10.0)):
            series("http_request_duration_seconds_bucket", {**place, "le": bound}, 0, share)
    series("kube_deployment_spec_replicas", {"namespace": "pay", "deployment": "web"}, 2)
    series("kube_deployment_spec_replicas", {"namespace": "other", "deployment": "web"}, 9)
    series("kube_replicaset_created", {"namespace": "pay", "replicaset": "web-5d8f7c9b6c"}, NOW - 1_800)
    series("kube_replicaset_created", {"namespace": "pay", "replicaset": "web-6f9d8b7c5d"}, NOW - 90_000)
    series("queue_length", {"queue": 'a"b', "tenant": "t1"}, 7)
    series("queue_length", {"queue": "other", "tenant": "t2"}, 9)
    return found


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(tmp_path_factory.mktemp("prometheus"), past=past())
    made.start()
    yield made
    made.end()


@pytest.fixture
async def prometheus(server: Server) -> AsyncIterator[Prometheus]:
    made = Prometheus(Access(server.url), timeout_s=10)
    yield made
    await made.close()


def charts_on(prometheus: Prometheus, own: dict[str, str] | None = None) -> Charts:
    service = Service(entity=WEB, metrics=own or {})
    return Charts(
        sources={"prod": prometheus},
        recipes=Recipes(),
        service=lambda _: service,
        clock=ManualClock(NOW),
        limit_s=10,
    )


def named(charts: tuple[Chart, ...]) -> dict[str, Chart]:
    return {chart.title.key.removeprefix("chart."): chart for chart in charts}


def last(chart: Chart) -> dict[str, float | None]:
    return {line.name: line.values[-1] for line in chart.series}


def approximately(expected: dict[str, float]) -> object:
    """Values of a chart have four digits."""
    return pytest.approx(expected, rel=1e-3)


async def test_every_chart_of_a_service_holds_its_pods_and_nobody_else_s(prometheus: Prometheus) -> None:
    drawn = await charts_on(prometheus).charts_for(WEB, intent="resources")
    assert drawn.unread == ()
    found = named(drawn.charts)
    assert list(found) == ["cpu", "memory", "requests", "errors", "latency", "restarts", "replicas"]
    assert last(found["cpu"]) == approximately(dict(zip(PODS, (0.25, 0.5), strict=True)))
    assert last(found["memory"]) == approximately(dict(zip(PODS, (100.0 * MIB, 150.0 * MIB), strict=True)))
    assert last(found["requests"]) == approximately({"": 20.0})
    assert last(found["errors"]) == approximately({"": 0.1})
    assert last(found["latency"]) == approximately({"p50": 0.1, "p95": 0.5, "p99": 0.5})
    assert last(found["restarts"]) == dict(zip(PODS, (0.0, 3.0), strict=True))
    assert last(found["replicas"]) == {"": 1.0}
    limits = {name: [each.value for each in chart.thresholds] for name, chart in found.items() if chart.thresholds}
    assert limits == {"cpu": [2.0], "memory": [256.0 * MIB], "replicas": [2.0]}
    assert {mark.at for chart in drawn.charts for mark in chart.marks} == {(NOW - 1_800) * 1000}
    (first, *_) = pictures(drawn.charts, "en")
    assert first.lines[1].startswith("📈 Memory of each pod (2 lines): now 150 MiB at most, 100 MiB to 150 MiB over 1h")


async def test_the_time_that_was_asked_for_is_the_time_that_is_shown(prometheus: Prometheus) -> None:
    drawn = await charts_on(prometheus).charts_for(WEB, intent="resources", seconds=7_200)
    chart = named(drawn.charts)["memory"]
    assert chart.end - chart.start == 7_200_000
    assert all(value is not None for line in chart.series for value in line.values)


async def test_a_service_nobody_measures_has_no_charts_and_no_complaint(prometheus: Prometheus) -> None:
    other = Entity(cluster="prod", namespace="pay", kind="StatefulSet", workload="db", name="db")
    drawn = await charts_on(prometheus).charts_for(other, intent="resources")
    assert (drawn.charts, drawn.unread) == ((), ())


async def test_the_catalog_s_own_queries_are_asked(prometheus: Prometheus) -> None:
    own = {"requests": 'sum(queue_length{tenant="t1"})', "backlog": "queue_length"}
    found = named((await charts_on(prometheus, own).charts_for(WEB, intent="resources")).charts)
    assert last(found["requests"]) == {"": 7.0}
    assert last(found["own"]) == {'queue=a"b, tenant=t1': 7.0, "queue=other, tenant=t2": 9.0}


async def test_a_name_that_is_promql_finds_nothing_and_breaks_nothing(prometheus: Prometheus) -> None:
    for name in ('web"} or vector(1) or x{a="', "we\\b", "a\nb", ".*", "w`b", "web'"):
        nasty = Entity(cluster="prod", namespace=name, kind="Deployment", workload=name, name=name)
        own = {"backlog": 'queue_length{queue="$service"} or queue_length{queue=~"$service"}'}
        charts = Charts(
            sources={"prod": prometheus},
            recipes=Recipes(cluster_labels={"prod": "cluster"}),
            service=lambda _, own=own: Service(entity=WEB, metrics=own),  # type: ignore[misc]
            clock=ManualClock(NOW),
            limit_s=10,
        )
        drawn = await charts.charts_for(nasty, intent="resources")
        assert (drawn.charts, drawn.unread) == ((), ()), name


async def test_a_name_with_a_quote_finds_what_is_called_so(prometheus: Prometheus) -> None:
    quoted = Entity(cluster="prod", namespace="pay", kind="Deployment", workload="x", name='a"b')
    own = {"backlog": 'queue_length{queue="$service"}'}
    charts = Charts(
        sources={"prod": prometheus},
        recipes=Recipes(),
        service=lambda _: Service(entity=WEB, metrics=own),
        clock=ManualClock(NOW),
        limit_s=10,
    )
    (chart,) = (await charts.charts_for(quoted, intent="resources")).charts
    assert [line.values[-1] for line in chart.series] == [7.0]


async def test_an_alert_s_expression_is_plotted_with_its_threshold(prometheus: Prometheus) -> None:
    url = "http://elsewhere.invalid/graph?g0.expr=queue_length+%3E+5&g0.tab=1"
    alert = AlertSource(
        "QueueLong", url, {"queue": 'a"b', "tenant": "t1", "alertname": "QueueLong"}, (NOW - 600) * 1000
    )
    drawn = await charts_on(prometheus).charts_for(WEB, intent="status", alert=alert)
    chart = drawn.charts[0]
    assert chart.title.key == "chart.alert"
    assert last(chart) == {"": 7.0}
    assert [each.value for each in chart.thresholds] == [5.0]
    assert [mark.at for mark in chart.marks] == [(NOW - 600) * 1000]


async def test_a_query_that_is_none_is_refused_with_the_reason(prometheus: Prometheus) -> None:
    with pytest.raises(MetricsError) as raised:
        await prometheus.range("sum(", start=0, end=1000, step=1000)
    assert raised.value.trouble == "refused"
    assert "parse error" in raised.value.message


async def test_what_is_scraped_now_is_charted_now(tmp_path: Path) -> None:
    registry = CollectorRegistry()
    labels = ["namespace", "pod", "container"]
    memory = Gauge("container_memory_working_set_bytes", "bytes", labels, registry=registry)
    memory.labels("pay", PODS[0], "app").set(64 * MIB)
    Counter("http_requests", "requests", ["namespace", "pod", "code"], registry=registry).labels("pay", PODS[0], "200")
    port = free_port()
    exporter, serving = start_http_server(port, addr="127.0.0.1", registry=registry)
    server = Server(tmp_path, past={}, targets=(f"127.0.0.1:{port}",))
    clock = SystemClock()
    try:
        server.start()
        async with Closing(server.url) as prometheus:
            charts = Charts(
                sources={"prod": prometheus}, recipes=Recipes(), service=lambda _: None, clock=clock, limit_s=10
            )
            found: dict[str, Chart] = {}
            for _ in range(300):
                found = named((await charts.charts_for(WEB, intent="resources", seconds=300)).charts)
                if "memory" in found:
                    break
                await clock.sleep(0.1)
            assert last(found["memory"]) == approximately({"": 64.0 * MIB})
    finally:
        server.end()
        exporter.shutdown()
        exporter.server_close()
        serving.join()


# A hash of "let me in", of the kind that `htpasswd -B` makes.
USERS = "basic_auth_users: {bot: '$2b$04$EatNv8Htba3Ia2nopkSrHOsYfI7Jd/SMgUqhB3wpkcmrjJFh9z7CO'}\n"


async def test_a_password_and_a_certificate_of_one_s_own_are_used(tmp_path: Path) -> None:
    authority = trustme.CA()
    issued = authority.issue_cert("localhost")
    issued.private_key_pem.write_to_path(tmp_path / "key.pem")
    issued.cert_chain_pems[0].write_to_path(tmp_path / "cert.pem")
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    files = f"tls_server_config: {{cert_file: {tmp_path / 'cert.pem'}, key_file: {tmp_path / 'key.pem'}}}\n"
    server = Server(tmp_path, past={}, web=USERS + files)
    ca = tmp_path / "ca.pem"
    try:
        server.start()
        async with Closing(server.url, username="bot", password="let me in", ca=ca) as let_in:
            (line,) = (await let_in.instant("vector(1)", at=0)).lines
            assert line.points == ((0, 1.0),)
        async with Closing(server.url, username="bot", password="wrong", ca=ca) as wrong:
            with pytest.raises(MetricsError, match="401") as raised:
                await wrong.instant("vector(1)", at=0)
            assert raised.value.trouble == "refused"
        async with Closing(server.url, username="bot", password="let me in") as unknown:
            with pytest.raises(MetricsError) as raised:
                await unknown.instant("vector(1)", at=0)
            assert raised.value.trouble == "unreachable"
    finally:
        server.end()


class Closing:
    """A client for as long as it is needed."""

    def __init__(self, url: str, *, username: str = "", password: str = "", ca: Path | None = None) -> None:
        self._client = Prometheus(Access(url, username=username, password=password, ca=ca), timeout_s=10)

    async def __aenter__(self) -> Prometheus:
        return self._client

    async def __aexit__(self, *_: object) -> None:
        await self._client.close()
