"""What is wrong with a workload as a whole: its rollout, the creation of its pods, its autoscaler."""

from __future__ import annotations

from collections.abc import Iterator

from chatops_bot.domain.diagnosis.examining import Check, Scene
from chatops_bot.domain.diagnosis.findings import Finding
from chatops_bot.domain.diagnosis.happenings import happenings
from chatops_bot.domain.diagnosis.surroundings import autoscaler_findings
from chatops_bot.domain.say import say

WARNING_AGE_MS = 3_600_000


def rollout(scene: Scene) -> Iterator[Finding]:
    """A rollout that has failed, cannot create pods, or is paused."""
    line = scene.rollout.line
    if scene.rollout.state == "failed":
        yield Finding("rollout_failed", "danger", line)
    elif scene.rollout.state == "blocked":
        yield Finding("blocked", "danger", line)
    elif scene.rollout.state == "paused":
        yield Finding("paused", "warn", line)


def creation(scene: Scene) -> Iterator[Finding]:
    """StatefulSets and DaemonSets tell only in an event that their pods cannot be created."""
    if scene.observed.entity.kind == "Deployment":
        return
    for one in happenings(scene.observed.events):
        if one.reason == "FailedCreate" and scene.now - one.at < WARNING_AGE_MS:
            yield Finding("blocked", "danger", say("rollout.blocked", message=one.message))
            return


def autoscalers(scene: Scene) -> Iterator[Finding]:
    """Autoscalers that are off, blind or at their limit."""
    yield from autoscaler_findings(scene.observed)


CHECKS: tuple[Check, ...] = (rollout, creation, autoscalers)
