"""What proactive care keeps in the store, so that the next process goes on where one has ended."""

from __future__ import annotations

from typing import Protocol


class CareStore(Protocol):
    """Raises `StoreUnavailable` as all of the store does."""

    async def lead(self, *, for_ms: int) -> bool:
        """Whether this process is the one that looks after the services, and remains so for so long."""

    async def book(self) -> bytes:
        """What was kept last, b"" for nothing."""

    async def keep(self, book: bytes) -> None:
        """Keep this instead."""

    async def alerted(self, key: str) -> bool:
        """Whether alerts about this entity fire."""

    async def note_alerts(self, key: str, *, group: str, firing: bool) -> None:
        """A group of alerts about this entity fires, or does not any more."""
