"""One HTTP request to an ASGI application, without a network: how the platform calls the bot's endpoint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from starlette.types import ASGIApp, Message


class Answered(NamedTuple):
    """What came back."""

    status: int
    body: bytes


async def request(
    app: ASGIApp, *, body: bytes, headers: Mapping[str, str], path: str = "/feishu/events", method: str = "POST"
) -> Answered:
    """Deliver; header names arrive in lower case, as servers hand them on."""
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "https",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
        "server": ("bot", 443),
        "client": ("feishu", 1),
    }
    sent: list[Message] = []
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return waiting.pop() if waiting else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    status = next(int(message["status"]) for message in sent if message["type"] == "http.response.start")
    return Answered(status, b"".join(message.get("body", b"") for message in sent if "body" in message))
