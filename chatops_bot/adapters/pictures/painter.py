"""A picture of charts, drawn in a thread of its own: matplotlib is slow to import, slow to draw, and not made for
several threads."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Final
from zoneinfo import ZoneInfo

from chatops_bot.domain.cards import Picture
from chatops_bot.domain.intents import Language
from chatops_bot.ports.pictures import NoPicture

MOST_WAITING: Final = 20
"""Pictures that wait for the thread; with more, cards go without."""


class Pictures:
    """`Painter` by matplotlib. `limit_s` is for one picture, from the moment it is wanted."""

    def __init__(self, *, time_zone: str, limit_s: float) -> None:
        self._zone = ZoneInfo(time_zone)
        self._limit_s = limit_s
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pictures")
        self._waiting = 0
        # The first picture should not have to wait for a second of importing, and as long for a list of fonts.
        self._thread.submit(_load)

    async def paint(self, picture: Picture, language: Language) -> bytes:
        if self._waiting >= MOST_WAITING:
            raise NoPicture(f"{self._waiting} others are waiting to be drawn")
        self._waiting += 1
        try:
            drawing = asyncio.get_running_loop().run_in_executor(self._thread, self._draw, picture, language)
            return await asyncio.wait_for(drawing, self._limit_s)
        except TimeoutError:
            raise NoPicture(f"it took more than {self._limit_s:g} s") from None
        # What a library of this size raises on odd values is not listed anywhere.
        except (ArithmeticError, ImportError, LookupError, OSError, RuntimeError, TypeError, ValueError) as error:
            raise NoPicture(f"{type(error).__name__}: {error}") from error
        finally:
            self._waiting -= 1

    def _draw(self, picture: Picture, language: Language) -> bytes:
        from chatops_bot.adapters.pictures.drawing import draw

        return draw(picture, language, zone=self._zone)

    async def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)


def _load() -> None:
    """What goes wrong here goes wrong again with the first picture, and is told then."""
    from chatops_bot.adapters.pictures.drawing import families

    families()
