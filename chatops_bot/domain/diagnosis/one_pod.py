"""The diagnosis of a workload asked for because of one of its pods: that pod first, then the rest."""

from __future__ import annotations

from collections.abc import Iterable

from chatops_bot.domain.cards import Tone
from chatops_bot.domain.diagnosis.findings import Finding
from chatops_bot.domain.diagnosis.pods import PodRow
from chatops_bot.domain.say import Say, say


def row_of(pod: str, rows: Iterable[PodRow]) -> PodRow | None:
    """The pod's line, None where it is none of these."""
    return next((row for row in rows if row.name == pod), None)


def findings_first(pod: str, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Those that were seen on the pod before the others, each part in its order."""
    return tuple(sorted(findings, key=lambda finding: pod not in finding.pods))


def verdict_of(row: PodRow, findings: Iterable[Finding]) -> tuple[Say, Tone]:
    """How that pod is."""
    severity = next((one.severity for one in findings if row.name in one.pods and one.severity != "info"), "")
    tone: Tone = "danger" if severity == "danger" else "warn"
    if not severity and (row.healthy or row.ended):
        tone = "muted" if row.ended else "ok"
    return say("overview.of_pod", pod=row.name, state=row.state, ready=row.ready, count=row.restarts), tone
