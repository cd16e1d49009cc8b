"""People who use the console's page: what they do goes over its HTTP interface."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable

from starlette.types import ASGIApp

from chatops_bot.adapters.console import people
from chatops_bot.adapters.console.chat import numbered
from chatops_bot.adapters.console.fake.faults import ConsoleFaults, FaultyConsole
from chatops_bot.adapters.console.web import web_console
from chatops_bot.ports.asgi import call
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.wire import Capabilities, Delivered, Noise, ShownButton, ShownCard

CAPABILITIES = Capabilities(
    threads="everything is said in the open room",
    images="the text says it",
    rings="nobody is rung: whoever has the page open sees the card",
)


class ConsoleWire:
    """`ports.wire.Wire` of the console. It is one process: each call of `chat` gives the same."""

    def __init__(self, *, clock: Clock) -> None:
        self._rooms: list[str] = ["ops"]
        self.platform = people.PLATFORM
        self.tenant = people.TENANT
        self.capabilities = CAPABILITIES
        self._standing: dict[str, people.Standing] = {}
        self._sent: dict[str, tuple[str, dict[str, str], int]] = {}
        self.faults = ConsoleFaults(self._again)
        self.console = FaultyConsole(clock=clock, ids=numbered(), standing=self._standing)
        self.console.planned = self.faults
        self._page: ASGIApp = web_console(self.console, rooms=self._rooms)

    async def start(self) -> None:
        """There is nothing to open."""

    async def stop(self) -> None:
        self.faults.released.set()

    def chat(self, *, clock: Clock, random_bytes: Callable[[int], bytes]) -> FaultyConsole:
        """The platform and its adapter are one; the clock is the wire's."""
        return self.console

    def person(self, name: str, *, guest: bool = False, foreign: bool = False) -> str:
        if guest or foreign:
            self._standing[name] = "foreign" if foreign else "guest"
        return name

    def room(self, name: str) -> str:
        if name not in self._rooms:
            self._rooms.append(name)
            self._page = web_console(self.console, rooms=self._rooms)
        return name

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
            text = f"/ops {text}"
        body = {"room": room, "user": user, "text": text, "reply_to": reply_to or thread}
        return await self._deliver(event_id, "say", body)

    def said(self, event_id: str) -> str:
        action, body, _ = self._sent.get(event_id, ("", {}, 0))
        return f"said:{body['nonce']}" if action == "say" else ""

    async def click(
        self, *, event_id: str, room: str, user: str, message: str, button: str, token: str = "", value: str = ""
    ) -> Delivered:
        shown = next((card for card in self.shown(room) if card.message == message), None)
        found = next((one for one in shown.buttons if one.id == button), None) if shown else None
        if found is not None and token in ("", found.token) and value in ("", found.value):
            token, value = found.token, found.value
        body = {"room": room, "user": user, "card": message, "button": button, "token": token, "value": value}
        return await self._deliver(event_id, "click", body)

    async def overheard(self, kind: Noise, *, event_id: str, room: str, user: str, text: str) -> Delivered:
        return Delivered(0, "in the console nobody changes a message, and no other bot speaks")

    def shown(self, room: str) -> list[ShownCard]:
        return [
            ShownCard(
                message=shown.message,
                text=shown.card.text(),
                buttons=tuple(
                    ShownButton(button.id, button.label, button.token, button.value, shown.thread)
                    for button in shown.card.buttons
                ),
                updates=shown.version - 1,
            )
            for shown in self.console.cards(room)
        ]

    def rung(self, room: str) -> list[str]:
        return []

    def notices(self, room: str) -> list[str]:
        return [entry.text for entry in self.console.log.entries(room) if entry.kind == "notice"]

    async def _deliver(self, event_id: str, action: str, body: dict[str, str]) -> Delivered:
        nonce = hashlib.sha256(event_id.encode()).hexdigest()[:32]
        _, known, times = self._sent.get(event_id, (action, {**body, "nonce": nonce}, 0))
        self._sent[event_id] = action, known, times + 1
        headers = {"host": "localhost", "content-type": "application/json"}
        answer = await call(self._page, path=f"/api/{action}", body=json.dumps(known).encode(), headers=headers)
        return Delivered(answer.status, answer.body.decode(), times + 1)

    async def _again(self, event_id: str) -> Delivered:
        action, body, _ = self._sent[event_id]
        return await self._deliver(event_id, action, body)
