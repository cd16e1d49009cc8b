"""Signed deliveries of Slack messages: the same bytes for the bot and for bare Bolt."""

from __future__ import annotations

from itertools import count
from typing import Any

from starlette.types import ASGIApp, Message

from chatops_bot.adapters.slack.fake import deliveries
from chatops_bot.adapters.slack.fake.workspace import TEAM
from chatops_bot.engine.arrivals import thread_id

_numbers = count(1)


def _tag(number: int) -> str:
    """Letters alone: a number would be read as one of replicas."""
    return "ref " + "".join(chr(ord("a") + number // 26**place % 26) for place in range(4, -1, -1))


class Delivery:
    """One message that nobody has sent before (a tag makes its text unique), at Slack's time `now` (s). `thread`
    is the id of the thread that it opens, if it opens one."""

    def __init__(self, text: str, *, user: str, channel: str, now: float) -> None:
        number = next(_numbers)
        ts = f"{1_700_000_000 + number // 1_000_000}.{number % 1_000_000:06d}"
        event = deliveries.message(f"{text} ({_tag(number)})", user=user, channel=channel, ts=ts)
        self.body = deliveries.as_json(deliveries.event(event, id=f"Ev{number}"))
        self.headers = deliveries.signed(self.body, now=now)
        self.thread = "t" + thread_id(f"slack:{TEAM}:{channel}:{ts}")
        self._raw = [(name.encode(), value.encode()) for name, value in self.headers.items()]

    async def to(self, endpoint: ASGIApp) -> int:
        """Deliver it; the status of the answer."""
        scope: dict[str, Any] = {
            "type": "http",
            "method": "POST",
            "path": "/slack/events",
            "query_string": b"",
            "headers": self._raw,
        }
        status = 0

        async def receive() -> Message:
            return {"type": "http.request", "body": self.body, "more_body": False}

        async def send(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)

        await endpoint(scope, receive, send)
        return status
