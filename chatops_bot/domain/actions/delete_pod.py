"""`delete_pod`: let one pod go, so that its owner makes another in its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from chatops_bot.domain.actions.base import Progress, Question, Undo
from chatops_bot.domain.actions.evictions import MIRROR, budgets_over, eviction_of, is_spare
from chatops_bot.domain.actions.risk import Consequence, risk_of
from chatops_bot.domain.actions.shared import PLURALS, common_warnings, ended_early, group_of, place, refusal
from chatops_bot.domain.actions.templates import trouble_of
from chatops_bot.domain.diagnosis.pods import is_deleting, is_leftover, is_ready, state_of
from chatops_bot.domain.diagnosis.status import judge
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.intents import Quantity, SlotValue
from chatops_bot.domain.objects import (
    annotation,
    at,
    controller_of,
    has,
    holds,
    instant,
    items,
    listed,
    name_of,
    number,
    since,
    span,
    text,
    uid_of,
)
from chatops_bot.domain.observed import Need, Observed, Permission, Raw
from chatops_bot.domain.plans import Change, Draft, Plan, Scalar
from chatops_bot.domain.rollout import quorum_of, ready_pods, wanted_pods
from chatops_bot.domain.say import Say, say

MOST_CHOICES: Final = 8
"""Pods offered on buttons, those that are not ready first."""

_DEFAULT_GRACE = 30


class DeletePod:
    """The plan is about the workload, the write goes to one of its pods, whose uid goes with it: never to another of
    that name. By eviction where a disruption budget covers it, for a deletion asks none. The pod keeps its own grace
    period: a pod of a StatefulSet that is forced away may have a twin. Cannot be undone."""

    name = "delete_pod"
    kinds: frozenset[EntityKind] = frozenset({"Deployment", "StatefulSet", "DaemonSet", "Rollout"})
    needs: frozenset[Need] = frozenset()

    def permissions(self, kind: EntityKind) -> tuple[Permission, ...]:
        return (
            Permission(group_of(kind), PLURALS[kind], "get"),
            *(Permission("", "pods", verb) for verb in ("get", "list", "delete")),
            Permission("", "pods", "create", "eviction"),
        )

    def draft(
        self, observed: Observed, slots: Mapping[str, SlotValue], *, token: str, stamp: str
    ) -> Draft | Say | Question:
        entity = observed.entity
        if entity.kind not in self.kinds:
            return say("pod.wrong_kind", name=entity.name, kind=entity.kind)
        problem = refusal(observed) or _unread(observed)
        if problem is not None:
            return problem
        pod = _chosen(observed, slots.get("pod"))
        if isinstance(pod, Say | Question):
            return pod
        return _impossible(pod, observed) or self._draft(observed, pod)

    def _draft(self, observed: Observed, pod: Raw) -> Draft:
        judgement = judge(observed, observed.at)
        covered = _covered(pod, observed)
        change = eviction_of(pod)
        return Draft(
            action=self.name,
            change=change if covered else msgspec.structs.replace(change, verb="delete"),
            parameters={"pod": name_of(pod)},
            before={},
            watched=self.watched(pod),
            risk=risk_of(self.name, _consequences(observed, pod)),
            preview=(*_preview(observed, pod, change), place(observed.entity)),
            warnings=(*_warnings(observed, pod), *common_warnings(observed, judgement)),
        )

    def watched(self, live: Raw) -> dict[str, Scalar]:
        # Whether it is ready: one that has come up meanwhile need not go, and one that has failed serves nobody.
        return {
            "metadata.uid": uid_of(live),
            "metadata.deletionTimestamp": text(live, "metadata", "deletionTimestamp"),
            "status.ready": is_ready(live),
        }

    def holds(self, live: Raw, plan: Plan) -> bool:
        return bool(uid_of(live)) and (uid_of(live) != plan.change.uid or is_deleting(live))

    def progress(self, observed: Observed, plan: Plan) -> Progress:
        ended = ended_early(observed, plan)
        if ended is not None:
            return ended
        unread = _unread(observed)
        if unread is not None:
            return Progress(finished=False, failed=False, line=unread)
        pod = next((pod for pod in observed.pods if uid_of(pod) == plan.change.uid), None)
        if pod is not None:
            return _still_there(pod, observed.at)
        ready, wanted = (
            ready_pods(observed.object, observed.entity.kind),
            wanted_pods(observed.object, observed.entity.kind),
        )
        if ready >= wanted:
            return Progress(finished=True, failed=False, line=say("progress.pod_replaced", ready=ready, wanted=wanted))
        made = tuple(pod for pod in observed.pods if _made(pod) >= plan.created and not is_ready(pod))
        trouble = trouble_of(observed, made)
        if trouble is not None:
            line = say("progress.failing", pods=listed(trouble.pods), cause=f"cause.{trouble.code}")
            return Progress(finished=True, failed=True, line=line)
        return Progress(finished=False, failed=False, line=say("progress.pod_gone", ready=ready, wanted=wanted))

    def undo(self, plan: Plan) -> Undo | None:
        return None


def _still_there(pod: Raw, now: int) -> Progress:
    if not is_deleting(pod):
        return Progress(finished=True, failed=True, line=say("progress.pod_stays", pod=name_of(pod)))
    late = now - instant(at(pod, "metadata", "deletionTimestamp"))
    key = "progress.pod_stuck" if late > 0 else "progress.pod_stopping"
    line = say(key, pod=name_of(pod), seconds=_grace(pod), finalizers=_finalizers(pod) or "-")
    return Progress(finished=False, failed=False, line=line)


def _made(pod: Raw) -> int:
    """When, in ms, at the latest: stamps are whole seconds."""
    return instant(at(pod, "metadata", "creationTimestamp")) + 999


def _unread(observed: Observed) -> Say | None:
    why = observed.why_unread("pods")
    return None if why is None else say("pod.unread", name=observed.entity.name, why=why)


def _chosen(observed: Observed, said: SlotValue | None) -> Raw | Say | Question:
    """The pod that is meant: by its name, or by the end of it where only one has that. Never one that was not said."""
    name = observed.entity.name
    if not observed.pods:
        return say("pod.none", name=name)
    if said is None or isinstance(said, bool | Quantity) or not str(said).strip():
        return _which(observed, say("pod.which", name=name))
    wanted = str(said).strip().lower().removeprefix("pod/")
    exact = [pod for pod in observed.pods if name_of(pod) == wanted]
    fitting = exact or [pod for pod in observed.pods if name_of(pod).endswith(f"-{wanted}")]
    if len(fitting) == 1:
        return fitting[0]
    key = "pod.several" if fitting else "pod.unknown"
    return _which(observed, say(key, name=name, pod=wanted[:60]))


def _which(observed: Observed, problem: Say) -> Question:
    pods = sorted(observed.pods, key=lambda pod: (is_ready(pod), name_of(pod)))
    return Question(problem, ("pod",), tuple(name_of(pod) for pod in pods[:MOST_CHOICES]))


def _impossible(pod: Raw, observed: Observed) -> Say | None:
    """Why this pod is not to go, or cannot now."""
    name = name_of(pod)
    if annotation(pod, MIRROR):
        return say("pod.mirror", pod=name)
    if not controller_of(pod):
        return say("pod.unowned", pod=name)
    if is_deleting(pod):
        ago = since(at(pod, "metadata", "deletionTimestamp"), observed.at)
        return say("pod.going", pod=name, ago=ago, finalizers=_finalizers(pod) or "-")
    over = budgets_over(pod, observed.budgets)
    if len(over) > 1:
        return say("pod.several_budgets", pod=name, budgets=listed(map(name_of, over), most=5))
    return _blocked(pod, over[0]) if over and not is_spare(pod, over[0]) else None


def _blocked(pod: Raw, budget: Raw) -> Say | None:
    """What a budget says that has none to spare, and what would help."""
    if number(budget, "status", "disruptionsAllowed") > 0:
        return None
    needed, healthy = number(budget, "status", "desiredHealthy"), number(budget, "status", "currentHealthy")
    fields: dict[str, str | int] = {
        "budget": name_of(budget),
        "needed": needed,
        "healthy": healthy,
        "pod": name_of(pod),
    }
    if needed and needed >= number(budget, "status", "expectedPods"):
        return say("pod.blocked_ever", **fields)
    return say("pod.blocked" if is_ready(pod) else "pod.blocked_unready", **fields)


def _covered(pod: Raw, observed: Observed) -> bool:
    """Whether a budget has a say, as far as is known: where they could not be read, it may."""
    return observed.why_unread("budgets") is not None or bool(budgets_over(pod, observed.budgets))


def _consequences(observed: Observed, pod: Raw) -> Iterator[Consequence]:
    if _breaks_quorum(observed, pod):
        yield "quorum"


def _breaks_quorum(observed: Observed, pod: Raw) -> bool:
    """Whether a majority of a StatefulSet's members is ready now, and would not be without this one."""
    wanted = wanted_pods(observed.object, "StatefulSet") if observed.entity.kind == "StatefulSet" else 0
    ready = ready_pods(observed.object, "StatefulSet")
    return wanted > 2 and is_ready(pod) and ready == quorum_of(wanted)


