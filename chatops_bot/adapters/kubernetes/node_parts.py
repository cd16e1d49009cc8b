"""What is on a node, and around it."""

from __future__ import annotations

from functools import partial

from chatops_bot.adapters.kubernetes.lists import CLUSTER_PAGES, PODS, RUNNING, Lists, selection
from chatops_bot.adapters.kubernetes.passes import Pass, Read
from chatops_bot.adapters.kubernetes.paths import resource_path
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.objects import name_of, text


async def around_node(lists: Lists, entity: Entity, taken: Pass, *, elsewhere: bool) -> None:
    """The pods on it, the other nodes, and the budgets where those pods are. `elsewhere`: what runs on the others,
    for what has room there and what runs nowhere else."""
    whole = partial(lists.rows, whole=True, slim=True)
    reads: list[Read] = [
        ("pods", partial(whole, PODS, selection(f"spec.nodeName={entity.workload}"))),
        ("nodes", partial(whole, resource_path("", "v1", "nodes"), pages=CLUSTER_PAGES)),
        ("budgets", partial(whole, resource_path("policy", "v1", "poddisruptionbudgets"), pages=CLUSTER_PAGES)),
    ]
    if elsewhere:
        others = selection(f"spec.nodeName!={entity.workload},{RUNNING}")
        reads.append(("elsewhere", partial(whole, PODS, others, pages=CLUSTER_PAGES)))
    await taken.gather(reads)
    namespaces = {text(pod, "metadata", "namespace") for pod in taken.rows.get("pods", [])}
    taken.keep("nodes", lambda node: name_of(node) != entity.workload)
    taken.keep("budgets", lambda budget: text(budget, "metadata", "namespace") in namespaces)
