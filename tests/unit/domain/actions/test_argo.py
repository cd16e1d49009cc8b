"""Argo Rollouts: what is written for each action, when it is done, what is refused and what is offered instead."""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.domain.actions.argo import HASH_LABEL, unfit, wrong_target
from chatops_bot.domain.actions.base import Undo
from chatops_bot.domain.actions.owners import owns_status
from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.diagnosis.status import status_report
from chatops_bot.domain.intents import Quantity, SlotValue
from chatops_bot.domain.observed import Observed, Permission, Raw
from chatops_bot.domain.plans import Draft, Plan
from chatops_bot.domain.rollout import rollout_of
from chatops_bot.domain.say import Say
from tests.unit.domain.cluster_objects import (
    NOW,
    ago,
    entity,
    keys,
    observed,
    plan_of,
    pod,
    spoken,
    waiting,
    workload,
)

ABORT, RESTART, SCALE = (ACTIONS[name] for name in ("abort", "restart", "scale"))
STAMP = ago(60)


def replica_set(revision: str, image: str = "reg/web:1", *, replicas: int = 3, ready: int | None = None) -> Raw:
    template = {"spec": {"containers": [{"name": "app", "image": image}]}}
    return {
        "metadata": {"name": f"web-{revision}", "labels": {HASH_LABEL: revision}},
        "spec": {"replicas": replicas, "template": template},
        "status": {"readyReplicas": replicas if ready is None else ready},
    }


def resting(replicas: int = 3, *pods: Raw, status: Raw | None = None, **spec: Any) -> Observed:
    obj = workload("Rollout", replicas, **spec)
    obj["status"] |= status or {}
    rows = pods or tuple(pod(f"web-{number}") for number in range(replicas))
    return observed(obj, *rows, kind="Rollout", replica_sets=(replica_set("a1", replicas=replicas),))


def canary(*, stable_ready: int = 2, **status: Any) -> Observed:
    """One pod of three is of the new revision, and its controller waits."""
    steps = [{"setWeight": 20}, {"pause": {}}, {"setWeight": 60}]
    obj = workload("Rollout", strategy={"canary": {"steps": steps}})
    half_way = {"phase": "Paused", "message": "CanaryPauseStep", "currentPodHash": "b2", "currentStepIndex": 1}
    obj["status"] |= {**half_way, "updatedReplicas": 1, **status}
    sets = (replica_set("a1", replicas=2, ready=stable_ready), replica_set("b2", "reg/web:2", replicas=1))
    return observed(obj, *(pod(f"web-{number}") for number in range(3)), kind="Rollout", replica_sets=sets)


def draft(action: str, found: Observed, **slots: SlotValue) -> Draft:
    made = ACTIONS[action].draft(found, slots, token="t0", stamp=STAMP)
    assert isinstance(made, Draft), made
    assert spoken(*made.preview, *made.warnings)
    return made


def refused(action: str, found: Observed) -> str:
    made = ACTIONS[action].draft(found, {}, token="t0", stamp=STAMP)
    assert isinstance(made, Say), made
    assert spoken(made)
    return made.key


def progress(found: Observed, plan: Plan) -> tuple[bool, bool, str]:
    now = ACTIONS[plan.action].progress(found, plan)
    assert spoken(now.line)
    return now.finished, now.failed, now.line.key


def scaled_plan(wanted: int = 5) -> Plan:
    return plan_of(draft("scale", resting(), replicas=Quantity(kind="to", value=wanted)))


# What is written


def test_scaling_is_a_plain_merge_of_the_custom_resource() -> None:
    change = draft("scale", resting(), replicas=Quantity(kind="to", value=5)).change
    assert (change.group, change.version, change.plural) == ("argoproj.io", "v1alpha1", "rollouts")
    assert (change.content, change.subresource) == ("merge", "")
    assert change.body == {"metadata": {"annotations": {"chatops-bot.io/plan": "t0"}}, "spec": {"replicas": 5}}
    assert SCALE.undo(scaled_plan()) == Undo("scale", {"replicas": Quantity(kind="to", value=3)})


def test_a_restart_sets_restart_at_and_leaves_the_template() -> None:
    made = draft("restart", resting())
    assert made.change.body == {
        "metadata": {"annotations": {"chatops-bot.io/plan": "t0"}},
        "spec": {"restartAt": STAMP},
    }
    assert made.change.content == "merge"
    assert made.watched["spec.restartAt"] == ""
    assert "one by one" in spoken(*made.preview)


def test_an_abort_is_of_the_status_and_says_what_it_does() -> None:
    made = draft("abort", canary())
    assert made.change.body == {"status": {"abort": True}}
    assert (made.change.subresource, made.change.content) == ("status", "merge")
    assert Permission("argoproj.io", "rollouts", "patch", "status") in ABORT.permissions("Rollout")
    told = spoken(*made.preview)
    assert "step 2 of 3" in told
    assert "reg/web:2 → reg/web:1" in told
    assert "the template stays the new one" in told
    assert "kubectl argo rollouts retry rollout web -n shop" in told
    assert ABORT.undo(plan_of(made)) is None


