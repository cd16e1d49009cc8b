"""What the engine needs of a chat platform, and what a platform needs of the engine."""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol

import msgspec

from chatops_bot.domain.cards import Card
from chatops_bot.domain.events import Click, Message
from chatops_bot.domain.identity import Room


class NotAccepted(Exception):
    """The event was not stored and must not be acknowledged: the platform shall deliver it again."""


class ChatUnavailable(Exception):
    """The platform could not be asked; try again after `retry_after_s` (0: the caller's back-off).

    `maybe_posted`: the request may have been carried out. `paced`: nothing is wrong and nothing was done; there has
    been too much lately, and it is not its turn yet.
    """

    def __init__(
        self, reason: str, *, retry_after_s: float = 0, maybe_posted: bool = False, paced: bool = False
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retry_after_s = retry_after_s
        self.maybe_posted = maybe_posted
        self.paced = paced


class CardGone(Exception):
    """The message cannot be updated any more (deleted, too old): post the card anew."""


class ChatRefused(Exception):
    """The platform will never take this (not in the channel, archived, forbidden); `reason` says why."""


class Receipt(msgspec.Struct, frozen=True):
    """What became of an event that was taken: `stored`, `ignored` (R9) or `duplicate`."""

    taken: str
    thread: str = ""


class Sink(Protocol):
    """The engine's door. An adapter hands over each event and acknowledges only when this returned."""

    async def receive(self, event: Message | Click) -> Receipt:
        """Raises `NotAccepted` when the event could not be stored."""


class Posted(msgspec.Struct, frozen=True):
    """The platform's id of the message, and further ids under which people may answer it."""

    message: str
    bind: tuple[str, ...] = ()


class Finding(NamedTuple):
    """What an adapter found out about an installation, as its `check` gives it. `ok`: all is well; `error`: something
    does not work; `warning`: it should be known. `what_to_do` is "" where nothing has to be done."""

    severity: Literal["ok", "warning", "error"]
    what: str
    what_to_do: str = ""


class ChatPort(Protocol):
    """One platform. `room.platform` tells which adapter serves a room."""

    @property
    def platform(self) -> str:
        """`slack`, `feishu`, `wecom` or `console`."""

    async def start(self, sink: Sink) -> None:
        """Begin to receive. Returns once connected or once the first attempt has failed with a log line;
        keeps trying in the background."""

    async def stop(self) -> None:
        """Stop receiving, close connections; nothing is left running."""

    async def post(self, *, room: Room, thread: str, card: Card, root: str, key: str, again: bool) -> Posted:
        """A new card message, below `root` (a platform thread) unless that is "".

        `key` is the same for every attempt at this card: an adapter whose platform can tell uses it to post
        at most once; with `again` (an earlier attempt may have got through) others look for it first.
        `thread` goes into the buttons. Raises `ChatUnavailable`, `ChatRefused`.
        """

    async def update(self, *, room: Room, thread: str, card: Card, message: str, root: str) -> None:
        """Replace the card in place; last state wins. Raises `ChatUnavailable`, `CardGone`, `ChatRefused`."""

    async def notice(self, *, room: Room, text: str, root: str, to: str = "") -> None:
        """A plain line outside the store's guarantees (store unreachable, mailbox full), shown to the user
        with id `to` alone where the platform can. Best effort: failures are logged, not raised."""

    async def permalink(self, *, room: Room, message: str) -> str:
        """An address that opens the message, or its room where the platform can do no better; "" where it has none.
        Raises `ChatUnavailable`, `ChatRefused`, `CardGone`."""

    def healthy(self) -> str:
        """ "" when events can arrive, else what is wrong (readiness)."""
