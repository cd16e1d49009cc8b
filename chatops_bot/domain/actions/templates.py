"""How a change of a pod template goes.

What `restart`, `rollback` and `set_image` have in common: each puts another template in the place of the present one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from chatops_bot.domain.actions.base import Progress
from chatops_bot.domain.actions.costs import rollout_costs
from chatops_bot.domain.actions.shared import ended_early
from chatops_bot.domain.diagnosis.findings import Finding
from chatops_bot.domain.diagnosis.pods import is_ready
from chatops_bot.domain.diagnosis.status import Judgement, judge
from chatops_bot.domain.objects import at, digest, flag, instant, label, listed, mapping, text, uid_of
from chatops_bot.domain.observed import Observed, Raw
from chatops_bot.domain.plans import Plan, Scalar
from chatops_bot.domain.revisions import HASH_LABEL, template_of
from chatops_bot.domain.rollout import (
    observed_by_controller,
    partition_of,
    rollout_of,
    strategy_of,
    unpaused,
    wanted_pods,
)
from chatops_bot.domain.say import Say, say

REVISION_LABEL = "controller-revision-hash"
"""On the pods of a StatefulSet or DaemonSet: the name (DaemonSet: its hash) of the revision they were made from."""


def watched_template(live: Raw) -> dict[str, Scalar]:
    """What a card shows of a workload whose template it replaces."""
    # Not `generation`: on a Deployment it moves with every annotation, the controller's own included.
    kind = text(live, "kind")
    return {
        "metadata.uid": uid_of(live),
        "spec.paused": flag(live, "spec", "paused"),
        "spec.replicas": _how_many(wanted_pods(live, kind)),
        "spec.strategy": f"{strategy_of(live, kind)}:{partition_of(live)}",
        "spec.template": digest(at(live, "spec", "template")),
    }


def _how_many(replicas: int) -> str:
    """What the warnings depend on; an autoscaler that goes from 4 to 5 meanwhile does not void the plan."""
    return "none" if replicas == 0 else "one" if replicas == 1 else "several"


def rollout_warnings(observed: Observed, judgement: Judgement, template: Raw | None = None) -> Iterator[Say]:
    """What a change of the template (to another than now, or one with other images only) costs and runs into."""
    yield from _downtime(observed, judgement)
    yield from rollout_costs(observed, template or mapping(observed.object, "spec", "template"))
    if judgement.rollout.state in ("waiting", "failed", "blocked"):
        yield say("warn.rollout_running", state=f"rollout.state.{judgement.rollout.state}")
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


def rollout_progress(observed: Observed, plan: Plan, *, stands: bool, is_new: Callable[[Raw], bool]) -> Progress:
    """How the rollout of a plan's template goes. `stands`: the object still has it; `is_new` tells its pods."""
    ended = ended_early(observed, plan)
    if ended is not None:
        return ended
    if not stands:
        return Progress(finished=True, failed=True, line=say(f"progress.{plan.action}_superseded"))
    rollout = rollout_of(observed.object, observed.entity.kind)
    if rollout.state == "paused" and (whole := unpaused(observed.object)).state == "done":
        rollout = whole  # paused only after the last pod had been replaced
    if rollout.state in ("paused", "failed", "blocked"):
        return Progress(finished=True, failed=True, line=rollout.line)
    if rollout.state in ("done", "on_delete"):
        return Progress(finished=True, failed=False, line=rollout.line)
    # Until its controller has looked, a StatefulSet names the revision before as the one that it is at.
    failing = _failing(observed, is_new) if observed_by_controller(observed.object) else None
    if failing is not None:
        line = say("progress.failing", pods=listed(failing.pods), cause=f"cause.{failing.code}")
        return Progress(finished=True, failed=True, line=line)
    return Progress(finished=False, failed=False, line=rollout.line)


def _failing(observed: Observed, is_new: Callable[[Raw], bool]) -> Finding | None:
    """What keeps new pods from becoming ready and will not end by waiting."""
    return trouble_of(observed, tuple(pod for pod in observed.pods if is_new(pod) and not is_ready(pod)))


def trouble_of(observed: Observed, pods: tuple[Raw, ...]) -> Finding | None:
    """The worst of these pods' troubles that will not end by waiting."""
    seen = judge(msgspec.structs.replace(observed, pods=pods, autoscalers=()), observed.at)
    return next((one for one in seen.findings if one.hard and one.severity == "danger" and one.pods), None)


def made_from_present(observed: Observed, plan: Plan) -> Callable[[Raw], bool]:
    """Tells the pods of the workload's present template from those of earlier ones. A DaemonSet does not say which
    revision it is at: there the pods made since the plan."""
    workload = observed.object
    if observed.entity.kind == "StatefulSet":
        revision = text(workload, "status", "updateRevision")
        return lambda pod: label(pod, REVISION_LABEL) == revision
    if observed.entity.kind == "DaemonSet":
        return lambda pod: instant(at(pod, "metadata", "creationTimestamp")) + 999 >= plan.created
    present = template_of(workload)
    made = {label(row, HASH_LABEL) for row in observed.replica_sets if template_of(row) == present}
    return lambda pod: label(pod, HASH_LABEL) in made
