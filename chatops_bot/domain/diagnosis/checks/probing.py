"""Probes: what fails them, and what they get restarted. Events tell which probe it was; a status never does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from chatops_bot.domain.diagnosis.ailments import first_crash
from chatops_bot.domain.diagnosis.containers import Container
from chatops_bot.domain.diagnosis.examining import Check, Scene
from chatops_bot.domain.diagnosis.findings import Evidence, Finding
from chatops_bot.domain.diagnosis.happenings import Happening
from chatops_bot.domain.diagnosis.pods import not_ready, of_pod, startup, startup_budget_ms
from chatops_bot.domain.diagnosis.proving import proof
from chatops_bot.domain.diagnosis.remedies import created, offering, offers, unready_since, way_back
from chatops_bot.domain.objects import (
    at,
    clause,
    containers_of,
    flag,
    instant,
    label,
    mapping,
    name_of,
    number,
    span,
    text,
)
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.offers import Offer
from chatops_bot.domain.revisions import HASH_LABEL
from chatops_bot.domain.say import Say, say

Probe = Literal["liveness", "readiness", "startup"]

CALM_MS = 600_000
"""A container that is ready, and was restarted by its probe so long ago, is over it for now."""
NEVER_READY_MS = 30_000
"""A pod whose readiness was noted so soon after it was made has never been ready."""
_BY_PROBE: Final = (137, 143)
_WHY: Final = (
    ("timeout", "why.probe_slow"),
    ("deadline exceeded", "why.probe_slow"),
    ("refused", "why.probe_refused"),
    ("statuscode", "why.probe_status"),
)


class Failing(msgspec.Struct, frozen=True):
    """What events of the last hour say of one probe of one container."""

    failed: tuple[Happening, ...]
    killed: tuple[Happening, ...]

    @property
    def said(self) -> str:
        """What the probe met: `HTTP probe failed with statuscode: 503`."""
        message = (self.failed or self.killed)[0].message
        return clause(message.partition(": ")[2] if self.failed and ": " in message else message)

    @property
    def causes(self) -> tuple[str, ...]:
        """By that, the likeliest first."""
        words = self.said.lower()
        return tuple(dict.fromkeys(why for part, why in _WHY if part in words))[:1]

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The newest event of each kind, with how often it came."""
        newest = [*self.failed[:1], *self.killed[:1]]
        return tuple(proof(one.about, f"event {one.reason} ×{one.count}", one.message) for one in newest)


def failing(scene: Scene, seen: Container, probe: Probe) -> Failing | None:
    """None where no event speaks of the probe."""
    about = f"pod/{name_of(seen.pod)}"
    failed = _of(seen, scene.told(about, "Unhealthy", saying=f"{probe} probe"))
    killed = _of(seen, scene.told(about, "Killing", saying=f"failed {probe} probe"))
    return Failing(tuple(failed), tuple(killed)) if failed or killed else None


def _concerned(scene: Scene, probe: Probe) -> Iterator[tuple[Container, Failing]]:
    """The containers of which events speak of this probe; and of pods whose events were not read, as only those of few
    are, the ones of the same name and revision that it has ended likewise or keeps from being ready."""
    direct = {id(seen): found for seen in scene.containers if (found := failing(scene, seen, probe)) is not None}
    kinds = {_kind(seen): direct[id(seen)] for seen in reversed(scene.containers) if id(seen) in direct}
    for seen in scene.containers:
        if id(seen) in direct:
            yield seen, direct[id(seen)]
        elif _kind(seen) in kinds and not scene.told(f"pod/{name_of(seen.pod)}") and _alike(seen, probe):
            yield seen, kinds[_kind(seen)]


def _kind(seen: Container) -> tuple[str, str, str]:
    return (seen.name, label(seen.pod, HASH_LABEL), label(seen.pod, "controller-revision-hash"))


def _alike(seen: Container, probe: Probe) -> bool:
    if probe == "readiness":
        return not flag(seen.status, "ready")
    return number(seen.status, "lastState", "terminated", "exitCode") in _BY_PROBE


def _of(seen: Container, told: list[Happening]) -> list[Happening]:
    """The events of this container: by the field they name, by its name, or because there is no other."""
    alone = len(containers_of(seen.pod)) <= 1
    return [
        one
        for one in told
        if f"{{{seen.name}}}" in one.part
        or (not one.part and (alone or f"container {seen.name} " in f"{one.message} ".lower()))
    ]


def _restarted_by(seen: Container, found: Failing) -> bool:
    """Whether the probe got it killed: the kubelet says so, or its end looks like it."""
    last = mapping(seen.status, "lastState", "terminated")
    if text(last, "reason") == "OOMKilled" or not seen.restarts:
        return False
    return bool(found.killed) or number(last, "exitCode") in _BY_PROBE


