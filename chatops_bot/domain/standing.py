"""What a correction is of, and what comes of it: the last question and the last order, each with all that holds for it.

"make it 3", "the last 200 lines", "same for order-db", "and in staging?" name one thing and mean the rest as it stood.
Pure: nothing here knows the catalog, or begins anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from chatops_bot.domain.actions.images import is_tag, parse, with_tag
from chatops_bot.domain.flows import FLOWS, REASON, SLOTS, WHERE
from chatops_bot.domain.intents import Quantity, Request, SlotValue, Standing
from chatops_bot.domain.plans import Plan
from chatops_bot.domain.session import Flow, Pending, Session

DROPPABLE: Final = ("preparing", "shown", "approving")
"""Phases of a plan that was not begun."""

_OWN: Final = frozenset(
    {"pod", "container", "node", REASON, *WHERE, *(slot.name for slot in SLOTS.values() if slot.outright)}
)
"""Slots that belong to one object, or hold for one change: never carried over to another service."""

_INSTEAD: Final = {"since": "when", "when": "since", "pod": "everyone", "everyone": "pod"}
"""Of two ways to look at something the one that is said now."""

_BEFORE: Final[dict[tuple[SlotValue | None, SlotValue], SlotValue]] = {
    ("this_week", "week_before"): "last_week",
    ("today", "day_before"): "yesterday",
    ("this_morning", "day_before"): "yesterday",
}
"""What "the week before" and "the day before" are counted from, where they are not counted from the last one."""

_TAIL: Final = 50
"""Lines that are shown where nobody says how many."""


def standings(session: Session) -> tuple[Standing, ...]:
    """What a correction may be of, the likeliest first: what is collected, the plans that wait, then what was asked or
    ordered last. An order for another service than the one that is talked about now is out of question."""
    about = session.lock.entity.key if session.lock is not None else ""
    waiting = [_of_flow(session.flow)] if session.flow is not None else []
    waiting += [of_plan(pending) for pending in reversed(session.pending) if pending.phase in DROPPABLE]
    held = {(one.intent, one.entity.key if one.entity else "") for one in waiting}
    kept = [
        one
        for one in session.standing
        if one.entity is None
        or ((not one.ordered or one.entity.key == about) and (one.intent, one.entity.key) not in held)
    ]
    return (*waiting, *kept)


def recent(session: Session) -> tuple[Standing, ...]:
    """What was asked or ordered last, the latest first, for whoever goes on with it elsewhere."""
    waiting = {(one.intent, one.entity.key if one.entity else ""): one for one in standings(session) if one.waits}
    kept = [waiting.pop((one.intent, one.entity.key if one.entity else ""), one) for one in session.standing]
    return (*waiting.values(), *kept)


def _of_flow(flow: Flow) -> Standing:
    return Standing(flow.intent, flow.entity, flow.slots, waits=True)


def of_plan(pending: Pending) -> Standing:
    """An order whose plan waits, with what was said for it."""
    return Standing(pending.action, pending.entity, pending.slots, waits=True, at=pending.shown_at)


def noted(known: tuple[Standing, ...], now: Standing) -> tuple[Standing, ...]:
    """With what is asked or ordered now in front; of questions and of orders one is kept each. The same of the same
    thing, with other values, is a change of it: what held before can be had back."""
    same = next((one for one in known if one.ordered is now.ordered), None)
    if same is not None and _alike(same, now):
        again = same.slots == now.slots
        now = msgspec.structs.replace(
            now, was=same.was if again else same.slots, was_about=same.was_about if again else same.entity
        )
    return (now, *(one for one in known if one is not same))


def _alike(one: Standing, other: Standing) -> bool:
    keys = [each.entity.key if each.entity is not None else "" for each in (one, other)]
    return one.intent == other.intent and keys[0] == keys[1]


def changed_from(known: tuple[Standing, ...], before: Standing) -> tuple[Standing, ...]:
    """The newest, told what held before, if it is of its kind: also where it is about another service now."""
    if not known or known[0].intent != before.intent:
        return known
    newest = msgspec.structs.replace(known[0], was=before.slots, was_about=before.entity)
    return (newest, *known[1:])


def takes(intent: str, said: Iterable[str]) -> bool:
    """Whether an intent has all of these parameters. Where it is said to be about is none of them."""
    form = FLOWS.get(intent)
    return form is not None and all(name in form.slots for name in said if name not in (*WHERE, "service", REASON))


def meant(known: Iterable[Standing], change: Request) -> Standing | None:
    """The likeliest that has what is changed; None where nothing has."""
    return next((one for one in known if takes(one.intent, change.slots)), None)


def changed(held: Mapping[str, SlotValue], said: Mapping[str, SlotValue]) -> dict[str, SlotValue]:
    """All values after a change: what is not named stays, what is relative is counted from what was said or planned
    before, a bare tag is put behind the image that was meant. An empty text or False takes a value away."""
    kept = {name: value for name, value in held.items() if _INSTEAD.get(name) not in said}
    values = {**kept, **{name: _after(name, held.get(name), value) for name, value in said.items()}}
    return {name: value for name, value in values.items() if value is not False and value != ""}


def _after(name: str, held: SlotValue | None, said: SlotValue) -> SlotValue:
    if name == "image" and isinstance(held, str) and isinstance(said, str):
        tagged = is_tag(said) and not is_tag(held) and parse(held) is not None
        return with_tag(held, said) if tagged else said
    if name == "when":
        return _BEFORE.get((held, said), said)
    if not isinstance(said, Quantity) or said.kind not in ("by", "times"):
        return said
    if name != "replicas":
        return _counted(_TAIL if held is None and name == "tail" else held, said)
    if isinstance(held, int):
        held = Quantity("to", held)
    if not isinstance(held, Quantity) or held.kind not in ("to", "by"):
        return said
    if said.kind == "times":
        return Quantity("to", held.value * said.value) if held.kind == "to" else said
    return Quantity(held.kind, held.value + said.value)


def _counted(held: SlotValue | None, said: Quantity) -> SlotValue:
    """More or less of lines or of time; nothing where it is not known of how much."""
    if not isinstance(held, int) or isinstance(held, bool):
        return ""
    return max(1, int(held * said.value if said.kind == "times" else held + said.value))


def from_plan(slots: Mapping[str, SlotValue], plan: Plan | None) -> dict[str, SlotValue]:
    """What was said for a plan, with what was relative to the cluster as the number that the plan showed."""
    shown = plan.parameters if plan is not None else {}
    return {
        name: Quantity("to", number)
        if isinstance(value, Quantity) and value.kind in ("by", "times") and isinstance(number := shown.get(name), int)
        else value
        for name, value in slots.items()
    }


def placed_anew(slots: Mapping[str, SlotValue]) -> dict[str, SlotValue]:
    """The values without where the first one was said to be, once it is wanted at another place."""
    return {name: value for name, value in slots.items() if name not in WHERE}


def elsewhere(slots: Mapping[str, SlotValue]) -> dict[str, SlotValue]:
    """What of the values holds for another service as well."""
    return {name: value for name, value in slots.items() if name not in _OWN}
