"""What the value of a button carries: slots, the card that it stands on, and last the key of an entity.

As in `revision=6 east/shop/deployment/web`, or `logs tail=200 grep='time%20out card='c3 east/…` of a refresh. Numbers
are written plainly, texts behind a quote and with escapes, so that no value has a space in it. What comes back is read
like everything that people say, and checked where it is used.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final
from urllib.parse import quote, unquote

from chatops_bot.domain.intents import Quantity, SlotValue

TEXT_LIMIT: Final = 300
_QUANTITY: Final = re.compile(r"(to|by|times):(-?\d{1,9}(?:\.\d{1,4})?)", re.ASCII)


def carried(slots: Mapping[str, SlotValue], key: str) -> str:
    """Slots and a key as one value."""
    return " ".join([*(f"{name}={_written(value)}" for name, value in slots.items()), key])


def slots_in(value: str, known: Collection[str]) -> dict[str, SlotValue]:
    """The slots of these names that a value carries; what is no slot is left out."""
    found: dict[str, SlotValue] = {}
    for part in value.split(" ")[:-1]:
        name, _, written = part.partition("=")
        read = _read(written) if name in known else None
        if read is not None:
            found[name] = read
    return found


def _written(value: SlotValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Quantity):
        return f"{value.kind}:{value.value:g}"
    return str(value) if isinstance(value, int) else f"'{quote(value, safe='/.:@-_')}"


def _read(written: str) -> SlotValue | None:
    if written.startswith("'"):
        return unquote(written[1:])[:TEXT_LIMIT]
    if written in ("true", "false"):
        return written == "true"
    if written.isascii() and written.isdecimal() and len(written) < 11:
        return int(written)
    found = _QUANTITY.fullmatch(written)
    if found is None:
        return None
    kind = found[1]
    return Quantity("to" if kind == "to" else "by" if kind == "by" else "times", float(found[2]))
