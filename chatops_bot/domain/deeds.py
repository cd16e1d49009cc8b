"""What the bot itself has done to a workload, as its audit log tells it: which action, when, and for whom."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

import msgspec

from chatops_bot.domain import audit
from chatops_bot.domain.intents import SlotValue

NEAR_MS: Final = 60_000
"""A revision that was made so soon after a deed was made by it."""


ROLL_OUT: Final = frozenset({"rollback", "set_image", "restart", "resume"})
"""Actions of which a new revision comes."""


class Deed(msgspec.Struct, frozen=True, omit_defaults=True):
    """One change that was written, or may have been. `at` ms of the store's clock, `by` the person who confirmed it."""

    at: int
    action: str
    by: str
    parameters: dict[str, SlotValue] = {}
    token: str = ""


def deeds_of(records: Iterable[bytes], *, service: str) -> list[Deed]:
    """The changes of one entity among audit records, in their order, each plan once. What cannot be read is none."""
    found: dict[str, Deed] = {}
    for raw in records:
        try:
            record = audit.decode(raw)
        except msgspec.DecodeError:
            continue
        if record.kind == "execution" and record.service == service and record.action:
            by = record.person or record.user or "?"
            deed = Deed(record.at, record.action, by, parameters=record.parameters, token=record.token)
            found.setdefault(record.token or str(record.at), deed)
    return list(found.values())


def deed_near(deeds: Sequence[Deed], moment: int, actions: Collection[str]) -> Deed | None:
    """The one of these actions that was done about that moment."""
    near = [one for one in deeds if one.action in actions and abs(moment - one.at) <= NEAR_MS]
    return min(near, key=lambda one: abs(moment - one.at), default=None)


def made_by(deeds: Sequence[Deed], moments: Iterable[int]) -> dict[int, Deed]:
    """Which deed made what was made at these moments: each deed one thing, the nearest, so that what somebody else
    did shortly before is not taken for the bot's."""
    made = [moment for moment in moments if moment]
    found: dict[int, Deed] = {}
    for deed in (one for one in deeds if one.action in ROLL_OUT):
        nearest = min(made, key=lambda moment: abs(moment - deed.at), default=0)
        before = found.get(nearest)
        if abs(nearest - deed.at) > NEAR_MS:
            continue
        if before is None or abs(nearest - deed.at) < abs(nearest - before.at):
            found[nearest] = deed
    return found
