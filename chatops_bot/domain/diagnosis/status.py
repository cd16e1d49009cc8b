"""The status report of a workload: the verdict first, then why, then the pods."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from chatops_bot.domain.cards import Tone
from chatops_bot.domain.diagnosis.checked import checked
from chatops_bot.domain.diagnosis.checks import CHECKS
from chatops_bot.domain.diagnosis.examining import Scene, examine
from chatops_bot.domain.diagnosis.findings import Evidence, Finding
from chatops_bot.domain.diagnosis.happenings import Happening, happenings, skipped_says, unread_says
from chatops_bot.domain.diagnosis.nodes import node_report
from chatops_bot.domain.diagnosis.one_pod import findings_first, row_of, verdict_of
from chatops_bot.domain.diagnosis.pods import PodRow, pod_row
from chatops_bot.domain.diagnosis.runs import run_verdict
from chatops_bot.domain.diagnosis.surroundings import autoscaler_lines, budget_lines
from chatops_bot.domain.objects import at, containers_of, listed, name_of, shortened, span, text
from chatops_bot.domain.observed import Observed
from chatops_bot.domain.offers import Offer
from chatops_bot.domain.reports import Detail, Report
from chatops_bot.domain.revisions import before, history_of
from chatops_bot.domain.rollout import Rollout, ready_pods, rollout_of, wanted_pods
from chatops_bot.domain.say import Say, say

PODS_SHOWN = 8
"""Rows of the table: more cannot be read on a phone."""
FINDINGS_SHOWN = 5
EVIDENCE_SHOWN = 3
CAUSES_SHOWN = 2
OFFERS_SHOWN = 3
WARNING_AGE_MS = 3_600_000
HEADER = ("table.pod", "table.ready", "table.state", "table.restarts", "table.age", "table.node")
_HEALTHY = ("status.healthy", "status.cron")
_ESSENTIAL = ("pods", "replica_sets", "events")
"""Without these nothing is called healthy."""
_EXPLAINS = {
    "node_not_ready": ("NodeNotReady",),
    "webhook_down": ("FailedCreate",),
    "blocked": ("FailedCreate",),
    "preempted": ("Preempted",),
    "no_capacity": ("FailedScheduling",),
    "unschedulable": ("FailedScheduling",),
    "volume": ("FailedScheduling", "ProvisioningFailed"),
    "image_pull": ("BackOff", "Failed", "ErrImagePull", "FailedToRetrieveImagePullSecret"),
    "image_name": ("BackOff", "Failed", "InspectFailed"),
    "config": ("Failed",),
    "start": ("BackOff", "Failed"),
    "init": ("BackOff",),
    "out_of_memory": ("BackOff",),
    "crash_loop": ("BackOff",),
    "killed": ("BackOff",),
    "liveness": ("BackOff", "Unhealthy"),
    "startup": ("BackOff", "Unhealthy"),
    "not_ready": ("Unhealthy",),
    "evicted": ("Evicted",),
    "job_failed": ("BackoffLimitExceeded", "DeadlineExceeded", "PodFailurePolicy", "MaxFailedIndexesExceeded"),
    "cron_late": ("TooManyMissedTimes", "MissSchedule"),
    "load_balancer": ("SyncLoadBalancerFailed",),
    "stuck_creating": ("FailedMount", "FailedAttachVolume", "FailedMapVolume", "FailedCreatePodSandBox"),
}
"""Reasons of events that only repeat what a finding says."""


class Judgement(msgspec.Struct, frozen=True):
    """Everything that a verdict rests on."""

    name: str
    ready: int
    wanted: int
    rollout: Rollout
    findings: tuple[Finding, ...]
    deleting: bool
    pods: int
    """Pods that have not ended for good."""
    troubled: int
    """Those of them that are not ready for a reason other than being young."""
    failed: tuple[str, ...] = ()
    """Checks that failed themselves: what they look for is not known."""

    @property
    def worst(self) -> Finding | None:
        """The finding to name in the verdict."""
        return self.findings[0] if self.findings else None

    @property
    def moving(self) -> bool:
        """A rollout goes on and nothing speaks against it: pods that are not ready yet are no alarm."""
        alarms = (
            # A pod that is only young and not ready is no finding at all.
            finding.hard or finding.severity == "danger" or (finding.code, finding.severity) == ("not_ready", "warn")
            for finding in self.findings
        )
        return self.rollout.state == "waiting" and not any(alarms)


def status_report(observed: Observed, now_ms: int, pod: str = "") -> Report:
    """How the workload or node is; asked because of one `pod`, that first. Never raises on what is null or absent in
    the objects."""
    if observed.entity.kind == "Node":
        return node_report(observed, now_ms)
    rows = _rows(observed, now_ms)
    judgement = judge(observed, now_ms, rows)
    headline, tone = run_verdict(observed, judgement.worst, now_ms) or _verdict(judgement)
    asked = row_of(pod, rows)
    if asked is not None:
        judgement = msgspec.structs.replace(judgement, findings=findings_first(pod, judgement.findings))
        rows.sort(key=lambda row: row.name != pod)
        headline, tone = verdict_of(asked, judgement.findings)
    healthy = headline.key in _HEALTHY
    unread = (
        *unread_says(observed),
        *skipped_says(observed),
        *(say("report.check_failed", check=name) for name in judgement.failed),
    )
    blind = observed.why_unread(*_ESSENTIAL) is not None or judgement.failed
    if blind and headline.key == "status.healthy":
        headline, tone = Say("status.healthy_as_far", headline.args), "info"
    shown = judgement.findings[:FINDINGS_SHOWN]
    return Report(
        kind="status",
        at=observed.at,
        entity=observed.entity,
        headline=headline,
        tone=tone,
        lines=(*(finding.line for finding in shown), *_lines(observed, judgement, rows, now_ms)),
        details=tuple(_detail(finding) for finding in shown),
        table=(HEADER, *(_cells(row) for row in rows[:PODS_SHOWN])) if rows else (),
        unread=unread,
        digest=_digest(judgement),
        codes=tuple(dict.fromkeys(finding.code for finding in judgement.findings)),
        offers=offers_of(observed, judgement.findings),
        looked=checked(_scene(observed, now_ms, rows)) if healthy else (),
        slots={"pod": pod} if asked is not None else {},
    )


def _detail(finding: Finding) -> Detail:
    return Detail(
        evidence=tuple(_evidence(finding.evidence[:EVIDENCE_SHOWN])),
        causes=tuple(say(key) for key in finding.causes[:CAUSES_SHOWN]),
    )


def _evidence(rows: Iterable[Evidence]) -> Iterator[str]:
    """One line an object: `pod/web-a: status.phase = Pending; spec.nodeName = -`."""
    found: dict[str, list[str]] = {}
    for one in rows:
        found.setdefault(one.object, []).append(f"{one.path} = {shortened(one.value, 120)}")
    yield from (f"{about}: {'; '.join(parts)}" for about, parts in found.items())


def offers_of(observed: Observed, findings: Iterable[Finding]) -> tuple[Offer, ...]:
    """What may help, the worst finding's first; each action on each target once. A rollback says to which revision
    where there is no doubt about it."""
    found: dict[tuple[str, str], Offer] = {}
    for finding in findings:
        for offer in finding.offers:
            found.setdefault((offer.action, offer.entity), offer)
    return tuple(_completed(observed, offer) for offer in found.values())[:OFFERS_SHOWN]


def _completed(observed: Observed, offer: Offer) -> Offer:
    if offer.action != "rollback" or offer.slots or offer.entity:
        return offer
    earlier = before(history_of(observed))
    return offer if earlier is None else msgspec.structs.replace(offer, slots={"revision": earlier.number})


def judge(observed: Observed, now_ms: int, rows: list[PodRow] | None = None) -> Judgement:
    """Counts, rollout and findings, worst first. The shared base of reports, warnings and progress."""
    rows = _rows(observed, now_ms) if rows is None else rows
    workload, kind = observed.object, observed.entity.kind
    scene = _scene(observed, now_ms, rows)
    examination = examine(scene, CHECKS)
    unseen = observed.why_unread("pods") is not None
    return Judgement(
        name=observed.entity.name,
        ready=ready_pods(workload, kind) if unseen else sum(row.healthy for row in rows),
        wanted=wanted_pods(workload, kind),
        rollout=scene.rollout,
        findings=examination.findings,
        deleting=bool(text(workload, "metadata", "deletionTimestamp")),
        pods=sum(not row.ended for row in rows),
        troubled=sum(_troubled(row) for row in rows),
        failed=examination.failed,
    )


def _scene(observed: Observed, now_ms: int, rows: list[PodRow]) -> Scene:
    rollout = rollout_of(observed.object, observed.entity.kind)
    return Scene(observed=observed, now=now_ms, rows=tuple(rows), rollout=rollout)


def _troubled(row: PodRow) -> bool:
    return not row.healthy and not row.ended and row.finding is not None and row.finding.severity != "info"


def _rows(observed: Observed, now_ms: int) -> list[PodRow]:
    """Pods in trouble first, then by name; those that have ended for good last."""
    rows = [pod_row(pod, now_ms) for pod in observed.pods]
    return sorted(rows, key=lambda row: (row.ended, row.healthy, row.name))


def _verdict(judgement: Judgement) -> tuple[Say, Tone]:
    worst = judgement.worst
    counts: dict[str, str | int] = {"name": judgement.name, "ready": judgement.ready, "wanted": judgement.wanted}
    if judgement.deleting:
        return say("status.deleting", **counts), "warn"
    if judgement.wanted == 0:
        return say("status.zero", **counts), "muted"
    if judgement.moving:
        return say("status.rolling", **counts), "info"
    if judgement.ready < judgement.wanted <= judgement.pods and not judgement.troubled and not _alarming(worst):
        return say("status.starting", **counts), "info"
    cause = f"cause.{worst.code}" if worst and worst.severity != "info" else "cause.missing"
    if judgement.ready == 0:
        return say("status.down", **counts, cause=cause), "danger"
    if judgement.ready < judgement.wanted:
        return say("status.degraded", **counts, cause=cause), "warn"
    if worst is None or worst.severity == "info":
        return say("status.healthy", **counts), "ok"
    return say("status.healthy_but", **counts, cause=cause), "warn"


def _alarming(worst: Finding | None) -> bool:
    return worst is not None and worst.severity == "danger"


def _lines(observed: Observed, judgement: Judgement, rows: list[PodRow], now_ms: int) -> Iterator[Say]:
    if len(judgement.findings) > FINDINGS_SHOWN:
        more = judgement.findings[FINDINGS_SHOWN:]
        yield say("status.more_findings", count=len(more), cause=f"cause.{more[0].code}")
    if judgement.rollout.state in ("waiting", "on_delete"):
        yield judgement.rollout.line
    yield from (say("status.taken_over", rollout=name_of(row)) for row in observed.rollouts)
    if (
        judgement.worst is None
        and judgement.ready >= judgement.wanted > 0
        and not (observed.unread or judgement.failed)
    ):
        yield say("status.checked")
    images = {text(container, "image") for container in containers_of(observed.object)} - {""}
    if images:
        yield say("status.images", images=listed(sorted(images)))
    yield from autoscaler_lines(observed)
    yield from budget_lines(observed)
    yield from (_warning(one, now_ms) for one in _recent(observed, judgement, now_ms))
    if len(rows) > PODS_SHOWN:
        yield say("status.more_pods", count=len(rows) - PODS_SHOWN)


def _recent(observed: Observed, judgement: Judgement, now_ms: int) -> list[Happening]:
    """Warnings of the last hour that no finding explains already; the same of several pods as one."""
    explained = {reason for finding in judgement.findings for reason in _EXPLAINS.get(finding.code, ())}
    found: dict[tuple[str, str], Happening] = {}
    for one in happenings(observed.events):
        if one.warning and now_ms - one.at < WARNING_AGE_MS and one.reason not in explained:
            first = found.get((one.reason, one.message))
            count = one.count + (first.count if first else 0)
            found[one.reason, one.message] = msgspec.structs.replace(first or one, count=count)
    return list(found.values())[:3]


def _warning(one: Happening, now_ms: int) -> Say:
    return say("status.event", reason=one.reason, count=one.count, ago=span(now_ms - one.at), message=one.message)


def _cells(row: PodRow) -> tuple[str, ...]:
    return (row.name, row.ready, row.state, str(row.restarts), row.age, row.node or "-")


def _digest(judgement: Judgement) -> str:
    """One line in neither language: counts, and the codes of what was found with their numbers."""
    parts = [f"{judgement.ready}/{judgement.wanted} ready"]
    if judgement.rollout.state not in ("done", "settled"):
        parts.append(f"rollout {judgement.rollout.state}")
    for finding in judgement.findings[:3]:
        known = {key: at(finding.line.args, key) for key in ("container", "exit", "count")}
        details = " ".join(str(value) for value in known.values() if value is not None)
        parts.append(f"{finding.code} {details}".rstrip())
    return "; ".join(parts)
