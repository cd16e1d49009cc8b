"""What the doctor says of a Prometheus: whether it answers, and whether it measures what is charted."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from chatops_bot.adapters.prometheus import Access, Prometheus
from chatops_bot.app.doctor.findings import Finding
from chatops_bot.app.doctor.metrics import examine, on_metrics
from chatops_bot.app.settings import ClusterSettings, Settings
from chatops_bot.app.settings_metrics import MetricsSettings
from chatops_bot.ports.clock import SystemClock
from tests.fakes.clock import ManualClock
from tests.prometheus.server import MISSING, PROMETHEUS, PROMTOOL, Server, free_port

pytestmark = [
    pytest.mark.prometheus,
    pytest.mark.skipif(PROMETHEUS is None or PROMTOOL is None, reason=MISSING),
]

NOW = 1_760_000_400
TIMES = dict.fromkeys(range(NOW - 600, NOW + 1, 30), 1.0)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    past = {
        'container_memory_working_set_bytes{namespace="pay",k="prod"}': TIMES,
        'container_memory_working_set_bytes{namespace="shop",k="prod"}': TIMES,
        'kube_pod_status_ready{namespace="pay",k="prod"}': TIMES,
    }
    made = Server(tmp_path_factory.mktemp("prometheus"), past=past)
    made.start()
    yield made
    made.end()


@pytest.fixture
async def client(server: Server) -> AsyncIterator[Prometheus]:
    made = Prometheus(Access(server.url), timeout_s=10)
    yield made
    await made.close()


async def said(client: Prometheus, *namespaces: str, where: str = "") -> list[Finding]:
    return await examine(client, "Prometheus of prod", where=where, namespaces=namespaces, clock=ManualClock(NOW))


async def test_all_that_is_charted_is_measured(client: Prometheus) -> None:
    for where in ("", 'k="prod"'):
        assert [finding.severity for finding in await said(client, "pay", where=where)] == ["ok"]
    assert [finding.severity for finding in await said(client)] == ["ok"]


async def test_a_namespace_that_is_not_measured_is_named_with_the_source(client: Prometheus) -> None:
    _, found = await said(client, "pay", "shop")
    assert "kube-state-metrics for shop" in found.what
    assert found.severity == "warn"
    assert found.to_do
    _, memory, state = await said(client, "dark.*")
    assert "cAdvisor" in memory.what
    assert "dark.*" in state.what


async def test_another_value_of_the_cluster_s_label_is_told(client: Prometheus) -> None:
    _, found, _ = await said(client, where='k="other"')
    assert "any namespace" in found.what
    assert "label k" in found.to_do


async def test_one_that_does_not_answer_is_bad_and_says_what_to_do() -> None:
    port = free_port()
    chosen = Settings(
        clusters=(ClusterSettings(name="prod", url="http://127.0.0.1:1"),),
        metrics=MetricsSettings(url=f"http://127.0.0.1:{port}", timeout_s=1),
    )
    (found,) = await on_metrics(chosen, clock=SystemClock())
    assert found.severity == "bad"
    assert "unreachable" in found.what
    assert "metrics.url" in found.to_do


async def test_without_a_prometheus_nothing_is_said() -> None:
    chosen = Settings(clusters=(ClusterSettings(name="prod", url="http://127.0.0.1:1"),))
    assert await on_metrics(chosen, clock=SystemClock()) == []
