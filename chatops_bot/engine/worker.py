"""The worker: runs claimed queues, keeps their leases, sweeps for what was left behind, stops cleanly."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import structlog

from chatops_bot.engine.dispatch import Dispatch
from chatops_bot.engine.leases import Leases
from chatops_bot.engine.outcomes import Wait
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.engine.turns import Later
from chatops_bot.ports.chat import ChatUnavailable
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.meter import Meter
from chatops_bot.ports.store import Claim, StoreUnavailable, ThreadStore

log = structlog.get_logger(__name__)

SWEEP_S = 1.0
RENEW_S = 2.0
NEWER_MS = 5_000
"""Back-off for an entry that a newer worker wrote: long enough for that one to come by."""


class Worker:
    """Holds what it has claimed until it is done, lost or given back. Any number run on one store."""

    def __init__(
        self,
        *,
        store: ThreadStore,
        dispatch: Dispatch,
        snapshot: Snapshot,
        leases: Leases,
        clock: Clock,
        meter: Meter,
        parallel: int = 128,
    ) -> None:
        self._store = store
        self._dispatch = dispatch
        self._snapshot = snapshot
        self._clock = clock
        self._meter = meter
        self._running = asyncio.Semaphore(parallel)
        self._leases = leases
        self._tasks: set[asyncio.Task[None]] = set()
        self._loops: list[asyncio.Task[None]] = []
        self._stopping = False

    def start(self) -> None:
        """Begin to sweep and to renew leases."""
        self._loops = [
            asyncio.create_task(self._every(SWEEP_S, self.sweep), name="sweep"),
            asyncio.create_task(self._every(RENEW_S, self._leases.renew), name="renew"),
        ]

    async def watch(self) -> None:
        """Until one of the loops ends, which none does before `stop`; raises what ended it."""
        done, _ = await asyncio.wait(self._loops, return_when=asyncio.FIRST_COMPLETED)
        for loop in done:
            if not loop.cancelled():
                loop.result()

    async def stop(self, *, grace_s: float = 10.0) -> None:
        """Sweep no more, let what runs end within `grace_s`, what it leads to as well (a turn's cards), then give
        the leases back."""
        self._stopping = True
        for loop in self._loops[:1]:
            loop.cancel()
        until = self._clock.monotonic() + grace_s
        while self._tasks and (left := until - self._clock.monotonic()) > 0:
            await asyncio.wait(set(self._tasks), timeout=left)
        for task in [*self._tasks, *self._loops]:
            task.cancel()
        await asyncio.gather(*self._tasks, *self._loops, return_exceptions=True)
        await self._leases.give_back()

    async def kill(self) -> None:
        """End at once, as a crash would: nothing is given back."""
        self._stopping = True
        for task in [*self._tasks, *self._loops]:
            task.cancel()
        await asyncio.gather(*self._tasks, *self._loops, return_exceptions=True)

    def take(self, claims: tuple[Claim, ...] | list[Claim]) -> None:
        """Work on queues that were claimed for this worker."""
        for claim in claims:
            self._leases.hold(claim)
            task = asyncio.create_task(self._run(claim), name=claim.queue)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something that nobody waits for; its failure is logged."""
        task = asyncio.create_task(self._supervised(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def idle(self) -> None:
        """Until nothing that was taken is still at work."""
        while self._tasks:
            await asyncio.wait(set(self._tasks))

    @property
    def busy(self) -> int:
        """Queues at work now."""
        return len(self._tasks)

    async def sweep(self) -> int:
        """Take what is due anywhere; how much that was. Also learns the read-only switch."""
        if self._stopping:
            return 0
        self._snapshot.set_switch(await self._store.read_only())
        claims = await self._store.sweep()
        self.take(claims)
        return len(claims)

    async def _every(self, seconds: float, step: Callable[[], Coroutine[Any, Any, Any]]) -> None:
        while True:
            await self._clock.sleep(seconds)
            try:
                await step()
            except StoreUnavailable as error:
                log.warning("store_unavailable", step=step.__name__, why=str(error))

    async def _run(self, claim: Claim) -> None:
        """Supervised: whatever goes wrong with one entry is logged and tried again later, and ends nothing."""
        try:
            async with self._running:
                committed = await self._dispatch.take(claim)
        except StoreUnavailable as error:
            log.warning("store_unavailable", queue=claim.queue, why=str(error))
        except (Wait, Later, ChatUnavailable) as error:
            await self._later(claim, delay_of(error, claim.attempts))
        except Exception:
            log.exception("entry_failed", queue=claim.queue, entry=claim.entry, attempts=claim.attempts)
            self._meter.count("failures", place=f"queue {claim.queue[:1]}")
            await self._later(claim, back_off_ms(claim.attempts))
        else:
            if committed is not None:
                self.take(committed.claims)
        finally:
            self._leases.drop(claim)

    async def _supervised(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception:
            log.exception("side_work_failed")
            self._meter.count("failures", place="side work")

    async def _later(self, claim: Claim, delay_ms: int) -> None:
        try:
            await self._store.later(claim, delay_ms)
        except StoreUnavailable as error:
            log.warning("store_unavailable", queue=claim.queue, why=str(error))


def back_off_ms(attempts: int) -> int:
    """Half a second, doubling, at most a minute."""
    return int(min(60_000, 500 * 2 ** min(attempts, 7)))


def delay_of(error: Exception, attempts: int) -> int:
    """How long an entry waits before it is tried again."""
    if isinstance(error, Wait):
        return error.delay_ms
    if isinstance(error, ChatUnavailable) and error.retry_after_s:
        return int(error.retry_after_s * 1000) + 50
    return NEWER_MS if isinstance(error, Later) else back_off_ms(attempts)
