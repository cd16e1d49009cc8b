"""`pods/log`."""

from __future__ import annotations

from chatops_bot.adapters.sandbox.api.context import Call
from chatops_bot.adapters.sandbox.errors import bad_request
from chatops_bot.adapters.sandbox.http import Reply
from chatops_bot.adapters.sandbox.objects import Json
from chatops_bot.adapters.sandbox.podlogs import LogOptions, render
from chatops_bot.adapters.sandbox.timeline import parse


def log(call: Call) -> Reply:
    """Raises 400 where the real server does: which container, not started yet, never restarted, not scheduled."""
    pod = call.stored()
    container = _container(call, pod)
    previous = call.request.parameter("previous") in {"true", "1"}
    if not pod["spec"].get("nodeName"):
        return Reply(200, b"", "text/plain")
    _check_started(pod, container, previous=previous)
    text = render(call.backend.logs.of(pod, container, previous=previous), _options(call))
    return Reply(200, text, "text/plain")


def _container(call: Call, pod: Json) -> str:
    spec, name = pod["spec"], call.request.parameter("container")
    names = [container["name"] for container in spec.get("containers") or []]
    initial = [container["name"] for container in spec.get("initContainers") or []]
    if name:
        if name not in names + initial:
            raise bad_request(f"container {name} is not valid for pod {call.route.name}")
        return name
    if len(names) == 1:
        return str(names[0])
    text = f"a container name must be specified for pod {call.route.name}, choose one of: [{' '.join(names)}]"
    if initial:
        text += f" or one of the init containers: [{' '.join(initial)}]"
    raise bad_request(text)


def _check_started(pod: Json, container: str, *, previous: bool) -> None:
    name = pod["metadata"]["name"]
    statuses = [
        *(pod.get("status", {}).get("containerStatuses") or []),
        *(pod.get("status", {}).get("initContainerStatuses") or []),
    ]
    status: Json = next((status for status in statuses if status["name"] == container), {})
    terminated = bool((status.get("lastState") or {}).get("terminated"))
    if previous and not terminated:
        raise bad_request(f'previous terminated container "{container}" in pod "{name}" not found')
    waiting = (status.get("state") or {}).get("waiting")
    if not previous and not terminated and (waiting or not status):
        reason = (waiting or {}).get("reason", "ContainerCreating")
        shown = {
            "ErrImagePull": "image can't be pulled",
            "ImagePullBackOff": "trying and failing to pull image",
            "InvalidImageName": "image name is invalid",
        }
        raise bad_request(f'container "{container}" in pod "{name}" is waiting to start: {shown.get(reason, reason)}')


def _options(call: Call) -> LogOptions:
    since = None
    if (seconds := _number(call, "sinceSeconds")) is not None:
        since = call.backend.registry.timeline.now() - seconds
    elif moment := call.request.parameter("sinceTime"):
        try:
            since = parse(moment)
        except ValueError as problem:
            raise bad_request(f'sinceTime: invalid value "{moment}"') from problem
    return LogOptions(
        tail=_number(call, "tailLines"),
        since=since,
        limit_bytes=_number(call, "limitBytes"),
        timestamps=call.request.parameter("timestamps") in {"true", "1"},
    )


def _number(call: Call, name: str) -> int | None:
    text = call.request.parameter(name)
    if not text:
        return None
    if not text.isdigit():
        raise bad_request(f'{name}: invalid value "{text}": must be greater than or equal to 0')
    return int(text)
