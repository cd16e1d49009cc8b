"""What looks like trouble of a pod and is none: nothing is said of it, or it is said without alarm."""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.domain.observed import Around, Raw
from tests.unit.domain.cluster_objects import ago, workload
from tests.unit.domain.diagnosis.recorded import (
    HASH,
    OLD_HASH,
    alarms,
    codes,
    conditions,
    crashing,
    event,
    examined,
    http_probe,
    node,
    pending,
    pod,
    revisions,
    running,
    spoken,
    terminated,
    top,
    waiting,
    with_probe,
)

BAD = f"web-{HASH}-x2x4z"


@pytest.mark.parametrize("status", [running(10, ready=False), waiting("ContainerCreating"), waiting("PodInitializing")])
def test_a_young_pod_is_starting(status: Raw) -> None:
    assert codes(pod(BAD, status, age=20), pod("web-b")) == []


def test_a_pod_whose_probe_waits_first_is_starting() -> None:
    slow = with_probe(pod(BAD, running(100, ready=False), age=100), readinessProbe=http_probe(initialDelaySeconds=120))
    assert codes(slow) == []
    assert codes(with_probe(pod(BAD, running(200, ready=False), age=200), readinessProbe=http_probe())) == ["not_ready"]


def test_a_startup_probe_that_has_time_left_is_no_alarm() -> None:
    probe = http_probe(failureThreshold=60, periodSeconds=10)
    slow = with_probe(pod(BAD, running(180, ready=False, started=False), age=180), startupProbe=probe)
    told = event("Unhealthy", "Startup probe failed: connection refused")
    found = top(slow, pod("web-b"), events=(told,))
    assert (found.code, found.severity) == ("startup", "info")
    assert "has been starting for 3m; its startup probe allows 10m" in spoken(found.line)


def rolling(age: float) -> list[str]:
    moving = workload(replicas=2, ready=1)
    moving["status"] |= {"updatedReplicas": 1, "conditions": []}
    return alarms(pod(BAD, running(age, ready=False), age=age), pod("web-b"), obj=moving)


def test_a_new_pod_of_a_rollout_has_half_of_its_deadline() -> None:
    assert rolling(250) == []
    assert rolling(350) == ["not_ready"]


def test_a_pod_that_was_ready_before_is_no_new_pod_of_a_rollout() -> None:
    moving = workload(replicas=2, ready=1)
    moving["status"] |= {"updatedReplicas": 1, "conditions": []}
    lost = pod(BAD, running(250, ready=False), age=250)
    lost["status"]["conditions"] = conditions(60, ready=False)
    assert alarms(lost, pod("web-b"), obj=moving) == ["not_ready"]


def test_a_sidecar_that_runs_and_an_init_container_that_has_completed() -> None:
    fine = pod(BAD)
    fine["spec"]["initContainers"] = [
        {"name": "proxy", "image": "reg/proxy:1", "restartPolicy": "Always"},
        {"name": "migrate", "image": "reg/migrate:1"},
    ]
    fine["status"]["initContainerStatuses"] = [
        running(name="proxy"),
        running(name="migrate", ready=True, started=False, state=terminated(0, "Completed")),
    ]
    assert codes(fine) == []


def test_a_sidecar_that_breaks_later_holds_nothing_up() -> None:
    bad = pod(BAD)
    bad["spec"]["initContainers"] = [{"name": "proxy", "image": "reg/proxy:1", "restartPolicy": "Always"}]
    bad["status"]["initContainerStatuses"] = [{**crashing(1), "name": "proxy"}]
    assert codes(bad) == ["crash_loop"]


def test_an_init_container_may_take_some_minutes() -> None:
    slow = pod(BAD, waiting("PodInitializing"), age=180, phase="Pending")
    slow["spec"]["initContainers"] = [{"name": "migrate", "image": "reg/migrate:1"}]
    slow["status"]["initContainerStatuses"] = [running(180, name="migrate", ready=False)]
    assert codes(slow, pod("web-b")) == []


