"""Draining a node: which pods go, what has to be said outright, what is foretold, and each round of it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from chatops_bot.domain.actions.base import Question, Remaining, Stepwise, Undo
from chatops_bot.domain.actions.registry import ACTIONS, STEPWISE
from chatops_bot.domain.observed import Observed, Permission, Raw
from chatops_bot.domain.plans import Draft, Plan
from chatops_bot.domain.say import Say
from tests.unit.domain.cluster_objects import ago, keys, observed, pod, spoken, waiting
from tests.unit.domain.node_objects import budget, deleted, node, node_plan, on_node, ours, owned

DRAIN = ACTIONS["drain"]
STEPS: Stepwise = STEPWISE["drain"]
WEB = (owned("web-a"), owned("web-b"))
TMP = [{"name": "tmp", "emptyDir": {}}]


def draft(found: Observed, **slots: Any) -> Draft:
    made = DRAIN.draft(found, slots, token="t0", stamp="unused")
    assert isinstance(made, Draft), made
    spoken(*made.preview, *made.warnings)
    return made


def plan(*pods: Raw, obj: Raw | None = None) -> Plan:
    return node_plan(draft(on_node(obj or node(), *pods), force=True, local_data=True, person="Alice"))


def steps(made: Draft) -> list[str]:
    return [f"{step.namespace}/{step.name} {step.uid}" for step in made.steps]


def mirror(name: str = "etcd-n1") -> Raw:
    made = owned(name, "Node", "n1", "kube-system")
    made["metadata"]["annotations"] = {"kubernetes.io/config.mirror": "abc"}
    return made


def going(name: str = "web-z", seconds: float = 5, **metadata: Any) -> Raw:
    made = owned(name)
    made["metadata"] |= {"deletionTimestamp": ago(seconds), **metadata}
    return made


def finished(name: str, **parts: Any) -> Raw:
    made = pod(name, phase="Succeeded")
    made["metadata"] |= {"namespace": "shop", **parts}
    return made


def test_it_is_a_cordon_and_an_eviction_of_each_pod_by_its_uid() -> None:
    made = draft(on_node(node(), *WEB), person="Alice")
    assert made.change.body == {
        "metadata": {"annotations": {"chatops-bot.io/plan": "t0", "chatops-bot.io/cordoned-by": "t0 Alice (drain)"}},
        "spec": {"unschedulable": True},
    }
    assert steps(made) == ["shop/web-a u-web-a", "shop/web-b u-web-b"]
    assert {(step.verb, step.plural, step.group) for step in made.steps} == {("evict", "pods", "")}
    assert (made.risk, made.parameters, made.before) == ("high", {}, {"cordoned": False})
    assert "Evicted: shop/web-a, shop/web-b" in spoken(*made.preview)


def test_what_somebody_else_cordoned_stays_theirs() -> None:
    made = draft(on_node(node(cordoned="kubectl-cordon"), *WEB), person="Alice")
    assert set(made.change.body["metadata"]["annotations"]) == {"chatops-bot.io/plan"}
    assert made.before == {"cordoned": True}
    assert DRAIN.undo(node_plan(made)) is None
    assert DRAIN.undo(plan(*WEB)) == Undo("uncordon", {})


def test_pods_of_daemon_sets_and_mirrors_stay_by_their_owner_and_not_by_a_label() -> None:
    agent = owned("agent-x", "DaemonSet", "agent", "infra")
    lookalike = owned("lookalike", "DaemonSet", "agent", "infra")
    lookalike["metadata"]["ownerReferences"][0]["apiVersion"] = "example.org/v1"
    labelled = owned("labelled")
    labelled["metadata"]["labels"]["k8s-app"] = "agent"
    made = draft(on_node(node(), agent, mirror(), lookalike, labelled, going()))
    assert [step.name for step in made.steps] == ["lookalike", "labelled"]
    assert "pods of DaemonSets 1, static pods 1" in spoken(*made.preview)
    assert "Going already: shop/web-z" in spoken(*made.preview)


def test_finished_pods_go_whatever_they_are() -> None:
    daemon = {"kind": "DaemonSet", "name": "d", "uid": "u-d", "controller": True, "apiVersion": "apps/v1"}
    done = finished("done")
    done["spec"]["volumes"] = TMP
    made = draft(on_node(node(), done, finished("daemon", ownerReferences=[daemon])))
    assert [step.name for step in made.steps] == ["daemon", "done"]
    assert made.warnings == ()


def asked(found: Observed, **slots: Any) -> Question:
    made = DRAIN.draft(found, slots, token="t0", stamp="unused")
    assert isinstance(made, Question), made
    return made


def test_data_and_pods_that_are_lost_for_good_are_named_and_must_be_said_outright() -> None:
    bare = pod("alone")
    bare["metadata"]["namespace"] = "shop"
    found = on_node(node(), owned("cache", volumes=TMP), bare)
    first = asked(found)
    assert (first.slots, first.choices) == (("force",), ("force",))
    assert "which will not come back: 1 (shop/alone)" in spoken(first.problem)
    second = asked(found, force=True)
    assert (second.slots, second.choices) == (("local_data",), ("delete local data",))
    assert "1 (shop/cache)" in spoken(second.problem)
    made = draft(found, force="force", local_data="delete local data")
    assert made.parameters == {"force": True, "local_data": True}
    assert {"warn.drain_bare", "warn.drain_local"} <= set(keys(made.warnings))
    assert len(made.steps) == 2


@pytest.mark.parametrize("value", ["yes", "no", False, 1, ""])
def test_nothing_else_stands_for_a_yes(value: Any) -> None:
    bare = pod("alone")
    assert asked(on_node(node(), bare), force=None if value == 1 else value).slots == ("force",)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (
            on_node(ours(), owned("agent-x", "DaemonSet")),
            "n1 is cordoned and has no pods to evict (left alone: of DaemonSets 1",
        ),
        (on_node(node(), unread=("pods:403",)), "Without knowing what would be evicted nothing is."),
        (observed(), "only a node can be cordoned"),
        (deleted(on_node(node(), *WEB)), "being deleted"),
    ],
)
def test_what_makes_no_sense_is_refused(found: Observed, words: str) -> None:
    made = DRAIN.draft(found, {}, token="t0", stamp="unused")
    assert isinstance(made, Say)
    assert words in spoken(made)


def test_an_empty_node_is_only_cordoned() -> None:
    made = draft(on_node(node()))
    assert made.steps == ()
    assert made.change.body["spec"] == {"unschedulable": True}


def warned(*pods: Raw, budgets: tuple[Raw, ...] = (), **parts: Any) -> str:
    return spoken(*draft(on_node(node(), *pods, budgets=budgets, **parts), force=True, local_data=True).warnings)


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ({"disruptionsAllowed": 1}, "The budget shop/keep allows 1 at a time, 2 are here: it goes in waves."),
        ({"disruptionsAllowed": 0}, "allows none now (3 healthy, 2 needed): its 2 pods here have to wait."),
        ({"disruptionsAllowed": 0, "desiredHealthy": 3}, "allows no disruption ever (3 healthy, 3 needed)"),
        ({"disruptionsAllowed": 2}, ""),
    ],
)
def test_budgets_are_foretold(status: dict[str, Any], words: str) -> None:
    said = warned(*WEB, budgets=(budget(**status),), elsewhere=(owned("web-c"),))
    assert words in said
    assert ("budget" in said) == bool(words)


def test_two_budgets_on_one_pod_are_foretold() -> None:
    said = warned(WEB[0], budgets=(budget(), budget("other")), elsewhere=(owned("web-c"),))
    assert said == "Covered by several budgets, cannot be evicted at all: shop/web-a"


def test_budgets_of_other_namespaces_and_pods_say_nothing() -> None:
    ended = finished("web-e", labels={"app": "web-6f8"}, ownerReferences=WEB[0]["metadata"]["ownerReferences"])
    others = (budget(namespace="data", disruptionsAllowed=0), budget(app="api", disruptionsAllowed=0))
    assert "budget" not in warned(WEB[0], ended, budgets=others, elsewhere=(owned("web-c"),))


def unready(name: str) -> Raw:
    made = owned(name)
    made["status"] = pod(name, waiting("CrashLoopBackOff"))["status"]
    return made


def test_a_pod_that_is_not_ready_goes_where_the_budget_lets_it() -> None:
    """k8s: only while enough others are healthy, unless its policy is AlwaysAllow."""
    enough = budget(disruptionsAllowed=0, currentHealthy=2, desiredHealthy=2)
    short = budget(disruptionsAllowed=0, currentHealthy=1, desiredHealthy=2)
    always = budget(disruptionsAllowed=0, currentHealthy=0, desiredHealthy=2)
    always["spec"]["unhealthyPodEvictionPolicy"] = "AlwaysAllow"
    sick = unready("web-a")
    assert "budget" not in warned(sick, budgets=(enough,))
    assert "have to wait" in warned(sick, budgets=(short,))
    # kubectl#172: a pod that crashes for ever is held by a budget that it can never meet.
    assert "unhealthyPodEvictionPolicy: AlwaysAllow" in warned(sick, budgets=(short,))
    assert "AlwaysAllow" not in warned(owned("web-a"), budgets=(budget(disruptionsAllowed=0),))
    crashing = budget(disruptionsAllowed=0, currentHealthy=0, desiredHealthy=1, expectedPods=1)
    assert "AlwaysAllow" in warned(sick, budgets=(crashing,))
    assert "(shop/web-a)" in spoken(*remaining(plan(sick), sick, budgets=(crashing,)).blocked)
    assert "budget" not in warned(sick, budgets=(always,))
    assert [due.step.name for due in remaining(plan(sick), sick, budgets=(always,)).due] == ["web-a"]


def test_what_is_ready_nowhere_else_goes_down_meanwhile() -> None:
    hashed = owned("solo-1", owner="solo-abc")
    hashed["metadata"]["labels"]["pod-template-hash"] = "abc"
    job = owned("once-1", "Job", "once")
    bare = pod("alone")
    said = warned(*WEB, hashed, job, bare, unready("sick"), elsewhere=(owned("web-c"), owned("other")))
    assert "Ready nowhere but here, down while they move: shop/solo" in said
    assert "Jobs begin again: shop/once" in said
    assert "nowhere" not in warned(*WEB, unread=("elsewhere:403",))
    assert "Could not read the pods on the other nodes (403)" in warned(*WEB, unread=("elsewhere:403",))
    assert "nowhere" in warned(*WEB, elsewhere=(unready("web-c"),))


def needing(name: str, cpu: str = "", memory: str = "1Gi", **spec: Any) -> Raw:
    made = owned(name, **spec)
    requests = {"memory": memory} | ({"cpu": cpu} if cpu else {})
    made["spec"]["containers"] = [{"name": "app", "resources": {"requests": requests}}]
    return made


def test_pods_without_room_elsewhere_are_named() -> None:
    there = needing("there", "3", nodeName="n2")
    small = node("n2", room={"cpu": "4", "memory": "8Gi"})
    said = warned(
        needing("big", "2"), needing("tiny", "500m"), elsewhere=(there,), nodes=(small, node("n3", ready=False))
    )
    assert "1 of the pods find no room elsewhere and stay pending: shop/big" in said
    assert "room" not in warned(needing("big", "2"), elsewhere=(), nodes=(small,))
    full = node("n2", room={"pods": "1", "cpu": "9", "memory": "9Gi"})
    assert "shop/big" in warned(needing("big", "2"), elsewhere=(there,), nodes=(full,))
    assert "room" not in warned(needing("big", "2"), elsewhere=(), nodes=(), unread=("nodes:403",))
    assert "room" not in warned(finished("done"), elsewhere=(finished("old"),), nodes=(full,))


def test_pods_on_a_node_that_is_down_hang() -> None:
    made = draft(on_node(node(ready=False), *WEB, elsewhere=(owned("web-c"),)))
    assert "hang in Terminating" in spoken(*made.warnings)


def remaining(made: Plan, *pods: Raw, obj: Raw | None = None, **parts: Any) -> Remaining:
    found = STEPS.remaining(on_node(obj or ours(), *pods, **parts), made)
    spoken(found.line, *found.blocked, *([found.stopped] if found.stopped else []))
    return found


def test_a_round_evicts_one_pod_of_each_budget_and_all_without() -> None:
    api = owned("api-a", owner="api-1")
    made = plan(*WEB, api)
    round_ = remaining(made, *WEB, api, budgets=(budget(),))
    assert [(due.step.name, due.resource_version) for due in round_.due] == [("api-a", "3"), ("web-a", "3")]
    assert "Waiting for the budget shop/keep: 1 (3 healthy, 2 needed)." in spoken(*round_.blocked)
    assert round_.left == ("shop/api-a", "shop/web-a", "shop/web-b")
    assert "░░░░░░░░░░ 0 of 3 pods gone, 3 left." in spoken(round_.line)


def test_only_pods_of_the_plan_are_ever_evicted() -> None:
    """A pod made anew under its name, or one that came since, is another one."""
    made = plan(*WEB)
    again = owned("web-a")
    again["metadata"]["uid"] = "u-another"
    round_ = remaining(made, again, owned("late"), WEB[1])
    assert [due.step.uid for due in round_.due] == ["u-web-b"]
    assert "▓▓▓▓▓░░░░░ 1 of 2 pods gone, 1 left." in spoken(round_.line)
    over = remaining(made, again)
    assert (over.left, over.due) == ((), ())
    ended = DRAIN.progress(on_node(ours(), again, owned("agent-x", "DaemonSet")), made)
    assert (ended.finished, ended.failed) == (True, False)
    assert "pods that came since were left alone: shop/web-a (as were those of DaemonSets, 1" in spoken(ended.line)


def test_the_budget_that_blocks_is_named_with_its_counts() -> None:
    """kubectl#172, kured#82: a drain that hangs says on what."""
    round_ = remaining(plan(*WEB), *WEB, budgets=(budget(disruptionsAllowed=0, currentHealthy=2),))
    assert round_.due == ()
    assert "Waiting for the budget shop/keep: 2 (2 healthy, 2 needed)." in spoken(*round_.blocked)
    several = remaining(plan(WEB[0]), WEB[0], budgets=(budget(), budget("other")))
    assert several.due == ()
    assert "covered by several budgets (shop/keep, shop/other)" in spoken(*several.blocked)


