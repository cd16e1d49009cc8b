"""The form of a model's answer: its schema for one state, and how it is read back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from chatops_bot.domain.intents import Route, State
from chatops_bot.domain.proposals.vocabulary import ALL_SLOTS, MOST_REQUESTS, intents_of, routes_of, slots_of

NAME: Final = "understanding"
"""Of the schema, and of the tool where it is asked for as one."""

LONGEST: Final = 20_000
"""Characters of an answer that are read at all."""

HOW: Final = ("plain", "to", "by", "times")
"""How a number is meant; `plain` for everything but `replicas`."""

_FENCE: Final = "```"


class Said(msgspec.Struct, frozen=True):
    """One slot as a model gives it."""

    slot: str
    value: str
    how: str = "plain"


class Proposed(msgspec.Struct, frozen=True):
    """One request as a model gives it: nothing of it is checked. `said` is what the text calls the service."""

    intent: str
    service: str = ""
    said: str = ""
    conditional: bool = False
    slots: tuple[Said, ...] = ()


class Proposal(msgspec.Struct, frozen=True):
    """A model's whole answer, likewise."""

    route: str
    requests: tuple[Proposed, ...] = ()


def schema_of(state: State, services: Iterable[str]) -> dict[str, Any]:
    """JSON schema (strict) of an answer in this state; `services` are the names that it may choose among."""
    intents = intents_of(state)
    slots = [slot for slot in ALL_SLOTS if any(slot in slots_of(intent) for intent in intents)]
    said = _object(
        slot={"type": "string", "enum": slots},
        value={"type": "string"},
        how={"type": "string", "enum": list(HOW)},
    )
    request = _object(
        intent={"type": "string", "enum": list(intents)},
        service={"type": ["string", "null"], "enum": [*dict.fromkeys(services), None]},
        said={"type": ["string", "null"]},
        conditional={"type": "boolean"},
        slots={"type": "array", "items": said},
    )
    return _object(
        route={"type": "string", "enum": [route.value for route in routes_of(state)]},
        requests={"type": "array", "items": request},
    )


def _object(**properties: Mapping[str, Any]) -> dict[str, Any]:
    """An object of exactly these properties: strict schemas know no optional ones."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def read(text: str) -> Proposal | None:
    """An answer as a proposal, as far as it is one; None where it is not."""
    if len(text) > LONGEST:
        return None
    try:
        found = json.loads(_bare(text))
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    route = found.get("route")
    if not isinstance(route, str) or route not in set(Route):
        return None
    listed = found.get("requests")
    requests = listed if isinstance(listed, list) else []
    return Proposal(route, tuple(_request(each) for each in requests[:MOST_REQUESTS] if isinstance(each, dict)))


def _bare(text: str) -> str:
    """The JSON of an answer that has it in a fenced block, or with words around it."""
    if _FENCE in text:
        text = text.split(_FENCE)[1].removeprefix("json")
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1] if 0 <= start < end else text


def _request(found: Mapping[str, Any]) -> Proposed:
    slots = found.get("slots")
    said = [each for each in slots if isinstance(each, dict)] if isinstance(slots, list) else []
    return Proposed(
        intent=_text(found.get("intent")),
        service=_text(found.get("service")),
        said=_text(found.get("said")),
        conditional=found.get("conditional") is True,
        slots=tuple(
            Said(_text(each.get("slot")), _text(each.get("value")), _text(each.get("how"))) for each in said[:12]
        ),
    )


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value).strip()[:500] if isinstance(value, str | int | float) else ""
