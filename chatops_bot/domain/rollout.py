"""How far a rollout is: kubectl's own order of checks, and what kubectl leaves out (paused, quota).

The order is that of `kubectl rollout status` (kubectl/pkg/polymorphichelpers/rollout_status.go), so that the
bot and kubectl never disagree.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from chatops_bot.domain.masking import mask
from chatops_bot.domain.objects import (
    at,
    condition,
    flag,
    holds,
    mapping,
    number,
    replicas_of,
    shortened,
    text,
)
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.say import Say, say

RolloutState = Literal["done", "settled", "waiting", "failed", "blocked", "paused", "on_delete"]


class Rollout(msgspec.Struct, frozen=True):
    """`blocked`: pods cannot be created (quota, admission); `failed`: its progress deadline has passed.
    `settled`: all pods are of the present revision but not all are up: kubectl waits, yet nothing rolls."""

    state: RolloutState
    line: Say


RUNS = frozenset({"Job", "CronJob", "Pod"})
"""Kinds that run and end; nothing of them is ever rolled out."""


def rollout_of(workload: Raw, kind: str) -> Rollout:
    """The rollout of a Deployment, StatefulSet, DaemonSet or Argo Rollout; any other kind has none."""
    if kind in RUNS:
        return Rollout("done", say("rollout.none"))
    if kind == "Deployment":
        return _deployment(workload)
    if kind == "Rollout":
        return _argo(workload)
    if strategy_of(workload, kind) == "OnDelete":
        return Rollout("on_delete", say("rollout.on_delete"))
    if not observed_by_controller(workload):
        return Rollout("waiting", say("rollout.unobserved"))
    return _stateful_set(workload) if kind == "StatefulSet" else _daemon_set(workload)


def observed_by_controller(workload: Raw) -> bool:
    """Whether the controller has seen the present spec; until then its numbers are of an older one."""
    seen = at(workload, "status", "observedGeneration")
    if isinstance(seen, str):  # an Argo Rollout writes it as text; its oldest versions a hash, which tells nothing
        return not (seen.isascii() and seen.isdigit()) or int(seen) >= number(workload, "metadata", "generation")
    return number(workload, "status", "observedGeneration") >= number(workload, "metadata", "generation")


def strategy_of(workload: Raw, kind: str) -> str:
    """`RollingUpdate`, `Recreate` or `OnDelete`."""
    field = "strategy" if kind == "Deployment" else "updateStrategy"
    return text(workload, "spec", field, "type") or "RollingUpdate"


def partition_of(workload: Raw) -> int:
    """Ordinals of a StatefulSet below this one are not updated."""
    return number(workload, "spec", "updateStrategy", "rollingUpdate", "partition")


def _deployment(workload: Raw) -> Rollout:
    if flag(workload, "spec", "paused"):
        return Rollout("paused", say("rollout.paused"))
    return unpaused(workload)


def unpaused(workload: Raw) -> Rollout:
    """The rollout of a Deployment by its numbers, as if it were not paused."""
    if not observed_by_controller(workload):
        return Rollout("waiting", say("rollout.unobserved"))
    if text(condition(workload, "Progressing"), "reason") == "ProgressDeadlineExceeded":
        seconds = number(workload, "spec", "progressDeadlineSeconds", default=600)
        return Rollout("failed", say("rollout.deadline", seconds=seconds))
    if holds(workload, "ReplicaFailure"):
        return Rollout("blocked", say("rollout.blocked", message=failure_of(workload)))
    wanted = replicas_of(workload)
    updated = number(workload, "status", "updatedReplicas")
    available = number(workload, "status", "availableReplicas")
    old = number(workload, "status", "replicas") - updated
    if updated < wanted:
        return Rollout("waiting", say("rollout.updating", done=updated, wanted=wanted))
    if old > 0:
        return Rollout("waiting", say("rollout.old_going", count=old))
    if available < updated:
        # NewReplicaSetAvailable stays when pods die later.
        complete = text(condition(workload, "Progressing"), "reason") == "NewReplicaSetAvailable"
        state: RolloutState = "settled" if complete else "waiting"
        return Rollout(state, say("rollout.becoming_available", done=available, wanted=updated))
    return Rollout("done", say("rollout.done", count=wanted))


def _argo(workload: Raw) -> Rollout:
    """By the phase that its own controller gives it."""
    if not observed_by_controller(workload):
        return Rollout("waiting", say("rollout.unobserved"))
    phase, message = text(workload, "status", "phase"), shortened(mask(text(workload, "status", "message"))) or "-"
    wanted, updated = replicas_of(workload), number(workload, "status", "updatedReplicas")
    if flag(workload, "status", "abort"):
        return Rollout("failed", say("rollout.aborted", message=message))
    if phase == "Degraded":
        return Rollout("failed", say("rollout.degraded", message=message))
    if phase == "Paused":
        return Rollout("paused", say("rollout.held", done=updated, wanted=wanted, message=message))
    if phase == "Healthy":
        return Rollout("done", say("rollout.done", count=wanted))
    available = number(workload, "status", "availableReplicas")
    if updated < wanted or promoting(workload):
        return Rollout("waiting", say("rollout.updating", done=updated, wanted=wanted))
    state: RolloutState = "settled" if available < wanted else "waiting"
    return Rollout(state, say("rollout.becoming_available", done=available, wanted=wanted))


def promoting(rollout: Raw) -> bool:
    """Whether an Argo Rollout is on the way from its stable revision to another."""
    stable, current = text(rollout, "status", "stableRS"), text(rollout, "status", "currentPodHash")
    return bool(stable and current) and stable != current


def failure_of(workload: Raw) -> str:
    """Why its pods cannot be created (condition ReplicaFailure): quota, admission, a webhook."""
    return shortened(mask(text(condition(workload, "ReplicaFailure"), "message")))


def _stateful_set(workload: Raw) -> Rollout:
    wanted = replicas_of(workload)
    ready = number(workload, "status", "readyReplicas")
    updated = number(workload, "status", "updatedReplicas")
    partition = partition_of(workload)
    same = text(workload, "status", "updateRevision") == text(workload, "status", "currentRevision")
    if ready < wanted:
        return Rollout("settled" if same else "waiting", say("rollout.becoming_ready", done=ready, wanted=wanted))
    # Also where both revisions are the same: a rollout taken back half way leaves pods of the newer one.
    if updated < wanted - partition:
        return Rollout("waiting", say("rollout.updating", done=updated, wanted=wanted - partition))
    if partition > 0:
        return Rollout("done", say("rollout.partitioned", count=updated, partition=partition))
    return Rollout("done", say("rollout.done", count=wanted))


def _daemon_set(workload: Raw) -> Rollout:
    status = mapping(workload, "status")
    wanted = number(status, "desiredNumberScheduled")
    updated, available = number(status, "updatedNumberScheduled"), number(status, "numberAvailable")
    if updated < wanted:
        return Rollout("waiting", say("rollout.updating", done=updated, wanted=wanted))
    if available < wanted:
        return Rollout("settled", say("rollout.becoming_available", done=available, wanted=wanted))
    return Rollout("done", say("rollout.done", count=wanted))


def wanted_pods(workload: Raw, kind: str) -> int:
    """How many pods there should be: of a Job, those that it has running; of a CronJob none."""
    if kind == "DaemonSet":
        return number(workload, "status", "desiredNumberScheduled")
    if kind in RUNS:
        return int(text(workload, "status", "phase") != "Succeeded") if kind == "Pod" else _active(workload, kind)
    return replicas_of(workload)


def _active(workload: Raw, kind: str) -> int:
    return number(workload, "status", "active") if kind == "Job" else 0


def ready_pods(workload: Raw, kind: str) -> int:
    """How many of them are ready, as its controller counts."""
    if kind in RUNS:
        return int(holds(workload, "Ready")) if kind == "Pod" else number(workload, "status", "ready")
    field = "numberReady" if kind == "DaemonSet" else "readyReplicas"
    return number(workload, "status", field)


def quorum_of(replicas: int) -> int:
    """Members that a majority of so many replicas needs."""
    return replicas // 2 + 1


def quorum_lost(workload: Raw, before: int, after: int) -> bool:
    """Whether so few members of a StatefulSet are left that they may decide nothing any more. None left is more than
    that, and said apart."""
    return text(workload, "kind") == "StatefulSet" and before >= 3 and 0 < after < quorum_of(before)


def volumes_deleted_on_scale(workload: Raw) -> bool:
    """Whether a StatefulSet's volume claims go when it is scaled down: data loss."""
    return text(workload, "spec", "persistentVolumeClaimRetentionPolicy", "whenScaled") == "Delete"
