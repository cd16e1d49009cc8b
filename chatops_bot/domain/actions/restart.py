"""`restart`: replace all pods of a workload, as its rollout strategy does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from chatops_bot.domain.actions import argo
from chatops_bot.domain.actions.base import Progress, Undo
from chatops_bot.domain.actions.costs import COSTS
from chatops_bot.domain.actions.risk import risk_of
from chatops_bot.domain.actions.shared import (
    common_warnings,
    place,
    refusal,
    workload_change,
    workload_permissions,
)
from chatops_bot.domain.actions.templates import rollout_progress, rollout_warnings, watched_template
from chatops_bot.domain.diagnosis.status import Judgement, judge
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.objects import (
    RESTARTED_ANNOTATION,
    annotation,
    at,
    containers_of,
    flag,
    listed,
    restarted_at,
    text,
)
from chatops_bot.domain.observed import Need, Observed, Permission, Raw
from chatops_bot.domain.plans import Draft, Plan, Scalar
from chatops_bot.domain.rollout import wanted_pods
from chatops_bot.domain.say import Say, say


class Restart:
    """A fresh stamp on the pod template, as `kubectl rollout restart` writes it. Cannot be undone."""

    name = "restart"
    kinds: frozenset[EntityKind] = frozenset({"Deployment", "StatefulSet", "DaemonSet", "Rollout"})
    needs: frozenset[Need] = COSTS

    def permissions(self, kind: EntityKind) -> tuple[Permission, ...]:
        return workload_permissions(kind)

    def draft(self, observed: Observed, slots: Mapping[str, SlotValue], *, token: str, stamp: str) -> Draft | Say:
        entity = observed.entity
        if entity.kind not in self.kinds:
            return say("restart.wrong_kind", name=entity.name, kind=entity.kind)
        problem = refusal(observed) or _pointless(observed, stamp)
        if problem is not None:
            return problem
        judgement = judge(observed, observed.at)
        spec: Raw = {"template": {"metadata": {"annotations": {RESTARTED_ANNOTATION: stamp}}}}
        if entity.kind == "Rollout":
            spec = {"restartAt": stamp}
        return Draft(
            action=self.name,
            change=workload_change(entity, token=token, spec=spec),
            parameters={},
            before={},
            watched=self.watched(observed.object),
            risk=risk_of(self.name),
            preview=(*_preview(observed, judgement), place(entity)),
            warnings=(*_warnings(observed, judgement), *common_warnings(observed, judgement, "restart")),
        )

    def watched(self, live: Raw) -> dict[str, Scalar]:
        return {**watched_template(live), **({"spec.restartAt": _stamp(live)} if _is_rollout(live) else {})}

    def holds(self, live: Raw, plan: Plan) -> bool:
        return _stamp(live) == stamp_of(plan)

    def progress(self, observed: Observed, plan: Plan) -> Progress:
        stamp = stamp_of(plan)
        if observed.entity.kind == "Rollout":
            return argo.restart_progress(observed, plan, stamp)
        return rollout_progress(
            observed,
            plan,
            stands=restarted_at(observed.object) == stamp,
            is_new=lambda pod: annotation(pod, RESTARTED_ANNOTATION) == stamp,
        )

    def undo(self, plan: Plan) -> Undo | None:
        return None


def stamp_of(plan: Plan) -> str:
    """The stamp that a restart plan writes: on the template, or in the spec of an Argo Rollout."""
    return text(plan.change.body, "spec", "restartAt") or annotation(
        at(plan.change.body, "spec", "template"), RESTARTED_ANNOTATION
    )


def _is_rollout(live: Raw) -> bool:
    return text(live, "kind") == "Rollout"


def _stamp(live: Raw) -> str:
    return text(live, "spec", "restartAt") if _is_rollout(live) else restarted_at(live)


def _pointless(observed: Observed, stamp: str) -> Say | None:
    name = observed.entity.name
    if flag(observed.object, "spec", "paused") and not _is_rollout(observed.object):
        return say("restart.paused", name=name)
    if wanted_pods(observed.object, observed.entity.kind) == 0:
        return say("restart.no_pods", name=name)
    if _stamp(observed.object) == stamp:  # stamps are whole seconds, and the same one again changes nothing
        return say("restart.just_now", name=name)
    return None


def _preview(observed: Observed, judgement: Judgement) -> Iterator[Say]:
    if observed.entity.kind == "Rollout":
        yield argo.restart_preview(observed, judgement)
    else:
        yield say("restart.preview", target=observed.entity.target, count=judgement.wanted, ready=judgement.ready)
    images = [text(container, "image") for container in containers_of(observed.object)]
    if images:
        yield say("restart.images", images=listed(images))
    yield say("restart.no_undo")


def _warnings(observed: Observed, judgement: Judgement) -> Iterator[Say]:
    own = argo.restart_warnings if observed.entity.kind == "Rollout" else rollout_warnings
    yield from own(observed, judgement)
    mutable = [text(container, "image") for container in containers_of(observed.object) if _mutable(container)]
    if mutable:
        yield say("warn.mutable_image", images=listed(mutable))


def _mutable(container: Raw) -> bool:
    """Whether a new pod may get another image under the same name."""
    image = text(container, "image")
    if "@" in image:
        return False
    tag = image.rpartition("/")[2].partition(":")[2]
    return tag in ("", "latest") or text(container, "imagePullPolicy") == "Always"
