"""How bad it is: what hurts, what waiting ends, and what is information."""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.domain.diagnosis.checks.pods import stuck_terminating
from chatops_bot.domain.diagnosis.examining import merged
from chatops_bot.domain.diagnosis.pods import pod_findings
from chatops_bot.domain.observed import Around, Raw
from tests.unit.domain.cluster_objects import NOW, ago, workload
from tests.unit.domain.diagnosis.recorded import (
    HASH,
    OLD_HASH,
    codes,
    crashing,
    event,
    examined,
    node,
    pending,
    pod,
    proven,
    replica_set,
    running,
    scene,
    spoken,
    terminated,
    top,
    waiting,
)

BAD = f"web-{HASH}-x2x4z"


def crashed(code: int, reason: str = "Error", *, ready: bool = False, restarts: int = 1) -> Raw:
    """A container that runs again after it has ended two minutes ago."""
    return running(100, ready=ready, restartCount=restarts, lastState=terminated(code, reason))


@pytest.mark.parametrize(
    ("status", "code", "severity", "hard"),
    [
        (crashing(1), "crash_loop", "danger", True),
        (waiting("CrashLoopBackOff", restartCount=4), "crash_loop", "danger", True),
        (crashed(1), "exited", "danger", False),
        (crashed(137), "killed", "danger", False),
        (crashing(137), "killed", "danger", True),
        (crashed(137, ready=True), "restarted", "info", False),
        (crashed(1, ready=True), "restarted", "info", False),
        (crashed(137, "OOMKilled", ready=True), "out_of_memory", "warn", True),
        (crashed(137, "OOMKilled", ready=True, restarts=2), "out_of_memory", "danger", True),
        (crashed(137, "OOMKilled"), "out_of_memory", "danger", True),
        (waiting("ErrImagePull", "not found"), "image_pull", "danger", False),
        (waiting("ImagePullBackOff", "not found"), "image_pull", "danger", True),
        (waiting("InvalidImageName"), "image_name", "danger", True),
        (waiting("CreateContainerConfigError", 'secret "a" not found'), "config", "danger", True),
        (waiting("RunContainerError", "x"), "start", "danger", True),
        (running(ready=False), "not_ready", "warn", False),
    ],
)
def test_how_bad_it_is(status: Raw, code: str, severity: str, hard: bool) -> None:
    found = top(pod(BAD, status), pod("web-b"))
    assert (found.code, found.severity, found.hard) == (code, severity, hard)


@pytest.mark.parametrize(("age", "hard"), [(60, False), (600, True)])
def test_a_gate_holds_for_a_while_before_it_is_hard(age: float, hard: bool) -> None:
    held = pending("x", reason="SchedulingGated", age=age)
    held["spec"]["schedulingGates"] = [{"name": "kueue"}]
    assert (top(held).severity, top(held).hard) == ("warn", hard)


def test_a_lost_claim_is_a_danger() -> None:
    lost = {"metadata": {"name": "data"}, "spec": {}, "status": {"phase": "Lost"}}
    bad = pod(BAD, spec={"volumes": [{"name": "d", "persistentVolumeClaim": {"claimName": "data"}}]})
    found = top(bad, around=Around(claims=(lost,)))
    assert (found.code, found.severity) == ("volume", "danger")


def test_a_claim_of_the_pod_s_own() -> None:
    own = {
        "metadata": {"name": f"{BAD}-scratch", "creationTimestamp": ago(600)},
        "spec": {"storageClassName": "fast"},
        "status": {"phase": "Pending"},
    }
    classes = ({"metadata": {"name": "slow"}, "volumeBindingMode": "Immediate"},)
    around = Around(claims=(own,), classes=classes)
    assert codes(pod(BAD, spec={"volumes": [{"name": "scratch", "ephemeral": {}}]}), around=around) == ["volume"]
    assert codes(pod(BAD, spec={"volumes": [{"name": "scratch", "emptyDir": {}}]}), around=around) == []


