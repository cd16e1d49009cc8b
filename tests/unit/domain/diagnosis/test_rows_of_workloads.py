"""Rows 21 to 25, 39, 40 and 42 of the table of symptoms: rollouts, creation of pods, members, shared pods."""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.domain.observed import Around, Raw
from tests.unit.domain.cluster_objects import workload
from tests.unit.domain.diagnosis.recorded import (
    HASH,
    OLD_HASH,
    alarms,
    codes,
    crashing,
    event,
    examined,
    node,
    offered,
    pending,
    pod,
    proven,
    replica_set,
    revisions,
    running,
    spoken,
    top,
    waiting,
)
from tests.unit.domain.diagnosis.surrounding import around, service, written_by

NEW, OLD = f"web-{HASH}-x2x4z", f"web-{OLD_HASH}-b7k2m"


def deployment(*rows: Raw, replicas: int = 3, ready: int = 3, **status: Any) -> Raw:
    found = workload(replicas=replicas, ready=ready)
    found["metadata"]["annotations"] = {"deployment.kubernetes.io/revision": "8"}
    found["status"] |= {"conditions": list(rows), **status}
    return found


def progressing(reason: str, status: str = "False") -> Raw:
    message = f'ReplicaSet "web-{HASH}" has timed out progressing.'
    return {"type": "Progressing", "status": status, "reason": reason, "message": message}


def refused(message: str) -> Raw:
    return {"type": "ReplicaFailure", "status": "True", "reason": "FailedCreate", "message": message}


def old_pod(name: str = OLD) -> Raw:
    found = pod(name)
    found["metadata"]["labels"]["pod-template-hash"] = OLD_HASH
    return found


def test_row_21_a_rollout_that_failed_says_why_and_what_still_serves() -> None:
    stuck = pod(NEW, running(ready=False, started=True), age=900)
    obj = deployment(progressing("ProgressDeadlineExceeded"), updatedReplicas=1, availableReplicas=3)
    found = top(stuck, *(old_pod(f"{OLD}{n}") for n in range(3)), obj=obj, replica_sets=revisions(900))
    assert (found.code, found.severity) == ("rollout_failed", "danger")
    assert "revision 8 failed: no progress within 600 s. New pods: NotReady. Old pods that still serve: 3." in spoken(
        found.line
    )
    assert "Progressing] = False/ProgressDeadlineExceeded" in proven(found)
    assert offered(found) == ["rollback", "pause"]


def test_row_21_comes_after_what_is_wrong_with_the_new_pods() -> None:
    stuck = pod(NEW, waiting("ImagePullBackOff", 'Back-off pulling image "x": not found'), age=900, phase="Pending")
    obj = deployment(progressing("ProgressDeadlineExceeded"), updatedReplicas=1)
    assert codes(stuck, old_pod(), obj=obj, replica_sets=revisions(900))[:2] == ["image_pull", "rollout_failed"]


def test_row_21_without_an_earlier_revision_offers_no_way_back() -> None:
    stuck = pod(NEW, running(ready=False), age=900)
    obj = deployment(progressing("ProgressDeadlineExceeded"), updatedReplicas=1)
    only = (replica_set(HASH, 8, 900, "reg/web:1", 3),)
    assert offered(top(stuck, obj=obj, replica_sets=only)) == ["pause"]
    assert "Rollout failed" in spoken(top(stuck, obj=obj).line)
    assert "rollback" in offered(top(stuck, obj=obj, unread=("replica_sets:403",)))


def test_row_21_of_an_argo_rollout_is_what_its_controller_says() -> None:
    obj = workload("Rollout", replicas=1)
    obj["status"] |= {"phase": "Degraded", "message": "ProgressDeadlineExceeded"}
    found = top(pod(), kind="Rollout", obj=obj)
    assert found.code == "rollout_failed"
    assert "rollout/web status.phase = Degraded" in proven(found)


def test_row_21_is_silent_while_a_rollout_is_young() -> None:
    young = pod(NEW, running(30, ready=False), age=30)
    obj = deployment(progressing("ReplicaSetUpdated", "True"), updatedReplicas=1, ready=2)
    assert alarms(young, old_pod(), old_pod(f"{OLD}2"), obj=obj, replica_sets=revisions(30)) in ([], ["startup"])


def test_row_22_a_pause_says_who_and_since_when() -> None:
    obj = written_by(workload(replicas=1, paused=True), "paused", "kubectl-rollout", 7200)
    found = top(pod(), obj=obj)
    assert (found.code, found.severity) == ("paused", "warn")
    assert "paused by kubectl-rollout, 2h ago: template changes take no effect" in spoken(found.line)
    assert "deployment/web spec.paused = true" in proven(found)
    assert offered(found) == ["resume"]


