"""The range of an autoscaler as it was said: whole numbers, in order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from chatops_bot.domain.actions.base import Question
from chatops_bot.domain.actions.quantities import LARGEST
from chatops_bot.domain.intents import Quantity, SlotValue
from chatops_bot.domain.say import Say, say

BOUNDS: Final = ("min", "max")


def impossible(bound: str, value: SlotValue) -> Say | None:
    """Why this can never be that bound."""
    taken = _whole(value)
    if taken is not None and 1 <= taken <= LARGEST:
        return None
    return say("autoscaler.impossible", what=f"slot.{bound}", value=_written(value))


def problem(slots: Mapping[str, SlotValue]) -> Question | None:
    """Why these bounds make no range: none was said, one can never be, or they cross."""
    said = {bound: slots[bound] for bound in BOUNDS if slots.get(bound) is not None}
    if not said:
        return Question(say("autoscaler.which"), BOUNDS)
    for bound, value in said.items():
        why = impossible(bound, value)
        if why is not None:
            return Question(why, (bound,))
    return crossed(slots)


def crossed(slots: Mapping[str, SlotValue]) -> Question | None:
    """Why two bounds, each possible, make no range."""
    low, high = given(slots, "min", 1), given(slots, "max", LARGEST)
    return Question(say("autoscaler.crossed", min=low, max=high), BOUNDS) if low > high else None


def given(slots: Mapping[str, SlotValue], bound: str, otherwise: int) -> int:
    """A bound as said; `otherwise` where it was not."""
    value = _whole(slots.get(bound))
    return otherwise if value is None else value


def _whole(value: SlotValue | None) -> int | None:
    """A bound as a whole number; None for anything else, a number of replicas "more" or "fewer" included."""
    if isinstance(value, bool) or value is None or (isinstance(value, Quantity) and value.kind != "to"):
        return None
    try:
        said = float(value.value if isinstance(value, Quantity) else value)
    except ValueError:
        return None
    return int(said) if said.is_integer() else None


def _written(value: SlotValue) -> str:
    return f"{value.value:g}" if isinstance(value, Quantity) else str(value)[:40]
