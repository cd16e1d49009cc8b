"""A reverse proxy between the bot and the API server that makes bad weather: for chosen requests, before they are
passed on or after the API server has carried them out.

It runs on the test's event loop, listens on the loopback with a certificate that the cluster's clients trust, and
keeps a record of everything that came by. What the API server itself does wrong (it dies, it refuses connections) is
passed on as it is: the client's connection breaks off.
"""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import NoReturn, Self

import aiohttp
from aiohttp import web

from tests.cluster.controlplane import ControlPlane

STRATEGIC = "application/strategic-merge-patch+json"
MERGE = "application/merge-patch+json"
HTML = "<html><body>Please sign in to continue</body></html>"

_HOP = frozenset({"connection", "keep-alive", "transfer-encoding", "content-length", "te", "trailer", "upgrade"})


@dataclass(eq=False)
class Passing:
    """One request. `passed`: it was sent on; `status`: what the API server answered to it, 0 for nothing."""

    method: str
    path: str
    query: dict[str, str]
    content: str
    passed: bool = False
    status: int = 0
    transport: asyncio.Transport | None = field(default=None, repr=False)

    @property
    def watch(self) -> bool:
        return self.query.get("watch") == "true"


Where = Callable[[Passing], bool]


def requests(method: str, path: str = "") -> Where:
    """By method and a part of the path; watches are chosen by `watches` alone."""
    return lambda one: one.method == method and path in one.path and not one.watch


def dry_runs(path: str = "") -> Where:
    """Patches that are only tried."""
    return lambda one: one.method == "PATCH" and path in one.path and "dryRun" in one.query


def writes(path: str = "") -> Where:
    """The patches of plans."""
    return lambda one: (
        one.method == "PATCH" and path in one.path and "dryRun" not in one.query and one.content == STRATEGIC
    )


def touches(path: str = "") -> Where:
    """Patches that only move an object's version."""
    return lambda one: one.method == "PATCH" and path in one.path and one.content == MERGE


def watches(path: str = "") -> Where:
    return lambda one: one.watch and path in one.path


@dataclass
class Held:
    """Requests that wait for a word, on their way there or back."""

    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    _go: asyncio.Event = field(default_factory=asyncio.Event)
    cut: bool = False

    async def wait(self) -> None:
        """Until the first of them is here; the limit only ends a test that has failed."""
        async with asyncio.timeout(30):
            await self.arrived.wait()

    def release(self) -> None:
        """They go on, and so does whatever comes later."""
        self._go.set()

    def drop(self) -> None:
        """Their connections break off; one that had not been passed on never is."""
        self.cut = True
        self._go.set()

    async def passing(self) -> None:
        self.arrived.set()
        await self._go.wait()


@dataclass
class Fault:
    """What happens to the next `left` requests that it is for, instead of passing them on or (`after`) of passing
    the answer back: the first of `held`, `reset`, `half` (a body that breaks off) and `answer` that is set."""

    where: Where
    after: bool
    left: int
    held: Held | None = None
    reset: bool = False
    half: bool = False
    status: int = 0
    body: str = ""
    headers: dict[str, str] = field(default_factory=dict)


class Broken(Exception):
    """The connection to the client is to break off."""


