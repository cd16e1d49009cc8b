"""A fake Slack on loopback: Web API, response URLs and Socket Mode, with faults on request."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict, deque
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from aiohttp import WSMsgType, web

from chatops_bot.adapters.slack.fake import methods
from chatops_bot.adapters.slack.fake.workspace import Json, MethodError, Workspace
from chatops_bot.ports.clock import Clock


@dataclass
class Fault:
    """What happens to one call instead of, or besides, what was asked.

    `error` with `status`: that answer, nothing done. `retry_after` makes it a 429. `lost`: done, but the
    connection is cut before the answer. `cut`: it is cut before anything is done. `held`: the call waits until the
    event is set, and then is done. `text`: that body, no JSON.
    """

    error: str = ""
    status: int = 200
    retry_after: int | None = None
    lost: bool = False
    cut: bool = False
    held: asyncio.Event | None = None
    text: str = ""
    more: Json = field(default_factory=dict)


class Socket:
    """One Socket Mode connection, seen from Slack."""

    def __init__(self, ws: web.WebSocketResponse) -> None:
        self.ws = ws
        self.acks: dict[str, Json] = {}

    async def send(self, frame: object) -> None:
        await self.ws.send_str(frame if isinstance(frame, str) else json.dumps(frame))

    async def envelope(self, kind: str, payload: object, *, id: str, **more: object) -> None:
        """Deliver something (`events_api`, `interactive`, `slash_commands`)."""
        accepts = kind != "events_api"
        await self.send(
            {"envelope_id": id, "type": kind, "payload": payload, "accepts_response_payload": accepts, **more}
        )

    async def disconnect(self, reason: str = "refresh_requested", *, close: bool = True) -> None:
        """Ask the client to leave, and leave."""
        await self.send({"type": "disconnect", "reason": reason})
        if close:
            await self.ws.close()

    def cut(self) -> None:
        """End the connection without a word."""
        transport = self.ws._req.transport if self.ws._req else None
        if transport is not None:
            transport.abort()


class FakeSlack:
    """`async with FakeSlack(clock) as slack:`; `slack.url` is the Web API's address.

    While `silent`, connections are accepted and pings on them never answered. `told` are answers to response URLs.
    """

    def __init__(self, clock: Clock) -> None:
        self.workspace = Workspace(clock)
        self.faults: dict[str, deque[Fault]] = defaultdict(deque)
        self.sockets: list[Socket] = []
        self.opened = 0
        self.silent = False
        self.told: list[Json] = []
        self._acked: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)
        self._runner: web.AppRunner | None = None
        self._ids = count(1)
        self.url = ""
        self.base = ""

    async def __aenter__(self) -> FakeSlack:
        app = web.Application(client_max_size=10**7)
        app.router.add_route("*", "/api/{method}", self._api)
        app.router.add_get("/link", self._link)
        app.router.add_post("/respond/{channel}", self._respond)
        app.router.add_post("/upload/{file}", self._upload)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        port = self._runner.addresses[0][1]
        self.base = f"http://127.0.0.1:{port}"
        self.url = f"{self.base}/api/"
        self.workspace.upload_url = f"{self.base}/upload"
        return self

    async def __aexit__(self, *_: object) -> None:
        for faults in self.faults.values():
            for fault in faults:
                if fault.held:
                    fault.held.set()
        for socket in self.sockets:
            socket.cut()
        if self._runner is not None:
            await self._runner.cleanup()

    @property
    def live(self) -> list[Socket]:
        """Connections that are open."""
        return [socket for socket in self.sockets if not socket.ws.closed]

    def fail(self, method: str, fault: Fault, times: int = 1) -> None:
        """The next calls of a method go wrong."""
        self.faults[method].extend([fault] * times)

    async def deliver(self, kind: str, payload: object, *, socket: Socket | None = None, **more: object) -> str:
        """Send an envelope over one connection; its id is returned."""
        chosen = socket or self.live[0]
        envelope = f"env-{next(self._ids)}"
        await chosen.envelope(kind, payload, id=envelope, **more)
        return envelope

    def acked(self, envelope: str) -> bool:
        """Whether any connection acknowledged it."""
        return any(envelope in socket.acks for socket in self.sockets)

    async def acknowledged(self, envelope: str) -> None:
        """Until it was acknowledged."""
        await self._acked[envelope].wait()

    async def _api(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"]
        args = await _arguments(request)
        self.workspace.calls.append((method, args))
        fault = self.faults[method].popleft() if self.faults[method] else Fault()
        if fault.held:
            await fault.held.wait()
        if fault.cut:
            _cut(request)
            return web.Response()
        if fault.text:
            return web.Response(text=fault.text, status=fault.status, content_type="text/html")
        headers = {"x-oauth-scopes": self.workspace.scopes}
        if fault.retry_after is not None or fault.error:
            return _failed(fault, headers)
        answer = self._answer(request, method, args)
        if fault.lost:
            _cut(request)
        return web.json_response(answer, headers=headers)

    def _answer(self, request: web.Request, method: str, args: Json) -> Json:
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if token not in self.workspace.valid_tokens:
            return {"ok": False, "error": "invalid_auth"}
        if method == "apps.connections.open":
            self.opened += 1
            return {"ok": True, "url": f"{self.base.replace('http', 'ws')}/link?ticket={self.opened}"}
        try:
            return methods.call(self.workspace, method, args)
        except MethodError as problem:
            return problem.answer

    async def _link(self, request: web.Request) -> web.StreamResponse:
        ws = web.WebSocketResponse(autoping=not self.silent)
        await ws.prepare(request)
        socket = Socket(ws)
        self.sockets.append(socket)
        await socket.send({"type": "hello", "num_connections": len(self.live), "connection_info": {"app_id": "A0APP"}})
        async for message in ws:
            if message.type is WSMsgType.TEXT:
                ack: Json = json.loads(message.data)
                socket.acks[ack["envelope_id"]] = ack
                self._acked[ack["envelope_id"]].set()
        return ws

    async def _upload(self, request: web.Request) -> web.StreamResponse:
        fault = self.faults["upload"].popleft() if self.faults["upload"] else Fault()
        if fault.status >= 400:
            return web.Response(status=fault.status)
        self.workspace.files[request.match_info["file"]].content = await request.read()
        return web.Response(text="OK")

    async def _respond(self, request: web.Request) -> web.StreamResponse:
        self.told.append(await request.json())
        return web.Response(text="ok")


def _failed(fault: Fault, headers: dict[str, str]) -> web.Response:
    if fault.retry_after is not None:
        limited = {**headers, "Retry-After": str(fault.retry_after)}
        return web.json_response({"ok": False, "error": "ratelimited"}, status=429, headers=limited)
    answer = {"ok": False, "error": fault.error, **fault.more}
    return web.json_response(answer, status=fault.status, headers=headers)


def _cut(request: web.Request) -> None:
    """Close the connection of a call; its answer goes nowhere."""
    if request.transport is not None:
        request.transport.close()


async def _arguments(request: web.Request) -> Json:
    """Arguments from the query, a form or JSON: the SDK uses all three."""
    args: dict[str, Any] = dict(request.query)
    if request.content_type == "application/json":
        args.update(await request.json())
    else:
        args.update(await request.post())
    for name in ("blocks", "metadata"):
        if isinstance(args.get(name), str):
            args[name] = json.loads(args[name])
    return args
