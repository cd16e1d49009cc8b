"""`Pointers` on Redis: what messages of one room have to do with cards of another, as the intake script finds it."""

from __future__ import annotations

from chatops_bot.adapters.redis import rows
from chatops_bot.adapters.redis.base import Scripts
from chatops_bot.adapters.redis.shards import shard_of, tag
from chatops_bot.domain.identity import Room


class Pointing:
    """Writes under the keys of cards, in the shard of the room whose messages they are."""

    _base: Scripts

    async def point(self, *, room: Room, ids: tuple[str, ...], home: bytes) -> None:
        """As ports.store.Pointers says."""
        shard, kept_s = shard_of(room.key), self._base.retention.cards_s
        for id in ids:
            key = f"{tag(shard)}card:{room.key}|{id}"
            await self._base.client.command("SET", key, rows.ELSEWHERE + home, "EX", kept_s, shard=shard, copies=True)
