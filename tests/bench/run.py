"""One run: the rows of all sizes in turn, again and again, so that noise of the machine meets all of them alike."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path

from chatops_bot.app.settings import LogSettings
from chatops_bot.app.telemetry import configure_logging
from tests.bench.kinds import Kind, kinds
from tests.bench.load import IN_FLIGHT, cost_of, latencies
from tests.bench.rig import Rig, rigged, web_api
from tests.bench.table import Samples

PROBED = 4
"""Events of each kind whose round trips are counted, one at a time."""


async def run(
    sizes: Sequence[int],
    *,
    rounds: int,
    batch: int,
    alone: int,
    fsync: str,
    loopback: bool = False,
    only: Sequence[str] = (),
) -> list[Samples]:
    """Measure. `batch` events are in the crowd of one kind and round, times its weight; `alone` are timed one by
    one. `loopback`: calls to Slack go over sockets, to another process."""
    async with AsyncExitStack() as stack:
        stack.enter_context(_logging_to_nowhere())
        api = await stack.enter_async_context(web_api(max(sizes))) if loopback else ""
        rigs = [await stack.enter_async_context(rigged(size, fsync=fsync, api=api)) for size in sizes]
        gc.freeze()
        stack.callback(gc.unfreeze)
        every = [(rig, _chosen(rig, only), Samples(rig.threads)) for rig in rigs]
        for rig, chosen, samples in every:
            samples.trips = {kind.name: await _trips(rig, kind) for kind in chosen}
        for rig in rigs:
            rig.bot.worker.start()
        for number in range(rounds):
            for _, chosen, samples in every if number % 2 == 0 else every[::-1]:
                await _round(chosen, samples, batch=batch, alone=alone)
    return [samples for _, _, samples in every]


@contextmanager
def _logging_to_nowhere() -> Iterator[None]:
    """Lines are made as in production, and written to no disk."""
    with Path(os.devnull).open("w") as nowhere:
        configure_logging(LogSettings(), stream=nowhere)
        yield


def _chosen(rig: Rig, only: Sequence[str]) -> list[Kind]:
    return [kind for kind in kinds(rig) if not only or kind.name in only]


async def _trips(rig: Rig, kind: Kind) -> float:
    """Round trips of one event, counted while nothing else runs."""
    jobs = kind.jobs(PROBED)
    before = rig.trips()
    for job in jobs:
        await kind.do(job)
        await rig.bot.worker.idle()
    return (rig.trips() - before) / PROBED


async def _round(chosen: list[Kind], samples: Samples, *, batch: int, alone: int) -> None:
    for kind in chosen:
        jobs = kind.jobs(max(1, int(batch * kind.weight)))
        samples.crowd[kind.name].append(await cost_of(jobs, kind.do, in_flight=IN_FLIGHT))
    for kind in chosen:
        samples.alone[kind.name] += await latencies(kind.jobs(alone), kind.do)