def test_old_restarts_are_history() -> None:
    old = running(90_000, restartCount=12, lastState=terminated(137, "OOMKilled", seconds=90_000))
    assert codes(pod(BAD, old)) == []
    recent = running(600, restartCount=1, lastState=terminated(1, seconds=600))
    assert (codes(pod(BAD, recent)), alarms(pod(BAD, recent))) == (["restarted"], [])


def leftover(reason: str, **more: Any) -> Raw:
    found = pod("web-gone", running(ready=False, state=terminated(137)), phase="Failed", reason=reason, **more)
    found["status"]["conditions"] = conditions(600, ready=False)
    return found


@pytest.mark.parametrize(
    "reason", ["NodeShutdown", "Terminated", "OutOfcpu", "NodeAffinity", "UnexpectedAdmissionError"]
)
def test_what_has_failed_and_was_replaced(reason: str) -> None:
    assert codes(leftover(reason), pod(BAD), obj=workload(replicas=1)) == []


def test_a_pod_that_nothing_replaces_is_told() -> None:
    alone = leftover("Error")
    del alone["metadata"]["ownerReferences"]
    assert "killed" in codes(alone, kind="Pod", obj=alone)


def test_what_has_completed() -> None:
    done = pod("web-done", running(ready=False, state=terminated(0, "Completed")), phase="Succeeded")
    assert codes(done, pod(BAD), obj=workload(replicas=1)) == []


def test_what_was_evicted_of_an_earlier_revision_or_long_ago() -> None:
    old = leftover("Evicted", message="The node was low on resource: memory.")
    old["metadata"]["labels"]["pod-template-hash"] = OLD_HASH
    assert codes(old, pod(BAD), replica_sets=revisions(), obj=workload(replicas=1)) == []
    before = leftover("Evicted", age=180_000)
    before["status"]["conditions"] = conditions(172_800, ready=False)
    before["status"]["containerStatuses"] = []
    assert codes(before, pod(BAD), obj=workload(replicas=1)) == []


def test_an_eviction_of_some_hours_ago_is_no_alarm() -> None:
    before = leftover("Evicted", age=18_000)
    before["status"]["conditions"], before["status"]["containerStatuses"] = conditions(14_400, ready=False), []
    assert codes(before, pod(BAD), obj=workload(replicas=1)) == ["evicted"]
    assert alarms(before, pod(BAD), obj=workload(replicas=1)) == []


@pytest.mark.parametrize("code", [0, 137, 143])
def test_containers_end_in_a_pod_that_is_told_to_go(code: int) -> None:
    going = pod(BAD, running(ready=False, state=terminated(code)))
    going["metadata"]["deletionTimestamp"] = ago(-20)
    assert codes(going, pod("web-b"), obj=workload(replicas=1)) == []


def test_a_probe_that_fails_now_and_then() -> None:
    fine = with_probe(pod(BAD), livenessProbe=http_probe(), readinessProbe=http_probe())
    rows = (event("Unhealthy", "Liveness probe failed: timeout"), event("Unhealthy", "Readiness probe failed: timeout"))
    assert codes(fine, events=rows) == []


def test_events_of_two_hours_ago_explain_nothing() -> None:
    now_well = pod(BAD, running(7200, restartCount=1, lastState=terminated(137, seconds=7200)))
    rows = (
        event("Unhealthy", "Liveness probe failed: timeout", seconds=7200),
        event("Killing", "Container app failed liveness probe, will be restarted", seconds=7200),
        event("Preempted", "Preempted by pod x on node n1", seconds=7200),
    )
    assert codes(now_well, events=rows) == []


def test_a_container_that_its_probe_got_restarted_a_while_ago_is_no_danger() -> None:
    calm = pod(BAD, running(1800, restartCount=1, lastState=terminated(137, seconds=1800)))
    rows = (
        event("Unhealthy", "Liveness probe failed: timeout", seconds=1800),
        event("Killing", "Container app failed liveness probe, will be restarted", seconds=1800),
    )
    assert (top(calm, events=rows).code, top(calm, events=rows).severity) == ("liveness", "warn")


