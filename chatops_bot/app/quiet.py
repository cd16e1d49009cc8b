"""What an earlier demo left in its store is worked off without a sound, before the rooms of the next one open.

Its rooms and its cluster are gone: cards of its expired plans would turn up in a fresh room, about pods that nobody
has seen there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

from chatops_bot.domain.cards import Card
from chatops_bot.domain.identity import Room
from chatops_bot.engine.worker import Worker
from chatops_bot.ports.chat import ChatPort, Posted, Sink
from chatops_bot.ports.store import StoreUnavailable

MOST_SWEEPS: Final = 50
WITHIN_S: Final = 2.0


class MutedChat:
    """A `ChatPort` that shows nothing and never fails."""

    def __init__(self, platform: str) -> None:
        self._platform = platform

    @property
    def platform(self) -> str:
        return self._platform

    async def start(self, sink: Sink) -> None:
        """Nothing ever arrives."""

    async def stop(self) -> None:
        """Nothing runs."""

    async def post(self, *, room: Room, thread: str, card: Card, root: str, key: str, again: bool) -> Posted:
        return Posted(f"muted:{key}")

    async def update(self, *, room: Room, thread: str, card: Card, message: str, root: str) -> None:
        return

    async def notice(self, *, room: Room, text: str, root: str, to: str = "") -> None:
        return

    async def permalink(self, *, room: Room, message: str) -> str:
        return ""

    def healthy(self) -> str:
        return ""


def muted(chats: Mapping[str, ChatPort]) -> dict[str, ChatPort]:
    """A stand-in for each platform."""
    return {platform: MutedChat(platform) for platform in chats}


async def settled(worker: Worker) -> None:
    """Until nothing is due any more, at most `WITHIN_S`; what is then still at work goes on beside."""
    try:
        async with asyncio.timeout(WITHIN_S):
            for _ in range(MOST_SWEEPS):
                if not await worker.sweep():
                    return
                await worker.idle()
    except (TimeoutError, StoreUnavailable):
        return
