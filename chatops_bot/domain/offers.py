"""An action that a diagnosis or a runbook suggests."""

from __future__ import annotations

import msgspec

from chatops_bot.domain.intents import SlotValue


class Offer(msgspec.Struct, frozen=True, omit_defaults=True):
    """An action that may help, behind its confirmation like every other, with the slots that are known already.
    `entity` is its target's key where that is another than the one looked at (a node, CoreDNS …)."""

    action: str
    slots: dict[str, SlotValue] = {}
    entity: str = ""