def liveness(scene: Scene) -> Iterator[Finding]:
    """Containers that are killed because their liveness probe fails. A probe that fails now and then kills nothing."""
    for seen, found in _concerned(scene, "liveness"):
        if _restarted_by(seen, found):
            yield of_pod(seen.pod, _liveness(scene, seen, found))


def _liveness(scene: Scene, seen: Container, found: Failing) -> Finding:
    kill = max((one.at for one in found.killed), default=0) or instant(
        at(seen.status, "lastState", "terminated", "finishedAt")
    )
    calm = flag(seen.status, "ready") and scene.now - kill > CALM_MS
    slow = "why.probe_slow" in found.causes
    unguarded = not mapping(seen.spec, "startupProbe")
    made = Finding(
        "liveness",
        "warn" if calm else "danger",
        say("finding.liveness", container=seen.name, count=seen.restarts, message=found.said),
        # Never by what the probe met: that holds the address of the pod.
        where=f"{seen.name} {' '.join(found.causes)}",
        hard=seen.waiting == "CrashLoopBackOff",
        evidence=(*found.evidence, seen.probes("livenessProbe")),
        causes=(*found.causes, *(("why.no_startup_probe",) if unguarded else ()), "why.deadlock"),
    )
    return offering(
        made,
        way_back(scene, seen.pod, first_crash(seen)),
        offers(scene, "scale") if slow else offers(scene, "restart"),
    )


def startups(scene: Scene) -> Iterator[Finding]:
    """Containers that are killed before they have started, and those that are still at it."""
    killed: dict[str, Finding] = {}
    for seen, told in _concerned(scene, "startup"):
        if _restarted_by(seen, told) and not flag(seen.status, "started"):
            killed[name_of(seen.pod)] = _never_started(seen, told)
    for pod in scene.observed.pods:
        slow = killed.get(name_of(pod)) or startup(pod, scene.now)
        if slow is not None:
            hurts = slow.severity == "danger"
            yield offering(of_pod(pod, slow), way_back(scene, pod, created(pod)) if hurts else ())


def _never_started(seen: Container, found: Failing) -> Finding:
    budget = startup_budget_ms(seen)
    return Finding(
        "startup",
        "danger",
        say(
            "finding.startup_failed",
            container=seen.name,
            budget=span(budget) if budget else "?",
            count=seen.restarts,
            message=found.said,
        ),
        where=f"{seen.name} failed",
        evidence=(*found.evidence, seen.probes("startupProbe")),
        causes=("why.slow_start", *found.causes),
    )


def readiness(scene: Scene) -> Iterator[Finding]:
    """Pods that run and get no traffic: why, by what their readiness probe met."""
    unready: dict[str, tuple[Container, Failing]] = {}
    for seen, told in _concerned(scene, "readiness"):
        if told.failed and not flag(seen.status, "ready"):
            unready.setdefault(name_of(seen.pod), (seen, told))
    for pod in scene.observed.pods:
        found = not_ready(pod, scene.now)
        if found is None or _rolls(scene, pod):
            continue
        if name_of(pod) in unready:
            found = _unready(*unready[name_of(pod)], found)
        since = unready_since(pod)
        yield offering(of_pod(pod, found), way_back(scene, pod, since), _restart(scene, found))


def _unready(seen: Container, told: Failing, found: Finding) -> Finding:
    line = Say("finding.not_ready_probe", {**found.line.args, "container": seen.name, "message": told.said})
    evidence = (*told.evidence[:1], seen.probes("readinessProbe"), *found.evidence[:1])
    causes = (*told.causes, "why.dependency")
    return msgspec.structs.replace(
        found, line=line, where=f"{seen.name} {' '.join(told.causes)}", evidence=evidence, causes=causes
    )


def _restart(scene: Scene, found: Finding) -> tuple[Offer, ...]:
    """Helps only against a program that hangs; nothing where a gate or the node holds the pod up."""
    held = found.line.key in ("finding.not_ready_gate", "finding.not_ready_pod")
    return () if held else offers(scene, "restart")


def _rolls(scene: Scene, pod: Raw) -> bool:
    """Whether it is a new pod of a rollout that has most of its time before it."""
    deadline = 1000 * number(scene.observed.object, "spec", "progressDeadlineSeconds", default=600)
    young = scene.now - created(pod) < deadline // 2
    return scene.rollout.state == "waiting" and young and unready_since(pod) - created(pod) < NEVER_READY_MS


CHECKS: tuple[Check, ...] = (liveness, startups, readiness)
"""One a probe."""
