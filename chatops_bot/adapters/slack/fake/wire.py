"""A whole fake Slack: people say and click, the bot's adapter gets it over the wire, and rooms show what it wrote."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from itertools import count
from typing import Any, Literal

from chatops_bot.adapters.slack.chat import SlackChat
from chatops_bot.adapters.slack.fake import deliveries, looks
from chatops_bot.adapters.slack.fake.courier import Courier, SlackFaults
from chatops_bot.adapters.slack.fake.hands import Crew, find, pressed, root_of
from chatops_bot.adapters.slack.fake.server import FakeSlack
from chatops_bot.adapters.slack.fake.workspace import BOT_ID, BOT_USER, TEAM, Channel
from chatops_bot.adapters.slack.settings import SlackSettings
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.wire import Capabilities, Delivered, Noise, ShownCard

Json = dict[str, Any]
Mode = Literal["socket", "http"]

ELSEWHERE = "T0OTHER"
CAPABILITIES = Capabilities(
    asides="it opens a thread, in which everything is said to everybody: what answers a person is said in the room",
    images="the text says it",
)


class SlackWire:
    """`ports.wire.Wire` of Slack. `slack` is open to tests that want more than people can do.

    Where time stands still while the bot works (a replay), `paced=False` lets it write as fast as it likes.
    """

    def __init__(self, *, clock: Clock, mode: Mode = "http", paced: bool = True) -> None:
        self._clock = clock
        self.platform = "slack"
        self.tenant = TEAM
        self.capabilities = CAPABILITIES
        self._mode: Mode = mode
        self._paced = paced
        self._numbers = count(1)
        self._crew = Crew()
        self._said: dict[str, str] = {}
        self.slack = FakeSlack(clock)
        self.courier = Courier(self.slack, clock=clock, over_http=mode == "http")
        self.faults = SlackFaults(self.slack, self.courier)

    async def start(self) -> None:
        await self.slack.__aenter__()

    async def stop(self) -> None:
        self.faults.released.set()
        await self.courier.close()
        await self.slack.__aexit__()

    def settings(self, **more: Any) -> SlackSettings:
        """Of an adapter that talks to this fake."""
        chosen: Json = {
            "bot_token": "xoxb-test",
            "app_token": "xapp-test",
            "signing_secret": deliveries.SECRET,
            "mode": self._mode,
            "connections": 1,
            "person_wait_s": 5,
            "pace_s": 1 if self._paced else 0,
            "base_url": self.slack.url,
        }
        return SlackSettings(**{**chosen, **more})

    def chat(self, *, clock: Clock, random_bytes: Callable[[int], bytes], **more: Any) -> SlackChat:
        """The adapter; `more` are settings of it that differ."""
        made = SlackChat(self.settings(**more), clock=clock, random_bytes=random_bytes)
        self.courier.endpoint = made.endpoint
        return made

    def person(self, name: str, *, guest: bool = False, foreign: bool = False) -> str:
        user = f"U{_digest(name)}"
        if user not in self._crew.homes:
            self._crew.homes[user] = ELSEWHERE if foreign else TEAM
            self._crew.ids[name] = user
            self.slack.workspace.user(user, name, is_restricted=guest, team_id=self._crew.homes[user])
        return user

    def room(self, name: str) -> str:
        channel = f"C{_digest(name)}"
        self.slack.workspace.channels.setdefault(channel, Channel(channel, name))
        return channel

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
        if text.startswith("/ops "):
            told = self._crew.typed(text.removeprefix("/ops "))
            command = deliveries.command(
                told, user=user, channel=room, trigger_id=event_id, team_id=self._crew.homes[user]
            )
            return await self.courier.deliver(event_id, command)
        if mention and "@bot" not in text:
            text = f"@bot {text}"
        more: Json = {
            "user": user,
            "channel": room,
            "ts": self.slack.workspace.next_ts(),
            "team": self._crew.homes[user],
        }
        if root := thread or root_of(self.slack.workspace, room, reply_to):
            more["thread_ts"] = root
        self._said[event_id] = more["ts"]
        said = deliveries.message(self._crew.typed(text), **more, channel_type="im" if direct else "channel")
        payloads = [said]
        if "@bot" in text and not direct:
            # A mention comes twice, as two events of one message.
            payloads.append(deliveries.mention(self._crew.typed(text), **more))
        post = {name: value for name, value in said.items() if name in ("ts", "user", "text", "thread_ts")}
        self.slack.workspace.channels[room].messages.append({**post, "type": "message", "blocks": []})
        events = [deliveries.event(each, id=f"{event_id}.{place}") for place, each in enumerate(payloads)]
        return await self.courier.deliver(event_id, *events)

    def said(self, event_id: str) -> str:
        return self._said.get(event_id, "")

    async def click(
        self, *, event_id: str, room: str, user: str, message: str, button: str, token: str = "", value: str = ""
    ) -> Delivered:
        post = find(self.slack.workspace, room, message) or {}
        element = pressed(self.slack.workspace, message, button, token=token, value=value)
        payload = deliveries.click(
            element["action_id"],
            element["value"],
            message_ts=message,
            user=user,
            channel=room,
            thread_ts=post.get("thread_ts", ""),
            action_ts=f"{self._clock.now():.0f}.{next(self._numbers):06d}",
        )
        payload["user"]["team_id"] = self._crew.homes[user]
        return await self.courier.deliver(event_id, payload)

    async def overheard(self, kind: Noise, *, event_id: str, room: str, user: str, text: str) -> Delivered:
        ts, typed = self.slack.workspace.next_ts(), self._crew.typed(text)
        match kind:
            case "edit":
                old, new = deliveries.message("hm", user=user), deliveries.message(typed, user=user)
                edit: Json = {"message": {**new, "edited": {"user": user, "ts": ts}}, "previous_message": old}
                said = deliveries.message("", user=None, channel=room, ts=ts, subtype="message_changed", **edit)
            case "bot":
                said = deliveries.message(typed, user="U0OTHERBOT", channel=room, ts=ts, bot_id="B0OTHER")
            case _:
                said = deliveries.message(typed, user=BOT_USER, channel=room, ts=ts, bot_id=BOT_ID)
        return await self.courier.deliver(event_id, deliveries.event(said, id=event_id))

    def shown(self, room: str) -> list[ShownCard]:
        return [
            ShownCard(
                message=post["ts"],
                text=looks.text_of(post, self._crew.name),
                root=post.get("thread_ts", ""),
                buttons=looks.buttons_of(post),
                updates=len(self.slack.workspace.views[post["ts"]]) - 1,
            )
            for post in self.slack.workspace.messages(room)
            if post.get("bot_id") == BOT_ID and (post["blocks"] or "metadata" in post)
        ]

    def rung(self, room: str) -> list[str]:
        """In messages, mentions are those of the blocks: the text beside them repeats them for notifications."""
        found = [token for post in self.slack.workspace.messages(room) for token in looks.rings(post)]
        return [*found, *(token for channel, text in self.slack.workspace.lines for token in looks.tokens(text))]

    def notices(self, room: str) -> list[str]:
        return [looks.plain(text, self._crew.name) for channel, text in self.slack.workspace.lines if channel == room]


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:10].upper()
