"""The console as a chat platform: one process, rooms in memory, people who are whoever they say they are."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import msgspec

from chatops_bot.adapters.console import people
from chatops_bot.adapters.console.feed import Feed
from chatops_bot.adapters.console.log import KEPT_ENTRIES, Entry, RoomLog
from chatops_bot.adapters.console.speech import mentioned, spoken
from chatops_bot.domain.cards import Card
from chatops_bot.domain.events import Click, Mentioned, Message
from chatops_bot.domain.identity import Room
from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable, NotAccepted, Posted, Receipt, Sink
from chatops_bot.ports.clock import Clock


@dataclass
class Faults:
    """What the platform does wrong from now on, for tests. None: nothing.

    `answer_lost`: a post is carried out, and then its caller is told `ChatUnavailable(maybe_posted=True)`.
    """

    post: ChatUnavailable | ChatRefused | None = None
    update: ChatUnavailable | ChatRefused | CardGone | None = None
    answer_lost: bool = False


class ShownCard(msgspec.Struct, frozen=True):
    """A card of the bot as the room shows it now. `posted` and `updated` are numbers of changes, rising over
    all rooms; `version` counts its views from 1."""

    message: str
    room: str
    thread: str
    card: Card
    posted: int
    updated: int
    version: int


def numbered(prefix: str = "") -> Callable[[], str]:
    """A source of ids: the prefix with 1, 2, 3 … A process that keeps its store over restarts has to choose a
    new prefix each time, or new messages are taken for old ones."""
    numbers = itertools.count(1)
    return lambda: f"{prefix}{next(numbers)}"


class ConsoleChat:
    """`ChatPort` of the console. It is the whole platform, so it outlives the bot: after `stop` its rooms are
    still there, and `start` connects the bot again.

    - `ids` gives ids to cards, and to messages and clicks that bring none of their own.
    - `standing` says who is a guest or belongs to another organisation, and is looked at each time; `bot` is the
      name that is mentioned; `kept` is how many entries of a room stay.
    - `epoch` tells this console's numbering of changes from that of an earlier process.
    """

    def __init__(
        self,
        *,
        clock: Clock,
        ids: Callable[[], str],
        standing: Mapping[str, people.Standing] | None = None,
        bot: str = "bot",
        kept: int = KEPT_ENTRIES,
    ) -> None:
        self.bot = bot
        self.faults = Faults()
        self.epoch = f"{round(clock.now() * 1000):x}"
        self.feed: Feed[Entry] = Feed()
        self.log = RoomLog(self.feed, clock=clock, ids=ids, kept=kept)
        self._ids = ids
        self._standing: Mapping[str, people.Standing] = {} if standing is None else standing
        self._sink: Sink | None = None

    @property
    def platform(self) -> str:
        return people.PLATFORM

    async def start(self, sink: Sink) -> None:
        self._sink = sink
        self.feed.reopen()

    async def stop(self) -> None:
        self._sink = None
        self.feed.close()

    def healthy(self) -> str:
        return "" if self._sink else "the console is not started"

    async def post(self, *, room: Room, thread: str, card: Card, root: str, key: str, again: bool) -> Posted:
        """A card that was posted under the same `key` before is redrawn instead, whatever `again` says."""
        if self.faults.post is not None:
            raise self.faults.post
        entry = self.log.posted_as(room.channel, key)
        if entry is None:
            entry = self.log.add(
                Entry(id="", room=room.channel, kind="card", card=card, thread=thread, reply_to=root), key=key
            )
        elif entry.card != card:
            entry = self.log.redraw(entry, card=card, thread=thread)
        if self.faults.answer_lost:
            raise ChatUnavailable("the answer was lost", maybe_posted=True)
        return Posted(entry.id)

    async def update(self, *, room: Room, thread: str, card: Card, message: str, root: str) -> None:
        if self.faults.update is not None:
            raise self.faults.update
        entry = self.log.find(message)
        if entry is None or entry.room != room.channel or entry.card is None:
            raise CardGone(message)
        self.log.redraw(entry, card=card, thread=thread)

    async def notice(self, *, room: Room, text: str, root: str, to: str = "") -> None:
        self.log.add(Entry(id="", room=room.channel, kind="notice", text=text, to=to, reply_to=root))

    async def permalink(self, *, room: Room, message: str) -> str:
        """None: a room of the console has no address that another machine could open."""
        return ""

    async def say(self, *, event_id: str | None, room: str, user: str, text: str, reply_to: str = "") -> Receipt:
        """Somebody writes. The message is in the room at once, whatever becomes of it.

        `event_id` becomes the message's id; the same again is a redelivery, which shows nothing new.
        Raises `NotAccepted`, and the message is marked so.
        """
        entry = self.log.find(event_id) if event_id else None
        if entry is None:
            entry = self.log.add(
                Entry(
                    id=event_id or "",
                    room=room,
                    kind="said",
                    user=user,
                    text=text,
                    reply_to=reply_to,
                    delivery="waiting",
                )
            )
        words = spoken(text, bot=self.bot)
        event = Message(
            id=entry.id,
            room=people.room(room),
            user=people.user(user, self._standing),
            text=words.text,
            addressed=words.addressed,
            direct=words.direct,
            answers=self.log.chain(reply_to),
            name=user,
            mentioned=tuple(Mentioned(name, name) for name in mentioned(words.text)),
        )
        try:
            receipt = await self._receive(event)
        except NotAccepted:
            self.log.mark(entry.id, "failed")
            raise
        self.log.mark(entry.id, "done")
        return receipt

    async def click(
        self, *, event_id: str | None, room: str, user: str, card: str, button: str, token: str = "", value: str = ""
    ) -> Receipt:
        """Somebody presses a button of the card with this message id, as some view of it showed it: token and
        value are the button's, the thread is the card's. Raises `NotAccepted`."""
        entry = self.log.find(card)
        event = Click(
            id=event_id or f"click:{self._ids()}",
            room=people.room(room),
            user=people.user(user, self._standing),
            button=button,
            card=card,
            thread=entry.thread if entry else "",
            token=token,
            value=value,
            name=user,
        )
        return await self._receive(event)

    def cards(self, room: str | None = None) -> list[ShownCard]:
        """Cards of one room or of all, in the order in which they were posted."""
        return [_shown(entry, entry.card) for entry in self.log.entries(room) if entry.card is not None]

    def card(self, message: str) -> ShownCard | None:
        """The card with this message id, if the room still shows it."""
        entry = self.log.find(message)
        return _shown(entry, entry.card) if entry and entry.card else None

    async def _receive(self, event: Message | Click) -> Receipt:
        if self._sink is None:
            raise NotAccepted(self.healthy())
        return await self._sink.receive(event)


def _shown(entry: Entry, card: Card) -> ShownCard:
    return ShownCard(
        message=entry.id,
        room=entry.room,
        thread=entry.thread,
        card=card,
        posted=entry.posted,
        updated=entry.updated,
        version=entry.version,
    )
