"""Strategic merge, merge patch and JSON Patch on plain objects."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatops_bot.adapters.sandbox.errors import ApiError
from chatops_bot.adapters.sandbox.objects import clone
from chatops_bot.adapters.sandbox.patching import json_patch, merge_patch, strategic_merge

POD: dict[str, Any] = {
    "containers": [
        {"name": "app", "image": "a:1", "env": [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}]},
        {"name": "side", "image": "s:1", "ports": [{"containerPort": 80}]},
    ],
    "volumes": [{"name": "tmp", "emptyDir": {}}],
    "tolerations": [{"key": "gpu", "operator": "Exists"}],
    "nodeSelector": {"disk": "ssd", "zone": "a"},
}


def names(items: list[dict[str, Any]]) -> list[str]:
    return [item["name"] for item in items]


def test_keyed_lists_are_merged_item_by_item() -> None:
    patch = {
        "containers": [
            {"name": "app", "image": "a:2", "env": [{"name": "B", "value": "3"}]},
            {"name": "new", "image": "n"},
        ]
    }
    merged = strategic_merge(POD, patch)
    assert names(merged["containers"]) == ["app", "new", "side"]
    assert merged["containers"][0] == {
        "name": "app",
        "image": "a:2",
        "env": [{"name": "A", "value": "1"}, {"name": "B", "value": "3"}],
    }
    assert merged["containers"][2] == POD["containers"][1]


def test_other_lists_are_replaced() -> None:
    patch = {"tolerations": [{"key": "spot", "operator": "Exists"}]}
    assert strategic_merge(POD, patch)["tolerations"] == patch["tolerations"]


def test_ports_are_keyed_as_their_owner_needs_it() -> None:
    service = {"ports": [{"name": "http", "port": 80, "nodePort": 30080}]}
    assert strategic_merge(service, {"ports": [{"port": 80, "targetPort": 8080}]})["ports"] == [
        {"name": "http", "port": 80, "nodePort": 30080, "targetPort": 8080}
    ]
    container = {"ports": [{"containerPort": 80, "name": "http"}]}
    assert len(strategic_merge(container, {"ports": [{"containerPort": 81}]})["ports"]) == 2


def test_nulls_delete() -> None:
    merged = strategic_merge(POD, {"nodeSelector": {"zone": None}, "volumes": None})
    assert merged["nodeSelector"] == {"disk": "ssd"}
    assert "volumes" not in merged


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ({"containers": [{"name": "side", "$patch": "delete"}]}, ["app"]),
        ({"containers": [{"$patch": "replace"}, {"name": "only", "image": "o"}]}, ["only"]),
        ({"containers": []}, ["app", "side"]),
        ({"$setElementOrder/containers": [{"name": "side"}, {"name": "app"}]}, ["side", "app"]),
        ({"$setElementOrder/containers": [{"name": "side"}, {"name": "app"}], "containers": []}, ["side", "app"]),
        (
            {"$setElementOrder/containers": [{"name": "side"}], "containers": [{"name": "side", "image": "s:2"}]},
            ["app", "side"],
        ),
    ],
)
def test_directives_in_lists(patch: dict[str, Any], expected: list[str]) -> None:
    assert names(strategic_merge(POD, patch)["containers"]) == expected


def test_directives_in_maps() -> None:
    assert strategic_merge({"a": 1, "b": 2}, {"$patch": "replace", "c": 3}) == {"c": 3}
    assert strategic_merge({"a": {"b": 2}}, {"a": {"$patch": "delete"}}) == {"a": {}}
    strategy = {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}}
    assert strategic_merge(strategy, {"$retainKeys": ["type"], "type": "Recreate"}) == {"type": "Recreate"}
    held = {"finalizers": ["a", "b"]}
    assert strategic_merge(held, {"$deleteFromPrimitiveList/finalizers": ["a"]}) == {"finalizers": ["b"]}
    assert strategic_merge(held, {"finalizers": ["c", "a"]}) == {"finalizers": ["c", "a", "b"]}
    assert strategic_merge(held, {"$setElementOrder/finalizers": ["b", "a"]}) == {"finalizers": ["b", "a"]}


def test_a_merge_patch_replaces_lists() -> None:
    assert merge_patch(POD, {"containers": [{"name": "app"}]})["containers"] == [{"name": "app"}]
    assert merge_patch({"a": {"b": 1, "c": 2}}, {"a": {"b": None}}) == {"a": {"c": 2}}


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([{"op": "add", "path": "/list/1", "value": 9}], {"map": {"a/b": 1}, "list": [1, 9, 2]}),
        ([{"op": "add", "path": "/list/-", "value": 9}], {"map": {"a/b": 1}, "list": [1, 2, 9]}),
        ([{"op": "replace", "path": "/map/a~1b", "value": 2}], {"map": {"a/b": 2}, "list": [1, 2]}),
        ([{"op": "replace", "path": "/map/new", "value": 2}], {"map": {"a/b": 1, "new": 2}, "list": [1, 2]}),
        ([{"op": "test", "path": "/none", "value": None}], {"map": {"a/b": 1}, "list": [1, 2]}),
        ([{"op": "remove", "path": "/list/0"}], {"map": {"a/b": 1}, "list": [2]}),
        ([{"op": "move", "from": "/map", "path": "/new"}], {"new": {"a/b": 1}, "list": [1, 2]}),
        ([{"op": "copy", "from": "/list/0", "path": "/one"}], {"map": {"a/b": 1}, "list": [1, 2], "one": 1}),
    ],
)
def test_json_patch(steps: list[dict[str, Any]], expected: dict[str, Any]) -> None:
    assert json_patch({"map": {"a/b": 1}, "list": [1, 2]}, steps) == expected


@pytest.mark.parametrize(
    ("step", "code"),
    [
        ({"op": "test", "path": "/a", "value": 2}, 422),
        ({"op": "test", "path": "/none", "value": 0}, 422),
        ({"op": "test", "path": "/none/deep", "value": None}, 422),
        ({"op": "replace", "path": "/none/deep", "value": 1}, 422),
        ({"op": "replace", "path": "/list/0", "value": 1}, 422),
        ({"op": "remove", "path": "/none"}, 422),
        ({"op": "add", "path": "/list/7", "value": 1}, 422),
        ({"op": "add", "path": "/none/deep", "value": 1}, 422),
        ({"op": "add", "path": "a", "value": 1}, 422),
        ({"op": "merge", "path": "/a", "value": 1}, 422),
    ],
)
def test_json_patches_that_do_not_apply(step: dict[str, Any], code: int) -> None:
    with pytest.raises(ApiError) as refused:
        json_patch({"a": 1, "list": []}, [step])
    assert refused.value.code == code


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)
objects = st.dictionaries(st.sampled_from(["a", "b", "containers", "env"]), json_values, max_size=4)


@given(target=objects, patch=objects)
def test_patching_never_touches_what_it_is_given(target: dict[str, Any], patch: dict[str, Any]) -> None:
    before = deepcopy((target, patch))
    strategic_merge(target, patch)
    merge_patch(target, patch)
    assert (target, patch) == before


@given(target=objects, patch=objects)
def test_a_merge_patch_twice_is_once(target: dict[str, Any], patch: dict[str, Any]) -> None:
    once = merge_patch(target, patch)
    assert merge_patch(once, patch) == once


@given(value=json_values)
def test_a_clone_is_equal_and_apart(value: Any) -> None:
    copied = clone(value)
    assert copied == value
    if isinstance(value, list | dict):
        assert copied is not value
