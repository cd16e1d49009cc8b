"""A fake of one platform as tests and `replay` see it: people who say and click, a room that shows what the bot wrote.

Each adapter brings its own (`adapters/PLATFORM/fake`). It speaks the platform's wire protocol on the loopback, so
that what is played through it goes through the real adapter in both directions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

import msgspec

from chatops_bot.ports.chat import ChatPort
from chatops_bot.ports.clock import Clock

Replacement = str


class Capabilities(msgspec.Struct, frozen=True, kw_only=True):
    """What a platform cannot do, each with what is done instead; "" where it can."""

    unaddressed: Replacement = ""
    """Messages in a room that do not mention the bot arrive."""
    replies: Replacement = ""
    """A message can be a reply to a card, and says to which."""
    asides: Replacement = ""
    """A reply to a person's message answers that message alone."""
    threads: Replacement = ""
    """A conversation can stand apart from the open room."""
    updates: Replacement = ""
    """A card can be changed in place."""
    buttons: int = 0
    """The most buttons of one card; 0 for no limit that matters. What does not fit is said in the text."""
    private_notice: Replacement = ""
    """A line can be shown to one person alone."""
    post_once: Replacement = ""
    """The platform tells a repeated post from a new one."""
    images: Replacement = ""
    """A picture can be shown in a room."""
    names: Replacement = ""
    """The bot learns by which name people go."""
    rings: Replacement = ""
    """A card can ring people."""
    commands: Replacement = ""
    """A text that begins with `/ops` is for the bot alone."""


class Delivered(msgspec.Struct, frozen=True):
    """What the bot answered to one delivery. `status` is that of HTTP, over a connection the one in the frame (0:
    no answer came in the platform's time); `body` what else it said (a toast, say); `count` how often the
    platform has delivered this event until now."""

    status: int
    body: str = ""
    count: int = 1

    @property
    def accepted(self) -> bool:
        """Whether the platform takes it for delivered."""
        return self.status == 200


class ShownButton(msgspec.Struct, frozen=True):
    """A button that can be pressed, and what a press of it brings back."""

    id: str
    label: str
    token: str = ""
    value: str = ""
    thread: str = ""


class ShownCard(msgspec.Struct, frozen=True):
    """A message of the bot as the room sees it now. `root` is the platform thread that it stands in, or "";
    `replaced` is true where the platform marks it as void for a newer message."""

    message: str
    text: str
    root: str = ""
    buttons: tuple[ShownButton, ...] = ()
    updates: int = 0
    replaced: bool = False


Noise = Literal["edit", "bot", "echo"]
"""What no person says: a person's message is changed, another bot speaks, the bot's own message comes back."""

FaultKind = Literal["answer", "hang", "reset_before", "reset_after"]


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """How calls of one API method fail. `answer`: with this status and code, nothing done. `hang`: no answer at
    all. `reset_before` and `reset_after`: the connection breaks before or after the work was done."""

    kind: FaultKind = "answer"
    status: int = 500
    code: str = ""
    retry_after_s: float = 0
    times: int = 1


class Faults(Protocol):
    """What goes wrong between the platform and the bot."""

    def fail(self, method: str, fault: Fault) -> None:
        """The next `fault.times` calls of a method fail so; methods are called as the fake's documentation says."""

    def heal(self) -> None:
        """Nothing goes wrong any more."""

    def calls(self, method: str) -> int:
        """How often it was called, failed calls included."""

    async def redeliver(self, event_id: str) -> Delivered:
        """The platform delivers an event again, byte for byte as it would."""

    async def drop_connection(self) -> None:
        """A long connection breaks without a word; nothing where deliveries come over HTTP."""


class Wire(Protocol):
    """One platform with its rooms and people. Ids are the platform's; a name always gives the same one.

    In a text, `@bot` is the platform's mention of the bot, as is `mention` where the text has none.
    """

    platform: str
    tenant: str
    """The workspace, corporation or organisation of its rooms."""
    capabilities: Capabilities

    @property
    def faults(self) -> Faults: ...

    async def start(self) -> None:
        """Open the loopback port."""

    async def stop(self) -> None:
        """Close everything; nothing is left running."""

    def chat(self, *, clock: Clock, random_bytes: Callable[[int], bytes]) -> ChatPort:
        """The real adapter, told to talk to this fake, which delivers to it once it was started. Where the platform
        calls the bot, it calls the adapter's ASGI endpoint directly. A second call stands for a second process."""

    def person(self, name: str, *, guest: bool = False, foreign: bool = False) -> str:
        """The platform's id of a person, who is made at the first call."""

    def room(self, name: str) -> str:
        """The platform's id of a room with the bot in it."""

    async def say(
        self,
        *,
        event_id: str,
        room: str,
        user: str,
        text: str,
        mention: bool = False,
        direct: bool = False,
        reply_to: str = "",
        thread: str = "",
    ) -> Delivered:
        """Somebody (`user`, an id) writes in a room (an id); `reply_to` a message, or in a platform `thread`."""

    def said(self, event_id: str) -> str:
        """The platform's id of a message that somebody wrote, "" where that did not happen."""

    async def click(
        self, *, event_id: str, room: str, user: str, message: str, button: str, token: str = "", value: str = ""
    ) -> Delivered:
        """Somebody presses a button: as the message shows it, or, where it shows none such or `token` or `value`
        differ, a stale one that carried these."""

    async def overheard(self, kind: Noise, *, event_id: str, room: str, user: str, text: str) -> Delivered:
        """Something that no person says; `user` is whose message is changed. Status 0, with a reason, where the
        platform delivers no such thing."""

    def shown(self, room: str) -> list[ShownCard]:
        """The bot's cards in a room, oldest first."""

    def rung(self, room: str) -> list[str]:
        """Whom the bot's messages in a room ring, in order: ids, or "all" for everybody there."""

    def notices(self, room: str) -> list[str]:
        """The bot's plain lines in a room, those for one person included, oldest first."""
