"""HTTP as ASGI has it: the body of a request that the bot gets, and a request to the bot without a network, which is
how a fake platform calls it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from starlette.requests import Request
from starlette.types import ASGIApp, Message


async def body_within(request: Request, limit: int) -> bytes | None:
    """All bytes as they came, or None when there are more than `limit`: no more are read then."""
    if (length := request.headers.get("content-length", "")).isdecimal() and int(length) > limit:
        return None
    raw = bytearray()
    async for part in request.stream():
        raw += part
        if len(raw) > limit:
            return None
    return bytes(raw)


class Answer(NamedTuple):
    """What came back; names of headers in lower case. Status 0 where nothing did."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = {}


async def call(
    app: ASGIApp,
    *,
    path: str,
    body: bytes = b"",
    headers: Mapping[str, str] | None = None,
    query: str = "",
    method: str = "POST",
) -> Answer:
    """Deliver; header names arrive in lower case, as servers hand them on. Raises what the application raises."""
    given = {"content-length": str(len(body)), **(headers or {})}
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "https",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode()) for name, value in given.items()],
        "server": ("bot", 443),
        "client": ("192.0.2.1", 1),
    }
    sent: list[Message] = []
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return waiting.pop() if waiting else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    start = next(message for message in sent if message["type"] == "http.response.start")
    named = {name.decode().lower(): value.decode() for name, value in start.get("headers", [])}
    return Answer(int(start["status"]), b"".join(message.get("body", b"") for message in sent), named)
