"""What the ways of writing to WeCom have in common: a view, its task id, and when a card may be replaced."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable
from typing import Protocol

import msgspec

from chatops_bot.adapters.wecom.kept import Kept
from chatops_bot.adapters.wecom.render import Shown
from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable
from chatops_bot.ports.clock import Clock

log = logging.getLogger(__name__)

HELD_S = 3.0
"""How long a view of something under way waits for what comes of it: less than the five seconds after a press."""
REPLACED_S = 5.0
"""A card that cannot be changed in place is replaced by a message at most that often, unless somebody spoke since or
there is something to be pressed."""


class View(msgspec.Struct, frozen=True):
    """A message as it shall look. `message` is its task id; `ticket` the delivery that it answers, or ""."""

    channel: str
    message: str
    shown: Shown
    ticket: str = ""


class Desk(Protocol):
    """One way of writing. All raise `ChatUnavailable`, `CardGone`, `ChatRefused`."""

    async def post(self, view: View) -> str:
        """A new message; its id, which is that of the view unless WeCom gave another one."""

    async def update(self, view: View) -> None:
        """Change a message in place; `CardGone` where that cannot be done."""

    async def line(self, *, channel: str, text: str, ticket: str) -> None:
        """A plain line of markdown."""

    async def close(self) -> None:
        """Give up what was not sent."""


def task_id(key: str, shown: Shown) -> str:
    """The id of a card: the same for the same view of the same card, so that WeCom refuses a second one (42014)."""
    told = msgspec.json.encode([key, shown.text, shown.card])
    return "ops-" + hashlib.sha256(told).hexdigest()[:40]


class Replacing:
    """Keeps a talk readable where every view would be a message of its own."""

    def __init__(self, *, clock: Clock, pace: float = 1) -> None:
        self._clock = clock
        self._every_s = REPLACED_S * pace
        self._posted: Kept[float] = Kept(clock=clock, lives_s=REPLACED_S)
        self._heard: Kept[float] = Kept(clock=clock, lives_s=REPLACED_S)

    def posted(self, message: str) -> None:
        """A message was posted just now."""
        self._posted.put(message, self._clock.monotonic())

    def heard(self, channel: str) -> None:
        """Somebody spoke or pressed there just now."""
        self._heard.put(channel, self._clock.monotonic())

    def gone(self, view: View, why: str) -> CardGone | ChatUnavailable:
        """What to raise for a view that needs a new message: to be posted now, or in a while by then newest."""
        posted = self._posted.get(view.message)
        heard = self._heard.get(view.channel)
        patient = posted is not None and view.shown.card is None and self._every_s > 0
        if posted is None or not patient or (heard is not None and heard > posted):
            return CardGone(why)
        wait = posted + self._every_s - self._clock.monotonic()
        return ChatUnavailable(f"{why}; replaced in a while", retry_after_s=max(wait, 0.1))


class Held:
    """Views that show something under way, where a card can be changed only once: they wait for what comes of it, which
    may be there in a moment, and are shown when it is not."""

    def __init__(self, *, clock: Clock, show: Callable[[View], Awaitable[None]]) -> None:
        self._clock = clock
        self._show = show
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def hold(self, view: View) -> None:
        """Show it in a while, unless another view of the message comes first."""
        self.drop(view.message)
        task = self._tasks[view.message] = asyncio.create_task(self._later(view), name="wecom-held")
        task.add_done_callback(lambda done: self._forget(view.message, done))

    def drop(self, message: str) -> None:
        """Another view is shown now."""
        task = self._tasks.pop(message, None)
        if task is not None:
            task.cancel()

    async def close(self) -> None:
        """Give up what was not shown."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _later(self, view: View) -> None:
        await self._clock.sleep(HELD_S)
        try:
            await self._show(view)
        except (ChatUnavailable, ChatRefused, CardGone) as error:
            log.info("a view of something under way was not shown: %s", error)

    def _forget(self, message: str, done: asyncio.Task[None]) -> None:
        if self._tasks.get(message) is done:
            del self._tasks[message]
