"""Every action that is offered is whole, and what is said of it elsewhere is what it declares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chatops_bot.adapters.rules.answers import guard
from chatops_bot.adapters.rules.tables import triggers_en, triggers_zh
from chatops_bot.adapters.rules.values import parameters
from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.actions.risk import RISK
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.flows import FLOWS, problem
from chatops_bot.domain.intents import ACTIONS as NAMES
from chatops_bot.domain.intents import Quantity, SlotValue
from chatops_bot.domain.observed import Observed, Permission, Raw
from chatops_bot.domain.plans import Change, Draft
from chatops_bot.domain.say import say
from chatops_bot.domain.texts import render, word
from tests.unit.domain.cluster_objects import ago, observed, plan_of, pod, spoken, workload

STAMP = ago(0)


def plain(kind: EntityKind, **spec: Any) -> Observed:
    return observed(workload(kind, **spec), *(pod(f"web-{number}") for number in range(3)), kind=kind)


def with_history(kind: EntityKind) -> Observed:
    """Two revisions, whose newest is the one at work."""
    found = plain(kind)
    now = found.object["spec"]["template"]
    before = {**now, "spec": {"containers": [{"name": "app", "image": "reg/web:0"}]}}
    past = [_revision(kind, number, template) for number, template in ((1, before), (2, now))]
    place = "replica_sets" if kind == "Deployment" else "revisions"
    return observed(found.object, *found.pods, kind=kind, **{place: tuple(past)})


def _revision(kind: EntityKind, number: int, template: Raw) -> Raw:
    metadata: Raw = {
        "name": f"web-{number}",
        "uid": f"u-{number}",
        "creationTimestamp": ago(3600 * (3 - number)),
        "annotations": {"deployment.kubernetes.io/revision": str(number)},
        "ownerReferences": [{"uid": "u-web", "controller": True}],
    }
    if kind == "Deployment":
        return {"metadata": metadata, "spec": {"template": template}}
    patch = {"spec": {"template": {**template, "$patch": "replace"}}}
    return {"metadata": metadata, "revision": number, "data": patch}


def scaled(kind: EntityKind) -> Observed:
    bounds = {"minReplicas": 2, "maxReplicas": 8, "scaleTargetRef": {"kind": kind, "name": "web"}}
    autoscaler = {"metadata": {"name": "web", "uid": "u-hpa"}, "spec": bounds}
    return observed(workload(kind), kind=kind, autoscalers=(autoscaler,))


def promoted(kind: EntityKind) -> Observed:
    """Half way from one revision to another."""
    found = workload(kind)
    found["status"] |= {"phase": "Paused", "currentPodHash": "b2"}
    return observed(found, kind=kind)


def owned(kind: EntityKind) -> Observed:
    """With pods that have somebody who makes them anew."""
    found = plain(kind)
    owner = {"kind": "ReplicaSet", "name": "web-1", "uid": "u-web-1", "controller": True}
    for one in found.pods:
        one["metadata"]["ownerReferences"] = [owner]
    return found


def taken_by(change: Change) -> Permission:
    """What a write needs."""
    verb = {"patch": "patch", "evict": "create", "delete": "delete"}[change.verb]
    below = "eviction" if change.verb == "evict" else change.subresource
    return Permission(change.group, change.plural, verb, below)


def node(kind: EntityKind, **spec: Any) -> Observed:
    ready = {"conditions": [{"type": "Ready", "status": "True"}]}
    found: Raw = {"metadata": {"name": "web", "uid": "u-web"}, "spec": spec, "status": ready}
    return observed(found, kind=kind)


SAMPLES: dict[str, tuple[Callable[[EntityKind], Observed], dict[str, SlotValue]]] = {
    "scale": (plain, {"replicas": Quantity(kind="to", value=5)}),
    "restart": (plain, {}),
    "rollback": (with_history, {}),
    "pause": (plain, {}),
    "resume": (lambda kind: plain(kind, paused=True), {}),
    "set_image": (plain, {"image": "reg/web:2"}),
    "set_autoscaler": (scaled, {"max": 20}),
    "delete_pod": (owned, {"pod": "web-1"}),
    "abort": (promoted, {}),
    "cordon": (node, {}),
    "drain": (node, {}),
    "uncordon": (lambda kind: node(kind, unschedulable=True), {}),
}
"""For each action what it can be drafted on, and slots that make a plan."""

CASES = [(name, kind) for name, action in ACTIONS.items() for kind in sorted(action.kinds)]


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_what_is_offered_has_preview_change_verification_and_the_permissions_that_it_takes(
    name: str, kind: EntityKind
) -> None:
    action = ACTIONS[name]
    assert name in SAMPLES, f"say in SAMPLES what {name} can be drafted on"
    make, slots = SAMPLES[name]
    found = make(kind)
    assert problem(name, slots) is None

    draft = action.draft(found, slots, token="t0", stamp=STAMP)

    assert isinstance(draft, Draft), draft
    assert spoken(*draft.preview, *draft.warnings)
    assert draft.risk in RISK[name].values()
    assert draft.action == name
    assert "metadata.uid" in draft.watched
    assert set(draft.watched) == set(action.watched({"kind": kind}))
    assert draft.change.name
    assert taken_by(draft.change) in action.permissions(kind)
    assert {taken_by(step) for step in draft.steps} <= set(action.permissions(kind))
    plan = plan_of(draft)
    assert not action.holds({}, plan) or name in ("resume", "uncordon")  # which leave nothing to see
    assert spoken(action.progress(found, plan).line)
    undo = action.undo(plan)
    assert undo is None or (undo.action in ACTIONS and set(undo.slots) <= set(FLOWS[undo.action].slots))


@pytest.mark.parametrize("name", ACTIONS)
def test_what_people_can_say_is_what_it_takes(name: str) -> None:
    heard = set(parameters.OF_INTENT[name])
    node = {"node"} if "Node" in ACTIONS[name].kinds else set()
    assert heard - node == set(FLOWS[name].slots)
    assert name in triggers_en.ACTIONS
    assert name in triggers_zh.ACTIONS
    assert name in guard.VERBS


@pytest.mark.parametrize("name", ACTIONS)
def test_it_has_its_words(name: str) -> None:
    assert name in NAMES
    told = {render(say(f"help.{name}"), language) for language in ("zh", "en")}
    called = {word(f"action.{name}", language) for language in ("zh", "en")}
    assert (len(told), len(called)) == (2, 2)