def test_an_abort_says_which_pods_have_to_come_up_first() -> None:
    assert "Only 2 of 3 pods of the stable revision" in spoken(*draft("abort", canary()).warnings)
    assert "stable revision" not in spoken(*draft("abort", canary(stable_ready=3)).warnings)


@pytest.mark.parametrize(
    ("changed", "key"),
    [
        ({"abort": True}, "abort.already"),
        ({"stableRS": ""}, "abort.first"),
        ({"currentPodHash": "a1"}, "abort.nothing"),
        ({"observedGeneration": "1"}, "abort.unobserved"),
    ],
)
def test_there_must_be_something_to_abort(changed: Raw, key: str) -> None:
    assert refused("abort", canary(**changed)) == key


def test_only_a_rollout_can_be_aborted() -> None:
    assert refused("abort", observed()) == "abort.wrong_kind"


def test_what_an_abort_was_shown_for_must_still_be_so() -> None:
    watched = draft("abort", canary()).watched
    assert watched == {
        "metadata.uid": "u-web",
        "status.abort": False,
        "status.stableRS": "a1",
        "status.currentPodHash": "b2",
    }
    assert ABORT.watched(canary(currentPodHash="c3").object) != watched
    assert ABORT.watched(canary(message="of another step").object) == watched


def test_the_status_tells_whose_abort_it_is() -> None:
    ours: Raw = {"manager": "chatops-bot", "subresource": "status", "fieldsV1": {"f:status": {"f:abort": {}}}}
    theirs = {**ours, "manager": "kubectl-argo-rollouts"}
    spec = {"manager": "chatops-bot", "fieldsV1": {"f:spec": {"f:replicas": {}}}}
    assert owns_status({"metadata": {"managedFields": [spec, ours]}}, ["abort"])
    assert not owns_status({"metadata": {"managedFields": [spec, theirs]}}, ["abort"])
    assert not owns_status({}, ["abort"])


# What a restart costs and meets


@pytest.mark.parametrize(
    ("found", "key"),
    [
        (resting(1), "warn.single_stateful"),
        (resting(3, pod("web-a"), pod("web-b"), pod("web-c", waiting("CrashLoopBackOff"))), "warn.argo_unready"),
        (resting(paused=True), "warn.argo_paused"),
        (canary(), "warn.argo_promoting"),
    ],
)
def test_what_to_know_before_a_restart(found: Observed, key: str) -> None:
    assert key in keys(draft("restart", found).warnings)
    assert key not in keys(draft("restart", resting()).warnings)


def test_a_restart_of_nothing_is_refused() -> None:
    assert refused("restart", resting(0)) == "restart.no_pods"
    assert refused("restart", resting(restartAt=STAMP)) == "restart.just_now"


# How it goes


def restarted(*pods: Raw, done: bool = False, at: str = STAMP) -> Observed:
    return resting(2, *pods, restartAt=at, status={"restartedAt": STAMP} if done else {"phase": "Progressing"})


NEW, OLD = pod("web-new", age=30), pod("web-old", age=3600)
BROKEN = pod("web-broken", waiting("CrashLoopBackOff", restartCount=4), age=30)


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (restarted(OLD, OLD), (False, False, "progress.argo_restarting")),
        (restarted(NEW, OLD), (False, False, "progress.argo_restarting")),
        (restarted(NEW, NEW, done=True), (True, False, "progress.argo_restarted")),
        (restarted(NEW, NEW, at=ago(1)), (True, True, "progress.restart_superseded")),
        (restarted(BROKEN, OLD), (True, True, "progress.failing")),
    ],
)
def test_a_restart_is_followed_by_the_controllers_own_word(found: Observed, told: tuple[bool, bool, str]) -> None:
    plan = plan_of(draft("restart", resting()))
    assert progress(found, plan) == told
    assert RESTART.holds(found.object, plan) == (told[2] != "progress.restart_superseded")


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (canary(abort=True), (False, False, "progress.aborting")),
        (canary(abort=True, phase="Degraded"), (False, False, "progress.aborting")),
        (canary(abort=True, phase="Degraded", stable_ready=3), (True, False, "progress.aborted")),
        (canary(), (True, True, "progress.abort_superseded")),
        (canary(abort=True, currentPodHash="c3"), (True, True, "progress.abort_superseded")),
    ],
)
def test_an_abort_is_done_when_the_stable_revision_serves_in_full(
    found: Observed, told: tuple[bool, bool, str]
) -> None:
    assert progress(found, plan_of(draft("abort", canary()))) == told


