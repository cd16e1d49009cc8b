"""A platform as the chat of a transcript: people act through its wire, the bot through its adapter.

What the bot draws is noted on its way out, and what arrives on its way in; what is read is read off the wire.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from chatops_bot.adapters.console.chat import ShownCard
from chatops_bot.domain.cards import Card
from chatops_bot.domain.events import Click, Message
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.policy import EVERYBODY, Policy, Rule
from chatops_bot.ports.chat import ChatPort, NotAccepted, Posted, Receipt, Sink
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.wire import Delivered, Wire

PLATFORMS: Final = ("slack", "feishu", "wecom", "console")
COMMAND: Final = "/ops "
MENTION: Final = "@bot"

Mark = dict[str, tuple[dict[str, tuple[str, int]], int]]


def wire_of(platform: str, *, clock: Clock) -> Wire:
    """The wire of a platform where time stands still: nothing waits for its turn. Raises `ImportError` where what it
    needs is not installed."""
    if platform == "slack":
        from chatops_bot.adapters.slack.fake import SlackWire

        return SlackWire(clock=clock, paced=False)
    if platform == "feishu":
        from chatops_bot.adapters.feishu.fake import FeishuWire

        return FeishuWire(clock=clock, paced=False)
    if platform == "wecom":
        from chatops_bot.adapters.wecom.fake.wire import FakeWeCom

        return FakeWeCom(clock, paced=False, directory=True)
    from chatops_bot.adapters.console.fake import ConsoleWire

    return ConsoleWire(clock=clock)


class WireChat:
    """`StageChat` over a wire. `tell` is told of every turn that is said otherwise than the transcript has it."""

    def __init__(self, wire: Wire, *, clock: Clock, tell: Callable[[str], None]) -> None:
        self._wire = wire
        self._clock = clock
        self._tell = tell
        self._rooms: dict[str, str] = {}
        self._port: ChatPort | None = None
        self._cards: dict[str, ShownCard] = {}
        """By lane: all messages of one card are one."""
        self._lanes: dict[str, str] = {}
        self._origins: dict[str, str] = {}
        self._order: dict[str, int] = {}
        self._changes = 0
        self._arrived: list[tuple[str, Receipt | NotAccepted]] = []
        self._entries: dict[str, str] = {}
        self._kept: set[str] = set()

    @property
    def platform(self) -> str:
        return self._wire.platform

    @property
    def mentions_only(self) -> bool:
        return bool(self._wire.capabilities.unaddressed)

    async def open(self, *, users: set[str], rooms: set[str]) -> None:
        await self._wire.start()
        for user in sorted(users):
            self._wire.person(user)
        for room in sorted(rooms):
            self.place(room)

    async def close(self) -> None:
        await self._wire.stop()

    def join(self) -> ChatPort:
        self._port = self._wire.chat(clock=self._clock, random_bytes=lambda count: b"\x80" * count)
        return _Noted(self._port, begun=self._begun, drawn=self._drawn)

    async def start(self, sink: Sink) -> None:
        if self._port is not None:
            await self._port.start(_Door(sink, self._arrived))

    async def stop(self) -> None:
        if self._port is not None:
            await self._port.stop()

    def place(self, room: str) -> Room:
        channel = self._rooms[room] = self._wire.room(room)
        return Room(self._wire.platform, self._wire.tenant, channel)

    def person(self, name: str) -> User:
        return User(self._wire.platform, self._wire.tenant, self._wire.person(name))

    def policy(self, policy: Policy) -> Policy:
        groups = {name: self._keys(members, policy) for name, members in policy.groups.items()}
        rules = tuple(self._rule(rule, policy) for rule in policy.rules)
        accounts = {name: self._keys(own, policy) for name, own in policy.people.accounts.items()}
        people = type(policy.people)(accounts)
        return msgspec.structs.replace(policy, people=people, groups=groups, rules=rules)

    async def say(
        self, *, event_id: str, room: str, user: str, text: str, reply_to: str = "", meant: bool = False
    ) -> Receipt:
        if event_id in self._entries:
            return self._outcome(event_id, await self._again(event_id))
        can = self._wire.capabilities
        if text.startswith(COMMAND) and can.commands:
            self._tell(f"{event_id}: {self.platform} has no commands: {can.commands}")
            text, meant = text.removeprefix(COMMAND), True
        elif meant:
            self._tell(f"{event_id}: {self.platform}: {can.unaddressed}")
        person = self._wire.said(reply_to)
        if person and can.asides:
            self._tell(f"{event_id}: no reply to a person on {self.platform}: {can.asides}")
            reply_to = person = ""
        self._arrived.clear()
        delivered = await self._wire.say(
            event_id=event_id,
            room=self.place(room).channel,
            user=self._wire.person(user),
            text=text,
            mention=meant,
            reply_to=person or reply_to,
        )
        if not delivered.status:
            self._kept.add(event_id)
            self._tell(f"{event_id}: {self.platform} keeps it to itself: {delivered.body}")
        return self._outcome(event_id, delivered)

    async def click(
        self, *, event_id: str, room: str, user: str, card: str, button: str, token: str = "", value: str = ""
    ) -> Receipt:
        if event_id in self._entries:
            return self._outcome(event_id, await self._again(event_id))
        self._arrived.clear()
        delivered = await self._wire.click(
            event_id=event_id,
            room=self.place(room).channel,
            user=self._wire.person(user),
            message=card,
            button=button,
            token=token,
            value=value,
        )
        return self._outcome(event_id, delivered)

    def entry(self, event_id: str) -> str:
        return self._entries.get(event_id, "")

    def kept(self, event_id: str) -> bool:
        return event_id in self._kept

    def cards(self) -> list[ShownCard]:
        return sorted(self._cards.values(), key=lambda shown: shown.posted)

    def origin(self, message: str) -> str:
        return self._origins.get(self._lanes.get(message, ""), message)

    def buttons(self, message: str) -> list[str]:
        """As the card shows them; and those for which it has no room, which can be typed."""
        drawn = self._cards[self._lanes[message]]
        shown = next((one for one in self._wire.shown(self._rooms[drawn.room]) if one.message == message), None)
        pressed = [button.id for button in shown.buttons] if shown else []
        most = self._wire.capabilities.buttons
        if most and len(drawn.card.buttons) > most:
            return [button.id for button in drawn.card.buttons]
        return pressed

    def mark(self) -> object:
        return self._now()

    def since(self, mark: object) -> list[str]:
        before: Mark = mark if isinstance(mark, dict) else {}
        found: list[str] = []
        for room, (cards, _) in self._now().items():
            known, heard = before.get(room, ({}, 0))
            found += [text for message, (text, version) in cards.items() if known.get(message) != (text, version)]
            found += self._wire.notices(self._rooms[room])[heard:]
        return found

    def _now(self) -> Mark:
        return {
            room: (
                {card.message: (card.text, card.updates) for card in self._wire.shown(channel)},
                len(self._wire.notices(channel)),
            )
            for room, channel in self._rooms.items()
        }

    async def _again(self, event_id: str) -> Delivered:
        self._arrived.clear()
        return await self._wire.faults.redeliver(event_id)

    def _outcome(self, event_id: str, delivered: Delivered) -> Receipt:
        """What became of a delivery: a platform may tell the same in two events, of which the second is a duplicate."""
        entries = [entry for entry, _ in self._arrived]
        self._entries[event_id] = entries[0] if entries else self._entries.get(event_id, "")
        receipts = [receipt for _, receipt in self._arrived if isinstance(receipt, Receipt)]
        for problem in (receipt for _, receipt in self._arrived if isinstance(receipt, NotAccepted)):
            raise problem
        if not receipts:
            if delivered.accepted or not delivered.status:
                return Receipt("ignored")
            raise NotAccepted(f"{self.platform} was answered {delivered.status}")
        return next((receipt for receipt in receipts if receipt.taken != "duplicate"), receipts[0])

    def _begun(self, lane: str) -> None:
        """A card is on its way out: those that are at once stand in this order, however fast the platform is."""
        self._order.setdefault(lane, len(self._order) + 1)

    def _drawn(self, lane: str, message: str, room: Room, thread: str, card: Card) -> None:
        self._changes += 1
        lane = lane or self._lanes.get(message, message)
        self._lanes[message] = lane
        self._origins.setdefault(lane, message)
        self._begun(lane)
        known = self._cards.get(lane)
        self._cards[lane] = ShownCard(
            message=message,
            room=next((name for name, channel in self._rooms.items() if channel == room.channel), room.channel),
            thread=thread,
            card=card,
            posted=self._order[lane],
            updated=self._changes,
            version=known.version + 1 if known else 1,
        )

    def _rule(self, rule: Rule, policy: Policy) -> Rule:
        rooms = None if rule.rooms is None else tuple(self._room_entry(entry) for entry in rule.rooms)
        return msgspec.structs.replace(
            rule,
            rooms=rooms,
            request=self._keys(rule.request, policy),
            confirm=self._keys(rule.confirm, policy),
            approve=None if rule.approve is None else self._keys(rule.approve, policy),
        )

    def _room_entry(self, entry: str) -> str:
        name = entry.removeprefix("console:")
        return entry if entry == EVERYBODY or ":" in name else self.place(name).channel

    def _keys(self, entries: Iterable[str], policy: Policy) -> tuple[str, ...]:
        """Entries of a list of people, bare names as this platform's accounts."""
        kept = {EVERYBODY, *policy.groups, *policy.people.accounts}
        return tuple(entry if entry in kept or ":" in entry else self.person(entry).key for entry in entries)


