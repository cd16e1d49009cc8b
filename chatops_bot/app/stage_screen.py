"""What passes between the bot and a platform's adapter in a replay: cards on their way out, events on their way in."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from chatops_bot.app.stage_chat import StageCard
from chatops_bot.domain.cards import Card
from chatops_bot.domain.events import Click, Message
from chatops_bot.domain.identity import Room
from chatops_bot.ports.chat import ChatPort, NotAccepted, Posted, Receipt, Sink
from chatops_bot.ports.wire import Delivered


class Screen:
    """Cards as they were drawn. All messages of one card are one: it stays where it was first posted."""

    def __init__(self, name_of: Callable[[Room], str]) -> None:
        self._name_of = name_of
        self._cards: dict[str, StageCard] = {}
        self._lanes: dict[str, str] = {}
        self._order: dict[str, int] = {}
        self._changes = 0

    def begun(self, lane: str) -> None:
        """A card is on its way out: those that are so at once stand in this order, however fast the platform is."""
        self._order.setdefault(lane, len(self._order))

    def drawn(self, lane: str, message: str, *, room: Room, thread: str, card: Card) -> None:
        """A message shows a card. `lane` names the card, "" where the message is known."""
        self._changes += 1
        lane = lane or self._lanes.get(message, message)
        self.begun(lane)
        self._lanes[message] = lane
        known = self._cards.get(lane)
        origin = known.origin if known else message
        self._cards[lane] = StageCard(message, origin, self._name_of(room), thread, card, self._changes)

    def cards(self) -> list[StageCard]:
        """In the order in which they were first posted."""
        return [self._cards[lane] for lane in sorted(self._cards, key=self._order.__getitem__)]

    def card(self, message: str) -> StageCard:
        """The card that a message is of."""
        return self._cards[self._lanes[message]]


class Mail(msgspec.Struct):
    """What one delivery brought to the bot's door: ids of events, and what became of each."""

    entries: list[str] = []
    receipts: list[Receipt] = []
    problem: NotAccepted | None = None

    def outcome(self, delivered: Delivered) -> Receipt:
        """What became of it. A platform may tell the same in two events, of which the second is a duplicate. Raises
        `NotAccepted`."""
        if self.problem is not None:
            raise self.problem
        if self.receipts:
            return next((receipt for receipt in self.receipts if receipt.taken != "duplicate"), self.receipts[0])
        if delivered.accepted or not delivered.status:
            return Receipt("ignored")
        raise NotAccepted(f"the platform was answered {delivered.status}")


class Noted:
    """A `ChatPort` in front of the adapter: what is drawn is noted on `screen`, what arrives in `mail`."""

    def __init__(self, port: ChatPort, *, screen: Screen, mail: Callable[[], Mail]) -> None:
        self._port = port
        self._screen = screen
        self._mail = mail

    @property
    def platform(self) -> str:
        return self._port.platform

    async def start(self, sink: Sink) -> None:
        await self._port.start(_Door(sink, self._mail))

    async def stop(self) -> None:
        await self._port.stop()

    async def post(self, *, room: Room, thread: str, card: Card, root: str, key: str, again: bool) -> Posted:
        # The engine's key is that of the card, and its number behind it where it is posted anew.
        lane = "|".join(key.split("|")[:3])
        self._screen.begun(lane)
        posted = await self._port.post(room=room, thread=thread, card=card, root=root, key=key, again=again)
        self._screen.drawn(lane, posted.message, room=room, thread=thread, card=card)
        return posted

    async def update(self, *, room: Room, thread: str, card: Card, message: str, root: str) -> None:
        await self._port.update(room=room, thread=thread, card=card, message=message, root=root)
        self._screen.drawn("", message, room=room, thread=thread, card=card)

    async def notice(self, *, room: Room, text: str, root: str, to: str = "") -> None:
        await self._port.notice(room=room, text=text, root=root, to=to)

    async def permalink(self, *, room: Room, message: str) -> str:
        return await self._port.permalink(room=room, message=message)

    def healthy(self) -> str:
        return self._port.healthy()


class _Door:
    """A `Sink` in front of the bot's."""

    def __init__(self, sink: Sink, mail: Callable[[], Mail]) -> None:
        self._sink = sink
        self._mail = mail

    async def receive(self, event: Message | Click) -> Receipt:
        mail = self._mail()
        mail.entries.append(event.id)
        try:
            receipt = await self._sink.receive(event)
        except NotAccepted as error:
            mail.problem = error
            raise
        mail.receipts.append(receipt)
        return receipt
