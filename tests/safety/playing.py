"""Playing scripts: one after the other, and a failing one again and again until it is small."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import msgspec

from chatops_bot.adapters.redis.embedded import EmbeddedServer
from tests.safety import afterwards
from tests.safety.crew import Nursery
from tests.safety.people import People
from tests.safety.run import LONG_S, Place, Run
from tests.safety.steps import Step
from tests.safety.weather import Weather

ROOT: Final = Path(__file__).parents[2]
AGAIN: Final = 4
"""Times that a failure is tried again before it is only told: processes never run quite the same twice."""


class Verdict(msgspec.Struct):
    """What one script came to."""

    broken: list[str]
    log: list[str]
    steps: int = 0
    written: int = 0
    deaths: int = 0
    plans: int = 0
    seconds: float = 0.0


@contextlib.asynccontextmanager
async def place(folder: Path, *, root: Path = ROOT) -> AsyncIterator[Place]:
    """Store and nursery for any number of runs; `root` is where the workers' package lies."""
    server = await EmbeddedServer.start(folder / "redis", fsync="no")
    nursery = Nursery(root)
    try:
        await nursery.open()
        yield Place(nursery, server.url, folder)
        await nursery.close()
    finally:
        await server.stop()


async def play(where: Place, steps: list[Step], seed: str) -> Verdict:
    """A script from start to rest. Ends at the first thing broken."""
    run = Run(where, seed)
    people, weather = People(run), Weather(run)
    judge = run.judge
    taken = 0
    try:
        await run.open()
        at_rest = True
        for step in steps:
            await run.crew.muster()
            if step.kind in people.steps():
                people.play(step, at_rest=at_rest)
            else:
                await weather.play(step, at_rest=at_rest)
            at_rest = await _pace(run, step)
            taken += 1
            if judge.found:
                break
        if not judge.found:
            await _end(run)
    finally:
        await run.close()
    return Verdict(judge.found, run.log, taken, judge.written, run.crew.deaths, len(judge.plans))


async def _pace(run: Run, step: Step) -> bool:
    """Whether nothing is under way any more."""
    if step.pace == "none":
        return False
    if step.pace == "calm":
        await run.calm()
        return False
    return not await run.rest(most=12)


async def _end(run: Run) -> None:
    run.undo_troubles()
    for wait in (0.0, LONG_S):
        run.undo_troubles()
        await run.pass_time(wait)
        left = await run.rest()
        if left:
            run.judge.broken(f"does not come to rest: {left}")
            return
    run.judge.found += await afterwards.problems(run)


async def smallest(
    where: Place, steps: list[Step], seed: str, *, seconds: float = 90.0
) -> tuple[list[Step], Verdict | None]:
    """A script as short as can be found in that time that still breaks something, and what it broke; None where it
    does not happen again."""
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    best: Verdict | None = None
    for _ in range(AGAIN):
        best = best or await _broken(where, steps, seed)
    size = max(1, len(steps) // 2)
    while best is not None and loop.time() < until:
        cut, shorter = 0, False
        while cut < len(steps) and loop.time() < until:
            candidate = steps[:cut] + steps[cut + size :]
            verdict = await _broken(where, candidate, seed)
            if verdict is not None:
                steps, best, shorter = candidate[: verdict.steps], verdict, True
            else:
                cut += size
        if size == 1 and not shorter:
            break
        size = max(1, size // 2)
    return steps, best


async def _broken(where: Place, steps: list[Step], seed: str) -> Verdict | None:
    verdict = await play(where, steps, seed)
    return verdict if verdict.broken else None
