"""`pause` and `resume`: hold the rollout of a Deployment, and let it go on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from chatops_bot.domain.actions.base import Progress, Question, Undo
from chatops_bot.domain.actions.costs import COSTS
from chatops_bot.domain.actions.risk import risk_of
from chatops_bot.domain.actions.shared import (
    common_warnings,
    ended_early,
    place,
    refusal,
    workload_change,
    workload_permissions,
)
from chatops_bot.domain.actions.templates import made_from_present, rollout_progress, rollout_warnings, watched_template
from chatops_bot.domain.diagnosis.status import judge
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.objects import flag, listed, number, replicas_of, uid_of
from chatops_bot.domain.observed import Need, Observed, Permission, Raw
from chatops_bot.domain.plans import Draft, Plan, Scalar
from chatops_bot.domain.revisions import history_of, image_changes, other_changes, template_of
from chatops_bot.domain.rollout import unpaused
from chatops_bot.domain.say import Say, say


class Pause:
    """Undone by `resume`. What has been replaced by then stays replaced."""

    name = "pause"
    kinds: frozenset[EntityKind] = frozenset({"Deployment"})
    needs: frozenset[Need] = frozenset()

    def permissions(self, kind: EntityKind) -> tuple[Permission, ...]:
        return workload_permissions(kind)

    def draft(
        self, observed: Observed, slots: Mapping[str, SlotValue], *, token: str, stamp: str
    ) -> Draft | Say | Question:
        entity = observed.entity
        problem = _refused(observed, self.kinds)
        if problem is not None:
            return problem
        if flag(observed.object, "spec", "paused"):
            return say("pause.already", name=entity.name)
        judgement = judge(observed, observed.at)
        return Draft(
            action=self.name,
            change=workload_change(entity, token=token, spec={"paused": True}),
            parameters={},
            before={},
            watched=self.watched(observed.object),
            risk=risk_of(self.name),
            preview=(say("pause.preview", target=entity.target), say("pause.means"), place(entity)),
            warnings=(*_half_way(observed), *common_warnings(observed, judgement, "paused")),
        )

    def watched(self, live: Raw) -> dict[str, Scalar]:
        return {"metadata.uid": uid_of(live), "spec.paused": flag(live, "spec", "paused")}

    def holds(self, live: Raw, plan: Plan) -> bool:
        return flag(live, "spec", "paused")

    def progress(self, observed: Observed, plan: Plan) -> Progress:
        ended = ended_early(observed, plan)
        if ended is not None:
            return ended
        if not self.holds(observed.object, plan):
            return Progress(finished=True, failed=True, line=say("progress.pause_superseded"))
        updated, wanted = number(observed.object, "status", "updatedReplicas"), replicas_of(observed.object)
        return Progress(finished=True, failed=False, line=say("progress.held", done=updated, wanted=wanted))

    def undo(self, plan: Plan) -> Undo | None:
        return Undo("resume", {})


class Resume:
    """Says what has piled up meanwhile, for that is what it rolls out. `pause` stops it, and takes nothing back."""

    name = "resume"
    kinds: frozenset[EntityKind] = frozenset({"Deployment"})
    needs: frozenset[Need] = COSTS

    def permissions(self, kind: EntityKind) -> tuple[Permission, ...]:
        return (*workload_permissions(kind), Permission(group="apps", resource="replicasets", verb="list"))

    def draft(
        self, observed: Observed, slots: Mapping[str, SlotValue], *, token: str, stamp: str
    ) -> Draft | Say | Question:
        entity = observed.entity
        problem = _refused(observed, self.kinds)
        if problem is not None:
            return problem
        if not flag(observed.object, "spec", "paused"):
            return say("resume.not_paused", name=entity.name)
        judgement = judge(observed, observed.at)
        return Draft(
            action=self.name,
            change=workload_change(entity, token=token, spec={"paused": None}),
            parameters={},
            before={},
            watched=self.watched(observed.object),
            risk=risk_of(self.name),
            preview=(say("resume.preview", target=entity.target), *_piled_up(observed), place(entity)),
            warnings=(*rollout_warnings(observed, judgement), *common_warnings(observed, judgement, "paused")),
        )

    def watched(self, live: Raw) -> dict[str, Scalar]:
        return watched_template(live)

    def holds(self, live: Raw, plan: Plan) -> bool:
        return not flag(live, "spec", "paused")

    def progress(self, observed: Observed, plan: Plan) -> Progress:
        stands = self.holds(observed.object, plan)
        return rollout_progress(observed, plan, stands=stands, is_new=made_from_present(observed, plan))

    def undo(self, plan: Plan) -> Undo | None:
        return Undo("pause", {})


def _refused(observed: Observed, kinds: frozenset[EntityKind]) -> Say | None:
    if observed.entity.kind not in kinds:
        return say("pause.wrong_kind", name=observed.entity.name, kind=observed.entity.kind)
    return refusal(observed)


def _half_way(observed: Observed) -> Iterator[Say]:
    """A rollout that is held half way leaves both versions serving."""
    if unpaused(observed.object).state in ("waiting", "failed", "blocked"):
        updated, wanted = number(observed.object, "status", "updatedReplicas"), replicas_of(observed.object)
        yield say("warn.pause_half_way", done=updated, wanted=wanted)


def _piled_up(observed: Observed) -> Iterator[Say]:
    """What the template has that the newest revision has not; else how far the rollout had come."""
    revisions = history_of(observed).revisions
    if not revisions:
        yield say("resume.unknown")
        return
    newest, now = revisions[0], template_of(observed.object)
    images, others = image_changes(newest.template, now), other_changes(newest.template, now)
    if images or others:
        yield say("resume.piled_up", number=newest.number)
        for container, old, new in images:
            yield say("template.image", container=container, before=old or "–", after=new or "–")
        if others:
            yield say("template.others", changed=listed(others, most=8))
        return
    updated, wanted = number(observed.object, "status", "updatedReplicas"), replicas_of(observed.object)
    yield say("resume.goes_on" if updated < wanted else "resume.nothing", done=updated, wanted=wanted)
