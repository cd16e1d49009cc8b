"""The fake as tests and `replay` use it."""

from __future__ import annotations

import json
import re
import ssl
from collections.abc import Callable

import msgspec

from chatops_bot.adapters.wecom.chat import WeComChat
from chatops_bot.adapters.wecom.fake.bodies import Bodies
from chatops_bot.adapters.wecom.fake.corp import AGENT, BOT_NAME, CORP, Corp, buttons_of, carried, readable
from chatops_bot.adapters.wecom.fake.faults import WeComFaults
from chatops_bot.adapters.wecom.fake.postman import AES_KEY, TOKEN, Mode, Postman
from chatops_bot.adapters.wecom.fake.server import BOT_ID, BOT_SECRET, SECRET, Server
from chatops_bot.adapters.wecom.settings import WeComSettings
from chatops_bot.domain.events import Click, Message
from chatops_bot.ports.chat import NotAccepted, Receipt, Sink
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.wire import Capabilities, Delivered, Noise, ShownButton, ShownCard

Json = dict[str, object]

AT_ONCE = 3
_RINGS = re.compile(r"<@([^<>\s]+)>")

_COMMON = {
    "threads": "everything is said in the open room",
    "private_notice": "the line is shown to the room",
    "images": "the text says it",
    "commands": "a mention says the same",
}
_NAMELESS = "people go by their ids"
CAPABILITIES: dict[Mode, Capabilities] = {
    "socket": Capabilities(
        **_COMMON,
        unaddressed="only mentions arrive: whoever means the bot mentions it",
        updates="an answer until it has buttons, and a card right after a press of it; else a new message that says so",
        post_once="a card with buttons once, a text perhaps twice",
        buttons=6,
        names=_NAMELESS,
    ),
    "http": Capabilities(
        **_COMMON,
        unaddressed="only mentions arrive: whoever means the bot mentions it",
        updates="a card in answer to a press of it; else a new message that says so, while there is one to answer",
        post_once="a card with buttons once, a text perhaps twice",
        buttons=6,
        names=_NAMELESS,
    ),
    "app": Capabilities(
        **_COMMON,
        unaddressed="every message to the application is addressed to it; it is in no room",
        replies="it is not told what is quoted: what is said means one's own talk, what is pressed its card",
        updates="once after it was sent and once after each press; else a new message that says so",
        post_once="a card with buttons once, a text perhaps twice",
        buttons=6,
    ),
}


