"""The chat platforms of a process: made at once, connected last, left first."""

from __future__ import annotations

import asyncio
from typing import Final

import structlog
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from chatops_bot.adapters.console.people import TENANT
from chatops_bot.app import chats, connecting
from chatops_bot.app.http import Check
from chatops_bot.app.process import StartError
from chatops_bot.app.settings import RoomSettings, Settings
from chatops_bot.domain.identity import Room
from chatops_bot.ports.chat import ChatPort, Sink
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.pictures import Painter

log = structlog.get_logger(__name__)

PLATFORM_S: Final = 30.0
"""How long the start waits for a platform that neither connects nor gives up; it goes on trying beside."""


class Platforms:
    """Those that the settings enable. Raises `StartError` when what one of them needs is not installed."""

    def __init__(self, settings: Settings, *, clock: Clock, painter: Painter | None = None) -> None:
        if absent := chats.absent_extras(settings):
            raise StartError("; ".join(f"{platform} is enabled, but {problem}" for platform, problem in absent.items()))
        self._settings = settings
        self._slack = chats.slack_chat(settings.slack, clock=clock, painter=painter) if settings.slack.enabled else None
        self._feishu = (
            chats.feishu_apps(settings.feishu, clock=clock, painter=painter) if settings.feishu.enabled else None
        )
        self._wecom = chats.wecom_chat(settings.wecom, clock=clock) if settings.wecom.enabled else None
        self.console = connecting.console_chat(clock=clock) if settings.console.enabled else None
        made: tuple[ChatPort | None, ...] = (self._slack, self._feishu, self._wecom, self.console)
        self.chats: dict[str, ChatPort] = {chat.platform: chat for chat in made if chat is not None}
        self._starting: list[asyncio.Task[None]] = []

    def checks(self) -> dict[str, Check]:
        """Whether events can arrive, by platform."""
        return {platform: _healthy(chat) for platform, chat in self.chats.items()}

    def room(self, room: str) -> Room | None:
        """The room of an id of the settings; None while its platform has not said which organisation this is."""
        chosen = self._settings.rooms[room]
        tenant = self._tenant(chosen)
        return Room(chosen.platform, tenant, room) if tenant else None

    def routes(self) -> list[BaseRoute]:
        """Where platforms call us, as far as they do."""
        doors: dict[str, ASGIApp | None] = {
            "/slack/events": self._slack.endpoint if self._slack else None,
            "/feishu/events": self._feishu.endpoint if self._feishu else None,
            "/wecom/app": self._wecom.app_endpoint if self._wecom else None,
            "/wecom/robot": self._wecom.robot_endpoint if self._wecom else None,
        }
        return [Route(path, endpoint=endpoint) for path, endpoint in doors.items() if endpoint is not None]

    async def start(self, sink: Sink) -> None:
        """Connect all at once. One that takes long holds up nobody."""
        self._starting = [
            asyncio.create_task(chat.start(sink), name=f"start {platform}") for platform, chat in self.chats.items()
        ]
        if not self._starting:
            log.warning("no_platform", consequence="nobody can talk to the bot; enable slack, feishu, wecom or console")
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

    def _tenant(self, chosen: RoomSettings) -> str:
        """The organisation of a room, "" while that is not known."""
        if chosen.platform == "console":
            return TENANT
        if chosen.platform == "slack":
            return self._slack.team if self._slack else ""
        if chosen.platform == "wecom":
            return self._settings.wecom.corp_id if self._wecom else ""
        serving = self._feishu.chats if self._feishu else ()
        return next((chat.tenant for chat in serving if chosen.app in ("", chat.app_id)), "")


def _healthy(chat: ChatPort) -> Check:
    async def check() -> str:
        return chat.healthy()

    return check
