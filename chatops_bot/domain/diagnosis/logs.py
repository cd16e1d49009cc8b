"""The report on logs: an excerpt of one container or of all pods, or what they say of errors, grouped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from chatops_bot.domain.diagnosis.applied import applied
from chatops_bot.domain.diagnosis.fingerprints import Group, groups, is_error
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.objects import listed, shortened
from chatops_bot.domain.observed import LogText
from chatops_bot.domain.reports import Report
from chatops_bot.domain.say import Say, say

GROUPS_SHOWN: Final = 10
_WHY: Final = frozenset({"waiting", "previous", "timeout"})
"""Why a log was not read, where that has words of its own."""
NAMED: Final = 3
"""Kinds of errors named beside an excerpt."""


def logs_report(entity: Entity, log: LogText, now_ms: int, slots: Mapping[str, SlotValue] | None = None) -> Report:
    """The excerpt with the line to look at first named: the last that speaks of an error. With the slot `errors` the
    errors alone, each kind once with its count."""
    slots = slots or {}
    rows = [row for row in log.text.splitlines() if row.strip()]
    found = groups(_bare(log, rows))
    if slots.get("errors"):
        return _errors_report(entity, log, now_ms, slots, rows, found)
    errors = [row for row in rows if is_error(row)]
    lines: list[Say] = [say(log.note)] if log.note else []
    if errors:
        lines.append(say("logs.errors", count=len(errors), line=shortened(errors[-1])))
    if found and found[0].count > 1:
        named = listed((f"×{one.count} {shortened(one.line, 80)}" for one in found), most=NAMED)
        lines.append(say("logs.first_errors", groups=named))
    return Report(
        kind="logs",
        at=now_ms,
        entity=entity,
        headline=_headline(entity, log, len(rows)),
        tone="warn" if errors else "muted" if not rows else "info",
        lines=(*lines, *_pods(log)),
        code=log.text.rstrip("\n"),
        unread=_unread(log),
        digest=f"log of {_of(log)}: {len(rows)} lines"
        + (f", last error: {shortened(errors[-1], 120)}" if errors else ""),
        slots=dict(slots),
        applied=tuple(applied(slots)),
    )


def _errors_report(
    entity: Entity, log: LogText, now_ms: int, slots: Mapping[str, SlotValue], rows: list[str], found: list[Group]
) -> Report:
    total = sum(one.count for one in found)
    name = log.pod or entity.name
    key = "logs.groups" if found else "logs.no_errors"
    more = (say("logs.more_groups", count=len(found) - GROUPS_SHOWN),) if len(found) > GROUPS_SHOWN else ()
    counts: dict[str, str | int] = {"name": name, "lines": len(rows), "count": total, "kinds": len(found)}
    headline = say(key, **counts) if rows else _headline(entity, log, 0)
    worst = "; ".join(f"x{one.count} {shortened(one.line, 80)}" for one in found[:NAMED])
    return Report(
        kind="logs",
        at=now_ms,
        entity=entity,
        headline=headline,
        tone="warn" if found else "muted",
        lines=(*((say(log.note),) if log.note else ()), *_pods(log), *more),
        code="\n".join(_group(one) for one in found[:GROUPS_SHOWN]),
        unread=_unread(log),
        digest=f"errors of {_of(log)}: {total} of {len(found)} kinds" + (f": {worst}" if worst else ""),
        slots=dict(slots),
        applied=tuple(applied(slots)),
    )


def _group(one: Group) -> str:
    return "\n".join([f"×{one.count}  {shortened(one.line, 300)}", *(f"    {row[:160]}" for row in one.trace)])


def _bare(log: LogText, rows: list[str]) -> list[str]:
    """Rows of several pods without the pods' names, so that the same error is the same whichever pod says it."""
    if not log.pods:
        return rows
    names = set(log.pods)
    return [rest if name in names else row for row in rows for name, _, rest in (row.partition(" "),)]


def _of(log: LogText) -> str:
    return f"{len(log.pods)} pods" if log.pods else f"{log.pod}/{log.container}"


def _pods(log: LogText) -> Iterator[Say]:
    if log.pods:
        yield say("logs.pods", count=len(log.pods), pods=listed(log.pods, most=5))
    if log.left_out:
        yield say("logs.pods_left_out", count=log.left_out)


def _unread(log: LogText) -> tuple[Say, ...]:
    """One line a reason, with the pods that it holds for; what the headline says already is not repeated."""
    pods: dict[str, list[str]] = {}
    for pod, _, why in (one.partition(":") for one in log.failed):
        pods.setdefault(why or "?", []).append(pod)
    if not log.pods and list(pods) == ["previous"]:
        return ()
    return tuple(
        say("logs.unread", pod=listed(names), why=f"logs.why.{why}" if why in _WHY else why)
        for why, names in pods.items()
    )


def _headline(entity: Entity, log: LogText, count: int) -> Say:
    if log.pods and count:
        return say("logs.everyone", name=entity.name, count=count)
    if log.pods:
        return say("logs.everyone_empty", name=entity.name)
    if log.failed:
        bare = all(one.endswith(":previous") for one in log.failed)
        return say("logs.everyone_no_previous" if bare else "logs.everyone_unread", name=entity.name)
    if not log.pod:
        return say("logs.no_pods", name=entity.name)
    if not count:
        return say("logs.empty", pod=log.pod, container=log.container)
    key = "logs.previous" if log.previous else "logs.current"
    return say(key, pod=log.pod, container=log.container, count=count)
