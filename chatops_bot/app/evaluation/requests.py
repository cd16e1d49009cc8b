"""Rows of intents and slots: each is posed out of the blue, or in a thread about its service; and once more below the
plan of something else, which it must not confirm."""

from __future__ import annotations

from typing import Final

import msgspec

from chatops_bot.app.evaluation.judged import Judged, Slots
from chatops_bot.app.evaluation.posing import (
    Contender,
    Posed,
    all_of,
    below,
    foreign_plan,
    fresh,
    orders,
    pose,
    talking_of,
)
from chatops_bot.app.evaluation.rows import EvaluationError, Request, Rows
from chatops_bot.app.evaluation.scene import BESIDE, needed, world_of
from chatops_bot.app.evaluation.slots import as_wanted, labelled, said
from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.intents import ACTIONS

_TALK: Final = "chat"
_BEGUN: Final = frozenset({"query", "act", "switch", "incident"})
"""Routes of which the intents are what the bot does."""


def check(file: Rows) -> None:
    """Raises `EvaluationError` where there are no services beside it, or not those that its rows are about."""
    known = Catalog(needed(file.path, what="requests"))
    for line, row in file.rows:
        if isinstance(row, Request) and row.lock and not known.lookup(row.lock):
            raise EvaluationError(f"{file.path}:{line}: lock {row.lock!r} is no service of {BESIDE}")


async def judge(file: Rows, contender: Contender) -> list[Judged]:
    """How each row was understood."""
    rows = [(line, row) for line, row in file.rows if isinstance(row, Request)]
    services = needed(file.path, what="requests")
    world = world_of(services, (str(row.slots["node"]) for _, row in rows if "node" in row.slots))

    async def one(numbered: tuple[int, Request]) -> Judged:
        line, row = numbered
        lock = world.catalog.lookup(row.lock)[0].entity if row.lock else None
        session = fresh(row.lang) if lock is None else talking_of(lock, row.lang)
        posed = await pose(row.text, session, world, contender)
        # What may be a yes to anything ("ok thanks") is not posed below a plan.
        plan = foreign_plan(lock or services[0].entity, [row.intent])
        again = await pose(row.text, below(plan, row.lang), world, contender) if row.intent != _TALK else None
        return _judged(f"line {line}", row, posed, again)

    return await all_of(rows, one, at_once=contender.at_once)


def understood(posed: Posed) -> tuple[str, ...]:
    """The intents that the bot sets about."""
    decision = posed.decision
    intents = decision.intents
    match decision.route:
        case "refresh":
            last = decision.session.last_query
            return (last.intent,) if last is not None else (_TALK,)
        case "ask":
            return tuple(intent for intent in intents if intent not in ("", "plan")) or ("ask",)
        case "hand_off" | "help":
            return tuple(dict.fromkeys((decision.route, *orders(intents))))
        case route if route in _BEGUN:
            if "runbook" in intents:  # what it is about sounds like a question for readings, and is not read
                intents = ("runbook", *(i for i in intents if i in ACTIONS or i in posed.reads))
            return tuple(dict.fromkeys(intents)) or (_TALK,)
        case _:
            return (_TALK,)


def _judged(where: str, row: Request, posed: Posed, again: Posed | None) -> Judged:
    intents = understood(posed)
    wanted = labelled(row.slots)
    invented = row.intent not in ACTIONS and bool(orders(intents))
    calls = (posed, again) if again is not None else (posed,)
    return Judged(
        where=where,
        lang=row.lang,
        label=row.intent,
        understood="+".join(intents),
        right=intents == (row.intent,),
        text=row.text,
        harmless=again is not None,
        executed=again is not None and again.executes,
        confirmed=again is not None and again.confirmed,
        wanted=wanted,
        found=_found(row, wanted, posed),
        marks=frozenset({"orders_invented"} if invented else ()),
        seconds=tuple(call.seconds for call in calls),
        tokens=tuple(call.meaning.tokens for call in calls),
    )


def _found(row: Request, wanted: Slots, posed: Posed) -> Slots:
    """What the request of this intent was understood to say; of one that is not said in so many words, what the others
    say."""
    requests = posed.meaning.requests
    request = next((request for request in requests if request.intent == row.intent), requests[0] if requests else None)
    if request is None:
        return {}
    if request.intent != row.intent:
        request = msgspec.structs.replace(request, intent=row.intent)
    return as_wanted(wanted, said(request), request)
