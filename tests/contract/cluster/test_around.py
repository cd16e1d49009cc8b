"""A diagnosis's pass: what it brings beside the workload's own parts, by how many reads, and what it leaves alone."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from chatops_bot.adapters.kubernetes import KubernetesCluster
from chatops_bot.adapters.sandbox.sandbox import Sandbox
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.objects import name_of, uid_of
from chatops_bot.domain.observed import Need, Observed
from chatops_bot.ports.cluster import READS, NotFound, Refused
from tests.contract.cluster.targets import SandboxTarget, Target

DIAGNOSIS: frozenset[Need] = frozenset({"diagnosis"})
WEB: dict[str, Any] = {
    "kind": "Deployment",
    "namespace": "shop",
    "name": "web",
    "replicas": 2,
    "image": "reg/web:2",
    "hpa": {"min": 2, "max": 8},
    "pdb": {"min_available": 1},
}
NAMES_FAIL = "starting\ndial tcp: lookup redis on 10.96.0.10:53: no such host\n"


def manifest(kind: str, version: str, name: str, **parts: Any) -> dict[str, Any]:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, "namespace": "shop"}, **parts}


def service(name: str, **selector: str) -> dict[str, Any]:
    return manifest("Service", "v1", name, spec={"selector": selector, "ports": [{"port": 80}]})


def ingress(name: str, backend: str) -> dict[str, Any]:
    target = {"service": {"name": backend, "port": {"number": 80}}}
    return manifest("Ingress", "networking.k8s.io/v1", name, spec={"defaultBackend": target})


AROUND: list[dict[str, Any]] = [
    service("web", app="web"),
    service("near", app="web", tier="front"),
    service("api", app="api"),
    service("far", app="api", tier="front"),
    ingress("edge", "web"),
    ingress("other", "api"),
    manifest("NetworkPolicy", "networking.k8s.io/v1", "quiet", spec={"podSelector": {}, "policyTypes": ["Ingress"]}),
]


def names(rows: tuple[Any, ...]) -> list[str]:
    return sorted(name_of(row) for row in rows)


async def diagnosed(cluster: KubernetesCluster, entity: Entity) -> Observed:
    return await cluster.observe(entity, events=True, needs=DIAGNOSIS)


async def crash(target: Target, logs: str = NAMES_FAIL) -> None:
    await target.fill({"workloads": [{**WEB, "logs": logs}]})
    staged = {"kind": "Deployment", "namespace": "shop", "name": "web", "pods": ["CrashLoopBackOff"]}
    await target.fill({"workloads": [staged]})


async def test_what_routes_to_a_service_comes_with_it(cluster: KubernetesCluster, target: Target) -> None:
    await target.fill({"workloads": [WEB], "objects": AROUND})
    await target.settle()
    found = await diagnosed(cluster, target.web())
    for _ in range(100):  # nothing says when the real controller has written the slices
        if any(len(row.get("endpoints") or ()) == 2 for row in found.around.slices):
            break
        await asyncio.sleep(0.05)
        found = await diagnosed(cluster, target.web())
    around = found.around
    assert names(around.services) == ["near", "web"]
    assert set(around.others or ()) >= {"api", "far"}
    assert names(around.ingresses) == ["edge"]
    assert "quiet" in names(around.network)
    slices = {row["metadata"]["labels"]["kubernetes.io/service-name"]: row for row in around.slices}
    assert set(slices) == {"near", "web"}
    assert len(slices["web"]["endpoints"]) == 2
    assert (len(found.pods), names(found.autoscalers), names(found.budgets)) == (2, ["web"], ["web"])
    if not isinstance(target, SandboxTarget):  # where the events of what is seeded are long forgotten
        assert {"ScalingReplicaSet", "SuccessfulCreate"} <= {event["reason"] for event in found.events}
    assert (around.logs, around.hosts, around.claims, around.skipped, found.unread) == ((), (), (), (), ())


async def test_the_config_maps_of_a_workload_come_without_what_is_in_them(
    cluster: KubernetesCluster, target: Target
) -> None:
    container = {
        "name": "app",
        "image": "reg/web:2",
        "envFrom": [{"configMapRef": {"name": "flags"}}],
        "env": [
            {"name": "A", "valueFrom": {"configMapKeyRef": {"name": "gone", "key": "a", "optional": True}}},
        ],
    }
    pod = {"containers": [container], "volumes": [{"name": "v", "configMap": {"name": "settings"}}]}
    template = {"metadata": {"labels": {"app": "web"}}, "spec": pod}
    spec = {"replicas": 0, "selector": {"matchLabels": {"app": "web"}}, "template": template}
    maps = [manifest("ConfigMap", "v1", name, data={"key": "hunter2"}) for name in ("flags", "settings", "another")]
    await target.fill({"objects": [*maps, manifest("Deployment", "apps/v1", "web", spec=spec)]})
    found = await cluster.observe(target.web(), needs=frozenset({"configuration"}))
    assert names(found.config_maps) == ["flags", "settings"]
    assert all(row["metadata"]["creationTimestamp"] for row in found.config_maps)
    assert "hunter2" not in str(found)
    assert not (await cluster.observe(target.web())).config_maps


async def test_without_the_need_nothing_of_it_is_read(cluster: KubernetesCluster, target: Target) -> None:
    await target.fill({"workloads": [WEB], "objects": AROUND})
    found = await cluster.observe(target.web(), events=True)
    assert found.around.services == ()
    assert found.around.others is None


async def test_a_plan_reads_no_more_for_it(cluster: KubernetesCluster, target: Target, sandbox: Sandbox) -> None:
    await target.fill({"workloads": [WEB], "objects": AROUND})
    await cluster.observe(target.web())
    before = len(sandbox.requests)
    await cluster.observe(target.web())
    read = sorted(request.resource for request in sandbox.requests[before:])
    assert read == ["deployments", "horizontalpodautoscalers", "poddisruptionbudgets", "pods", "replicasets"]


async def test_of_more_pods_than_are_read_it_is_said(
    cluster: KubernetesCluster, target: Target, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chatops_bot.adapters.kubernetes.lists.PAGE", 1)
    await target.fill({"workloads": [{**WEB, "replicas": 6}]})
    found = await diagnosed(cluster, target.web())
    assert (len(found.pods), found.unread) == (4, ("pods:>4",))
    assert found.object["status"]["readyReplicas"] == 6


async def test_a_crash_comes_with_its_last_words_and_its_node(cluster: KubernetesCluster, target: Target) -> None:
    await target.fill({"workloads": [WEB], "objects": AROUND})
    await crash(target)
    found = await diagnosed(cluster, target.web())
    (log,) = found.around.logs
    crashed = next(pod for pod in found.pods if name_of(pod) == log.pod)
    assert log.previous
    assert "no such host" in log.text
    assert names(found.around.hosts) == [crashed["spec"]["nodeName"]]
    assert "BackOff" in {event["reason"] for event in found.events}
    # The log speaks of names, so there was a look at who answers for them; not everybody may take it.
    assert found.unread in ((), ("dns:403",))


async def test_what_routes_to_it_comes_before_the_events_of_its_healthy_pods(
    cluster: KubernetesCluster, target: Target
) -> None:
    await target.fill({"workloads": [WEB], "objects": AROUND})
    await crash(target)
    await cluster.installed("Rollout")  # as whoever watches the cluster asks: what is known costs no read
    around = (await diagnosed(cluster, target.web())).around
    assert (names(around.ingresses), around.skipped) == (["edge"], ())


async def test_a_pod_of_others_under_its_labels_is_a_neighbour(cluster: KubernetesCluster, target: Target) -> None:
    other = {**WEB, "name": "twin", "replicas": 1}
    await target.fill({"workloads": [WEB, other]})
    stray = manifest("Pod", "v1", "stray", spec={"containers": [{"name": "x", "image": "reg/x:1"}]})
    owner = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "twin", "controller": True}
    stray["metadata"] |= {"labels": {"app": "web"}, "ownerReferences": [owner]}
    owner["uid"] = uid_of(await cluster.read(target.web(name="twin")))
    await target.fill({"objects": [stray]})
    found = await diagnosed(cluster, target.web())
    assert names(found.around.neighbours) == ["stray"]
    assert "stray" not in names(found.pods)


async def test_a_pod_that_waits_for_its_volume_comes_with_the_claim(cluster: KubernetesCluster, target: Target) -> None:
    spec = {"accessModes": ["ReadWriteOnce"], "storageClassName": "nope"}
    claim = manifest(
        "PersistentVolumeClaim", "v1", "data", spec={**spec, "resources": {"requests": {"storage": "1Gi"}}}
    )
    volume = {"name": "v", "persistentVolumeClaim": {"claimName": "data"}}
    container = {"name": "main", "image": "reg/db:1"}
    template = {"metadata": {"labels": {"app": "db"}}, "spec": {"containers": [container], "volumes": [volume]}}
    workload = {"replicas": 1, "selector": {"matchLabels": {"app": "db"}}, "template": template}
    await target.fill({"objects": [claim, manifest("Deployment", "apps/v1", "db", spec=workload)]})
    if isinstance(target, SandboxTarget):  # its scheduler knows no volumes
        await target.fill({"workloads": [{**WEB, "name": "db", "pods": ["Pending", "Running"]}]})
    await target.settle()
    found = await diagnosed(cluster, target.web(name="db"))
    assert names(found.around.claims) == ["data"]
    assert found.unread in ((), ("classes:403",))


async def test_it_costs_no_more_reads_than_it_may(cluster: KubernetesCluster, target: Target, sandbox: Sandbox) -> None:
    await target.fill({"workloads": [{**WEB, "replicas": 4}], "objects": AROUND})
    counts = {}
    for state in ("Running", "CrashLoopBackOff", "ImagePullBackOff", "Pending", "NotReady", "Evicted", "Terminating"):
        staged = {"kind": "Deployment", "namespace": "shop", "name": "web", "logs": NAMES_FAIL}
        await target.fill({"workloads": [{**staged, "pods": [state, "OOMKilled", state]}]})
        before = len(sandbox.requests)
        found = await diagnosed(cluster, target.web())
        counts[state] = len(sandbox.requests) - before
        assert found.unread == ()
    assert max(counts.values()) <= READS <= 15, counts
    assert min(counts.values()) >= 12, counts


async def test_a_large_namespace_costs_no_more(cluster: KubernetesCluster, target: Target, sandbox: Sandbox) -> None:
    others = [{**WEB, "name": f"other-{number}", "hpa": {"min": 1, "max": 2}} for number in range(60)]
    await target.fill(
        {"workloads": [{**WEB, "hpa": {"min": 40, "max": 50}, "replicas": 40}, *others], "objects": AROUND}
    )
    before = len(sandbox.requests)
    found = await diagnosed(cluster, target.web())
    assert len(sandbox.requests) - before <= READS
    assert len(found.pods) == 40
    assert not any("managedFields" in row["metadata"] for row in (*found.pods, *found.events, *found.replica_sets))


async def test_what_is_late_or_refused_is_named_and_the_rest_is_there(
    cluster: KubernetesCluster, target: Target, sandbox: Sandbox
) -> None:
    await target.fill({"workloads": [WEB], "objects": AROUND})
    sandbox.access.deny(verb="list", resource="ingresses")
    sandbox.access.deny(verb="list", resource="endpointslices")
    sandbox.faults.fail(429, count=3, path="/networkpolicies", retry_after=0)
    found = await diagnosed(cluster, target.web())
    assert found.unread == ("ingresses:403", "network:429", "slices:403")
    assert names(found.around.services) == ["near", "web"]
    assert len(found.pods) == 2


async def test_services_that_cannot_be_listed_are_not_taken_for_missing(
    cluster: KubernetesCluster, target: Target, sandbox: Sandbox
) -> None:
    await target.fill({"workloads": [WEB], "objects": AROUND})
    sandbox.access.deny(verb="list", resource="services")
    found = await diagnosed(cluster, target.web())
    assert (found.around.services, found.around.others) == ((), None)
    assert found.unread == ("services:403",)


async def test_of_some_of_the_services_it_is_not_told_that_another_is_missing(
    cluster: KubernetesCluster, target: Target, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chatops_bot.adapters.kubernetes.lists.PAGE", 2)
    await target.fill(
        {"workloads": [WEB], "objects": [service(f"a-{number}", app=f"a-{number}") for number in range(9)]}
    )
    found = await diagnosed(cluster, target.web())
    assert (found.around.others, found.unread) == (None, ("services:>8",))


async def test_a_namespace_that_is_not_the_bots_is_refused(cluster: KubernetesCluster, target: Target) -> None:
    await target.fill({"workloads": [{**WEB, "namespace": "other"}]})
    if isinstance(target, SandboxTarget):
        target.sandbox.access.authorizer = lambda access: access.namespace != "other"
    with pytest.raises(Refused) as refused:
        await diagnosed(cluster, target.web(namespace="other"))
    assert refused.value.status == 403


async def test_a_slow_list_does_not_hold_up_the_others(
    cluster: KubernetesCluster, target: Target, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    await target.fill({"workloads": [WEB], "objects": AROUND})
    monkeypatch.setattr("chatops_bot.adapters.kubernetes.surveying.FIRST_S", 0.3)
    sandbox.faults.hang(count=9, path="/services")
    found = await diagnosed(cluster, target.web())
    sandbox.faults.clear()
    assert found.unread == ("services:timeout",)
    assert len(found.pods) == 2
    assert names(found.around.network) == ["quiet"]


async def test_no_more_than_four_reads_are_under_way(
    cluster: KubernetesCluster, target: Target, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    await target.fill({"workloads": [WEB], "objects": AROUND})
    going, most = 0, 0

    async def slowly(_: object) -> None:
        nonlocal going, most
        going += 1
        most = max(most, going)
        await asyncio.sleep(0.02)
        going -= 1

    monkeypatch.setattr(sandbox.faults, "before", slowly)
    assert (await diagnosed(cluster, target.web())).unread == ()
    assert most == 4


async def test_usage_is_read_where_there_is_a_metrics_api(
    cluster: KubernetesCluster, target: Target, sandbox: Sandbox
) -> None:
    await target.fill({"workloads": [WEB]})
    found = await diagnosed(cluster, target.web())
    assert (found.around.usage, found.unread) == ((), ())
    pod = name_of(found.pods[0])
    figures = [{"name": "web", "usage": {"cpu": "480m", "memory": "90Mi"}}]
    metrics = [manifest("PodMetrics", "metrics.k8s.io/v1beta1", name, containers=figures) for name in (pod, "stray")]
    for row in metrics:
        row["metadata"]["labels"] = {"app": "web"}
    await target.fill({"objects": metrics})
    assert names((await diagnosed(cluster, target.web())).around.usage) == [pod]
    sandbox.faults.fail(503, count=3, path="metrics.k8s.io")
    assert (await diagnosed(cluster, target.web())).unread == ("usage:503",)


async def test_a_log_that_cannot_be_read_is_named(cluster: KubernetesCluster, target: Target, sandbox: Sandbox) -> None:
    await crash(target)
    sandbox.access.deny(resource="pods/log")
    found = await diagnosed(cluster, target.web())
    assert (found.around.logs, found.unread) == ((), ("logs:403",))
    sandbox.access.clear()
    sandbox.faults.fail(404, path="/log")  # the pod went while it was read
    assert (await diagnosed(cluster, target.web())).unread == ("logs:404",)


async def test_a_workload_that_goes_meanwhile_is_not_found(
    cluster: KubernetesCluster, target: Target, sandbox: Sandbox
) -> None:
    await target.fill({"workloads": [WEB]})
    await target.remove("Deployment", "web")
    with pytest.raises(NotFound):
        await diagnosed(cluster, target.web())


async def test_an_account_that_sees_its_namespace_alone_gets_all_of_that(
    cluster: KubernetesCluster, target: Target, sandbox: Sandbox
) -> None:
    sandbox.access.authorizer = lambda access: access.namespace == "shop"
    await crash(target)
    found = await diagnosed(cluster, target.web())
    assert found.unread == ("dns:403", "hosts:403")
    assert len(found.around.logs) == 1