def test_row_22_a_step_of_an_argo_rollout_is_told_as_its_controller_does() -> None:
    obj = workload("Rollout", replicas=1)
    obj["status"] |= {"phase": "Paused", "message": "CanaryPauseStep"}
    found = top(pod(), kind="Rollout", obj=obj)
    assert (found.code, offered(found)) == ("paused", [])
    assert "CanaryPauseStep" in spoken(found.line)


@pytest.mark.parametrize("changed", [True, False])
def test_row_22_says_whether_changes_wait(changed: bool) -> None:
    obj = workload(replicas=1, paused=True)
    obj["metadata"]["annotations"] = {"deployment.kubernetes.io/revision": "8"}
    if changed:
        obj["spec"]["template"]["spec"]["containers"][0]["image"] = "reg/web:2"
    found = top(pod(), obj=obj, replica_sets=revisions())
    assert ("changes wait behind it" in spoken(found.line)) is changed


QUOTA = (
    f'pods "{NEW}" is forbidden: exceeded quota: compute, requested: limits.memory=256Mi,requests.cpu=500m, '
    "used: limits.memory=1Gi,requests.cpu=10, limited: limits.memory=4Gi,requests.cpu=10"
)


def test_row_23_a_full_quota_is_told_in_numbers() -> None:
    found = top(pod(), obj=deployment(refused(QUOTA), ready=1))
    assert (found.code, found.severity) == ("blocked", "danger")
    assert "quota compute is full, requests.cpu used 10 of 10, and each pod needs 500m" in spoken(found.line)
    assert found.causes == ("why.quota",)
    assert offered(found) == ["scale"]
    assert "deployment/web status.conditions[ReplicaFailure] = True/FailedCreate" in proven(found)


def test_row_23_takes_the_present_numbers_where_they_were_read() -> None:
    now = {"metadata": {"name": "compute"}, "status": {"hard": {"requests.cpu": "12"}, "used": {"requests.cpu": "12"}}}
    found = top(pod(), obj=deployment(refused(QUOTA), ready=1), quotas=(now,))
    assert "requests.cpu used 12 of 12" in spoken(found.line)


def test_row_23_numbers_that_cannot_be_read_are_quoted_as_they_stand() -> None:
    odd = "exceeded quota: compute, requested: pods=1, used: services=4, limited: services=4"
    found = top(pod(), obj=deployment(refused(odd), ready=1))
    assert odd in spoken(found.line)
    assert found.causes == ("why.quota",)


@pytest.mark.parametrize(
    ("message", "cause"),
    [
        ('pods "x" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true', "why.pod_security"),
        ('admission webhook "validate.kyverno.svc" denied the request: latest is not allowed', "why.policy"),
        ('pods "x" is forbidden: failed quota: compute: must specify limits.cpu for: app', "why.quota_unsaid"),
        ('pods "x" is forbidden: maximum memory usage per Container is 512Mi, but limit is 1Gi', "why.limit_range"),
        (
            'pods "x" is forbidden: error looking up service account shop/web: serviceaccount "web" not found',
            "why.service_account",
        ),
    ],
)
def test_row_23_says_what_refuses_the_pods(message: str, cause: str) -> None:
    found = top(pod(), obj=deployment(refused(message), ready=1))
    assert (found.code, found.causes) == ("blocked", (cause,))
    assert message in spoken(found.line)


def test_row_23_of_a_set_stands_in_an_event_and_only_while_pods_are_missing() -> None:
    owner = {"kind": "StatefulSet", "namespace": "shop", "name": "web"}
    told = event("FailedCreate", f"create Pod web-1 in StatefulSet web failed error: {QUOTA}", about=owner)
    found = top(pod("web-0"), kind="StatefulSet", obj=workload("StatefulSet", 2, ready=1), events=(told,))
    assert found.code == "blocked"
    assert "requests.cpu used 10 of 10" in spoken(found.line)
    full = workload("StatefulSet", 1)
    assert "blocked" not in codes(pod("web-0"), kind="StatefulSet", obj=full, events=(told,))


def test_row_23_is_told_beside_a_deadline_and_a_pause() -> None:
    both = deployment(progressing("ProgressDeadlineExceeded"), refused(QUOTA), ready=1)
    assert codes(pod(), obj=both, replica_sets=revisions())[:2] == ["blocked", "rollout_failed"]


