"""Watches: a stream of changes from a given version on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress

from chatops_bot.adapters.sandbox.api.context import Call
from chatops_bot.adapters.sandbox.api.verbs import select
from chatops_bot.adapters.sandbox.errors import ApiError, bad_request
from chatops_bot.adapters.sandbox.http import Reply
from chatops_bot.adapters.sandbox.label_text import label_matcher
from chatops_bot.adapters.sandbox.objects import Json, labels_of, namespace_of
from chatops_bot.adapters.sandbox.resources import Resource
from chatops_bot.adapters.sandbox.selectors import field_matcher
from chatops_bot.adapters.sandbox.store import Change, Store

_DEFAULT_SECONDS = 1800.0
INITIAL_EVENTS_END = "k8s.io/initial-events-end"


def watch(call: Call) -> Reply:
    """An endless reply. A version that is too old is told inside the stream, as an ERROR event with code 410."""
    seconds = call.request.parameter("timeoutSeconds") or str(_DEFAULT_SECONDS)
    version = call.request.parameter("resourceVersion") or "0"
    try:
        timeout, since = float(seconds), int(version)
    except ValueError as problem:
        raise bad_request(f"invalid watch parameters: {problem}") from problem
    initial = call.request.parameter("sendInitialEvents") == "true" or since == 0
    feed = _Feed(call.backend.registry.store, call.route.resource, _matcher(call))
    try:
        backlog = _initial(call) if initial else feed.replay(since)
    except ApiError as problem:
        feed.close()
        backlog = [_event("ERROR", problem.status)]
        return Reply(200, stream=_once(backlog))
    return Reply(200, stream=_events(call, feed, backlog, timeout))


def _matcher(call: Call) -> Callable[[Json], bool]:
    labelled = label_matcher(call.request.parameter("labelSelector"))
    holds = field_matcher(call.route.resource, call.request.parameter("fieldSelector"))
    namespace = call.route.namespace if call.route.resource.namespaced else ""

    def matches(obj: Json) -> bool:
        if namespace and namespace_of(obj) != namespace:
            return False
        return labelled(labels_of(obj)) and holds(obj)

    return matches


class _Feed:
    """Changes of one resource, as the watcher sees them through its selectors."""

    def __init__(self, store: Store, resource: Resource, matches: Callable[[Json], bool]) -> None:
        self.queue: asyncio.Queue[bytes] = asyncio.Queue()
        self._store = store
        self._resource = resource
        self._matches = matches
        store.listeners.append(self._on_change)

    def replay(self, since: int) -> list[bytes]:
        seen = [self._seen(change) for change in self._store.changes_since(since, self._resource)]
        return [event for event in seen if event is not None]

    def close(self) -> None:
        with suppress(ValueError):
            self._store.listeners.remove(self._on_change)

    def _on_change(self, change: Change) -> None:
        if change.resource == self._resource and (event := self._seen(change)) is not None:
            self.queue.put_nowait(event)

    def _seen(self, change: Change) -> bytes | None:
        """An object that enters the selection is ADDED to this watcher, and one that leaves it is DELETED."""
        before = change.before is not None and self._matches(change.before)
        now = change.type != "DELETED" and self._matches(change.obj)
        if now:
            return _event("MODIFIED" if before else "ADDED", change.obj)
        if not before or change.before is None:
            return None
        # As the watcher last saw it, under the version of the change.
        version = change.obj["metadata"]["resourceVersion"]
        return _event(
            "DELETED", {**change.before, "metadata": {**change.before["metadata"], "resourceVersion": version}}
        )


def _initial(call: Call) -> list[bytes]:
    events = [_event("ADDED", obj) for obj in select(call)]
    if call.request.parameter("sendInitialEvents") == "true":
        events.append(_bookmark(call, {INITIAL_EVENTS_END: "true"}))
    return events


def _bookmark(call: Call, annotations: dict[str, str] | None = None) -> bytes:
    resource = call.route.resource
    metadata: Json = {"resourceVersion": str(call.backend.registry.store.version), "creationTimestamp": None}
    if annotations:
        metadata["annotations"] = annotations
    return _event("BOOKMARK", {"kind": resource.kind, "apiVersion": resource.api_version, "metadata": metadata})


def _event(kind: str, obj: Json) -> bytes:
    return json.dumps({"type": kind, "object": obj}, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


async def _once(events: list[bytes]) -> AsyncGenerator[bytes, None]:
    for event in events:
        yield event


async def _events(call: Call, feed: _Feed, backlog: list[bytes], timeout: float) -> AsyncGenerator[bytes, None]:
    try:
        for event in backlog:
            yield event
        ends = asyncio.get_running_loop().time() + timeout
        while (coming := await _next(feed.queue, ends)) is not None:
            yield coming
        if call.request.parameter("allowWatchBookmarks") in {"true", "1"}:
            yield _bookmark(call)
    finally:
        feed.close()


async def _next(queue: asyncio.Queue[bytes], ends: float) -> bytes | None:
    """None when the time is over. The time limit spans one step of the watch: each runs in a task of its own."""
    try:
        async with asyncio.timeout_at(ends):
            return await queue.get()
    except TimeoutError:
        return None
