"""A rollout that has failed, or that somebody has paused."""

from __future__ import annotations

from collections.abc import Iterator

from chatops_bot.domain.diagnosis.examining import Check, Scene
from chatops_bot.domain.diagnosis.findings import Evidence, Finding
from chatops_bot.domain.diagnosis.proving import of_condition, quoted
from chatops_bot.domain.diagnosis.remedies import offers
from chatops_bot.domain.objects import (
    annotation,
    condition,
    field_writer,
    flag,
    label,
    listed,
    number,
    replicas_of,
    span,
    text,
)
from chatops_bot.domain.observed import Observed, Raw
from chatops_bot.domain.offers import Offer
from chatops_bot.domain.revisions import HASH_LABEL, before
from chatops_bot.domain.say import Say, say

_REVISION = "deployment.kubernetes.io/revision"


def rollout_failed(scene: Scene) -> Iterator[Finding]:
    """Its progress deadline has passed, or an Argo Rollout is degraded: why by its new pods, and what still serves."""
    if scene.rollout.state != "failed":
        return
    observed, about = scene.observed, scene.observed.entity.target
    if observed.entity.kind == "Deployment":
        evidence: tuple[Evidence, ...] = (
            of_condition(about, condition(observed.object, "Progressing")),
            quoted(about, observed.object, "status", "updatedReplicas"),
            quoted(about, observed.object, "status", "availableReplicas"),
        )
    else:
        evidence = (quoted(about, observed.object, "status", "phase"),)
    yield Finding(
        "rollout_failed",
        "danger",
        _failed_line(scene),
        object=about,
        evidence=evidence,
        causes=("why.new_revision", "why.slow_start"),
        offers=(*_way_back(scene), *((Offer("pause"),) if observed.entity.kind == "Deployment" else ())),
    )


def _failed_line(scene: Scene) -> Say:
    newest = newest_set(scene.observed)
    if newest is None:
        return scene.rollout.line
    made = {text(pod, "metadata", "name") for pod in scene.observed.pods if _is_of(pod, newest)}
    states = sorted({row.state for row in scene.rows if row.name in made and not row.healthy and not row.ended})
    return say(
        "finding.rollout_failed" if states else "finding.rollout_failed_without",
        revision=annotation(newest, _REVISION) or "?",
        seconds=number(scene.observed.object, "spec", "progressDeadlineSeconds", default=600),
        states=listed(states),
        count=sum(row.healthy for row in scene.rows if row.name not in made),
    )


def newest_set(observed: Observed) -> Raw | None:
    """The ReplicaSet of a Deployment's present revision; None where it was not read or is not made yet."""
    present = annotation(observed.object, _REVISION)
    return next((row for row in observed.replica_sets if present and annotation(row, _REVISION) == present), None)


def _is_of(pod: Raw, replica_set: Raw) -> bool:
    return bool(label(pod, HASH_LABEL)) and label(pod, HASH_LABEL) == label(replica_set, HASH_LABEL)


def _way_back(scene: Scene) -> tuple[Offer, ...]:
    """Where the revisions could not be read, the draft of the rollback finds out."""
    observed = scene.observed
    known = observed.entity.kind != "Deployment" or observed.why_unread("replica_sets") is None
    return () if known and before(scene.history) is None else offers(scene, "rollback")


def paused(scene: Scene) -> Iterator[Finding]:
    """Held by `spec.paused`: since when, by whom, and whether changes wait behind it."""
    if scene.rollout.state != "paused":
        return
    observed, about = scene.observed, scene.observed.entity.target
    if not flag(observed.object, "spec", "paused"):  # an Argo Rollout at a step of its own plan
        yield Finding("paused", "warn", scene.rollout.line, object=about)
        return
    who, moment = field_writer(observed.object, "paused")
    yield Finding(
        "paused",
        "warn",
        say(
            "finding.paused_pending" if _pending(scene) else "finding.paused",
            who=who or "?",
            ago=span(scene.now - moment) if moment else "?",
        ),
        object=about,
        evidence=(quoted(about, observed.object, "spec", "paused"),),
        causes=("why.forgotten_pause",),
        offers=(Offer("resume"),) if observed.entity.kind == "Deployment" else (),
    )


def _pending(scene: Scene) -> bool:
    """Whether the template is another than that of every ReplicaSet, or not all pods are of it yet."""
    observed = scene.observed
    if observed.replica_sets and scene.history.present is None:
        return True
    return 0 < number(observed.object, "status", "updatedReplicas") < replicas_of(observed.object)


CHECKS: tuple[Check, ...] = (rollout_failed, paused)
