"""Cuts what is older than the audit log is kept off the beginning of each chain, never what has still to be copied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import structlog

from chatops_bot.domain import audit
from chatops_bot.domain.audit import Record
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.meter import Meter
from chatops_bot.ports.store import AuditTrim, AuditUnwritable, StoreUnavailable

log = structlog.get_logger(__name__)

EVERY_S: Final = 86_400.0
"""Between two looks: each cut is on record itself, and a log that is kept for months need not be cut to the hour."""

LEAD_MS: Final = 80_000_000
"""How long a look keeps other processes from looking as well, a little less than a day; two at once do no harm."""


class AuditTrimming:
    """`keep_s` is how long entries are kept, `sinks` the names of the places that must have taken what goes."""

    def __init__(
        self, trim: AuditTrim, *, keep_s: int, sinks: Sequence[str], shards: int, clock: Clock, meter: Meter
    ) -> None:
        self._trim = trim
        self._keep_s = keep_s
        self._sinks = tuple(sinks)
        self._shards = shards
        self._clock = clock
        self._meter = meter

    async def run(self) -> None:
        """For ever."""
        while True:
            try:
                await self.look()
            except StoreUnavailable as error:
                log.warning("audit_not_trimmed", why=str(error))
            await self._clock.sleep(EVERY_S)

    async def look(self) -> int:
        """Once; how many entries went. Raises `StoreUnavailable`."""
        if not await self._trim.lead(sink="trimming", for_ms=LEAD_MS):
            return 0
        went = 0
        for shard in range(self._shards):
            try:
                went += await self._look_at(shard)
            except AuditUnwritable as error:
                log.error("audit_not_trimmed", shard=shard, why=str(error))
        if went:
            log.info("audit_trimmed", entries=went)
            self._meter.count("audit_trimmed", went)
        return went

    async def _look_at(self, shard: int) -> int:
        now = int(self._clock.now() * 1000)
        taken = [await self._trim.sent(sink=sink, shard=shard) for sink in self._sinks]
        if not all(taken):
            return 0
        last = await self._trim.last_before(shard=shard, at=now - self._keep_s * 1000, copied=tuple(taken))
        if last is None:
            return 0
        days = self._keep_s // 86_400
        record = Record(at=now, kind="retention", reason=f"kept {days} days, cut up to {last.id}", digest=last.hash)
        return await self._trim.trim(last, record=audit.encode(record))
