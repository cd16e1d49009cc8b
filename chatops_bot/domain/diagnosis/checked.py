"""What a diagnosis has looked at: health is only said of what was read."""

from __future__ import annotations

from collections.abc import Iterator

from chatops_bot.domain.diagnosis.examining import Scene
from chatops_bot.domain.rollout import RUNS
from chatops_bot.domain.say import Say, say


def checked(scene: Scene) -> tuple[Say, ...]:
    """How many things were looked at, then one line each. What could not be read, and what was left out for the sake of
    the bound on reads, is none of them."""
    observed = scene.observed
    missing = {row.partition(":")[0] for row in observed.unread} | set(observed.around.skipped)
    looked = tuple(one for what, one in _looked(scene) if what not in missing)
    return (say("checked.count", count=len(looked)), *looked)


def _looked(scene: Scene) -> Iterator[tuple[str, Say]]:
    """(the part that has to have been read, what is looked for in it)."""
    observed, around = scene.observed, scene.observed.around
    kind = observed.entity.kind
    yield "pods", say("checked.pods", count=len(observed.pods))
    if kind not in RUNS:
        yield "", say("checked.rollout")
        yield "autoscalers", say("checked.autoscalers", count=len(observed.autoscalers))
        yield "budgets", say("checked.budgets", count=len(observed.budgets))
    if kind == "Job":
        yield "", say("checked.job")
    if kind == "CronJob":
        yield "", say("checked.schedule")
        yield "jobs", say("checked.jobs", count=len(around.jobs))
    if kind != "Pod":
        yield "events", say("checked.creation")
    yield "events", say("checked.events", count=len(observed.events))
    if around.others is not None:
        yield from _around(scene)
    if around.logs:
        yield "logs", say("checked.logs")


def _around(scene: Scene) -> Iterator[tuple[str, Say]]:
    around = scene.observed.around
    yield "services", say("checked.services", count=len(around.services))
    if around.services:
        yield "slices", say("checked.slices")
    yield "ingresses", say("checked.ingresses", count=len(around.ingresses))
    yield "network", say("checked.network", count=len(around.network))
    if scene.observed.entity.kind not in RUNS:
        yield "pods", say("checked.neighbours")
    if around.usage:
        yield "usage", say("checked.usage", count=len(around.usage))
