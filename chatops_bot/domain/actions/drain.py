"""`drain`: cordon a node, then evict what runs on it, pod by pod, as far as the disruption budgets let it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from chatops_bot.domain.actions.base import Due, Progress, Question, Remaining, Undo
from chatops_bot.domain.actions.cordoning import note
from chatops_bot.domain.actions.evictions import (
    Sorted,
    budget_label,
    budgets_over,
    eviction_of,
    forecast,
    is_spare,
    label_of,
    sort_pods,
    unhealthy,
)
from chatops_bot.domain.actions.node_changes import (
    by_whom,
    is_ours,
    is_unread,
    node_change,
    node_permissions,
    others_left,
    others_warnings,
    refused_for,
    surroundings,
)
from chatops_bot.domain.actions.relocation import homeless, jobs_of, only_here
from chatops_bot.domain.actions.risk import risk_of
from chatops_bot.domain.actions.shared import ended_early, place
from chatops_bot.domain.diagnosis.pods import is_deleting
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.nodes import cordon_of, is_up
from chatops_bot.domain.objects import at, flag, instant, listed, number, span, text, uid_of
from chatops_bot.domain.observed import Need, Observed, Permission, Raw
from chatops_bot.domain.plans import Change, Draft, Plan, Scalar
from chatops_bot.domain.say import Say, say

LOUD: Final = {"force": "force", "local_data": "delete local data"}
"""Slots that must be said outright, and the words on their buttons: nothing else stands for a yes."""

_BAR: Final = 10
_STUCK_MS: Final = 30_000


class Drain:
    """Always high risk. The plan names the pods, and no other is ever evicted: each goes by its uid, one of a budget at
    a time. Stopped by whoever uncordons the node. Undone by uncordoning alone, for pods do not move back."""

    name = "drain"
    kinds: frozenset[EntityKind] = frozenset({"Node"})
    needs: frozenset[Need] = frozenset({"room"})

    def permissions(self, kind: EntityKind) -> tuple[Permission, ...]:
        return (
            *node_permissions(),
            Permission("", "pods", "get"),
            Permission("", "pods", "list"),
            Permission("", "pods", "create", "eviction"),
            Permission("policy", "poddisruptionbudgets", "list"),
        )

    def draft(
        self, observed: Observed, slots: Mapping[str, SlotValue], *, token: str, stamp: str
    ) -> Draft | Say | Question:
        entity, cordoned = observed.entity, cordon_of(observed.object) is not None
        problem = refused_for(observed, self.kinds)
        if problem is not None:
            return problem
        if is_unread(observed, "pods"):
            return say("drain.unread", name=entity.name)
        pods = sort_pods(observed.pods)
        if cordoned and not pods.evict:
            return say("drain.nothing", name=entity.name, **_stay(pods))
        asked = _unsaid(pods, slots)
        if asked is not None:
            return asked
        notes = {} if cordoned else note(token, slots, drains=True)
        return Draft(
            action=self.name,
            change=node_change(entity, token=token, unschedulable=True, notes=notes),
            steps=tuple(eviction_of(pod) for pod in pods.evict),
            parameters={slot: True for slot in LOUD if _is_said(slots, slot)},
            before={"cordoned": cordoned},
            watched=self.watched(observed.object),
            risk=risk_of(self.name),
            preview=(*_preview(observed, pods), *others_left(observed), say("drain.undo"), place(entity)),
            warnings=(*_warnings(observed, pods), *others_warnings(observed), *surroundings(observed)),
        )

    def watched(self, live: Raw) -> dict[str, Scalar]:
        return {"metadata.uid": uid_of(live), "spec.unschedulable": flag(live, "spec", "unschedulable")}

    def holds(self, live: Raw, plan: Plan) -> bool:
        return is_ours(live, plan)

    def progress(self, observed: Observed, plan: Plan) -> Progress:
        remaining = self.remaining(observed, plan)
        if remaining.stopped is not None:
            return Progress(finished=True, failed=True, line=remaining.stopped)
        if remaining.left:
            return Progress(finished=False, failed=False, line=remaining.line)
        return Progress(finished=True, failed=False, line=_finished(observed, plan))

    def remaining(self, observed: Observed, plan: Plan) -> Remaining:
        there = {uid_of(pod): pod for pod in observed.pods}
        pods = [there[step.uid] for step in plan.steps if step.uid in there]
        line = _line(plan, len(pods))
        stopped = _stopped(observed, plan)
        if stopped is not None:
            return Remaining(line=line, left=tuple(map(label_of, pods)), stopped=stopped)
        if is_unread(observed, "pods"):
            return Remaining(line=say("drain.unread", name=plan.entity.name), left=_names(plan.steps))
        round_ = _Round(observed.budgets)
        for pod in pods:
            round_.take(pod, observed.at)
        return Remaining(
            line=line, left=tuple(map(label_of, pods)), due=tuple(round_.due), blocked=tuple(round_.blocked())
        )

    def undo(self, plan: Plan) -> Undo | None:
        return None if plan.before.get("cordoned") else Undo("uncordon", {})


class _Round:
    """What can be evicted now: one pod of each budget at most, for the counts that it goes by are those before."""

    def __init__(self, budgets: tuple[Raw, ...]) -> None:
        self._budgets = budgets
        self._asked: set[str] = set()
        self._waiting: dict[str, tuple[Raw, list[Raw]]] = {}
        self._others: list[Say] = []
        self.due: list[Due] = []

    def take(self, pod: Raw, now_ms: int) -> None:
        if is_deleting(pod):
            self._others += _stuck(pod, now_ms)
            return
        over = budgets_over(pod, self._budgets)
        if len(over) > 1:
            names = listed(map(budget_label, over))
            self._others.append(say("drain.several", pod=label_of(pod), budgets=names))
        elif over and not is_spare(pod, over[0]):
            self._under(over[0], pod)
        else:
            self._send(pod)

    def _under(self, budget: Raw, pod: Raw) -> None:
        name = budget_label(budget)
        if number(budget, "status", "disruptionsAllowed") > 0 and name not in self._asked:
            self._asked.add(name)
            self._send(pod)
        else:
            self._waiting.setdefault(name, (budget, []))[1].append(pod)

    def _send(self, pod: Raw) -> None:
        self.due.append(Due(eviction_of(pod), text(pod, "metadata", "resourceVersion")))

    def blocked(self) -> Iterator[Say]:
        for name, (budget, pods) in self._waiting.items():
            yield say(
                "drain.waits",
                budget=name,
                count=len(pods),
                healthy=number(budget, "status", "currentHealthy"),
                needed=number(budget, "status", "desiredHealthy"),
            )
            yield from unhealthy(budget, pods)
        yield from self._others


def _stuck(pod: Raw, now_ms: int) -> Iterator[Say]:
    """A pod that is being deleted for longer than its grace period, which its deletion time contains."""
    late = now_ms - instant(at(pod, "metadata", "deletionTimestamp"))
    if late > _STUCK_MS:
        finalizers = at(pod, "metadata", "finalizers")
        names = ", ".join(map(str, finalizers)) if isinstance(finalizers, list) else ""
        yield say("drain.stuck", pod=label_of(pod), ago=span(late), finalizers=names or "-")


def _stopped(observed: Observed, plan: Plan) -> Say | None:
    """Why no further pod may be evicted: the node is gone, or somebody has uncordoned it since."""
    ended = ended_early(observed, plan)
    if ended is not None:
        return ended.line
    cordon = cordon_of(observed.object)
    if cordon is None:
        return say("drain.uncordoned")
    if not plan.before.get("cordoned") and cordon.token != plan.token:
        return say("drain.another_cordon", by=by_whom(cordon, observed.at)["by"])
    return None


def _unsaid(pods: Sorted, slots: Mapping[str, SlotValue]) -> Question | None:
    """What is lost for good has to be said outright: kubectl's --force and --delete-emptydir-data."""
    lost = (("force", "drain.needs_force", pods.bare), ("local_data", "drain.needs_local_data", pods.local))
    for slot, key, found in lost:
        if found and not _is_said(slots, slot):
            problem = say(key, count=len(found), pods=listed(map(label_of, found), most=5))
            return Question(problem, (slot,), (LOUD[slot],))
    return None


