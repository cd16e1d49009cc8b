"""What goes wrong with a console: calls that fail, events that come again."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict, deque
from collections.abc import Awaitable, Callable

from chatops_bot.adapters.console.chat import ConsoleChat
from chatops_bot.domain.cards import Card
from chatops_bot.domain.identity import Room
from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable, Posted
from chatops_bot.ports.wire import Delivered, Fault


class ConsoleFaults:
    """Methods are `post`, `update` and `notice`. An answer with the code `gone` is `CardGone`, with any other code a
    refusal; without a code it is unavailable."""

    def __init__(self, redeliver: Callable[[str], Awaitable[Delivered]]) -> None:
        self._planned: defaultdict[str, deque[Fault]] = defaultdict(deque)
        self._counted: Counter[str] = Counter()
        self._redeliver = redeliver
        self.released = asyncio.Event()
        """Set when calls that hang shall end."""

    def fail(self, method: str, fault: Fault) -> None:
        """The next calls fail so."""
        self._planned[method].extend([fault] * fault.times)

    def heal(self) -> None:
        """Nothing goes wrong any more."""
        self._planned.clear()

    def calls(self, method: str) -> int:
        """Failed ones included."""
        return self._counted[method]

    async def redeliver(self, event_id: str) -> Delivered:
        """The page sends the same once more."""
        return await self._redeliver(event_id)

    async def drop_connection(self) -> None:
        """The page calls over HTTP: there is none."""

    def count(self, method: str) -> Fault | None:
        """One call; how it shall fail, None where it shall not."""
        self._counted[method] += 1
        return self._planned[method].popleft() if self._planned[method] else None


class FaultyConsole(ConsoleChat):
    """A console whose calls fail as planned."""

    planned: ConsoleFaults

    async def post(self, *, room: Room, thread: str, card: Card, root: str, key: str, again: bool) -> Posted:
        """As planned, else as the console does it."""
        fault = self.planned.count("post")
        await self._before(fault)
        posted = await super().post(room=room, thread=thread, card=card, root=root, key=key, again=again)
        _after(fault)
        return posted

    async def update(self, *, room: Room, thread: str, card: Card, message: str, root: str) -> None:
        """As planned, else as the console does it."""
        fault = self.planned.count("update")
        await self._before(fault)
        await super().update(room=room, thread=thread, card=card, message=message, root=root)
        _after(fault)

    async def _before(self, fault: Fault | None) -> None:
        if fault is None:
            return
        if fault.kind == "hang":
            await self.planned.released.wait()
        elif fault.kind == "reset_before":
            raise ChatUnavailable("the connection broke")
        elif fault.kind == "answer":
            if fault.code == "gone":
                raise CardGone("planned")
            if fault.code:
                raise ChatRefused(f"planned: {fault.code}")
            raise ChatUnavailable("planned", retry_after_s=fault.retry_after_s)


def _after(fault: Fault | None) -> None:
    if fault is not None and fault.kind == "reset_after":
        raise ChatUnavailable("the answer was lost", maybe_posted=True)
