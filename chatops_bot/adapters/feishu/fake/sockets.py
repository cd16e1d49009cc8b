"""The far end of long connections: accepts them, sends frames, and notes what the bot answers."""

from __future__ import annotations

import asyncio
import base64
import json
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from aiohttp import WSMsgType, web

from chatops_bot.adapters.feishu.fake.frames import CONTROL, DATA, Frame, decode
from chatops_bot.ports.wire import Delivered

Json = dict[str, Any]


@dataclass
class Sockets:
    """Connections by app. An event goes to one of them, each in turn, as in Feishu's cluster mode."""

    ping_s: int = 120
    deaf: bool = False
    """Accepts and stays silent: neither answers pings nor notes answers nor says goodbye, as behind a half-open
    connection."""
    refuse: int = 0
    """How many of the next handshakes get a 500."""
    opened: int = 0
    _open: dict[str, list[web.WebSocketResponse]] = field(default_factory=dict)
    _waiting: dict[str, tuple[web.WebSocketResponse, asyncio.Future[Json]]] = field(default_factory=dict)
    _numbers: count[int] = field(default_factory=lambda: count(1))
    pings: int = 0
    _closing: asyncio.Event = field(default_factory=asyncio.Event)

    async def accept(self, request: web.Request) -> web.StreamResponse:
        """The handler of the address that the endpoint gave."""
        if self.refuse:
            self.refuse -= 1
            return web.Response(status=500)
        socket = web.WebSocketResponse(autoping=not self.deaf, autoclose=not self.deaf)
        await socket.prepare(request)
        mine = self._open.setdefault(request.query["ticket"], [])
        mine.append(socket)
        self.opened += 1
        try:
            async for message in socket:
                if message.type == WSMsgType.BINARY and not self.deaf:
                    await self._frame(socket, decode(message.data))
            if not socket.closed:
                await self._closing.wait()
        finally:
            if socket in mine:
                mine.remove(socket)
            self._abandon(socket)
        return socket

    def count(self, app_id: str) -> int:
        """How many are open."""
        return len(self._open.get(app_id, []))

    async def deliver(
        self, app_id: str, payload: bytes, *, kind: str = "event", parts: int = 1
    ) -> asyncio.Future[Json] | None:
        """Send a payload, in so many frames; what it will be answered with, None where nobody is connected."""
        sockets = self._open.get(app_id, [])
        if not sockets:
            return None
        socket = sockets.pop(0)
        sockets.append(socket)
        message = f"m{next(self._numbers)}"
        answer: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._waiting[message] = socket, answer
        step = -(-len(payload) // parts)
        for part in range(parts):
            headers = {"type": kind, "message_id": message, "trace_id": "t", "sum": str(parts), "seq": str(part)}
            frame = Frame(DATA, headers, payload[part * step : (part + 1) * step], sequence=next(self._numbers))
            try:
                await socket.send_bytes(frame.encode())
            except ConnectionError:
                answer.cancel()
                break
        return answer

    async def drop(self) -> None:
        """Break all connections without a word."""
        for sockets in self._open.values():
            for socket in list(sockets):
                if socket._req is not None and socket._req.transport is not None:
                    socket._req.transport.abort()
                self._abandon(socket)
            sockets.clear()

    async def close(self) -> None:
        """Say goodbye to all."""
        self._closing.set()
        for sockets in self._open.values():
            await asyncio.gather(*(socket.close() for socket in list(sockets)), return_exceptions=True)

    def _abandon(self, socket: web.WebSocketResponse) -> None:
        """What was sent over it is not answered any more."""
        for message, (over, answer) in list(self._waiting.items()):
            if over is socket:
                answer.cancel()
                del self._waiting[message]

    async def _frame(self, socket: web.WebSocketResponse, frame: Frame) -> None:
        if frame.method == CONTROL and frame.headers.get("type") == "ping":
            self.pings += 1
            config = {"ReconnectCount": -1, "ReconnectInterval": 120, "ReconnectNonce": 30, "PingInterval": self.ping_s}
            await socket.send_bytes(Frame(CONTROL, {"type": "pong"}, json.dumps(config).encode()).encode())
        elif frame.method == DATA:
            _, answer = self._waiting.pop(frame.headers.get("message_id", ""), (None, None))
            if answer is not None and not answer.done():
                answer.set_result(json.loads(frame.payload))


def delivered(answer: Json, *, times: int) -> Delivered:
    """What the bot said in a frame."""
    body = base64.b64decode(answer.get("data") or "").decode()
    return Delivered(int(answer.get("code", 0)), body, times)
