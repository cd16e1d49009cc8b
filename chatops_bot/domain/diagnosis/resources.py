"""The report on resources: what each container uses, against what it asks for and what it may use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

import msgspec

from chatops_bot.domain.amounts import Amounts, amounts, of_container, shown
from chatops_bot.domain.diagnosis.applied import applied
from chatops_bot.domain.diagnosis.happenings import unread_says
from chatops_bot.domain.diagnosis.pods import is_leftover
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.objects import items, listed, name_of, text
from chatops_bot.domain.observed import Observed, Raw
from chatops_bot.domain.reports import Report
from chatops_bot.domain.say import Say, say

SHOWN: Final = 8
FULL: Final = Fraction(9, 10)
"""From this part of a limit on it is said: memory beyond it ends in an OOM kill, CPU is throttled."""
HEADER: Final = ("table.pod", "table.container", "table.cpu", "table.memory")
_KINDS: Final = ("cpu", "memory")
_PARTS: Final = ("pods", "usage", "autoscalers")


class Use(msgspec.Struct, frozen=True):
    """One container: what it uses now (nothing where that was not measured), requests and limits."""

    pod: str
    container: str
    used: Amounts
    requests: Amounts
    limits: Amounts

    def share(self, resource: str) -> Fraction:
        """How much of its limit it uses, 0 where it has none or nothing was measured."""
        limit, used = self.limits.get(resource), self.used.get(resource)
        return used / limit if limit and used is not None else Fraction(0)

    @property
    def fullest(self) -> Fraction:
        """Of its limits, the one that it is nearest to."""
        return max(self.share(resource) for resource in _KINDS)


def resources_report(observed: Observed, now_ms: int, slots: Mapping[str, SlotValue] | None = None) -> Report:
    """Usage against requests and limits, per container, the fullest first; without the metrics API what is asked for
    alone, and that is said."""
    slots = slots or {}
    uses = [one for one in uses_of(observed) if _wanted(one, slots)]
    measured = any(one.used for one in uses)
    full = [one for one in uses if one.fullest >= FULL]
    ordered = sorted(uses, key=lambda one: (-one.fullest, -one.used.get("memory", Fraction(0)), one.pod, one.container))
    return Report(
        kind="resources",
        at=observed.at,
        entity=observed.entity,
        headline=_headline(observed, uses, full, measured=measured),
        tone="warn" if full else "info" if measured else "muted",
        lines=tuple(_lines(uses, full, measured=measured)),
        table=(HEADER, *(_cells(one) for one in ordered[:SHOWN])) if uses else (),
        unread=unread_says(observed, _PARTS),
        digest=_digest(uses, measured=measured),
        slots=dict(slots),
        applied=tuple(applied(slots)),
    )


def uses_of(observed: Observed) -> list[Use]:
    """The containers of its pods that have not ended."""
    usage = {name_of(row): row for row in observed.around.usage}
    return [use for pod in observed.pods if not is_leftover(pod) for use in _of_pod(pod, usage.get(name_of(pod), {}))]


def _of_pod(pod: Raw, usage: Raw) -> Iterator[Use]:
    used = {text(row, "name"): amounts(row, "usage") for row in items(usage, "containers")}
    sidecars = [row for row in items(pod, "spec", "initContainers") if text(row, "restartPolicy") == "Always"]
    for row in (*items(pod, "spec", "containers"), *sidecars):
        name = text(row, "name")
        yield Use(name_of(pod), name, used.get(name, {}), of_container(row, "requests"), of_container(row, "limits"))


def _wanted(one: Use, slots: Mapping[str, SlotValue]) -> bool:
    pod, container = slots.get("pod"), slots.get("container")
    return (not pod or one.pod == pod) and (not container or one.container == container)


def _headline(observed: Observed, uses: list[Use], full: list[Use], *, measured: bool) -> Say:
    name = observed.entity.name
    if not uses:
        return say("resources.no_pods", name=name)
    if not measured:
        return say("resources.unmeasured", name=name)
    if full:
        worst = max(full, key=lambda one: one.fullest)
        resource = max(_KINDS, key=worst.share)
        return say(
            "resources.full",
            name=name,
            container=worst.container,
            pod=worst.pod,
            resource=f"resource.{resource}",
            percent=_percent(worst.share(resource)),
            limit=shown(resource, worst.limits[resource]),
        )
    return say(
        "resources.sum",
        name=name,
        cpu=shown("cpu", _rounded("cpu", _total(uses, "cpu"))),
        memory=shown("memory", _rounded("memory", _total(uses, "memory"))),
        pods=len({one.pod for one in uses}),
    )


def _lines(uses: list[Use], full: list[Use], *, measured: bool) -> Iterator[Say]:
    if len(full) > 1:
        yield say("resources.others_full", count=len(full) - 1)
    for resource in _KINDS:
        bare = sorted({one.container for one in uses if not one.limits.get(resource)})
        if bare:
            yield say("resources.no_limit", resource=f"resource.{resource}", containers=listed(bare))
        unasked = sorted({one.container for one in uses if not one.requests.get(resource)})
        if unasked:
            yield say("resources.no_request", resource=f"resource.{resource}", containers=listed(unasked))
    unknown = sorted({one.pod for one in uses if not one.used})
    if measured and unknown:
        yield say("resources.not_yet", pods=listed(unknown))
    if len(uses) > SHOWN:
        yield say("resources.more", count=len(uses) - SHOWN)


def _cells(one: Use) -> tuple[str, ...]:
    return (one.pod, one.container, *(_cell(one, resource) for resource in _KINDS))


def _cell(one: Use, resource: str) -> str:
    """`450m/500m 90% (req 250m)`: used, limit and how much of it, request; "-" for what is not there."""
    used, limit, request = one.used.get(resource), one.limits.get(resource), one.requests.get(resource)
    parts = ["-" if used is None else shown(resource, _rounded(resource, used))]
    parts[0] += f"/{'-' if limit is None else shown(resource, limit)}"
    if used is not None and limit:
        parts.append(f"{_percent(used / limit)}%")
    parts.append(f"(req {'-' if request is None else shown(resource, request)})")
    return " ".join(parts)


def _rounded(resource: str, value: Fraction) -> Fraction:
    """Whole millicores, whole MiB: what is measured is no more exact than that."""
    unit = Fraction(1, 1000) if resource == "cpu" else Fraction(2**20)
    return Fraction(round(value / unit)) * unit if value >= unit else value


def _percent(share: Fraction) -> int:
    return round(share * 100)


def _total(uses: list[Use], resource: str) -> Fraction:
    return sum((one.used.get(resource, Fraction(0)) for one in uses), Fraction(0))


def _digest(uses: list[Use], *, measured: bool) -> str:
    if not measured:
        return f"{len(uses)} containers, usage not measured"
    worst = max(uses, key=lambda one: one.fullest)
    used = ", ".join(f"{resource} {shown(resource, _rounded(resource, _total(uses, resource)))}" for resource in _KINDS)
    return f"{used}; fullest {worst.pod}/{worst.container} {_percent(worst.fullest)}%"
