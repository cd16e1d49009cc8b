"""What is asked for by its bare name: pods, Jobs and CronJobs, what they belong to, and what is said about them."""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.adapters.kubernetes import KubernetesCluster
from chatops_bot.adapters.sandbox.sandbox import Sandbox
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.objects import name_of
from chatops_bot.domain.observed import LogQuery, Need
from chatops_bot.ports.cluster import NotFound, Refused
from tests.contract.cluster.targets import SandboxTarget, Target, TestClock

DIAGNOSIS: frozenset[Need] = frozenset({"diagnosis"})
POD = {"spec": {"restartPolicy": "Never", "containers": [{"name": "main", "image": "reg/job:1"}]}}


def manifest(kind: str, name: str, spec: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    placed = {"name": name, "namespace": "shop", **metadata}
    return {"apiVersion": "batch/v1", "kind": kind, "metadata": placed, "spec": spec}


def workload(kind: str, name: str, namespace: str = "shop") -> dict[str, Any]:
    return {"kind": kind, "namespace": namespace, "name": name, "replicas": 1, "image": "reg/x:1"}


async def nightly(cluster: KubernetesCluster, target: Target) -> None:
    """A CronJob that is not due, with a Job of its and one of nobody's."""
    cron = {"schedule": "0 3 1 1 *", "jobTemplate": {"spec": {"template": POD}}}
    await target.fill({"objects": [manifest("CronJob", "nightly", cron), manifest("Job", "once", {"template": POD})]})
    uid = (await cluster.read(target.web("CronJob", "nightly")))["metadata"]["uid"]
    owner = {"apiVersion": "batch/v1", "kind": "CronJob", "name": "nightly", "uid": uid, "controller": True}
    job = manifest("Job", "nightly-1", {"template": POD}, ownerReferences=[owner])
    await target.fill({"objects": [job]})
    await target.settle()


@pytest.mark.parametrize("sort", ["Deployment", "StatefulSet", "DaemonSet"])
async def test_a_pod_is_found_with_the_workload_that_it_belongs_to(
    cluster: KubernetesCluster, target: Target, sort: EntityKind
) -> None:
    seeds = [workload(sort, "web"), workload("Deployment", "web", "other")]
    for seed in seeds:
        if seed["kind"] == "DaemonSet":
            del seed["replicas"]
    await target.fill({"workloads": seeds})
    pod = (await cluster.observe(target.web(sort))).pods[0]
    (found,) = await cluster.find("Pod", name_of(pod))
    assert (found.entity.kind, found.entity.workload) == ("Pod", name_of(pod))
    assert found.entity.namespace == target.spaces["shop"]
    assert found.owner is not None
    assert (found.owner.kind, found.owner.workload, found.owner.environment) == (sort, "web", "dev")
    assert await cluster.find("Pod", name_of(pod), "elsewhere") == []


async def test_nothing_is_found_by_half_a_name(cluster: KubernetesCluster, target: Target) -> None:
    await target.fill({"workloads": [workload("Deployment", "web")]})
    for name in ("we", "web-", "web*", "", "web,status.phase=Running", "../web"):
        assert await cluster.find("Pod", name) == []
        assert await cluster.find("Deployment", name) == []
    assert [one.entity.target for one in await cluster.find("Deployment", "web")] == ["deployment/web"]


async def test_a_job_comes_with_its_pods_and_its_cronjob(cluster: KubernetesCluster, target: Target) -> None:
    await nightly(cluster, target)
    (found,) = await cluster.find("Job", "nightly-1")
    assert found.owner is not None
    assert found.owner.target == "cronjob/nightly"
    (single,) = await cluster.find("Job", "once")
    assert single.owner is None
    seen = await cluster.observe(single.entity, events=True, needs=DIAGNOSIS)
    assert (seen.object["kind"], seen.object["apiVersion"]) == ("Job", "batch/v1")
    assert {pod["metadata"]["labels"]["batch.kubernetes.io/job-name"] for pod in seen.pods} == {"once"}
    assert "SuccessfulCreate" in {event["reason"] for event in seen.events} or isinstance(target, SandboxTarget)
    assert (seen.around.services, seen.unread) == ((), ())
    (pod,) = await cluster.find("Pod", name_of(seen.pods[0]))
    assert pod.owner == single.entity


async def test_a_cronjob_comes_with_its_jobs_and_the_pods_of_the_newest(
    cluster: KubernetesCluster, target: Target
) -> None:
    await nightly(cluster, target)
    (found,) = await cluster.find("CronJob", "nightly")
    seen = await cluster.observe(found.entity, events=True, needs=DIAGNOSIS)
    assert [name_of(job) for job in seen.around.jobs] == ["nightly-1"]
    assert {pod["metadata"]["labels"]["batch.kubernetes.io/job-name"] for pod in seen.pods} == {"nightly-1"}
    assert seen.unread == ()


async def test_the_log_of_a_job_and_of_a_cronjob_is_that_of_their_pods(
    cluster: KubernetesCluster, target: Target
) -> None:
    await nightly(cluster, target)
    single = await cluster.logs(target.web("Job", "once"), LogQuery())
    assert single.pod.startswith("once-")
    assert single.text
    latest = await cluster.logs(target.web("CronJob", "nightly"), LogQuery(everyone=True))
    assert [name.rpartition("-")[0] for name in latest.pods] == ["nightly-1"]


async def test_a_pod_of_nobody_is_looked_at_alone(cluster: KubernetesCluster, target: Target) -> None:
    named = {"name": "bare", "namespace": "shop", "labels": {"app": "bare"}}
    bare = {"apiVersion": "v1", "kind": "Pod", "metadata": named, **POD}
    selecting = {"selector": {"app": "bare"}, "ports": [{"port": 80}]}
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "bare", "namespace": "shop"}}
    await target.fill({"objects": [bare, {**service, "spec": selecting}]})
    await target.settle()
    (found,) = await cluster.find("Pod", "bare")
    assert found.owner is None
    seen = await cluster.observe(found.entity, events=True, needs=DIAGNOSIS)
    assert [name_of(pod) for pod in seen.pods] == ["bare"]
    assert [name_of(row) for row in seen.around.services] == ["bare"]
    assert (await cluster.logs(found.entity, LogQuery())).pod == "bare"


