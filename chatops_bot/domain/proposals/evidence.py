"""What the rules can tell of a text without understanding it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from chatops_bot.domain.intents import SlotValue


class Evidence(msgspec.Struct, frozen=True):
    """What a proposal has to be borne out by; the rules read it from a text (`adapters/rules/evidence.py`).

    - `numbers`: all that stand in it, in either language. `said`: by intent, the parameters that the whole text says.
    - `denied`: actions that it forbids ("don't restart it"), "" for an order that there is none for ("delete web").
    - `told`: it tells of an action, or of what somebody does, rather than ordering anything.
    - `conditional`: it hangs on a condition or a later time. `asks`: it is a question, and no polite order.
    - `leaves`: it has a word of leaving or refusing. `holds`: it waits or doubts.
    """

    numbers: tuple[float, ...] = ()
    said: Mapping[str, Mapping[str, SlotValue]] = {}
    denied: frozenset[str] = frozenset()
    told: bool = False
    conditional: bool = False
    asks: bool = False
    leaves: bool = False
    holds: bool = False
