"""The report on one container's log."""

from __future__ import annotations

import re

from chatops_bot.domain.entities import Entity
from chatops_bot.domain.objects import shortened
from chatops_bot.domain.observed import LogText
from chatops_bot.domain.reports import Report
from chatops_bot.domain.say import Say, say

_ERROR = re.compile(
    r"\b(?:error|fatal|panic|exception|traceback|critical|oom|killed|segfault)|异常|错误|失败", re.IGNORECASE
)


def logs_report(entity: Entity, log: LogText, now_ms: int) -> Report:
    """The excerpt with the line to look at first named: the last that speaks of an error."""
    rows = [row for row in log.text.splitlines() if row.strip()]
    errors = [row for row in rows if _ERROR.search(row)]
    lines: list[Say] = [say(log.note)] if log.note else []
    if errors:
        lines.append(say("logs.errors", count=len(errors), line=shortened(errors[-1])))
    return Report(
        kind="logs",
        at=now_ms,
        entity=entity,
        headline=_headline(entity, log, len(rows)),
        tone="warn" if errors else "muted" if not rows else "info",
        lines=tuple(lines),
        code=log.text.rstrip("\n"),
        digest=f"log of {log.pod}/{log.container}: {len(rows)} lines"
        + (f", last error: {shortened(errors[-1], 120)}" if errors else ""),
    )


def _headline(entity: Entity, log: LogText, count: int) -> Say:
    if not log.pod:
        return say("logs.no_pods", name=entity.name)
    if not count:
        return say("logs.empty", pod=log.pod, container=log.container)
    key = "logs.previous" if log.previous else "logs.current"
    return say(key, pod=log.pod, container=log.container, count=count)
