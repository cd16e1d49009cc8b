"""`scale`: set the number of replicas of a Deployment, StatefulSet or Argo Rollout."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from chatops_bot.domain.actions.argo import expected_pods
from chatops_bot.domain.actions.base import Progress, Question, Undo
from chatops_bot.domain.actions.costs import COSTS, more_pods
from chatops_bot.domain.actions.owners import APPLICATION, FIELD_MANAGER, keda_owner, replicas_writer
from chatops_bot.domain.actions.quantities import quantity_of, resolve
from chatops_bot.domain.actions.risk import Consequence, risk_of
from chatops_bot.domain.actions.shared import (
    common_warnings,
    ended_early,
    place,
    refusal,
    workload_change,
    workload_permissions,
)
from chatops_bot.domain.diagnosis.pods import is_ready
from chatops_bot.domain.diagnosis.status import Judgement, judge
from chatops_bot.domain.diagnosis.surroundings import autoscaler_range
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.intents import Quantity, SlotValue
from chatops_bot.domain.objects import PLAN_ANNOTATION, annotation, flag, name_of, number, replicas_of, text, uid_of
from chatops_bot.domain.observed import Need, Observed, Permission, Raw
from chatops_bot.domain.plans import Draft, Plan, Scalar
from chatops_bot.domain.rollout import (
    failure_of,
    observed_by_controller,
    quorum_lost,
    quorum_of,
    volumes_deleted_on_scale,
)
from chatops_bot.domain.say import Say, say


class Scale:
    """Says from how many to how many, and who will undo it. Undone by scaling back."""

    name = "scale"
    kinds: frozenset[EntityKind] = frozenset({"Deployment", "StatefulSet", "Rollout"})
    needs: frozenset[Need] = COSTS | APPLICATION

    def permissions(self, kind: EntityKind) -> tuple[Permission, ...]:
        return workload_permissions(kind)

    def draft(
        self, observed: Observed, slots: Mapping[str, SlotValue], *, token: str, stamp: str
    ) -> Draft | Say | Question:
        if observed.entity.kind not in self.kinds:
            return say("scale.wrong_kind", name=observed.entity.name, kind=observed.entity.kind)
        problem = refusal(observed)
        if problem is not None:
            return problem
        quantity = quantity_of(slots)
        if quantity is None:
            how_many = say("scale.how_many", name=observed.entity.name, current=replicas_of(observed.object))
            return Question(how_many, ("replicas",))
        before = replicas_of(observed.object)
        after = resolve(quantity, before)
        if isinstance(after, Say):
            return Question(after, ("replicas",))
        if after == before:
            return say("scale.already", name=observed.entity.name, count=before)
        return self._draft(observed, before, after, token)

    def _draft(self, observed: Observed, before: int, after: int, token: str) -> Draft:
        judgement = judge(observed, observed.at)
        return Draft(
            action=self.name,
            change=workload_change(observed.entity, token=token, spec={"replicas": after}),
            parameters={"replicas": after},
            before={"replicas": before},
            watched=self.watched(observed.object),
            risk=risk_of(self.name, _consequences(observed.object, before, after)),
            preview=(
                say(
                    "scale.preview",
                    target=observed.entity.target,
                    before=before,
                    after=after,
                    ready=judgement.ready,
                ),
                place(observed.entity),
            ),
            warnings=(
                *_effect_warnings(observed, before, after),
                *more_pods(observed, after - before),
                *_autoscaler_warnings(observed, after),
                *_budget_warnings(observed, before, after),
                *_rollout_warnings(observed, judgement),
                *common_warnings(observed, judgement, "replicas"),
            ),
        )

    def watched(self, live: Raw) -> dict[str, Scalar]:
        return {
            "metadata.uid": uid_of(live),
            "spec.replicas": replicas_of(live),
            "spec.paused": flag(live, "spec", "paused"),
        }

    def holds(self, live: Raw, plan: Plan) -> bool:
        # By the number, not by the token: a later restart takes the token's place and leaves the scale standing.
        return replicas_of(live) == _wanted(plan)

    def progress(self, observed: Observed, plan: Plan) -> Progress:
        ended = ended_early(observed, plan)
        if ended is not None:
            return ended
        workload = observed.object
        wanted = _wanted(plan)
        if replicas_of(workload) != wanted:
            return Progress(finished=True, failed=True, line=_superseded(workload, wanted, plan.token))
        if not observed_by_controller(workload):
            return Progress(finished=False, failed=False, line=say("progress.unobserved"))
        return _counted(observed, wanted)

    def undo(self, plan: Plan) -> Undo | None:
        before = plan.before.get("replicas")
        if isinstance(before, bool) or not isinstance(before, int):
            return None
        return Undo(self.name, {"replicas": Quantity(kind="to", value=before)})


def _wanted(plan: Plan) -> int:
    value = plan.parameters.get("replicas")
    return value if isinstance(value, int) else 0


def _superseded(workload: Raw, wanted: int, token: str) -> Say:
    """Another number than was planned: somebody's, or what the cluster made of this very write."""
    now, manager = replicas_of(workload), replicas_writer(workload)
    if manager == FIELD_MANAGER and annotation(workload, PLAN_ANNOTATION) == token:
        return say("progress.scale_altered", wanted=wanted, now=now)
    if not manager:
        return say("progress.scale_superseded_by_somebody", wanted=wanted, now=now)
    return say("progress.scale_superseded", wanted=wanted, now=now, manager=manager)


