"""What goes wrong with calls of the fake's API, by method, and how often each was called."""

from __future__ import annotations

import asyncio
from collections import Counter, deque

from chatops_bot.ports.wire import Fault


class CallFaults:
    """Methods are called as in the adapter: `auth`, `bot.info`, `messages.create`, `messages.reply`, `messages.patch`,
    `ephemeral.send`, `images.create`, `users.get`, `users.find_by_department`, `chats.get`, `chats.list`,
    `tenant.query`, `scopes.list`, `versions.list`, `ws.endpoint`."""

    def __init__(self) -> None:
        self._planned: dict[str, deque[Fault]] = {}
        self._counted: Counter[str] = Counter()
        self.released = asyncio.Event()
        """Set when calls that hang shall end."""

    def fail(self, method: str, fault: Fault) -> None:
        """The next calls fail so."""
        self._planned.setdefault(method, deque()).extend([fault] * fault.times)

    def heal(self) -> None:
        """Nothing is planned any more."""
        self._planned.clear()

    def calls(self, method: str) -> int:
        """How often it was called."""
        return self._counted[method]

    def count(self, method: str) -> Fault | None:
        """One call; how it shall fail, None where it shall not."""
        self._counted[method] += 1
        planned = self._planned.get(method)
        return planned.popleft() if planned else None
