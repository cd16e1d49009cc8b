"""Several apps in one process as one platform: each serves the rooms of its organisation."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from chatops_bot.adapters.feishu import inbound
from chatops_bot.adapters.feishu.chat import FeishuChat
from chatops_bot.adapters.feishu.webhook import FeishuEndpoint
from chatops_bot.domain.cards import Card
from chatops_bot.domain.identity import Room
from chatops_bot.ports.chat import ChatRefused, Posted, Sink
from chatops_bot.ports.clock import Clock


class FeishuApps:
    """`ChatPort` over at least one `FeishuChat`. `endpoint` serves those that are called over HTTP, None where none
    is: `Route("/feishu/events", endpoint=apps.endpoint)`."""

    def __init__(self, chats: Sequence[FeishuChat], *, clock: Clock) -> None:
        if not chats:
            raise ValueError("Feishu needs an app")
        if len({chat.app_id for chat in chats}) < len(chats):
            raise ValueError("an app of Feishu is named twice")
        self.chats = tuple(chats)
        called = [chat for chat in chats if chat.endpoint is not None]
        self.endpoint = FeishuEndpoint(called, clock=clock) if called else None

    @property
    def platform(self) -> str:
        return inbound.PLATFORM

    async def start(self, sink: Sink) -> None:
        await asyncio.gather(*(chat.start(sink) for chat in self.chats))

    async def stop(self) -> None:
        await asyncio.gather(*(chat.stop() for chat in self.chats))

    async def post(self, *, room: Room, thread: str, card: Card, root: str, key: str, again: bool) -> Posted:
        return await self._of(room).post(room=room, thread=thread, card=card, root=root, key=key, again=again)

    async def update(self, *, room: Room, thread: str, card: Card, message: str, root: str) -> None:
        await self._of(room).update(room=room, thread=thread, card=card, message=message, root=root)

    async def notice(self, *, room: Room, text: str, root: str, to: str = "") -> None:
        await self._of(room).notice(room=room, text=text, root=root, to=to)

    async def permalink(self, *, room: Room, message: str) -> str:
        return await self._of(room).permalink(room=room, message=message)

    def healthy(self) -> str:
        problems = [f"{chat.app_id}: {problem}" for chat in self.chats if (problem := chat.healthy())]
        return "; ".join(problems)

    def _of(self, room: Room) -> FeishuChat:
        """The app of a room's organisation; the only one serves them all, whatever it knows of them."""
        if len(self.chats) == 1:
            return self.chats[0]
        for chat in self.chats:
            if chat.tenant == room.tenant:
                return chat
        raise ChatRefused(f"no app of Feishu serves the organisation {room.tenant!r}")
