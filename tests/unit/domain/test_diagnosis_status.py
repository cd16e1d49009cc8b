"""The verdict on a workload: one test a symptom, its guards against false alarms, and no object that makes it raise."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatops_bot.domain.diagnosis import events_report, status, status_report
from chatops_bot.domain.diagnosis.findings import Evidence, Finding
from chatops_bot.domain.observed import Around, Observed, Raw
from chatops_bot.domain.offers import Offer
from chatops_bot.domain.reports import Report
from chatops_bot.domain.say import say
from chatops_bot.domain.texts import render, word
from tests.unit.domain.cluster_objects import (
    NOW,
    ago,
    container,
    ended,
    entity,
    keys,
    observed,
    pod,
    spoken,
    waiting,
    workload,
)

CRASHING = waiting("CrashLoopBackOff", restartCount=7, lastState=ended(1))


def report(*pods: Raw, obj: Raw | None = None, **parts: Any) -> Report:
    found = obj or workload(
        replicas=len(pods), ready=sum(one["status"]["conditions"][0]["status"] == "True" for one in pods)
    )
    return status_report(observed(found, *pods, **parts), NOW)


def told(found: Report) -> str:
    return spoken(found.headline, *found.lines)


def test_health_is_said_plainly() -> None:
    found = report(pod("web-a"), pod("web-b"))
    assert (found.headline.key, found.tone) == ("status.healthy", "ok")
    assert "status.checked" in keys(found.lines)
    assert found.digest == "2/2 ready"


def test_the_verdict_comes_first_and_names_the_worst_cause() -> None:
    found = report(pod("web-a"), pod("web-b", CRASHING))
    assert found.tone == "warn"
    assert render(found.headline, "en") == "web is degraded: only 1/2 pods ready, a container keeps crashing."
    assert "app keeps crashing: 7 restarts, last exit 1 (Error) 2m ago. Pods: web-b." in told(found)
    assert found.digest == "1/2 ready; crash_loop app 1 7"


def test_nothing_ready_is_down() -> None:
    found = report(pod("web-a", CRASHING), pod("web-b", CRASHING))
    assert (found.headline.key, found.tone) == ("status.down", "danger")
    assert "web-a, web-b" in told(found)  # one cause, one line


def test_the_pods_table_has_header_keys_and_the_worst_first() -> None:
    found = report(pod("web-a"), pod("web-z", CRASHING))
    assert [word(key, "en") for key in found.table[0]] == ["Pod", "Ready", "State", "Restarts", "Age", "Node"]
    assert found.table[1] == ("web-z", "0/1", "CrashLoopBackOff", "7", "1h", "n1")
    assert found.table[2] == ("web-a", "1/1", "Running", "0", "1h", "n1")


def test_a_long_table_is_cut_and_says_so() -> None:
    found = report(*(pod(f"web-{number:02}") for number in range(25)))
    assert len(found.table) == 9
    assert "not listed: 17 more" in told(found)


@pytest.mark.parametrize(
    ("status", "code", "words"),
    [
        (waiting("CrashLoopBackOff", restartCount=4, lastState=ended(0, "OOMKilled")), "out_of_memory", "limit 256Mi"),
        (container(restartCount=2, lastState=ended(137, "OOMKilled")), "out_of_memory", "2 restarts"),
        (waiting("CrashLoopBackOff", restartCount=3, lastState=ended(137)), "killed", "not by its memory limit"),
        (waiting("CrashLoopBackOff", restartCount=3, lastState=ended(127)), "crash_loop", "not in the image"),
        (waiting("CrashLoopBackOff", restartCount=3), "crash_loop", "not recorded"),
        (container(ready=False, restartCount=1, state=ended(2)), "exited", "exited with 2"),
        (waiting("ImagePullBackOff", "manifest unknown"), "image_pull", "does not exist"),
        (waiting("ErrImagePull", "401 Unauthorized"), "image_pull", "imagePullSecrets"),
        (waiting("ErrImagePull", "dial tcp: i/o timeout"), "image_pull", "cannot be reached"),
        (waiting("InvalidImageName"), "image_name", "malformed"),
        (waiting("ErrImageNeverPull"), "image_name", "Never"),
        (waiting("CreateContainerConfigError", 'secret "db" not found'), "config", 'secret "db" not found'),
        (waiting("RunContainerError", "no such file"), "start", "no such file"),
        (container(ready=False, restartCount=1, lastState=ended(3, seconds=60)), "exited", "exited with 3"),
    ],
)
def test_what_is_wrong_with_a_container(status: Raw, code: str, words: str) -> None:
    found = report(pod("web-a", status), pod("web-b"))
    assert code in found.digest
    assert words in told(found)


def test_an_exit_message_is_shown_without_its_secrets() -> None:
    status = waiting("CrashLoopBackOff", lastState=ended(1, message="connect postgres://a:hunter2@db failed"))
    assert "postgres://a:***@db failed" in told(report(pod("web-a", status)))


def test_a_pod_that_cannot_be_placed_says_what_is_lacking() -> None:
    message = "0/5 nodes are available: 3 Insufficient cpu, 2 node(s) had untolerated taint {gpu: true}. preemption: 0/5 nodes."
    lost = pod("web-b", phase="Pending")
    lost["status"]["containerStatuses"] = []
    lost["status"]["conditions"] = [
        {
            "type": "PodScheduled",
            "status": "False",
            "reason": "Unschedulable",
            "message": message,
            "lastTransitionTime": ago(300),
        }
    ]
    found = status_report(observed(workload(replicas=2, ready=1), pod("web-a"), lost), NOW)
    assert "for 5m: 0/5 nodes: 3 Insufficient cpu, 2 had untolerated taint {gpu: true}" in told(found)
    assert found.headline.args["cause"] == "cause.no_capacity"


def test_a_scheduler_that_words_it_otherwise_is_quoted() -> None:
    lost = pod("web-a", phase="Pending")
    lost["status"]["conditions"] = [{"type": "PodScheduled", "status": "False", "message": "no room\nat all"}]
    assert "no room at all" in told(status_report(observed(workload(replicas=1, ready=0), lost), NOW))


def test_a_container_that_has_ended_well_or_never_was_is_no_trouble() -> None:
    done = container(ready=False, state=ended(0, "Completed"))
    assert "exited" not in report(pod("web-a", done)).digest
    succeeded = pod("web-b", container(ready=False, state=ended(3)), phase="Succeeded")
    assert "exited" not in report(pod("web-a"), succeeded).digest


def test_a_memory_limit_that_is_not_set_is_not_made_up() -> None:
    bare = pod("web-a", waiting("CrashLoopBackOff", lastState=ended(137, "OOMKilled")))
    bare["spec"]["containers"] = []
    assert "at its limit ?" in told(report(bare))


def test_a_failing_image_of_an_init_container_is_told_as_the_image() -> None:
    stuck = pod("web-a", waiting("PodInitializing"), phase="Pending")
    stuck["status"]["initContainerStatuses"] = [waiting("ErrImagePull", "not found") | {"name": "migrate"}]
    assert (
        status_report(observed(workload(replicas=1, ready=0), stuck), NOW).headline.args["cause"] == "cause.image_pull"
    )


def test_a_workload_that_is_being_deleted_is_told() -> None:
    dying = workload(replicas=1)
    dying["metadata"]["deletionTimestamp"] = ago(5)
    found = status_report(observed(dying, pod("web-a")), NOW)
    assert (found.headline.key, found.tone) == ("status.deleting", "warn")


def test_a_gated_pod_names_its_gate() -> None:
    held = pod("web-a", phase="Pending")
    held["spec"]["schedulingGates"] = [{"name": "kueue"}]
    held["status"]["conditions"] = [{"type": "PodScheduled", "status": "False", "reason": "SchedulingGated"}]
    assert "kueue" in told(status_report(observed(workload(replicas=1, ready=0), held), NOW))


def test_an_init_container_that_fails_holds_everything_up() -> None:
    stuck = pod("web-a", waiting("PodInitializing"), phase="Pending")
    init = waiting("CrashLoopBackOff", restartCount=3, lastState=ended(1)) | {"name": "migrate"}
    stuck["status"]["initContainerStatuses"] = [init]
    found = status_report(observed(workload(replicas=1, ready=0), stuck), NOW)
    assert "Init container migrate fails with exit 1, 3 restarts" in told(found)
    assert found.table[1][2] == "Init:CrashLoopBackOff"


def test_an_init_container_that_never_ends_is_named() -> None:
    stuck = pod("web-a", waiting("PodInitializing"), phase="Pending", age=720)
    stuck["status"]["initContainerStatuses"] = [container(name="wait-db", ready=False)]
    assert "wait-db has been running for 12m" in told(
        status_report(observed(workload(replicas=1, ready=0), stuck), NOW)
    )


def test_a_running_sidecar_and_a_completed_init_container_are_no_trouble() -> None:
    fine = pod("web-a")
    fine["spec"]["initContainers"] = [{"name": "proxy", "restartPolicy": "Always"}, {"name": "migrate"}]
    fine["status"]["initContainerStatuses"] = [
        container(name="proxy"),
        container(name="migrate", state=ended(0, "Completed")),
    ]
    found = report(fine)
    assert (found.headline.key, found.table[1][2]) == ("status.healthy", "Running")


def test_not_ready_is_told_with_its_duration() -> None:
    found = report(pod("web-a"), pod("web-b", container(ready=False)))
    assert "app runs but has not been ready for 1h" in told(found)
    assert found.table[1][2] == "NotReady"


def test_a_rollout_that_waits_for_deletions_says_so() -> None:
    obj = workload("DaemonSet", 1, updateStrategy={"type": "OnDelete"})
    assert "pods change only when they are deleted" in told(status_report(observed(obj, pod(), kind="DaemonSet"), NOW))


def test_an_unobserved_stateful_set_is_not_judged_by_old_numbers() -> None:
    obj = workload("StatefulSet", 1)
    obj["status"]["observedGeneration"] = 1
    assert "has not taken up" in spoken(*status_report(observed(obj, pod(), kind="StatefulSet"), NOW).lines)


def test_a_workload_without_images_is_no_reason_to_fail() -> None:
    obj = workload(replicas=1)
    obj["spec"]["template"] = None
    assert "status.images" not in keys(status_report(observed(obj, pod()), NOW).lines)


def test_young_pods_are_starting_not_failing() -> None:
    young = pod("web-b", container(ready=False), age=20)
    created = pod("web-c", waiting("ContainerCreating"), phase="Pending", age=20)
    found = report(pod("web-a"), young, created)
    assert (found.headline.key, found.tone) == ("status.starting", "info")


def test_a_pod_that_takes_too_long_to_be_created_is_stuck() -> None:
    found = report(pod("web-a", waiting("ContainerCreating"), phase="Pending", age=400))
    assert found.headline.args["cause"] == "cause.stuck_creating"
    assert "6m already (node n1)" in told(found)


def test_an_evicted_leftover_does_not_make_a_full_service_unhealthy_but_is_told() -> None:
    gone = pod("web-x", phase="Failed", reason="Evicted", message="The node was low on resource: memory.")
    found = status_report(observed(workload(replicas=1), pod("web-a"), gone), NOW)
    assert found.headline.key == "status.healthy_but"
    assert found.headline.args["ready"] == 1
    assert "low on resource: memory" in told(found)
    assert found.table[2][2] == "Evicted"


def test_a_pod_that_does_not_go_names_what_holds_it() -> None:
    stuck = pod("web-b")
    stuck["metadata"] |= {"deletionTimestamp": ago(840), "finalizers": ["example.com/wait"]}
    found = status_report(observed(workload(replicas=1), pod("web-a"), stuck), NOW)
    assert "gone 14m ago, held by finalizer example.com/wait (node n1)" in told(found)
    assert found.table[1][2] == "Terminating"


def test_a_pod_within_its_grace_period_is_no_finding() -> None:
    going = pod("web-b")
    going["metadata"]["deletionTimestamp"] = ago(-20)
    assert status_report(observed(workload(replicas=1), pod("web-a"), going), NOW).headline.key == "status.healthy"


def test_a_recent_restart_of_a_running_container_is_mentioned_without_alarm() -> None:
    found = report(pod("web-a", container(restartCount=5, lastState=ended(1, seconds=600))))
    assert (found.headline.key, found.tone) == ("status.healthy", "ok")
    assert "restarted 10m ago (exit 1, 5 in all)" in told(found)


def test_an_old_restart_is_history() -> None:
    found = report(pod("web-a", container(restartCount=5, lastState=ended(1, seconds=90_000))))
    assert "restarted" not in told(found)


def test_scaled_to_zero_is_no_failure() -> None:
    found = status_report(observed(workload(replicas=0)), NOW)
    assert (found.headline.key, found.tone) == ("status.zero", "muted")


def test_fewer_pods_than_wanted_are_missing() -> None:
    found = status_report(observed(workload(replicas=3, ready=1), pod("web-a")), NOW)
    assert found.headline.args["cause"] == "cause.missing"


def test_a_rollout_that_moves_is_no_alarm() -> None:
    moving = workload(replicas=2, ready=1)
    moving["status"] |= {"updatedReplicas": 1, "conditions": []}
    found = status_report(observed(moving, pod("web-a"), pod("web-b", container(ready=False, started=False))), NOW)
    assert (found.headline.key, found.tone) == ("status.rolling", "info")
    assert "1 of 2 pods updated" in told(found)


def test_a_rollout_whose_pods_crash_is_an_alarm() -> None:
    moving = workload(replicas=2, ready=1)
    moving["status"] |= {"updatedReplicas": 1, "conditions": []}
    found = status_report(observed(moving, pod("web-a"), pod("web-b", CRASHING)), NOW)
    assert found.headline.key == "status.degraded"


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ({"type": "Progressing", "status": "False", "reason": "ProgressDeadlineExceeded"}, "rollout_failed"),
        ({"type": "ReplicaFailure", "status": "True", "message": "exceeded quota: compute"}, "blocked"),
    ],
)
def test_a_rollout_that_cannot_go_on_is_told(condition: Raw, code: str) -> None:
    stuck = workload(replicas=2)
    stuck["status"]["conditions"] = [condition]
    found = status_report(observed(stuck, pod("web-a"), pod("web-b")), NOW)
    assert found.headline.args["cause"] == f"cause.{code}"
    assert condition.get("message", "") in told(found)


def test_a_paused_rollout_is_told() -> None:
    found = status_report(observed(workload(replicas=1, paused=True), pod("web-a")), NOW)
    assert found.headline.args["cause"] == "cause.paused"


def test_a_stateful_set_that_may_not_create_pods_says_why() -> None:
    event = {"type": "Warning", "reason": "FailedCreate", "message": "exceeded quota", "lastTimestamp": ago(60)}
    found = status_report(
        observed(workload("StatefulSet", 2, ready=1), pod("web-0"), kind="StatefulSet", events=(event,)), NOW
    )
    assert found.headline.args["cause"] == "cause.blocked"


def autoscaler(**conditions: tuple[str, str]) -> Raw:
    rows = [{"type": kind, "status": status, "reason": reason} for kind, (status, reason) in conditions.items()]
    return {
        "metadata": {"name": "web"},
        "spec": {"minReplicas": 2, "maxReplicas": 8},
        "status": {"currentReplicas": 2, "desiredReplicas": 2, "conditions": rows},
    }


@pytest.mark.parametrize(
    ("conditions", "cause"),
    [
        ({"ScalingLimited": ("True", "TooManyReplicas")}, "cause.autoscaler_limit"),
        ({"ScalingActive": ("False", "FailedGetResourceMetric")}, "cause.autoscaler_blind"),
        ({"AbleToScale": ("False", "FailedGetScale")}, "cause.autoscaler_off"),
    ],
)
def test_an_autoscaler_in_trouble_is_told(conditions: dict[str, tuple[str, str]], cause: str) -> None:
    found = report(pod("web-a"), autoscalers=(autoscaler(**conditions),))
    assert found.headline.args.get("cause") == cause


def test_an_autoscaler_at_its_minimum_is_normal() -> None:
    found = report(pod("web-a"), autoscalers=(autoscaler(ScalingLimited=("True", "TooFewReplicas")),))
    assert found.headline.key == "status.healthy"
    assert "HPA web: 2–8 replicas, now 2, wants 2." in told(found)


def test_an_autoscaler_that_was_just_made_has_no_numbers_yet() -> None:
    made: Raw = {**autoscaler(), "status": {"currentMetrics": None, "desiredReplicas": 0}}
    said = told(report(pod("web-a"), autoscalers=(made,)))
    assert "HPA web: 2–8 replicas; its controller has not looked at it yet." in said
    off: Raw = {**autoscaler(ScalingActive=("False", "ScalingDisabled"))}
    off["status"] = {**off["status"], "currentReplicas": 0, "desiredReplicas": 0}
    assert "now 0; it decides nothing at the moment" in told(report(pod("web-a"), autoscalers=(off,)))


def test_what_could_not_be_read_is_told_apart() -> None:
    found = status_report(observed(workload(replicas=2, ready=1), unread=("pods:403", "budgets:timeout")), NOW)
    assert found.headline.args["ready"] == 1  # from the controller's count
    assert "Could not read the pods (403)" in spoken(*found.unread)


def test_the_same_warning_of_several_pods_is_told_once() -> None:
    warning = {"type": "Warning", "reason": "Unhealthy", "message": "m", "lastTimestamp": ago(60), "count": 3}
    about = [{"involvedObject": {"kind": "Pod", "name": name}} for name in ("web-a", "web-b")]
    said = report(pod("web-a"), pod("web-b"), events=tuple(warning | one for one in about))
    assert [line.args["count"] for line in said.lines if line.key == "status.event"] == [6]


def test_warnings_that_repeat_a_finding_are_left_out() -> None:
    events = tuple(
        {
            "type": "Warning",
            "reason": reason,
            "message": "m",
            "lastTimestamp": ago(60),
            "involvedObject": {"name": reason},
        }
        for reason in ("BackOff", "Unhealthy")
    )
    found = report(pod("web-a", CRASHING), events=events)
    assert "Event Unhealthy" in told(found)
    assert "Event BackOff" not in told(found)


def test_a_probe_that_a_finding_quotes_is_not_told_twice() -> None:
    told = {
        "type": "Warning",
        "reason": "Unhealthy",
        "message": "Readiness probe failed: connection refused",
        "lastTimestamp": ago(60),
        "involvedObject": {"kind": "Pod", "name": "web-a", "fieldPath": "spec.containers{app}"},
    }
    found = report(pod("web-a", container(ready=False)), pod("web-b"), events=(told,))
    assert "readiness probe: connection refused" in "\n".join(map(spoken, found.lines))
    assert "status.event" not in keys(found.lines)


def test_events_of_both_apis_are_ordered_by_when_they_were_seen_last() -> None:
    about = {"kind": "Pod", "name": "web-a"}
    events = (
        {"type": "Normal", "reason": "Old", "message": "m", "lastTimestamp": ago(500), "involvedObject": about},
        {
            "type": "Warning",
            "reason": "FailedScheduling",
            "message": "no\nroom token=abc123",
            "lastTimestamp": None,
            "eventTime": ago(400),
            "series": {"count": 3, "lastObservedTime": ago(30)},
            "involvedObject": about,
        },
        {
            "type": "Warning",
            "reason": "Unhealthy",
            "message": "m",
            "count": 9,
            "eventTime": ago(90),
            "involvedObject": about,
        },
    )
    found = events_report(observed(events=events), NOW)
    rows = found.code.splitlines()
    assert [row.split()[2] for row in rows] == ["FailedScheduling", "Unhealthy", "Old"]
    assert "30s" in rows[0]
    assert "x3  pod/web-a: no room token=***" in rows[0]
    assert spoken(found.headline) == "web: 12 warning events; most often Unhealthy ×9, 90s ago."
    assert found.tone == "warn"


def test_equal_events_are_counted_together() -> None:
    one = {"type": "Normal", "reason": "Pulled", "message": "m", "lastTimestamp": ago(50), "involvedObject": {}}
    found = events_report(observed(events=(one, {**one, "lastTimestamp": ago(20), "count": 4})), NOW)
    assert len(found.code.splitlines()) == 1
    assert found.code.split()[:3] == ["20s", "Normal", "Pulled"]
    assert "x5" in found.code
    assert found.headline.key == "events.normal"


def test_many_events_are_cut_and_counted() -> None:
    rows = tuple({"reason": f"R{n}", "message": "m", "lastTimestamp": ago(n)} for n in range(25))
    found = events_report(observed(events=rows), NOW)
    assert len(found.code.splitlines()) == 20
    assert "5 more kinds" in spoken(*found.lines)


def test_no_events_prove_nothing() -> None:
    assert events_report(observed(), NOW).headline.key == "events.none"
    assert events_report(observed(unread=("events:403",)), NOW).headline.key == "events.unread"


def test_a_verdict_of_health_rests_on_everything_that_was_to_be_read() -> None:
    assert "status.checked" not in keys(report(pod("web-a"), unread=("budgets:403",)).lines)


FULL = observed(
    workload(replicas=2, ready=1),
    pod("web-a", CRASHING),
    pod("web-b", waiting("ImagePullBackOff", "not found"), phase="Pending"),
    pod("web-c", phase="Failed", reason="Evicted"),
    replica_sets=({"metadata": {"name": "web-1"}},),
    autoscalers=(autoscaler(ScalingActive=("False", "ScalingDisabled")),),
    budgets=({"metadata": {"name": "web"}, "status": {"disruptionsAllowed": 1}},),
    events=({"type": "Warning", "reason": "BackOff", "lastTimestamp": ago(10), "involvedObject": {"kind": "Pod"}},),
)
JUNK = st.sampled_from(
    [None, {}, [], [None], "", "x", 0, -1, 1.5, True, {"a": None}, "9999-99-99T00:00:00Z", "0001-01-01T00:00:00Z"]
)


def paths(value: object, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something can be put in the place of something else."""
    found = [at] if at else []
    rows = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in rows:
        found += paths(item, (*at, key))
    return found


