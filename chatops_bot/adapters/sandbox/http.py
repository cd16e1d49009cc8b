"""A small HTTP/1.1 server on the running event loop: enough for Kubernetes clients, and able to go away on purpose.

It is written here because the sandbox has to refuse connections, leave requests unanswered and cut answers off, and to
start and stop within a millisecond, none of which the usual servers offer.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

_MAX_HEAD = 64 * 1024
_MAX_BODY = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """`headers` keeps repeated ones apart; names are in lower case."""

    method: str
    path: str
    query: dict[str, list[str]]
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str:
        return next((value for key, value in self.headers if key == name), "")

    def header_values(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key == name]

    def parameter(self, name: str, default: str = "") -> str:
        return self.query.get(name, [default])[-1]


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: `body` whole, or `stream` piece by piece until it ends or the client leaves."""

    status: int
    body: bytes = b""
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    stream: AsyncGenerator[bytes, None] | None = None


class DroppedError(Exception):
    """The connection is to be cut without an answer."""


Handler = Callable[[HttpRequest], Awaitable[Reply]]


class HttpServer:
    """Serves `handler` on 127.0.0.1 at a port that the system chooses and that stays the same until it is closed."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler
        self._writers: dict[asyncio.StreamWriter, asyncio.Task[Any] | None] = {}
        self._opening: asyncio.Task[None] | None = None
        self._server: asyncio.Server | None = None
        self._socket: socket.socket | None = None
        self.port = 0

    async def start(self) -> None:
        self._reserve()
        await self._accept()

    async def stop(self) -> None:
        """Close the port and every connection; nothing of the server is left when it returns."""
        self.refuse()
        self._release()
        if self._opening is not None:
            self._opening.cancel()
            with suppress(asyncio.CancelledError):
                await self._opening
        tasks = [task for task in self._writers.values() if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def refuse(self) -> None:
        """From now on connections are refused, and those that are open are cut. The port stays reserved."""
        if self._server is not None:
            self._server.close()
            self._server = None
            self._release()
            self._reserve()
        for writer in self._writers:
            writer.transport.abort()

    def accept(self) -> None:
        """Take connections again, from the next step of the event loop on."""
        if self._server is None and self._socket is not None:
            self._socket.listen(128)
            self._opening = asyncio.get_running_loop().create_task(self._accept())

    def _reserve(self) -> None:
        # Bound but not listening: the system refuses connections and gives the port to nobody else.
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.setblocking(False)
        self._socket.bind(("127.0.0.1", self.port))
        self.port = self._socket.getsockname()[1]

    def _release(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    async def _accept(self) -> None:
        self._server = await asyncio.start_server(self._serve, sock=self._socket, limit=_MAX_HEAD, backlog=128)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers[writer] = asyncio.current_task()
        try:
            while await self._exchange(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, DroppedError):
            writer.transport.abort()
        except asyncio.CancelledError:
            # Only `stop` cancels. A connection's task has nobody above it to hear of it, and asyncio of 3.11 would
            # report it as a failure.
            writer.transport.abort()
        finally:
            writer.close()
            del self._writers[writer]

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """One request and its answer; whether another may follow on this connection."""
        try:
            request = await _read_request(reader)
        except ValueError:
            writer.write(_head(Reply(400), ["Content-Length: 0", "Connection: close"]))
            return False
        if request is None:
            return False
        reply = await self._handler(request)
        if reply.stream is not None:
            await _send_stream(reader, writer, reply, reply.stream)
            return False
        writer.write(_head(reply, [f"Content-Length: {len(reply.body)}"]) + reply.body)
        await writer.drain()
        return request.header("connection").lower() != "close"


async def _read_request(reader: asyncio.StreamReader) -> HttpRequest | None:
    """The next request of a connection, or None when the client has closed it. Raises ValueError for no HTTP."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError as cut:
        if cut.partial:
            raise
        return None
    lines = head.decode("latin-1").split("\r\n")
    method, target, _ = lines[0].split(" ", 2)
    headers = [_header(line) for line in lines[1:] if line]
    parts = urlsplit(target)
    query = parse_qs(parts.query, keep_blank_values=True)
    body = await _read_body(reader, dict(headers))
    return HttpRequest(method, unquote(parts.path), query, headers, body)


def _header(line: str) -> tuple[str, str]:
    name, colon, value = line.partition(":")
    if not colon:
        raise ValueError(line)
    return name.strip().lower(), value.strip()


async def _read_body(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    if "chunked" in headers.get("transfer-encoding", "").lower():
        return await _read_chunks(reader)
    length = int(headers.get("content-length", "0"))
    if not 0 <= length <= _MAX_BODY:
        raise ValueError(f"a body of {length} bytes")
    return await reader.readexactly(length) if length else b""


async def _read_chunks(reader: asyncio.StreamReader) -> bytes:
    body = b""
    while size := int((await reader.readuntil(b"\r\n")).partition(b";")[0], 16):
        if len(body) + size > _MAX_BODY:
            raise ValueError("the body is too long")
        body += await reader.readexactly(size)
        await reader.readexactly(2)
    while await reader.readuntil(b"\r\n") != b"\r\n":
        pass
    return body


def _head(reply: Reply, extra: Iterable[str]) -> bytes:
    phrase = HTTPStatus(reply.status).phrase if reply.status in HTTPStatus._value2member_map_ else "Status"
    lines = [f"HTTP/1.1 {reply.status} {phrase}", f"Content-Type: {reply.content_type}"]
    lines += [f"{name}: {value}" for name, value in reply.headers.items()]
    return ("\r\n".join([*lines, *extra]) + "\r\n\r\n").encode("latin-1")


async def _send_stream(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, reply: Reply, stream: AsyncGenerator[bytes, None]
) -> None:
    writer.write(_head(reply, ["Transfer-Encoding: chunked", "Connection: close"]))
    await writer.drain()
    gone = asyncio.ensure_future(reader.read(1))
    try:
        async with aclosing(stream), aclosing(_until(stream, gone)) as pieces:
            async for piece in pieces:
                writer.write(b"%x\r\n%b\r\n" % (len(piece), piece))
                await writer.drain()
        writer.write(b"0\r\n\r\n")
        await writer.drain()
    finally:
        gone.cancel()
        with suppress(asyncio.CancelledError, ConnectionError):
            await gone


async def _until(stream: AsyncGenerator[bytes, None], gone: asyncio.Future[bytes]) -> AsyncGenerator[bytes, None]:
    """The pieces of `stream`, as long as the client is there: a silent watch must notice that it left."""
    while True:
        step: asyncio.Future[bytes | None] = asyncio.ensure_future(_next(stream))
        try:
            waiting: set[asyncio.Future[Any]] = {step, gone}
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if not step.done():
                raise DroppedError
            piece = step.result()
        finally:
            step.cancel()
            with suppress(asyncio.CancelledError, StopAsyncIteration):
                await step
        if piece is None:
            return
        yield piece


async def _next(stream: AsyncGenerator[bytes, None]) -> bytes | None:
    return await anext(stream, None)
