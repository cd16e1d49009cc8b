"""`set_autoscaler`: between how many replicas the autoscaler of a workload may choose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from chatops_bot.domain.actions.base import Progress, Question, Undo
from chatops_bot.domain.actions.bounds import BOUNDS, given, problem
from chatops_bot.domain.actions.costs import COSTS, more_pods
from chatops_bot.domain.actions.owners import keda_owner, owner_warnings
from chatops_bot.domain.actions.risk import Consequence, risk_of
from chatops_bot.domain.actions.shared import PLURALS, common_warnings, ended_early, group_of, place, refusal
from chatops_bot.domain.diagnosis.status import Judgement, judge
from chatops_bot.domain.diagnosis.surroundings import autoscaler_range
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.objects import PLAN_ANNOTATION, name_of, number, replicas_of, text, uid_of
from chatops_bot.domain.observed import Need, Observed, Permission, Raw
from chatops_bot.domain.plans import Change, Draft, Plan, Scalar
from chatops_bot.domain.rollout import quorum_lost, quorum_of, volumes_deleted_on_scale
from chatops_bot.domain.say import Say, say


class _Range(msgspec.Struct, frozen=True):
    """From so many to so many replicas, both included."""

    low: int
    high: int

    def nearest(self, replicas: int) -> int:
        return min(max(replicas, self.low), self.high)

    @property
    def slots(self) -> dict[str, SlotValue]:
        return {"min": self.low, "max": self.high}


class SetAutoscaler:
    """Patches the HorizontalPodAutoscaler and not the workload that the plan is about: its uid goes with the change.

    Undone by the range that was there. Pods that came or went meanwhile follow as the autoscaler sees fit.
    """

    name = "set_autoscaler"
    kinds: frozenset[EntityKind] = frozenset({"Deployment", "StatefulSet", "Rollout"})
    needs: frozenset[Need] = COSTS

    def permissions(self, kind: EntityKind) -> tuple[Permission, ...]:
        autoscalers = (Permission("autoscaling", "horizontalpodautoscalers", verb) for verb in ("get", "list", "patch"))
        return (Permission(group_of(kind), PLURALS[kind], "get"), *autoscalers)

    def draft(
        self, observed: Observed, slots: Mapping[str, SlotValue], *, token: str, stamp: str
    ) -> Draft | Say | Question:
        entity = observed.entity
        if entity.kind not in self.kinds:
            return say("autoscaler.wrong_kind", name=entity.name, kind=entity.kind)
        asked = problem(slots)
        if asked is not None:
            return asked
        autoscaler = _only(observed)
        if isinstance(autoscaler, Say):
            return autoscaler
        before = _Range(*autoscaler_range(autoscaler))
        after = _Range(given(slots, "min", before.low), given(slots, "max", before.high))
        if after.low > after.high:
            return Question(say("autoscaler.crossed", min=after.low, max=after.high), BOUNDS)
        if after == before:
            return say("autoscaler.already", autoscaler=name_of(autoscaler), min=after.low, max=after.high)
        return self._draft(observed, autoscaler, before, after, token)

    def _draft(self, observed: Observed, autoscaler: Raw, before: _Range, after: _Range, token: str) -> Draft:
        judgement = judge(observed, observed.at)
        return Draft(
            action=self.name,
            change=Change(
                group="autoscaling",
                version="v2",
                plural="horizontalpodautoscalers",
                name=name_of(autoscaler),
                namespace=observed.entity.namespace,
                body={
                    "metadata": {"annotations": {PLAN_ANNOTATION: token}},
                    "spec": {"minReplicas": after.low, "maxReplicas": after.high},
                },
                content="merge",
                uid=uid_of(autoscaler),
            ),
            parameters=after.slots,
            before=before.slots,
            watched=self.watched(autoscaler),
            risk=risk_of(self.name, _consequences(observed.object, before, after)),
            preview=(
                say(
                    "autoscaler.preview",
                    target=observed.entity.target,
                    autoscaler=name_of(autoscaler),
                    low=before.low,
                    high=before.high,
                    min=after.low,
                    max=after.high,
                    now=replicas_of(observed.object),
                ),
                say("autoscaler.stays"),
                place(observed.entity),
            ),
            warnings=(
                *_warnings(observed, judgement, before, after),
                *owner_warnings(autoscaler, "range"),
                *common_warnings(observed, judgement, "paused"),
            ),
        )

    def watched(self, live: Raw) -> dict[str, Scalar]:
        low, high = autoscaler_range(live)
        target = "/".join(text(live, "spec", "scaleTargetRef", field) for field in ("kind", "name"))
        return {
            "metadata.uid": uid_of(live),
            "spec.minReplicas": low,
            "spec.maxReplicas": high,
            "spec.scaleTargetRef": target,
        }

    def holds(self, live: Raw, plan: Plan) -> bool:
        return _Range(*autoscaler_range(live)).slots == plan.parameters

    def progress(self, observed: Observed, plan: Plan) -> Progress:
        ended = ended_early(observed, plan)
        if ended is not None:
            return ended
        autoscaler = next((row for row in observed.autoscalers if uid_of(row) == plan.change.uid), None)
        if autoscaler is None or not self.holds(autoscaler, plan):
            return Progress(finished=True, failed=True, line=say("progress.autoscaler_superseded"))
        low, high = autoscaler_range(autoscaler)
        now = replicas_of(observed.object)
        if now == 0:
            return Progress(finished=True, failed=False, line=say("progress.autoscaler_off"))
        within = low <= now <= high
        key = "progress.autoscaler_within" if within else "progress.autoscaler_moving"
        return Progress(finished=within, failed=False, line=say(key, now=now, min=low, max=high))

    def undo(self, plan: Plan) -> Undo | None:
        return Undo(self.name, dict(plan.before))


def _only(observed: Observed) -> Raw | Say:
    """The one autoscaler of the workload that a change of would last, or why there is none."""
    name = observed.entity.name
    gone = refusal(observed)
    why = observed.why_unread("autoscalers")
    if gone is not None:
        return gone
    if why is not None:
        return say("autoscaler.unread", name=name, why=why)
    if len(observed.autoscalers) != 1:
        key = "autoscaler.several" if observed.autoscalers else "autoscaler.none"
        return say(key, name=name, autoscalers=", ".join(map(name_of, observed.autoscalers)))
    autoscaler = observed.autoscalers[0]
    if text(autoscaler, "metadata", "deletionTimestamp"):
        return say("plan.deleting", name=name_of(autoscaler))
    keda = keda_owner(autoscaler)
    return say("autoscaler.keda", scaled_object=keda) if keda else autoscaler


def _consequences(workload: Raw, before: _Range, after: _Range) -> Iterator[Consequence]:
    if after.high > 10 * before.high:
        yield "more_than_tenfold"
    if after.high < replicas_of(workload) and volumes_deleted_on_scale(workload):
        yield "volumes_deleted"
    if quorum_lost(workload, replicas_of(workload), after.nearest(replicas_of(workload))):
        yield "quorum"


def _warnings(observed: Observed, judgement: Judgement, before: _Range, after: _Range) -> Iterator[Say]:
    now = replicas_of(observed.object)
    then = after.nearest(now)
    if now == 0:
        yield say("warn.autoscaler_asleep")
    elif then != now:
        yield say("warn.autoscaler_moves", now=now, then=then)
    if after.high > 10 * before.high:
        yield say("warn.tenfold", before=before.high, after=after.high)
    most = after.high if after.high > before.high else then
    if now:
        yield from more_pods(observed, most - now)
    if quorum_lost(observed.object, now, then):
        yield say("warn.quorum", after=then, before=now, floor=quorum_of(now))
    if now and then < now and volumes_deleted_on_scale(observed.object):
        yield say("warn.volumes_deleted", count=now - then)
    for budget in observed.budgets:
        needed = number(budget, "status", "desiredHealthy")
        if after.low < before.low and after.low < needed:
            yield say("warn.budget", budget=name_of(budget), needed=needed, after=after.low)
    if judgement.rollout.state == "waiting":
        yield say("warn.autoscaler_rollout")
