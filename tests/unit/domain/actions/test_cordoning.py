"""Cordoning and uncordoning a node: what is written, refused and told, and whose cordon it is."""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.domain.actions.base import Undo
from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.observed import Observed, Permission
from chatops_bot.domain.plans import Draft, Plan
from chatops_bot.domain.say import Say
from tests.unit.domain.cluster_objects import ago, keys, observed, pod, spoken
from tests.unit.domain.node_objects import deleted, node, node_plan, on_node, ours

CORDON, UNCORDON = ACTIONS["cordon"], ACTIONS["uncordon"]
NOTE = "chatops-bot.io/cordoned-by"


def draft(action: str, found: Observed, **slots: Any) -> Draft:
    made = ACTIONS[action].draft(found, slots, token="t0", stamp="unused")
    assert isinstance(made, Draft), made
    spoken(*made.preview, *made.warnings)
    return made


def refused(action: str, found: Observed) -> Say:
    made = ACTIONS[action].draft(found, {}, token="t0", stamp="unused")
    assert isinstance(made, Say), made
    return made


def test_the_cordon_is_kubectls_patch_with_who_asked_beside_it() -> None:
    made = draft("cordon", on_node(node(), pod()), person="Alice")
    assert made.change.body == {
        "metadata": {"annotations": {"chatops-bot.io/plan": "t0", NOTE: "t0 Alice"}},
        "spec": {"unschedulable": True},
    }
    assert (made.change.plural, made.change.name, made.change.namespace, made.change.group) == ("nodes", "n1", "", "")
    assert (made.risk, made.parameters, made.before) == ("medium", {}, {})
    assert draft("cordon", on_node(node()), person=7).change.body["metadata"]["annotations"][NOTE] == "t0"


def test_the_uncordon_takes_the_note_away() -> None:
    made = draft("uncordon", on_node(ours()))
    assert made.change.body == {
        "metadata": {"annotations": {"chatops-bot.io/plan": "t0", NOTE: None}},
        "spec": {"unschedulable": None},
    }
    assert made.risk == "medium"
    assert "Cordoned by Alice through me, 5m ago." in spoken(*made.warnings)


def test_what_a_cordon_means_is_told() -> None:
    text = spoken(*draft("cordon", on_node(node(), pod("a"), pod("b"))).preview)
    assert "node/n1: cordon it" in text
    assert "stay and go on running: 2" in text
    assert "Other nodes that take pods then: 2 of 2." in text
    assert "Environment PRODUCTION · cluster prod-east" in text


def test_the_last_node_that_takes_pods_is_high_risk() -> None:
    others = (node("n2", cordoned="kubectl"), node("n3", ready=False), node("n4", taints=[{"effect": "NoSchedule"}]))
    made = draft("cordon", on_node(node(), nodes=others))
    assert made.risk == "high"
    assert "every new or replaced pod stays pending" in spoken(*made.warnings)
    assert "cordoned: 1; not ready: 1" in spoken(*made.warnings)
    assert "0 of 3" in spoken(*made.preview)


def test_the_last_one_is_not_a_node_that_took_none_anyway() -> None:
    assert draft("cordon", on_node(node(taints=[{"effect": "NoExecute"}]), nodes=())).risk == "medium"


def test_other_nodes_that_could_not_be_read_are_told_and_not_guessed() -> None:
    made = draft("cordon", on_node(node(), nodes=(), unread=("nodes:403",)))
    assert made.risk == "medium"
    assert "Other nodes" not in spoken(*made.preview)
    assert "Could not read the other nodes (403)" in spoken(*made.warnings)


def test_what_else_is_going_on_is_told() -> None:
    obj = node(taints=[{"key": "ToBeDeletedByClusterAutoscaler", "effect": "NoSchedule"}])
    obj["metadata"]["labels"] = {"node-role.kubernetes.io/master": ""}
    obj["metadata"]["managedFields"] = [{"manager": "kubectl-edit", "time": ago(60), "fieldsV1": {"f:spec": {"a": {}}}}]
    assert keys(draft("cordon", on_node(obj)).warnings) == ["warn.control_plane", "warn.node_going", "warn.changed"]
    obj["metadata"]["managedFields"][0]["time"] = ago(3600)
    assert keys(draft("cordon", on_node(obj)).warnings) == ["warn.control_plane", "warn.node_going"]


