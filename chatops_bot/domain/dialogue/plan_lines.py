"""What a plan's card says, in the order in which somebody woken at night has to read it: what changes, where, what it
costs, who puts it back, what else goes on. Everything is said; what matters less is in small print."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from chatops_bot.domain.plans import Plan
from chatops_bot.domain.say import Say

DETAILS: Final = 2
"""Lines on the change beside the first, and WARNINGS: more are small print; a phone shows a dozen lines."""
WARNINGS: Final = 4

_RANKS: Final[tuple[tuple[str, ...], ...]] = (
    # what stops or is lost for good, and what cannot come to an end
    (
        *("freeze.warning", "policy.raised", "warn.volumes_deleted", "warn.zero", "warn.quorum", "warn.tenfold"),
        *("warn.recreate", "warn.single_stateful", "warn.pod_last", "warn.pod_local", "warn.pod_quorum"),
        *("warn.pod_node_lost_set", "warn.drain_down", "warn.drain_local", "warn.drain_bare", "warn.drain_never"),
        *("warn.last_node", "warn.quota_unsaid", "warn.limit_range", "warn.quota_stuck", "warn.second_step"),
    ),
    (),  # what it costs: all that is not named here
    # who puts it back
    (
        *("warn.autoscaler_outside", "warn.autoscaler", "warn.keda", "warn.operator", "warn.operator_template"),
        *("warn.argo_heals", "warn.argo", "warn.argo_drifts", "warn.flux_suspend", "warn.flux", "warn.helm"),
        *("warn.autoscaler_off", "warn.last_applied", "warn.cordoned_by_other", "warn.cordoned_by_person"),
    ),
    # what else goes on
    (
        *("plan.opposed", "warn.unhealthy", "warn.rollout_running", "warn.changed", "warn.changed_by_plan"),
        *("warn.proportional", "warn.paused_scale", "warn.autoscaler_restart", "warn.mutable_image"),
        *("warn.argo_ignores", "warn.argo_restart"),
    ),
    # what is not known
    ("policy.outdated", "warn.unread"),
)
_COSTS: Final = 1
_RANK: Final = {key: rank for rank, keys in enumerate(_RANKS) for key in keys}
_LAST: Final = ("plan.dry_run_ok", "plan.dry_run_absent", "impersonate.as")
"""Lines of the preview that say how it was tried."""


class PlanLines(msgspec.Struct, frozen=True):
    """`change` and `place` first, then `details` and `warnings`, the worst first; `beside` and `tried` small."""

    change: tuple[Say, ...]
    place: tuple[Say, ...]
    details: tuple[Say, ...]
    warnings: tuple[Say, ...]
    beside: tuple[Say, ...]
    tried: tuple[Say, ...]


def plan_lines(plan: Plan) -> PlanLines:
    """All that the plan says, each line once."""
    place = tuple(line for line in plan.preview if line.key.startswith("plan.place"))
    tried = tuple(line for line in plan.preview if line.key in _LAST)
    rest = tuple(line for line in plan.preview if line not in place and line not in tried)
    details = rest[1:]
    warnings = worst_first(plan.warnings)
    return PlanLines(
        change=rest[:1],
        place=place,
        details=details[:DETAILS],
        warnings=warnings[:WARNINGS],
        beside=(*details[DETAILS:], *warnings[WARNINGS:]),
        tried=tried,
    )


def autoscaler_range_for(plan: Plan) -> tuple[int, int] | None:
    """Between which bounds the autoscaler that puts a scaling back would leave it; None where there is none, or where
    it goes by load to fewer in any case."""
    for line in plan.warnings:
        if line.key in ("warn.autoscaler", "warn.autoscaler_outside"):
            low, high, after = (int(line.args[name]) for name in ("min", "max", "after"))
            before = plan.before.get("replicas", 0)
            if after < low or (isinstance(before, int) and before < after):
                return after, max(high, after)
    return None


def worst_first(warnings: Iterable[Say]) -> tuple[Say, ...]:
    """In the order of the ranks; within one as they were said."""
    return tuple(sorted(warnings, key=lambda line: _RANK.get(line.key, _COSTS)))
