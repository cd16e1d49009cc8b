"""Which pods a workload has, and giving them troubles."""

from __future__ import annotations

from chatops_bot.adapters.sandbox.controllers.context import Context, is_active
from chatops_bot.adapters.sandbox.objects import Json, clone, controlled_by, name_of, namespace_of
from chatops_bot.adapters.sandbox.registry import DeleteOptions
from chatops_bot.adapters.sandbox.resources import DAEMONSETS, DEPLOYMENTS, PODS, REPLICASETS, STATEFULSETS
from chatops_bot.adapters.sandbox.seeding.format import WorkloadSeed
from chatops_bot.adapters.sandbox.troubles import Trouble

WORKLOADS = {"Deployment": DEPLOYMENTS, "StatefulSet": STATEFULSETS, "DaemonSet": DAEMONSETS}
_TERMINATING_FOR = 600.0


def pods_of_workload(context: Context, workload: Json) -> list[Json]:
    """The pods of a Deployment (those of its ReplicaSets), StatefulSet or DaemonSet, in the order of their names."""
    if workload["kind"] != "Deployment":
        return context.pods_of(workload)
    sets = context.store.all(REPLICASETS, namespace_of(workload))
    owned = [item for item in sets if controlled_by(item, workload)]
    return sorted((pod for item in owned for pod in context.pods_of(item)), key=name_of)


def active_pods(context: Context, seed: WorkloadSeed) -> list[Json]:
    workload = context.registry.get(WORKLOADS[seed.kind], seed.namespace, seed.name)
    return [pod for pod in pods_of_workload(context, workload) if is_active(pod)]


def stage_leftovers(context: Context, seed: WorkloadSeed) -> None:
    """Evicted and terminating pods of a Deployment: when the controllers run, others take their place."""
    for pod, state in zip(active_pods(context, seed), seed.leftovers, strict=False):
        stage(context, pod, state)


def stage_counted(context: Context, seed: WorkloadSeed) -> None:
    """Give the pods their states, in the order of their names; those not listed run. Raises ValueError for too many."""
    pods = active_pods(context, seed)
    if len(seed.counted) > len(pods):
        raise ValueError(f"{seed.path}.pods: {len(seed.counted)} pods are listed, and there are {len(pods)}")
    rest: list[Trouble] = ["Running"] * (len(pods) - len(seed.counted))
    for pod, state in zip(pods, (*seed.counted, *rest), strict=True):
        stage(context, pod, state)


def stage(context: Context, pod: Json, trouble: Trouble) -> None:
    """Give this pod a trouble; the controllers show it when they run next."""
    context.troubles.stage(pod, trouble, context.timeline.now())
    if trouble == "Pending" and pod["spec"].get("nodeName"):
        # A pod that runs cannot lose its node; this one never had it.
        unplaced = clone(pod)
        del unplaced["spec"]["nodeName"]
        unplaced["status"] = {"phase": "Pending", "qosClass": pod["status"]["qosClass"]}
        context.store.put(PODS, unplaced)
    if trouble == "Terminating":
        with context.timeline.set_back(_TERMINATING_FOR):
            context.registry.delete(PODS, pod, DeleteOptions())
