"""What containers have written, and the part of it that was asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from tests.cluster.kubelet.client import Json
from tests.cluster.kubelet.clock import nano
from tests.cluster.kubelet.status import ContainerState

LOGS = "kubelet.test/logs"
"""On pods: the text that a container which is only said to run has written."""


@dataclass(frozen=True)
class Line:
    at: datetime
    text: str


class Refused(Exception):
    """There is no such log; the kubelet's own words."""


@dataclass(frozen=True)
class Wanted:
    """Query of a log request; None where nothing is said."""

    tail: int | None
    since: datetime | None
    limit: int | None
    timestamps: bool
    previous: bool


def wanted(query: Mapping[str, str], at: datetime) -> Wanted:
    """Raises ValueError for what is no number or no time."""
    since = None
    if "sinceSeconds" in query:
        since = at - timedelta(seconds=int(query["sinceSeconds"]))
    elif "sinceTime" in query:
        since = datetime.fromisoformat(query["sinceTime"])
    return Wanted(
        int(query["tailLines"]) if "tailLines" in query else None,
        since,
        int(query["limitBytes"]) if "limitBytes" in query else None,
        query.get("timestamps") == "true",
        query.get("previous") == "true",
    )


def cut(lines: Sequence[Line], part: Wanted) -> bytes:
    """The tail is taken first, then what is too old left out, then bytes are counted: the kubelet's order."""
    if part.tail is not None:
        lines = lines[max(len(lines) - part.tail, 0) :]
    if part.since is not None:
        lines = [line for line in lines if line.at >= part.since]
    text = "".join(f"{nano(line.at)} {line.text}\n" if part.timestamps else f"{line.text}\n" for line in lines)
    return text.encode()[: part.limit]


def run_to_show(pod: str, container: ContainerState, *, previous: bool) -> int:
    """Which run, counted from zero, has the log that is asked for. Raises `Refused` (`validateContainerLogStatus`)."""
    name, ended_before, waits = container.name, "terminated" in container.last, "waiting" in container.state
    if previous and not ended_before:
        raise Refused(f'previous terminated container "{name}" in pod "{pod}" not found')
    if ended_before or not waits:
        # One that waits to be started again has run as often as it was restarted, and once more.
        return container.restarts - (previous and not waits)
    why = {
        "ErrImagePull": "image can't be pulled",
        "ImagePullBackOff": "trying and failing to pull image",
    }.get(container.waiting, container.waiting)
    raise Refused(f'container "{name}" in pod "{pod}" is waiting to start: {why}')


def pretended(pod: Json, container: ContainerState, at: datetime) -> list[Line]:
    """Of a container that is only said to run; written when the pod came to be in its stage."""
    text = (pod["metadata"].get("annotations") or {}).get(LOGS)
    if text is None:
        text = f"{container.name}: starting\n{container.name}: reading the configuration\n"
        if container.last or (container.terminated and not container.succeeded):
            text += f"{container.name}: fatal: cannot go on\n"
        elif container.terminated:
            text += f"{container.name}: done\n"
        else:
            text += f"{container.name}: ready\n"
    return [Line(at, line) for line in text.removesuffix("\n").split("\n")] if text else []
