"""Calls an ASGI application as a server would, without a port."""

from __future__ import annotations

from typing import NamedTuple

from starlette.types import ASGIApp, Message


class Answer(NamedTuple):
    """A whole HTTP answer; names of headers in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes


async def call(app: ASGIApp, method: str, query: str, body: bytes = b"", *, path: str = "/") -> Answer:
    """One request."""
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(b"content-length", str(len(body)).encode())],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 2),
    }
    sent: list[Message] = []
    given = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return given.pop() if given else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    start = next(message for message in sent if message["type"] == "http.response.start")
    headers = {name.decode().lower(): value.decode() for name, value in start.get("headers", [])}
    parts = [message.get("body", b"") for message in sent if message["type"] == "http.response.body"]
    return Answer(start["status"], headers, b"".join(parts))
