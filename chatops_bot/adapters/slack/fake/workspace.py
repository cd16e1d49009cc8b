"""The state of a fake Slack workspace and the Web API methods that work on it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from chatops_bot.adapters.slack.fake import blockkit
from chatops_bot.ports.clock import Clock

Json = dict[str, Any]

TEAM = "T0TEAM"
BOT_USER = "U0BOT"
BOT_ID = "B0BOT"
APP = "A0APP"
ROOM = "C0OPS00001"
SCOPES = (
    "app_mentions:read,channels:history,channels:read,chat:write,commands,groups:history,groups:read,"
    "im:history,users:read"
)


class MethodError(Exception):
    """An answer with `ok: false`."""

    def __init__(self, error: str, **more: object) -> None:
        super().__init__(error)
        self.answer: Json = {"ok": False, "error": error, **more}


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
        self.channels: dict[str, Channel] = {ROOM: Channel(ROOM, "ops")}
        self.ephemeral: list[Json] = []
        self.lines: list[tuple[str, str]] = []
        """Channel and text of every message that has no blocks and is no card, those to one person included."""
        self.views: defaultdict[str, list[Json]] = defaultdict(list)
        """What each message of the bot has shown, the newest last."""
        self.valid_tokens = {"xoxb-test", "xapp-test"}
        self._numbers = 0
        self._methods: dict[str, Callable[[Json], Json]] = {
            "auth.test": self._auth_test,
            "users.list": self._users_list,
            "users.info": self._users_info,
            "conversations.info": self._info,
            "conversations.list": self._list,
            "conversations.history": self._history,
            "conversations.replies": self._replies,
            "chat.postMessage": self._post,
            "chat.postEphemeral": self._post_ephemeral,
            "chat.update": self._update,
        }

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

    def call(self, method: str, args: Json) -> Json:
        """Carry out a method. Raises `MethodError`."""
        if method not in self._methods:
            raise MethodError("unknown_method")
        return {"ok": True, **self._methods[method](args)}

    def _auth_test(self, args: Json) -> Json:
        more = {"enterprise_id": self.enterprise} if self.enterprise else {}
        return {"team_id": self.team, "team": "Test", "user_id": BOT_USER, "user": "bot", "bot_id": self.bot_id, **more}

    def _users_list(self, args: Json) -> Json:
        members = list(self.users.values())
        return {"members": members, "response_metadata": {"next_cursor": ""}}

    def _users_info(self, args: Json) -> Json:
        if args.get("user") not in self.users:
            raise MethodError("user_not_found")
        return {"user": self.users[args["user"]]}

    def _channel(self, args: Json) -> Channel:
        channel = self.channels.get(str(args.get("channel")))
        if channel is None:
            raise MethodError("channel_not_found")
        return channel

    def _info(self, args: Json) -> Json:
        channel = self._channel(args)
        return {
            "channel": {
                "id": channel.id,
                "name": channel.name,
                "is_member": channel.member,
                "is_archived": channel.archived,
            }
        }

    def _list(self, args: Json) -> Json:
        return {"channels": [{"id": each.id, "name": each.name} for each in self.channels.values()]}

    def _history(self, args: Json) -> Json:
        roots = [each for each in self._channel(args).messages if each.get("thread_ts", each["ts"]) == each["ts"]]
        return self._page(list(reversed(roots)), args)

    def _replies(self, args: Json) -> Json:
        messages = self._channel(args).messages
        found = [each for each in messages if args.get("ts") in (each["ts"], each.get("thread_ts"))]
        if not found:
            raise MethodError("thread_not_found")
        return self._page(found, args)

    def _page(self, found: list[Json], args: Json) -> Json:
        found = [each for each in found if float(each["ts"]) >= float(args.get("oldest") or 0)]
        start, limit = int(args.get("cursor") or 0), int(args.get("limit") or 100)
        more = str(start + limit) if start + limit < len(found) else ""
        page = found[start : start + limit]
        if args.get("include_all_metadata") not in ("true", "1", True):
            page = [{name: value for name, value in each.items() if name != "metadata"} for each in page]
        return {"messages": page, "response_metadata": {"next_cursor": more}}

    def _writable(self, args: Json) -> Channel:
        channel = self._channel(args)
        if channel.archived:
            raise MethodError("is_archived")
        if not channel.member:
            raise MethodError("not_in_channel")
        blocks = args.get("blocks") or []
        if not args.get("text") and not blocks:
            raise MethodError("no_text")
        if found := blockkit.problems(blocks):
            raise MethodError("invalid_blocks", response_metadata={"messages": found})
        if blockkit.too_long(blocks):
            raise MethodError("msg_blocks_too_long")
        return channel

    def _post(self, args: Json) -> Json:
        channel = self._writable(args)
        message = {
            "type": "message",
            "ts": self.next_ts(),
            "user": BOT_USER,
            "bot_id": BOT_ID,
            "app_id": APP,
            "text": args.get("text", ""),
            "blocks": args.get("blocks", []),
        }
        for name in ("thread_ts", "metadata"):
            if name in args:
                message[name] = args[name]
        channel.messages.append(message)
        self.views[message["ts"]].append({"text": message["text"], "blocks": message["blocks"]})
        if not message["blocks"] and "metadata" not in message:
            self.lines.append((channel.id, message["text"]))
        return {"channel": channel.id, "ts": message["ts"], "message": message}

    def _post_ephemeral(self, args: Json) -> Json:
        channel = self._writable(args)
        self.ephemeral.append(args)
        self.lines.append((channel.id, str(args.get("text", ""))))
        return {"message_ts": self.next_ts(), "channel": channel.id}

    def _update(self, args: Json) -> Json:
        channel = self._writable(args)
        found = next((each for each in channel.messages if each["ts"] == args.get("ts")), None)
        if found is None:
            raise MethodError("message_not_found")
        if found.get("bot_id") != BOT_ID:
            raise MethodError("cant_update_message")
        # An update without blocks takes them away.
        found.update(text=args.get("text", ""), blocks=args.get("blocks", []))
        self.views[found["ts"]].append({"text": found["text"], "blocks": found["blocks"]})
        return {"channel": channel.id, "ts": found["ts"], "text": found["text"]}