def test_row_39_a_webhook_that_is_down_is_named_with_its_service() -> None:
    message = (
        'Internal error occurred: failed calling webhook "validate.kyverno.svc-fail": failed to call webhook: Post '
        '"https://kyverno-svc.kyverno.svc:443/validate/fail?timeout=10s": no endpoints available for service '
        '"kyverno-svc"'
    )
    found = top(pod(), obj=deployment(refused(message), ready=1))
    assert (found.code, found.severity) == ("webhook_down", "danger")
    assert "webhook validate.kyverno.svc-fail (Service kyverno/kyverno-svc) does not answer" in spoken(found.line)
    assert "why.webhook_pods" in found.causes


def member(ordinal: int, revision: str, *statuses: Raw, age: float = 3600) -> Raw:
    found = pod(f"web-{ordinal}", *statuses, age=age)
    found["metadata"]["labels"] = {"app": "web", "controller-revision-hash": revision}
    return found


def stateful(replicas: int, ready: int, *, current: str = "web-aa", update: str = "web-bb", **spec: Any) -> Raw:
    found = workload("StatefulSet", replicas, ready=ready, **spec)
    found["status"] |= {"currentRevision": current, "updateRevision": update, "updatedReplicas": replicas - ready}
    return found


BROKEN = crashing(1)


def test_row_24_the_member_that_blocks_a_rollout_is_named() -> None:
    pods = member(0, "web-aa"), member(1, "web-aa"), member(2, "web-bb", running(ready=False), age=900)
    found = top(*pods, kind="StatefulSet", obj=stateful(3, 2))
    assert (found.code, found.object) == ("stateful_stuck", "pod/web-2")
    assert "web-2 (NotReady) is broken at the new revision web-bb and blocks the rollout" in spoken(found.line)
    assert offered(found) == ["rollback", "delete_pod"]
    assert found.offers[1].slots == {"pod": "web-2"}
    assert "pod/web-2 metadata.labels[controller-revision-hash] = web-bb" in proven(found)


def test_row_24_a_mended_template_does_not_reach_a_broken_member() -> None:
    pods = member(0, "web-aa"), member(1, "web-aa"), member(2, "web-bb", BROKEN)
    obj = stateful(3, 2, current="web-aa", update="web-cc")
    found = next(one for one in examined(*pods, kind="StatefulSet", obj=obj).findings if one.code == "stateful_stuck")
    assert "still of the broken revision web-bb" in spoken(found.line)
    assert "the pod has to be deleted" in spoken(found.line)
    assert offered(found) == ["delete_pod"]


def test_row_24_members_of_a_parallel_set_need_no_deletion() -> None:
    pods = member(0, "web-aa"), member(1, "web-bb", running(ready=False), age=900)
    found = top(*pods, kind="StatefulSet", obj=stateful(2, 1, podManagementPolicy="Parallel"))
    assert offered(found) == ["rollback"]


def test_row_24_later_members_wait_for_an_earlier_one() -> None:
    pods = member(0, "web-aa"), member(1, "web-aa", BROKEN)
    obj = stateful(4, 1, update="web-aa")
    found = next(one for one in examined(*pods, kind="StatefulSet", obj=obj).findings if one.code == "stateful_stuck")
    assert found.severity == "warn"
    assert "missing: 2" in spoken(found.line)


def test_row_24_is_silent_on_members_that_wait_for_nobody() -> None:
    pods = member(0, "web-aa"), member(1, "web-aa", BROKEN)
    parallel = stateful(4, 1, update="web-aa", podManagementPolicy="Parallel")
    assert "stateful_stuck" not in codes(*pods, kind="StatefulSet", obj=parallel)
    canary = stateful(2, 1, updateStrategy={"rollingUpdate": {"partition": 2}})  # stays at the revision that it has
    assert "stateful_stuck" not in codes(*pods, kind="StatefulSet", obj=canary)


def test_row_24_a_headless_service_that_is_not_there() -> None:
    obj = workload("StatefulSet", 1, serviceName="web-headless")
    found = top(member(0, "a"), kind="StatefulSet", obj=obj, around=around(service()))
    assert (found.code, found.severity) == ("stateful_stuck", "warn")
    assert "web-headless does not exist" in spoken(found.line)
    for looked in (around(others=("web-headless",)), Around()):
        assert alarms(member(0, "a"), kind="StatefulSet", obj=obj, around=looked) == []


@pytest.mark.parametrize("age", [30, 200])
def test_row_24_is_silent_on_members_that_only_start(age: float) -> None:
    pods = member(0, "web-aa"), member(1, "web-bb", running(age, ready=False), age=age)
    assert "stateful_stuck" not in codes(*pods, kind="StatefulSet", obj=stateful(2, 1))


