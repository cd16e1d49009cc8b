"""Slots as they are labelled: what was taken in the form in which people label it, so that the two can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from chatops_bot.app.evaluation.judged import Slots
from chatops_bot.app.evaluation.rows import SLOTS, Value
from chatops_bot.domain.intents import Name, Quantity, Request, SlotValue

OWN: Final = ("service", "replicas", "image", "revision", "node", "namespace", "since")
"""The bot's own kinds, of which a target is set; `since` is the duration."""

_COUNTED: Final = frozenset({"revision", "min", "max"})
_DURATION: Final = re.compile(r"(\d+)([smhdw])")
_SECONDS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_DURATIONS: Final = frozenset({"since", "until"})


def canonical(slot: str, value: Value | SlotValue) -> str:
    """`5`, `+2`, `x0.5`, and `?5` where it cannot be told whether to five or by five; durations in seconds; truth
    values as `true` and `false`."""
    if isinstance(value, Quantity):
        return _quantity(value)
    if isinstance(value, bool):
        return str(value).lower()
    text = str(value)
    found = _DURATION.fullmatch(text) if slot in _DURATIONS else None
    return str(int(found[1]) * _SECONDS[found[2]]) if found else text


def _quantity(value: Quantity) -> str:
    match value.kind:
        case "by":
            return f"{value.value:+g}"
        case "times":
            return f"x{value.value:g}"
        case "unclear":
            return f"?{abs(value.value):g}"  # "缩容 5 个": the direction is not what is in doubt
        case _:
            return f"{value.value:g}"


def labelled(slots: Mapping[str, Value]) -> Slots:
    """What a row says, to be compared."""
    return {slot: canonical(slot, value) for slot, value in slots.items()}


def said(request: Request) -> Slots:
    """What a request was understood to say, the service or node that it names with it."""
    found = {slot: canonical(slot, value) for slot, value in request.slots.items() if slot in SLOTS}
    name = request.name
    if name is None:
        return found
    if is_node(name):
        return {"node": name.matches[0].entity.name, **found}
    if name.text not in found.values():  # a pod's name names its service too, but that is not what is said
        called = name_of(name)
        return {"service": called, **found} if called else found
    return found


def is_node(name: Name) -> bool:
    """Whether it names a node."""
    return bool(name.matches) and name.matches[0].entity.kind == "Node"


def name_of(name: Name) -> str:
    """What is named: the one name of everything that it can mean, "" for what is unknown."""
    called = {service.entity.name for service in name.matches}
    return called.pop() if len(called) == 1 else ""


def as_wanted(wanted: Slots, found: Slots, request: Request) -> Slots:
    """What was found, in the words of the label where both mean the same: the place of a service is also said by which
    service was taken; the revision before is what a rollback goes to when none is said."""
    found = dict(found)
    if request.intent == "rollback" and wanted.get("revision") == "previous":
        found.setdefault("revision", "previous")
    entities = [service.entity for service in request.name.matches] if request.name is not None else []
    if len(entities) == 1:
        for slot, place in (("environment", entities[0].environment), ("namespace", entities[0].namespace)):
            if wanted.get(slot) == place:
                found.setdefault(slot, place)
    return found


def come_to(slots: Slots, planned: Mapping[str, SlotValue]) -> Slots:
    """What a plan's values come to: a tag is one of the plan's image, and "-1" is counted from the plan's revision or
    bound. Replicas stay as they are said, since they are counted from what runs, too."""
    return {slot: _come_to(slot, value, planned.get(slot)) for slot, value in slots.items()}


def _come_to(slot: str, value: str, planned: SlotValue | None) -> str:
    if slot == "image" and ":" not in value:
        repository, colon, _ = str(planned or "").rpartition(":")
        return repository + colon + value
    if slot in _COUNTED and isinstance(planned, int) and value[:1] in ("+", "-"):
        return str(planned + int(value))
    return value


def hits(wanted: Slots, found: Slots, kinds: Iterable[str] | None = None) -> int:
    """How many values are the same."""
    return sum(found.get(slot) == value for slot, value in wanted.items() if kinds is None or slot in kinds)