@pytest.mark.parametrize(
    ("obj", "words"),
    [
        (node(cordoned="kubectl-cordon"), "It was not me who cordoned it but kubectl-cordon, 5m ago."),
        (node(unschedulable=True), "It was not me who cordoned it but somebody unknown, ? ago."),
    ],
)
def test_somebody_elses_cordon_is_told_loudly_and_high_risk(obj: Any, words: str) -> None:
    made = draft("uncordon", on_node(obj))
    assert made.risk == "high"
    assert words in spoken(*made.warnings)


def test_uncordoning_a_node_that_is_down_helps_nothing() -> None:
    down = ours()
    down["status"] = {}
    assert "not ready now" in spoken(*draft("uncordon", on_node(down)).warnings)


@pytest.mark.parametrize(
    ("action", "found", "words"),
    [
        ("cordon", on_node(ours()), "n1 is cordoned already (by Alice, 5m ago): nothing was changed."),
        ("cordon", on_node(node(unschedulable=True)), "n1 is cordoned already: nothing was changed."),
        ("uncordon", on_node(node()), "n1 is not cordoned: nothing was changed."),
        ("cordon", observed(), "web is a Deployment: only a node can be cordoned"),
        ("uncordon", observed(), "web is a Deployment: only a node can be cordoned"),
        ("cordon", deleted(on_node(node())), "being deleted"),
        ("uncordon", deleted(on_node(ours())), "being deleted"),
    ],
)
def test_what_makes_no_sense_is_refused(action: str, found: Observed, words: str) -> None:
    assert words in spoken(refused(action, found))


def progress(action: str, found: Observed, plan: Plan) -> tuple[bool, bool, str]:
    went = ACTIONS[action].progress(found, plan)
    return went.finished, went.failed, spoken(went.line)


def test_a_cordon_is_verified_by_a_read() -> None:
    plan = node_plan(draft("cordon", on_node(node())))
    assert progress("cordon", on_node(ours(), pod()), plan) == (
        True,
        False,
        "Cordoned, verified by a read. Pods on it: 1.",
    )
    assert progress("cordon", on_node(node()), plan) == (True, True, "Somebody has uncordoned it again.")
    assert progress("cordon", deleted(on_node(ours())), plan)[:2] == (True, True)


def test_an_uncordon_is_verified_by_a_read() -> None:
    plan = node_plan(draft("uncordon", on_node(ours())))
    assert progress("uncordon", on_node(node()), plan) == (True, False, "Uncordoned, verified by a read.")
    again = progress("uncordon", on_node(node(cordoned="kubectl-cordon")), plan)
    assert again == (True, True, "Somebody has cordoned it again (kubectl-cordon).")
    assert progress("uncordon", deleted(on_node(node())), plan)[:2] == (True, True)


def test_each_is_the_undo_of_the_other_while_it_is_still_this_cordon() -> None:
    plan = node_plan(draft("cordon", on_node(node())))
    assert CORDON.undo(plan) == Undo("uncordon", {})
    assert CORDON.holds(ours(), plan)
    assert not CORDON.holds(ours("another"), plan)
    assert not CORDON.holds(node(cordoned="kubectl"), plan)
    assert not CORDON.holds(node(), plan)
    back = node_plan(draft("uncordon", on_node(ours())))
    assert UNCORDON.undo(back) == Undo("cordon", {})
    assert UNCORDON.holds(node(), back)
    assert not UNCORDON.holds(ours(), back)


def test_what_is_confirmed_is_to_lift_that_cordon() -> None:
    assert CORDON.watched(node()) == {"metadata.uid": "u-n1", "spec.unschedulable": False}
    shown = UNCORDON.watched(ours())
    assert shown[NOTE] == "t0 Alice"
    assert UNCORDON.watched(ours("t9")) != shown
    assert UNCORDON.watched(node(cordoned="kubectl")) != shown
    assert UNCORDON.watched(node())["spec.unschedulable"] is False


def test_nodes_are_read_and_patched_in_the_whole_cluster() -> None:
    wanted = {Permission("", "nodes", verb) for verb in ("get", "list", "patch")}
    assert wanted == set(CORDON.permissions("Node")) == set(UNCORDON.permissions("Node"))
