"""Rows with several requests: which were found, in which order and about what; above all whether an order is lost
among questions."""

from __future__ import annotations

from typing import Final, NamedTuple

from chatops_bot.app.evaluation.judged import Judged
from chatops_bot.app.evaluation.posing import Contender, Posed, all_of, below, foreign_plan, fresh, pose
from chatops_bot.app.evaluation.rows import Rows, Several
from chatops_bot.app.evaluation.scene import needed, world_of
from chatops_bot.app.evaluation.slots import name_of
from chatops_bot.domain.intents import ACTIONS


class Meant(NamedTuple):
    """An intent and what it is about, "" for nothing in particular."""

    intent: str
    service: str


async def judge(file: Rows, contender: Contender) -> list[Judged]:
    """How each row was understood."""
    rows = [(line, row) for line, row in file.rows if isinstance(row, Several)]
    services = needed(file.path, what="several requests")
    called = {service.entity.name for service in services}
    world = world_of(services, {name for _, row in rows for name in row.services if name and name not in called})

    async def one(numbered: tuple[int, Several]) -> Judged:
        line, row = numbered
        posed = await pose(row.text, fresh(row.lang), world, contender)
        plan = foreign_plan(services[0].entity, row.intents)
        again = await pose(row.text, below(plan, row.lang), world, contender)
        return _judged(f"line {line}", row, posed, again)

    return await all_of(rows, one, at_once=contender.at_once)


def found(posed: Posed) -> list[Meant]:
    """The requests that were found. What names nothing is about what was named before it, as in the dialogue."""
    requests = posed.meaning.requests
    intents = posed.decision.intents
    meant: list[Meant] = []
    named = ""
    for number, request in enumerate(requests):
        if request.name is not None:
            named = name_of(request.name)
        intent = intents[number] if len(intents) == len(requests) else request.intent
        meant.append(_meant(intent, named))
    return meant


_PLACELESS: Final = frozenset({"overview", "hand_off", "subscribe", "help", "runbook", "incident"})
"""What is about the conversation, or about no service in particular, whatever is named beside it."""


def _meant(intent: str, service: str) -> Meant:
    return Meant(intent, "" if intent in _PLACELESS else service)


def _judged(where: str, row: Several, posed: Posed, again: Posed) -> Judged:
    wanted = [_meant(*pair) for pair in zip(row.intents, row.services, strict=True)]
    taken = found(posed)
    begun = posed.decision.route in ("act", "switch")  # on any other route no order of it is begun
    given = _orders(taken) if begun else []
    marks = {
        "orders_hidden": bool(taken) and any(order not in given for order in _orders(wanted)),
        "orders_invented": any(order not in wanted for order in given),
        "intents_right": [each.intent for each in taken] == row.intents,
    }
    return Judged(
        where=where,
        lang=row.lang,
        label=str(len(wanted)),
        understood=", ".join(" ".join(filter(None, each)) for each in taken) or "nothing",
        right=taken == wanted,
        text=row.text,
        executed=again.executes,
        confirmed=again.confirmed,
        marks=frozenset(mark for mark, holds in marks.items() if holds),
        seconds=(posed.seconds, again.seconds),
        tokens=(posed.meaning.tokens, again.meaning.tokens),
    )


def _orders(meant: list[Meant]) -> list[Meant]:
    return [each for each in meant if each.intent in ACTIONS]
