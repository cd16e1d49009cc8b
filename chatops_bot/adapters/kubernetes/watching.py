"""The set of workloads of a cluster: listed, and watched for as long as the bot runs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from chatops_bot.adapters.kubernetes.client import Client
from chatops_bot.adapters.kubernetes.installed import NotInstalled
from chatops_bot.adapters.kubernetes.listing import Name, Scope, WorkloadLists, key_of
from chatops_bot.adapters.kubernetes.streams import GONE, WatchStream
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.objects import text
from chatops_bot.domain.observed import Raw
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.cluster import ClusterError, Refused

LONGEST_PAUSE_S = 30.0
REFUSED_PAUSE_S = 60.0
"""Until a list that is not permitted is tried again: permissions may be granted later."""
ABSENT_PAUSE_S = 60.0
"""Until a kind that is not installed is looked for again."""
EMPTY_CLOSES = 3
"""Watches that end at once without a word, this many in a row, are taken for a stale version: list anew (some servers
do so instead of answering 410, kubernetes #137089)."""
_log = logging.getLogger(__name__)

Changed = Callable[[list[Entity]], Awaitable[None]]


class WorkloadWatch:
    """Watches what `lists` lists, and tells whenever the set of it changes."""

    def __init__(self, client: Client, lists: WorkloadLists, *, clock: Clock) -> None:
        self._client = client
        self._lists = lists
        self._clock = clock
        self._names: dict[Scope, set[Name]] = {}
        self._refused: dict[Scope, str] = {}
        self._dirty = asyncio.Event()
        self._streams: set[WatchStream] = set()
        self._closed = False

    async def run(self, changed: Changed) -> None:
        """Call `changed` with all workloads first when each has been listed or refused once, then on every change.

        Until cancelled or closed.
        """
        scopes = await self._patiently(self._lists.scopes)
        ready = [asyncio.Event() for _ in scopes]
        async with asyncio.TaskGroup() as group:
            for scope, listed in zip(scopes, ready, strict=True):
                group.create_task(self._follow(scope, listed))
            for listed in ready:
                await listed.wait()
            group.create_task(self._tell(changed))

    async def close(self) -> None:
        """Stop all watches; waits briefly for their threads."""
        self._closed = True
        self._dirty.set()
        streams = list(self._streams)
        for stream in streams:
            stream.stop()
        for stream in streams:
            await asyncio.to_thread(stream.join, 5.0)

    async def _follow(self, scope: Scope, listed: asyncio.Event) -> None:
        """List, watch, and begin again, until closed. Every failure costs a pause, which grows while nothing works."""
        failures = 0
        begun = self._clock.monotonic() - 1.0
        while not self._closed:
            if self._clock.monotonic() - begun < 1.0:
                await self._clock.sleep(1.0)  # a server that finds every version too old must not be asked all the time
            begun = self._clock.monotonic()
            try:
                names, version = await self._lists.names(scope)
                self._set(scope, names)
                listed.set()
                failures = 0
                self._refused.pop(scope, None)
                await self._watch(scope, version)
            except NotInstalled:
                self._set(scope, set())
                listed.set()
                await self._clock.sleep(ABSENT_PAUSE_S)
            except Refused as problem:
                listed.set()
                if problem.status != GONE:
                    self._warn(scope, problem.message)
                    await self._clock.sleep(REFUSED_PAUSE_S)
            except ClusterError as problem:
                _log.warning("watching %s of %s: %s", scope.kind, self._lists.cluster, problem.message)
                await self._clock.sleep(min(LONGEST_PAUSE_S, 2.0**failures))
                failures += 1

    def _warn(self, scope: Scope, why: str) -> None:
        """Once until it is permitted: what is refused on purpose, as nodes often are, would fill the log."""
        if self._refused.get(scope) != why:
            self._refused[scope] = why
            _log.warning("%s of %s cannot be watched: %s", scope.kind, self._lists.cluster, why)

    async def _watch(self, scope: Scope, version: str) -> None:
        """Watch after watch from the last version seen, until a version is too old or the watches stay empty."""
        empty = 0
        while empty < EMPTY_CLOSES and not self._closed:
            started = self._clock.monotonic()
            seen, version = await self._one_watch(scope, version)
            empty = empty + 1 if not seen and self._clock.monotonic() - started < 1.0 else 0

    async def _one_watch(self, scope: Scope, version: str) -> tuple[bool, str]:
        stream = WatchStream(self._client, scope.path, version=version)
        self._streams.add(stream)
        seen = False
        try:
            async for kind, obj in stream:
                seen = True
                version = text(obj, "metadata", "resourceVersion") or version
                self._apply(scope, kind, obj)
        finally:
            stream.stop()
            self._streams.discard(stream)
        return seen, version

    def _apply(self, scope: Scope, kind: str, obj: Raw) -> None:
        names = self._names.setdefault(scope, set())
        named = self._lists.served({key_of(obj)}, scope)
        if kind == "DELETED":
            self._set(scope, names - named)
        elif kind in ("ADDED", "MODIFIED"):
            self._set(scope, names | named)

    def _set(self, scope: Scope, names: set[Name]) -> None:
        if self._names.get(scope) != names:
            self._names[scope] = names
            self._dirty.set()

    async def _tell(self, changed: Changed) -> None:
        self._dirty.clear()
        while not self._closed:
            await changed(self._lists.named(self._names))
            await self._dirty.wait()
            self._dirty.clear()

    async def _patiently(self, ask: Callable[[], Awaitable[list[Scope]]]) -> list[Scope]:
        while True:
            try:
                return await ask()
            except ClusterError as problem:
                _log.warning("%s cannot be asked: %s", self._lists.cluster, problem.message)
                await self._clock.sleep(5.0)
