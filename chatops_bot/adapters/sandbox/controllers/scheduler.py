"""The scheduler: gives each pod a node, or says why there is none."""

from __future__ import annotations

from chatops_bot.adapters.sandbox.conditions import is_true, set_condition
from chatops_bot.adapters.sandbox.controllers.context import Context
from chatops_bot.adapters.sandbox.objects import Json, clone, is_deleting, labels_of, name_of
from chatops_bot.adapters.sandbox.resources import NODES, PODS
from chatops_bot.adapters.sandbox.timeline import parse

COMPONENT = "default-scheduler"


class Scheduler:
    def __init__(self, context: Context) -> None:
        self._context = context

    def run(self) -> None:
        waiting = [pod for pod in self._context.store.all(PODS) if not pod["spec"].get("nodeName")]
        for pod in waiting:
            if not is_deleting(pod) and self._is_due(pod):
                self._place(pod)

    def _is_due(self, pod: Json) -> bool:
        due = parse(pod["metadata"]["creationTimestamp"]) + self._context.timing.schedule
        if self._context.timeline.now() >= due:
            return True
        self._context.wake_at(due)
        return False

    def _place(self, pod: Json) -> None:
        staged = self._context.troubles.of(pod)
        nodes = self._context.store.all(NODES)
        if staged is not None and staged.trouble == "Pending":
            total = len(nodes)
            self._refuse(pod, f"0/{total} nodes are available: {total} Insufficient cpu. {_no_victims(total)}")
            return
        reasons = {name_of(node): _obstacle(node, pod) for node in nodes}
        free = [name for name, reason in reasons.items() if not reason]
        if not free:
            counted = sorted({reason: list(reasons.values()).count(reason) for reason in reasons.values()}.items())
            why = ", ".join(f"{count} {reason}" for reason, count in counted)
            self._refuse(pod, f"0/{len(nodes)} nodes are available: {why}. {_no_victims(len(nodes))}")
            return
        load = self._load()
        self._bind(pod, min(free, key=lambda name: (load.get(name, 0), name)))

    def _load(self) -> dict[str, int]:
        load: dict[str, int] = {}
        for pod in self._context.store.all(PODS):
            if node := pod["spec"].get("nodeName"):
                load[node] = load.get(node, 0) + 1
        return load

    def _bind(self, pod: Json, node: str) -> None:
        bound = clone(pod)
        bound["spec"]["nodeName"] = node
        bound = self._context.registry.update(PODS, bound, manager="kube-scheduler")
        place = f"{bound['metadata']['namespace']}/{name_of(pod)}"
        text = f"Successfully assigned {place} to {node}"
        self._context.events.record(bound, "Scheduled", text, component=COMPONENT)

    def _refuse(self, pod: Json, message: str) -> None:
        status = pod.get("status") or {}
        conditions = set_condition(
            list(status.get("conditions") or []),
            "PodScheduled",
            "False",
            stamp=self._context.timeline.stamp(),
            reason="Unschedulable",
            message=message,
            observedGeneration=pod["metadata"].get("generation", 1),
            lastProbeTime=None,
        )
        if conditions != status.get("conditions"):
            self._context.events.record(pod, "FailedScheduling", message, component=COMPONENT, warning=True)
            status = {**status, "phase": "Pending", "conditions": conditions}
            self._context.set_status(PODS, pod, status, manager="kube-scheduler")


def _no_victims(nodes: int) -> str:
    return f"preemption: 0/{nodes} nodes are available: {nodes} Preemption is not helpful for scheduling."


def _obstacle(node: Json, pod: Json) -> str:
    """Why this node will not do, in the scheduler's words; "" when it will."""
    if node["spec"].get("unschedulable"):
        return "node(s) were unschedulable"
    for taint in node["spec"].get("taints") or []:
        if taint.get("effect") in {"NoSchedule", "NoExecute"} and not _tolerates(pod, taint):
            return f"node(s) had untolerated taint {{{taint['key']}: {taint.get('value', '')}}}"
    if not is_true(node, "Ready"):
        return "node(s) had untolerated taint {node.kubernetes.io/not-ready: }"
    wanted = pod["spec"].get("nodeSelector") or {}
    if not wanted.items() <= labels_of(node).items():
        return "node(s) didn't match Pod's node affinity/selector"
    return ""


def _tolerates(pod: Json, taint: Json) -> bool:
    for toleration in pod["spec"].get("tolerations") or []:
        same_key = toleration.get("key") in {None, "", taint["key"]}
        same_effect = toleration.get("effect") in {None, "", taint["effect"]}
        exists = toleration.get("operator", "Equal") == "Exists"
        if same_key and same_effect and (exists or toleration.get("value", "") == taint.get("value", "")):
            return True
    return False