def _preview(observed: Observed, pod: Raw, change: Change) -> Iterator[Say]:
    target, owner = observed.entity.target, controller_of(pod)
    yield say(
        "pod.preview", pod=name_of(pod), target=target, state=state_of(pod), node=text(pod, "spec", "nodeName") or "-"
    )
    over = budgets_over(pod, observed.budgets)
    if over:
        allowed = number(over[0], "status", "disruptionsAllowed")
        yield say("pod.by_eviction", budget=name_of(over[0]), allowed=allowed)
    yield say("pod.comes_back", owner=f"{text(owner, 'kind')} {text(owner, 'name')}", seconds=_grace(pod))


def _grace(pod: Raw) -> int:
    return number(pod, "spec", "terminationGracePeriodSeconds", default=_DEFAULT_GRACE)


def _warnings(observed: Observed, pod: Raw) -> Iterator[Say]:
    ready = [other for other in observed.pods if is_ready(other)]
    if [uid_of(other) for other in ready] == [uid_of(pod)]:
        yield say("warn.pod_last", pod=name_of(pod))
    if _breaks_quorum(observed, pod):
        yield say("warn.pod_quorum", ready=len(ready) - 1, wanted=wanted_pods(observed.object, "StatefulSet"))
    local = [text(volume, "name") for volume in items(pod, "spec", "volumes") if has(volume, "emptyDir")]
    if local and not is_leftover(pod):
        yield say("warn.pod_local", volumes=listed(local))
    if _finalizers(pod):
        yield say("warn.pod_finalizers", finalizers=_finalizers(pod))
    if _grace(pod) > 60:
        yield say("warn.pod_grace", span=span(_grace(pod) * 1000))
    if _node_is_lost(pod):
        twin = "warn.pod_node_lost_set" if observed.entity.kind == "StatefulSet" else "warn.pod_node_lost"
        yield say(twin, node=text(pod, "spec", "nodeName"))


def _finalizers(pod: Raw) -> str:
    names = at(pod, "metadata", "finalizers")
    return listed(map(str, names)) if isinstance(names, list) else ""


def _node_is_lost(pod: Raw) -> bool:
    """By what its node's controller has done to the pod, for nodes may not be read everywhere: it takes away Ready,
    which else follows the containers."""
    gated = bool(items(pod, "spec", "readinessGates"))
    taken = holds(pod, "ContainersReady") and not holds(pod, "Ready") and not gated
    return text(pod, "status", "reason") == "NodeLost" or taken
