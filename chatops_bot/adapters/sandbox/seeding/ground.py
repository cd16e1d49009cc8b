"""What a cluster has before anybody uses it: namespaces and nodes."""

from __future__ import annotations

from chatops_bot.adapters.sandbox.controllers.context import MANAGER, Context
from chatops_bot.adapters.sandbox.controllers.nodes import node_manifest, node_status
from chatops_bot.adapters.sandbox.objects import Json, clone
from chatops_bot.adapters.sandbox.registry import DeleteOptions
from chatops_bot.adapters.sandbox.resources import NAMESPACES, NODES
from chatops_bot.adapters.sandbox.seeding.format import NodeSeed

EDITOR = "kubectl-edit"
_USUAL_NODES = ("node-1", "node-2", "node-3")
_OLDEST = 30 * 86_400.0


def lay(context: Context) -> None:
    """Two namespaces, and three nodes that are ready, all a month old."""
    with context.timeline.set_back(_OLDEST):
        for name in ("default", "kube-system"):
            ensure_namespace(context, name)
        for name in _USUAL_NODES:
            set_node(context, NodeSeed(name))


def replace_nodes(context: Context, nodes: tuple[NodeSeed, ...]) -> None:
    """The nodes of the file instead of the usual ones; ready while the past is made, or no pod would find one."""
    for node in context.store.all(NODES):
        context.registry.delete(NODES, node, DeleteOptions())
    with context.timeline.set_back(_OLDEST):
        for wanted in nodes:
            set_node(context, NodeSeed(wanted.name))


def set_node(context: Context, seed: NodeSeed) -> None:
    stamp = context.timeline.stamp()
    node, ready = context.store.get(NODES, "", seed.name), seed.ready
    if node is None:
        node = context.registry.create(NODES, node_manifest(seed.name), manager="kubelet")
        ready = ready is not False
    if ready is not None:
        context.set_status(NODES, node, node_status(seed.name, ready=ready, stamp=stamp), manager="kubelet")
        taint = {"key": "node.kubernetes.io/unreachable", "effect": "NoSchedule", "timeAdded": stamp}
        _edit_node(context, seed.name, {"taints": [] if ready else [taint]}, manager=MANAGER)
    if seed.unschedulable is not None:
        _edit_node(context, seed.name, {"unschedulable": seed.unschedulable}, manager=EDITOR)


def _edit_node(context: Context, name: str, spec: Json, *, manager: str) -> None:
    node = clone(context.registry.get(NODES, "", name))
    node["spec"] = {key: value for key, value in {**node["spec"], **spec}.items() if value}
    context.registry.update(NODES, node, manager=manager)


def ensure_namespace(context: Context, name: str) -> None:
    if context.store.get(NAMESPACES, "", name) is None:
        manifest = {
            "metadata": {"name": name, "labels": {"kubernetes.io/metadata.name": name}},
            "spec": {"finalizers": ["kubernetes"]},
        }
        context.registry.create(NAMESPACES, manifest, manager="kube-apiserver")
