"""The read side: what one pass of reads brings, whatever cannot be read, and who the bot is there."""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.adapters.kubernetes import KubernetesCluster
from chatops_bot.adapters.sandbox.sandbox import Sandbox
from chatops_bot.domain.diagnosis import events_report, status_report
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.observed import Need, Permission
from chatops_bot.ports.cluster import ClusterUnavailable, NotFound, Refused
from tests.contract.cluster.targets import Target, TestClock

SHOP: dict[str, list[dict[str, Any]]] = {
    "workloads": [
        {
            "kind": "Deployment",
            "namespace": "shop",
            "name": "web",
            "replicas": 2,
            "image": "reg/web:2",
            "hpa": {"min": 2, "max": 8},
            "pdb": {"min_available": 1},
        },
        {"kind": "StatefulSet", "namespace": "shop", "name": "db", "replicas": 1, "image": "reg/db:8"},
        {"kind": "DaemonSet", "namespace": "shop", "name": "agent", "image": "reg/agent:1"},
        {"kind": "Deployment", "namespace": "other", "name": "web", "replicas": 1, "image": "reg/x:1"},
    ]
}

TRACKING = "argocd.argoproj.io/tracking-id"
CRASH = {
    "workloads": [
        {"kind": "Deployment", "namespace": "shop", "name": "web", "pods": ["Running", "CrashLoopBackOff"]},
    ]
}


async def test_a_pass_brings_the_workload_and_all_around_it(cluster: KubernetesCluster, target: Target) -> None:
    await target.fill(SHOP)
    await target.fill(CRASH)
    found = await cluster.observe(target.web(), events=True)
    assert found.object["kind"] == "Deployment"
    assert found.object["metadata"]["resourceVersion"]
    assert (len(found.pods), len(found.replica_sets)) == (2, 1)
    assert [one["metadata"]["name"] for one in (*found.autoscalers, *found.budgets)] == ["web", "web"]
    assert {event["reason"] for event in found.events} >= {"BackOff"}
    assert found.unread == ()
    assert found.at > 1_700_000_000_000


async def test_earlier_revisions_belong_to_it(cluster: KubernetesCluster, target: Target) -> None:
    await target.fill({"workloads": [{**SHOP["workloads"][0], "revisions": ["reg/web:0", "reg/web:1"]}]})
    images = {
        row["spec"]["template"]["spec"]["containers"][0]["image"]
        for row in (await cluster.observe(target.web())).replica_sets
    }
    assert images == {"reg/web:0", "reg/web:1", "reg/web:2"}


async def test_earlier_revisions_of_the_other_kinds_are_read_where_they_are_wanted(
    cluster: KubernetesCluster, target: Target
) -> None:
    seed = {"kind": "StatefulSet", "namespace": "shop", "name": "db", "replicas": 1, "image": "reg/db:2"}
    await target.fill({"workloads": [{**seed, "revisions": ["reg/db:1"]}]})
    assert (await cluster.observe(target.web("StatefulSet", "db"))).revisions == ()
    found = await cluster.observe(target.web("StatefulSet", "db"), needs=frozenset({"history"}))
    assert sorted(row["revision"] for row in found.revisions) == [1, 2]


async def test_what_bounds_more_pods_is_read_where_it_is_wanted(cluster: KubernetesCluster, target: Target) -> None:
    await target.fill(SHOP)
    await target.bound({"pods": "3"}, {"memory": "64Mi"})
    assert (await cluster.observe(target.web())).quotas == ()
    found = await cluster.observe(target.web(), needs=frozenset({"quotas", "limits", "room"}))
    (quota,), (limits,) = found.quotas, found.limits
    assert (quota["status"]["hard"], int(quota["status"]["used"]["pods"]) > 0) == ({"pods": "3"}, True)
    assert limits["spec"]["limits"][0]["default"] == {"memory": "64Mi"}
    parts = {part.partition(":")[0] for part in found.unread}
    if parts:  # the account that the README describes sees its namespace alone
        assert parts == {"nodes", "elsewhere"}
    else:
        assert {node["metadata"]["name"] for node in found.nodes} >= set(target.nodes)
        assert {pod["metadata"]["name"] for pod in found.elsewhere} >= {pod["metadata"]["name"] for pod in found.pods}


