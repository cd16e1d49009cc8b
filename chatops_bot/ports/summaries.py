"""What the engine needs of ended conversations: their summaries, found by when they ended.

The commit that ends a conversation writes its summary and where it is found, in the shard of its room. What it holds
is opaque to the store (`domain.session.Summary`, read by `decode_beside`).
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

import msgspec


class StoredSummary(msgspec.Struct, frozen=True):
    """One ended conversation: its room's key, its thread, when it ended (ms of the store's clock), and the summary as
    it was read."""

    room: str
    thread: str
    ended: int
    body: bytes


class SummaryStore(Protocol):
    """Summaries, as long as they are kept. Every method may raise `StoreUnavailable`."""

    def ended(self, since: int, until: int) -> AsyncIterator[StoredSummary]:
        """All of all rooms that ended in [since, until), shard by shard, in each the earliest first. One that ends
        meanwhile may be among them or not."""

    async def of(
        self, room: str, about: str = "", *, limit: int, since: int = 0, until: int = 0
    ) -> list[StoredSummary]:
        """Those of one room (by its key) that ended in [since, until), the latest first, at most `limit`; with the key
        of an entity only those that are about it. `until` 0: up to now."""

    async def settle(self, read: StoredSummary, body: bytes) -> bool:
        """Put another summary in the place of the one that was read, for as long as that would have been kept. False
        where it has been written anew since, or is gone: then nothing is changed."""
