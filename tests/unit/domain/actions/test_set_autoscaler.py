"""Setting the range of an autoscaler: which one, what is written, refused and told, and when it is done."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from chatops_bot.domain.actions.base import Question, Undo
from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.flows import problem
from chatops_bot.domain.intents import Quantity, SlotValue
from chatops_bot.domain.observed import Observed, Permission, Raw
from chatops_bot.domain.plans import Draft, Plan
from chatops_bot.domain.say import Say
from tests.unit.domain.cluster_objects import ago, observed, plan_of, pod, spoken, workload

SET = ACTIONS["set_autoscaler"]


def hpa(low: int | None = 2, high: int = 8, *, uid: str = "u-hpa", **metadata: Any) -> Raw:
    bounds = {"maxReplicas": high, **({} if low is None else {"minReplicas": low})}
    return {
        "metadata": {"name": "web-hpa", "uid": uid, **metadata},
        "spec": {**bounds, "scaleTargetRef": {"kind": "Deployment", "name": "web"}},
    }


def scaled(*autoscalers: Raw, replicas: int = 4, kind: EntityKind = "Deployment", **parts: Any) -> Observed:
    obj = parts.pop("obj", None) or workload(kind, replicas, **parts.pop("spec", {}))
    pods = [pod(f"web-{n}") for n in range(replicas)]
    return observed(obj, *pods, kind=kind, autoscalers=autoscalers or (hpa(),), **parts)


def made(found: Observed, **slots: SlotValue) -> Draft | Say | Question:
    return SET.draft(found, slots, token="t0", stamp="unused")


def draft(found: Observed, **slots: SlotValue) -> Draft:
    done = made(found, **slots)
    assert isinstance(done, Draft), done
    return done


def warned(found: Observed, **slots: SlotValue) -> str:
    return spoken(*draft(found, **slots).warnings)


def test_the_patch_is_of_the_autoscaler_and_names_its_uid() -> None:
    change = draft(scaled(), max=20).change
    assert (change.group, change.version, change.plural) == ("autoscaling", "v2", "horizontalpodautoscalers")
    assert (change.name, change.namespace, change.uid, change.content) == ("web-hpa", "shop", "u-hpa", "merge")
    assert change.body == {
        "metadata": {"annotations": {"chatops-bot.io/plan": "t0"}},
        "spec": {"minReplicas": 2, "maxReplicas": 20},
    }


def test_what_it_says_before() -> None:
    done = draft(scaled(), max=20)
    assert spoken(*done.preview).splitlines()[0] == "deployment/web: range of HPA web-hpa 2–8 → 2–20 (4 replicas now)"
    assert "an undo puts back the range" in spoken(*done.preview)
    assert (done.parameters, done.before) == ({"min": 2, "max": 20}, {"min": 2, "max": 8})
    assert (done.risk, done.warnings) == ("medium", ())


@pytest.mark.parametrize(
    ("slots", "low", "high"),
    [
        ({"max": 20}, 2, 20),
        ({"min": 3}, 3, 8),
        ({"min": 1, "max": 5}, 1, 5),
        ({"max": "20"}, 2, 20),
        ({"max": Quantity("to", 20)}, 2, 20),
    ],
)
def test_a_bound_that_is_not_said_stays(slots: dict[str, SlotValue], low: int, high: int) -> None:
    assert draft(scaled(), **slots).parameters == {"min": low, "max": high}


def test_a_minimum_that_is_not_there_is_one() -> None:
    assert draft(scaled(hpa(None)), max=9).before == {"min": 1, "max": 8}


@pytest.mark.parametrize(
    ("slots", "key", "ask"),
    [
        ({}, "autoscaler.which", ("min", "max")),
        ({"min": 0}, "autoscaler.impossible", ("min",)),
        ({"min": -1}, "autoscaler.impossible", ("min",)),
        ({"max": "2.5"}, "autoscaler.impossible", ("max",)),
        ({"max": "many"}, "autoscaler.impossible", ("max",)),
        ({"max": 2**31}, "autoscaler.impossible", ("max",)),
        ({"max": float("inf")}, "autoscaler.impossible", ("max",)),
        ({"max": True}, "autoscaler.impossible", ("max",)),
        ({"max": Quantity("by", 3)}, "autoscaler.impossible", ("max",)),
        ({"min": 5, "max": 3}, "autoscaler.crossed", ("min", "max")),
    ],
)
def test_bounds_that_can_never_be_are_asked_before_anything_is_read(
    slots: dict[str, Any], key: str, ask: tuple[str, ...]
) -> None:
    asked = problem("set_autoscaler", slots)
    assert asked is not None
    assert (asked.problem.key, asked.slots) == (key, ask)
    assert spoken(asked.problem)
    assert made(scaled(), **slots) == asked


def test_bounds_that_cross_what_is_there_are_asked() -> None:
    done = made(scaled(), min=9)
    assert isinstance(done, Question)
    assert (done.problem.key, done.problem.args, done.slots) == (
        "autoscaler.crossed", {"min": 9, "max": 8}, ("min", "max"),
    )  # fmt: skip


def keda() -> Raw:
    return hpa(labels={"scaledobject.keda.sh/name": "web-so"})


def deleted() -> Raw:
    obj = workload()
    obj["metadata"]["deletionTimestamp"] = ago(1)
    return obj


@pytest.mark.parametrize(
    ("found", "key"),
    [
        (observed(), "autoscaler.none"),
        (scaled(hpa(), hpa(uid="u-2")), "autoscaler.several"),
        (scaled(keda()), "autoscaler.keda"),
        (scaled(hpa(deletionTimestamp=ago(1))), "plan.deleting"),
        (scaled(obj=deleted()), "plan.deleting"),
        (observed(unread=("autoscalers:403",)), "autoscaler.unread"),
        (scaled(kind="DaemonSet"), "autoscaler.wrong_kind"),
        (scaled(hpa(2, 20)), "autoscaler.already"),
    ],
)
def test_what_makes_no_sense_is_refused(found: Observed, key: str) -> None:
    done = made(found, max=20)
    assert isinstance(done, Say), done
    assert done.key == key
    assert spoken(done)


def test_replicas_outside_the_new_range_are_told() -> None:
    assert "4 replicas are outside the new range: it scales to 3" in warned(scaled(), max=3)
    assert "it scales to 6" in warned(scaled(), min=6)
    assert "the HPA is off" in warned(scaled(replicas=0), min=3)


def test_more_than_tenfold_is_high_risk() -> None:
    done = draft(scaled(), max=81)
    assert done.risk == "high"
    assert "From 8 to 81 is more than tenfold" in spoken(*done.warnings)


def test_volumes_that_go_are_high_risk() -> None:
    policy = {"persistentVolumeClaimRetentionPolicy": {"whenScaled": "Delete"}}
    found = scaled(kind="StatefulSet", spec=policy)
    done = draft(found, max=3)
    assert done.risk == "high"
    assert "DATA LOSS" in spoken(*done.warnings)
    assert draft(found, max=5).risk == "medium"


def test_a_budget_that_the_range_may_fall_below_is_told() -> None:
    budget = {"metadata": {"name": "web-pdb"}, "status": {"desiredHealthy": 2}}
    assert "below the 2 that PDB web-pdb wants" in warned(scaled(budgets=(budget,)), min=1)
    assert "web-pdb" not in warned(scaled(budgets=(budget,)), max=9)


def test_a_rollout_under_way_and_the_keeper_of_the_autoscaler_are_told() -> None:
    moving = workload("Deployment", 4)
    moving["status"] |= {"updatedReplicas": 1, "conditions": []}
    assert "may add pods; a wider range is safer afterwards" in warned(scaled(obj=moving), max=20)
    kept = hpa(annotations={"meta.helm.sh/release-name": "shop"})
    assert "Managed by Helm (shop)" in warned(scaled(kept), max=20)


def written(plan: Plan, replicas: int = 4, **bounds: int) -> Observed:
    low, high = bounds.get("low", plan.parameters["min"]), bounds.get("high", plan.parameters["max"])
    assert isinstance(low, int)
    assert isinstance(high, int)
    return scaled(hpa(low, high), replicas=replicas)


def progress(found: Observed, plan: Plan) -> tuple[bool, bool, str]:
    went = SET.progress(found, plan)
    spoken(went.line)
    return went.finished, went.failed, went.line.key


def test_it_is_done_when_the_replicas_are_within() -> None:
    plan = plan_of(draft(scaled(), max=3))
    assert progress(written(plan), plan) == (False, False, "progress.autoscaler_moving")
    assert progress(written(plan, 3), plan) == (True, False, "progress.autoscaler_within")
    assert progress(written(plan, 0), plan) == (True, False, "progress.autoscaler_off")
    assert progress(written(plan, high=9), plan) == (True, True, "progress.autoscaler_superseded")
    assert progress(scaled(hpa(2, 3, uid="u-new")), plan) == (True, True, "progress.autoscaler_superseded")
    assert progress(scaled(obj=deleted()), plan) == (True, True, "progress.deleting")


def test_undo_puts_back_the_range() -> None:
    plan = plan_of(draft(scaled(), max=20))
    assert SET.undo(plan) == Undo("set_autoscaler", {"min": 2, "max": 8})
    assert SET.holds(hpa(2, 20), plan)
    assert not SET.holds(hpa(2, 8), plan)


def test_the_autoscaler_is_what_is_watched() -> None:
    plan = draft(scaled(), max=20)
    assert plan.watched == {
        "metadata.uid": "u-hpa",
        "spec.minReplicas": 2,
        "spec.maxReplicas": 8,
        "spec.scaleTargetRef": "Deployment/web",
    }
    assert SET.watched(hpa(3, 8)) != plan.watched


def test_what_it_writes_is_another_object_than_the_entity() -> None:
    plan = plan_of(draft(scaled(), max=20))
    assert (plan.written, plan.written_uid) == (plan.change, "u-hpa")
    own = msgspec.structs.replace(plan, change=msgspec.structs.replace(plan.change, uid=""))
    assert (own.written, own.written_uid) == (plan.entity, "u-web")


def test_it_needs_no_leave_to_write_the_workload() -> None:
    needed = SET.permissions("Deployment")
    assert Permission("autoscaling", "horizontalpodautoscalers", "patch") in needed
    assert Permission("apps", "deployments", "patch") not in needed


def test_a_maximum_below_the_quorum_of_a_stateful_set_is_high() -> None:
    found = scaled(hpa(1, 8), replicas=5, kind="StatefulSet")
    assert "majority of 5 members is 3; 2 may lose" in warned(found, max=2)
    assert [draft(found, max=most).risk for most in (2, 3)] == ["high", "medium"]
    assert draft(scaled(hpa(1, 8), replicas=5), max=2).risk == "medium"
