"""`SummaryStore` on Redis. The commit script writes summaries and where they are found; here they are read."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Final, cast

from chatops_bot.adapters.redis import scripts
from chatops_bot.adapters.redis.base import Scripts
from chatops_bot.adapters.redis.resp import Argument
from chatops_bot.adapters.redis.shards import SHARDS, shard_of, tag
from chatops_bot.ports.summaries import StoredSummary

PAGE: Final = 200
"""Summaries that are read at once."""


class Summaries:
    """Reads summaries by when their conversations ended, and writes into one."""

    _base: Scripts

    async def ended(self, since: int, until: int) -> AsyncIterator[StoredSummary]:
        """As ports.summaries.SummaryStore says."""
        for shard in range(SHARDS):
            at = 0
            while rows := await self._rows(
                shard, "ZRANGEBYSCORE", f"{tag(shard)}ended", f"{since}", f"({until}", at=at, count=PAGE
            ):
                at += len(rows)
                for one in await self._read(shard, [(*_member(name), ended) for name, ended in rows]):
                    yield one

    async def of(
        self, room: str, about: str = "", *, limit: int, since: int = 0, until: int = 0
    ) -> list[StoredSummary]:
        """As ports.summaries.SummaryStore says."""
        shard = shard_of(room)
        key, last = f"{tag(shard)}ended:{room}|{about}", f"({until}" if until else "+inf"
        rows = await self._rows(shard, "ZREVRANGEBYSCORE", key, last, f"{since}", at=0, count=limit)
        return await self._read(shard, [(thread, room, ended) for thread, ended in rows])

    async def settle(self, read: StoredSummary, body: bytes) -> bool:
        """As ports.summaries.SummaryStore says."""
        shard = shard_of(read.room)
        arguments: list[Argument] = [read.thread, read.body, body]
        return await self._base.run(scripts.SETTLE, shard, self._base.token(), arguments, copies=True) == 1

    async def _rows(
        self, shard: int, command: str, key: str, first: str, last: str, *, at: int, count: int
    ) -> list[tuple[str, int]]:
        """Members of an index and when they ended."""
        flat = cast(
            "list[bytes]",
            await self._base.client.command(command, key, first, last, "WITHSCORES", "LIMIT", at, count, shard=shard),
        )
        return [(name.decode(), int(float(score))) for name, score in zip(flat[::2], flat[1::2], strict=True)]

    async def _read(self, shard: int, found: Sequence[tuple[str, str, int]]) -> list[StoredSummary]:
        """Those that are still kept."""
        if not found:
            return []
        keys = [f"{tag(shard)}summary:{thread}" for thread, _, _ in found]
        bodies = cast("list[bytes | None]", await self._base.client.command("MGET", *keys, shard=shard))
        return [
            StoredSummary(room=room, thread=thread, ended=ended, body=body)
            for (thread, room, ended), body in zip(found, bodies, strict=True)
            if body is not None
        ]


def _member(name: str) -> tuple[str, str]:
    """Thread and room of a member of a shard's index."""
    thread, _, room = name.partition("|")
    return thread, room
