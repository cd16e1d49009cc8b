"""What stands around a workload and bears on it: its autoscalers and disruption budgets."""

from __future__ import annotations

from collections.abc import Iterator

from chatops_bot.domain.objects import at, condition, mapping, name_of, number, text
from chatops_bot.domain.observed import Observed, Raw
from chatops_bot.domain.say import Say, say


def autoscaler_lines(observed: Observed) -> Iterator[Say]:
    """One line each: range, present and wanted replicas; their zeros mean nothing before the controller's first
    look, up to 15 s after it was made."""
    for autoscaler in observed.autoscalers:
        low, high = autoscaler_range(autoscaler)
        if not at(autoscaler, "status", "conditions") and not number(autoscaler, "status", "desiredReplicas"):
            yield say("status.autoscaler_new", name=name_of(autoscaler), min=low, max=high)
            continue
        # One that is off or blind wants nothing: its number is a zero left out.
        idle = text(condition(autoscaler, "ScalingActive"), "status") == "False"
        yield say(
            "status.autoscaler_idle" if idle else "status.autoscaler",
            name=name_of(autoscaler),
            min=low,
            max=high,
            current=number(autoscaler, "status", "currentReplicas"),
            wanted=number(autoscaler, "status", "desiredReplicas"),
        )


def autoscaler_range(autoscaler: Raw) -> tuple[int, int]:
    """Its minimum (1 where none is given) and maximum."""
    spec = mapping(autoscaler, "spec")
    return number(spec, "minReplicas", default=1), number(spec, "maxReplicas")


def budget_lines(observed: Observed) -> Iterator[Say]:
    """One line each: how many pods may be evicted now."""
    for budget in observed.budgets:
        yield say(
            "status.budget",
            name=name_of(budget),
            allowed=number(budget, "status", "disruptionsAllowed"),
            healthy=number(budget, "status", "currentHealthy"),
            needed=number(budget, "status", "desiredHealthy"),
        )
