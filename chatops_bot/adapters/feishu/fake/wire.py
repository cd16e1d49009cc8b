"""A whole fake Feishu: people say and click, the bot's adapter gets it over the wire, and rooms show what it wrote."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Literal

from chatops_bot.adapters.feishu.chat import FeishuChat
from chatops_bot.adapters.feishu.fake import events, looks
from chatops_bot.adapters.feishu.fake.courier import Courier, FeishuFaults
from chatops_bot.adapters.feishu.fake.faults import CallFaults
from chatops_bot.adapters.feishu.fake.server import Server
from chatops_bot.adapters.feishu.fake.world import App, Person, Post, World
from chatops_bot.adapters.feishu.settings import FeishuSettings
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.pictures import Painter
from chatops_bot.ports.wire import Capabilities, Delivered, Noise, ShownCard

Json = dict[str, Any]
Mode = Literal["webhook", "connection"]

CAPABILITIES = Capabilities(buttons=30, commands="a mention says the same")


class FeishuWire:
    """`ports.wire.Wire` of Feishu. `world` and `server` are open to tests that want more than people can do.

    Where time stands still while the bot works (a replay), `paced=False` lets it write as fast as it likes.
    """

    def __init__(
        self,
        *,
        clock: Clock,
        mode: Mode = "webhook",
        random_bytes: Callable[[int], bytes] | None = None,
        paced: bool = True,
    ) -> None:
        self._clock = clock
        self._mode: Mode = mode
        self._said: dict[str, str] = {}
        self.app = App()
        self.platform = "feishu"
        self.tenant = self.app.tenant
        self.capabilities = CAPABILITIES
        self.world = World(clock=clock, limited=paced)
        self.world.apps[self.app.app_id] = self.app
        calls = CallFaults()
        self.server = Server(self.world, calls)
        self.courier = Courier(
            app=self.app,
            world=self.world,
            sockets=self.server.sockets if mode == "connection" else None,
            random_bytes=random_bytes or (lambda length: b"\x5a" * length),
        )
        self.faults = FeishuFaults(calls, self.courier)

    async def start(self) -> None:
        await self.server.start()

    async def stop(self) -> None:
        await self.courier.close()
        await self.server.stop()

    def settings(self, **more: Any) -> FeishuSettings:
        """Of an adapter that talks to this fake."""
        chosen: Json = {
            "app_id": self.app.app_id,
            "app_secret": self.app.app_secret,
            "verification_token": self.app.verification_token,
            "encrypt_key": self.app.encrypt_key,
            "mode": self._mode,
            "connections": 1,
            "person_wait_s": 5,
            "after_click_s": 0,
            "pace_s": 1 if self.world.limited else 0,
            "base_url": self.server.url,
        }
        return FeishuSettings(**{**chosen, **more})

    def chat(
        self,
        *,
        clock: Clock,
        random_bytes: Callable[[int], bytes],
        painter: Painter | None = None,
        **more: Any,
    ) -> FeishuChat:
        """The adapter; `more` are settings of it that differ."""
        made = FeishuChat(self.settings(**more), clock=clock, random_bytes=random_bytes, painter=painter)
        self.courier.endpoint = made.endpoint
        return made

    def person(self, name: str, *, guest: bool = False, foreign: bool = False) -> str:
        """A guest is somebody whose account is suspended: Feishu has no others within an organisation."""
        return self.world.person(name, guest=guest, foreign=foreign).id

    def room(self, name: str) -> str:
        return self.world.chat(name).id

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
        if mention and "@bot" not in text:
            text = f"@bot {text}"
        if direct:
            self.world.chats[room].kind = "p2p"
        written, mentions = events.with_mentions(text, self.world, self.app)
        return await self.write(
            event_id=event_id,
            room=room,
            user=user,
            kind="text",
            content=events.text_content(written),
            mentions=mentions,
            answers=reply_to or thread,
            in_topic=bool(thread),
        )

    async def write(
        self,
        *,
        event_id: str,
        room: str,
        user: str,
        kind: str,
        content: str,
        mentions: list[Json] | None = None,
        answers: str = "",
        in_topic: bool = False,
    ) -> Delivered:
        """A message of any type. `answers` is a message, or a topic."""
        if answers.startswith("omt_"):
            topic, _, first = answers.partition("/")
            answers = first or next(post.id for post in self.world.posts.values() if post.topic == topic)
        author = self.world.people[user]
        post = Post(f"om_{self.world.number()}", room, user, kind, content, self._clock.now(), mentions=mentions or [])
        self.world.add(post, answers=answers, in_topic=in_topic)
        self._said[event_id] = post.id
        return await self.courier.deliver(
            event_id, events.message(self.world, self.app, post, author, event_id=event_id)
        )

    def said(self, event_id: str) -> str:
        return self._said.get(event_id, "")

    async def click(
        self, *, event_id: str, room: str, user: str, message: str, button: str, token: str = "", value: str = ""
    ) -> Delivered:
        who = self.world.people[user]
        post = self.world.posts.get(message) or Post(message, room, self.app.app_id, "interactive", "", 0)
        carried = looks.carried(post.views, button, token=token, value=value)
        credential = f"c-{self.world.number()}"
        payload = events.click(self.world, self.app, post, who, carried, event_id=event_id, token=credential)
        return await self.courier.deliver(event_id, payload)

    async def overheard(self, kind: Noise, *, event_id: str, room: str, user: str, text: str) -> Delivered:
        if kind == "edit":
            return Delivered(0, "Feishu tells nobody that a message was changed")
        speaker = Person(self.app.open_id if kind == "echo" else "ou_anotherbot", kind)
        written, mentions = events.with_mentions(text, self.world, self.app)
        post = Post(f"om_{self.world.number()}", room, speaker.id, "text", events.text_content(written), 0)
        post.mentions = mentions
        self.world.add(post)
        payload = events.message(self.world, self.app, post, speaker, event_id=event_id)
        payload["event"]["sender"]["sender_type"] = "app"
        return await self.courier.deliver(event_id, payload)

    def shown(self, room: str) -> list[ShownCard]:
        return [
            ShownCard(
                message=post.id,
                text=looks.text_of(post.views[-1]),
                root=f"{post.topic}/{post.root}" if post.topic and post.root else post.topic or post.root,
                buttons=looks.buttons_of(post.views[-1]),
                updates=len(post.views) - 1,
            )
            for post in self.world.written(room, "interactive")
        ]

    def rung(self, room: str) -> list[str]:
        return list(self.world.rung)

    def notices(self, room: str) -> list[str]:
        return [json.loads(post.content)["text"] for post in self.world.written(room, "text")]