def mangled(data: st.DataObject, original: Raw) -> Raw:
    """A copy in which up to three places hold junk, or nothing."""
    obj = copy.deepcopy(original)
    for _ in range(data.draw(st.integers(0, 3))):
        places = paths(obj)
        if not places:
            break
        *way, last = data.draw(st.sampled_from(places))
        holder: Any = obj
        for key in way:
            holder = holder[key]
        if data.draw(st.booleans()):
            holder[last] = copy.deepcopy(data.draw(JUNK))
        else:
            del holder[last]
    return obj


@given(st.data())
def test_no_object_makes_a_report_raise(data: st.DataObject) -> None:
    parts: dict[str, Any] = {
        part: tuple(mangled(data, one) for one in getattr(FULL, part))
        for part in ("pods", "replica_sets", "autoscalers", "budgets", "events")
    }
    kind = entity(data.draw(st.sampled_from(["Deployment", "StatefulSet", "DaemonSet", "Node"])))
    found = Observed(entity=kind, at=NOW, object=mangled(data, FULL.object), **parts)
    for made in (status_report(found, NOW), events_report(found, NOW)):
        assert spoken(made.headline, *made.lines, *made.unread)


def finding(code: str, severity: Any = "danger", **more: Any) -> Finding:
    return Finding(code, severity, say("events.none", name=code), where=code, **more)


