"""How conversations ended, as counted last: one value, which the running bot shows as metrics."""

from __future__ import annotations

from typing import Final

from chatops_bot.adapters.redis.client import Client
from chatops_bot.adapters.redis.shards import tag

_LIVES_S: Final = 3 * 86_400
"""Counted every night: what is older than some missed ones is shown no more."""


class RedisTallies:
    """Keeps the tally, encoded by whoever counted."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def keep(self, tally: bytes) -> None:
        """In place of the one before. Raises `StoreUnavailable`."""
        await self._client.command("SET", f"{tag(0)}settled", tally, "EX", _LIVES_S)

    async def last(self) -> bytes:
        """The one kept, b"" for none. Raises `StoreUnavailable`."""
        reply = await self._client.command("GET", f"{tag(0)}settled")
        return reply if isinstance(reply, bytes) else b""
