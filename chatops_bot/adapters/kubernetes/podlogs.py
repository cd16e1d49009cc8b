"""One container's log: which pod and container is worth reading, and the text made fit to be shown."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from chatops_bot.adapters.kubernetes.client import Client
from chatops_bot.adapters.kubernetes.paths import resource_path
from chatops_bot.domain.diagnosis.findings import rank_of
from chatops_bot.domain.diagnosis.pods import finding_of, is_leftover, is_ready
from chatops_bot.domain.masking import mask, without_keys
from chatops_bot.domain.objects import annotation, at, has, instant, items, name_of, number, text
from chatops_bot.domain.observed import LogQuery, LogText, Raw
from chatops_bot.ports.cluster import NotFound, Refused

LARGEST = 1024 * 1024
"""`limitBytes` cuts the END of what is returned, so it is a fuse only: when it blows, fewer lines are asked for."""
MOST_LINES = 1000
SEARCHED_LINES = 2000
"""Lines searched by `grep`."""
LINE = 2000
SHOWN = 64 * 1024
"""Characters: more than any card holds, and little enough to be masked between two breaths of the event loop."""

_TERMINAL = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)|[@-Z\\^_])")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


class Choice(msgspec.Struct, frozen=True):
    """What to read and why, `note` being a key of the texts."""

    pod: str
    container: str
    previous: bool
    note: str = ""


def choose(pods: list[Raw], query: LogQuery, now_ms: int) -> Choice | None:
    """The pod asked for, or the one most worth reading; None where there are no pods.

    Raises `NotFound` for a pod or container that does not exist, with `Pod` or `Container` as the reason.
    """
    if query.pod:
        pod = next((pod for pod in pods if name_of(pod) == query.pod), None)
        if pod is None:
            raise NotFound(f'pod "{query.pod}" is not one of this workload', status=404, reason="Pod")
    elif pods:
        pod = min(pods, key=lambda one: _worth(one, now_ms))
    else:
        return None
    container = query.container or _container(pod)
    status = _status(pod, container)
    if query.container and not status and container not in _names(pod):
        raise NotFound(f'container "{container}" is not in pod "{name_of(pod)}"', status=404, reason="Container")
    crashing = text(status, "state", "waiting", "reason") == "CrashLoopBackOff"
    several = not query.pod and len(pods) > 1
    note = "" if not several else "logs.note.one_of" if is_ready(pod) else "logs.note.worst_pod"
    if crashing and not query.previous:
        return Choice(name_of(pod), container, previous=True, note="logs.note.crashed")
    return Choice(name_of(pod), container, previous=query.previous, note=note)


async def read_log(client: Client, namespace: str, choice: Choice, query: LogQuery) -> LogText:
    """Raises `Refused`, `ClusterUnavailable`; a container without a log is no error."""
    try:
        return await _read(client, namespace, choice, query)
    except NotFound as problem:  # of the pod, which was there a moment ago: the workload itself is not gone
        raise Refused(problem.message, status=problem.status, reason="Pod") from problem
    except Refused as problem:
        if problem.status != 400:
            raise
        if choice.previous and "previous terminated container" in problem.message:
            current = msgspec.structs.replace(choice, previous=False, note="logs.note.no_previous")
            return await read_log(client, namespace, current, query)
        if "waiting to start" in problem.message:
            return LogText(choice.pod, choice.container, "", choice.previous, "logs.note.waiting")
        raise


class Excerpt(msgspec.Struct, frozen=True):
    """The last rows of a log that the query lets through; `cut` where it was too large for all that were asked for."""

    rows: list[str]
    cut: bool = False


async def _read(client: Client, namespace: str, choice: Choice, query: LogQuery) -> LogText:
    found = await excerpt(client, namespace, choice, query)
    kept = newest(found.rows)
    note = choice.note
    if found.cut or len(kept) < len(found.rows):
        note = "logs.note.cut"
    elif query.grep and not found.rows:
        note = "logs.note.nothing_matches"
    return LogText(choice.pod, choice.container, mask("\n".join(kept)), choice.previous, note)


async def excerpt(
    client: Client, namespace: str, choice: Choice, query: LogQuery, *, largest: int = LARGEST, stamped: bool = False
) -> Excerpt:
    """One container's log as rows, private keys hidden in them and everything else as it is. `largest` in bytes;
    `stamped` rows begin with the time they were written at."""
    wanted = min(max(query.tail, 1), MOST_LINES)
    lines = SEARCHED_LINES if query.grep else wanted
    path = resource_path("", "v1", "pods", namespace=namespace, name=choice.pod, subresource="log")
    data, cut = b"", False
    while lines:
        parameters = [*_parameters(choice, query, lines, largest), *([("timestamps", "true")] if stamped else [])]
        data = await client.fetch("GET", path, query=parameters, parse=False)
        if len(data) < largest - 64:
            break
        cut, lines = True, lines // 2
    rows = without_keys(cleaned(data).rstrip("\n").split("\n")) if data else []
    if query.grep:
        rows = [row for row in rows if query.grep.casefold() in row.casefold()]
    return Excerpt(rows[-wanted:], cut)


def newest(rows: list[str]) -> list[str]:
    """The last rows, as many as may be shown."""
    size, first = 0, len(rows)
    while first and size + len(rows[first - 1]) < SHOWN:
        first -= 1
        size += len(rows[first]) + 1
    return rows[first:]


def _parameters(choice: Choice, query: LogQuery, lines: int, largest: int) -> Iterator[tuple[str, str]]:
    yield "container", choice.container
    yield "tailLines", str(lines)
    yield "limitBytes", str(largest)
    if choice.previous:
        yield "previous", "true"
    if query.since > 0:
        yield "sinceSeconds", str(query.since)


def cleaned(data: bytes) -> str:
    """Text without terminal codes and control characters; what a progress bar overwrote is gone, as on a screen."""
    decoded = _TERMINAL.sub("", data.decode("utf-8", "replace")).replace("\r\n", "\n")
    rows = (_CONTROL.sub("", row.rstrip("\r").rpartition("\r")[2]) for row in decoded.split("\n"))
    return "\n".join(row if len(row) <= LINE else row[:LINE] + "…" for row in rows)


def _worth(pod: Raw, now_ms: int) -> tuple[bool, bool, int, int, int]:
    """Order in which pods are worth reading: troubled before well, and only then restarts and age."""
    finding = finding_of(pod, now_ms)
    restarts = max((number(one, "restartCount") for one in items(pod, "status", "containerStatuses")), default=0)
    rank = rank_of(finding) if finding is not None and finding.severity != "info" else 99
    age = -instant(at(pod, "metadata", "creationTimestamp"))
    return (is_leftover(pod) or not _started(pod), is_ready(pod), rank, -restarts, age)


def _started(pod: Raw) -> bool:
    """Whether any container has run: a pod that waits for its image has no log, whatever is wrong with it."""
    statuses = [*items(pod, "status", "initContainerStatuses"), *items(pod, "status", "containerStatuses")]
    places = (("state", "running"), ("state", "terminated"), ("lastState", "terminated"))
    return any(has(status, *place) for status in statuses for place in places)


def _container(pod: Raw) -> str:
    """The container that is in trouble; else the one that the pod names as its default; else the first."""
    for status in [*items(pod, "status", "initContainerStatuses"), *items(pod, "status", "containerStatuses")]:
        if text(status, "state", "waiting", "reason") == "CrashLoopBackOff":
            return text(status, "name")
        ended = at(status, "state", "terminated")
        if isinstance(ended, dict) and number(ended, "exitCode"):
            return text(status, "name")
    default = annotation(pod, "kubectl.kubernetes.io/default-container")
    names = _names(pod)
    return default if default in names else (names or [""])[0]


def _names(pod: Raw) -> list[str]:
    fields = ("containers", "initContainers", "ephemeralContainers")
    return [text(spec, "name") for field in fields for spec in items(pod, "spec", field)]


def _status(pod: Raw, container: str) -> Raw:
    statuses = [*items(pod, "status", "containerStatuses"), *items(pod, "status", "initContainerStatuses")]
    return next((status for status in statuses if text(status, "name") == container), {})
