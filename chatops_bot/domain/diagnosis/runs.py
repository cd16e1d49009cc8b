"""The verdict on what runs and ends: a Job, a CronJob, a pod that nobody keeps up."""

from __future__ import annotations

from chatops_bot.domain.cards import Tone
from chatops_bot.domain.diagnosis.findings import Finding
from chatops_bot.domain.objects import at, condition, flag, holds, number, since, text
from chatops_bot.domain.observed import Observed
from chatops_bot.domain.say import Say, say


def run_verdict(observed: Observed, worst: Finding | None, now_ms: int) -> tuple[Say, Tone] | None:
    """None where replicas decide, as they do of anything that is kept up, and of a pod until it has ended."""
    bad = worst if worst is not None and worst.severity != "info" else None
    if observed.entity.kind == "Job":
        return _job(observed, bad, now_ms)
    if observed.entity.kind == "CronJob":
        return _cron_job(observed, bad, now_ms)
    if observed.entity.kind == "Pod" and text(observed.object, "status", "phase") == "Succeeded":
        return say("status.pod_ended", name=observed.entity.name), "muted"
    return None


def _job(observed: Observed, bad: Finding | None, now_ms: int) -> tuple[Say, Tone]:
    job, name = observed.object, observed.entity.name
    if holds(job, "Complete") or holds(job, "SuccessCriteriaMet"):
        ended = text(job, "status", "completionTime") or at(condition(job, "Complete"), "lastTransitionTime")
        return say("status.job_done", name=name, ago=since(ended, now_ms)), "ok"
    if holds(job, "Failed") or holds(job, "FailureTarget"):
        ended = text(condition(job, "Failed"), "lastTransitionTime")
        return say("status.job_failed", name=name, ago=since(ended, now_ms)), "danger"
    if bad is not None:
        return say("status.run_but", name=name, cause=f"cause.{bad.code}"), _tone(bad)
    if flag(job, "spec", "suspend"):
        return say("status.job_suspended", name=name), "muted"
    active, ready = number(job, "status", "active"), number(job, "status", "ready")
    return say("status.job_running", name=name, count=active, ready=ready), "info"


def _cron_job(observed: Observed, bad: Finding | None, now_ms: int) -> tuple[Say, Tone]:
    cron, name = observed.object, observed.entity.name
    if bad is not None:
        return say("status.run_but", name=name, cause=f"cause.{bad.code}"), _tone(bad)
    schedule, success = text(cron, "spec", "schedule") or "?", text(cron, "status", "lastSuccessfulTime")
    if not success:
        return say("status.cron_new", name=name, schedule=schedule), "info"
    return say("status.cron", name=name, schedule=schedule, ago=since(success, now_ms)), "ok"


def _tone(bad: Finding) -> Tone:
    return "danger" if bad.severity == "danger" else "warn"
