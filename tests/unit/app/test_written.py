"""What is read off the requests of the bot."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from chatops_bot.adapters.sandbox import RequestRecord
from chatops_bot.app.written import done_by, drains_in, with_drains
from chatops_bot.domain.nodes import CORDONED_ANNOTATION
from chatops_bot.domain.objects import PLAN_ANNOTATION


def record(body: object, *, verb: str = "patch", resource: str = "deployments") -> RequestRecord:
    return RequestRecord(1, 0.0, "PATCH", "/", {}, body, "", verb=verb, resource=resource, namespace="shop", name="web")


def replaced(cause: str) -> dict[str, Any]:
    return {
        "metadata": {"annotations": {"kubernetes.io/change-cause": cause}},
        "spec": {"template": {"$patch": "replace", "spec": {"containers": [{"name": "app", "image": "reg/web:1"}]}}},
    }


@pytest.mark.parametrize(
    ("body", "done"),
    [
        ({"spec": {"replicas": 0}}, {"action": "scale", "replicas": 0}),
        ({"spec": {"template": {"metadata": {"annotations": {"a": "b"}}}}}, {"action": "restart"}),
        (replaced("rolled back to revision 3 by chatops-bot"), {"action": "rollback", "revision": 3}),
        ({"spec": {"paused": True}}, {"action": "pause"}),
        ({"spec": {"paused": None}}, {"action": "resume"}),
        (replaced(""), {"action": "rollback"}),
        (
            {"spec": {"template": {"spec": {"containers": [{"name": "app", "image": "reg/web:2"}]}}}},
            {"action": "set_image", "container": "app", "image": "reg/web:2"},
        ),
        ({"metadata": {"annotations": {"chatops-bot.io/settled": "t"}}}, {"action": "touch"}),
        ({"spec": {"minReadySeconds": 5}}, {"action": "patch"}),
        (None, {"action": "touch"}),
    ],
)
def test_what_a_patch_did(body: object, done: dict[str, Any]) -> None:
    assert done_by(record(body)) == {"target": "deployment/web", "namespace": "shop", **done}


def test_an_autoscaler_is_told_by_what_it_scales() -> None:
    body = {"spec": {"minReplicas": 2, "maxReplicas": 9}}
    assert done_by(record(body, resource="horizontalpodautoscalers"), scaled="statefulset/db") == {
        "action": "set_autoscaler",
        "target": "statefulset/db",
        "namespace": "shop",
        "min": 2,
        "max": 9,
    }


def test_what_is_none_of_the_actions_goes_by_its_verb() -> None:
    assert done_by(record(None, verb="delete", resource="secrets")) == {
        "action": "delete",
        "target": "secrets/web",
        "namespace": "shop",
    }


@pytest.mark.parametrize(
    ("verb", "subresource", "by"), [("delete", "", "deletion"), ("create", "eviction", "eviction")]
)
def test_a_pod_that_goes_is_told_with_the_way_it_goes(verb: str, subresource: str, by: str) -> None:
    gone = dataclasses.replace(record({}, verb=verb, resource="pods"), subresource=subresource)
    assert done_by(gone) == {"action": "delete_pod", "target": "pod/web", "namespace": "shop", "pod": "web", "by": by}


def of_plan(token: str, *, note: str = "", **fields: Any) -> RequestRecord:
    marks = {PLAN_ANNOTATION: token, **({CORDONED_ANNOTATION: note} if note else {})}
    body = {"metadata": {"annotations": marks}, "spec": {"unschedulable": True}}
    return dataclasses.replace(record(body, resource="nodes"), applied=True, **fields)


@pytest.mark.parametrize(
    ("note", "tried", "drains"),
    [
        ("t1 Alice (drain)", False, {"t1": "web"}),  # nothing on it that could be evicted
        ("", True, {"t1": "web"}),  # cordoned by somebody else before
        ("t1 Alice", False, {}),
    ],
)
def test_a_drain_is_told_from_a_cordon(note: str, tried: bool, drains: dict[str, str]) -> None:
    evicted = dataclasses.replace(of_plan("t1"), resource="pods", subresource="eviction", applied=False)
    records = [of_plan("t1", note=note), *([evicted] if tried else [])]
    assert drains_in([*records, of_plan("t2")]) == drains


def test_a_drain_is_one_item_with_its_pods() -> None:
    cordon, evicted = {"action": "cordon", "target": "node/n1"}, {"action": "delete_pod", "pod": "web-1"}
    scaled = {"action": "scale", "target": "deployment/web"}
    done = [("t1", cordon), ("", scaled), ("t1", evicted), ("t2", evicted)]
    assert with_drains(done, {"t1": "n1"}) == [
        {"action": "drain", "target": "node/n1", "namespace": "", "pods": ["web-1"]},
        scaled,
        evicted,
    ]
