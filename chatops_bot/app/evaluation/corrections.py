"""Rows of dialogues whose last message corrects what came before: played through the whole bot on the sandbox, each by
a person of its own in a room of its own."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final

import msgspec

from chatops_bot.app.evaluation.judged import Judged, Slots
from chatops_bot.app.evaluation.measured import Measured
from chatops_bot.app.evaluation.posing import Contender
from chatops_bot.app.evaluation.rows import SLOTS, Correction, Rows
from chatops_bot.app.evaluation.scene import needed
from chatops_bot.app.evaluation.slots import canonical, labelled
from chatops_bot.app.evaluation.staging import staged
from chatops_bot.app.player import Player
from chatops_bot.app.replay_store import ReplayRedis
from chatops_bot.app.stage import Stage
from chatops_bot.app.transcript import STEP, Transcript, Turn
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.intents import ACTIONS, Quantity, SlotValue
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.session import Session

_REVISIONS: Final = 16
_REPLICAS: Final = 2
_BESIDE: Final[dict[str, dict[str, Any]]] = {
    "resume": {"paused": True},
    "set_autoscaler": {"hpa": {"min": 1, "max": 40}},  # bounds that nobody says, or there would be nothing to change
}
"""What there has to be beside a workload for an order to make sense; elsewhere it would be in the way."""


async def judge(file: Rows, contender: Contender, redis: ReplayRedis) -> list[Judged]:
    """How each row ended."""
    rows = [(line, row) for line, row in file.rows if isinstance(row, Correction)]
    services = needed(file.path, what="corrections")
    groups: dict[str, list[tuple[int, Correction]]] = defaultdict(list)
    for line, row in rows:
        groups[row.expect.intent if row.expect.intent in _BESIDE else ""].append((line, row))
    judged: dict[int, Judged] = {}
    for intent, group in groups.items():
        script = _script(file, services, group, _BESIDE.get(intent, {}))
        judged |= await _played(script, group, contender, redis)
    return [judged[line] for line, _ in rows]


def _script(
    file: Rows, services: tuple[Service, ...], rows: list[tuple[int, Correction]], beside: dict[str, Any]
) -> Transcript:
    """All of these dialogues, one after the other."""
    rolled_back = {row.expect.service for _, row in rows if row.expect.intent == "rollback"}
    turns = tuple(
        Turn(
            id=f"{line}.{number}",
            act="say",
            what=text,
            user=f"user{line}",
            room=f"room{line}",
            after_s=STEP.total_seconds(),
        )
        for line, row in rows
        for number, text in enumerate(row.say)
    )
    return Transcript(
        path=str(file.path),
        name=file.path.name,
        listen="mentions",
        services=services,
        cluster={"workloads": [_workload(service.entity, beside, rolled_back) for service in services]},
        policy=Policy.open(),
        turns=turns,
    )


def _workload(entity: Entity, beside: dict[str, Any], rolled_back: set[str]) -> dict[str, Any]:
    """As it is at the start. A past takes the sandbox long to make, so that only what is rolled back has one."""
    images = [f"reg/{entity.workload}:1.{number}" for number in range(1, _REVISIONS + 1)]
    found: dict[str, Any] = {
        "kind": entity.kind,
        "namespace": entity.namespace,
        "name": entity.workload,
        "image": images[-1],
        "revisions": images[:-1] if entity.name in rolled_back else [],
        "logs": "GET /healthz 200\nERROR upstream timed out\n",
    }
    if entity.kind == "DaemonSet":
        return found
    found["replicas"] = _REPLICAS
    return found | (beside if entity.kind == "Deployment" else {})


async def _played(
    script: Transcript, rows: list[tuple[int, Correction]], contender: Contender, redis: ReplayRedis
) -> dict[int, Judged]:
    """The outcome of each dialogue, by its line."""
    judged = {}
    async with staged(script, redis, contender) as (stage, measured):
        player, turns = Player(stage), iter(script.turns)
        for line, row in rows:
            told = [await player.play(next(turns)) for _ in row.say]
            judged[line] = _judged(f"line {line}", row, told, stage, measured)
    return judged


def _judged(where: str, row: Correction, told: list[dict[str, Any]], stage: Stage, measured: Measured) -> Judged:
    seconds, tokens = measured.taken()
    last = told[-1]
    session = stage.sessions.get(last["thread"] or "")
    under_way = working_on(session, row.expect.intent, answered=not last["ignored"])
    wanted = labelled(row.expect.slots)
    entity = under_way.entity if under_way is not None else None
    routed = entity is not None and entity.name == row.expect.service
    if row.expect.namespace:
        routed = routed and entity is not None and entity.namespace == row.expect.namespace
    found = under_way.slots if under_way is not None else {}
    marks = {"routed": routed, "slots_right": under_way is not None and found == wanted}
    right = under_way is not None and under_way.intent == row.expect.intent and routed and found == wanted
    return Judged(
        where=where,
        lang=row.lang,
        label=row.kind,
        understood=_shown(under_way, last),
        right=right,
        text=" | ".join(row.say),
        executed=any(turn["executed"] for turn in told),
        marks=frozenset(mark for mark, holds in marks.items() if holds),
        seconds=seconds,
        tokens=tokens,
    )


class UnderWay(msgspec.Struct, frozen=True):
    """What the bot is working on: an order that waits or is collected, or the question it answered last."""

    intent: str
    entity: Entity | None
    slots: Slots


def working_on(session: Session | None, intent: str, *, answered: bool = True) -> UnderWay | None:
    """The order where one is expected, else the last question. None where there is neither."""
    if session is None or not answered:
        return None
    if intent in ACTIONS:
        return _order(session)
    lock = session.lock.entity if session.lock is not None else None
    last = session.last_query
    return UnderWay(last.intent, lock, _comparable(last.slots)) if last is not None else None


def _order(session: Session) -> UnderWay | None:
    """The newest order; the values that were said, those relative to the cluster as its plan has them."""
    if session.pending:
        pending = session.pending[-1]
        resolved = pending.plan.parameters if pending.plan is not None else {}
        slots = {
            slot: resolved.get(slot, value) if isinstance(value, Quantity) else value
            for slot, value in pending.slots.items()
        }
        return UnderWay(pending.action, pending.entity, _comparable(slots))
    if session.flow is not None:
        flow = session.flow
        lock = session.lock.entity if session.lock is not None else None
        return UnderWay(flow.intent, flow.entity or lock, _comparable(flow.slots))
    return None


_PLACES: Final = frozenset({"service", "cluster", "namespace", "environment"})


def _comparable(slots: dict[str, SlotValue]) -> Slots:
    """What a row can expect: no places, which say what it is about, and nothing that is not set."""
    return {
        slot: canonical(slot, value)
        for slot, value in slots.items()
        if slot in SLOTS - _PLACES and value is not False and value != ""
    }


def _shown(under_way: UnderWay | None, told: dict[str, Any]) -> str:
    if under_way is None:
        return f"nothing ({told['route'] or 'ignored'})"
    slots = " ".join(f"{slot}={value}" for slot, value in sorted(under_way.slots.items()))
    entity = under_way.entity
    about = f"{entity.namespace}/{entity.name}" if entity is not None else "nothing"
    return f"{under_way.intent} of {about} {slots}".strip()
