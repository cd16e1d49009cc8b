"""`DigestStore` on Redis: one mark a room and week, and the counters of the model's tokens."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from chatops_bot.adapters.redis.client import Client
from chatops_bot.adapters.redis.shards import shard_of, tag

_LIVES_S: Final = 14 * 86_400
"""A digest that is late by more than a day is not posted any more: this is far longer."""
_DAYS: Final = 7


class RedisDigests:
    """As ports.digests.DigestStore says."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def claim(self, *, room: str, week: str) -> bool:
        """As ports.digests.DigestStore says. An answer that was lost counts as claimed: at worst one is left out."""
        shard = shard_of(room)
        reply = await self._client.command("SET", _mark(shard, room, week), 1, "NX", "EX", _LIVES_S, shard=shard)
        return reply is not None

    async def release(self, *, room: str, week: str) -> None:
        """As ports.digests.DigestStore says."""
        shard = shard_of(room)
        await self._client.command("DEL", _mark(shard, room, week), shard=shard)

    async def tokens(self, *, room: str, until: int) -> int:
        """As ports.digests.DigestStore says."""
        shard = shard_of(room) if room else 0
        end = datetime.fromtimestamp(until / 1000, UTC)
        days = [f"{end - timedelta(days=back):%Y%m%d}" for back in range(1, _DAYS + 1)]
        of_room = f"|{room}" if room else ""
        total = 0
        for day in days:
            reply = await self._client.command("GET", f"{tag(shard)}tokens:{day}{of_room}", shard=shard)
            total += int(reply) if isinstance(reply, bytes) else 0
        return total


def _mark(shard: int, room: str, week: str) -> str:
    return f"{tag(shard)}digest:{room}|{week}"
