"""What the pods use against what they may, and budgets that let nobody go."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

import msgspec

from chatops_bot.domain.amounts import amounts, of_container, shown
from chatops_bot.domain.diagnosis.checks.services import living, serving
from chatops_bot.domain.diagnosis.examining import Check, Scene
from chatops_bot.domain.diagnosis.findings import Finding
from chatops_bot.domain.diagnosis.proving import of_condition, proof, quoted
from chatops_bot.domain.diagnosis.remedies import offers
from chatops_bot.domain.masking import mask
from chatops_bot.domain.objects import (
    at,
    condition,
    instant,
    items,
    listed,
    name_of,
    number,
    shortened,
    text,
)
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.say import say

YOUNG_MS = 120_000
"""What a pod takes to start says nothing of what it takes."""
FULL = Fraction(95, 100)
_FULL: Final = {"cpu": "finding.saturated_cpu", "memory": "finding.saturated_memory"}


class Taken(msgspec.Struct, frozen=True):
    """What a container of one pod uses of a resource against its limit."""

    pod: str
    used: Fraction
    limit: Fraction

    @property
    def share(self) -> Fraction:
        return self.used / self.limit


def saturated(scene: Scene) -> Iterator[Finding]:
    """CPU at the limit in half of the pods and more (one that works for a while is what limits are for), or memory at
    the limit in any: it is about to be killed."""
    taken = _taken(scene)
    for (container, resource), rows in taken.items():
        full = sorted((row for row in rows if row.share >= FULL), key=lambda row: -row.share)
        if not full or (resource == "cpu" and 2 * len(full) < len(rows)):
            continue
        worst = full[0]
        about = f"pod/{worst.pod}"
        yield Finding(
            "saturated",
            "warn",
            say(
                _FULL[resource],
                container=container,
                percent=round(worst.share * 100),
                limit=shown(resource, worst.limit),
                count=len(full),
                total=len(rows),
            ),
            where=f"{container} {resource}",
            hard=False,
            object=about,
            evidence=(
                proof(about, f"usage.{container}.{resource}", shown(resource, worst.used)),
                proof(about, f"spec.containers[{container}].resources.limits.{resource}", shown(resource, worst.limit)),
            ),
            causes=("why.load", "why.limit_low" if resource == "memory" else "why.cpu_limit"),
            offers=() if scene.observed.autoscalers else offers(scene, "scale"),
        )


def _taken(scene: Scene) -> dict[tuple[str, str], list[Taken]]:
    """By container and resource, of all pods that are old enough and have a limit."""
    pods = {name_of(pod): pod for pod in living(scene)}
    found: dict[tuple[str, str], list[Taken]] = {}
    for row in scene.observed.around.usage:
        pod = pods.get(name_of(row), {})
        if not pod or scene.now - instant(at(pod, "metadata", "creationTimestamp")) <= YOUNG_MS:
            continue
        limits = {text(one, "name"): of_container(one, "limits") for one in serving(pod)}
        for used in items(row, "containers"):
            name = text(used, "name")
            for resource, value in amounts(used, "usage").items():
                limit = limits.get(name, {}).get(resource)
                if limit and resource in _FULL:
                    found.setdefault((name, resource), []).append(Taken(name_of(row), value, limit))
    return found


def budgets(scene: Scene) -> Iterator[Finding]:
    """Budgets that allow no pod to be evicted though all are healthy, so that no node can be drained: set so. Where
    pods are not healthy, or there is one alone, that is what a budget is for, and only said."""
    for budget in scene.observed.budgets:
        name, about = name_of(budget), f"pdb/{name_of(budget)}"
        allowed = condition(budget, "DisruptionAllowed")
        if text(allowed, "reason") == "SyncFailed":
            line = say("finding.budget_failed", name=name, message=shortened(mask(text(allowed, "message"))))
            evidence = (of_condition(about, allowed),)
            yield Finding("budget", "warn", line, name, hard=False, object=about, evidence=evidence)
        elif _shut(budget):
            yield _blocking(scene, budget)
    if len(scene.observed.budgets) > 1:
        names = listed(map(name_of, scene.observed.budgets))
        selectors = tuple(quoted(f"pdb/{name_of(one)}", one, "spec", "selector") for one in scene.observed.budgets[:3])
        about = f"pdb/{name_of(scene.observed.budgets[0])}"
        line = say("finding.budget_twice", names=names)
        yield Finding("budget", "warn", line, "twice", hard=False, object=about, evidence=selectors)


def _shut(budget: Raw) -> bool:
    """Whether its controller has looked, and allows none of the pods to go."""
    expected = number(budget, "status", "expectedPods")
    return expected > 0 and not number(budget, "status", "disruptionsAllowed")


def _blocking(scene: Scene, budget: Raw) -> Finding:
    name, about = name_of(budget), f"pdb/{name_of(budget)}"
    healthy, needed = number(budget, "status", "currentHealthy"), number(budget, "status", "desiredHealthy")
    expected = number(budget, "status", "expectedPods")
    misset = healthy >= expected > 1 and needed >= expected
    return Finding(
        "budget",
        "warn" if misset else "info",
        say(
            "finding.budget" if healthy >= expected else "finding.budget_unhealthy",
            name=name,
            needed=needed,
            expected=expected,
            healthy=healthy,
        ),
        name,
        hard=False,
        object=about,
        evidence=tuple(
            quoted(about, budget, "status", field)
            for field in ("disruptionsAllowed", "currentHealthy", "desiredHealthy")
        ),
        causes=("why.budget_strict",) if misset else ("why.pods_unhealthy",) if healthy < expected else (),
    )


CHECKS: tuple[Check, ...] = (saturated, budgets)
