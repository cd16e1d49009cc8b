"""`Spending` on Redis: three counters, each with a lifetime from its first token on."""

from __future__ import annotations

import asyncio
from typing import Final, cast

from chatops_bot.adapters.redis.client import Client
from chatops_bot.adapters.redis.shards import shard_of, tag

_LIVES_S: Final = 2 * 86_400
"""Longer than the day that is counted, wherever a clock stands."""

_WEEK_S: Final = 9 * 86_400
"""The same for what the digest of a week adds up: of rooms, and of all."""


class RedisSpending:
    """Those of a thread and its room lie in the room's shard, that of all in the first."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def spent(self, *, thread: str, room: str, day: str) -> tuple[int, int, int]:
        keys = _keys(thread, room, day)
        found = await asyncio.gather(*(self._client.command("GET", key, shard=shard) for shard, key in keys))
        of_thread, of_room, of_all = (int(cast(bytes, value)) if value is not None else 0 for value in found)
        return of_thread, of_room, of_all

    async def spend(self, tokens: int, *, thread: str, room: str, day: str) -> None:
        lives = (_LIVES_S, _WEEK_S, _WEEK_S)
        keys = zip(_keys(thread, room, day), lives, strict=True)
        await asyncio.gather(*(self._add(shard, key, tokens, lives_s=lives_s) for (shard, key), lives_s in keys))

    async def _add(self, shard: int, key: str, tokens: int, *, lives_s: int) -> None:
        # First its lifetime: a counter that was left without one would stay for ever.
        await self._client.command("SET", key, 0, "EX", lives_s, "NX", shard=shard)
        await self._client.command("INCRBY", key, tokens, shard=shard)


def _keys(thread: str, room: str, day: str) -> tuple[tuple[int, str], ...]:
    shard = shard_of(room)
    return (
        (shard, f"{tag(shard)}tokens:{day}|{room}|{thread}"),
        (shard, f"{tag(shard)}tokens:{day}|{room}"),
        (0, f"{tag(0)}tokens:{day}"),
    )
