"""Healthy states that look odd: each is somebody's false alarm. Nothing in them is more than information."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chatops_bot.domain.diagnosis import status_report
from chatops_bot.domain.observed import Around, Observed, Raw
from tests.unit.domain.cluster_objects import NOW, ago, entity, workload
from tests.unit.domain.diagnosis.recorded import (
    HASH,
    OLD_HASH,
    event,
    examined,
    node,
    pod,
    revisions,
    running,
    scene,
    terminated,
    waiting,
)
from tests.unit.domain.diagnosis.surrounding import (
    around,
    cpu_at,
    cron,
    hpa,
    ingress,
    job,
    pdb,
    policy,
    service,
    slices,
    usage,
)

State = tuple[list[Raw], dict[str, Any]]


def young_rollout() -> State:
    """Half of the pods are new and not ready yet, one is being created."""
    obj = workload(replicas=3, ready=2)
    obj["metadata"]["annotations"] = {"deployment.kubernetes.io/revision": "8"}
    row = {"type": "Progressing", "status": "True", "reason": "ReplicaSetUpdated", "lastUpdateTime": ago(20)}
    obj["status"] |= {"updatedReplicas": 2, "availableReplicas": 2, "replicas": 4, "conditions": [row]}
    old = [pod(f"web-{OLD_HASH}-a"), pod(f"web-{OLD_HASH}-b")]
    for one in old:
        one["metadata"]["labels"]["pod-template-hash"] = OLD_HASH
    made = waiting("ContainerCreating")
    new = [pod(f"web-{HASH}-a", running(15, ready=False), age=20), pod(f"web-{HASH}-b", made, age=5, phase="Pending")]
    ready = around(service(), slices=(slices("web", True, True, False),))
    return [*old, *new], {"obj": obj, "replica_sets": revisions(20), "around": ready}


def native_sidecar() -> State:
    found = pod()
    found["spec"]["initContainers"] = [{"name": "proxy", "restartPolicy": "Always"}, {"name": "migrate"}]
    found["status"]["initContainerStatuses"] = [
        running(name="proxy"),
        running(name="migrate", ready=True, started=False, state=terminated(0, "Completed", seconds=3500)),
    ]
    return [found, pod("web-b")], {}


def old_restarts() -> State:
    return [pod("web-a", running(restartCount=41, lastState=terminated(137, seconds=90_000))), pod("web-b")], {}


def recent_clean_restart() -> State:
    return [pod("web-a", running(600, restartCount=1, lastState=terminated(143, seconds=601))), pod("web-b")], {}


def leftovers() -> State:
    """Pods of an earlier revision that have ended, their node long since at ease."""
    done = pod(f"web-{OLD_HASH}-z", running(ready=False, state=terminated(0, "Completed")), phase="Succeeded")
    return [pod("web-a"), pod("web-b"), done], {"obj": workload(replicas=2)}


def within_grace() -> State:
    going = pod("web-c")
    going["metadata"] |= {"deletionTimestamp": ago(-20), "deletionGracePeriodSeconds": 30}
    return [pod("web-a"), pod("web-b"), going], {"obj": workload(replicas=2)}


def completed_job() -> State:
    done = job("migrate", ("SuccessCriteriaMet", "CompletionsReached", ""), ("Complete", "CompletionsReached", ""))
    done["status"] |= {"failed": 2, "succeeded": 1, "completionTime": ago(100)}
    return [], {"kind": "Job", "obj": done}


def cron_between_runs() -> State:
    jobs = tuple(job(f"backup-{n}", ("Complete", "", ""), age=n * 3600, succeeded=1) for n in (1, 2, 3))
    return [], {"kind": "CronJob", "obj": cron(success=3000, started=3100), "around": Around(jobs=jobs)}


def autoscaler_at_minimum() -> State:
    low = hpa(
        ("AbleToScale", "True", "ReadyForNewScale", "recommended size matches current size"),
        ("ScalingActive", "True", "ValidMetricFound", "the HPA was able to compute the replica count"),
        ("ScalingLimited", "True", "TooFewReplicas", "the desired replica count is less than the minimum"),
        **cpu_at(3),
    )
    return [pod("web-a"), pod("web-b")], {"autoscalers": (low,)}


def autoscaler_at_maximum_by_choice() -> State:
    """As many as it may have, and no more wanted."""
    high = hpa(("ScalingLimited", "False", "DesiredWithinRange", ""), desiredReplicas=10, currentReplicas=10)
    return [pod("web-a"), pod("web-b")], {"autoscalers": (high,)}


def autoscaler_just_made() -> State:
    new = hpa()
    new["status"] = {"currentMetrics": None, "desiredReplicas": 0}
    return [pod("web-a"), pod("web-b")], {"autoscalers": (new,)}


def at_zero_on_purpose() -> State:
    off = hpa(("ScalingActive", "False", "ScalingDisabled", "the replica count of the target is zero"))
    nobody = around(service(), slices=(slices("web"),), ingresses=(ingress(("/", "web", 80)),))
    return [], {"obj": workload(replicas=0), "autoscalers": (off,), "around": nobody}


def services_of_operators() -> State:
    """Headless, without a selector, and a name for something outside."""
    odd = (
        service(),
        service("web-headless", clusterIP="None", publishNotReadyAddresses=True),
        service("web-leader", {}),
        service("web-db", {}, type="ExternalName", externalName="db.example.com", ports=None),
    )
    empty = (slices("web", True, True), slices("web-headless"), slices("web-leader"))
    return [pod("web-a"), pod("web-b")], {"around": around(*odd, slices=empty)}


def neighbours_service_at_zero() -> State:
    """Of another workload of the same application, which nobody runs at the moment."""
    theirs = service("worker", {"app": "web", "tier": "worker"})
    return [pod("web-a"), pod("web-b")], {"around": around(service(), theirs, slices=(slices("web", True, None),))}


def endpoints_without_target() -> State:
    """Addresses that name no pod, and conditions left out."""
    found = slices("web", None, True)
    found["endpoints"][0]["targetRef"] = None
    return [pod("web-a"), pod("web-b")], {"around": around(service(), slices=(found,))}


def ingress_of_a_cloud() -> State:
    """Default backend alone, a bucket, no name of a certificate, a class that is no object."""
    found = ingress(
        defaultBackend={"service": {"name": "web", "port": {"number": 80}}},
        tls=[{"hosts": None}],
        ingressClassName=None,
    )
    found["metadata"]["annotations"] = {"kubernetes.io/ingress.class": "gce"}
    bucket = ingress(defaultBackend={"resource": {"kind": "StorageBucket", "name": "static"}})
    return [pod("web-a"), pod("web-b")], {"around": around(service(), ingresses=(found, bucket))}


def default_deny_with_rules() -> State:
    network = (
        policy(policyTypes=["Ingress", "Egress"]),
        policy("web", {"matchLabels": {"app": "web"}}, ingress=[{"ports": [{"port": 8080}]}]),
        policy("dns", egress=[{"ports": [{"port": 53, "protocol": "UDP"}]}]),
    )
    return [pod("web-a"), pod("web-b")], {"around": around(service(), network=network)}


def busy_within_its_means() -> State:
    """One pod of three at its CPU limit for a moment, a cache that fills its memory as it should."""
    pods = [pod("web-a"), pod("web-b"), pod("web-c")]
    for one in pods:
        one["spec"]["containers"][0]["resources"]["limits"] = {"cpu": "500m", "memory": "1Gi"}
    used = (usage("web-a", cpu="499m", memory="900Mi"), usage("web-b"), usage("web-c"))
    return pods, {"around": around(service(), usage=used)}


def budget_in_use() -> State:
    """One pod may go, none while the other is being replaced."""
    return [pod("web-a"), pod("web-b")], {"budgets": (pdb(disruptionsAllowed=0, currentHealthy=1, desiredHealthy=1),)}


def single_with_budget() -> State:
    one = pdb(currentHealthy=1, desiredHealthy=1, expectedPods=1)
    return [pod()], {"budgets": (one,), "around": around(service())}


def odd_node() -> State:
    """A condition of another's making that is True in health."""
    return [pod("web-a"), pod("web-b")], {"around": Around(hosts=(node(),))}


