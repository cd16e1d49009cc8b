"""Pictures of cards on a platform: each is drawn and uploaded once, and a card never waits for one for long."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Final

from chatops_bot.domain.cards import Card, Picture
from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.pictures import NoPicture, Painter, key_of

log = logging.getLogger(__name__)

REMEMBERED: Final = 1_000
PAUSE_S: Final = 600.0
"""For how long nothing is uploaded after the platform refused it: a permission is missing until somebody adds it."""


class Album:
    """Pictures by what they show. `upload` gives the platform's name for one, and raises as a chat platform does.

    Without a `painter` there are none. What all pictures of one card take is limited to `limit_s`.
    """

    def __init__(
        self,
        *,
        painter: Painter | None,
        upload: Callable[[bytes], Awaitable[str]],
        clock: Clock,
        limit_s: float = 8.0,
    ) -> None:
        self._painter = painter
        self._upload = upload
        self._clock = clock
        self._limit_s = limit_s
        self._names: OrderedDict[str, str] = OrderedDict()
        self._closed_until = 0.0

    async def of(self, card: Card) -> dict[str, str]:
        """The platform's names of the card's pictures, by `key_of`; those that cannot be shown are left out."""
        pictures = {key_of(block): block for block in card.blocks if isinstance(block, Picture)}
        painter = self._painter
        if painter is None or not pictures:
            return {}
        missing = {key: picture for key, picture in pictures.items() if key not in self._names}
        if missing and self._clock.monotonic() >= self._closed_until:
            await self._within([self._add(painter, key, picture, card) for key, picture in missing.items()])
        found = {key: self._names[key] for key in pictures if key in self._names}
        for key in found:
            self._names.move_to_end(key)
        while len(self._names) > REMEMBERED:
            self._names.popitem(last=False)
        return found

    async def _within(self, work: Iterable[Coroutine[None, None, None]]) -> None:
        limit = asyncio.create_task(self._clock.sleep(self._limit_s))
        tasks = {asyncio.create_task(each) for each in work}
        waiting = set(tasks)
        try:
            while waiting and not limit.done():
                done, _ = await asyncio.wait({*waiting, limit}, return_when=asyncio.FIRST_COMPLETED)
                waiting -= done
        finally:
            for task in (limit, *tasks):
                task.cancel()
        if waiting:
            log.warning("%d pictures are not shown: they were not there within %g s", len(waiting), self._limit_s)
        for task in tasks - waiting:
            task.result()

    async def _add(self, painter: Painter, key: str, picture: Picture, card: Card) -> None:
        try:
            self._names[key] = await self._upload(await painter.paint(picture, card.language))
        except NoPicture as error:
            log.warning("a picture could not be drawn: %s", error)
        except ChatUnavailable as error:
            log.warning("a picture could not be uploaded: %s", error)
        except (ChatRefused, CardGone) as error:
            log.warning("a picture was refused, none is tried for %g s: %s", PAUSE_S, error)
            self._closed_until = self._clock.monotonic() + PAUSE_S
