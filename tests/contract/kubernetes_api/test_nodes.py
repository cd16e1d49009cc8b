"""Nodes: cordoned by a patch, and the pods of all others chosen by their fields."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from tests.cluster.api import Answer
from tests.contract.kubernetes_api.shop import Shop

Json = dict[str, Any]

NOTE = "chatops-bot.io/cordoned-by"
TAINT = "node.kubernetes.io/unschedulable"

_numbers = itertools.count(1)


@pytest.fixture
def node(shop: Shop) -> Iterator[str]:
    """The path of one of the test's own, on which nothing is placed."""
    name = f"own-{next(_numbers)}"
    ready = {"type": "Ready", "status": "True"}
    taint = {"key": "test", "value": "own", "effect": "NoSchedule"}
    body = {"metadata": {"name": name}, "spec": {"taints": [taint]}, "status": {"conditions": [ready]}}
    shop.api.make("/api/v1/nodes", {"apiVersion": "v1", "kind": "Node", **body})
    yield f"/api/v1/nodes/{name}"
    shop.api.delete(f"/api/v1/nodes/{name}")


def patch(
    shop: Shop, node: str, unschedulable: bool | None, note: str | None, query: str = "", **metadata: str
) -> Answer:
    body = {"metadata": {"annotations": {NOTE: note}, **metadata}, "spec": {"unschedulable": unschedulable}}
    return shop.api.patch(f"{node}?fieldManager=chatops-bot{query}", body, kind="strategic")


def taints(node: Json) -> list[str]:
    return sorted(taint["key"] for taint in node["spec"].get("taints", ()))


def owners(node: Json) -> list[str]:
    rows = node["metadata"]["managedFields"]
    return [row["manager"] for row in rows if "f:unschedulable" in row["fieldsV1"].get("f:spec", {})]


def test_a_node_is_cordoned_and_uncordoned_by_one_field_and_taints_follow(shop: Shop, node: str) -> None:
    assert "unschedulable" not in shop.get(node)["spec"]
    made = patch(shop, node, True, "t0 Alice")
    assert made.status == 200
    assert made.json["spec"]["unschedulable"] is True
    found = shop.until(node, lambda found: TAINT in taints(found))
    assert (found["metadata"]["annotations"][NOTE], owners(found)) == ("t0 Alice", ["chatops-bot"])
    assert patch(shop, node, None, None).status == 200
    found = shop.until(node, lambda found: TAINT not in taints(found))
    assert "test" in taints(found)
    assert "unschedulable" not in found["spec"]
    assert NOTE not in found["metadata"].get("annotations", {})
    assert owners(found) == []


def test_what_is_lifted_and_set_anew_belongs_to_whoever_set_it(shop: Shop, node: str) -> None:
    patch(shop, node, True, "t0 Alice")
    for unschedulable in (None, True):
        body = {"spec": {"unschedulable": unschedulable}}
        assert shop.api.patch(f"{node}?fieldManager=kubectl-cordon", body, kind="strategic").status == 200
    found = shop.get(node)
    assert owners(found) == ["kubectl-cordon"]
    assert found["metadata"]["annotations"][NOTE] == "t0 Alice"


def test_an_outdated_version_and_a_dry_run_leave_it_as_it_is(shop: Shop, node: str) -> None:
    version = shop.get(node)["metadata"]["resourceVersion"]
    assert shop.api.patch(node, {"metadata": {"labels": {"a": "b"}}}).status == 200
    assert patch(shop, node, True, "t0", resourceVersion=version).status == 409
    assert patch(shop, node, True, "t0", query="&dryRun=All").json["spec"]["unschedulable"] is True
    assert "unschedulable" not in shop.get(node)["spec"]


def test_pods_of_other_nodes_that_have_not_ended(shop: Shop) -> None:
    shop.workload("db", kind="StatefulSet", replicas=2)
    shop.pod("waits", nodeSelector={"test": "nowhere"})
    there = {row["metadata"]["name"]: row["spec"]["nodeName"] for row in running(shop, "spec.nodeName!=")}
    assert set(there) == {"db-0", "db-1"}
    chosen = f"spec.nodeName!={there['db-0']},spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed"
    left = {row["metadata"]["name"] for row in running(shop, chosen)}
    assert left == {name for name, place in there.items() if place != there["db-0"]}


def running(shop: Shop, fields: str) -> list[Json]:
    rows: list[Json] = shop.get(f"/api/v1/pods?fieldSelector={quote(fields)}")["items"]
    return [row for row in rows if row["metadata"]["namespace"] == shop.namespace]
