"""The chat that a transcript plays on: the console, or a platform behind its wire (`stage_wire`)."""

from __future__ import annotations

from typing import Protocol

from chatops_bot.adapters.console import people
from chatops_bot.adapters.console.chat import ConsoleChat, ShownCard, numbered
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.policy import Policy
from chatops_bot.ports.chat import ChatPort, Receipt, Sink
from chatops_bot.ports.clock import Clock


class StageChat(Protocol):
    """Rooms and people go by their names in the transcript, events by ids of the player's own."""

    @property
    def platform(self) -> str: ...

    @property
    def mentions_only(self) -> bool:
        """Whether only what mentions the bot reaches it. What means the bot all the same is then said so."""

    async def open(self, *, users: set[str], rooms: set[str]) -> None:
        """Before anything else; these take part."""

    async def close(self) -> None:
        """Nothing is left running."""

    def join(self) -> ChatPort:
        """The platform as one process of the bot sees it."""

    async def start(self, sink: Sink) -> None:
        """That process begins to receive."""

    async def stop(self) -> None:
        """It is gone."""

    def place(self, room: str) -> Room:
        """The room of a name."""

    def person(self, name: str) -> User:
        """The person of a name."""

    def policy(self, policy: Policy) -> Policy:
        """The same with this platform's rooms and people in place of names."""

    async def say(
        self, *, event_id: str, room: str, user: str, text: str, reply_to: str = "", meant: bool = False
    ) -> Receipt:
        """Somebody writes; the same id again is a redelivery. `reply_to` is a card's message or an event. `meant`:
        the bot is spoken to, though without a mention. Raises `NotAccepted`."""

    async def click(
        self, *, event_id: str, room: str, user: str, card: str, button: str, token: str = "", value: str = ""
    ) -> Receipt:
        """Somebody presses. Raises `NotAccepted`."""

    def entry(self, event_id: str) -> str:
        """The id that an event has in the store."""

    def kept(self, event_id: str) -> bool:
        """Whether the platform told the bot nothing of what was said."""

    def cards(self) -> list[ShownCard]:
        """Cards of all rooms as the bot drew them, in the order in which they were first posted."""

    def origin(self, message: str) -> str:
        """The message in which a card was first posted; another one where the platform cannot change it in place."""

    def buttons(self, message: str) -> list[str]:
        """Ids of the buttons that can be pressed on a card."""

    def mark(self) -> object:
        """What is shown now, for `since`."""

    def since(self, mark: object) -> list[str]:
        """The texts of all cards that came or changed, and of all lines that came, as they read now."""


class StageConsole(ConsoleChat):
    """The console, spoken to directly."""

    mentions_only = False

    def __init__(self, *, clock: Clock) -> None:
        super().__init__(clock=clock, ids=numbered("m"))

    async def open(self, *, users: set[str], rooms: set[str]) -> None:
        """There is nothing to open."""

    async def close(self) -> None:
        """There is nothing to close."""

    def join(self) -> ChatPort:
        return self

    def place(self, room: str) -> Room:
        return people.room(room)

    def person(self, name: str) -> User:
        return people.user(name, {})

    def policy(self, policy: Policy) -> Policy:
        return policy

    async def say(
        self, *, event_id: str | None, room: str, user: str, text: str, reply_to: str = "", meant: bool = False
    ) -> Receipt:
        """Everything is heard, so nothing has to be said otherwise."""
        return await super().say(event_id=event_id, room=room, user=user, text=text, reply_to=reply_to)

    def entry(self, event_id: str) -> str:
        return event_id

    def kept(self, event_id: str) -> bool:
        return False

    def origin(self, message: str) -> str:
        return message

    def buttons(self, message: str) -> list[str]:
        shown = self.card(message)
        return [button.id for button in shown.card.buttons] if shown else []

    def mark(self) -> object:
        """The number of the newest change."""
        return max((entry.updated for entry in self.log.entries(None)), default=0)

    def since(self, mark: object) -> list[str]:
        number = mark if isinstance(mark, int) else 0
        changed = sorted((e for e in self.log.entries(None) if e.updated > number), key=lambda e: e.updated)
        return [e.card.text() if e.card else e.text for e in changed if e.card or e.kind == "notice"]
