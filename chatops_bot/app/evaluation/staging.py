"""A stage on which a contender understands."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from chatops_bot.app.evaluation.measured import Measured
from chatops_bot.app.evaluation.posing import Contender
from chatops_bot.app.replay_store import ReplayRedis
from chatops_bot.app.stage import Stage
from chatops_bot.app.transcript import Transcript


@asynccontextmanager
async def staged(file: Transcript, redis: ReplayRedis, contender: Contender) -> AsyncIterator[tuple[Stage, Measured]]:
    """The stage of a file, and who understands there. The store is empty again at the end."""
    measured = Measured(contender.interpreter, clock=contender.clock)
    async with Stage(file, redis, interpreter=measured) as stage:
        yield stage, measured
    await redis.clear()
