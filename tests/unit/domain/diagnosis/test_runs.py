"""The verdict on Jobs, CronJobs and pods that end: nothing of them is ever "scaled to 0"."""

from __future__ import annotations

import pytest

from chatops_bot.domain.diagnosis import status_report
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.observed import Around, Raw
from tests.unit.domain.cluster_objects import NOW, ago
from tests.unit.domain.diagnosis.recorded import crashing, pod, running, scene, spoken, terminated
from tests.unit.domain.diagnosis.surrounding import cron, job

DONE = ("Complete", "CompletionsReached", "")
FAILED = ("Failed", "BackoffLimitExceeded", "limit")


def suspended() -> Raw:
    found = job()
    found["spec"]["suspend"] = True
    return found


@pytest.mark.parametrize(
    ("kind", "obj", "tone", "words"),
    [
        ("Job", job("j", DONE, completionTime=ago(600)), "ok", "Job web has succeeded, 10m ago."),
        ("Job", job("j", DONE, failed=3, completionTime=ago(600)), "ok", "has succeeded"),
        ("Job", job("j", FAILED, failed=6), "danger", "Job web has FAILED"),
        ("Job", job("j", failed=2, active=1), "warn", "web is in trouble: the job fails"),
        ("Job", job("j", active=2, ready=1), "info", "is running: pods 2, ready 1"),
        ("Job", suspended(), "muted", "is suspended"),
        ("CronJob", cron(success=600), "ok", "runs on schedule (0 * * * *): last success 10m ago."),
        ("CronJob", cron("0 0 1 1 *", success=None, started=None), "warn", "in trouble: it has not succeeded"),
        ("CronJob", cron("@every 1h", success=None), "info", "has not succeeded yet"),
        ("CronJob", cron(suspend=True), "warn", "web is in trouble: the schedule is suspended"),
    ],
)
def test_what_runs_and_ends(kind: EntityKind, obj: Raw, tone: str, words: str) -> None:
    found = status_report(scene(kind=kind, obj=obj).observed, NOW)
    assert found.tone == tone
    assert words in spoken(found.headline)


def test_a_crash_in_a_job_is_its_trouble() -> None:
    found = status_report(scene(pod("web-x", crashing(1)), kind="Job", obj=job("j", active=1)).observed, NOW)
    assert (found.tone, found.headline.args["cause"]) == ("danger", "cause.crash_loop")


def test_the_newest_job_of_a_schedule_is_its_trouble() -> None:
    near = Around(jobs=(job("backup-1", FAILED, age=60, failed=6),))
    found = status_report(scene(kind="CronJob", obj=cron(), around=near).observed, NOW)
    assert (found.tone, found.headline.args["cause"]) == ("danger", "cause.job_failed")


def test_a_pod_that_has_ended_is_not_down() -> None:
    done = pod("tool", running(ready=False, state=terminated(0, "Completed")), phase="Succeeded")
    found = status_report(scene(done, kind="Pod", obj=done).observed, NOW)
    assert (found.tone, found.headline.key) == ("muted", "status.pod_ended")
    assert status_report(scene(pod(), kind="Pod", obj=pod()).observed, NOW).headline.key == "status.healthy"
