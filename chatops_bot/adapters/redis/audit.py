"""`AuditLog` on Redis: one stream a shard, each entry a link of a hash chain."""

from __future__ import annotations

from typing import cast

from chatops_bot.adapters.redis import scripts
from chatops_bot.adapters.redis.base import Scripts
from chatops_bot.adapters.redis.shards import shard_of, tag
from chatops_bot.ports.store import AuditEntry


class RedisAuditLog:
    """Reads the chains, and links records that belong to no other step."""

    def __init__(self, base: Scripts) -> None:
        self._base = base
        self._me = base.token()

    async def entries(self, *, shard: int, after: str = "", limit: int = 500) -> list[AuditEntry]:
        reply = await self._base.client.command(
            "XRANGE", f"{tag(shard)}audit", f"({after}" if after else "-", "+", "COUNT", limit, shard=shard
        )
        return [_entry(shard, link) for link in cast("list[list[object]]", reply)]

    async def latest(self, *, shard_of: str, limit: int = 1000) -> list[bytes]:
        """As ports.store.AuditTail says."""
        shard = _shard(shard_of)
        reply = await self._base.client.command(
            "XREVRANGE", f"{tag(shard)}audit", "+", "-", "COUNT", limit, shard=shard
        )
        return [_entry(shard, link).record for link in reversed(cast("list[list[object]]", reply))]

    async def earlier(self, *, shard_of: str, before: str = "", limit: int = 500) -> list[AuditEntry]:
        """As ports.store.AuditTail says."""
        shard = _shard(shard_of)
        end = f"({before}" if before else "+"
        reply = await self._base.client.command(
            "XREVRANGE", f"{tag(shard)}audit", end, "-", "COUNT", limit, shard=shard
        )
        return [_entry(shard, link) for link in cast("list[list[object]]", reply)]

    async def head(self, *, shard: int) -> str:
        reply = await self._base.client.command("GET", f"{tag(shard)}audit-head", shard=shard)
        return reply.decode() if isinstance(reply, bytes) else ""

    async def base(self, *, shard: int) -> str:
        reply = await self._base.client.command("GET", f"{tag(shard)}audit-base", shard=shard)
        return reply.decode().split("\x1e")[1] if isinstance(reply, bytes) else ""

    async def append(self, *, shard_of: str, record: bytes) -> None:
        await self._base.run(scripts.AUDIT, _shard(shard_of), self._base.token(), [record], copies=True)

    async def lead(self, *, sink: str, for_ms: int) -> bool:
        """As ports.store.AuditProgress says. Two may lead for a moment, each of which sends: that is no harm."""
        key, command = f"{tag(0)}audit-lead:{sink}", self._base.client.command
        if await command("SET", key, self._me, "NX", "PX", for_ms) is not None:
            return True
        if await command("GET", key) != self._me.encode():
            return False
        return await command("PEXPIRE", key, for_ms) == 1

    async def sent(self, *, sink: str, shard: int) -> str:
        """As ports.store.AuditProgress says."""
        reply = await self._base.client.command("GET", f"{tag(shard)}audit-sent:{sink}", shard=shard)
        return reply.decode() if isinstance(reply, bytes) else ""

    async def mark_sent(self, *, sink: str, shard: int, id: str) -> None:
        """As ports.store.AuditProgress says."""
        await self._base.client.command("SET", f"{tag(shard)}audit-sent:{sink}", id, shard=shard)

    async def mark_fresh(self, *, sink: str, for_ms: int) -> None:
        """As ports.store.AuditProgress says."""
        await self._base.client.command("SET", f"{tag(0)}audit-fresh:{sink}", 1, "PX", for_ms)

    async def fresh(self, *, sink: str) -> int:
        """As ports.store.AuditProgress says."""
        left = await self._base.client.command("PTTL", f"{tag(0)}audit-fresh:{sink}")
        return max(0, cast(int, left))

    async def last_before(self, *, shard: int, at: int, copied: tuple[str, ...]) -> AuditEntry | None:
        """As ports.store.AuditTrim says."""
        upto = min([(at - 1, 2**63), *(_parts(id) for id in copied)])
        end = f"{upto[0]}-{upto[1]}" if upto[0] >= 0 else "0-1"
        reply = await self._base.client.command("XREVRANGE", f"{tag(shard)}audit", end, "-", "COUNT", 1, shard=shard)
        found = cast("list[list[object]]", reply)
        return _entry(shard, found[0]) if found else None

    async def trim(self, last: AuditEntry, *, record: bytes) -> int:
        """As ports.store.AuditTrim says."""
        went = await self._base.run(
            scripts.TRIM, last.shard, self._base.token(), [last.id, last.hash, record], copies=True
        )
        return max(0, cast(int, went))


_shard = shard_of


def _parts(id: str) -> tuple[int, int]:
    """An id of a stream, to be compared."""
    time, _, number = id.partition("-")
    return int(time), int(number or 0)


def _entry(shard: int, link: list[object]) -> AuditEntry:
    name, flat = cast(bytes, link[0]), cast("list[bytes]", link[1])
    fields = dict(zip(flat[::2], flat[1::2], strict=True))
    return AuditEntry(
        shard=shard,
        id=name.decode(),
        record=fields[b"r"],
        previous=fields[b"p"].decode(),
        hash=fields[b"h"].decode(),
    )
