"""Links to the cards of plans, for the record: looked for beside everything else, and never waited for by a change."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final

import structlog

from chatops_bot.domain.cards import Card
from chatops_bot.domain.identity import Room
from chatops_bot.ports.chat import CardGone, ChatPort, ChatRefused, ChatUnavailable
from chatops_bot.ports.meter import Meter

log = structlog.get_logger(__name__)

LIMIT_S: Final = 5.0
"""For one question to a platform."""

REMEMBERED: Final = 2_000
"""Plans whose card's link is known to this process; who does not know it asks again."""

Spawn = Callable[[Coroutine[Any, Any, None]], None]


class Links:
    """By a plan's token, the link to its card; "" where the platform has none, or has not said yet."""

    def __init__(self, *, chats: Mapping[str, ChatPort], spawn: Spawn, meter: Meter) -> None:
        self._chats = chats
        self._spawn = spawn
        self._meter = meter
        self._known: OrderedDict[str, str] = OrderedDict()

    def of(self, token: str) -> str:
        """As far as it is known now."""
        return self._known.get(token, "")

    def drawn(self, card: Card, room: Room, message: str) -> None:
        """A card was drawn: where it is a plan's, find out its link meanwhile."""
        for button in card.buttons:
            if button.id in ("confirm", "approve") and button.token and button.token not in self._known:
                self._keep(button.token, "")
                self._spawn(self._learn(button.token, room, message))

    async def find(self, token: str, room: Room, message: str) -> str:
        """Ask the platform, within `LIMIT_S`, where it is not known yet."""
        return self.of(token) or await self._asked(token, room, message)

    async def _learn(self, token: str, room: Room, message: str) -> None:
        await self._asked(token, room, message)

    async def _asked(self, token: str, room: Room, message: str) -> str:
        chat = self._chats.get(room.platform)
        if chat is None or not message:
            return ""
        try:
            async with asyncio.timeout(LIMIT_S):
                link = await chat.permalink(room=room, message=message)
        except (TimeoutError, ChatUnavailable, ChatRefused, CardGone) as error:
            log.info("link_unknown", room=room.key, message=message, why=str(error) or type(error).__name__)
            self._meter.count("links_unknown", platform=room.platform)
            return ""
        if link:
            self._keep(token, link)
        return link

    def _keep(self, token: str, link: str) -> None:
        self._known[token] = link
        self._known.move_to_end(token)
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