def test_what_is_killed_for_its_memory_was_not_killed_by_its_probe() -> None:
    rows = (event("Unhealthy", "Liveness probe failed: timeout"),)
    assert codes(pod(BAD, crashing(137, "OOMKilled")), events=rows) == ["out_of_memory"]


def test_a_pod_that_finds_no_node_at_once_is_no_danger_yet() -> None:
    young = pending("0/5 nodes are available: 5 Insufficient cpu.", age=20)
    assert (top(young, pod("web-b")).severity, top(young, pod("web-b")).hard) == ("warn", False)


def test_a_claim_that_waits_for_its_consumer() -> None:
    claim = {
        "metadata": {"name": "data", "creationTimestamp": ago(3600)},
        "spec": {"storageClassName": "fast"},
        "status": {"phase": "Pending"},
    }
    classes = ({"metadata": {"name": "fast"}, "volumeBindingMode": "WaitForFirstConsumer"},)
    bad = pending("0/5 nodes are available: 5 Insufficient cpu.")
    bad["spec"]["volumes"] = [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]
    assert codes(bad, around=Around(claims=(claim,), classes=classes)) == ["no_capacity"]
    assert codes(bad, around=Around(claims=(claim,))) == ["no_capacity"]
    claim["spec"] = {"storageClassName": ""}
    assert codes(bad, around=Around(claims=(claim,), classes=classes)) == ["no_capacity"]


def test_nodes_that_are_well_new_or_have_not_spoken() -> None:
    unready = pod(BAD, running(ready=False))
    silent = node()
    silent["status"]["conditions"] = []
    for host in (node(), silent, node("n1", "False", age=40)):
        assert codes(unready, around=Around(hosts=(host,))) == ["not_ready"]


def test_pods_that_are_well_on_a_node_that_is_short_or_cordoned() -> None:
    hosts = (node("n1", "True", "MemoryPressure", unschedulable=True),)
    assert codes(pod(BAD), around=Around(hosts=hosts)) == []


def test_the_node_of_a_leftover_is_not_the_matter() -> None:
    gone = leftover("NodeShutdown")
    gone["spec"]["nodeName"] = "n9"
    assert codes(gone, pod(BAD), obj=workload(replicas=1), around=Around(hosts=(node("n9", "Unknown"),))) == []


def test_missing_numbers_are_zero() -> None:
    status = crashing(1)
    del status["restartCount"]
    assert "0 restarts" in spoken(top(pod(BAD, status)).line)


def test_a_rollback_is_offered_only_for_what_began_with_the_rollout() -> None:
    bad = pod(BAD, crashing(1))
    assert offers_rollback(bad, revisions(3600))
    assert not offers_rollback(bad, revisions(3600)[:1])  # nothing to go back to
    assert not offers_rollback(bad, revisions(60))  # it crashed before
    ran = pod(BAD, crashing(1, restarts=2, ran=60), age=86_400)
    assert not offers_rollback(ran, revisions(86_400))  # it ran well for a day
    old = pod(BAD, crashing(1))
    old["metadata"]["labels"]["pod-template-hash"] = OLD_HASH
    assert not offers_rollback(old, revisions(3600))  # it is of the revision before


def offers_rollback(bad: Raw, sets: tuple[Raw, ...]) -> bool:
    return "rollback" in [offer.action for offer in top(bad, replica_sets=sets).offers]


def test_a_stateful_set_half_way_may_go_back() -> None:
    bad = pod("web-1", crashing(1))
    bad["metadata"]["labels"] = {"controller-revision-hash": "web-2"}
    obj = workload("StatefulSet", 2, ready=1)
    obj["status"] |= {"updateRevision": "web-2", "currentRevision": "web-1"}
    found = examined(bad, pod("web-0"), kind="StatefulSet", obj=obj).findings
    crash = next(one for one in found if one.code == "crash_loop")
    assert [offer.action for offer in crash.offers] == ["rollback", "restart"]


def test_nothing_is_offered_on_what_no_action_takes() -> None:
    assert top(pod(BAD, crashing(1)), kind="Job", obj={}).offers == ()
