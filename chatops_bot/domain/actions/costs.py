"""What a change costs that a dry-run does not tell: whether the pods that it makes find quota, are within the limits of
the namespace, and have room on the nodes."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor
from typing import Final

from chatops_bot.domain.actions.capacity import room_for
from chatops_bot.domain.actions.quotas import Short, limit_violations, shortages, unsaid
from chatops_bot.domain.amounts import asked, shown, with_defaults
from chatops_bot.domain.objects import at, items, mapping, name_of, number, replicas_of, text
from chatops_bot.domain.observed import Need, Observed, Raw
from chatops_bot.domain.rollout import strategy_of
from chatops_bot.domain.say import Say, say

COSTS: Final[frozenset[Need]] = frozenset({"quotas", "limits", "room"})
"""What has to be read for this."""


def more_pods(observed: Observed, count: int) -> Iterator[Say]:
    """What `count` more pods of the present template run into."""
    if count <= 0:
        return
    template = _template(observed, mapping(observed.object, "spec", "template"))
    yield from _refused(observed, template)
    for short in shortages(observed.quotas, template, count):
        yield _said("warn.quota", short, count=count)
    yield from _placed(observed, template, count)
    yield from _unread(observed)


def rollout_costs(observed: Observed, template: Raw) -> Iterator[Say]:
    """What a rollout of this template runs into while it has more pods than there are now, or none at all."""
    template = _template(observed, template)
    yield from _refused(observed, template)
    surge, unavailable = surge_of(observed.object, observed.entity.kind)
    if surge:
        for short in shortages(observed.quotas, template, surge):
            if short.fits == 0:
                yield _said("warn.quota_surge" if unavailable else "warn.quota_stuck", short, count=surge)
        yield from _placed(observed, template, surge)
        yield from _volumes(template)
    yield from _budgets(observed, unavailable)
    yield from _unread(observed)


def surge_of(workload: Raw, kind: str) -> tuple[int, int]:
    """How many pods more, and how many fewer, than wanted a rollout of a Deployment may have: its share rounded up and
    down. Other kinds replace pods in place."""
    if kind != "Deployment" or strategy_of(workload, kind) != "RollingUpdate":
        return 0, 0
    wanted = replicas_of(workload)
    rolling = mapping(workload, "spec", "strategy", "rollingUpdate")
    surge = ceil(_share(at(rolling, "maxSurge"), wanted))
    unavailable = floor(_share(at(rolling, "maxUnavailable"), wanted))
    return surge, unavailable if surge or unavailable else 1


def _share(value: object, wanted: int) -> Fraction:
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    written = value.removesuffix("%") if isinstance(value, str) else "25"
    return Fraction(int(written) * wanted, 100) if written.isdigit() else Fraction(0)


def _template(observed: Observed, template: Raw) -> Raw:
    return with_defaults(template, observed.limits)


def _refused(observed: Observed, template: Raw) -> Iterator[Say]:
    yield from limit_violations(observed.limits, template)
    yield from unsaid(observed.quotas, template)


def _said(key: str, short: Short, *, count: int) -> Say:
    return say(
        key,
        quota=short.quota,
        resource=short.resource,
        used=short.used,
        hard=short.hard,
        each=short.each,
        fits=short.fits,
        count=count,
    )


def _placed(observed: Observed, template: Raw, count: int) -> Iterator[Say]:
    if not observed.nodes or observed.why_unread("nodes", "elsewhere") is not None:
        return
    room = room_for(template, nodes=observed.nodes, running=observed.elsewhere)
    if room.fits < count:
        each = ", ".join(f"{name} {shown(name, value)}" for name, value in sorted(asked(template).items()))
        yield say("warn.room", count=count, fits=room.fits, nodes=room.nodes, each=each or "requests.none")


def _volumes(template: Raw) -> Iterator[Say]:
    """A claim that one node alone may mount keeps a new pod on another node waiting for the old one."""
    claims = [text(row, "persistentVolumeClaim", "claimName") for row in items(template, "spec", "volumes")]
    named = [claim for claim in claims if claim]
    if named:
        yield say("warn.claims", claims=", ".join(named))


def _budgets(observed: Observed, unavailable: int) -> Iterator[Say]:
    """A budget guards against evictions only; a rollout goes below it without asking."""
    left = replicas_of(observed.object) - unavailable
    for budget in observed.budgets:
        needed = number(budget, "status", "desiredHealthy")
        if unavailable and left < needed:
            yield say("warn.budget_rollout", budget=name_of(budget), needed=needed, after=left)


def _unread(observed: Observed) -> Iterator[Say]:
    """What was to be read for this and could not be; of nodes and what runs there one line."""
    parts = {"quotas": "quotas", "limits": "limits", "nodes": "room", "elsewhere": "room"}
    found = {parts[what]: why for what, _, why in (row.partition(":") for row in observed.unread) if what in parts}
    yield from (say("warn.unread", what=f"unread.{part}", why=why or "?") for part, why in found.items())
