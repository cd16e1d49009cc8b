"""The webhooks of the chat platforms, and deliveries to them as the platforms sign and seal them."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from typing import Any, NamedTuple
from urllib.parse import urlencode

from starlette.types import ASGIApp

from chatops_bot.adapters.feishu.fake import FeishuWire, events
from chatops_bot.adapters.feishu.fake.world import Post
from chatops_bot.adapters.slack.fake import SlackWire, deliveries
from chatops_bot.adapters.slack.fake.workspace import BOT_USER
from chatops_bot.adapters.wecom.fake.wire import FakeWeCom
from chatops_bot.ports.asgi import call
from chatops_bot.ports.chat import ChatPort, Sink
from chatops_bot.ports.clock import Clock, random_bytes
from chatops_bot.ports.wire import Wire

PEOPLE = 16
PLATFORMS = ("slack", "feishu", "wecom")


class Sent(NamedTuple):
    """One request."""

    body: bytes
    headers: dict[str, str]
    query: str = ""


class Hook:
    """The webhook of one platform: the real adapter, started on a sink, at `path`. Everybody is known to it."""

    def __init__(self, platform: str, *, clock: Clock, first: int = 1) -> None:
        """Deliveries are numbered from `first`; the same number is the same event."""
        self.platform = platform
        self._clock = clock
        self.path = f"/{platform}/events"
        self.wire, self._make = _MADE[platform](clock)
        self._numbers = count(first)
        self._chat: ChatPort | None = None
        self.endpoint: ASGIApp | None = None

    async def start(self, sink: Sink) -> None:
        """Receive."""
        await self.wire.start()
        for number in range(PEOPLE):
            self.wire.person(_name(number))
        chat = self.wire.chat(clock=self._clock, random_bytes=random_bytes)
        self.endpoint = getattr(chat, "endpoint", None) or getattr(chat, "robot_endpoint", None)
        self._chat = chat
        await chat.start(sink)
        for _ in range(PEOPLE):
            await self.deliver(self.delivery("hi"))

    async def stop(self) -> None:
        """Nothing is left running."""
        if self._chat is not None:
            await self._chat.stop()
        await self.wire.stop()

    def delivery(self, text: str, *, room: str = "") -> Sent:
        """Somebody mentions the bot; in a room of its own unless one is named."""
        number = next(self._numbers)
        return self._make(number, text, _name(number % PEOPLE), room or f"room {number}")

    @property
    def door(self) -> ASGIApp:
        """What the bot has to serve, once it was started."""
        assert self.endpoint is not None
        return self.endpoint

    async def deliver(self, sent: Sent) -> None:
        """Raises unless it is acknowledged."""
        answer = await call(self.door, path=self.path, body=sent.body, headers=sent.headers, query=sent.query)
        if answer.status != 200:
            raise RuntimeError(f"{self.platform}: a delivery was answered with {answer.status}")


def _name(number: int) -> str:
    return f"person{number}"


Make = Callable[[int, str, str, str], Sent]


def _slack(clock: Clock) -> tuple[Wire, Make]:
    wire = SlackWire(clock=clock, paced=False)

    def make(number: int, text: str, person: str, room: str) -> Sent:
        ts = f"{1_800_000_000 + number // 1_000_000}.{number % 1_000_000:06d}"
        event = deliveries.message(
            f"<@{BOT_USER}> {text}", user=wire.person(person), channel=f"C{abs(hash(room)):X}", ts=ts
        )
        body = deliveries.as_json(deliveries.event(event, id=f"Ev{number}"))
        return Sent(body, deliveries.signed(body, now=clock.now()))

    return wire, make


def _feishu(clock: Clock) -> tuple[Wire, Make]:
    wire = FeishuWire(clock=clock, paced=False)

    def make(number: int, text: str, person: str, room: str) -> Sent:
        author = wire.world.person(person)
        content, mentions = events.with_mentions(f"@bot {text}", wire.world, wire.app)
        chat = wire.world.chat(room)
        post = Post(
            f"om_{number}", chat.id, author.id, "text", events.text_content(content), clock.now(), mentions=mentions
        )
        payload = events.message(wire.world, wire.app, post, author, event_id=f"e{number}")
        body = wire.courier.sealed(json.dumps(payload).encode())
        return Sent(body, wire.courier.signed(body))

    return wire, make


def _wecom(clock: Clock) -> tuple[Wire, Make]:
    wire = FakeWeCom(clock, "http", paced=False)

    def make(number: int, text: str, person: str, room: str) -> Sent:
        told: dict[str, Any] = wire.bodies.from_(f"m{number}", user=wire.person(person), room=wire.room(room))
        told |= {"msgtype": "text", "text": {"content": f"@运维机器人 {text}"}}
        sealed = wire.postman.envelope.seal(json.dumps(told, ensure_ascii=False))
        query = wire.postman.envelope.query(sealed, now=clock.now())
        return Sent(json.dumps({"encrypt": sealed}).encode(), {}, urlencode(query))

    return wire, make


_MADE: dict[str, Callable[[Clock], tuple[Wire, Make]]] = {"slack": _slack, "feishu": _feishu, "wecom": _wecom}