class _Noted:
    """A `ChatPort` that notes what is drawn where."""

    def __init__(
        self, port: ChatPort, *, begun: Callable[[str], None], drawn: Callable[[str, str, Room, str, Card], None]
    ) -> None:
        self._port = port
        self._begun = begun
        self._drawn = drawn

    @property
    def platform(self) -> str:
        return self._port.platform

    async def start(self, sink: Sink) -> None:
        await self._port.start(sink)

    async def stop(self) -> None:
        await self._port.stop()

    async def post(self, *, room: Room, thread: str, card: Card, root: str, key: str, again: bool) -> Posted:
        # The engine's key is that of the card, and its number behind it where it is posted anew.
        lane = "|".join(key.split("|")[:3])
        self._begun(lane)
        posted = await self._port.post(room=room, thread=thread, card=card, root=root, key=key, again=again)
        self._drawn(lane, posted.message, room, thread, card)
        return posted

    async def update(self, *, room: Room, thread: str, card: Card, message: str, root: str) -> None:
        await self._port.update(room=room, thread=thread, card=card, message=message, root=root)
        self._drawn("", message, room, thread, card)

    async def notice(self, *, room: Room, text: str, root: str, to: str = "") -> None:
        await self._port.notice(room=room, text=text, root=root, to=to)

    def healthy(self) -> str:
        return self._port.healthy()


class _Door:
    """A `Sink` in front of the bot's that notes what arrived and what became of it."""

    def __init__(self, sink: Sink, arrived: list[tuple[str, Receipt | NotAccepted]]) -> None:
        self._sink = sink
        self._arrived = arrived

    async def receive(self, event: Message | Click) -> Receipt:
        try:
            receipt = await self._sink.receive(event)
        except NotAccepted as error:
            self._arrived.append((event.id, error))
            raise
        self._arrived.append((event.id, receipt))
        return receipt
