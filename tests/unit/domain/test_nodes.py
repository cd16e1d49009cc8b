"""Reading a node: who cordoned it, whether it takes pods, what else is going on with it."""

from __future__ import annotations

import pytest

from chatops_bot.domain.catalog import Catalog, index_nodes
from chatops_bot.domain.entities import Service
from chatops_bot.domain.nodes import Cordon, cordon_of, is_control_plane, is_going, note_of, taints_of, takes_pods
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.world import World
from tests.unit.domain.cluster_objects import NOW, ago, entity
from tests.unit.domain.node_objects import NODE, node, ours


def test_a_node_is_not_cordoned_where_the_field_is_absent() -> None:
    assert cordon_of(node()) is None
    assert cordon_of(node(unschedulable=False)) is None
    assert cordon_of({}) is None


def test_whose_cordon_it_is() -> None:
    assert cordon_of(ours()) == Cordon("Alice", NOW - 300_000, "t0")
    assert cordon_of(node(cordoned="kubectl-cordon")) == Cordon("kubectl-cordon", NOW - 300_000)
    assert cordon_of(node(unschedulable=True)) == Cordon("", 0)


def test_our_note_counts_only_while_the_field_is_ours_too() -> None:
    """Uncordoned and cordoned anew by somebody else, the note is still there."""
    theirs = ours()
    theirs["metadata"]["managedFields"][0]["manager"] = "kubectl-cordon"
    assert cordon_of(theirs) == Cordon("kubectl-cordon", NOW - 300_000)
    unrecorded = ours()
    del unrecorded["metadata"]["managedFields"]
    assert cordon_of(unrecorded) == Cordon("Alice", 0, "t0")


def test_the_newest_owner_of_the_field_counts() -> None:
    both = node(cordoned="newer")
    fields: Raw = {"f:spec": {"f:unschedulable": {}}}
    both["metadata"]["managedFields"] += [
        {"manager": "older", "time": ago(900), "fieldsV1": fields},
        {"manager": "kubelet", "time": ago(1), "fieldsV1": {"f:status": {}}},
    ]
    assert cordon_of(both) == Cordon("newer", NOW - 300_000)


def test_the_note_is_one_short_line() -> None:
    assert note_of("t0", "Alice") == "t0 Alice"
    assert note_of("t0", "") == "t0"
    assert len(note_of("t0", "A\nlice " * 50)) <= 83


@pytest.mark.parametrize(
    ("obj", "takes"),
    [
        (node(), True),
        (node(taints=[{"key": "soft", "effect": "PreferNoSchedule"}]), True),
        (node(taints=[{"key": "gpu", "value": "true", "effect": "NoSchedule"}]), False),
        (node(taints=[{"key": "gone", "effect": "NoExecute"}]), False),
        (node(unschedulable=True), False),
        (node(ready=False), False),
        ({**node(), "metadata": {"deletionTimestamp": ago(1)}}, False),
        ({}, False),
    ],
)
def test_where_an_ordinary_pod_can_be_placed(obj: Raw, takes: bool) -> None:
    assert takes_pods(obj) is takes


def test_roles_and_taints() -> None:
    control = node()
    control["metadata"]["labels"] = {"node-role.kubernetes.io/control-plane": ""}
    assert is_control_plane(control)
    assert not is_control_plane(node())
    going = node(taints=[{"key": "ToBeDeletedByClusterAutoscaler", "value": "17", "effect": "NoSchedule"}])
    assert is_going(going)
    assert not is_going(node(cordoned="kubectl"))
    assert taints_of(going) == ["ToBeDeletedByClusterAutoscaler=17:NoSchedule"]
    assert taints_of(node(taints=[{"key": "k", "effect": "NoExecute"}])) == ["k:NoExecute"]
    assert taints_of(node(cordoned="kubectl")) == []


def test_services_and_nodes_are_found_by_their_keys() -> None:
    """What a button carries, for cards outlive the snapshot that they were drawn from."""
    service = Service(entity=entity())
    world = World(catalog=Catalog([service]), policy=Policy(), nodes=index_nodes([NODE]))
    assert world.by_key(entity().key) == service
    assert world.by_key(NODE.key) == Service(entity=NODE)
    assert world.by_key("west//node/n1") is None
    assert world.by_key("") is None