def daemon(desired: int, ready: int, **status: int) -> Raw:
    found = workload("DaemonSet", desired, ready=ready)
    found["status"] |= {"currentNumberScheduled": desired, **status}
    return found


def test_row_25_nodes_without_the_daemon_are_named() -> None:
    lost = pending("0/8 nodes are available: 1 node(s) had untolerated taint {gpu: true}.", age=900)
    other = {"matchFields": [{"key": "metadata.namespace", "operator": "In", "values": ["n3"]}]}
    term = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n4"]}]}
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{}, other, term]}}
    lost["spec"]["affinity"] = {"nodeAffinity": required}
    found = next(
        one
        for one in examined(pod(), lost, kind="DaemonSet", obj=daemon(2, 1)).findings
        if one.code == "daemon_incomplete"
    )
    assert "1 of 2 nodes have a ready pod; not: n4" in spoken(found.line)
    assert "daemonset/web status.numberReady = 1" in proven(found)
    assert found.causes == ()  # the finding of the pod names the taint


def test_row_25_says_nothing_of_taints_where_the_pod_is_on_its_node() -> None:
    bad = pod("web-b", waiting("ImagePullBackOff", "not found"))
    found = examined(pod(), bad, kind="DaemonSet", obj=daemon(2, 1)).findings
    assert [(one.code, one.causes) for one in found][1:] == [("daemon_incomplete", ())]
    assert found[0].code == "image_pull"


def test_row_25_on_top_where_no_pod_tells_more() -> None:
    found = top(pod(), kind="DaemonSet", obj=daemon(8, 6, currentNumberScheduled=6))
    assert (found.code, found.severity) == ("daemon_incomplete", "warn")
    assert found.causes == ("why.taints", "why.node_full")


def test_row_25_is_silent_while_it_rolls_and_where_it_is_complete() -> None:
    rolling = daemon(8, 7, currentNumberScheduled=7, updatedNumberScheduled=3)
    assert alarms(pod(), kind="DaemonSet", obj=rolling) == []
    assert alarms(pod(), kind="DaemonSet", obj=daemon(0, 0)) == []
    assert codes(pod(), kind="DaemonSet", obj=daemon(1, 1, numberMisscheduled=1)) == ["daemon_incomplete"]
    assert alarms(pod(), kind="DaemonSet", obj=daemon(1, 1, numberMisscheduled=1)) == []


def neighbour(kind: str, name: str, phase: str = "Running") -> Raw:
    found = pod(f"{name}-q7z", phase=phase)
    found["metadata"]["ownerReferences"] = [{"kind": kind, "name": name, "uid": f"u-{name}", "controller": True}]
    return found


def test_row_42_pods_of_another_controller_under_its_selector() -> None:
    found = top(pod(), around=Around(neighbours=(neighbour("ReplicaSet", "web-canary-5d4"),)))
    assert (found.code, found.severity) == ("overlap", "warn")
    assert "matches pods of replicaset/web-canary-5d4" in spoken(found.line)
    assert "deployment/web spec.selector = app=web" in proven(found)


def test_row_42_is_silent_on_ended_pods_jobs_and_argo() -> None:
    ended = Around(neighbours=(neighbour("ReplicaSet", "other", "Succeeded"),))
    assert codes(pod(), around=ended) == []
    assert alarms(pod(), around=Around(neighbours=(neighbour("Job", "migrate"),))) == []
    taken = Around(neighbours=(neighbour("ReplicaSet", "web-5d4"),))
    assert codes(pod(), around=taken, rollouts=({"metadata": {"name": "web"}},)) == []


def test_row_40_a_pod_of_its_own_and_a_single_replica_are_only_said() -> None:
    bare = pod("tool")
    del bare["metadata"]["ownerReferences"]
    found = top(bare, kind="Pod", obj=bare)
    assert (found.code, found.severity) == ("unmanaged", "info")
    found = top(pod(), around=around(service()))
    assert (found.code, found.severity) == ("unmanaged", "info")
    assert "A single replica serves web" in spoken(found.line)
    assert codes(pod(), around=around()) == []  # nobody calls it
    assert codes(pod(), kind="Pod", obj=pod()) == []


def test_a_node_that_is_down_is_told_before_the_daemon_it_lacks() -> None:
    gone = pod("web-a", running(ready=False), age=900)
    found = codes(gone, kind="DaemonSet", obj=daemon(1, 0), around=Around(hosts=(node("n1", "Unknown"),)))
    assert found[0] == "node_not_ready"
