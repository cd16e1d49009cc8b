"""Copies the audit chains to a second place, behind what is written to the store: no turn waits for it.

What has been sent is remembered in the store, per place and shard, after it was taken: nothing is left out whatever
ends in between, and at worst something is sent twice. Nothing waits in memory but one page a shard. One process does
it at a time; when that one ends, another goes on within `LEAD_MS`.
"""

from __future__ import annotations

import asyncio
from typing import Final

import structlog

from chatops_bot.engine.audit_freshness import Freshness
from chatops_bot.ports.audit_sink import AuditSink, SinkUnavailable
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.meter import Meter
from chatops_bot.ports.store import AuditEntry, AuditProgress, StoreUnavailable

log = structlog.get_logger(__name__)

LEAD_MS: Final = 15_000
"""How long a process that fell silent keeps the others from going on; longer than one `AuditSink.send` takes."""

PAUSE_S: Final = 1.0
"""Between two looks at the chains."""

LONGEST_PAUSE_S: Final = 300.0
"""After failures, each of which doubles the pause."""

PAGE: Final = 100
"""Links read of one shard at a time, and the most that are sent at once."""


class AuditCopies:
    """One place's copy. `shards` is how many chains there are; `freshness` is told when everything has been copied."""

    def __init__(
        self,
        audit: AuditProgress,
        sink: AuditSink,
        *,
        shards: int,
        clock: Clock,
        meter: Meter,
        page: int = PAGE,
        freshness: Freshness | None = None,
    ) -> None:
        self._audit = audit
        self._sink = sink
        self._shards = shards
        self._clock = clock
        self._meter = meter
        self._page = page
        self._freshness = freshness
        self._sent: dict[int, str] | None = None
        """By shard, the link sent last; None while another process is at it."""

    async def run(self) -> None:
        """For ever."""
        failures = 0
        while True:
            try:
                more = await self.forward()
                failures = 0
            except (SinkUnavailable, StoreUnavailable) as error:
                self._sent = None
                failures += 1
                more = False
                self._meter.count("audit_unsent", sink=self._sink.name)
                log.warning("audit_not_copied", sink=self._sink.name, why=str(error), failures=failures)
            if not more:
                await self._clock.sleep(min(PAUSE_S * 2**failures, LONGEST_PAUSE_S))

    async def forward(self) -> bool:
        """Send what there is, one page of each chain at most. True when there may be more at once.

        Raises `SinkUnavailable` and `StoreUnavailable`.
        """
        if not await self._audit.lead(sink=self._sink.name, for_ms=LEAD_MS):
            self._sent = None
            if self._freshness is not None:
                await self._freshness.look()
            return False
        begun = self._clock.monotonic()
        if self._sent is None:
            found = await asyncio.gather(
                *(self._audit.sent(sink=self._sink.name, shard=n) for n in range(self._shards))
            )
            self._sent = dict(enumerate(found))
        pages = await asyncio.gather(
            *(self._audit.entries(shard=n, after=after, limit=self._page) for n, after in self._sent.items())
        )
        waiting = sorted((entry for page in pages for entry in page), key=_time)
        for start in range(0, len(waiting), self._page):
            await self._send(waiting[start : start + self._page])
        more = any(len(page) == self._page for page in pages)
        if not more and self._freshness is not None:
            await self._freshness.copied(since=begun)
        return more

    async def _send(self, entries: list[AuditEntry]) -> None:
        if not await self._audit.lead(sink=self._sink.name, for_ms=LEAD_MS):
            self._sent = None
            raise SinkUnavailable("another process has taken over")
        await self._sink.send(entries)
        self._meter.count("audit_sent", len(entries), sink=self._sink.name)
        last = {entry.shard: entry.id for entry in entries}
        for shard, entry_id in last.items():
            await self._audit.mark_sent(sink=self._sink.name, shard=shard, id=entry_id)
        self._sent = {**(self._sent or {}), **last}


def _time(entry: AuditEntry) -> tuple[int, int, int]:
    """Ids are the store's time and a number; within a shard they only grow."""
    time, _, number = entry.id.partition("-")
    return int(time), entry.shard, int(number or 0)