def test_a_finding_carries_its_evidence_an_object_a_line_and_what_is_likely(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = (
        Evidence("pod/web-a", "status.phase", "Pending"),
        Evidence("pod/web-a", "spec.nodeName", "-"),
        Evidence("node/n1", "spec.unschedulable", "true"),
        Evidence("node/n2", "x", "y"),
    )
    made = finding("gated", evidence=rows, causes=("pull.denied", "pull.network", "pull.other"))
    monkeypatch.setattr(status, "CHECKS", (lambda _: [made],))
    found = report(pod("web-a"))
    assert found.details[0].evidence == (
        "pod/web-a: status.phase = Pending; spec.nodeName = -",
        "node/n1: spec.unschedulable = true",
    )
    assert keys(found.details[0].causes) == ["pull.denied", "pull.network"]
    assert found.codes == ("gated",)


def test_at_most_five_findings_are_shown_and_the_rest_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = ("gated", "image_pull", "config", "start", "init", "budget", "paused")
    monkeypatch.setattr(status, "CHECKS", (lambda _: [finding(code) for code in codes],))
    found = report(pod("web-a"))
    assert len(found.details) == 5
    assert "Lesser findings not shown: 2 more" in told(found)
    assert len(found.codes) == 7


def test_each_offer_is_made_once_and_a_rollback_says_to_which_revision(monkeypatch: pytest.MonkeyPatch) -> None:
    offers = (Offer("rollback"), Offer("restart"))
    more = (Offer("restart"), Offer("cordon", entity="e//node/n1"), Offer("cordon", entity="e//node/n2"))
    made = [finding("gated", offers=offers), finding("config", offers=more)]
    monkeypatch.setattr(status, "CHECKS", (lambda _: made,))
    image = {"spec": {"containers": [{"name": "app", "image": "reg/web:0", "imagePullPolicy": "IfNotPresent"}]}}
    sets = tuple(
        {
            "metadata": {"name": f"web-{n}", "annotations": {"deployment.kubernetes.io/revision": str(n)}},
            "spec": {"template": template},
        }
        for n, template in ((1, image), (2, workload()["spec"]["template"]))
    )
    found = report(pod("web-a"), replica_sets=sets)
    assert found.offers == (Offer("rollback", {"revision": 1}), Offer("restart"), Offer("cordon", entity="e//node/n1"))
    assert report(pod("web-a")).offers[0] == Offer("rollback")  # which one is not known


def test_what_is_not_seen_whole_is_never_called_healthy(monkeypatch: pytest.MonkeyPatch) -> None:
    found = report(pod("web-a"), unread=("events:403",))
    assert (found.headline.key, found.tone) == ("status.healthy_as_far", "info")
    assert report(pod("web-a"), unread=("usage:403",)).headline.key == "status.healthy"

    def breaks(scene: object) -> list[Finding]:
        raise KeyError("x")

    monkeypatch.setattr(status, "CHECKS", (breaks,))
    found = report(pod("web-a"))
    assert found.headline.key == "status.healthy_as_far"
    assert "A check failed itself (breaks: KeyError)" in spoken(*found.unread)
    assert "status.checked" not in keys(found.lines)


def test_a_rollout_whose_new_pods_should_be_ready_by_now_is_no_good_news() -> None:
    gate = {"readinessGates": [{"conditionType": "example.com/lb"}]}
    shut = pod("web-a")
    shut["spec"] |= gate
    for row in shut["status"]["conditions"]:
        row["status"] = "False" if row["type"] == "Ready" else row["status"]
    moving = workload(replicas=1, ready=0)
    moving["status"] |= {"updatedReplicas": 1, "availableReplicas": 0, "conditions": []}
    found = report(shut, obj=moving)
    assert (found.codes, found.headline.key) == (("not_ready",), "status.down")


def test_both_ways_in_that_were_left_out_take_one_line() -> None:
    found = report(pod("web-a"), around=Around(others=(), skipped=("claims", "ingresses", "network")))
    assert len(found.unread) == 2
    assert "Did not read the Ingresses and NetworkPolicies this time" in spoken(*found.unread)


def test_what_was_left_out_of_the_pass_is_said() -> None:
    found = report(pod("web-a"), around=Around(others=(), skipped=("ingresses",)))
    assert "Did not read the Ingresses this time" in spoken(*found.unread)
    assert "checked.network" in keys(found.looked)
    assert "checked.ingresses" not in keys(found.looked)
    assert found.looked[0].args == {"count": len(found.looked) - 1}
    assert not report(pod("web-a", CRASHING)).looked
