"""The chat that a transcript plays on: the console, or a platform behind its wire (`stage_wire`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import msgspec

from chatops_bot.adapters.console import people
from chatops_bot.adapters.console.chat import ConsoleChat, numbered
from chatops_bot.domain.cards import Card
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.policy import Policy
from chatops_bot.ports.chat import ChatPort, Receipt
from chatops_bot.ports.clock import Clock


class StageCard(msgspec.Struct, frozen=True):
    """A card as the bot drew it last, in a room of this name. `origin` is the message in which it was posted first:
    another one where the platform could not change it in place. `updated` counts changes of all cards."""

    message: str
    origin: str
    room: str
    thread: str
    card: Card
    updated: int


class StageChat(Protocol):
    """Rooms and people go by their names in the transcript, events by ids of the player's own."""

    platform: str
    mentions_only: bool
    """Whether only what mentions the bot reaches it. What means the bot all the same is then said so."""

    async def open(self, *, users: set[str], rooms: set[str]) -> None:
        """Before anything else; these take part."""

    async def close(self) -> None:
        """Nothing is left running."""

    def join(self) -> ChatPort:
        """The platform as one process of the bot sees it."""

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

    def entry(self, event_id: str) -> str | None:
        """The id that an event has in the store; None where the platform told the bot nothing of it."""

    def cards(self) -> list[StageCard]:
        """Cards of all rooms, in the order in which they were first posted."""

    def buttons(self, message: str) -> list[str]:
        """Ids of the buttons that can be pressed on a card."""

    def watch(self) -> Callable[[], list[str]]:
        """Gives what tells, later, the texts of all cards and lines that came or changed from now on."""


class StageConsole:
    """The console, spoken to directly."""

    platform = people.PLATFORM
    mentions_only = False

    def __init__(self, *, clock: Clock) -> None:
        self._console = ConsoleChat(clock=clock, ids=numbered("m"))

    async def open(self, *, users: set[str], rooms: set[str]) -> None:
        """There is nothing to open."""

    async def close(self) -> None:
        """There is nothing to close."""

    def join(self) -> ChatPort:
        return self._console

    def place(self, room: str) -> Room:
        return people.room(room)

    def person(self, name: str) -> User:
        return people.user(name, {})

    def policy(self, policy: Policy) -> Policy:
        return policy

    async def say(
        self, *, event_id: str, room: str, user: str, text: str, reply_to: str = "", meant: bool = False
    ) -> Receipt:
        return await self._console.say(event_id=event_id, room=room, user=user, text=text, reply_to=reply_to)

    async def click(
        self, *, event_id: str, room: str, user: str, card: str, button: str, token: str = "", value: str = ""
    ) -> Receipt:
        return await self._console.click(
            event_id=event_id, room=room, user=user, card=card, button=button, token=token, value=value
        )

    def entry(self, event_id: str) -> str | None:
        return event_id

    def cards(self) -> list[StageCard]:
        return [
            StageCard(shown.message, shown.message, shown.room, shown.thread, shown.card, shown.updated)
            for shown in self._console.cards()
        ]

    def buttons(self, message: str) -> list[str]:
        shown = self._console.card(message)
        return [button.id for button in shown.card.buttons] if shown else []

    def watch(self) -> Callable[[], list[str]]:
        log = self._console.log
        number = max((entry.updated for entry in log.entries()), default=0)

        def changed() -> list[str]:
            entries = sorted((one for one in log.entries() if one.updated > number), key=lambda one: one.updated)
            return [one.card.text() if one.card else one.text for one in entries if one.card or one.kind == "notice"]

        return changed
