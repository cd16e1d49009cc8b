"""A number of replicas as it was said, computed against what is there. Doubt is asked, never resolved."""

from __future__ import annotations

import math
from collections.abc import Mapping

from chatops_bot.domain.intents import Quantity, SlotValue
from chatops_bot.domain.say import Say, say

LARGEST = 2**31 - 1
"""`spec.replicas` is a signed 32-bit number."""


def quantity_of(slots: Mapping[str, SlotValue]) -> Quantity | None:
    """The slot `replicas` as a quantity; a bare number (a button, a form) means "to", one with a sign "by"."""
    value = slots.get("replicas")
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, Quantity):
        return value
    if isinstance(value, int):
        return Quantity(kind="to", value=value)
    written = value.strip()
    try:
        return Quantity(kind="by" if written.startswith(("+", "-")) else "to", value=float(written))
    except ValueError:
        return None


def impossible(quantity: Quantity) -> Say | None:
    """Why this can never be a number of replicas, whatever is there."""
    value = quantity.value
    if not math.isfinite(value) or abs(value) > LARGEST:
        return say("scale.too_large", value=_written(value))
    if quantity.kind == "times":
        return say("scale.times_not_positive", value=_written(value)) if value <= 0 else None
    if value != int(value):
        return say("scale.fraction", value=_written(value), below=math.floor(value), above=math.ceil(value))
    if value < 0 and quantity.kind == "to":
        return say("scale.negative", value=_written(value))
    return None


def resolve(quantity: Quantity, current: int) -> int | Say:
    """The replicas that are meant, or what to ask or to say instead."""
    problem = impossible(quantity)
    if problem is not None:
        return problem
    if quantity.kind == "unclear":
        value = int(quantity.value)
        return say("scale.to_or_by", current=current, to=abs(value), by=current + value)
    if quantity.kind == "times":
        return _multiplied(quantity.value, current)
    if quantity.kind == "by":
        return _moved(int(quantity.value), current)
    return int(quantity.value)


def _moved(difference: int, current: int) -> int | Say:
    wanted = current + difference
    if wanted > LARGEST:
        return say("scale.too_large", value=str(wanted))
    # Zero must be said outright: "two fewer" of two would stop the service without anybody having said so.
    if wanted == 0 and difference:
        return say("scale.ends_at_zero", current=current, difference=difference)
    if wanted < 0:
        return say("scale.ends_below_zero", current=current, difference=difference)
    return wanted


def _multiplied(factor: float, current: int) -> int | Say:
    if current == 0:
        return say("scale.times_nothing")
    wanted = current * factor
    nearest = round(wanted)
    if wanted > LARGEST:
        return say("scale.too_large", value=_written(wanted))
    # A third of 6 is 2 although 6 * 0.3333 is not: a factor said as a fraction arrives rounded.
    if abs(wanted - nearest) > 1e-3:
        below = math.floor(wanted)
        return say("scale.not_whole", current=current, factor=_written(factor), below=below, above=below + 1)
    if nearest == 0:
        return say("scale.ends_at_zero", current=current, difference=-current)
    return nearest


def _written(value: float) -> str:
    if math.isfinite(value) and value == int(value):
        return str(int(value))
    return f"{value:g}"
