"""Running the checks: every one on its own, their findings ranked, consequences left out where their cause is found."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from chatops_bot.domain.diagnosis.findings import Finding, rank_of
from chatops_bot.domain.diagnosis.pods import PodRow
from chatops_bot.domain.objects import listed
from chatops_bot.domain.observed import Observed
from chatops_bot.domain.rollout import Rollout
from chatops_bot.domain.say import Say

_ORDER = {"danger": 0, "warn": 1, "info": 2}


class Scene(msgspec.Struct, frozen=True):
    """What a check may look at: the raw objects, and what is read off them once for all checks."""

    observed: Observed
    now: int
    rows: tuple[PodRow, ...]
    rollout: Rollout


Check = Callable[[Scene], Iterable[Finding]]
"""Finds one symptom, in every object that shows it. Knows nothing of other checks: what explains what is `EXPLAINS`."""


class Examination(msgspec.Struct, frozen=True):
    """Findings, worst first, and the names of checks that failed: what these look for is unknown, not absent."""

    findings: tuple[Finding, ...]
    failed: tuple[str, ...] = ()


EXPLAINS: dict[str, frozenset[str]] = {}
"""By code, the codes of what only follows from it: not said beside it when they are about the same pods or about the
workload as a whole."""


def examine(scene: Scene, checks: Iterable[Check]) -> Examination:
    """All findings of all checks."""
    found: list[Finding] = []
    failed: list[str] = []
    for check in checks:
        # Supervised: the checks read what clusters and operators of any kind have written, and one that trips over it
        # must not take the others' findings with it at 3 a.m. Its name goes to the log and onto the card.
        try:
            found.extend(check(scene))
        except Exception as problem:  # noqa: BLE001
            failed.append(f"{check.__name__}: {type(problem).__name__}")
    ranked = sorted(merged(found), key=lambda one: (_ORDER[one.severity], rank_of(one)))
    return Examination(findings=tuple(_causes(ranked)), failed=tuple(failed))


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """Findings of one cause as one, with all the pods that show it named in its line."""
    groups: dict[tuple[str, str], Finding] = {}
    for finding in findings:
        key = (finding.code, finding.where)
        first = groups.get(key)
        if first is not None:
            finding = msgspec.structs.replace(first, pods=(*first.pods, *finding.pods))
        groups[key] = finding
    return [
        msgspec.structs.replace(one, line=Say(one.line.key, {**one.line.args, "pods": listed(one.pods)}))
        if one.pods
        else one
        for one in groups.values()
    ]


def _causes(findings: list[Finding]) -> list[Finding]:
    return [one for one in findings if not any(_explains(other, one) for other in findings)]


def _explains(cause: Finding, other: Finding) -> bool:
    if other.code not in EXPLAINS.get(cause.code, ()):
        return False
    return not other.pods or not cause.pods or set(other.pods) <= set(cause.pods)