async def test_the_application_that_keeps_it_is_read_where_it_is_wanted(
    cluster: KubernetesCluster, target: Target, sandbox: Sandbox
) -> None:
    await target.fill(
        {"workloads": [{**SHOP["workloads"][0], "annotations": {TRACKING: "other_web-app:apps/x:shop/web"}}]}
    )
    wanted: frozenset[Need] = frozenset({"application"})
    found = await cluster.observe(target.web(), needs=wanted)
    assert (found.applications, found.unread) == ((), ())
    application = {"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "spec": {"project": "x"}}
    await target.fill({"objects": [{**application, "metadata": {"name": "web-app", "namespace": "other"}}]})
    (read,) = (await cluster.observe(target.web(), needs=wanted)).applications
    assert read["spec"] == {"project": "x"}
    sandbox.access.deny(resource="applications")
    found = await cluster.observe(target.web(), needs=wanted)
    assert (found.applications, found.unread) == ((), ())
    assert (await cluster.observe(target.web())).applications == ()


async def test_reports_are_made_from_it(cluster: KubernetesCluster, target: Target) -> None:
    await target.fill(SHOP)
    await target.fill(CRASH)
    found = await cluster.observe(target.web(), events=True)
    status = status_report(found, found.at)
    assert (status.headline.key, status.headline.args["cause"]) == ("status.degraded", "cause.crash_loop")
    assert events_report(found, found.at).headline.key == "events.warnings"
    assert (
        status_report(await cluster.observe(target.web("StatefulSet", "db")), found.at).headline.key == "status.healthy"
    )
    assert (
        status_report(await cluster.observe(target.web("DaemonSet", "agent")), found.at).headline.key
        == "status.healthy"
    )


async def test_pods_of_others_under_the_same_labels_are_left_out(cluster: KubernetesCluster, target: Target) -> None:
    await target.fill(SHOP)
    # Without the hash of a template: a ReplicaSet would take a pod that fits it for its own.
    labels = {"app": "web"}
    stray = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "stray", "namespace": "shop", "labels": labels},
        "spec": {"containers": [{"name": "x", "image": "reg/x:1"}]},
    }
    await target.fill({"objects": [stray]})
    assert "stray" not in {pod["metadata"]["name"] for pod in (await cluster.observe(target.web())).pods}


async def test_a_node_comes_with_the_pods_on_it(cluster: KubernetesCluster, target: Target) -> None:
    await target.fill(SHOP)
    name = (await cluster.observe(target.web())).pods[0]["spec"]["nodeName"]
    node = Entity("test", "", "Node", name, name)
    found = await cluster.observe(node, events=True)
    assert "pods" not in found.unread
    assert {pod["spec"]["nodeName"] for pod in found.pods} == {name}
    # A DaemonSet has a pod on each node, whatever else is there.
    assert "agent" in {pod["metadata"]["labels"].get("app") for pod in found.pods}
    assert status_report(found, found.at).headline.key == "node.ready"
    await target.cordon(name, on=True)
    try:
        found = await cluster.observe(node)
        assert status_report(found, found.at).headline.key == "node.cordoned"
    finally:
        await target.cordon(name, on=False)


async def test_a_node_comes_with_what_stands_around_it(cluster: KubernetesCluster, target: Target) -> None:
    await target.fill(SHOP)
    name = (await cluster.observe(target.web())).pods[0]["spec"]["nodeName"]
    node = Entity("test", "", "Node", name, name)
    found = await cluster.observe(node, needs=frozenset({"room"}))
    assert {one["metadata"]["name"] for one in found.nodes} >= set(target.nodes) - {name}
    assert name not in {one["metadata"]["name"] for one in found.nodes}
    elsewhere = {pod["spec"]["nodeName"] for pod in found.elsewhere}
    assert elsewhere >= set(target.nodes) - {name}  # the DaemonSet's
    assert name not in elsewhere
    there = {pod["metadata"]["namespace"] for pod in found.pods}
    if found.unread:  # the account that the README describes sees budgets of its namespace alone
        assert found.unread == ("budgets:403",)
    else:
        assert "web" in {one["metadata"]["name"] for one in found.budgets}
        assert {one["metadata"]["namespace"] for one in found.budgets} <= there
    assert (await cluster.observe(node)).elsewhere == ()


async def test_what_is_gone_is_not_found(cluster: KubernetesCluster, target: Target) -> None:
    await target.fill(SHOP)
    for entity in (target.web(name="nope"), target.web("StatefulSet")):
        with pytest.raises(NotFound):
            await cluster.read(entity)
        with pytest.raises(NotFound):
            await cluster.observe(entity)


@pytest.mark.parametrize("name", ["../../nodes/node-1", "..", "", "a/b", "--server=x"])
async def test_no_name_leads_elsewhere(cluster: KubernetesCluster, target: Target, sandbox: Sandbox, name: str) -> None:
    await target.fill(SHOP)
    with pytest.raises((Refused, NotFound)):
        await cluster.read(target.web(name=name))