class FakeWeCom:
    """Implements `ports.wire.Wire`. In mode `app` a "room" is one person's talk with the application.

    Where time stands still while the bot works (a replay), `paced=False` lets it write as fast as it likes. With
    `directory` a robot's corporation also has an application, which can ask what people are called.
    """

    def __init__(
        self,
        clock: Clock,
        mode: Mode = "socket",
        *,
        tls: ssl.SSLContext | None = None,
        paced: bool = True,
        directory: bool = False,
    ) -> None:
        self.mode: Mode = mode
        self._directory = directory
        self.platform = "wecom"
        self.tenant = CORP
        can = CAPABILITIES[mode]
        self.capabilities = msgspec.structs.replace(can, names="") if directory else can
        self.corp = Corp(clock, paced=paced)
        self.faults = WeComFaults(
            redeliver=lambda event_id: self.postman.redeliver(event_id), drop=lambda: self.server.drop()
        )
        self.server = Server(self.corp, self.faults, tls=tls)
        self.bodies = Bodies(self.corp)
        self.postman = Postman(self.corp, mode=mode, bodies=self.bodies, server=self.server)

    async def start(self) -> None:
        await self.server.start()
        self.bodies.address = self.server.address

    async def stop(self) -> None:
        await self.postman.stop()
        await self.server.stop()

    def settings(self, **changed: object) -> WeComSettings:
        """What the bot has to be told to talk to this fake."""
        given: Json = {
            "corp_id": CORP,
            "api_url": f"http://{self.server.address}/cgi-bin/",
            "socket_url": f"ws://{self.server.address}",
        }
        if not self.corp.paced:
            given |= {"pace": 0, "ping_s": 10 * 86_400, "person_wait_s": 5, "patience_s": 0}
        if self.mode == "app" or self._directory:
            given |= {"agent_id": AGENT, "app_secret": SECRET, "app_token": TOKEN, "app_aes_key": AES_KEY}
        if self.mode != "app":
            given |= {"bot_mode": self.mode, "bot_name": BOT_NAME}
            given |= {"bot_id": BOT_ID, "bot_secret": BOT_SECRET, "bot_token": TOKEN, "bot_aes_key": AES_KEY}
        return WeComSettings(**{**given, **changed})  # type: ignore[arg-type]

    def chat(self, *, clock: Clock, random_bytes: Callable[[int], bytes], **changed: object) -> WeComChat:
        """A real adapter. `changed` are settings of its own."""
        chat = _Watched(self.settings(**changed), clock=clock, random_bytes=random_bytes, told=self.postman.took)
        endpoint = chat.app_endpoint if self.mode == "app" else chat.robot_endpoint
        if endpoint is not None:
            self.postman.endpoints.append(endpoint)
        return chat

    def person(self, name: str, *, guest: bool = False, foreign: bool = False) -> str:
        """WeCom knows no guests of its own: they are external contacts too."""
        userid = self.corp.person(name, outside=guest or foreign)
        self.corp.known_rooms.add(f"user:{userid}")
        return userid

    def room(self, name: str) -> str:
        return f"app:{self.person(name)}" if self.mode == "app" else self.corp.room(name)

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
        if self.mode == "app":
            return await self.postman.deliver(
                event_id, self.bodies.app_message(event_id, user, text.replace("@bot", "").strip())
            )
        spoken = text.replace("@bot", f"@{BOT_NAME}")
        if mention and spoken == text:
            spoken = f"@{BOT_NAME} {text}"
        if not direct and f"@{BOT_NAME}" not in spoken:
            return Delivered(0, "a robot is told only what mentions it")
        busy = [one for one in self.corp.callbacks.values() if one.user == user and one.stream and one.stream.open]
        if len(busy) >= AT_ONCE and self.corp.paced:
            return Delivered(0, "three messages of this person are in work")
        body = self.bodies.robot_message(event_id, user=user, room="" if direct else room, text=spoken)
        quoted = self.corp.by_id(reply_to) if reply_to else None
        if quoted is not None:
            body["quote"] = {"msgtype": "text", "text": {"content": readable(quoted)}}
        return await self.postman.deliver(event_id, body)

    def said(self, event_id: str) -> str:
        return event_id if self.postman.delivered(event_id) else ""

    async def click(
        self, *, event_id: str, room: str, user: str, message: str, button: str, token: str = "", value: str = ""
    ) -> Delivered:
        bubble = self.corp.by_id(message)
        key = ""
        for shown in buttons_of(bubble.card if bubble else None):
            brought = carried(shown["key"])
            if (
                brought.get("b") == button
                and token in ("", brought.get("k", ""))
                and value in ("", brought.get("v", ""))
            ):
                key = shown["key"]
        if not key:
            stale = {"b": button, "t": bubble.thread if bubble else "", "k": token, "v": value}
            key = json.dumps({name: text for name, text in stale.items() if text}, separators=(",", ":"))
        if self.mode == "app":
            return await self.postman.deliver(event_id, self.bodies.app_press(user, task=message, key=key))
        return await self.postman.deliver(
            event_id, self.bodies.robot_press(event_id, user=user, room=room, task=message, key=key)
        )

    async def overheard(self, kind: Noise, *, event_id: str, room: str, user: str, text: str) -> Delivered:
        return Delivered(0, "WeCom tells a bot only what people say to it")

    def shown(self, room: str) -> list[ShownCard]:
        return [
            ShownCard(
                message=bubble.id,
                text=readable(bubble),
                buttons=tuple(_button(shown) for shown in buttons_of(bubble.card)),
                updates=bubble.updates,
            )
            for bubble in self.corp.bubbles
            if bubble.channel == room and not bubble.line
        ]

    def rung(self, room: str) -> list[str]:
        """Markdown rings by `<@id>`."""
        texts = [bubble.text for bubble in self.corp.bubbles if bubble.channel == room]
        return [name for text in texts for name in _RINGS.findall(text)]

    def notices(self, room: str) -> list[str]:
        return [readable(bubble) for bubble in self.corp.bubbles if bubble.channel == room and bubble.line]


class _Watched(WeComChat):
    """The adapter, whose sink tells the fake what became of each event."""

    def __init__(
        self,
        settings: WeComSettings,
        *,
        clock: Clock,
        random_bytes: Callable[[int], bytes],
        told: Callable[[Message | Click, bool], None],
    ) -> None:
        super().__init__(settings, clock=clock, random_bytes=random_bytes)
        self._told = told

    async def start(self, sink: Sink) -> None:
        await super().start(_Telling(sink, self._told))


class _Telling:
    """A sink in front of the bot's."""

    def __init__(self, sink: Sink, told: Callable[[Message | Click, bool], None]) -> None:
        self._sink = sink
        self._told = told

    async def receive(self, event: Message | Click) -> Receipt:
        try:
            receipt = await self._sink.receive(event)
        except NotAccepted:
            self._told(event, False)
            raise
        self._told(event, True)
        return receipt


def _button(shown: dict[str, str]) -> ShownButton:
    brought = carried(shown["key"])
    return ShownButton(
        id=brought.get("b", ""),
        label=shown["text"],
        token=brought.get("k", ""),
        value=brought.get("v", ""),
        thread=brought.get("t", ""),
    )
