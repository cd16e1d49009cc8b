"""Restarting: what is written, refused, warned of, and when it is done."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.observed import Observed, Raw
from chatops_bot.domain.plans import Draft
from chatops_bot.domain.say import Say
from tests.unit.domain.cluster_objects import observed, plan_of, pod, spoken, waiting, workload

RESTART = ACTIONS["restart"]
STAMP = "2026-11-29T10:00:00Z"
KEY = "kubectl.kubernetes.io/restartedAt"


def resting(replicas: int = 3, kind: EntityKind = "Deployment", **spec: Any) -> Observed:
    return observed(workload(kind, replicas, **spec), *(pod(f"web-{n}") for n in range(replicas)), kind=kind)


def draft(found: Observed) -> Draft:
    made = RESTART.draft(found, {}, token="t0", stamp=STAMP)
    assert isinstance(made, Draft), made
    return made


def warned(found: Observed, **parts: Any) -> str:
    return spoken(*draft(msgspec.structs.replace(found, **parts)).warnings)


@pytest.mark.parametrize(
    ("kind", "plural"), [("Deployment", "deployments"), ("StatefulSet", "statefulsets"), ("DaemonSet", "daemonsets")]
)
def test_the_patch_is_kubectls_with_the_token_beside_it(kind: EntityKind, plural: str) -> None:
    change = draft(resting(3, kind)).change
    assert (change.plural, change.content) == (plural, "strategic")
    assert change.body == {
        "metadata": {"annotations": {"chatops-bot.io/plan": "t0"}},
        "spec": {"template": {"metadata": {"annotations": {KEY: STAMP}}}},
    }


def test_the_preview_names_pods_images_place_and_that_there_is_no_way_back() -> None:
    made = draft(resting())
    assert spoken(*made.preview).splitlines() == [
        "deployment/web: rolling restart of all pods (3 wanted, 3 ready now)",
        "Same image reference: reg/web:1",
        "A restart cannot be undone.",
        "Environment PRODUCTION · cluster prod-east · namespace shop",
    ]
    assert (made.risk, made.warnings, made.parameters) == ("medium", (), {})


@pytest.mark.parametrize(
    ("found", "key"),
    [
        (resting(3, paused=True), "restart.paused"),
        (resting(0), "restart.no_pods"),
        (resting(0, "DaemonSet"), "restart.no_pods"),
        (resting(3, template={"metadata": {"annotations": {KEY: STAMP}}}), "restart.just_now"),
    ],
)
def test_a_restart_that_would_do_nothing_is_refused(found: Observed, key: str) -> None:
    made = RESTART.draft(found, {}, token="t0", stamp=STAMP)
    assert isinstance(made, Say)
    assert made.key == key
    assert spoken(made)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (resting(3, "StatefulSet", updateStrategy={"type": "OnDelete"}), "no pod restarts until it is deleted"),
        (resting(3, "DaemonSet", updateStrategy={"type": "OnDelete"}), "no pod restarts until it is deleted"),
        (
            resting(3, "StatefulSet", updateStrategy={"type": "RollingUpdate", "rollingUpdate": {"partition": 2}}),
            "ordinal ≥ 2",
        ),
        (resting(3, strategy={"type": "Recreate"}), "all 3 pods stop at once"),
        (resting(1), "Only 1 replica: the old pod serves"),
        (resting(1, "StatefulSet"), "downtime during the restart"),
    ],
)
def test_what_it_will_cost_is_told(found: Observed, words: str) -> None:
    assert words in warned(found)


@pytest.mark.parametrize(
    ("image", "policy", "told"),
    [
        ("reg/web:latest", "", True),
        ("reg/web", "", True),
        ("localhost:5000/web", "", True),
        ("reg/web:1", "Always", True),
        ("reg/web:1", "IfNotPresent", False),
        ("localhost:5000/web:1", "IfNotPresent", False),
        ("reg/web@sha256:0", "Always", False),
    ],
)
def test_an_image_that_may_have_changed_is_named(image: str, policy: str, told: bool) -> None:
    obj = workload()
    obj["spec"]["template"]["spec"]["containers"] = [{"name": "app", "image": image, "imagePullPolicy": policy}]
    assert (image in warned(observed(obj, *(pod(f"web-{n}") for n in range(3))))) is told


def test_a_rollout_under_way_and_an_autoscaler_are_told() -> None:
    moving = workload()
    moving["status"] |= {"updatedReplicas": 1, "conditions": []}
    pods = [pod(f"web-{n}") for n in range(3)]
    assert "rollout is under way already" in warned(observed(moving, *pods))
    assert "HPA web-hpa may add pods" in warned(resting(), autoscalers=({"metadata": {"name": "web-hpa"}},))


def test_an_operators_workload_is_told() -> None:
    owned = workload()
    owned["metadata"]["ownerReferences"] = [{"kind": "Prometheus", "name": "k8s", "controller": True}]
    assert "Owned by an operator (Prometheus k8s)" in warned(observed(owned, *(pod(f"web-{n}") for n in range(3))))


def changed(**spec: Any) -> Raw:
    obj = workload()
    obj["spec"] |= spec
    return obj


def test_a_node_is_not_restarted_this_way_and_nothing_can_be_said_wrong_before_reading() -> None:
    made = RESTART.draft(resting(3, "Node"), {}, token="t0", stamp=STAMP)
    assert isinstance(made, Say)
    assert made.key == "restart.wrong_kind"


def test_a_workload_without_images_is_still_previewed() -> None:
    obj = workload()
    obj["spec"]["template"]["spec"] = {}
    assert "restart.images" not in {one.key for one in draft(observed(obj, pod())).preview}


def test_what_is_watched_moves_with_what_the_card_shows_and_with_nothing_else() -> None:
    before = RESTART.watched(workload())
    same = changed(replicas=5)  # an autoscaler at work
    same["metadata"] |= {"generation": 9, "resourceVersion": "99", "annotations": {"a": "b"}}
    same["status"] = {}
    assert RESTART.watched(same) == before
    template = {"spec": {"containers": [{"name": "app", "image": "reg/web:2"}]}}
    for other in (
        changed(paused=True),
        changed(replicas=1),
        changed(strategy={"type": "Recreate"}),
        changed(template=template),
        changed() | {"metadata": {"uid": "u-other"}},
    ):
        assert RESTART.watched(other) != before


def restarted(kind: EntityKind = "Deployment", **status: Any) -> Raw:
    obj = workload(kind)
    obj["spec"]["template"]["metadata"]["annotations"] = {KEY: STAMP}
    obj["status"] |= status
    return obj


@pytest.mark.parametrize(
    ("obj", "finished", "failed", "words"),
    [
        (restarted(), True, False, "3 of 3 pods new"),
        (restarted(observedGeneration=1), False, False, "has not taken up"),
        (restarted(updatedReplicas=1), False, False, "1 of 3 pods updated"),
        (restarted(replicas=4), False, False, "old pods still to go: 1"),
        (restarted(availableReplicas=2), False, False, "2 of 3 new pods available"),
        (
            restarted(conditions=[{"type": "Progressing", "status": "False", "reason": "ProgressDeadlineExceeded"}]),
            True, True, "no progress within 600 s",
        ),
        (
            restarted(conditions=[{"type": "ReplicaFailure", "status": "True", "message": "exceeded quota: c"}]),
            True, True, "exceeded quota: c",
        ),
        (workload(), True, True, "taken the place"),
    ],
)  # fmt: skip
def test_how_far_a_deployment_is(obj: Raw, finished: bool, failed: bool, words: str) -> None:
    now = RESTART.progress(observed(obj), plan_of(draft(resting())))
    assert (now.finished, now.failed) == (finished, failed)
    assert words in spoken(now.line)


def test_a_deployment_paused_meanwhile_ends_the_following() -> None:
    obj = restarted(updatedReplicas=1)
    obj["spec"]["paused"] = True
    now = RESTART.progress(observed(obj), plan_of(draft(resting())))
    assert (now.finished, now.failed, now.line.key) == (True, True, "rollout.paused")


def test_a_deployment_paused_after_its_last_pod_has_been_restarted() -> None:
    obj = restarted()
    obj["spec"]["paused"] = True
    now = RESTART.progress(observed(obj), plan_of(draft(resting())))
    assert (now.finished, now.failed, now.line.key) == (True, False, "rollout.done")


@pytest.mark.parametrize(
    ("obj", "finished", "words"),
    [
        (
            restarted("StatefulSet", updateRevision="b", currentRevision="a", updatedReplicas=2),
            False,
            "2 of 3 pods updated",
        ),
        (restarted("StatefulSet", readyReplicas=2), False, "2 of 3 pods ready"),
        (restarted("StatefulSet", updateRevision="b", currentRevision="b"), True, "3 of 3 pods new"),
        (  # taken back half way: one pod is still of the revision in between
            restarted("StatefulSet", updateRevision="a", currentRevision="a", updatedReplicas=2),
            False,
            "2 of 3 pods updated",
        ),
    ],
)
def test_how_far_a_stateful_set_is(obj: Raw, finished: bool, words: str) -> None:
    now = RESTART.progress(observed(obj, kind="StatefulSet"), plan_of(draft(resting(3, "StatefulSet"))))
    assert (now.finished, now.failed) == (finished, False)
    assert words in spoken(now.line)


def test_a_partition_is_done_when_its_part_is() -> None:
    obj = restarted("StatefulSet", updatedReplicas=1)
    obj["spec"]["updateStrategy"] = {"type": "RollingUpdate", "rollingUpdate": {"partition": 2}}
    now = RESTART.progress(observed(obj, kind="StatefulSet"), plan_of(draft(resting(3, "StatefulSet"))))
    assert (now.finished, now.line.key) == (True, "rollout.partitioned")
    obj["status"]["updatedReplicas"] = 0
    now = RESTART.progress(observed(obj, kind="StatefulSet"), plan_of(draft(resting(3, "StatefulSet"))))
    assert (now.finished, spoken(now.line)) == (False, "Rolling out: 0 of 1 pods updated.")


@pytest.mark.parametrize(
    ("status", "finished"), [({"updatedNumberScheduled": 2}, False), ({"numberAvailable": 2}, False), ({}, True)]
)
def test_how_far_a_daemon_set_is(status: Raw, finished: bool) -> None:
    now = RESTART.progress(observed(restarted("DaemonSet", **status), kind="DaemonSet"), plan_of(draft(resting())))
    assert now.finished is finished


def test_on_delete_ends_at_once_and_says_so() -> None:
    obj = restarted("DaemonSet", updatedNumberScheduled=0)
    obj["spec"]["updateStrategy"] = {"type": "OnDelete"}
    now = RESTART.progress(observed(obj, kind="DaemonSet"), plan_of(draft(resting())))
    assert (now.finished, now.failed, now.line.key) == (True, False, "rollout.on_delete")


def test_new_pods_that_crash_end_the_following_and_old_ones_do_not() -> None:
    new = pod("web-new", waiting("CrashLoopBackOff", restartCount=2))
    new["metadata"]["annotations"] = {KEY: STAMP}
    old = pod("web-old", waiting("CrashLoopBackOff", restartCount=9))
    moving = restarted(updatedReplicas=1)
    failing = RESTART.progress(observed(moving, new, old), plan_of(draft(resting())))
    assert (failing.finished, failing.failed) == (True, True)
    assert "failing (web-new): a container keeps crashing" in spoken(failing.line)
    assert not RESTART.progress(observed(moving, old), plan_of(draft(resting()))).finished


def test_another_object_of_the_name_is_not_followed() -> None:
    other = restarted()
    other["metadata"]["uid"] = "u-other"
    assert RESTART.progress(observed(other), plan_of(draft(resting()))).line.key == "progress.replaced"


def test_there_is_no_undo_and_holds_knows_its_stamp() -> None:
    plan = plan_of(draft(resting()))
    assert RESTART.undo(plan) is None
    assert RESTART.holds(restarted(), plan)
    assert not RESTART.holds(workload(), plan)