async def test_what_is_not_permitted_is_unread_and_the_rest_is_there(
    cluster: KubernetesCluster, target: Target, sandbox: Sandbox
) -> None:
    await target.fill(SHOP)
    sandbox.access.deny(verb="list", resource="horizontalpodautoscalers")
    sandbox.access.deny(verb="list", resource="replicasets")
    found = await cluster.observe(target.web())
    assert found.unread == ("autoscalers:403", "replica_sets:403")
    assert len(found.pods) == 2
    assert len(found.budgets) == 1


async def test_the_workload_itself_must_be_readable(
    cluster: KubernetesCluster, target: Target, sandbox: Sandbox
) -> None:
    await target.fill(SHOP)
    sandbox.access.deny(verb="get", resource="deployments")
    with pytest.raises(Refused) as refused:
        await cluster.observe(target.web())
    assert (refused.value.status, refused.value.reason) == (403, "Forbidden")
    assert "chatops-bot" in refused.value.message


async def test_a_read_outlives_passing_trouble(cluster: KubernetesCluster, target: Target, sandbox: Sandbox) -> None:
    await target.fill(SHOP)
    sandbox.faults.fail(503, count=1, method="GET")
    assert (await cluster.read(target.web()))["metadata"]["name"] == "web"
    sandbox.faults.reset(count=1, method="GET")
    assert (await cluster.read(target.web()))["metadata"]["name"] == "web"


async def test_a_read_gives_up_within_bounds(cluster: KubernetesCluster, target: Target, sandbox: Sandbox) -> None:
    await target.fill(SHOP)
    before = len(sandbox.requests)
    sandbox.faults.fail(503, count=99, method="GET")
    with pytest.raises(ClusterUnavailable) as lost:
        await cluster.read(target.web())
    assert lost.value.status == 503
    assert len(sandbox.requests) - before == 3


async def test_a_cluster_that_is_away_is_unavailable_and_comes_back(
    cluster: KubernetesCluster, target: Target, sandbox: Sandbox
) -> None:
    await target.fill(SHOP)
    sandbox.down = True
    with pytest.raises(ClusterUnavailable) as lost:
        await cluster.observe(target.web())
    assert lost.value.not_sent
    sandbox.down = False
    assert (await cluster.observe(target.web())).unread == ()


async def test_access_is_asked_for_the_bot_itself(cluster: KubernetesCluster, target: Target, sandbox: Sandbox) -> None:
    await target.fill(SHOP)
    scaling = Permission(group="apps", resource="deployments", verb="patch")
    assert await cluster.allowed(scaling, namespace="shop", name="web")
    sandbox.access.deny(verb="patch", resource="deployments", namespace="shop")
    assert not await cluster.allowed(scaling, namespace="shop", name="web")
    assert await cluster.allowed(scaling, namespace="other")


async def test_the_bot_knows_who_it_is(cluster: KubernetesCluster, target: Target) -> None:
    assert await cluster.whoami() == target.user


async def test_nobody_is_not_somebody(target: Target) -> None:
    nameless = KubernetesCluster("test", target.nameless(), clock=TestClock())
    with pytest.raises(Refused, match="system:anonymous") as refused:
        await nameless.whoami()
    assert refused.value.reason == "Anonymous"
    await nameless.close()


async def test_workloads_are_those_of_the_served_namespaces_and_the_nodes(
    cluster: KubernetesCluster, target: Target
) -> None:
    await target.fill(SHOP)
    found = await cluster.workloads()
    assert {entity.target for entity in found if entity.kind != "Node"} == {
        "deployment/web", "statefulset/db", "daemonset/agent",
    }  # fmt: skip
    assert {entity.environment for entity in found} == {"dev"}
    for node in target.nodes:
        assert Entity("test", "", "Node", node, node, "dev") in found


async def test_nodes_that_may_not_be_listed_are_left_out(
    cluster: KubernetesCluster, target: Target, sandbox: Sandbox
) -> None:
    await target.fill(SHOP)
    sandbox.access.deny(resource="nodes")
    assert {entity.kind for entity in await cluster.workloads()} == {"Deployment", "StatefulSet", "DaemonSet"}


async def test_a_closed_cluster_answers_nothing(target: Target) -> None:
    closed = KubernetesCluster("test", target.connection(), clock=TestClock())
    await closed.close()
    with pytest.raises(ClusterUnavailable):
        await closed.read(target.web())
