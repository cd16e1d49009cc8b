"""A stage that is written out: a pod whose status and Events are said word by word."""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta
from typing import Any

from tests.cluster.kubelet.client import Json
from tests.cluster.kubelet.clock import stamp
from tests.cluster.kubelet.events import Note
from tests.cluster.kubelet.stages import Scene, containers_of, play
from tests.cluster.kubelet.status import ContainerState, Whole

_AGO = re.compile(r"@-(\d+)")
"""A time, as so many seconds before the stage began."""


def scene_of(pod: Json, stage: str, *, address: str, since: datetime, at: datetime) -> Scene:
    """`stage` as `stage_of` gives it. One written out holds, all of it optional: `containers`, by name what their status
    says (`state`, `lastState`, `ready`, `started`, `restartCount`), the others run; `events` with `reason`, `message`,
    `count`, `container`, and `type` unless Normal; `phase`, `reason`, `message`; `sandbox` false where there is no
    address yet."""
    if not stage.startswith("{"):
        return play(pod, stage, address=address, since=since, at=at)
    told = _dated(json.loads(stage), at)
    running = play(pod, "Running", address=address, since=since, at=at)
    said = told.get("containers", {})
    initial, main = containers_of(pod, "initContainers"), containers_of(pod, "containers")
    for item, before in zip([*initial, *main], [*running.initial, *running.main], strict=True):
        item.state, item.ready, item.started = before.state, before.ready, before.started
        _say(item, said.get(item.name, {}))
    whole = Whole(
        address,
        since,
        told.get("phase", ""),
        told.get("reason", ""),
        told.get("message", ""),
        sandbox=told.get("sandbox", True),
    )
    return Scene(initial, main, whole, [_note(event) for event in told.get("events", [])])


def _say(item: ContainerState, status: Json) -> None:
    if "state" in status:
        item.state = status["state"]
        item.ready = item.started = "running" in item.state
    item.last = status.get("lastState", item.last)
    item.ready = status.get("ready", item.ready)
    item.started = status.get("started", item.started)
    item.restarts = status.get("restartCount", item.restarts)


def _note(event: Json) -> Note:
    warning = event.get("type", "Normal") == "Warning"
    return Note(
        event["reason"], event["message"], warning, container=event.get("container", ""), count=event.get("count", 1)
    )


def _dated(value: Any, at: datetime) -> Any:
    match value:
        case dict():
            return {key: _dated(row, at) for key, row in value.items()}
        case list():
            return [_dated(row, at) for row in value]
        case str() if found := _AGO.fullmatch(value):
            return stamp(at - timedelta(seconds=int(found[1])))
    return value
