"""Argo Rollouts: a kind that a cluster may not have, may get later, and may not let the bot see."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import pytest

from chatops_bot.adapters.kubernetes import Connection, KubernetesCluster
from chatops_bot.adapters.sandbox.access import BOT_TOKEN
from chatops_bot.adapters.sandbox.sandbox import Sandbox
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.objects import name_of
from chatops_bot.domain.observed import LogQuery
from tests.contract.cluster.kit import until

WEB = Entity(cluster="test", namespace="shop", kind="Rollout", workload="web", name="web", environment="dev")
DEPLOYMENT = Entity(cluster="test", namespace="shop", kind="Deployment", workload="web", name="web", environment="dev")


class Leaping:
    """A clock on which pauses pass at once, and are counted as time."""

    def __init__(self) -> None:
        self._slept = 0.0

    def now(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic() + self._slept

    async def sleep(self, seconds: float) -> None:
        self._slept += seconds
        await asyncio.sleep(0.01)


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox(clock=time.time) as running:
        running.apply({"workloads": [{"kind": "Deployment", "namespace": "shop", "name": "web", "image": "reg/x:1"}]})
        yield running


@pytest.fixture
async def cluster(sandbox: Sandbox) -> AsyncIterator[KubernetesCluster]:
    connection = Connection.at_url(sandbox.url, token=BOT_TOKEN)
    reader = KubernetesCluster("test", connection, clock=Leaping(), namespaces=("shop",), environment="dev")
    yield reader
    await reader.close()


def rollout(**spec: Any) -> dict[str, Any]:
    labels = {"app": "web-ro"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "app", "image": "reg/x:1"}]}}
    own = {"template": template, "selector": {"matchLabels": labels}}
    return {
        "objects": [
            {
                "apiVersion": "argoproj.io/v1alpha1",
                "kind": "Rollout",
                "metadata": {"name": "web", "namespace": "shop"},
                "spec": {"replicas": 2, "strategy": {"canary": {}}, **(spec or own)},
            }
        ]
    }


REFERRING = rollout(workloadRef={"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"})


def asked_for_rollouts(sandbox: Sandbox) -> list[str]:
    return [request.path for request in sandbox.requests if request.resource == "rollouts"]


async def test_a_cluster_without_the_kind_is_never_asked_for_it(
    sandbox: Sandbox, cluster: KubernetesCluster, caplog: pytest.LogCaptureFixture
) -> None:
    sandbox.access.deny(resource="rollouts")  # as without a grant, where a server says 403 to what it does not have
    assert {entity.target for entity in await cluster.workloads() if entity.kind != "Node"} == {"deployment/web"}
    observed = await cluster.observe(DEPLOYMENT)
    assert (observed.rollouts, observed.unread) == ((), ())
    assert asked_for_rollouts(sandbox) == []
    assert [record for record in caplog.records if "Rollout" in record.getMessage()] == []


async def test_it_is_found_listed_and_watched_when_it_comes_later(
    sandbox: Sandbox, cluster: KubernetesCluster, caplog: pytest.LogCaptureFixture
) -> None:
    told: list[set[str]] = []

    async def changed(entities: list[Entity]) -> None:
        told.append({entity.target for entity in entities if entity.kind != "Node"})

    watching = asyncio.create_task(cluster.watch(changed))
    await until(lambda: bool(told))
    assert told[-1] == {"deployment/web"}
    sandbox.apply(rollout())
    await until(lambda: told[-1] == {"deployment/web", "rollout/web"})
    assert WEB in await cluster.workloads()
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching
    assert caplog.records == []


async def test_its_pods_are_found_through_its_replica_sets(sandbox: Sandbox, cluster: KubernetesCluster) -> None:
    sandbox.apply(rollout())
    await sandbox.settle()
    observed = await cluster.observe(WEB, events=True)
    assert observed.unread == ()
    assert len(observed.replica_sets) == 1
    assert len(observed.pods) == 2
    assert {name_of(pod).rpartition("-")[0] for pod in observed.pods} == {name_of(observed.replica_sets[0])}
    log = await cluster.logs(WEB, LogQuery())
    assert log.pod in {name_of(pod) for pod in observed.pods}


async def test_a_deployment_is_told_with_the_rollout_that_refers_to_it(
    sandbox: Sandbox, cluster: KubernetesCluster
) -> None:
    sandbox.apply(REFERRING)
    await sandbox.settle()
    assert [name_of(row) for row in (await cluster.observe(DEPLOYMENT)).rollouts] == ["web"]
    # Without a selector of its own the Rollout's pods are found by the one that its controller tells.
    pods = (await cluster.observe(WEB)).pods
    assert len(pods) == 2
    sandbox.access.deny(resource="rollouts")
    assert (await cluster.observe(DEPLOYMENT)).unread == ("rollouts:403",)


async def test_rollouts_of_others_are_none_of_a_deployments(sandbox: Sandbox, cluster: KubernetesCluster) -> None:
    sandbox.apply(rollout())
    await sandbox.settle()
    assert (await cluster.observe(DEPLOYMENT)).rollouts == ()


async def test_one_that_may_not_be_listed_is_warned_of(
    sandbox: Sandbox, cluster: KubernetesCluster, caplog: pytest.LogCaptureFixture
) -> None:
    sandbox.apply(rollout())
    sandbox.access.deny(resource="rollouts")
    assert WEB not in await cluster.workloads()
    assert any("Rollout of test cannot be listed" in record.getMessage() for record in caplog.records)