def _counted(observed: Observed, wanted: int) -> Progress:
    workload = observed.object
    there, ready = number(workload, "status", "replicas"), number(workload, "status", "readyReplicas")
    expected = expected_pods(observed, wanted)
    if there == expected and ready == expected:
        key = "progress.scaled" if wanted else "progress.scaled_to_zero"
        return Progress(finished=True, failed=False, line=say(key, count=wanted))
    if failure_of(workload):
        line = say("progress.blocked", done=ready, wanted=wanted, message=failure_of(workload))
        return Progress(finished=True, failed=True, line=line)
    if there > expected:
        return Progress(finished=False, failed=False, line=say("progress.scaling_down", count=there - expected))
    stuck = _stuck(observed, ready, wanted) if there >= wanted else None
    if stuck is not None:
        return Progress(finished=True, failed=True, line=stuck)
    return Progress(finished=False, failed=False, line=say("progress.scaling", done=ready, wanted=wanted))


def _stuck(observed: Observed, ready: int, wanted: int) -> Say | None:
    """All pods are there, and every one that is not ready is in a trouble that waiting does not end."""
    unready = {name_of(pod) for pod in observed.pods if not is_ready(pod)}
    hard = [
        finding
        for finding in judge(observed, observed.at).findings
        if finding.hard and finding.severity == "danger" and unready & set(finding.pods)
    ]
    pods = {pod for finding in hard for pod in finding.pods} & unready
    if not hard or ready + len(pods) < wanted:
        return None
    return say("progress.stuck", done=ready, wanted=wanted, cause=f"cause.{hard[0].code}")


def _consequences(workload: Raw, before: int, after: int) -> Iterator[Consequence]:
    if after == 0:
        yield "zero_replicas"
    if after > 10 * max(before, 1):
        yield "more_than_tenfold"
    if after < before and volumes_deleted_on_scale(workload):
        yield "volumes_deleted"
    if quorum_lost(workload, before, after):
        yield "quorum"


def _effect_warnings(observed: Observed, before: int, after: int) -> Iterator[Say]:
    workload = observed.object
    if after == 0:
        yield say("warn.zero", name=observed.entity.name)
    if after > 10 * max(before, 1):
        yield say("warn.tenfold", before=before, after=after)
    if observed.entity.kind != "StatefulSet":
        return
    if after < before and volumes_deleted_on_scale(workload):
        yield say("warn.volumes_deleted", count=before - after)
    if quorum_lost(workload, before, after):
        yield say("warn.quorum", after=after, before=before, floor=quorum_of(before))
    ordered = text(workload, "spec", "podManagementPolicy") != "Parallel"
    if after > before and ordered and number(workload, "status", "readyReplicas") < before:
        yield say("warn.ordered")


def _autoscaler_warnings(observed: Observed, after: int) -> Iterator[Say]:
    for autoscaler in observed.autoscalers:
        name = name_of(autoscaler)
        keda = keda_owner(autoscaler)
        low, high = autoscaler_range(autoscaler)
        if keda:
            yield say("warn.keda", scaled_object=keda, min=low, max=high)
        elif after == 0:
            yield say("warn.autoscaler_off", autoscaler=name)
        else:
            key = "warn.autoscaler" if low <= after <= high else "warn.autoscaler_outside"
            yield say(key, autoscaler=name, min=low, max=high, after=after)


def _budget_warnings(observed: Observed, before: int, after: int) -> Iterator[Say]:
    """A budget guards against evictions only: scaling down goes below it without being asked."""
    for budget in observed.budgets:
        needed = number(budget, "status", "desiredHealthy")
        if after < before and after < needed:
            yield say("warn.budget", budget=name_of(budget), needed=needed, after=after)


def _rollout_warnings(observed: Observed, judgement: Judgement) -> Iterator[Say]:
    if judgement.rollout.state == "paused":
        yield say("warn.paused_scale")
    elif judgement.rollout.state in ("waiting", "failed", "blocked") and _mixed(observed):
        yield say("warn.proportional")


def _mixed(observed: Observed) -> bool:
    """Whether pods of two revisions run: then new replicas are shared out among both."""
    status_updated = number(observed.object, "status", "updatedReplicas")
    return observed.entity.kind == "Deployment" and status_updated < number(observed.object, "status", "replicas")
