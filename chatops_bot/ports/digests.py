"""What the digest of the week keeps in the store."""

from __future__ import annotations

from typing import Protocol


class DigestStore(Protocol):
    """Every method may raise `StoreUnavailable`."""

    async def claim(self, *, room: str, week: str) -> bool:
        """Whether this caller is the one that posts this week's digest in that room; true only once."""

    async def release(self, *, room: str, week: str) -> None:
        """It was not posted: the next caller may."""

    async def tokens(self, *, room: str, until: int) -> int:
        """Tokens that models have used in the seven days (UTC) before `until` (ms), of a room or, for "", of all."""