class Proxy:
    """Usable inside `async with`. The newest fault that fits a request is the one that it meets."""

    def __init__(self, controlplane: ControlPlane) -> None:
        self._target = controlplane.url
        self._serving = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self._serving.load_cert_chain(*controlplane.certificate("proxy"))
        self._trusting = ssl.create_default_context(cafile=str(controlplane.ca_file))
        self._server = web.Server(self._handle, access_log=None)
        self._runner = web.ServerRunner(self._server, shutdown_timeout=0.1)
        self._site: web.TCPSite | None = None
        self._port = 0
        self._session: aiohttp.ClientSession
        self._faults: list[Fault] = []
        self._forgotten: set[str] = set()
        self._open: set[Passing] = set()
        self.seen: list[Passing] = []

    async def __aenter__(self) -> Self:
        connector = aiohttp.TCPConnector(ssl=self._trusting, limit=0)
        self._session = aiohttp.ClientSession(
            connector=connector, auto_decompress=False, timeout=aiohttp.ClientTimeout(), trust_env=False
        )
        await self._runner.setup()
        await self.listen()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.refuse()
        self.clear()
        await self._runner.shutdown()
        await self._runner.cleanup()
        await self._session.close()
        await asyncio.sleep(0)  # what was aborted is closed on the loop's next turns

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self._port}"

    async def listen(self) -> None:
        """Take connections, on the same port as before."""
        self._site = web.TCPSite(self._runner, "127.0.0.1", self._port, ssl_context=self._serving)
        await self._site.start()
        self._port = self._runner.addresses[0][1]

    async def refuse(self) -> None:
        """As where nothing listens: no connection is taken any more, and the present ones break off."""
        if self._site is not None:
            await self._site.stop()
            self._site = None
        for connection in self._server.connections:
            if connection.transport is not None:
                connection.transport.abort()

    # The weather.

    def answer(
        self,
        status: int,
        where: Where,
        *,
        after: bool = False,
        times: int = 1,
        body: str = "",
        headers: dict[str, str] | None = None,
    ) -> None:
        """This answer instead of the API server's."""
        said = {"kind": "Status", "status": "Failure", "message": f"the weather says {status}", "code": status}
        text = body or json.dumps(said)
        self._faults.append(Fault(where, after, times, status=status, body=text, headers=headers or {}))

    def html(self, where: Where, *, after: bool = False, times: int = 1) -> None:
        """A page to sign in at, with status 200."""
        self.answer(200, where, after=after, times=times, body=HTML, headers={"Content-Type": "text/html"})

    def reset(self, where: Where, *, after: bool = False, times: int = 1) -> None:
        """The connection breaks off without an answer."""
        self._faults.append(Fault(where, after, times, reset=True))

    def half(self, where: Where, *, times: int = 1) -> None:
        """The connection breaks off in the middle of the answer's body."""
        self._faults.append(Fault(where, True, times, half=True))

    def hold(self, where: Where, *, after: bool = False, times: int = 1) -> Held:
        """They wait until the test lets them go, however long the client has gone by then."""
        held = Held()
        self._faults.append(Fault(where, after, times, held=held))
        return held

    def forget(self, token: str) -> None:
        """From now on the API server does not know this token: at once, which a real revocation takes seconds for."""
        self._forgotten.add(f"Bearer {token}")

    def cut(self, where: Where) -> int:
        """Break off what is under way now; how many that were."""
        found = [one for one in self._open if where(one)]
        for one in found:
            if one.transport is not None:
                one.transport.abort()
        return len(found)

    def clear(self) -> None:
        """Fine weather; what is held goes on."""
        for fault in self._faults:
            if fault.held is not None:
                fault.held.release()
        self._faults.clear()

    # The record.

    def count(self, where: Where, *, passed: bool | None = None) -> int:
        """How many came by, or were (not) passed on to the API server."""
        return sum(where(one) and passed in (None, one.passed) for one in self.seen)

    def under_way(self, where: Where) -> int:
        return sum(map(where, self._open))

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        body = await request.read()
        one = Passing(
            method=request.method,
            path=request.path,
            query=dict(request.query),
            content=request.headers.get("Content-Type", ""),
            transport=request.transport,
        )
        self.seen.append(one)
        self._open.add(one)
        try:
            return await self._weathered(request, one, body)
        except (Broken, aiohttp.ClientError, OSError):
            if request.transport is not None:
                request.transport.abort()
            return web.Response(status=502)  # nobody is there to read it
        finally:
            self._open.discard(one)

    async def _weathered(self, request: web.BaseRequest, one: Passing, body: bytes) -> web.StreamResponse:
        before = self._fault_for(one, after=False)
        if before is not None:
            changed = await self._befalls(before)
            if changed is not None:
                return changed
        headers = [
            (name, "Bearer forgotten" if value in self._forgotten else value)
            for name, value in request.headers.items()
            if name.lower() not in {*_HOP, "host"}
        ]
        one.passed = True
        async with self._session.request(
            one.method, self._target + request.raw_path, data=body or None, headers=headers, allow_redirects=False
        ) as answer:
            one.status = answer.status
            after = self._fault_for(one, after=True)
            if after is None:
                return await self._passed_back(request, answer)
            whole = await answer.read()
            if after.half:
                await self._half_back(request, answer, whole)
            changed = await self._befalls(after)
            return changed or web.Response(status=answer.status, body=whole, headers=_headers(answer))

    def _fault_for(self, one: Passing, *, after: bool) -> Fault | None:
        for fault in reversed(self._faults):
            if fault.after is after and fault.left and fault.where(one):
                fault.left -= 1
                return fault
        return None

    @staticmethod
    async def _befalls(fault: Fault) -> web.Response | None:
        if fault.held is not None:
            await fault.held.passing()
            if fault.held.cut:
                raise Broken
            return None
        if fault.reset:
            raise Broken
        return web.Response(
            status=fault.status, text=fault.body, headers={"Content-Type": "application/json"} | fault.headers
        )

    @staticmethod
    async def _passed_back(request: web.BaseRequest, answer: aiohttp.ClientResponse) -> web.StreamResponse:
        response = web.StreamResponse(status=answer.status, headers=_headers(answer))
        await response.prepare(request)
        async for piece in answer.content.iter_any():
            await response.write(piece)
        await response.write_eof()
        return response

    @staticmethod
    async def _half_back(request: web.BaseRequest, answer: aiohttp.ClientResponse, whole: bytes) -> NoReturn:
        response = web.StreamResponse(status=answer.status, headers=_headers(answer))
        response.content_length = len(whole)
        await response.prepare(request)
        await response.write(whole[: len(whole) // 2])
        raise Broken


def _headers(answer: aiohttp.ClientResponse) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if name.lower() not in _HOP}
