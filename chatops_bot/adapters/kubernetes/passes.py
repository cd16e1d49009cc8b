"""One pass of reads: four at a time, over before a deadline, and whatever fails or is late is named."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

from chatops_bot.domain.observed import Raw
from chatops_bot.ports.cluster import READS, ClusterError

AT_ONCE = 4
SURVEY_S = 20.0
FIRST_S = 12.0
"""What the first of several rounds of reads may take, so that one slow list leaves time for the rest."""

Read = tuple[str, Callable[[], Awaitable[list[Raw]]]]
"""What is read, and how. Several reads may be of one thing."""

LATE: Final = "timeout"


class Pass:
    """What the reads have brought so far, and what they may still cost."""

    def __init__(self, *, reads: int = READS, seconds: float = SURVEY_S) -> None:
        self.rows: dict[str, list[Raw]] = {}
        self.unread: list[str] = []
        self.left = reads
        self._gate = asyncio.Semaphore(AT_ONCE)
        self._ends = asyncio.get_running_loop().time() + seconds

    async def gather(self, reads: Iterable[Read], *, seconds: float = SURVEY_S) -> None:
        """All of these, within the pass's time and `seconds`. Raises only what is no failure of a cluster."""
        reads = list(reads)
        self.left -= len(reads)
        tasks = [(what, asyncio.ensure_future(self._one(read))) for what, read in reads]
        if not tasks:
            return
        left = self._ends - asyncio.get_running_loop().time()
        try:
            await asyncio.wait([task for _, task in tasks], timeout=max(0.0, min(left, seconds)))
        finally:
            for _, task in tasks:
                task.cancel()
        for what, task in tasks:
            self._take(what, task)

    async def _one(self, read: Callable[[], Awaitable[list[Raw]]]) -> list[Raw]:
        async with self._gate:
            return await read()

    def _take(self, what: str, task: asyncio.Future[list[Raw]]) -> None:
        if not task.done() or task.cancelled():
            self.miss(what, LATE)
            return
        problem = task.exception()
        if problem is None:
            self.rows.setdefault(what, []).extend(task.result())
        elif isinstance(problem, ClusterError):
            self.miss(what, str(problem.status or problem.reason or "no answer"))
        else:
            raise problem

    def miss(self, what: str, why: str) -> None:
        """This could not be read, or not all of it."""
        self.unread.append(f"{what}:{why}")

    def missed(self) -> tuple[str, ...]:
        """As `unread` of what was observed: each part once, with its first reason."""
        reasons: dict[str, str] = {}
        for row in self.unread:
            reasons.setdefault(row.partition(":")[0], row)
        return tuple(sorted(reasons.values()))

    def missed_of(self, what: str) -> bool:
        """Whether this could not be read, or not all of it."""
        return any(row.partition(":")[0] == what for row in self.unread)

    def of(self, what: str) -> tuple[Raw, ...]:
        """What was read of one thing."""
        return tuple(self.rows.get(what, ()))

    def keep(self, what: str, wanted: Callable[[Raw], bool]) -> None:
        """Leave out of a part that was read what is not wanted."""
        self.rows[what] = [row for row in self.rows.get(what, ()) if wanted(row)]
