"""People who talk with a bot on some platform, known by the protocols alone: a wire, the real adapter on it, a store."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeVar

from chatops_bot.domain.cards import Button, Card, Text
from chatops_bot.domain.events import Click, Message
from chatops_bot.domain.identity import Room
from chatops_bot.ports.chat import CardGone, ChatPort, ChatUnavailable, NotAccepted, Posted, Receipt
from chatops_bot.ports.wire import Capabilities, Delivered, ShownCard, Wire
from tests.contract.chat.platforms import Platform
from tests.fakes.clock import ManualClock

Result = TypeVar("Result")

THREAD = "t-1"
QUIET_S = 0.15
"""Real time without news after which only the clock can help."""


@dataclass
class Store:
    """A sink that keeps what it is given. `refuse` makes it fail; `broken` is a fault in it; `hold` makes it wait."""

    events: list[Message | Click] = field(default_factory=list)
    refuse: bool = False
    broken: bool = False
    hold: asyncio.Event | None = None
    waiting: int = 0
    asked: int = 0

    async def receive(self, event: Message | Click) -> Receipt:
        self.waiting += 1
        self.asked += 1
        if self.hold is not None:
            await self.hold.wait()
        self.waiting -= 1
        if self.refuse:
            raise NotAccepted("the store is down")
        if self.broken:
            raise RuntimeError("a fault in the engine")
        if any(known.id == event.id for known in self.events):
            return Receipt("duplicate")
        self.events.append(event)
        return Receipt("stored")

    @property
    def messages(self) -> list[Message]:
        return [event for event in self.events if isinstance(event, Message)]

    @property
    def clicks(self) -> list[Click]:
        return [event for event in self.events if isinstance(event, Click)]


@dataclass
class Talk:
    """`room` is where people talk, `alice` and `bob` are ids."""

    platform: Platform
    wire: Wire
    clock: ManualClock
    chat: ChatPort
    store: Store
    room: str
    alice: str
    bob: str
    numbers: count[int] = field(default_factory=lambda: count(1))

    @property
    def can(self) -> Capabilities:
        return self.wire.capabilities

    @property
    def here(self) -> Room:
        return Room(platform=self.wire.platform, tenant=self.wire.tenant, channel=self.room)

    @property
    def cards(self) -> list[ShownCard]:
        return self.wire.shown(self.room)

    @property
    def read(self) -> str:
        """All that the bot said in the room."""
        return "\n".join([*(card.text for card in self.cards), *self.wire.notices(self.room)])

    def number(self) -> str:
        return f"event-{next(self.numbers)}"

    async def say(self, text: str = "@bot how is web?", *, user: str = "", **more: Any) -> Delivered:
        """Somebody speaks; returns when the platform has its answer or gave up."""
        given = {"event_id": self.number(), "room": self.room, "user": user or self.alice, **more}
        return await self.through(self.wire.say(text=text, **given))

    async def click(self, message: str, button: str, *, user: str = "", **more: Any) -> Delivered:
        """Somebody presses a button; nobody presses twice within a second."""
        await self.clock.advance(1)
        given = {"event_id": self.number(), "room": self.room, "user": user or self.alice, **more}
        return await self.through(self.wire.click(message=message, button=button, **given))

    async def asked(self) -> None:
        """Somebody asked, and what answers it goes out as a call that can fail."""
        await self.say()
        if self.platform.opening:
            await self.post(done("Looking"), key="k0")

    def posted(self, words: str) -> int:
        """How many cards say this."""
        return sum(words in card.text for card in self.cards)

    async def card(self, card: Card | None = None, *, key: str = "k1", **more: Any) -> Posted:
        """A card in answer to a question."""
        await self.say()
        return await self.post(card, key=key, **more)

    async def post(self, card: Card | None = None, *, key: str = "k1", again: bool = False) -> Posted:
        """A card where the answer to the last event belongs, repeated as often as the engine would."""
        root = self.store.events[-1].root if self.store.events else ""
        shown = card or plan()
        return await self.through(
            self.chat.post(room=self.here, thread=THREAD, card=shown, root=root, key=key, again=again)
        )

    async def change(self, message: str, card: Card) -> None:
        """The card in place of what a message shows. Raises as the port does."""
        root = self.store.events[-1].root if self.store.events else ""
        await self.through(self.chat.update(room=self.here, thread=THREAD, card=card, message=message, root=root))

    async def draw(self, message: str, card: Card, *, number: int = 2) -> str:
        """The next view of a card as the engine draws it: in place, else as a new message, whose id is returned."""
        for _ in range(5):
            try:
                await self.change(message, card)
                return message
            except CardGone:
                return (await self.post(card, key=f"k1|{number}")).message
            except ChatUnavailable as error:
                await self.clock.advance(error.retry_after_s or 1)
        raise AssertionError("it could not be drawn")

    async def through(self, work: Coroutine[Any, Any, Result]) -> Result:
        """What came of it. Where nothing happens any more, time passes."""
        task = asyncio.ensure_future(work)
        try:
            for _ in range(60):
                await asyncio.wait({task}, timeout=QUIET_S)
                if task.done():
                    return task.result()
                await self.clock.advance(1)
            raise AssertionError("it never ended")
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def up(self) -> None:
        """Let time pass until events can arrive; each second of it comes with a moment for sockets and threads."""
        for _ in range(300):
            if not self.chat.healthy():
                return
            await self.clock.advance(1)
            await asyncio.sleep(0.005)
        raise AssertionError(self.chat.healthy())


def plan(title: str = "Scale web to 5", *, token: str = "tok", text: str = "From 2 to 5 replicas", **more: Any) -> Card:
    """A card to be confirmed."""
    buttons = (Button("confirm", "Confirm", "danger", token), Button("cancel", "Cancel", "default", token))
    return Card(
        **{"title": title, "language": "en", "tone": "warn", "blocks": (Text(text),), "buttons": buttons, **more}
    )


def done(title: str = "web is scaled") -> Card:
    """What came of it: nothing to be pressed."""
    return Card(title=title, language="en", tone="ok")
