"""The chat platforms of a process: made at once, connected last, left first."""

from __future__ import annotations

import asyncio
from typing import Final

import structlog

from chatops_bot.app import connecting
from chatops_bot.app.http import Check
from chatops_bot.app.settings import Settings
from chatops_bot.domain.identity import Room
from chatops_bot.ports.chat import ChatPort, Sink
from chatops_bot.ports.clock import Clock

log = structlog.get_logger(__name__)

PLATFORM_S: Final = 30.0
"""How long the start waits for a platform that neither connects nor gives up; it goes on trying beside."""


class Platforms:
    """Those that the settings enable."""

    def __init__(self, settings: Settings, *, clock: Clock) -> None:
        self._settings = settings
        self.slack = connecting.slack_chat(settings, clock=clock)
        self.console = connecting.console_chat(clock=clock) if settings.console.enabled else None
        enabled: list[ChatPort] = [chat for chat in (self.slack, self.console) if chat is not None]
        self.chats: dict[str, ChatPort] = {chat.platform: chat for chat in enabled}
        self._starting: list[asyncio.Task[None]] = []

    def checks(self) -> dict[str, Check]:
        """Whether events can arrive, by platform."""
        return {platform: _healthy(chat) for platform, chat in self.chats.items()}

    def room(self, room: str) -> Room | None:
        """The room of an id of the settings; None while its platform has not said which workspace this is."""
        return connecting.room_of(room, self._settings, self.slack)

    async def start(self, sink: Sink) -> None:
        """Connect all at once. One that takes long holds up nobody."""
        self._starting = [
            asyncio.create_task(chat.start(sink), name=f"start {platform}") for platform, chat in self.chats.items()
        ]
        if not self._starting:
            log.warning("no_platform", consequence="nobody can talk to the bot; enable slack or console")
            return
        done, late = await asyncio.wait(self._starting, timeout=PLATFORM_S)
        for task in late:
            log.warning("platform_late", task=task.get_name())
        for task in done:
            task.result()

    async def stop(self) -> None:
        """Receive nothing more and close what is open."""
        for task in self._starting:
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)
        await asyncio.gather(*(chat.stop() for chat in self.chats.values()))


def _healthy(chat: ChatPort) -> Check:
    async def check() -> str:
        return chat.healthy()

    return check
