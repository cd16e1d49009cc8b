"""A platform as the chat of a transcript: people act through its wire, the bot through its adapter.

What the bot draws is noted on its way out, and what arrives on its way in; what is read is read off the wire.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Final

from chatops_bot.app.stage_chat import StageCard
from chatops_bot.app.stage_names import renamed
from chatops_bot.app.stage_screen import Mail, Noted, Screen
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.policy import Policy
from chatops_bot.ports.chat import ChatPort, Receipt
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.wire import Delivered, Wire

COMMAND: Final = "/ops "
MENTION: Final = "@bot"


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
    raise ValueError(f"{platform!r} has no wire to replay on")


class WireChat:
    """`StageChat` over a wire. `tell` is told of every turn that is said otherwise than the transcript has it."""

    def __init__(self, wire: Wire, *, clock: Clock, tell: Callable[[str], None]) -> None:
        self.platform = wire.platform
        self.mentions_only = bool(wire.capabilities.unaddressed)
        self._wire = wire
        self._clock = clock
        self._tell = tell
        self._rooms: dict[str, str] = {}
        self._screen = Screen(self._name_of)
        self._mail = Mail()
        self._entries: dict[str, str | None] = {}

    async def open(self, *, users: set[str], rooms: set[str]) -> None:
        await self._wire.start()
        for user in sorted(users):
            self._wire.person(user)
        for room in sorted(rooms):
            self.place(room)

    async def close(self) -> None:
        await self._wire.stop()

    def join(self) -> ChatPort:
        port = self._wire.chat(clock=self._clock, random_bytes=lambda count: b"\x80" * count)
        return Noted(port, screen=self._screen, mail=lambda: self._mail)

    def place(self, room: str) -> Room:
        channel = self._rooms[room] = self._wire.room(room)
        return Room(self._wire.platform, self._wire.tenant, channel)

    def person(self, name: str) -> User:
        return User(self._wire.platform, self._wire.tenant, self._wire.person(name))

    def policy(self, policy: Policy) -> Policy:
        return renamed(policy, person=lambda name: self.person(name).key, room=lambda name: self.place(name).channel)

    async def say(
        self, *, event_id: str, room: str, user: str, text: str, reply_to: str = "", meant: bool = False
    ) -> Receipt:
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
        where, who = self.place(room).channel, self._wire.person(user)
        replied = person or reply_to
        return await self._delivered(
            event_id,
            lambda: self._wire.say(event_id=event_id, room=where, user=who, text=text, mention=meant, reply_to=replied),
        )

    async def click(
        self, *, event_id: str, room: str, user: str, card: str, button: str, token: str = "", value: str = ""
    ) -> Receipt:
        where, who = self.place(room).channel, self._wire.person(user)
        return await self._delivered(
            event_id,
            lambda: self._wire.click(
                event_id=event_id, room=where, user=who, message=card, button=button, token=token, value=value
            ),
        )

    def entry(self, event_id: str) -> str | None:
        return self._entries.get(event_id)

    def cards(self) -> list[StageCard]:
        return self._screen.cards()

    def buttons(self, message: str) -> list[str]:
        """As the card shows them; where it has no room for all, those too that can be typed."""
        drawn = self._screen.card(message)
        most = self._wire.capabilities.buttons
        if most and len(drawn.card.buttons) > most:
            return [button.id for button in drawn.card.buttons]
        shown = next((one for one in self._wire.shown(self._rooms[drawn.room]) if one.message == message), None)
        return [button.id for button in shown.buttons] if shown else []

    def watch(self) -> Callable[[], list[str]]:
        wire = self._wire
        before = {channel: (wire.shown(channel), wire.notices(channel)) for channel in self._rooms.values()}

        def changed() -> list[str]:
            found: list[str] = []
            for channel in self._rooms.values():
                cards, lines = wire.shown(channel), wire.notices(channel)
                known, heard = before.get(channel, ([], []))
                found += [card.text for card in cards if card not in known]
                found += lines[len(heard) :]
            return found

        return changed

    def _name_of(self, room: Room) -> str:
        return next((name for name, channel in self._rooms.items() if channel == room.channel), room.channel)

    async def _delivered(self, event_id: str, work: Callable[[], Coroutine[Any, Any, Delivered]]) -> Receipt:
        """Deliver, or again where it was delivered before."""
        known = event_id in self._entries
        mail = self._mail = Mail(entries=[], receipts=[])
        delivered = await (self._wire.faults.redeliver(event_id) if known else work())
        self._entries[event_id] = mail.entries[0] if mail.entries else self._entries.get(event_id)
        if not delivered.status:
            self._tell(f"{event_id}: {self.platform} keeps it to itself: {delivered.body}")
        return mail.outcome(delivered)
