"""The pace at which a platform is written to: posts of a room one after the other, updates of a message coalesced.

The numbers are Slack's (its page on rate limits: one message a second and channel, with short bursts); other platforms
give their own. Updates are kept to one a second because every one of them is sent to everybody who looks at the room.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable
from chatops_bot.ports.clock import Clock

View = TypeVar("View")
Answer = TypeVar("Answer")

KEPT = 1000
"""Channels and messages that are remembered before old ones are looked for; then twice as many as were still of
use, so that looking stays rare however many there are."""


def back_off(failures: int, jitter: float, *, longest_s: float = 60) -> float:
    """Seconds to wait after so many failures in a row: doubled each time up to `longest_s`, and by `jitter`, a number
    from 0 to 1, between half of that and all, so that several processes do not come back at the same moment."""
    return float(min(longest_s, 2.0 ** min(failures, 10)) * (0.5 + jitter / 2))


def seconds(header: str) -> float:
    """A number of seconds in a header such as `Retry-After`; 0 where there is none or it is a date."""
    try:
        return max(0.0, float(header))
    except ValueError:
        return 0.0


async def insist(
    ask: Callable[[], Awaitable[Answer]], *, failed: Callable[[str], None], clock: Clock, jitter: Callable[[], float]
) -> Answer:
    """Ask a platform until it answers, with longer and longer pauses; `failed` is told each time why it did not."""
    failures = 0
    while True:
        try:
            return await ask()
        except (ChatUnavailable, ChatRefused, CardGone) as error:
            failed(str(error))
            pause = getattr(error, "retry_after_s", 0.0)
        await clock.sleep(max(pause, back_off(failures, jitter())))
        failures += 1


class Pace:
    """One post each `every_s` a channel, `burst` at once after a pause; who would wait longer than
    `longest_s` is told to come back."""

    def __init__(self, *, clock: Clock, every_s: float = 1, burst: int = 4, longest_s: float = 4) -> None:
        self._clock = clock
        self._every_s = every_s
        self._burst = burst
        self._longest_s = longest_s
        self._due: dict[str, float] = {}
        self._most = KEPT

    async def wait(self, channel: str) -> None:
        """Until it is this post's turn. Raises `ChatUnavailable` when that is too far away."""
        now = self._clock.monotonic()
        due = max(self._due.get(channel, -math.inf), now - (self._burst - 1) * self._every_s)
        if due - now > self._longest_s:
            raise ChatUnavailable(f"too many posts in {channel}", retry_after_s=due - now, paced=True)
        self._due[channel] = due + self._every_s
        self._forget(now)
        if due > now:
            await self._clock.sleep(due - now)

    def _forget(self, now: float) -> None:
        if len(self._due) > self._most:
            self._due = {channel: due for channel, due in self._due.items() if due > now - self._burst * self._every_s}
            self._most = max(KEPT, 2 * len(self._due))


@dataclass
class _Slot(Generic[View]):
    """Updates of one message: the newest view, its number, and who waits for it."""

    view: View
    number: int = 0
    next_at: float = 0
    waiting: list[tuple[int, asyncio.Future[None]]] = field(default_factory=list)
    task: asyncio.Task[None] | None = None


class Updates(Generic[View]):
    """Updates of many messages. Of each message one is under way at a time, so that a slow older one never
    overwrites a newer one; views that come meanwhile wait, and only the last of them is sent."""

    def __init__(self, *, clock: Clock, every_s: float = 1) -> None:
        self._clock = clock
        self._every_s = every_s
        self._slots: dict[str, _Slot[View]] = {}
        self._most = KEPT

    async def show(self, key: str, view: View, send: Callable[[View], Awaitable[None]]) -> None:
        """Returns when this view, or a newer one of the message, was sent; raises what sending it raised."""
        slot = self._slots.get(key)
        if slot is None:
            self._forget()
            slot = self._slots[key] = _Slot(view)
        slot.view = view
        slot.number += 1
        shown: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        slot.waiting.append((slot.number, shown))
        if slot.task is None:
            slot.task = asyncio.create_task(self._drain(slot, send), name=f"update {key}")
        await shown

    async def close(self) -> None:
        """Give up what was not sent; whoever waits for it is told so."""
        tasks = [slot.task for slot in self._slots.values() if slot.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._slots.clear()

    async def _drain(self, slot: _Slot[View], send: Callable[[View], Awaitable[None]]) -> None:
        try:
            while slot.waiting:
                pause = slot.next_at - self._clock.monotonic()
                if pause > 0:
                    await self._clock.sleep(pause)
                await self._send(slot, send)
        finally:
            slot.task = None
            _settle(slot, slot.number, ChatUnavailable("the update was given up", maybe_posted=True))

    async def _send(self, slot: _Slot[View], send: Callable[[View], Awaitable[None]]) -> None:
        number = slot.number
        failure: ChatUnavailable | CardGone | ChatRefused | None = None
        try:
            await send(slot.view)
        except (ChatUnavailable, CardGone, ChatRefused) as error:
            failure = error
        slot.next_at = self._clock.monotonic() + self._every_s
        _settle(slot, number, failure)

    def _forget(self) -> None:
        if len(self._slots) > self._most:
            now = self._clock.monotonic()
            self._slots = {key: slot for key, slot in self._slots.items() if slot.task or slot.next_at > now}
            self._most = max(KEPT, 2 * len(self._slots))


def _settle(slot: _Slot[View], number: int, failure: Exception | None) -> None:
    """Answer everybody whose view was sent, itself or by a newer one."""
    rest: list[tuple[int, asyncio.Future[None]]] = []
    for waiting, shown in slot.waiting:
        if waiting > number:
            rest.append((waiting, shown))
        elif shown.done():  # its caller was cancelled
            continue
        elif failure is None:
            shown.set_result(None)
        else:
            shown.set_exception(failure)
    slot.waiting = rest
