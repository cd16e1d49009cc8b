"""How dangerous a change is: the one table, by action and by what would happen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from chatops_bot.domain.risks import RISKS, Risk

Consequence = Literal[
    "ordinary", "zero_replicas", "more_than_tenfold", "volumes_deleted", "last_node", "foreign_cordon", "quorum"
]

RISK: dict[str, dict[Consequence, Risk]] = {
    "scale": {
        "ordinary": "medium",
        "zero_replicas": "high",
        "more_than_tenfold": "high",
        "volumes_deleted": "high",
        "quorum": "high",
    },
    "restart": {"ordinary": "medium"},
    "rollback": {"ordinary": "medium"},
    "pause": {"ordinary": "medium"},
    "resume": {"ordinary": "medium"},
    "set_image": {"ordinary": "medium"},
    "delete_pod": {"ordinary": "medium", "quorum": "high"},
    "cordon": {"ordinary": "medium", "last_node": "high"},
    "uncordon": {"ordinary": "medium", "foreign_cordon": "high"},
    "drain": {"ordinary": "high"},
    "abort": {"ordinary": "medium"},
    "set_autoscaler": {
        "ordinary": "medium",
        "more_than_tenfold": "high",
        "volumes_deleted": "high",
        "quorum": "high",
    },
}


def risk_of(action: str, consequences: Iterable[Consequence] = ()) -> Risk:
    """The highest risk of what would happen; at least that of the action as such."""
    table = RISK[action]
    return max((table[one] for one in ("ordinary", *consequences)), key=RISKS.index)
