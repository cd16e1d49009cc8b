"""What stands around a workload and bears on it: its autoscalers and disruption budgets."""

from __future__ import annotations

from collections.abc import Iterator

from chatops_bot.domain.diagnosis.findings import Finding
from chatops_bot.domain.masking import mask
from chatops_bot.domain.objects import at, condition, mapping, name_of, number, shortened, text
from chatops_bot.domain.observed import Observed, Raw
from chatops_bot.domain.say import Say, say


def autoscaler_findings(observed: Observed) -> Iterator[Finding]:
    """Autoscalers that are off, blind or at their limit. At the minimum is normal and says nothing."""
    for autoscaler in observed.autoscalers:
        found = _autoscaler(autoscaler)
        if found is not None:
            yield found


def _autoscaler(autoscaler: Raw) -> Finding | None:
    name = name_of(autoscaler)
    active, limited = condition(autoscaler, "ScalingActive"), condition(autoscaler, "ScalingLimited")
    message = shortened(mask(text(active, "message")))
    if text(active, "status") == "False":
        if text(active, "reason") == "ScalingDisabled":
            return Finding("autoscaler_off", "info", say("finding.autoscaler_off", name=name), name, hard=False)
        return Finding("autoscaler_blind", "warn", say("finding.autoscaler_blind", name=name, message=message), name)
    if text(condition(autoscaler, "AbleToScale"), "status") == "False":
        message = shortened(mask(text(condition(autoscaler, "AbleToScale"), "message")))
        return Finding("autoscaler_blind", "warn", say("finding.autoscaler_unable", name=name, message=message), name)
    if text(limited, "status") == "True" and text(limited, "reason") == "TooManyReplicas":
        most = number(autoscaler, "spec", "maxReplicas")
        return Finding(
            "autoscaler_limit", "warn", say("finding.autoscaler_limit", name=name, max=most), name, hard=False
        )
    return None


def autoscaler_lines(observed: Observed) -> Iterator[Say]:
    """One line each: range, present and wanted replicas; their zeros mean nothing before the controller's first
    look, up to 15 s after it was made."""
    for autoscaler in observed.autoscalers:
        low, high = autoscaler_range(autoscaler)
        if not at(autoscaler, "status", "conditions") and not number(autoscaler, "status", "desiredReplicas"):
            yield say("status.autoscaler_new", name=name_of(autoscaler), min=low, max=high)
            continue
        yield say(
            "status.autoscaler",
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