def _is_said(slots: Mapping[str, SlotValue], slot: str) -> bool:
    return slots.get(slot) in (True, LOUD[slot])


def _preview(observed: Observed, pods: Sorted) -> Iterator[Say]:
    yield say("drain.preview", target=observed.entity.target, count=len(pods.evict))
    if pods.evict:
        yield say("drain.pods", pods=listed(map(label_of, pods.evict), most=10))
    if pods.daemons or pods.mirrors:
        yield say("drain.skipped", **_stay(pods))
    if pods.going:
        yield say("drain.going", pods=listed(map(label_of, pods.going)))


def _stay(pods: Sorted) -> dict[str, int]:
    return {"daemons": len(pods.daemons), "mirrors": len(pods.mirrors)}


def _warnings(observed: Observed, pods: Sorted) -> Iterator[Say]:
    if pods.bare:
        yield say("warn.drain_bare", pods=listed(map(label_of, pods.bare), most=5))
    if pods.local:
        yield say("warn.drain_local", pods=listed(map(label_of, pods.local), most=5))
    if not is_up(observed.object):
        yield say("warn.drain_down")
    yield from forecast(pods.evict, observed.budgets)
    if is_unread(observed, "elsewhere"):
        return
    alone = list(only_here(pods.evict, observed.elsewhere))
    if alone:
        yield say("warn.drain_downtime", workloads=listed(alone, most=8))
    jobs = jobs_of(pods.evict)
    if jobs:
        yield say("warn.drain_jobs", jobs=listed(jobs, most=5))
    if not is_unread(observed, "nodes"):
        left = homeless(pods.evict, nodes=observed.nodes, running=observed.elsewhere)
        if left:
            yield say("warn.drain_room", count=len(left), pods=listed(map(label_of, left), most=5))


def _line(plan: Plan, left: int) -> Say:
    wanted = len(plan.steps)
    done = wanted - left
    filled = _BAR * done // wanted if wanted else _BAR
    bar = "▓" * filled + "░" * (_BAR - filled)
    return say("progress.draining", bar=bar, done=done, wanted=wanted, left=left)


def _finished(observed: Observed, plan: Plan) -> Say:
    """What was evicted, what stays by design, and what has come since the plan was made."""
    pods = sort_pods(observed.pods)
    fields = {"count": len(plan.steps), **_stay(pods)}
    if pods.evict:
        return say("progress.drained_but", **fields, pods=listed(map(label_of, pods.evict), most=5))
    return say("progress.drained", **fields)


def _names(steps: Iterable[Change]) -> tuple[str, ...]:
    return tuple(f"{step.namespace}/{step.name}" for step in steps)