def test_without_its_replica_sets_the_rollouts_own_count_is_taken() -> None:
    found = canary(abort=True, phase="Degraded")
    bare = observed(found.object, *found.pods, kind="Rollout")
    assert progress(bare, plan_of(draft("abort", canary()))) == (True, False, "progress.aborted")


def test_a_scale_is_done_when_all_are_ready() -> None:
    plan = scaled_plan(5)
    more = resting(5)
    assert progress(more, plan) == (True, False, "progress.scaled")
    more.object["status"]["observedGeneration"] = "1"
    assert progress(more, plan) == (False, False, "progress.unobserved")
    assert progress(resting(4), plan) == (True, True, "progress.scale_superseded_by_somebody")


def test_a_scale_half_way_between_two_revisions_counts_the_pods_of_both() -> None:
    """With traffic routing the stable revision keeps all its pods, and the canary has its own beside them."""
    plan = scaled_plan(5)
    found = canary()
    found.object["spec"]["replicas"] = 5
    found.object["status"] |= {"replicas": 6, "readyReplicas": 6}
    sets = (replica_set("a1", replicas=5), replica_set("b2", replicas=1))
    both = observed(found.object, *found.pods, kind="Rollout", replica_sets=sets)
    assert progress(both, plan) == (True, False, "progress.scaled")
    one = observed(found.object, *found.pods, kind="Rollout", replica_sets=sets[:1])
    assert progress(one, plan) == (False, False, "progress.scaling_down")


# What it says of itself


@pytest.mark.parametrize(
    ("status", "state", "key"),
    [
        ({}, "done", "rollout.done"),
        ({"observedGeneration": "1"}, "waiting", "rollout.unobserved"),
        ({"observedGeneration": "5c8d9"}, "done", "rollout.done"),
        ({"phase": "Paused", "message": "CanaryPauseStep"}, "paused", "rollout.held"),
        ({"phase": "Degraded", "message": "ProgressDeadlineExceeded"}, "failed", "rollout.degraded"),
        ({"phase": "Degraded", "abort": True, "message": "RolloutAborted"}, "failed", "rollout.aborted"),
        ({"phase": "Progressing", "updatedReplicas": 1}, "waiting", "rollout.updating"),
        ({"phase": "Progressing", "currentPodHash": "b2"}, "waiting", "rollout.updating"),
        ({"phase": "Progressing", "availableReplicas": 1}, "settled", "rollout.becoming_available"),
        ({"phase": ""}, "waiting", "rollout.becoming_available"),
    ],
)
def test_its_phase_is_its_controllers(status: Raw, state: str, key: str) -> None:
    found = rollout_of(resting(status=status).object, "Rollout")
    assert (found.state, found.line.key) == (state, key)
    assert spoken(found.line)


def test_its_status_names_phase_and_pods() -> None:
    report = status_report(canary(), NOW)
    assert "1 of 3 pods updated" in spoken(*report.lines)
    assert len(report.table) == 4


# What is not for it


@pytest.mark.parametrize(
    ("action", "command"),
    [
        ("pause", "kubectl argo rollouts pause web -n shop"),
        ("resume", "kubectl argo rollouts promote web -n shop"),
        ("rollback", "kubectl argo rollouts undo web -n shop"),
        ("set_image", "kubectl argo rollouts set image web CONTAINER=IMAGE -n shop"),
    ],
)
def test_what_belongs_to_argos_own_tool_is_named(action: str, command: str) -> None:
    assert "Rollout" not in ACTIONS[action].kinds
    assert command in spoken(unfit(action, entity("Rollout")))


def test_other_kinds_are_told_as_ever() -> None:
    assert unfit("scale", entity("DaemonSet")).key == "refuse.kind"
    assert unfit("cordon", entity("Rollout")).key == "refuse.kind"


def test_a_deployment_that_a_rollout_has_taken_over_is_the_wrong_target() -> None:
    taken = observed(workload(replicas=0), rollouts=({"metadata": {"name": "web-ro"}},))
    said = wrong_target(taken)
    assert said is not None
    assert said[1] == "prod-east/shop/rollout/web-ro"
    assert "rollout/web-ro" in spoken(said[0])
    assert wrong_target(observed()) is None


def test_its_status_says_where_the_pods_are() -> None:
    taken = observed(workload(replicas=0), rollouts=({"metadata": {"name": "web-ro"}},))
    assert "rollout/web-ro" in spoken(*status_report(taken, NOW).lines)


def test_where_the_rollouts_cannot_be_read_it_is_said() -> None:
    unread = observed(unread=("rollouts:403",))
    warnings = draft("scale", unread, replicas=Quantity(kind="to", value=5)).warnings
    assert "Could not read the Argo Rollouts (403)" in spoken(*warnings)
