"""Scaling: what is computed, asked, refused, warned of, and when it is done."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatops_bot.domain import flows
from chatops_bot.domain.actions.base import Question, Undo
from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.intents import Quantity, QuantityKind, SlotValue
from chatops_bot.domain.observed import Observed, Raw
from chatops_bot.domain.plans import Draft
from chatops_bot.domain.say import Say
from tests.unit.domain.cluster_objects import ago, container, ended, observed, plan_of, pod, spoken, waiting, workload

SCALE = ACTIONS["scale"]


def quantity(kind: QuantityKind, value: float) -> dict[str, SlotValue]:
    return {"replicas": Quantity(kind=kind, value=value)}


def draft(found: Observed, kind: QuantityKind = "to", value: float = 5) -> Draft:
    made = SCALE.draft(found, quantity(kind, value), token="t0", stamp="unused")
    assert isinstance(made, Draft), made
    return made


def problem(found: Observed, slots: dict[str, SlotValue]) -> Say:
    made = SCALE.draft(found, slots, token="t0", stamp="unused")
    if isinstance(made, Question):
        assert made.slots == ("replicas",)
        made = made.problem
    assert isinstance(made, Say), made
    spoken(made)
    return made


def resting(replicas: int, kind: EntityKind = "Deployment", **spec: Any) -> Observed:
    return observed(workload(kind, replicas, **spec), *(pod(f"web-{n}") for n in range(replicas)), kind=kind)


@pytest.mark.parametrize(
    ("kind", "value", "current", "after"),
    [
        ("to", 5, 2, 5),
        ("to", 0, 2, 0),
        ("by", 2, 4, 6),
        ("by", -1, 4, 3),
        ("times", 2, 3, 6),
        ("times", 0.5, 4, 2),
        ("times", 0.333333, 6, 2),
        ("to", 3, 0, 3),
    ],
)
def test_quantities_are_computed_against_what_is_there(
    kind: QuantityKind, value: float, current: int, after: int
) -> None:
    made = draft(resting(current), kind, value)
    assert made.parameters == {"replicas": after}
    assert made.before == {"replicas": current}
    assert made.change.body["spec"] == {"replicas": after}


@pytest.mark.parametrize(
    ("kind", "value", "current", "key", "words"),
    [
        ("unclear", 5, 2, "scale.to_or_by", "To 5, or by 5 (which makes 7)?"),
        ("to", 2, 2, "scale.already", "already has 2 replicas"),
        ("by", 0, 2, "scale.already", "already has 2 replicas"),
        ("times", 1, 2, "scale.already", "already has 2 replicas"),
        ("to", -1, 2, "scale.negative", "(-1)"),
        ("unclear", -3, 8, "scale.to_or_by", "To 3, or by 3 (which makes 5)?"),
        ("to", 2.5, 2, "scale.fraction", "2 or 3?"),
        ("by", -1.5, 4, "scale.fraction", "-2 or -1?"),
        ("times", 0.5, 5, "scale.not_whole", "2 or 3?"),
        ("times", 0, 5, "scale.times_not_positive", "scale to 0"),
        ("times", -2, 5, "scale.times_not_positive", "-2"),
        ("times", 3, 0, "scale.times_nothing", "0 replicas"),
        ("by", -2, 2, "scale.ends_at_zero", "scale to 0"),
        ("by", -3, 2, "scale.ends_below_zero", "only 2 replicas"),
        ("to", 3e9, 2, "scale.too_large", "3000000000"),
        ("to", float("inf"), 2, "scale.too_large", "9007199254740992"),
        ("to", float("nan"), 2, "scale.too_large", "9007199254740992"),
        ("by", 2**31 - 1, 2, "scale.too_large", "2147483649"),
        ("times", 2e9, 2, "scale.too_large", "4000000000"),
        ("times", 0.0004, 2, "scale.ends_at_zero", "scale to 0"),
    ],
)
def test_what_is_doubtful_is_asked_and_what_is_impossible_refused(
    kind: QuantityKind, value: float, current: int, key: str, words: str
) -> None:
    said = problem(resting(current), quantity(kind, value))
    assert said.key == key
    assert words in spoken(said)


def test_a_missing_number_is_asked_never_defaulted() -> None:
    assert "To how many?" in spoken(problem(resting(2), {}))
    assert problem(resting(2), {"replicas": "many"}).key == "scale.how_many"
    assert problem(resting(2), {"replicas": True}).key == "scale.how_many"


def test_a_bare_number_means_to() -> None:
    for value in (5, "5"):
        made = SCALE.draft(resting(2), {"replicas": value}, token="t0", stamp="")
        assert isinstance(made, Draft)
        assert made.parameters == {"replicas": 5}


def test_a_number_with_a_sign_means_by() -> None:
    made = SCALE.draft(resting(2), {"replicas": "+5"}, token="t0", stamp="")
    assert isinstance(made, Draft)
    assert made.parameters == {"replicas": 7}
    assert problem(resting(2), {"replicas": "-2"}).key == "scale.ends_at_zero"


def test_what_can_never_be_right_is_refused_before_anything_is_read() -> None:
    refused = [
        flows.problem("scale", slots) for slots in (quantity("to", -1), quantity("to", 1.5), quantity("times", 0))
    ]
    assert [said.problem.key if said else "" for said in refused] == [
        "scale.negative", "scale.fraction", "scale.times_not_positive",
    ]  # fmt: skip
    assert flows.problem("scale", quantity("by", -2)) is None
    assert flows.problem("scale", quantity("unclear", 5)) is None
    assert flows.problem("scale", {}) is None


@given(
    st.sampled_from(["to", "by", "times", "unclear"]),
    st.floats(width=32) | st.integers(-20, 20).map(float),
    st.integers(0, 30),
)
def test_no_number_goes_through_that_was_not_meant(kind: QuantityKind, value: float, current: int) -> None:
    made = SCALE.draft(resting(current), quantity(kind, value), token="t0", stamp="")
    if not isinstance(made, Draft):
        assert spoken(made.problem if isinstance(made, Question) else made)
        return
    after = made.parameters["replicas"]
    assert isinstance(after, int)
    assert after != current
    assert after >= 0
    assert after > 0 or (kind, value) == ("to", 0)
    assert kind != "unclear"
    assert (made.risk == "high") == (after == 0 or after > 10 * max(current, 1))


def test_the_patch_leaves_the_token_on_the_object_and_the_template_alone() -> None:
    change = draft(resting(2)).change
    assert (change.plural, change.name, change.namespace, change.subresource) == ("deployments", "web", "shop", "")
    assert change.body == {"metadata": {"annotations": {"chatops-bot.io/plan": "t0"}}, "spec": {"replicas": 5}}
    assert change.content == "strategic"


def test_the_preview_says_what_where_and_how_it_stands() -> None:
    made = draft(observed(workload(replicas=2, ready=1), pod("web-a"), pod("web-b", waiting("X"))))
    assert spoken(*made.preview) == (
        "deployment/web: replicas 2 → 5 (1 ready now)\nEnvironment PRODUCTION · cluster prod-east · namespace shop"
    )


def test_what_is_watched_is_what_the_card_shows() -> None:
    found = resting(2)
    assert draft(found).watched == {"metadata.uid": "u-web", "spec.replicas": 2, "spec.paused": False}
    paused = workload(replicas=3, paused=True)
    assert SCALE.watched(paused) == {"metadata.uid": "u-web", "spec.replicas": 3, "spec.paused": True}


@pytest.mark.parametrize(
    ("current", "value", "risk"),
    [(2, 3, "medium"), (2, 20, "medium"), (2, 21, "high"), (2, 0, "high"), (0, 10, "medium"), (0, 11, "high")],
)
def test_risk(current: int, value: float, risk: str) -> None:
    assert draft(resting(current), "to", value).risk == risk


def test_scaling_down_where_volumes_go_is_high_and_says_data_loss() -> None:
    policy = {"whenScaled": "Delete", "whenDeleted": "Retain"}
    made = draft(resting(5, "StatefulSet", persistentVolumeClaimRetentionPolicy=policy), "to", 4)
    assert made.risk == "high"
    assert "DATA LOSS" in spoken(*made.warnings)
    assert draft(resting(5, "StatefulSet", persistentVolumeClaimRetentionPolicy=policy), "to", 6).risk == "medium"


def hpa(**more: Any) -> Raw:
    return {"metadata": {"name": "web-hpa", **more}, "spec": {"minReplicas": 2, "maxReplicas": 8}}


def warned(found: Observed, value: float = 5, **parts: Any) -> str:
    return spoken(*draft(msgspec.structs.replace(found, **parts), "to", value).warnings)


def test_nothing_is_warned_of_without_reason() -> None:
    assert draft(resting(2)).warnings == ()


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (5, "HPA web-hpa (2–8) sets the number by load again within about 15 s. To keep 5"),
        (9, "9 is outside the range 2–8"),
        (0, "switches HPA web-hpa off until somebody scales up"),
    ],
)
def test_an_autoscaler_will_undo_it(value: float, words: str) -> None:
    assert words in warned(resting(3), value, autoscalers=(hpa(),))


@pytest.mark.parametrize(
    "more",
    [
        {"labels": {"scaledobject.keda.sh/name": "web"}},
        {"ownerReferences": [{"kind": "ScaledObject", "name": "web", "controller": True}]},
        {"name": "keda-hpa-web"},
    ],
)
def test_keda_is_told_from_a_plain_autoscaler(more: Raw) -> None:
    assert "KEDA (ScaledObject web, 2–8)" in warned(resting(3), autoscalers=(hpa(**more),))
    assert "KEDA (ScaledObject web, 2–8)" in warned(resting(3), 0, autoscalers=(hpa(**more),))


def test_a_budget_does_not_guard_against_scaling_down() -> None:
    budget = {"metadata": {"name": "web-pdb"}, "status": {"desiredHealthy": 2}}
    assert "1 is below the 2 that PDB web-pdb wants" in warned(resting(3), 1, budgets=(budget,))
    assert "PDB" not in warned(resting(3), 2, budgets=(budget,))
    assert "PDB" not in warned(resting(1), 5, budgets=({"metadata": {"name": "p"}, "status": {"desiredHealthy": 9}},))


@pytest.mark.parametrize(
    ("metadata", "words"),
    [
        (
            {"annotations": {"argocd.argoproj.io/tracking-id": "shop-app:apps/Deployment:shop/web"}},
            "Argo CD (shop-app)",
        ),
        ({"managedFields": [{"manager": "argocd-controller"}]}, "Argo CD (?)"),
        ({"labels": {"kustomize.toolkit.fluxcd.io/name": "apps"}}, "Flux (apps)"),
        ({"annotations": {"meta.helm.sh/release-name": "web-release"}}, "Helm (web-release)"),
        ({"ownerReferences": [{"kind": "Prometheus", "name": "k8s", "controller": True}]}, "(Prometheus k8s)"),
    ],
)
def test_who_else_decides_over_it_is_told(metadata: Raw, words: str) -> None:
    owned = workload(replicas=2)
    owned["metadata"] |= metadata
    assert words in warned(observed(owned, pod("web-a"), pod("web-b")))


def test_a_flux_object_that_is_not_reconciled_is_nobodys() -> None:
    owned = workload(replicas=2)
    owned["metadata"] |= {
        "labels": {"kustomize.toolkit.fluxcd.io/name": "apps"},
        "annotations": {"kustomize.toolkit.fluxcd.io/reconcile": "disabled"},
    }
    assert warned(observed(owned, pod("web-a"), pod("web-b"))) == ""


def test_a_change_minutes_ago_is_told_with_its_author() -> None:
    def written(manager: str, seconds: float, **more: Any) -> Raw:
        return {"manager": manager, "time": ago(seconds), "fieldsV1": {"f:spec": {"f:replicas": {}}}, **more}

    touched = workload(replicas=2)
    touched["metadata"]["managedFields"] = [
        written("helm", 9000),
        written("kubectl-edit", 180),
        written("kube-controller-manager", 5, subresource="status"),
        {"manager": "annotator", "time": ago(1), "fieldsV1": {"f:metadata": {}}},
    ]
    pods = (pod("web-a"), pod("web-b"))
    assert "Changed 3m ago by kubectl-edit" in warned(observed(touched, *pods))
    touched["metadata"]["managedFields"] = [written("helm", 9000)]
    assert warned(observed(touched, *pods)) == ""


def test_quorum_and_order_of_a_stateful_set() -> None:
    assert "majority of 5 members is 3; 2 may lose" in warned(resting(5, "StatefulSet"), 2)
    assert warned(resting(5, "StatefulSet"), 3) == ""
    risks = [draft(resting(5, "StatefulSet"), value=after).risk for after in (2, 3, 0)]
    assert risks == ["high", "medium", "high"]
    assert draft(resting(5), value=2).risk == draft(resting(2, "StatefulSet"), value=1).risk == "medium"
    behind = observed(workload("StatefulSet", 3, ready=2), pod("web-0"), kind="StatefulSet")
    assert "lower ordinal is not ready" in warned(behind, 5)


def test_a_rollout_under_way_shares_the_new_pods_among_both_versions() -> None:
    mixed = workload(replicas=4)
    mixed["status"] |= {"updatedReplicas": 2, "conditions": []}
    assert "old and the new version" in warned(observed(mixed, *(pod(f"web-{n}") for n in range(4))), 6)


def test_a_paused_deployment_still_scales_and_says_so() -> None:
    assert "scaling still takes effect" in warned(resting(2, paused=True))


def test_bad_health_and_what_could_not_be_read_are_told() -> None:
    sick = observed(workload(replicas=2, ready=1), pod("web-a"), pod("web-b", waiting("CrashLoopBackOff")))
    assert "Only 1/2 pods are ready now, a container keeps crashing" in warned(sick)
    assert "Could not read the autoscalers (403)" in warned(resting(2), unread=("autoscalers:403", "events:403"))


def test_a_kind_without_replicas_and_a_dying_object_are_refused() -> None:
    assert problem(resting(2, "DaemonSet"), quantity("to", 3)).key == "scale.wrong_kind"
    dying = workload(replicas=2)
    dying["metadata"]["deletionTimestamp"] = ago(5)
    assert problem(observed(dying), quantity("to", 3)).key == "plan.deleting"


def after(replicas: int, /, **status: Any) -> Raw:
    obj = workload(replicas=replicas)
    obj["status"] = {"observedGeneration": 2, "replicas": replicas, "readyReplicas": replicas, **status}
    return obj


@pytest.mark.parametrize(
    ("obj", "finished", "failed", "key"),
    [
        (after(5), True, False, "progress.scaled"),
        (after(5, readyReplicas=4), False, False, "progress.scaling"),
        (after(5, replicas=7, readyReplicas=7), False, False, "progress.scaling_down"),
        (after(5, observedGeneration=1), False, False, "progress.unobserved"),
        (after(4), True, True, "progress.scale_superseded_by_somebody"),
        (
            after(
                5,
                replicas=4,
                readyReplicas=4,
                conditions=[{"type": "ReplicaFailure", "status": "True", "message": "quota"}],
            ),
            True,
            True,
            "progress.blocked",
        ),
    ],
)
def test_how_far_it_is(obj: Raw, finished: bool, failed: bool, key: str) -> None:
    now = SCALE.progress(observed(obj), plan_of(draft(resting(2))))
    assert (now.finished, now.failed, now.line.key) == (finished, failed, key)
    assert spoken(now.line)


def test_who_set_another_number_is_named_only_where_the_object_says_so() -> None:
    def wrote(manager: str, seconds: float, **spec: Any) -> Raw:
        return {"manager": manager, "time": ago(seconds), "fieldsV1": {"f:spec": spec}}

    other = after(4)
    other["metadata"]["managedFields"] = [
        wrote("helm", 900, **{"f:replicas": {}, "f:template": {}}),
        wrote("kubectl", 60, **{"f:replicas": {}}) | {"subresource": "scale"},
        wrote("kubectl-set", 5, **{"f:template": {}}),
    ]
    plan = plan_of(draft(resting(2)))
    assert "kubectl set them to 4" in spoken(SCALE.progress(observed(other), plan).line)
    # A zero that came by the scale subresource is nobody's.
    other["metadata"]["managedFields"] = [wrote("kubectl-set", 5, **{"f:template": {}})]
    assert "somebody set them to 4" in spoken(SCALE.progress(observed(other), plan).line)


def test_what_the_cluster_made_of_the_write_itself_is_blamed_on_nobody() -> None:
    other = after(4)
    other["metadata"]["managedFields"] = [
        {"manager": "chatops-bot", "time": ago(5), "fieldsV1": {"f:spec": {"f:replicas": {}}}}
    ]
    plan = plan_of(draft(resting(2)))
    other["metadata"]["annotations"] = {"chatops-bot.io/plan": plan.token}
    assert SCALE.progress(observed(other), plan).line.key == "progress.scale_altered"
    other["metadata"]["annotations"] = {"chatops-bot.io/plan": "a later one"}
    assert "chatops-bot set them to 4" in spoken(SCALE.progress(observed(other), plan).line)


def test_pods_that_will_not_become_ready_end_the_following() -> None:
    pods = [*(pod(f"web-{n}") for n in range(4)), pod("web-x", waiting("CrashLoopBackOff", restartCount=3))]
    now = SCALE.progress(observed(after(5, readyReplicas=4), *pods), plan_of(draft(resting(2))))
    assert (now.finished, now.failed) == (True, True)
    assert spoken(now.line).startswith("Stuck at 4 of 5 ready: a container keeps crashing")
    still = SCALE.progress(observed(after(5, readyReplicas=3), *pods[1:]), plan_of(draft(resting(2))))
    assert not still.finished  # one more is on its way


def test_a_pod_that_suffered_but_is_ready_again_does_not_count_as_stuck() -> None:
    recovered = pod("web-0", container(restartCount=1, lastState=ended(137, "OOMKilled")))
    young = pod("web-9", container(ready=False), age=5)
    pods = [recovered, *(pod(f"web-{n}") for n in range(1, 4)), young]
    assert not SCALE.progress(observed(after(5, readyReplicas=4), *pods), plan_of(draft(resting(2)))).finished


@pytest.mark.parametrize(
    ("trouble", "finished"),
    [
        (waiting("ErrImagePull", "not found"), False),
        (waiting("ImagePullBackOff", "not found"), True),
        (container(ready=False, state=ended(1)), False),
    ],
)
def test_what_may_pass_is_waited_for(trouble: Raw, finished: bool) -> None:
    pods = [*(pod(f"web-{n}") for n in range(4)), pod("web-x", trouble)]
    now = SCALE.progress(observed(after(5, readyReplicas=4), *pods), plan_of(draft(resting(2))))
    assert now.finished is finished


@pytest.mark.parametrize(("seconds", "finished"), [(20, False), (300, True)])
def test_a_pod_without_a_node_is_given_time_for_one_to_come(seconds: float, finished: bool) -> None:
    lost = pod("web-x", phase="Pending")
    lost["status"] |= {
        "containerStatuses": [],
        "conditions": [
            {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "lastTransitionTime": ago(seconds)}
        ],
    }
    now = SCALE.progress(
        observed(after(5, readyReplicas=4), *(pod(f"web-{n}") for n in range(4)), lost), plan_of(draft(resting(2)))
    )
    assert now.finished is finished


def test_zero_is_reached_when_no_pod_is_left() -> None:
    plan = plan_of(draft(resting(2), "to", 0))
    assert SCALE.progress(observed(after(0, replicas=1)), plan).line.key == "progress.scaling_down"
    assert SCALE.progress(observed(after(0)), plan).line.key == "progress.scaled_to_zero"


def test_another_object_of_the_name_is_not_followed() -> None:
    other = after(5)
    other["metadata"]["uid"] = "u-other"
    assert SCALE.progress(observed(other), plan_of(draft(resting(2)))).line.key == "progress.replaced"


def test_an_object_that_is_being_deleted_is_not_followed() -> None:
    dying = after(5)
    dying["metadata"]["deletionTimestamp"] = ago(1)
    now = SCALE.progress(observed(dying), plan_of(draft(resting(2))))
    assert (now.finished, now.failed, now.line.key) == (True, True, "progress.deleting")


def test_a_place_without_an_environment_is_said_without_one() -> None:
    own = resting(2).entity
    bare = msgspec.structs.replace(own, environment="", cluster="main")
    assert draft(msgspec.structs.replace(resting(2), entity=bare)).preview[1].key == "plan.place_bare"
    for named in (
        msgspec.structs.replace(own, environment=""),
        msgspec.structs.replace(bare, namespace="live"),
        msgspec.structs.replace(bare, environment="生产"),
    ):
        assert "Environment PRODUCTION" in spoken(*draft(msgspec.structs.replace(resting(2), entity=named)).preview)
    staging = msgspec.structs.replace(own, environment="staging")
    assert "Environment staging" in spoken(*draft(msgspec.structs.replace(resting(2), entity=staging)).preview)


def test_undo_puts_back_the_number_and_holds_tells_whether_ours_still_stands() -> None:
    plan = plan_of(draft(resting(2)))
    assert SCALE.undo(plan) == Undo("scale", quantity("to", 2))
    assert SCALE.undo(msgspec.structs.replace(plan, before={})) is None
    assert SCALE.holds(after(5), plan)
    assert not SCALE.holds(after(4), plan)
