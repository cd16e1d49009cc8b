"""One blocking watch in a thread of its own, read as an asynchronous iterator, and ended from outside."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from contextlib import suppress

import urllib3
from kubernetes.client.exceptions import ApiException

from chatops_bot.adapters.kubernetes.client import Client
from chatops_bot.adapters.kubernetes.errors import lost, refusal
from chatops_bot.domain.objects import mapping, text
from chatops_bot.domain.observed import Raw
from chatops_bot.ports.cluster import ClusterError, Refused

WATCH_S = 60
"""The server ends a watch after so long; a silent connection is therefore noticed a little later."""
SILENCE_S = WATCH_S + 15.0
GONE = 410

Change = tuple[str, Raw]
"""`ADDED`, `MODIFIED`, `DELETED` or `BOOKMARK`, and the object."""


class WatchStream:
    """`async for kind, obj in stream`; ends when the server ends the watch.

    Raises `Refused` with status 410 where the version is too old, and the exceptions of ports.cluster. `stop` may be
    called from anywhere: thread and iteration end at once, also in the middle of a silence.
    """

    def __init__(self, client: Client, path: str, *, version: str, silence: float = SILENCE_S) -> None:
        self._client = client
        self._silence = silence
        self._path = path
        self._version = version
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[Change | ClusterError | None] = asyncio.Queue()
        self._response: urllib3.BaseHTTPResponse | None = None
        self._stopped = threading.Event()
        self._guard = threading.Lock()
        self._thread = threading.Thread(target=self._run, name=f"kube-watch {path}", daemon=True)

    async def __aiter__(self) -> AsyncIterator[Change]:
        self._thread.start()
        while True:
            item = await self._queue.get()
            if item is None:
                return
            if isinstance(item, ClusterError):
                raise item
            yield item

    def stop(self) -> None:
        """End the thread, by waking it from its read."""
        self._stopped.set()
        with self._guard:
            response = self._response
        if response is not None:
            # The thread may have finished with the socket between the two lines.
            with suppress(ValueError, RuntimeError, OSError):
                response.shutdown()

    def join(self, timeout: float) -> bool:
        """Blocking: whether the thread has ended."""
        if self._thread.is_alive():
            self._thread.join(timeout)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            self._read()
        except (urllib3.exceptions.HTTPError, ApiException, OSError) as problem:
            self._put(lost(problem))
        except ClusterError as problem:
            self._put(problem)
        except ValueError as problem:
            self._put(Refused(f"the watch sent no JSON: {problem}", reason="Watch"))
        else:
            self._put(None)

    def _read(self) -> None:
        query = [("watch", "true"), ("allowWatchBookmarks", "true"), ("timeoutSeconds", str(WATCH_S))]
        response = self._client.open(
            "GET", self._path, query=[*query, ("resourceVersion", self._version)], silence=self._silence
        )
        with self._guard:
            self._response = response
        try:
            if self._stopped.is_set():
                return
            if response.status != 200:
                raise refusal(response.status, response.read(64 * 1024) or b"")
            self._lines(response)
        finally:
            with self._guard:
                self._response = None
            response.close()

    def _lines(self, response: urllib3.BaseHTTPResponse) -> None:
        rest = b""
        # amt=None of a chunked answer gives each chunk as it comes.
        for piece in response.stream(amt=None):
            if self._stopped.is_set():
                return
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                if line.strip():
                    self._take(json.loads(line))

    def _take(self, event: Raw) -> None:
        kind, obj = text(event, "type"), mapping(event, "object")
        if kind == "ERROR":
            raise refusal(int(obj.get("code") or 500), json.dumps(obj).encode())
        self._put((kind, obj))

    def _put(self, item: Change | ClusterError | None) -> None:
        if self._stopped.is_set():
            item = None  # the error is that of being woken
        # The loop may be closed already when a late thread ends.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._queue.put_nowait, item)