def nothing_written() -> State:
    """Statuses that are not there yet, and numbers that mean zero."""
    bare = workload(replicas=2)
    bare["status"] = {"observedGeneration": 2, "conditions": None}
    bare["status"] |= {"replicas": 2, "updatedReplicas": 2, "availableReplicas": 2, "readyReplicas": 2}
    lean = pdb()
    lean["status"] = {}
    return [pod("web-a"), pod("web-b")], {"obj": bare, "budgets": (lean,)}


def partitioned_set() -> State:
    """A canary by partition: two revisions side by side, by intent."""
    obj = workload("StatefulSet", 3, serviceName="web", updateStrategy={"rollingUpdate": {"partition": 2}})
    obj["status"] |= {"currentRevision": "web-a", "updateRevision": "web-b", "updatedReplicas": 1}
    pods = [pod(f"web-{n}") for n in range(3)]
    for number, one in enumerate(pods):
        one["metadata"]["labels"] = {"app": "web", "controller-revision-hash": "web-b" if number == 2 else "web-a"}
    return pods, {"kind": "StatefulSet", "obj": obj, "around": around(service("web", clusterIP="None"))}


def daemon_for_no_node() -> State:
    return [], {"kind": "DaemonSet", "obj": workload("DaemonSet", 0)}


def old_events() -> State:
    """Trouble of an hour and a half ago."""
    told = (
        event("Unhealthy", "Liveness probe failed: HTTP 503", seconds=5400),
        event("FailedCreate", "x", seconds=9000),
    )
    return [pod("web-a"), pod("web-b")], {"events": told}


HEALTHY: tuple[Callable[[], State], ...] = (
    young_rollout,
    native_sidecar,
    old_restarts,
    recent_clean_restart,
    leftovers,
    within_grace,
    completed_job,
    cron_between_runs,
    autoscaler_at_minimum,
    autoscaler_at_maximum_by_choice,
    autoscaler_just_made,
    at_zero_on_purpose,
    services_of_operators,
    neighbours_service_at_zero,
    endpoints_without_target,
    ingress_of_a_cloud,
    default_deny_with_rules,
    busy_within_its_means,
    budget_in_use,
    single_with_budget,
    odd_node,
    nothing_written,
    partitioned_set,
    daemon_for_no_node,
    old_events,
)


@pytest.mark.parametrize("state", HEALTHY, ids=lambda state: state.__name__)
def test_no_false_alarm(state: Callable[[], State]) -> None:
    pods, parts = state()
    found = examined(*pods, **parts)
    assert [
        (one.code, one.severity) for one in found.findings if one.severity != "info" and one.code != "startup"
    ] == []
    assert not any(one.hard for one in found.findings if one.code == "startup")


@pytest.mark.parametrize("state", HEALTHY, ids=lambda state: state.__name__)
def test_no_alarming_verdict(state: Callable[[], State]) -> None:
    pods, parts = state()
    observed: Observed = scene(*pods, **parts).observed
    report = status_report(observed, NOW)
    assert report.tone in ("ok", "info", "muted"), report.headline
    assert observed.entity == entity(observed.entity.kind)
