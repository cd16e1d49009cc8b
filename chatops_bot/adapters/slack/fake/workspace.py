"""The state of a fake Slack workspace."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from chatops_bot.ports.clock import Clock

Json = dict[str, Any]

TEAM = "T0TEAM"
BOT_USER = "U0BOT"
BOT_ID = "B0BOT"
APP = "A0APP"
ROOM = "C0OPS00001"
SCOPES = (
    "app_mentions:read,channels:history,channels:read,chat:write,commands,files:write,groups:history,groups:read,"
    "im:history,users:read"
)


class MethodError(Exception):
    """An answer with `ok: false`."""

    def __init__(self, error: str, **more: object) -> None:
        super().__init__(error)
        self.answer: Json = {"ok": False, "error": error, **more}


@dataclass
class File:
    """An uploaded file: of this many bytes, with its content once that came. After its upload is complete, it is not
    known to messages until `unknown` of them were refused."""

    length: int
    content: bytes = b""
    complete: bool = False
    unknown: int = 0


@dataclass
class Channel:
    """A channel with its messages in order."""

    id: str
    name: str
    member: bool = True
    archived: bool = False
    messages: list[Json] = field(default_factory=list)


class Workspace:
    """Channels, users and messages; `calls` are the methods that were called, with their arguments."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.scopes = SCOPES
        self.team = TEAM
        self.enterprise = ""
        self.bot_id = BOT_ID
        self.calls: list[tuple[str, Json]] = []
        self.users: dict[str, Json] = {}
        self.usergroups: dict[str, list[str]] = {}
        """Ids of members, by the id of the user group; read with `usergroups:read` alone."""
        self.channels: dict[str, Channel] = {ROOM: Channel(ROOM, "ops")}
        self.ephemeral: list[Json] = []
        self.lines: list[tuple[str, str]] = []
        """Channel and text of every message that has no blocks and is no card, those to one person included."""
        self.views: defaultdict[str, list[Json]] = defaultdict(list)
        """What each message of the bot has shown, the newest last."""
        self.valid_tokens = {"xoxb-test", "xapp-test"}
        self.files: dict[str, File] = {}
        self.slow_files = 0
        """How many messages with a new file are refused before it is known."""
        self.upload_url = ""
        """Where files are uploaded to."""
        self._numbers = 0

    def user(self, user: str, name: str, **more: object) -> None:
        """Add a member."""
        self.users[user] = {
            "id": user,
            "team_id": self.team,
            "name": name,
            "profile": {"display_name": name, "real_name": name.title()},
            **more,
        }

    def count(self, method: str) -> int:
        """How often a method was called."""
        return sum(called == method for called, _ in self.calls)

    def messages(self, channel: str = ROOM) -> list[Json]:
        """What the channel and its threads show."""
        return self.channels[channel].messages

    def next_ts(self) -> str:
        self._numbers += 1
        return f"{int(self.clock.now())}.{self._numbers:06d}"
