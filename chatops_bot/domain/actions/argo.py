"""Argo Rollouts: `abort`, what a restart of a Rollout means, and what belongs to Argo's own tool.

A Rollout is a custom resource whose controller makes ReplicaSets as that of Deployments does, and moves from one
revision to the next in steps. Rules from its documentation and from the source of its kubectl plugin.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from chatops_bot.domain.actions.base import Progress, Question, Undo
from chatops_bot.domain.actions.risk import risk_of
from chatops_bot.domain.actions.shared import ARGO, common_warnings, ended_early, place, refusal, workload_permissions
from chatops_bot.domain.actions.templates import trouble_of
from chatops_bot.domain.diagnosis.pods import is_ready
from chatops_bot.domain.diagnosis.status import Judgement, judge
from chatops_bot.domain.entities import UNLISTED, Entity, EntityKind
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.objects import (
    at,
    flag,
    instant,
    items,
    label,
    listed,
    name_of,
    number,
    replicas_of,
    text,
    uid_of,
)
from chatops_bot.domain.observed import Need, Observed, Permission, Raw
from chatops_bot.domain.plans import Change, Draft, Plan, Scalar
from chatops_bot.domain.revisions import image_changes
from chatops_bot.domain.rollout import observed_by_controller, promoting
from chatops_bot.domain.say import Say, say

HASH_LABEL: Final = "rollouts-pod-template-hash"
"""On the ReplicaSets of a Rollout: which revision each is."""

_TOOL: Final = {
    "pause": "pause {name}",
    "resume": "promote {name}",
    "set_image": "set image {name} CONTAINER=IMAGE",
    "rollback": "undo {name}",
}
"""What Argo's own tool calls the actions that the bot leaves to it."""


def unfit(action: str, entity: Entity) -> Say:
    """Why an action is none for this kind of entity, and what to use instead where there is something."""
    if action == "abort":
        return say("abort.wrong_kind", name=entity.name, kind=entity.kind)
    if entity.kind in UNLISTED.values():
        return say("find.action", kind=entity.kind, name=entity.name)
    command = _TOOL.get(action)
    if entity.kind != "Rollout" or command is None:
        return say("refuse.kind", kind=entity.kind, action=f"action.{action}")
    told = command.format(name=entity.workload)
    return say("argo.tool", name=entity.name, command=told, namespace=entity.namespace)


def wrong_target(observed: Observed) -> tuple[Say, str] | None:
    """A Deployment whose pods an Argo Rollout has taken over, as its `workloadRef` says: the words, and the key of that
    Rollout. Whatever is done to the Deployment is done to the wrong object (argo-rollouts #1254, #1614)."""
    if observed.entity.kind != "Deployment" or not observed.rollouts:
        return None
    name = name_of(observed.rollouts[0])
    there = msgspec.structs.replace(observed.entity, kind="Rollout", workload=name)
    return say("argo.referenced", deployment=observed.entity.target, rollout=there.target), there.key


class Abort:
    """Stops an update half way and lets the stable revision serve again, through the status as Argo's own tool does.

    The status holds no annotation: what tells whose write it was is who owns the field. The template stays the new
    one, so there is nothing to put back by the bot: `kubectl argo rollouts retry` tries again.
    """

    name = "abort"
    kinds: frozenset[EntityKind] = frozenset({"Rollout"})
    needs: frozenset[Need] = frozenset()

    def permissions(self, kind: EntityKind) -> tuple[Permission, ...]:
        return (*workload_permissions(kind), Permission(ARGO, "rollouts", "patch", "status"))

    def draft(
        self, observed: Observed, slots: Mapping[str, SlotValue], *, token: str, stamp: str
    ) -> Draft | Say | Question:
        entity, live = observed.entity, observed.object
        if entity.kind not in self.kinds:
            return unfit(self.name, entity)
        problem = refusal(observed) or _nothing_to_abort(observed)
        if problem is not None:
            return problem
        judgement = judge(observed, observed.at)
        change = Change(
            group=ARGO,
            version="v1alpha1",
            plural="rollouts",
            name=entity.workload,
            namespace=entity.namespace,
            subresource="status",
            body={"status": {"abort": True}},
            content="merge",
        )
        return Draft(
            action=self.name,
            change=change,
            parameters={},
            before={},
            watched=self.watched(live),
            risk=risk_of(self.name),
            preview=(*_abort_preview(observed), place(entity)),
            warnings=(*_abort_warnings(observed), *common_warnings(observed, judgement)),
        )

    def watched(self, live: Raw) -> dict[str, Scalar]:
        return {
            "metadata.uid": uid_of(live),
            "status.abort": flag(live, "status", "abort"),
            "status.stableRS": text(live, "status", "stableRS"),
            "status.currentPodHash": text(live, "status", "currentPodHash"),
        }

    def holds(self, live: Raw, plan: Plan) -> bool:
        same = text(live, "status", "currentPodHash") == plan.watched.get("status.currentPodHash")
        return same and flag(live, "status", "abort")

    def progress(self, observed: Observed, plan: Plan) -> Progress:
        ended = ended_early(observed, plan)
        if ended is not None:
            return ended
        live = observed.object
        if not self.holds(live, plan):
            return Progress(finished=True, failed=True, line=say("progress.abort_superseded"))
        wanted, ready = replicas_of(live), _stable_ready(observed)
        if text(live, "status", "phase") == "Degraded" and ready >= wanted:
            return Progress(finished=True, failed=False, line=say("progress.aborted", count=ready))
        return Progress(finished=False, failed=False, line=say("progress.aborting", done=ready, wanted=wanted))

    def undo(self, plan: Plan) -> Undo | None:
        return None


