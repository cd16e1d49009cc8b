"""A diagnosis of a large service on a real API server: so many requests and no more, whatever else is there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chatops_bot.domain.objects import name_of
from chatops_bot.ports.cluster import READS
from tests.bench.crowd import NAMESPACE, SERVICE, Crowd
from tests.bench.diagnosis import Beside
from tests.cluster.controlplane import ControlPlane


@pytest.fixture
def crowd(controlplane: ControlPlane) -> Iterator[ControlPlane]:
    Crowd(controlplane, pods=300, each=100).gather()
    yield controlplane
    controlplane.api().delete(f"/api/v1/namespaces/{NAMESPACE}")


async def test_a_large_service_takes_no_more_requests_than_it_may(
    crowd: ControlPlane, tmp_path_factory: pytest.TempPathFactory
) -> None:
    both = Beside(crowd, tmp_path_factory.mktemp("cache"))
    _, first, _ = await both.bot()
    _, second, seen = await both.bot()  # which knows already which kinds there are
    assert max(first, second) <= READS
    await both.cluster.close()
    assert (len(seen.pods), seen.unread) == (100, ())
    assert {pod["metadata"]["labels"]["app"] for pod in seen.pods} == {SERVICE}
    assert [name_of(row) for row in (*seen.autoscalers, *seen.budgets, *seen.around.services)] == [SERVICE] * 3
    assert seen.around.others is not None
    assert len(seen.around.others) == 2
    assert seen.around.slices
    # Of 300 pods with two events each those of few were asked for.
    assert 2 <= len(seen.events) < 60
