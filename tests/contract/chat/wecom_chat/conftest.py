"""A real `WeComChat` against the fake WeCom, in each of the ways in which it can be reached."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import pytest

from chatops_bot.adapters.wecom.chat import WeComChat
from chatops_bot.adapters.wecom.fake.corp import CORP
from chatops_bot.adapters.wecom.fake.postman import Mode
from chatops_bot.adapters.wecom.fake.wire import FakeWeCom
from chatops_bot.domain.cards import Button, Card, Text
from chatops_bot.domain.events import Click, Message
from chatops_bot.domain.identity import Room
from chatops_bot.ports.chat import ChatUnavailable, Receipt
from chatops_bot.ports.wire import Delivered
from tests.contract.chat.talk import Store
from tests.fakes.clock import ManualClock

MODES: tuple[Mode, ...] = ("socket", "http", "app")


@dataclass
class Pressed(Store):
    """A store that does something of its own when a button was pressed."""

    on_click: Callable[[], Awaitable[None]] | None = None
    working: set[asyncio.Task[None]] = field(default_factory=set)

    async def receive(self, event: Message | Click) -> Receipt:
        receipt = await super().receive(event)
        if receipt.taken == "stored" and self.on_click is not None and isinstance(event, Click):
            self.working.add(asyncio.create_task(_awaited(self.on_click())))
        return receipt


async def _awaited(work: Awaitable[None]) -> None:
    """What is still on its way when a test ends is given up."""
    with suppress(ChatUnavailable):
        await work


@dataclass
class Rig:
    """The bot's WeCom side with everything around it. `room` is where people talk, `user` the one who does."""

    wecom: FakeWeCom
    clock: ManualClock
    chat: WeComChat
    store: Pressed
    mode: Mode
    room: str
    user: str
    numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    @property
    def here(self) -> Room:
        return Room(platform="wecom", tenant=CORP, channel=self.room)

    async def say(self, text: str = "@bot how is payment-svc?", **more: Any) -> Delivered:
        given = {"event_id": f"msg{next(self.numbers)}", "room": self.room, "user": self.user, **more}
        return await self.wecom.say(text=text, **given)

    async def click(self, message: str, button: str, **more: Any) -> Delivered:
        given = {"event_id": f"press{next(self.numbers)}", "room": self.room, "user": self.user, **more}
        return await self.wecom.click(message=message, button=button, **given)

    async def post(self, card: Card, *, root: str | None = None, key: str = "k", again: bool = False) -> str:
        """Post it as the answer to the last message, or to none with `root=""`; its id is returned."""
        if root is None:
            root = self.store.events[-1].root if self.store.events else ""
        posted = await self.chat.post(room=self.here, thread="t-1", card=card, root=root, key=key, again=again)
        return posted.message

    async def update(self, message: str, card: Card) -> None:
        await self.chat.update(room=self.here, thread="t-1", card=card, message=message, root="")


def plan(title: str = "Scale payment-svc to 5", *, token: str = "tok", **more: Any) -> Card:
    """A card to be confirmed."""
    buttons = (Button("confirm", "Confirm", "danger", token), Button("cancel", "Cancel", "default", token))
    return Card(
        title=title, language="en", tone="warn", blocks=(Text("From 2 to 5 replicas"),), buttons=buttons, **more
    )


def progress(title: str = "Looking at payment-svc") -> Card:
    """A card with nothing to be pressed."""
    return Card(title=title, language="en")


def done(title: str = "payment-svc is scaled") -> Card:
    """What came of it."""
    return Card(title=title, language="en", tone="ok")


@asynccontextmanager
async def rigged(mode: Mode, **changed: Any) -> AsyncIterator[Rig]:
    """A started chat; stopped at the end, with nothing of it left running."""
    clock = ManualClock()
    before = asyncio.all_tasks()
    wecom = FakeWeCom(clock, mode)
    await wecom.start()
    user = wecom.person("alice")
    room = wecom.room("alice" if mode == "app" else "ops")
    chat = wecom.chat(clock=clock, random_bytes=lambda count: b"\x80" * count, **changed)
    store = Pressed()
    await chat.start(store)
    try:
        yield Rig(wecom, clock, chat, store, mode, room, user)
    finally:
        await chat.stop()
        await wecom.stop()
        left = {task for task in asyncio.all_tasks() - before if "chatops_bot" in repr(task)}
        assert not left, left


@pytest.fixture(params=MODES)
async def rig(request: pytest.FixtureRequest) -> AsyncIterator[Rig]:
    async with rigged(request.param) as made:
        yield made


@pytest.fixture
async def socket_rig() -> AsyncIterator[Rig]:
    async with rigged("socket") as made:
        yield made


@pytest.fixture
async def http_rig() -> AsyncIterator[Rig]:
    async with rigged("http") as made:
        yield made


@pytest.fixture
async def app_rig() -> AsyncIterator[Rig]:
    async with rigged("app") as made:
        yield made
