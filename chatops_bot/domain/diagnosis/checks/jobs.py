"""Jobs that have failed, and CronJobs that are held or do not succeed in time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo
from typing import Final
from zoneinfo import ZoneInfo

from cronsim import CronSim

from chatops_bot.domain.diagnosis.examining import Check, Scene
from chatops_bot.domain.diagnosis.findings import Finding
from chatops_bot.domain.diagnosis.proving import of_condition, proof, quoted
from chatops_bot.domain.masking import mask
from chatops_bot.domain.objects import (
    at,
    condition,
    controller_of,
    field_writer,
    flag,
    holds,
    instant,
    items,
    mapping,
    name_of,
    number,
    shortened,
    span,
    text,
)
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.say import say
from chatops_bot.domain.windows import ERRORS

LATE_MS = 300_000
"""How late a run may be before it counts as missed."""
UNKNOWN_ZONE_MS = 14 * 3_600_000
"""Without `timeZone` a schedule is read on the clock of the controller, which nobody here knows."""
_DAILY_MS = 12 * 3_600_000
_MACROS: Final = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
_ZONE: Final = re.compile(r"(?:CRON_)?TZ=(\S{1,64})\s+(.{1,200})")


def job_failed(scene: Scene) -> Iterator[Finding]:
    """A Job that has failed for good or goes on failing; of a CronJob's, the newest. One that has succeeded in the end
    has not failed, however many tries it took."""
    if scene.observed.entity.kind == "Job":
        yield from _failed(scene, scene.observed.object)
    if scene.observed.entity.kind == "CronJob":
        jobs = sorted(scene.observed.around.jobs, key=lambda job: instant(at(job, "metadata", "creationTimestamp")))
        if jobs:
            yield from _failed(scene, jobs[-1])


def _failed(scene: Scene, job: Raw) -> Iterator[Finding]:
    if holds(job, "Complete") or holds(job, "SuccessCriteriaMet"):
        return
    about, failed = f"job/{name_of(job)}", number(job, "status", "failed")
    ended = condition(job, "Failed") if holds(job, "Failed") else condition(job, "FailureTarget")
    code = _last_exit(scene, job)
    if text(ended, "status") == "True":
        reason = text(ended, "reason") or "?"
        message = shortened(mask(text(ended, "message")))
        line = say("finding.job_failed", job=name_of(job), count=failed, reason=reason, exit=code, message=message)
        evidence = (of_condition(about, ended), quoted(about, job, "status", "failed"))
        causes = ("why.job_deadline",) if reason == "DeadlineExceeded" else ("why.app_error",)
        yield Finding("job_failed", "danger", line, name_of(job), object=about, evidence=evidence, causes=causes)
    elif failed:
        tries = number(job, "spec", "backoffLimit", default=6) + 1
        line = say("finding.job_retrying", job=name_of(job), count=failed, tries=tries, exit=code)
        evidence = (quoted(about, job, "status", "failed"), proof(about, "spec.backoffLimit", tries - 1))
        yield Finding("job_failed", "warn", line, name_of(job), hard=False, object=about, evidence=evidence)


def _last_exit(scene: Scene, job: Raw) -> str:
    """Exit code of the container of the job that failed last, "?" where no pod tells."""
    ends: list[tuple[int, int]] = []
    for pod in scene.observed.pods:
        owner = text(controller_of(pod), "name")
        if owner and owner != name_of(job):
            continue
        for status in (*items(pod, "status", "containerStatuses"), *items(pod, "status", "initContainerStatuses")):
            for state in ("state", "lastState"):
                ended = mapping(status, state, "terminated")
                if number(ended, "exitCode"):
                    ends.append((instant(ended.get("finishedAt")), number(ended, "exitCode")))
    return str(max(ends)[1]) if ends else "?"


def suspended(scene: Scene) -> Iterator[Finding]:
    """A CronJob that somebody holds."""
    cron = scene.observed.object
    if scene.observed.entity.kind != "CronJob" or not flag(cron, "spec", "suspend"):
        return
    who, moment = field_writer(cron, "suspend")
    about = scene.observed.entity.target
    success = text(cron, "status", "lastSuccessfulTime")
    line = say(
        "finding.cron_suspended" if success else "finding.cron_suspended_never",
        who=who or "?",
        ago=span(scene.now - moment) if moment else "?",
        last=_ago(scene, success),
    )
    evidence = (quoted(about, cron, "spec", "suspend"), quoted(about, cron, "status", "lastSuccessfulTime"))
    yield Finding(
        "cron_suspended", "warn", line, hard=False, object=about, evidence=evidence, causes=("why.forgotten_suspend",)
    )


def _ago(scene: Scene, stamp: str) -> str:
    return span(scene.now - instant(stamp)) if stamp else "-"


def late(scene: Scene) -> Iterator[Finding]:
    """A CronJob that has let two of its times pass without a success. A run that takes longer than its interval may
    still be at it: until it has taken twice as long, that is all there is to it."""
    cron = scene.observed.object
    if scene.observed.entity.kind != "CronJob" or flag(cron, "spec", "suspend"):
        return
    counted = _counted_from(cron)
    due = _next_two(cron, counted) if counted else None
    if due is None:
        return
    period = due[1] - due[0]
    grace = LATE_MS
    if not _zone_of(cron) and period >= _DAILY_MS:
        grace += UNKNOWN_ZONE_MS
    if scene.now <= due[1] + grace or _at_it(scene, 2 * period):
        return
    yield _late(scene, cron, period)


def _late(scene: Scene, cron: Raw, period: int) -> Finding:
    about, active = scene.observed.entity.target, items(cron, "status", "active")
    success = text(cron, "status", "lastSuccessfulTime")
    missed = scene.told(about, "TooManyMissedTimes", "MissSchedule")
    if active:
        key, causes = "finding.cron_held", ["why.job_hangs"]
    elif not text(cron, "status", "lastScheduleTime"):
        key, causes = "finding.cron_never", ["why.controller", "why.missed_times"]
    elif missed or scene.now - instant(text(cron, "status", "lastScheduleTime")) > 2 * period + LATE_MS:
        key, causes = "finding.cron_unscheduled", ["why.missed_times", "why.controller"]
    else:
        key, causes = "finding.cron_late", ["why.app_error"]
    return Finding(
        "cron_late",
        "warn",
        say(
            key,
            ago=_ago(scene, success or text(cron, "metadata", "creationTimestamp")),
            schedule=text(cron, "spec", "schedule"),
            last=_ago(scene, text(cron, "status", "lastScheduleTime")),
            job=text(active[0], "name") if active else "-",
        ),
        hard=False,
        object=about,
        evidence=(
            quoted(about, cron, "spec", "schedule"),
            quoted(about, cron, "status", "lastSuccessfulTime"),
            quoted(about, cron, "status", "lastScheduleTime"),
            *(proof(one.about, f"event {one.reason}", one.message) for one in missed[:1]),
        ),
        causes=tuple(causes),
    )


def _counted_from(cron: Raw) -> int:
    """From when (ms) successes are owed: the last one; when it was made, where there is none; and no earlier than
    somebody resumed it or changed its schedule."""
    base = instant(text(cron, "status", "lastSuccessfulTime") or text(cron, "metadata", "creationTimestamp"))
    return max(base, field_writer(cron, "suspend")[1], field_writer(cron, "schedule")[1]) if base else 0


def _zone_of(cron: Raw) -> str:
    in_schedule = _ZONE.fullmatch(text(cron, "spec", "schedule").strip())
    return text(cron, "spec", "timeZone") or (in_schedule[1] if in_schedule else "")


def _next_two(cron: Raw, after: int) -> tuple[int, int] | None:
    """Its next two times after `after` (ms); None where the schedule cannot be read (`@every` among them)."""
    written = text(cron, "spec", "schedule").strip()
    in_schedule = _ZONE.fullmatch(written)
    schedule = in_schedule[2].strip() if in_schedule else written
    schedule = _MACROS.get(schedule.lower(), schedule).replace("?", "*")
    if len(schedule.split()) != 5:
        return None
    try:
        zone: tzinfo = ZoneInfo(_zone_of(cron)) if _zone_of(cron) else UTC
        times = CronSim(schedule, datetime.fromtimestamp(after / 1000, zone))
        first, second = next(times), next(times)
    except ERRORS:
        return None
    return int(first.timestamp() * 1000), int(second.timestamp() * 1000)


def _at_it(scene: Scene, most: int) -> bool:
    """Whether a run is under way that began no longer ago than this (ms)."""
    cron = scene.observed.object
    running = {text(one, "name") for one in items(cron, "status", "active")}
    starts = [
        instant(text(job, "status", "startTime") or at(job, "metadata", "creationTimestamp"))
        for job in scene.observed.around.jobs
        if name_of(job) in running
    ] or [instant(text(cron, "status", "lastScheduleTime"))]
    return bool(running) and scene.now - min(starts) <= most


CHECKS: tuple[Check, ...] = (job_failed, suspended, late)
