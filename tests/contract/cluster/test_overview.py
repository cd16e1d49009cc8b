"""What is broken in a namespace, or in all: few reads, bounded, and told where something is missing."""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.adapters.kubernetes import KubernetesCluster
from chatops_bot.adapters.sandbox.sandbox import Sandbox
from chatops_bot.domain.objects import name_of
from tests.contract.cluster.targets import Target, TestClock


def workload(name: str, *pods: str, kind: str = "Deployment", namespace: str = "shop") -> dict[str, Any]:
    listed = {"pods": list(pods)} if pods else {}
    return {"kind": kind, "namespace": namespace, "name": name, "replicas": 2, "image": "reg/x:1", **listed}


SHOP = {
    "workloads": [
        workload("web"),
        workload("api", "CrashLoopBackOff", "Running"),
        workload("db", kind="StatefulSet"),
        {"kind": "DaemonSet", "namespace": "shop", "name": "agent", "image": "reg/agent:1"},
        workload("web", "ImagePullBackOff", namespace="other"),
    ],
    "objects": [
        {
            "apiVersion": "batch/v1",
            "kind": "CronJob",
            "metadata": {"name": "nightly", "namespace": "shop"},
            "spec": {
                "schedule": "0 3 1 1 *",
                "jobTemplate": {
                    "spec": {
                        "template": {
                            "spec": {"restartPolicy": "Never", "containers": [{"name": "a", "image": "reg/a:1"}]}
                        }
                    }
                },
            },
        }
    ],
}


async def test_it_brings_the_workloads_and_the_pods_worth_a_word(cluster: KubernetesCluster, target: Target) -> None:
    await target.fill(SHOP)
    await target.settle()
    space = target.spaces["shop"]
    found = await cluster.overview()
    assert (found.cluster, found.namespaces, found.unread, found.cut) == ("test", (space,), (), ())
    assert sorted((row["kind"], name_of(row)) for row in found.workloads) == [
        ("DaemonSet", "agent"), ("Deployment", "api"), ("Deployment", "web"), ("StatefulSet", "db"),
    ]  # fmt: skip
    assert {row["metadata"]["namespace"] for row in (*found.workloads, *found.pods)} == {space}
    (crashed,) = found.pods
    assert (crashed["kind"], crashed["metadata"]["labels"]["app"]) == ("Pod", "api")
    assert found.healthy >= 5 + len(target.nodes) - 1
    assert [name_of(row) for row in found.cron_jobs] == ["nightly"]
    assert "BackOff" in {event["reason"] for event in found.events}
    assert {event["type"] for event in found.events} == {"Warning"}
    assert {name_of(node) for node in found.nodes} >= set(target.nodes)
    assert not any("managedFields" in row["metadata"] for row in found.pods)


async def test_other_namespaces_are_not_looked_into(cluster: KubernetesCluster, target: Target) -> None:
    await target.fill(SHOP)
    found = await cluster.overview((target.spaces["other"], target.spaces["shop"]))
    assert found.namespaces == (target.spaces["shop"],)
    assert found.unread == (f"namespaces:{target.spaces['other']}",)
    nothing = await cluster.overview(("nowhere",))
    assert (nothing.workloads, nothing.namespaces, nothing.unread) == ((), ("nowhere",), ("namespaces:nowhere",))


@pytest.mark.parametrize("namespaces", [(), ("other", "shop")])
async def test_the_whole_cluster_takes_no_more_reads_than_one_namespace(
    target: Target, sandbox: Sandbox, namespaces: tuple[str, ...]
) -> None:
    await target.fill(SHOP)
    reader = KubernetesCluster("test", target.connection(), clock=TestClock(), namespaces=namespaces)
    before = len(sandbox.requests)
    found = await reader.overview()
    assert len(sandbox.requests) - before <= 12
    assert len(found.workloads) == 5
    assert {pod["metadata"]["labels"]["app"] for pod in found.pods} == {"api", "web"}
    alone = await reader.overview(("other",))
    assert [name_of(row) for row in alone.workloads] == ["web"]
    await reader.close()


async def test_what_cannot_be_read_is_named(cluster: KubernetesCluster, target: Target, sandbox: Sandbox) -> None:
    await target.fill(SHOP)
    sandbox.access.authorizer = lambda access: access.namespace == "shop" and access.resource != "jobs"
    sandbox.faults.fail(503, count=3, path="/statefulsets")
    found = await cluster.overview()
    assert found.unread == ("jobs:403", "statefulsets:503")
    assert found.nodes == ()
    assert len(found.workloads) == 3


async def test_many_pods_are_counted_and_not_kept(
    cluster: KubernetesCluster, target: Target, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chatops_bot.adapters.kubernetes.lists.PAGE", 10)
    monkeypatch.setattr("chatops_bot.adapters.kubernetes.overseeing.POD_PAGES", 3)
    await target.fill({"workloads": [{**workload("web"), "replicas": 50}]})
    found = await cluster.overview()
    assert (found.pods, found.healthy, found.cut) == ((), 30, ("pods",))
