"""Whether a second place has the audit log, where changes are only made while it has (`audit.required`)."""

from __future__ import annotations

import math

from chatops_bot.ports.clock import Clock
from chatops_bot.ports.store import AuditProgress


class Freshness:
    """One place's. One process copies and tells the others through the store, whose clock counts, so that those of the
    processes need not agree. Not known is behind: nothing is changed before the first word."""

    def __init__(self, audit: AuditProgress, *, sink: str, within_s: int, clock: Clock) -> None:
        self._audit = audit
        self._sink = sink
        self._within_s = within_s
        self._clock = clock
        self._since: float | None = None
        """Monotonic time of the last moment of which it is known that everything had been copied."""

    async def copied(self, *, since: float) -> None:
        """Everything that was there at `since` (monotonic) has been copied by this process."""
        self._since = since
        age_s = self._clock.monotonic() - since
        left_ms = int((self._within_s - age_s) * 1000)
        if left_ms > 0:
            await self._audit.mark_fresh(sink=self._sink, for_ms=left_ms)

    async def look(self) -> None:
        """What the process that copies has told."""
        asked = self._clock.monotonic()
        left_ms = await self._audit.fresh(sink=self._sink)
        if left_ms > 0:
            self._since = asked - (self._within_s - left_ms / 1000)

    def behind(self) -> int:
        """For how many minutes it has been behind, 0 while it is not."""
        if self._since is None:
            return max(1, self._within_s // 60)
        age_s = self._clock.monotonic() - self._since
        return 0 if age_s <= self._within_s else math.ceil(age_s / 60)
