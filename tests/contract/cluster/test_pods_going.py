"""Writes that are no patches: pods that are deleted or evicted, each by its uid, and budgets that say no."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from chatops_bot.adapters.kubernetes import KubernetesCluster, KubernetesWriter
from chatops_bot.adapters.sandbox.sandbox import Sandbox
from chatops_bot.domain.observed import Observed, Raw
from chatops_bot.domain.plans import Change, Verb
from chatops_bot.ports.cluster import Blocked, ClusterUnavailable, Conflict, NotFound
from tests.contract.cluster.conftest import Permits
from tests.contract.cluster.kit import PERMIT, versions
from tests.contract.cluster.targets import Target

DB = {"kind": "StatefulSet", "namespace": "shop", "name": "db", "replicas": 2, "image": "reg/db:1"}
BOTH = pytest.mark.parametrize("verb", ["evict", "delete"])


@pytest.fixture(autouse=True)
async def filled(target: Target) -> None:
    await target.fill({"workloads": [DB]})


def going(target: Target, verb: Verb, name: str = "db-0") -> Change:
    space = target.spaces["shop"]
    return Change(group="", version="v1", plural="pods", namespace=space, name=name, body={}, verb=verb)


def budget(target: Target, name: str, **spec: Any) -> Raw:
    """A disruption budget of the pods of `db`."""
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": name, "namespace": "shop"},
        "spec": {"selector": {"matchLabels": {"app": "db"}}, **spec},
    }


async def until(cluster: KubernetesCluster, target: Target, holds: Callable[[Observed], bool]) -> Observed:
    """Until the set looks so; the limit only ends a test that has failed."""
    for _ in range(300):
        await target.settle()
        found = await cluster.observe(target.web("StatefulSet", "db"))
        if holds(found):
            return found
        await asyncio.sleep(0.1)
    raise AssertionError("did not come to hold")


def counted(count: int) -> Callable[[Observed], bool]:
    """Whether so many budgets have counted their pods."""
    return lambda found: [row.get("status", {}).get("currentHealthy") for row in found.budgets] == [2] * count


def uids(found: Observed) -> set[str]:
    return {pod["metadata"]["uid"] for pod in found.pods}


@BOTH
async def test_a_pod_goes_by_its_uid_and_version_and_another_comes(
    cluster: KubernetesCluster, writer: KubernetesWriter, permits: Permits, target: Target, verb: Verb
) -> None:
    change = going(target, verb)
    live = await cluster.read(change)
    await writer.write(change, **versions(live), permit=PERMIT)
    assert permits.changes == [change]
    found = await until(
        cluster, target, lambda found: live["metadata"]["uid"] not in uids(found) and len(found.pods) == 2
    )
    assert {pod["metadata"]["name"] for pod in found.pods} == {"db-0", "db-1"}
    with pytest.raises(Conflict):
        await writer.write(change, **versions(live), permit=PERMIT)
    assert await cluster.read(change)


@BOTH
async def test_another_version_another_pod_or_none_is_told_apart(
    cluster: KubernetesCluster, writer: KubernetesWriter, target: Target, verb: Verb
) -> None:
    change = going(target, verb)
    live = versions(await cluster.read(change))
    for other in ({"uid": "another"}, {"resource_version": "1"}):
        with pytest.raises(Conflict):
            await writer.write(change, **{**live, **other}, permit=PERMIT)
    with pytest.raises(NotFound):
        await writer.write(going(target, verb, "db-9"), **live, permit=PERMIT)
    assert "deletionTimestamp" not in (await cluster.read(change))["metadata"]
    await writer.write(change, **{**live, "resource_version": ""}, permit=PERMIT)


@BOTH
async def test_a_dry_run_lets_it_stay(
    cluster: KubernetesCluster, writer: KubernetesWriter, permits: Permits, target: Target, verb: Verb
) -> None:
    change = going(target, verb)
    live = await cluster.read(change)
    await writer.dry_run(change, uid=versions(live)["uid"])
    with pytest.raises(Conflict):
        await writer.dry_run(change, uid="another")
    assert "deletionTimestamp" not in (await cluster.read(change))["metadata"]
    assert permits.asked == []


async def test_a_budget_blocks_an_eviction_and_no_deletion(
    cluster: KubernetesCluster, writer: KubernetesWriter, target: Target
) -> None:
    await target.fill({"objects": [budget(target, "few", minAvailable=2)]})
    await until(cluster, target, counted(1))
    change = going(target, "evict")
    live = versions(await cluster.read(change))
    for attempt in (
        writer.write(change, **live, permit=PERMIT),
        writer.dry_run(change, uid=live["uid"]),
    ):
        with pytest.raises(Blocked) as blocked:
            await attempt
        assert blocked.value.message == "The disruption budget few needs 2 healthy pods and has 2 currently"
        assert (blocked.value.status, blocked.value.reason) == (429, "DisruptionBudget")
    assert "deletionTimestamp" not in (await cluster.read(change))["metadata"]
    await writer.write(going(target, "delete"), **live, permit=PERMIT)
    await until(cluster, target, lambda found: live["uid"] not in uids(found))


async def test_two_budgets_block_for_ever(cluster: KubernetesCluster, writer: KubernetesWriter, target: Target) -> None:
    await target.fill({"objects": [budget(target, "few", maxUnavailable=1), budget(target, "more", maxUnavailable=1)]})
    await until(cluster, target, counted(2))
    change = going(target, "evict")
    live = versions(await cluster.read(change))
    with pytest.raises(Blocked, match="more than one PodDisruptionBudget") as blocked:
        await writer.write(change, **live, permit=PERMIT)
    assert blocked.value.reason == "SeveralBudgets"
    assert "deletionTimestamp" not in (await cluster.read(change))["metadata"]


@BOTH
async def test_nothing_is_sent_twice_or_without_a_permit(
    cluster: KubernetesCluster,
    writer: KubernetesWriter,
    permits: Permits,
    sandbox: Sandbox,
    target: Target,
    verb: Verb,
) -> None:
    method = {"evict": "POST", "delete": "DELETE"}[verb]
    change = going(target, verb)
    live = versions(await cluster.read(change))
    permits.granted = False
    with pytest.raises(PermissionError):
        await writer.write(change, **live, permit=PERMIT)
    permits.granted = True
    sandbox.faults.fail(503, count=9, method=method, path="pods/db-0", retry_after=1)
    with pytest.raises(ClusterUnavailable) as lost:
        await writer.write(change, **live, permit=PERMIT)
    assert not lost.value.not_sent
    sent = [record for record in sandbox.requests if record.method == method and "pods/db-0" in record.path]
    assert len(sent) == 1


async def test_being_turned_away_for_other_reasons_is_no_budget(
    cluster: KubernetesCluster, writer: KubernetesWriter, sandbox: Sandbox, target: Target
) -> None:
    change = going(target, "evict")
    live = versions(await cluster.read(change))
    sandbox.faults.fail(429, count=9, method="POST", path="eviction", retry_after=1)
    with pytest.raises(ClusterUnavailable) as away:
        await writer.write(change, **live, permit=PERMIT)
    assert away.value.not_sent
