"""Queues and their leases, whatever is in them: taking what is due, holding it, giving it back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, cast

import structlog

from chatops_bot.adapters.redis import rows, scripts
from chatops_bot.adapters.redis.base import Scripts
from chatops_bot.adapters.redis.resp import Argument, Reply
from chatops_bot.adapters.redis.scripts import Script
from chatops_bot.adapters.redis.shards import DUE, SHARDS
from chatops_bot.ports.store import Claim, StoreUnavailable

KINDS: Final = ("mailbox", "card", "work", "plan", "timer")

log = structlog.get_logger(__name__)


class Queues:
    """`monotonic` is the holder's clock in seconds, for deadlines."""

    def __init__(self, base: Scripts, *, monotonic: Callable[[], float]) -> None:
        self._base = base
        self._client = base.client
        self._monotonic = monotonic

    async def later(self, claim: Claim, delay_ms: int) -> None:
        await self._base.run(scripts.LATER, claim.shard, "", [claim.queue, claim.token, delay_ms, 0])

    async def give_back(self, claims: list[Claim]) -> None:
        await self._by_shard(scripts.LATER, claims, lambda claim: [claim.queue, claim.token, 0, 1])

    async def renew(self, claims: list[Claim]) -> set[str]:
        replies = await self._by_shard(scripts.RENEW, claims, lambda claim: [claim.queue, claim.token])
        lost: set[str] = set()
        for shard, reply in replies.items():
            if isinstance(reply, StoreUnavailable):
                lost |= {claim.token for claim in claims if claim.shard == shard}
            else:
                lost |= {token.decode() for token in cast("list[bytes]", reply)}
        return lost

    async def sweep(self, *, limit: int = 16) -> list[Claim]:
        deadline = self._deadline()
        replies = await self._everywhere(scripts.SWEEP, self._base.token(), [limit])
        found: list[Claim] = []
        missing = {shard: str(reply) for shard, reply in replies.items() if isinstance(reply, StoreUnavailable)}
        if missing:
            log.warning("store_shards_unavailable", shards=sorted(missing), why=min(missing.values()))
        for shard, reply in replies.items():
            if shard in missing:
                continue
            claims, bad = cast("list[list[bytes]]", reply)
            for row in bad:
                queue, _, why = row.decode(errors="replace").partition("\x1e")
                log.error("store_row_unusable", shard=shard, queue=queue, why=why)
            found += self._claims(claims, shard, deadline)
        return found

    async def next_due(self) -> int:
        replies = await self._client.each(lambda shard: ("ZRANGE", DUE[shard], 0, 0, "WITHSCORES"))
        first = [float(pair[1]) for pair in cast("list[list[bytes]]", replies) if pair]
        return int(min(first, default=0))

    async def queue_depths(self) -> dict[str, int]:
        depths = dict.fromkeys(KINDS, 0)
        for reply in (await self._everywhere(scripts.DEPTHS, "", [])).values():
            if isinstance(reply, StoreUnavailable):
                raise reply
            for kind, count in zip(KINDS, cast("list[int]", reply), strict=True):
                depths[kind] += count
        return depths

    def _deadline(self) -> float:
        return self._monotonic() + self._base.lease_ms / 1000

    def _claims(self, found: Sequence[Reply], shard: int, deadline: float) -> tuple[Claim, ...]:
        claims = []
        for row in found:
            try:
                claims.append(rows.claim(row, shard=shard, deadline=deadline))
            except rows.UnreadableError:
                # Its lease runs out, and whoever can read it takes it.
                log.exception("store_row_unreadable", shard=shard)
        return tuple(claims)

    async def _by_shard(
        self, script: Script, claims: list[Claim], flat: Callable[[Claim], list[Argument]]
    ) -> dict[int, Reply | StoreUnavailable]:
        of: dict[int, list[Argument]] = {}
        for claim in claims:
            of.setdefault(claim.shard, []).extend(flat(claim))
        return await self._client.scripts(
            script, {shard: [*self._base.head(""), *found] for shard, found in of.items()}
        )

    async def _everywhere(
        self, script: Script, token: str, arguments: list[Argument]
    ) -> dict[int, Reply | StoreUnavailable]:
        head: list[Argument] = [*self._base.head(token), *arguments]
        return await self._client.scripts(script, dict.fromkeys(range(SHARDS), head))
