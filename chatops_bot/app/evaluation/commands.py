"""Command lines, said to the bot as they are: one that changes the cluster is never taken for a question, and so
never answered as if nothing but reading had been asked for."""

from __future__ import annotations

from typing import Final

from chatops_bot.app.evaluation.judged import Judged
from chatops_bot.app.evaluation.posing import Contender, Posed, all_of, below, foreign_plan, fresh, orders, pose
from chatops_bot.app.evaluation.requests import understood
from chatops_bot.app.evaluation.rows import Command, Rows
from chatops_bot.app.evaluation.scene import world_of
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.intents import ACTIONS, QUERIES

_NAMED: Final = ("nginx", "myapp", "my-app")
"""Workloads that commands of manuals speak of; without them there would be nothing to act on."""


async def judge(file: Rows, contender: Contender) -> list[Judged]:
    """How each command was understood."""
    rows = [(line, row) for line, row in file.rows if isinstance(row, Command) and row.modifies != "unknown"]
    entities = [Entity("sandbox", "default", "Deployment", name, name, "prod") for name in _NAMED]
    world = world_of((Service(entity=entity) for entity in entities), ("node1",))

    async def one(numbered: tuple[int, Command]) -> Judged:
        line, row = numbered
        posed = await pose(row.command, fresh("en"), world, contender)
        plan = foreign_plan(entities[-1], understood(posed))
        again = await pose(row.command, below(plan, "en"), world, contender)
        return _judged(f"line {line}", row, posed, again)

    return await all_of(rows, one, at_once=contender.at_once)


def _judged(where: str, row: Command, posed: Posed, again: Posed) -> Judged:
    intents = understood(posed)
    ordered = bool(orders(intents))
    read = bool(posed.reads) or any(intent in QUERIES for intent in intents)
    taken = "yes" if ordered else "no" if read else row.modifies  # to say that one cannot do it is right for both
    marks = {
        "taken_for_a_read": row.modifies == "yes" and taken == "no",
        "orders_invented": row.modifies == "no" and ordered,
        "planned": row.modifies == "yes" and any(intent in ACTIONS for intent in intents),
    }
    return Judged(
        where=where,
        lang="en",
        label=row.modifies,
        understood=taken,
        right=taken == row.modifies,
        text=row.command,
        executed=again.executes,
        confirmed=again.confirmed,
        marks=frozenset(mark for mark, holds in marks.items() if holds),
        seconds=(posed.seconds, again.seconds),
        tokens=(posed.meaning.tokens, again.meaning.tokens),
    )