def test_a_sidecar_that_fails_at_the_start_holds_the_pod_up() -> None:
    bad = pod(BAD, waiting("PodInitializing"), phase="Pending")
    bad["spec"]["initContainers"] = [{"name": "proxy", "image": "reg/proxy:1", "restartPolicy": "Always"}]
    bad["status"]["initContainerStatuses"] = [{**crashing(1), "name": "proxy"}]
    assert codes(bad) == ["init"]


def test_an_init_container_that_began_late_has_its_time() -> None:
    slow = pod(BAD, waiting("PodInitializing"), age=3600, phase="Pending")
    slow["spec"]["initContainers"] = [{"name": "migrate", "image": "reg/migrate:1"}]
    slow["status"]["initContainerStatuses"] = [running(60, name="migrate", ready=False, started=False)]
    assert codes(slow) == []


def test_a_program_that_is_not_there_by_another_wording() -> None:
    status = waiting("RunContainerError", "exec: /web: stat /web: no such file or directory")
    assert top(pod(BAD, status)).causes == ("why.command",)


@pytest.mark.parametrize(("secrets", "hidden"), [([], True), ([{"name": "regcred"}], False)])
def test_an_image_that_is_not_found_may_be_hidden(secrets: list[Raw], hidden: bool) -> None:
    bad = pod(BAD, waiting("ErrImagePull", "manifest unknown"), spec={"imagePullSecrets": secrets})
    assert ("why.no_pull_secret" in top(bad).causes) is hidden


def test_a_pod_that_is_not_ready_though_its_containers_are_names_the_reason() -> None:
    lost = pod(BAD)
    row = next(one for one in lost["status"]["conditions"] if one["type"] == "Ready")
    row |= {"status": "False", "reason": "NodeStatusUnknown", "lastTransitionTime": ago(300)}
    assert "has not been for 5m (NodeStatusUnknown): its node n1" in spoken(top(lost).line)


def tolerating(**seconds: int) -> Raw:
    found = pod(BAD)
    found["spec"]["tolerations"] = [
        {"key": f"node.kubernetes.io/{why.replace('_', '-')}", "operator": "Exists", "tolerationSeconds": value}
        for why, value in seconds.items()
    ]
    return found


def test_pods_leave_a_lost_node_by_what_they_tolerate_of_that() -> None:
    found = top(tolerating(not_ready=30, unreachable=600), around=Around(hosts=(node("n1", "Unknown"),)))
    assert "evicted about 10m after that" in spoken(found.line)
    assert "status.conditions[Ready].lastHeartbeatTime = 20" in proven(found)


def test_a_container_ended_by_itself_was_not_ended_by_its_probe() -> None:
    told = event("Unhealthy", "Liveness probe failed: connection refused")
    assert codes(pod(BAD, crashing(1)), events=(told,)) == ["crash_loop"]
    assert codes(pod(BAD, crashing(143)), events=(told,)) == ["liveness"]


def test_a_probe_that_got_it_restarted_just_now_is_a_danger() -> None:
    rows = (
        event("Unhealthy", "Liveness probe failed: timeout", seconds=100),
        event("Killing", "Container app failed liveness probe, will be restarted", seconds=100),
    )
    found = top(pod(BAD, crashed(137, ready=True)), events=rows)
    assert (found.code, found.severity) == ("liveness", "danger")


def test_a_revision_of_its_own_alone_cannot_be_gone_back_from() -> None:
    strange = replica_set(HASH, 8, 3600, "reg/web:other"), replica_set(OLD_HASH, 7, 600_000, "reg/web:0")
    assert [offer.action for offer in top(pod(BAD, crashing(1)), replica_sets=strange).offers] == ["restart"]


@pytest.mark.parametrize(
    ("status", "offered"),
    [
        ({"updateRevision": "web-2", "currentRevision": "web-1"}, True),
        ({"updateRevision": "web-2", "currentRevision": "web-2"}, False),
        ({"updateRevision": "web-3", "currentRevision": "web-2"}, False),
        ({"updateRevision": "web-2"}, False),
    ],
)
def test_a_stateful_set_goes_back_from_the_revision_that_its_pod_is_of(status: dict[str, str], offered: bool) -> None:
    bad = pod("web-1", crashing(1))
    bad["metadata"]["labels"] = {"controller-revision-hash": "web-2"}
    obj = workload("StatefulSet", 2, ready=1)
    obj["status"] |= status
    crash = next(
        one for one in examined(bad, pod("web-0"), kind="StatefulSet", obj=obj).findings if one.code == "crash_loop"
    )
    assert ("rollback" in [offer.action for offer in crash.offers]) is offered


