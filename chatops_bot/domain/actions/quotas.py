"""ResourceQuota and LimitRange against pods that are still to be made.

A dry-run of a workload tries none of it: quota is charged, and limits are enforced, when its controller makes pods.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Final

import msgspec

from chatops_bot.domain.amounts import Amounts, Side, amounts, asked, of_container, shown
from chatops_bot.domain.objects import items, mapping, name_of, text
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.say import Say, say

_PODS: Final = ("pods", "count/pods")
_MUST_BE_SAID: Final = {
    name: side
    for side in ("requests", "limits")
    for resource in ("cpu", "memory")
    for name in ((resource, f"{side}.{resource}") if side == "requests" else (f"{side}.{resource}",))
}
"""Quota on one of these refuses every pod with a container that does not say it."""


class Short(msgspec.Struct, frozen=True):
    """A quota that does not hold all of the pods to be made: it holds `fits` of them. Amounts as for a sentence."""

    quota: str
    resource: str
    used: str
    hard: str
    each: str
    fits: int


def shortages(quotas: Iterable[Raw], template: Raw, pods: int) -> list[Short]:
    """Of each quota that does not hold so many more pods of the template, the scarcest resource."""
    short = []
    for quota in quotas:
        rows = [row for row in _rows(quota, template) if row.fits < pods]
        if rows:
            short.append(min(rows, key=lambda row: row.fits))
    return sorted(short, key=lambda row: row.fits)


def _rows(quota: Raw, template: Raw) -> Iterator[Short]:
    if not _covers(quota, template):
        return
    hard, used = amounts(quota, "status", "hard") or amounts(quota, "spec", "hard"), amounts(quota, "status", "used")
    for name, most in hard.items():
        each = _each(name, template)
        if not each or name not in used:
            continue
        fits = max(0, (most - used[name]) // each)
        yield Short(name_of(quota), name, shown(name, used[name]), shown(name, most), shown(name, each), int(fits))


def _each(name: str, template: Raw) -> Fraction:
    """How much of a quota's resource one pod takes."""
    if name in _PODS:
        return Fraction(1)
    side, resource = _side(name)
    return asked(template, side).get(resource, Fraction(0))


def _side(name: str) -> tuple[Side, str]:
    prefix, dot, resource = name.partition(".")
    if dot and prefix in ("requests", "limits"):
        return ("limits" if prefix == "limits" else "requests"), resource
    return "requests", name


def _covers(quota: Raw, template: Raw) -> bool:
    """Whether pods of a workload count in this quota, by its scopes."""
    rows = [{"scopeName": scope, "operator": "Exists"} for scope in mapping(quota, "spec").get("scopes") or ()]
    rows += items(quota, "spec", "scopeSelector", "matchExpressions")
    return all(_in_scope(row, template) for row in rows)


def _in_scope(row: Raw, template: Raw) -> bool:
    best_effort = not asked(template, "requests") and not asked(template, "limits")
    match text(row, "scopeName"):
        case "NotTerminating":  # no workload's pod has a deadline
            return True
        case "BestEffort":
            return best_effort
        case "NotBestEffort":
            return not best_effort
        case "PriorityClass":
            return _has_priority(row, text(template, "spec", "priorityClassName"))
        case _:
            return False


def _has_priority(row: Raw, name: str) -> bool:
    values = row.get("values") or ()
    match text(row, "operator"):
        case "In":
            return name in values
        case "NotIn":
            return name not in values
        case "DoesNotExist":
            return not name
        case _:
            return bool(name)


def unsaid(quotas: Iterable[Raw], template: Raw) -> Iterator[Say]:
    """Quotas that refuse every pod of the template, since a container does not say what they count."""
    for quota in quotas:
        hard = amounts(quota, "spec", "hard") if _covers(quota, template) else {}
        for name in hard:
            missing = _silent(name, template)
            if missing:
                yield say("warn.quota_unsaid", quota=name_of(quota), resource=name, container=missing)
                break


def _silent(name: str, template: Raw) -> str:
    if name not in _MUST_BE_SAID:
        return ""
    side, resource = _side(name)
    rows = items(template, "spec", "containers")
    return next((text(row, "name") for row in rows if resource not in of_container(row, side)), "")


def limit_violations(limit_ranges: Iterable[Raw], template: Raw) -> Iterator[Say]:
    """LimitRanges that refuse every pod of the template, each with the first reason."""
    for one in limit_ranges:
        problem = next((found for rule in items(one, "spec", "limits") for found in _beyond(rule, template)), None)
        if problem is not None:
            about, resource, value, bound = problem
            values = {"value": shown(resource, value), "bound": shown(resource, bound)}
            yield say("warn.limit_range", limits=name_of(one), about=about, resource=resource, **values)


def _beyond(rule: Raw, template: Raw) -> Iterator[tuple[str, str, Fraction, Fraction]]:
    if text(rule, "type") == "Pod":
        yield from _out(rule, "pod", asked(template, "requests"), asked(template, "limits"))
    if text(rule, "type") == "Container":
        for row in items(template, "spec", "containers"):
            yield from _out(rule, text(row, "name"), of_container(row, "requests"), of_container(row, "limits"))


def _out(rule: Raw, about: str, requests: Amounts, limits: Amounts) -> Iterator[tuple[str, str, Fraction, Fraction]]:
    for resource, bound in amounts(rule, "max").items():
        value = max(limits.get(resource, Fraction(0)), requests.get(resource, Fraction(0)))
        if value > bound:
            yield about, resource, value, bound
    for resource, bound in amounts(rule, "min").items():
        value = requests.get(resource, limits.get(resource, Fraction(0)))
        if value < bound:
            yield about, resource, value, bound