def test_a_pod_on_its_way_is_waited_for_and_a_stuck_one_told() -> None:
    made = plan(owned("web-z"))
    young = remaining(made, going())
    assert (young.left, young.due, young.blocked) == (("shop/web-z",), (), ())
    assert "2m beyond its grace period (finalizers: example.org/keep)" in spoken(
        *remaining(made, going(seconds=120, finalizers=["example.org/keep"])).blocked
    )
    assert "(finalizers: -)" in spoken(*remaining(made, going(seconds=120)).blocked)


def test_whoever_uncordons_the_node_stops_it() -> None:
    """draino#17: what a human has uncordoned is not drained any further."""
    made = plan(*WEB)
    assert "Somebody has uncordoned" in spoken(*filter(None, [remaining(made, *WEB, obj=node()).stopped]))
    anew = remaining(made, *WEB, obj=node(cordoned="kubectl-cordon"))
    assert anew.stopped is not None
    assert "cordoned anew by kubectl-cordon" in spoken(anew.stopped)
    theirs = plan(*WEB, obj=node(cordoned="kubectl-cordon"))
    assert remaining(theirs, *WEB, obj=node(cordoned="kubectl-cordon")).stopped is None
    other = ours()
    other["metadata"]["uid"] = "u-other"
    assert remaining(made, *WEB, obj=other).stopped is not None
    assert (anew.due, anew.left) == ((), ("shop/web-a", "shop/web-b"))


