"""Nodes, their pods and budgets for tests, as small as the code under test allows."""

from __future__ import annotations

from typing import Any

import msgspec

from chatops_bot.domain.entities import Entity
from chatops_bot.domain.identity import Room
from chatops_bot.domain.observed import Observed, Raw
from chatops_bot.domain.plans import Draft, Plan
from tests.unit.domain.cluster_objects import NOW, ago, pod

NODE = Entity(cluster="prod-east", namespace="", kind="Node", workload="n1", name="n1", environment="prod")


def node(name: str = "n1", *, ready: bool = True, cordoned: str = "", room: Raw | None = None, **spec: Any) -> Raw:
    """A node. `cordoned`: by which field manager."""
    made: Raw = {
        "metadata": {"name": name, "uid": f"u-{name}", "resourceVersion": "7"},
        "spec": spec,
        "status": {
            "conditions": [{"type": "Ready", "status": str(ready), "lastTransitionTime": ago(3600)}],
            "allocatable": room or {"cpu": "4", "memory": "16Gi", "pods": "110"},
        },
    }
    if cordoned:
        made["spec"] |= {"unschedulable": True, "taints": [UNSCHEDULABLE]}
        fields: Raw = {"f:spec": {"f:unschedulable": {}}}
        made["metadata"]["managedFields"] = [{"manager": cordoned, "time": ago(300), "fieldsV1": fields}]
    return made


UNSCHEDULABLE = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}


def ours(token: str = "t0", person: str = "Alice", name: str = "n1") -> Raw:
    """A node that the bot has cordoned."""
    made = node(name, cordoned="chatops-bot")
    made["metadata"]["annotations"] = {"chatops-bot.io/cordoned-by": f"{token} {person}"}
    return made


def on_node(obj: Raw, *pods: Raw, nodes: tuple[Raw, ...] = (node("n2"), node("n3")), **parts: Any) -> Observed:
    """What is around a node."""
    return Observed(entity=NODE, at=NOW, object=obj, pods=pods, nodes=nodes, **parts)


def owned(name: str, kind: str = "ReplicaSet", owner: str = "web-6f8", namespace: str = "shop", **spec: Any) -> Raw:
    """A ready pod of a controller; labelled `app` by the owner's name."""
    made = pod(name)
    reference = {"kind": kind, "name": owner, "uid": f"u-{owner}", "controller": True, "apiVersion": "apps/v1"}
    made["metadata"] |= {
        "namespace": namespace,
        "resourceVersion": "3",
        "labels": {"app": owner},
        "ownerReferences": [reference],
    }
    made["spec"] |= spec
    return made


def budget(name: str = "keep", app: str = "web-6f8", namespace: str = "shop", **status: int) -> Raw:
    """A disruption budget of the pods of that owner."""
    counts = {"disruptionsAllowed": 1, "currentHealthy": 3, "desiredHealthy": 2, "expectedPods": 3} | status
    return {
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"selector": {"matchLabels": {"app": app}}},
        "status": {field: count for field, count in counts.items() if count},
    }


def node_plan(made: Draft) -> Plan:
    """The plan that a gate would make of a draft on NODE."""
    return Plan(
        token="t0", action=made.action, entity=NODE, uid="u-n1", resource_version="7", change=made.change,
        parameters=made.parameters, before=made.before, watched=made.watched, risk=made.risk, preview=made.preview,
        room=Room("console", "t", "ops"), thread="x", requester="alice", language="en", created=NOW, expires=NOW + 1,
        steps=made.steps,
    )  # fmt: skip


def deleted(found: Observed) -> Observed:
    """The same while the node is being deleted."""
    metadata = {**found.object["metadata"], "deletionTimestamp": ago(1)}
    return msgspec.structs.replace(found, object={**found.object, "metadata": metadata})
