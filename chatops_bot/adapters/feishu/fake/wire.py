"""A whole fake Feishu: people say and click, the bot's adapter gets it over the wire, and rooms show what it wrote."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, Literal

from chatops_bot.adapters.feishu.chat import FeishuChat
from chatops_bot.adapters.feishu.fake import asgi, events, looks, sealing, sockets
from chatops_bot.adapters.feishu.fake.faults import CallFaults
from chatops_bot.adapters.feishu.fake.server import Server
from chatops_bot.adapters.feishu.fake.world import App, Post, World
from chatops_bot.adapters.feishu.settings import FeishuSettings
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.wire import Capabilities, Delivered, Fault, ShownCard

Json = dict[str, Any]
Mode = Literal["webhook", "connection"]

CAPABILITIES = Capabilities(buttons=30)
PATIENCE_S = 3.0
"""How long Feishu waits for an answer."""


class FeishuFaults:
    """What goes wrong: of calls (`fail`, `calls`), of deliveries (`redeliver`, `drop_connection`)."""

    def __init__(
        self, calls: CallFaults, redeliver: Callable[[str], Awaitable[Delivered]], drop: Callable[[], Awaitable[None]]
    ) -> None:
        self._calls = calls
        self._redeliver = redeliver
        self._drop = drop

    def fail(self, method: str, fault: Fault) -> None:
        """See `CallFaults` for the names of methods."""
        self._calls.fail(method, fault)

    def calls(self, method: str) -> int:
        """Failed ones included."""
        return self._calls.calls(method)

    async def redeliver(self, event_id: str) -> Delivered:
        """The same payload once more, with a signature of now."""
        return await self._redeliver(event_id)

    async def drop_connection(self) -> None:
        """All long connections break."""
        await self._drop()


class FeishuWire:
    """`ports.wire.Wire` of Feishu. `world` and `server` are open to tests that want more than people can do."""

    def __init__(
        self, *, clock: Clock, mode: Mode = "webhook", random_bytes: Callable[[int], bytes] | None = None
    ) -> None:
        self._clock = clock
        self._mode: Mode = mode
        self._random_bytes = random_bytes or (lambda length: b"\x5a" * length)
        self.app = App()
        self.world = World(clock=clock)
        self.world.apps[self.app.app_id] = self.app
        self._calls = CallFaults()
        self.server = Server(self.world, self._calls)
        self.faults = FeishuFaults(self._calls, self._again, self.server.sockets.drop)
        self._chats: list[FeishuChat] = []
        self._sent: dict[str, tuple[Json, int]] = {}
        self._under_way: set[asyncio.Task[asgi.Answered]] = set()
        self.unaccepted: set[str] = set()
        """Ids of events that Feishu would deliver again."""

    @property
    def platform(self) -> str:
        return "feishu"

    @property
    def capabilities(self) -> Capabilities:
        return CAPABILITIES

    async def start(self) -> None:
        await self.server.start()

    async def stop(self) -> None:
        for task in self._under_way:
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)
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
            "base_url": self.server.url,
        }
        return FeishuSettings(**{**chosen, **more})

    def chat(self, *, clock: Clock, random_bytes: Callable[[int], bytes], **more: Any) -> FeishuChat:
        """The adapter; `more` are settings of it that differ."""
        made = FeishuChat(self.settings(**more), clock=clock, random_bytes=random_bytes)
        self._chats.append(made)
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
        return await self.deliver(event_id, events.message(self.world, self.app, post, author, event_id=event_id))

    async def click(
        self, *, event_id: str, room: str, user: str, message: str, button: str, token: str = "", value: str = ""
    ) -> Delivered:
        who = self.world.people[user]
        post = self.world.posts.get(message) or Post(message, room, self.app.app_id, "interactive", "", 0)
        carried = self._carried(post, button, token=token, value=value)
        credential = f"c-{self.world.number()}"
        payload = events.click(self.world, self.app, post, who, carried, event_id=event_id, token=credential)
        return await self.deliver(event_id, payload)

    def shown(self, room: str) -> list[ShownCard]:
        return [
            ShownCard(
                message=post.id,
                text=looks.text_of(post.views[-1]),
                root=f"{post.topic}/{post.root}" if post.topic and post.root else post.topic or post.root,
                buttons=looks.buttons_of(post.views[-1]),
                updates=len(post.views) - 1,
            )
            for post in self._posts(room, "interactive")
        ]

    def notices(self, room: str) -> list[str]:
        return [json.loads(post.content)["text"] for post in self._posts(room, "text")]

    async def deliver(self, event_id: str, payload: Json) -> Delivered:
        """An event, for the first time or again."""
        _, times = self._sent.get(event_id, (payload, 0))
        self._sent[event_id] = payload, times + 1
        raw = json.dumps(payload, ensure_ascii=False).encode()
        send = self._call if self._mode == "webhook" else self._frame
        answer = await send(raw, times + 1)
        (self.unaccepted.discard if answer.accepted else self.unaccepted.add)(event_id)
        return answer

    async def post(self, body: bytes, headers: dict[str, str], *, method: str = "POST") -> asgi.Answered:
        """Any request to the bot's endpoint; status 0 when it takes longer than Feishu waits."""
        endpoint = self._chats[-1].endpoint
        if endpoint is None:
            raise RuntimeError("this adapter is not called over HTTP")
        calling = asyncio.create_task(asgi.request(endpoint, body=body, headers=headers, method=method))
        self._under_way.add(calling)
        calling.add_done_callback(self._under_way.discard)
        waiting = asyncio.ensure_future(self._clock.sleep(PATIENCE_S))
        try:
            await asyncio.wait({calling, waiting}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
        return calling.result() if calling.done() else asgi.Answered(0, b"")

    def sealed(self, raw: bytes) -> bytes:
        """A body under the app's Encrypt Key."""
        return sealing.encrypted(raw, key=self.app.encrypt_key, random_bytes=self._random_bytes)

    def signed(self, body: bytes) -> dict[str, str]:
        """Headers for a body, of now."""
        nonce = self.world.number()[:10]
        return sealing.headers(body, key=self.app.encrypt_key, now=self._clock.now(), nonce=nonce)

    async def _again(self, event_id: str) -> Delivered:
        payload, _ = self._sent[event_id]
        return await self.deliver(event_id, payload)

    async def _call(self, raw: bytes, times: int) -> Delivered:
        body = self.sealed(raw)
        answer = await self.post(body, self.signed(body))
        return Delivered(answer.status, answer.body.decode(), times)

    async def _frame(self, raw: bytes, times: int) -> Delivered:
        answer = await self.server.sockets.deliver(self.app.app_id, raw)
        if answer is None:
            return Delivered(0, "", times)
        waiting = asyncio.ensure_future(self._clock.sleep(PATIENCE_S))
        awaited: set[asyncio.Future[Any]] = {answer, waiting}
        try:
            await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
        if not answer.done() or answer.cancelled():
            return Delivered(0, "", times)
        return sockets.delivered(answer.result(), times=times)

    def _carried(self, post: Post, button: str, *, token: str, value: str) -> Json:
        """What a press brings: the newest view's button, else the last view's that had one like it, else none that
        the bot made for this card."""
        for view in reversed(post.views):
            found = looks.value_of(view, button)
            if found is None or (token and found.get("token", "") != token):
                continue
            return {**found, "value": value} if value else found
        newest: Json = next((one for view in reversed(post.views) if (one := _any(view))), {})
        return {"button": button, "thread": newest.get("thread", ""), "token": token, "value": value}

    def _posts(self, room: str, kind: str) -> list[Post]:
        apps = self.world.apps
        return [
            post
            for post in self.world.posts.values()
            if post.chat == room and post.by in apps and post.kind == kind and not post.gone
        ]


def _any(view: Json) -> Json | None:
    shown = looks.buttons_of(view)
    return looks.value_of(view, shown[0].id) if shown else None