def _nothing_to_abort(observed: Observed) -> Say | None:
    live, name = observed.object, observed.entity.name
    if not observed_by_controller(live):
        return say("abort.unobserved", name=name)
    if flag(live, "status", "abort"):
        return say("abort.already", name=name)
    if not text(live, "status", "stableRS"):
        return say("abort.first", name=name)
    return None if promoting(live) else say("abort.nothing", name=name)


def _abort_preview(observed: Observed) -> Iterator[Say]:
    live, entity = observed.object, observed.entity
    updated, wanted = number(live, "status", "updatedReplicas"), replicas_of(live)
    yield say("abort.preview", target=entity.target, done=updated, wanted=wanted)
    steps = items(live, "spec", "strategy", "canary", "steps")
    if steps:
        yield say("abort.step", step=min(number(live, "status", "currentStepIndex") + 1, len(steps)), steps=len(steps))
    stable, current = (_of_hash(observed, text(live, "status", part)) for part in ("stableRS", "currentPodHash"))
    if stable is not None and current is not None:
        for container, new, old in image_changes(*(at(row, "spec", "template") for row in (current, stable))):
            yield say("template.image", container=container, before=new or "–", after=old or "–")
    yield say("abort.means", name=entity.workload, namespace=entity.namespace)


def _abort_warnings(observed: Observed) -> Iterator[Say]:
    """The stable revision may have been scaled down meanwhile: its pods have to come up again before they serve."""
    wanted, ready = replicas_of(observed.object), _stable_ready(observed)
    if ready < wanted:
        yield say("warn.abort_short", ready=ready, wanted=wanted)


def _of_hash(observed: Observed, revision: str) -> Raw | None:
    return next((row for row in observed.replica_sets if revision and label(row, HASH_LABEL) == revision), None)


def _stable_ready(observed: Observed) -> int:
    """Ready pods of the stable revision; all ready ones where its ReplicaSet could not be read."""
    stable = _of_hash(observed, text(observed.object, "status", "stableRS"))
    return number(stable if stable is not None else observed.object, "status", "readyReplicas")


def restart_preview(observed: Observed, judgement: Judgement) -> Say:
    """Not a new revision: the pods of the present ones are evicted one after the other, and made anew."""
    target = observed.entity.target
    return say("argo.restart", target=target, count=judgement.wanted, ready=judgement.ready)


def restart_warnings(observed: Observed, judgement: Judgement) -> Iterator[Say]:
    """What a restart of a Rollout costs, and what it waits for."""
    if judgement.wanted == 1:
        yield say("warn.single_stateful")
    if judgement.ready < judgement.wanted:
        yield say("warn.argo_unready", ready=judgement.ready, wanted=judgement.wanted)
    if flag(observed.object, "spec", "paused"):
        yield say("warn.argo_paused")
    if promoting(observed.object):
        yield say("warn.argo_promoting")
    yield from (say("warn.autoscaler_restart", autoscaler=name_of(row)) for row in observed.autoscalers)


def restart_progress(observed: Observed, plan: Plan, stamp: str) -> Progress:
    """By the controller's own word, and until then by the age of the pods."""
    ended = ended_early(observed, plan)
    if ended is not None:
        return ended
    live, since = observed.object, instant(stamp)
    if text(live, "spec", "restartAt") != stamp:
        return Progress(finished=True, failed=True, line=say("progress.restart_superseded"))
    wanted, ready = replicas_of(live), number(live, "status", "readyReplicas")
    new = tuple(pod for pod in observed.pods if instant(at(pod, "metadata", "creationTimestamp")) >= since)
    if instant(at(live, "status", "restartedAt")) == since and ready >= wanted:
        return Progress(finished=True, failed=False, line=say("progress.argo_restarted", count=wanted))
    failing = trouble_of(observed, tuple(pod for pod in new if not is_ready(pod)))
    if failing is not None:
        line = say("progress.failing", pods=listed(failing.pods), cause=f"cause.{failing.code}")
        return Progress(finished=True, failed=True, line=line)
    done = min(sum(is_ready(pod) for pod in new), wanted)
    return Progress(finished=False, failed=False, line=say("progress.argo_restarting", done=done, wanted=wanted))


def expected_pods(observed: Observed, wanted: int) -> int:
    """How many pods a Rollout of so many replicas has: between two revisions, and while an old one is kept for a way
    back, its ReplicaSets together ask for more."""
    sizes = sum(number(row, "spec", "replicas") for row in observed.replica_sets)
    return max(wanted, sizes) if observed.entity.kind == "Rollout" and wanted else wanted
