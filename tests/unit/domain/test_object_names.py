"""Pods and jobs are told by a kind word or a pod's shape; ordinary talk names none."""

from __future__ import annotations

import pytest

from chatops_bot.domain.object_names import ObjectName, named_in


@pytest.mark.parametrize(
    ("text", "kind", "name", "namespace"),
    [
        ("pod web-7d9f5c6b8-x2x4z", "Pod", "web-7d9f5c6b8-x2x4z", ""),
        ("why is web-7d9f5c6b8-x2x4z pending?", "Pod", "web-7d9f5c6b8-x2x4z", ""),
        ("Why is Pod tool-abc-1 Pending", "Pod", "tool-abc-1", ""),
        ("status of pods/tool", "Pod", "tool", ""),
        ("pay/job/backup", "Job", "backup", "pay"),
        ("logs of job/backup in ns pay", "Job", "backup", "pay"),
        ("job backup-28 状态", "Job", "backup-28", ""),
        ("任务 backup-28 怎么了", "Job", "backup-28", ""),
        ("backup-28 这个任务失败了吗", "Job", "backup-28", ""),
        ("job import in ns pay", "Job", "import", "pay"),
        ("check cronjob nightly", "CronJob", "nightly", ""),
        ("cron job nightly-report", "CronJob", "nightly-report", ""),
        ("定时任务 nightly-report 的日志", "CronJob", "nightly-report", ""),
        ("命名空间 pay 的 job `import` 状态", "Job", "import", "pay"),
        ("the nightly-report cronjob -n pay", "CronJob", "nightly-report", "pay"),
        ("what happened to job db2", "Job", "db2", ""),
    ],
)
def test_what_is_named(text: str, kind: str, name: str, namespace: str) -> None:
    assert named_in(text) == ObjectName(kind=kind, name=name, namespace=namespace)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "job status", "any job failing?", "good job", "nice job everyone", "which pods are not ready?", "restart web",
        "pods of web", "the job failed", "job is done", "pod status please", "logs of web", "scale web to 5 pods",
        "payment-svc is slow", "任务失败了吗", "哪些任务有问题", "pods in payment-svc", "jobs", "job", "order-db-0",
        "5-minute job", "show jobs in pay", "pod last-resort",
        "restart cron-worker pods", "how are the payment-api pods doing", "pods payment-api", "scale job-runner to 3",
        "jobs backup-28",
    ],
)  # fmt: skip
def test_what_names_nothing(text: str) -> None:
    assert named_in(text) is None


def test_a_cronjob_is_called_a_job_as_well() -> None:
    first, second = named_in("job nightly-report"), named_in("cronjob nightly-report")
    assert first is not None
    assert second is not None
    assert first.key == second.key
