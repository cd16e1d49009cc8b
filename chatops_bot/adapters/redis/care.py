"""`CareStore` on Redis: one value for all that is noted, and a set of groups for each service with alerts."""

from __future__ import annotations

from typing import Final

from chatops_bot.adapters.redis.audit import RedisAuditLog
from chatops_bot.adapters.redis.client import Client
from chatops_bot.adapters.redis.shards import tag

BOOK_S: Final = 7 * 86_400
ALERTS_S: Final = 12 * 3_600
"""Alertmanager repeats what fires every four hours, unless it is told otherwise."""


class RedisCare:
    """Who leads is found out in the same way as for the copies of the audit log."""

    def __init__(self, client: Client, leading: RedisAuditLog) -> None:
        self._client = client
        self._leading = leading

    async def lead(self, *, for_ms: int) -> bool:
        """As ports.care.CareStore says."""
        return await self._leading.lead(sink="care", for_ms=for_ms)

    async def book(self) -> bytes:
        """As ports.care.CareStore says."""
        reply = await self._client.command("GET", f"{tag(0)}care")
        return reply if isinstance(reply, bytes) else b""

    async def keep(self, book: bytes) -> None:
        """As ports.care.CareStore says."""
        await self._client.command("SET", f"{tag(0)}care", book, "EX", BOOK_S)

    async def alerted(self, key: str) -> bool:
        """As ports.care.CareStore says."""
        return await self._client.command("EXISTS", f"{tag(0)}care-alerts:{key}") == 1

    async def note_alerts(self, key: str, *, group: str, firing: bool) -> None:
        """As ports.care.CareStore says."""
        name = f"{tag(0)}care-alerts:{key}"
        if not firing:
            await self._client.command("SREM", name, group)
            return
        await self._client.command("SADD", name, group)
        await self._client.command("EXPIRE", name, ALERTS_S)
