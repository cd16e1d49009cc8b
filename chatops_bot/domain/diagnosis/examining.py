"""Running the checks: every one on its own, their findings ranked, consequences left out where their cause is found."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

import msgspec

from chatops_bot.domain.diagnosis.containers import Container, containers
from chatops_bot.domain.diagnosis.findings import SEVERITIES, Finding, worst_first
from chatops_bot.domain.diagnosis.happenings import Happening, happenings
from chatops_bot.domain.diagnosis.pods import PodRow
from chatops_bot.domain.objects import listed, name_of
from chatops_bot.domain.observed import Observed, Raw
from chatops_bot.domain.revisions import History, history_of
from chatops_bot.domain.rollout import Rollout
from chatops_bot.domain.say import Say

RECENT_MS = 3_600_000
"""An event older than this explains nothing that is seen now; the API server forgets events after about as long."""


class Scene(msgspec.Struct, frozen=True, dict=True):
    """What a check may look at: the raw objects, and what is read off them once for all checks."""

    observed: Observed
    now: int
    rows: tuple[PodRow, ...]
    rollout: Rollout

    def told(self, about: str, *reasons: str, saying: str = "") -> list[Happening]:
        """The events of the last hour about an object (`pod/web-1`), the newest first: those of these reasons whose
        message holds these words."""
        words = saying.lower()
        return [
            one
            for one in self._told.get(about, ())
            if (not reasons or one.reason in reasons) and words in one.message.lower()
        ]

    def happened(self, *reasons: str) -> list[Happening]:
        """The events of the last hour of these reasons, whatever they are about, the newest first."""
        found = (one for rows in self._told.values() for one in rows if one.reason in reasons)
        return sorted(found, key=lambda one: -one.at)

    @cached_property
    def _told(self) -> dict[str, list[Happening]]:
        found: dict[str, list[Happening]] = {}
        for one in happenings(self.observed.events):
            if self.now - one.at <= RECENT_MS:
                found.setdefault(one.about, []).append(one)
        return found

    @cached_property
    def containers(self) -> tuple[Container, ...]:
        """Those of all pods that can be in trouble."""
        return tuple(one for pod in self.observed.pods for one in containers(pod, self.now))

    @cached_property
    def hosts(self) -> dict[str, Raw]:
        """The nodes that were read, by name."""
        return {name_of(node): node for node in (*self.observed.nodes, *self.observed.around.hosts)}

    @cached_property
    def history(self) -> History:
        """Its revisions, as far as they were read."""
        return history_of(self.observed)


Check = Callable[[Scene], Iterable[Finding]]
"""Finds one symptom, in every object that shows it. Knows nothing of other checks: what explains what is `EXPLAINS`."""


class Examination(msgspec.Struct, frozen=True):
    """Findings, worst first, and the names of checks that failed: what these look for is unknown, not absent."""

    findings: tuple[Finding, ...]
    failed: tuple[str, ...] = ()


_READINESS = frozenset({"not_ready"})
_RUNS = frozenset({"not_ready", "exited", "restarted"})

EXPLAINS: dict[str, frozenset[str]] = {
    "node_not_ready": frozenset({"not_ready", "startup", "stuck_terminating", "stuck_creating", "evicted", "killed"}),
    # What an eviction says of its node is all there is to say.
    "evicted": frozenset({"node_pressure"}),
    "volume": frozenset({"unschedulable", "stuck_creating"}),
    "image_pull": _READINESS,
    "image_name": _READINESS,
    "config": _READINESS,
    "start": _READINESS,
    "init": _READINESS | {"startup", "stuck_creating"},
    "liveness": _RUNS | {"crash_loop", "killed"},
    "startup": _RUNS | {"crash_loop", "killed"},
    "out_of_memory": _RUNS,
    "crash_loop": _RUNS,
    "killed": _RUNS,
    "exited": frozenset({"not_ready", "restarted"}),
}
"""By code, the codes of what only follows from it: not said beside it of the same pods, or where one of the two is of
the workload as a whole. Nothing here may explain itself by way of others."""


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
    ranked = sorted(merged(_causes(found)), key=worst_first)
    return Examination(findings=tuple(ranked), failed=tuple(failed))


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """Findings of one cause as one, with all the pods that show it named in its line: the worst of them, and of equals
    the one that knows most (logs and events are read of few pods)."""
    groups: dict[tuple[str, str], Finding] = {}
    for finding in findings:
        key = (finding.code, finding.where)
        first = groups.get(key)
        if first is not None:
            telling = min(first, finding, key=lambda one: (SEVERITIES[one.severity], -len(one.evidence)))
            finding = msgspec.structs.replace(telling, pods=(*first.pods, *finding.pods))
        groups[key] = finding
    return [
        msgspec.structs.replace(one, line=Say(one.line.key, {**one.line.args, "pods": listed(one.pods)}))
        if one.pods
        else one
        for one in groups.values()
    ]


def _causes(findings: list[Finding]) -> list[Finding]:
    """Without what follows from others; of several pods those stay that nothing explains."""
    everywhere: set[str] = set()
    pods: dict[str, set[str]] = {}
    for cause in findings:
        for code in EXPLAINS.get(cause.code, ()):
            pods.setdefault(code, set()).update(cause.pods)
            if not cause.pods:
                everywhere.add(code)
    kept: list[Finding] = []
    for one in findings:
        rest = tuple(pod for pod in one.pods if pod not in pods.get(one.code, ()))
        if one.code in everywhere or (one.code in pods and not rest):
            continue
        kept.append(one if rest == one.pods else msgspec.structs.replace(one, pods=rest))
    return kept