@pytest.mark.parametrize("sort", ["Pod", "Job", "CronJob"])
async def test_what_is_gone_is_not_found(cluster: KubernetesCluster, target: Target, sort: EntityKind) -> None:
    entity = target.web(sort, "gone")
    with pytest.raises(NotFound):
        await cluster.observe(entity, needs=DIAGNOSIS)
    with pytest.raises(NotFound):
        await cluster.read(entity)
    with pytest.raises(NotFound):
        await cluster.logs(entity, LogQuery())


async def test_what_may_not_be_listed_anywhere_is_refused(
    cluster: KubernetesCluster, target: Target, sandbox: Sandbox
) -> None:
    sandbox.access.deny(resource="jobs")
    with pytest.raises(Refused):
        await cluster.find("Job", "once")


async def test_one_namespace_that_may_not_be_looked_into_hides_no_other(target: Target, sandbox: Sandbox) -> None:
    await target.fill({"workloads": [workload("Deployment", "web"), workload("Deployment", "web", "other")]})
    both = KubernetesCluster("test", target.connection(), clock=TestClock(), namespaces=("other", "shop"))
    assert [one.entity.namespace for one in await both.find("Deployment", "web")] == ["other", "shop"]
    sandbox.access.deny(verb="list", namespace="other")
    assert [one.entity.namespace for one in await both.find("Deployment", "web")] == ["shop"]
    everything = KubernetesCluster("test", target.connection(), clock=TestClock())
    assert len(await everything.find("Deployment", "web")) == 2
    for one in (both, everything):
        await one.close()


async def test_an_owner_that_cannot_be_told_is_not_guessed(
    cluster: KubernetesCluster, target: Target, sandbox: Sandbox
) -> None:
    await target.fill({"workloads": [workload("Deployment", "web")]})
    pod = (await cluster.observe(target.web())).pods[0]
    sandbox.access.deny(resource="replicasets")
    (found,) = await cluster.find("Pod", name_of(pod))
    assert found.owner is None
