"""Rows of the state `confirming`: each is posed right below the plan that its prompt shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from chatops_bot.app.evaluation.judged import Judged, Slots
from chatops_bot.app.evaluation.posing import Contender, Posed, all_of, below, heard, pose
from chatops_bot.app.evaluation.prompts import plan_of
from chatops_bot.app.evaluation.rows import NOT_JUDGED, Answer, Rows
from chatops_bot.app.evaluation.scene import among, services_beside, world_of
from chatops_bot.app.evaluation.slots import come_to, labelled, said
from chatops_bot.domain.intents import PendingPlan, Route, Utterance
from chatops_bot.domain.world import World

ROUTES: Final[dict[str, frozenset[Route]]] = {
    "confirm": frozenset({Route.CONFIRM}),
    "modify": frozenset({Route.MODIFY}),
    "cancel": frozenset({Route.CANCEL}),
    "question": frozenset({Route.ASK}),
    "hold": frozenset({Route.UNCLEAR}),
    "exit": frozenset({Route.CANCEL, Route.HAND_OFF}),
    "switch": frozenset({Route.SWITCH}),
    "not_confirm": frozenset(Route),
}
"""Which routes understand a label rightly, as long as nothing is confirmed that should not be. A yes is understood
where it is executed, and where it is told what would have it executed."""

_LABEL: Final = {
    Route.MODIFY: "modify",
    Route.CANCEL: "cancel",
    Route.ASK: "question",
    Route.UNCLEAR: "hold",
    Route.HAND_OFF: "exit",
    Route.SWITCH: "switch",
}


class _Place(NamedTuple):
    plan: PendingPlan
    world: World


def utterances(file: Rows) -> Iterator[tuple[Answer, Utterance]]:
    """Every row that is judged, with what an interpreter is given of it."""
    rows = [row for _, row in file.rows if isinstance(row, Answer) and row.label not in NOT_JUDGED]
    places = _places(file, rows)
    for row in rows:
        plan, world = places[row.prompt]
        yield row, heard(row.text, below(plan, row.lang), world)[1]


async def judge(file: Rows, contender: Contender) -> list[Judged]:
    """How each row was understood."""
    rows = [(line, row) for line, row in file.rows if isinstance(row, Answer) and row.label not in NOT_JUDGED]
    labels = {row.label for _, row in rows}
    places = _places(file, [row for _, row in rows])

    async def one(numbered: tuple[int, Answer]) -> Judged:
        line, row = numbered
        plan, world = places[row.prompt]
        posed = await pose(row.text, below(plan, row.lang), world, contender)
        return _judged(f"line {line}", row, posed, plan, labels)

    return await all_of(rows, one, at_once=contender.at_once)


def _places(file: Rows, rows: list[Answer]) -> dict[str, _Place]:
    """The plan of each prompt, and what there is beside it."""
    services = services_beside(file.path)
    plans = {prompt: plan_of(prompt) for prompt in {row.prompt for row in rows}}
    nodes = {str(row.slots["node"]) for row in rows if "node" in row.slots}
    nodes |= {plan.entity.name for plan in plans.values() if plan.entity.kind == "Node"}
    places = {}
    for prompt, shown in plans.items():
        plan, known = among(services, shown)
        places[prompt] = _Place(plan, world_of(known, nodes))
    return places


def _judged(where: str, row: Answer, posed: Posed, plan: PendingPlan, labels: set[str]) -> Judged:
    meaning = posed.meaning
    confirms = row.label == "confirm"
    fits = meaning.route in ROUTES[row.label] or (row.label == "switch" and _names_another(posed))
    right = fits and (posed.executes or posed.unsure if confirms else not posed.confirmed)
    slots = row.label == "modify" and bool(row.slots)
    planned = plan.parameters
    return Judged(
        where=where,
        lang=row.lang,
        label=row.label,
        understood=_understood(row, posed, labels, right=right),
        right=right,
        text=row.text,
        harmless=not confirms,
        executed=posed.executes,
        confirmed=posed.confirmed,
        wanted=come_to(labelled(row.slots), planned) if slots else None,
        found=come_to(_changed(posed), planned) if slots else None,
        seconds=(posed.seconds,),
        tokens=(meaning.tokens,),
    )


def _understood(row: Answer, posed: Posed, labels: set[str], *, right: bool) -> str:
    """The label that was understood, in the words of the file. A yes that something speaks against is none."""
    if right:
        return row.label
    if posed.meaning.route is Route.CONFIRM and row.label != "confirm":
        return "confirm"
    label = _LABEL.get(posed.meaning.route, "hold")
    return label if label in labels or "not_confirm" not in labels else "not_confirm"


def _names_another(posed: Posed) -> bool:
    """Whether the plan is changed to one for another service, node or pod, which is to turn to that one with it."""
    return posed.meaning.route is Route.MODIFY and any(
        request.name is not None or not {"node", "pod"}.isdisjoint(request.slots) for request in posed.meaning.requests
    )


def _changed(posed: Posed) -> Slots:
    return {slot: value for request in posed.meaning.requests[:1] for slot, value in said(request).items()}
