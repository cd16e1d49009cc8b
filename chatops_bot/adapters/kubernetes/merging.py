"""The logs of all pods of a workload as one, in the order of time."""

from __future__ import annotations

import asyncio
import heapq
import re
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from chatops_bot.adapters.kubernetes.client import Client
from chatops_bot.adapters.kubernetes.passes import AT_ONCE, LATE, SURVEY_S
from chatops_bot.adapters.kubernetes.podlogs import Choice, Excerpt, choose, excerpt, newest
from chatops_bot.domain.diagnosis.pods import is_leftover, is_ready
from chatops_bot.domain.masking import mask
from chatops_bot.domain.objects import name_of
from chatops_bot.domain.observed import LogQuery, LogText, Raw
from chatops_bot.ports.cluster import ClusterError

MOST_PODS = 20
LARGEST_EACH = 256 * 1024
"""Bytes of one pod's log: twenty of them are no more than a page of pods."""

_STAMPED: Final = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z ?(.*)", re.DOTALL)
"""A row as the kubelet stamps it: RFC 3339 with as many digits of a second as it takes."""

Row = tuple[str, str]
"""A stamp that sorts, and the row."""


async def merged_logs(client: Client, namespace: str, pods: list[Raw], query: LogQuery, now_ms: int) -> LogText:
    """At most MOST_PODS logs, those of pods in trouble first; whichever cannot be read or is late is named."""
    ranked = sorted(pods, key=lambda pod: (is_leftover(pod), is_ready(pod), name_of(pod)))
    choices = [choice for pod in ranked[:MOST_PODS] if (choice := _choice(pod, query, now_ms)) is not None]
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(choice: Choice) -> Excerpt:
        async with gate:
            return await excerpt(client, namespace, choice, query, largest=LARGEST_EACH, stamped=True)

    tasks = {choice.pod: asyncio.ensure_future(one(choice)) for choice in choices}
    if tasks:
        try:
            await asyncio.wait(tasks.values(), timeout=SURVEY_S)
        finally:
            for task in tasks.values():
                task.cancel()
    read: dict[str, Excerpt] = {}
    failed: list[str] = []
    for pod, task in tasks.items():
        if not task.done() or task.cancelled():
            failed.append(f"{pod}:{LATE}")
        elif isinstance(problem := task.exception(), ClusterError):
            failed.append(f"{pod}:{_why(problem)}")
        else:
            read[pod] = task.result()
    return _merged(read, failed, query, left_out=max(0, len(ranked) - MOST_PODS))


def _why(problem: ClusterError) -> str:
    """`waiting` and `previous` where there is nothing to read; else the status, or what is known instead."""
    if "waiting to start" in problem.message:
        return "waiting"
    if "previous terminated container" in problem.message:
        return "previous"
    return str(problem.status or problem.reason or "no answer")


def _choice(pod: Raw, query: LogQuery, now_ms: int) -> Choice | None:
    """The run that was asked for, not what one would look at of a single pod: of a crashing one the present run has
    what it said last."""
    choice = choose([pod], msgspec.structs.replace(query, pod=""), now_ms)
    return None if choice is None else msgspec.structs.replace(choice, previous=query.previous, note="")


def _merged(read: dict[str, Excerpt], failed: list[str], query: LogQuery, *, left_out: int) -> LogText:
    streams = [_stamped(pod, found.rows) for pod, found in read.items()]
    rows = [row for _, row in heapq.merge(*streams, key=lambda one: one[0])]
    kept = newest(rows)
    note = "logs.note.no_pods" if not read and not failed else ""
    if any(found.cut for found in read.values()) or len(kept) < len(rows):
        note = "logs.note.cut"
    elif read and not rows:
        note = "logs.note.nothing_matches" if query.grep else "logs.note.empty"
    return LogText(
        pod="",
        container=query.container,
        text=mask("\n".join(kept)),
        previous=query.previous,
        note=note,
        pods=tuple(read),
        failed=tuple(failed),
        left_out=left_out,
    )


def _stamped(pod: str, rows: Iterable[str]) -> Iterator[Row]:
    """A row without a stamp, as the rest of one that was cut, stays behind the one before it."""
    stamp = ""
    for row in rows:
        found = _STAMPED.match(row)
        if found is not None:
            stamp = f"{found[1]}.{(found[2] or '').ljust(9, '0')}"
        yield stamp, f"{pod} {found[3] if found is not None else row}"
