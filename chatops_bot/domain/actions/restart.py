"""`restart`: replace all pods of a workload, as its rollout strategy does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from chatops_bot.domain.actions.base import Progress
from chatops_bot.domain.actions.risk import risk_of
from chatops_bot.domain.actions.shared import (
    common_warnings,
    ended_early,
    place,
    refusal,
    workload_change,
    workload_permissions,
)
from chatops_bot.domain.diagnosis.findings import Finding
from chatops_bot.domain.diagnosis.pods import is_ready
from chatops_bot.domain.diagnosis.status import Judgement, judge
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.objects import (
    RESTARTED_ANNOTATION,
    annotation,
    at,
    containers_of,
    digest,
    flag,
    listed,
    restarted_at,
    text,
    uid_of,
)
from chatops_bot.domain.observed import Observed, Permission, Raw
from chatops_bot.domain.plans import Draft, Plan, Scalar
from chatops_bot.domain.rollout import partition_of, rollout_of, strategy_of, unpaused, wanted_pods
from chatops_bot.domain.say import Say, say


class Restart:
    """A fresh stamp on the pod template, as `kubectl rollout restart` writes it. Cannot be undone."""

    name = "restart"
    slots: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    kinds: frozenset[EntityKind] = frozenset({"Deployment", "StatefulSet", "DaemonSet"})

    def permissions(self, kind: EntityKind) -> tuple[Permission, ...]:
        return workload_permissions(kind)

    def check(self, slots: Mapping[str, SlotValue]) -> Say | None:
        return None

    def draft(self, observed: Observed, slots: Mapping[str, SlotValue], *, token: str, stamp: str) -> Draft | Say:
        entity = observed.entity
        if entity.kind not in self.kinds:
            return say("restart.wrong_kind", name=entity.name, kind=entity.kind)
        problem = refusal(observed) or _pointless(observed, stamp)
        if problem is not None:
            return problem
        judgement = judge(observed, observed.at)
        template = {"metadata": {"annotations": {RESTARTED_ANNOTATION: stamp}}}
        return Draft(
            action=self.name,
            change=workload_change(entity, token=token, spec={"template": template}),
            parameters={},
            before={},
            watched=self.watched(observed.object),
            risk=risk_of(self.name),
            preview=(*_preview(observed, judgement), place(entity)),
            warnings=(*_warnings(observed, judgement), *common_warnings(observed, judgement)),
        )

    def watched(self, live: Raw) -> dict[str, Scalar]:
        # Not `generation`: on a Deployment it moves with every annotation, the controller's own included.
        kind = text(live, "kind")
        return {
            "metadata.uid": uid_of(live),
            "spec.paused": flag(live, "spec", "paused"),
            "spec.replicas": _how_many(wanted_pods(live, kind)),
            "spec.strategy": f"{strategy_of(live, kind)}:{partition_of(live)}",
            "spec.template": digest(at(live, "spec", "template")),
        }

    def holds(self, live: Raw, plan: Plan) -> bool:
        return restarted_at(live) == stamp_of(plan)

    def progress(self, observed: Observed, plan: Plan) -> Progress:
        ended = ended_early(observed, plan)
        if ended is not None:
            return ended
        if restarted_at(observed.object) != stamp_of(plan):
            return Progress(finished=True, failed=True, line=say("progress.restart_superseded"))
        return _progress(observed, plan)

    def undo(self, plan: Plan) -> dict[str, SlotValue] | None:
        return None


def stamp_of(plan: Plan) -> str:
    """The stamp that a restart plan writes on the template."""
    return annotation(at(plan.change.body, "spec", "template"), RESTARTED_ANNOTATION)


def _how_many(replicas: int) -> str:
    """What the warnings depend on; an autoscaler that goes from 4 to 5 meanwhile does not void the plan."""
    return "none" if replicas == 0 else "one" if replicas == 1 else "several"


def _pointless(observed: Observed, stamp: str) -> Say | None:
    name = observed.entity.name
    if flag(observed.object, "spec", "paused"):
        return say("restart.paused", name=name)
    if wanted_pods(observed.object, observed.entity.kind) == 0:
        return say("restart.no_pods", name=name)
    if restarted_at(observed.object) == stamp:  # stamps are whole seconds, and the same one again changes nothing
        return say("restart.just_now", name=name)
    return None


def _preview(observed: Observed, judgement: Judgement) -> Iterator[Say]:
    yield say("restart.preview", target=observed.entity.target, count=judgement.wanted, ready=judgement.ready)
    images = [text(container, "image") for container in containers_of(observed.object)]
    if images:
        yield say("restart.images", images=listed(images))
    yield say("restart.no_undo")


def _warnings(observed: Observed, judgement: Judgement) -> Iterator[Say]:
    yield from _downtime(observed, judgement)
    if judgement.rollout.state in ("waiting", "failed", "blocked"):
        yield say("warn.rollout_running", state=f"rollout.state.{judgement.rollout.state}")
    mutable = [text(container, "image") for container in containers_of(observed.object) if _mutable(container)]
    if mutable:
        yield say("warn.mutable_image", images=listed(mutable))
    yield from (
        say("warn.autoscaler_restart", autoscaler=text(autoscaler, "metadata", "name"))
        for autoscaler in observed.autoscalers
    )


def _downtime(observed: Observed, judgement: Judgement) -> Iterator[Say]:
    workload, kind = observed.object, observed.entity.kind
    strategy = strategy_of(workload, kind)
    partition = partition_of(workload)
    if strategy == "OnDelete":
        yield say("warn.on_delete")
    elif strategy == "Recreate":
        yield say("warn.recreate", count=judgement.wanted)
    elif judgement.wanted == 1 and kind != "DaemonSet":
        yield say("warn.single_stateful" if kind == "StatefulSet" else "warn.single")
    if kind == "StatefulSet" and partition > 0:
        yield say("warn.partition", partition=partition)


def _mutable(container: Raw) -> bool:
    """Whether a new pod may get another image under the same name."""
    image = text(container, "image")
    if "@" in image:
        return False
    tag = image.rpartition("/")[2].partition(":")[2]
    return tag in ("", "latest") or text(container, "imagePullPolicy") == "Always"


def _progress(observed: Observed, plan: Plan) -> Progress:
    rollout = rollout_of(observed.object, observed.entity.kind)
    if rollout.state == "paused" and (whole := unpaused(observed.object)).state == "done":
        rollout = whole  # paused only after the last pod had been replaced
    if rollout.state in ("paused", "failed", "blocked"):
        return Progress(finished=True, failed=True, line=rollout.line)
    if rollout.state in ("done", "on_delete"):
        return Progress(finished=True, failed=False, line=rollout.line)
    failing = _failing(observed, plan)
    if failing is not None:
        line = say("progress.failing", pods=listed(failing.pods), cause=f"cause.{failing.code}")
        return Progress(finished=True, failed=True, line=line)
    return Progress(finished=False, failed=False, line=rollout.line)


def _failing(observed: Observed, plan: Plan) -> Finding | None:
    """What keeps new pods (they carry the template's stamp) from becoming ready and will not end by waiting."""
    stamp = stamp_of(plan)
    new = tuple(pod for pod in observed.pods if annotation(pod, RESTARTED_ANNOTATION) == stamp and not is_ready(pod))
    seen = judge(msgspec.structs.replace(observed, pods=new, autoscalers=()), observed.at)
    return next((one for one in seen.findings if one.hard and one.severity == "danger" and one.pods), None)