def test_what_cannot_be_read_is_not_taken_for_gone() -> None:
    round_ = remaining(plan(*WEB), unread=("pods:timeout",))
    assert (round_.left, round_.due) == (("shop/web-a", "shop/web-b"), ())


def progress(made: Plan, *pods: Raw, obj: Raw | None = None) -> tuple[bool, bool, str]:
    went = DRAIN.progress(on_node(obj or ours(), *pods), made)
    return went.finished, went.failed, spoken(went.line)


def test_the_end_is_told_with_what_stays() -> None:
    made = plan(*WEB)
    assert progress(made, *WEB)[:2] == (False, False)
    assert progress(made, mirror()) == (
        True,
        False,
        "Drained: all 2 pods are gone (left alone: of DaemonSets 0, static pods 1).",
    )
    assert progress(made, *WEB, obj=node())[:2] == (True, True)
    assert progress(plan(), obj=ours())[:2] == (True, False)
    assert "▓▓▓▓▓▓▓▓▓▓ 0 of 0" in spoken(remaining(plan()).line)


def test_undoing_it_is_for_this_cordon_alone() -> None:
    made = plan(*WEB)
    assert DRAIN.holds(ours(), made)
    assert not DRAIN.holds(ours("another"), made)
    assert DRAIN.watched(node()) == {"metadata.uid": "u-n1", "spec.unschedulable": False}


def test_null_and_absent_fields_raise_nothing() -> None:
    odd: Raw = {"metadata": None, "spec": {"volumes": None}, "status": None}
    broken = on_node(
        node(), odd, budgets=({"metadata": {"namespace": ""}, "spec": None},), elsewhere=(odd,), nodes=({},)
    )
    assert draft(broken, force=True).steps[0].name == ""
    assert remaining(plan(*WEB), odd).left == ()


def test_it_evicts_in_the_whole_cluster() -> None:
    assert Permission("", "pods", "create", "eviction") in DRAIN.permissions("Node")
    assert not any(permission.verb == "delete" for permission in DRAIN.permissions("Node"))
    assert msgspec.json.decode(msgspec.json.encode(plan(*WEB)), type=Plan) == plan(*WEB)
