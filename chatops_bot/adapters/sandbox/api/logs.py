"""`pods/log`."""

from __future__ import annotations

from chatops_bot.adapters.sandbox.api.context import Call
from chatops_bot.adapters.sandbox.errors import bad_request, invalid
from chatops_bot.adapters.sandbox.http import Reply
from chatops_bot.adapters.sandbox.objects import Json
from chatops_bot.adapters.sandbox.podlogs import LogOptions, render
from chatops_bot.adapters.sandbox.resources import Resource
from chatops_bot.adapters.sandbox.timeline import parse
from chatops_bot.adapters.sandbox.validation import value_cause


def log(call: Call) -> Reply:
    """Raises 400 where the real server does: which container, not started yet, never restarted, not scheduled."""
    _check_options(call)
    pod = call.stored()
    container = _container(call, pod)
    previous = call.request.parameter("previous") in {"true", "1"}
    if not pod["spec"].get("nodeName"):
        return Reply(204, b"", "text/plain")
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
    listed = " ".join(initial + names)
    raise bad_request(f"a container name must be specified for pod {call.route.name}, choose one of: [{listed}]")


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
    if (seconds := call.number("sinceSeconds")) is not None:
        since = call.backend.registry.timeline.now() - seconds
    elif moment := call.request.parameter("sinceTime"):
        try:
            since = parse(moment)
        except ValueError as problem:
            raise bad_request(f'sinceTime: invalid value "{moment}"') from problem
    return LogOptions(
        tail=call.number("tailLines"),
        since=since,
        limit_bytes=call.number("limitBytes"),
        timestamps=call.request.parameter("timestamps") in {"true", "1"},
    )


def _check_options(call: Call) -> None:
    """Raises the 422 that lists everything wrong with the numbers."""
    causes = []
    tail, limit, seconds = (call.number(name) for name in ("tailLines", "limitBytes", "sinceSeconds"))
    if tail is not None and tail < 0:
        causes.append(value_cause("tailLines", tail, "must be greater than or equal to 0"))
    if limit is not None and limit < 1:
        causes.append(value_cause("limitBytes", limit, "must be greater than 0"))
    if seconds is not None and call.request.parameter("sinceTime"):
        text = "Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified"
        causes.append(("[]", "FieldValueForbidden", text))
    elif seconds is not None and seconds < 1:
        causes.append(value_cause("sinceSeconds", seconds, "must be greater than 0"))
    if causes:
        raise invalid(_OPTIONS, call.route.name, causes)


_OPTIONS = Resource("", "v1", "", "PodLogOptions")