@pytest.mark.parametrize("marks", [{"reason": "Preempting", "message": "Preempted in order to admit critical pod"}])
def test_a_pod_that_the_kubelet_preempted(marks: dict[str, Any]) -> None:
    gone = pod(BAD, age=120, phase="Failed", **marks)
    gone["status"]["containerStatuses"] = []
    found = top(gone, pod("web-b"), obj=workload(replicas=1))
    assert (found.code, found.severity) == ("preempted", "warn")
    assert f"pod/{BAD} status.reason = Preempting" in proven(found)
    old = pod(BAD, age=7200, phase="Failed", **marks)
    old["status"]["containerStatuses"] = []
    assert codes(old, pod("web-b"), obj=workload(replicas=1)) == []


def test_a_container_that_waits_explains_its_pod_by_itself() -> None:
    bad = pod(BAD, crashing(1), running(name="proxy"))
    assert [one.code for one in pod_findings(bad, NOW)] == ["crash_loop"]


def test_a_gate_and_a_program_that_is_not_ready_have_other_causes() -> None:
    gated = pod(BAD, spec={"readinessGates": [{"conditionType": "lb/web"}]})
    gated["status"]["conditions"][2] |= {"status": "False", "reason": "ReadinessGatesNotReady"}
    unready = pod("web-b", running(ready=False))
    found = examined(gated, unready).findings
    assert {one.pods: one.causes for one in found} == {(BAD,): ("why.gate",), ("web-b",): ()}


def test_a_pod_that_its_lost_node_keeps_is_told_as_that() -> None:
    going = pod(BAD)
    going["metadata"]["deletionTimestamp"] = ago(900)
    told = merged(stuck_terminating(scene(going, around=Around(hosts=(node("n1", "Unknown"),)))))
    assert "n1 is out of contact, and nobody can say" in spoken(told[0].line)
    assert told[0].causes == ("why.node_gone",)
    held = pod(BAD)
    held["metadata"] |= {"deletionTimestamp": ago(900), "finalizers": ["a/b"]}
    told = merged(stuck_terminating(scene(held, around=Around(hosts=(node("n1", "Unknown"),)))))
    assert "held by finalizer a/b" in spoken(told[0].line)


def test_what_goes_or_has_not_begun_is_not_starting() -> None:
    going = pod(BAD, running(ready=False, started=False))
    going["metadata"]["deletionTimestamp"] = ago(-10)
    assert codes(going, pod("web-b"), obj=workload(replicas=1)) == []
    begun = pod(BAD, running(ready=False, started=False), phase="Pending")
    assert "startup" not in codes(begun, pod("web-b"))


def test_a_claim_that_is_bound_by_hand_waits_for_that() -> None:
    claim = {
        "metadata": {"name": "data", "creationTimestamp": ago(600)},
        "spec": {"storageClassName": "fast", "volumeName": "pv-1"},
        "status": {"phase": "Pending"},
    }
    bad = pod(BAD, spec={"volumes": [{"name": "d", "persistentVolumeClaim": {"claimName": "data"}}]})
    around = Around(claims=(claim,), classes=({"metadata": {"name": "fast"}, "volumeBindingMode": "Immediate"},))
    assert codes(bad, around=around) == []


def test_an_init_container_whose_turn_has_not_come_holds_nothing_up() -> None:
    slow = pod(BAD, waiting("PodInitializing"), age=3600, phase="Pending")
    slow["spec"]["initContainers"] = [{"name": "first", "image": "a"}, {"name": "second", "image": "b"}]
    slow["status"]["initContainerStatuses"] = [
        running(60, name="first", ready=False, started=False),
        waiting("PodInitializing", name="second"),
    ]
    assert codes(slow) == []


def test_preemption_passes() -> None:
    told = event("Preempted", "Preempted by pod x", about={"kind": "Pod", "name": "web-gone"})
    assert not top(pod(BAD), events=(told,)).hard
