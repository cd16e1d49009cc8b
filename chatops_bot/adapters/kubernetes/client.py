"""Calls to one API server as coroutines: raw JSON over a small thread pool, every one of them limited in time."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import urllib3
from kubernetes.client.exceptions import ApiException

from chatops_bot.adapters.kubernetes.connection import Connection
from chatops_bot.adapters.kubernetes.errors import failed_status, lost, refusal
from chatops_bot.domain.impersonation import Actor
from chatops_bot.domain.observed import Raw
from chatops_bot.ports.cluster import ClusterUnavailable, Refused

JSON = "application/json"
METADATA = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json"
"""As `Accept`: an object without what is in it, for what a ConfigMap holds is nobody's business here."""
LARGEST = 64 * 1024 * 1024
_PIECE = 256 * 1024
_WATCHES = 8
"""Connections beside those of the threads: a few watches on the same client are nothing to warn of."""

Query = Iterable[tuple[str, str]]


class _Waiting:
    """Whether a request has begun, and whether anybody still waits for its answer. A thread sets `begun` before it
    looks at `abandoned`, its caller the other way round: one of the two sees the other."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.abandoned = threading.Event()


class Client:
    """One side, reading or writing, of a connection. Threads and sockets are its own until `close`."""

    def __init__(self, connection: Connection, *, writes: bool = False, threads: int = 6) -> None:
        self._connection = connection
        self._limits = connection.limits
        self._writes = writes
        self._api = connection.client(writes=writes, connections=threads + _WATCHES)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="kube-write" if writes else "kube-read")

    async def call(
        self,
        method: str,
        path: str,
        *,
        query: Query = (),
        body: Raw | None = None,
        content: str = "application/json",
        deadline: float | None = None,
        actor: Actor | None = None,
        accept: str = JSON,
    ) -> Raw:
        """The answer's JSON object. Raises the exceptions of ports.cluster. `deadline` in place of the connection's.
        `actor` is in whose name this one request is made, the bot's own where it is None.

        After the deadline the request may still be on its way in its thread, which ends by its own time limits: for
        a write that is an unknown outcome.
        """
        data = await self.fetch(
            method, path, query=query, body=body, content=content, deadline=deadline, actor=actor, accept=accept
        )
        return data if isinstance(data, dict) else {}

    async def fetch(
        self,
        method: str,
        path: str,
        *,
        query: Query = (),
        body: Raw | None = None,
        content: str = "application/json",
        deadline: float | None = None,
        parse: bool = True,
        actor: Actor | None = None,
        accept: str = JSON,
    ) -> Any:
        """As `call`; with `parse` off, the bytes as they came (logs)."""
        waiting = _Waiting()
        deadline = self._limits.deadline_s if deadline is None else deadline
        loop = asyncio.get_running_loop()
        try:
            future = loop.run_in_executor(
                self._pool, self._perform, method, path, list(query), body, content, parse, actor, accept, waiting
            )
        except RuntimeError as problem:
            raise ClusterUnavailable("the connection to the cluster is closed", not_sent=True) from problem
        future.add_done_callback(_retrieved)
        try:
            # Not `wait_for`: before Python 3.12 it swallows a cancellation that comes together with the answer.
            async with asyncio.timeout(deadline):
                return await asyncio.shield(future)
        except TimeoutError as problem:
            waiting.abandoned.set()
            what, never = ("answer", False) if waiting.begun.is_set() else ("free connection", True)
            raise ClusterUnavailable(f"no {what} within {deadline:g} s", reason="Timeout", not_sent=never) from problem
        finally:
            waiting.abandoned.set()

    def _perform(
        self, method: str, path: str, query: list[tuple[str, str]], body: Raw | None, content: str, parse: bool,
        actor: Actor | None, accept: str, waiting: _Waiting,
    ) -> Any:  # fmt: skip
        """In a worker thread: one request, and a second one if a read meets expired credentials."""
        waiting.begun.set()
        if waiting.abandoned.is_set():
            raise ClusterUnavailable("gave up before sending", not_sent=True)
        try:
            status, data = self._exchange(method, path, query, body, content, actor, accept, waiting.abandoned)
            if status == 401:
                self._connection.renew()
                if not self._writes:
                    status, data = self._exchange(method, path, query, body, content, actor, accept, waiting.abandoned)
        except (urllib3.exceptions.HTTPError, ApiException, OSError) as problem:
            raise lost(problem) from problem
        except ValueError as problem:
            raise Refused(f"the request cannot be sent: {problem}", reason="Request") from problem
        if not 200 <= status < 300:
            raise refusal(status, data)
        return _parsed(data) if parse else data

    def _exchange(
        self, method: str, path: str, query: list[tuple[str, str]], body: Raw | None, content: str,
        actor: Actor | None, accept: str, abandoned: threading.Event,
    ) -> tuple[int, bytes]:  # fmt: skip
        response = self.open(method, path, query=query, body=body, content=content, actor=actor, accept=accept)
        pieces: list[bytes] = []
        size, whole = 0, False
        try:
            for piece in response.stream(_PIECE):
                pieces.append(piece)
                size += len(piece)
                if abandoned.is_set() or size > LARGEST:
                    raise urllib3.exceptions.ProtocolError("the answer was too slow or too large")
            whole = True
        finally:
            if not whole:
                response.close()
        response.release_conn()
        return response.status, b"".join(pieces)

    def open(
        self,
        method: str,
        path: str,
        *,
        query: Query = (),
        body: Raw | None = None,
        content: str = "application/json",
        silence: float | None = None,
        actor: Actor | None = None,
        accept: str = JSON,
    ) -> urllib3.BaseHTTPResponse:
        """Blocking: send a request; the answer's body is still to be read (and the answer to be closed). `silence` is
        how many seconds may be between two pieces of it, in place of the connection's limit."""
        headers = {"Accept": accept}
        if body is not None:
            headers["Content-Type"] = content
        if self._writes:
            # A connection that a load balancer dropped in an idle hour would leave a write's outcome unknown.
            headers["Connection"] = "close"
        authorization = self._connection.authorization()
        if authorization:
            headers["Authorization"] = authorization
        request = self._api.param_serialize(method, path, query_params=list(query), header_params=headers, body=body)
        if actor is not None:
            request = _in_the_name_of(actor, request)
        timeout = (self._limits.connect_s, self._limits.read_s if silence is None else silence)
        response = self._api.call_api(*request, _request_timeout=timeout)
        return cast(urllib3.BaseHTTPResponse, response.response)

    async def close(self) -> None:
        """Threads end when their last request has; none is begun any more."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        await asyncio.to_thread(self._api.close)


def _in_the_name_of(actor: Actor, request: tuple[Any, ...]) -> tuple[Any, ...]:
    """A serialized request (method, address, headers, …) with the headers of impersonation. Each group goes into a
    header of its own, which a mapping cannot hold: joined by commas they would be one group."""
    method, url, headers, *rest = request
    acting = urllib3.HTTPHeaderDict(headers)
    acting["Impersonate-User"] = actor.user
    for group in actor.groups:
        acting.add("Impersonate-Group", group)
    return (method, url, acting, *rest)


def _retrieved(future: asyncio.Future[Any]) -> None:
    """Take notice of a failure that nobody waits for any more, so that it is not reported as forgotten."""
    if not future.cancelled():
        future.exception()


def _parsed(data: bytes) -> Any:
    try:
        body = json.loads(data)
    except ValueError as problem:
        raise ClusterUnavailable("the answer is not JSON: a proxy or a login page in between?") from problem
    code = failed_status(body)
    if code:
        raise refusal(code, data)
    return body
