"""Closed loops: so many at a time, each begun when one has ended."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from time import perf_counter, process_time
from typing import NamedTuple, TypeVar

IN_FLIGHT = 64

Job = TypeVar("Job")


async def all_of(jobs: Iterable[Job], do: Callable[[Job], Awaitable[None]], *, in_flight: int) -> None:
    """Do all jobs, `in_flight` at a time."""
    waiting = iter(jobs)

    async def one_after_the_other() -> None:
        for job in waiting:
            await do(job)

    await asyncio.gather(*(one_after_the_other() for _ in range(in_flight)))


class Cost(NamedTuple):
    """Of one job in a crowd, in seconds: of time, and of this process's processor time."""

    time: float
    processor: float


async def cost_of(jobs: list[Job], do: Callable[[Job], Awaitable[None]], *, in_flight: int) -> Cost:
    """What one job costs, in a crowd."""
    begun, spent = perf_counter(), process_time()
    await all_of(jobs, do, in_flight=in_flight)
    return Cost((perf_counter() - begun) / len(jobs), (process_time() - spent) / len(jobs))


async def latencies(jobs: list[Job], do: Callable[[Job], Awaitable[None]]) -> list[float]:
    """How long each job takes when it is the only one, in seconds."""
    found = []
    for job in jobs:
        begun = perf_counter()
        await do(job)
        found.append(perf_counter() - begun)
    return found
