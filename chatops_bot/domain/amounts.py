"""Amounts of resources as Kubernetes writes them (`500m`, `1.5Gi`), and what a pod asks for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Final, Literal

from chatops_bot.domain.objects import at, items, mapping, text
from chatops_bot.domain.observed import Raw

Amounts = dict[str, Fraction]
"""By resource name: `cpu` in cores, `memory` in bytes, others in pieces."""
Side = Literal["requests", "limits"]

_WRITTEN: Final = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?\d{1,3}))?")
_DECIMAL: Final = {"n": -3, "u": -2, "m": -1, "k": 1, "M": 2, "G": 3, "T": 4, "P": 5, "E": 6}
_BINARY: Final = ("Ki", "Mi", "Gi", "Ti", "Pi", "Ei")


def amount(written: object) -> Fraction | None:
    """What is written, exactly; None for what is no quantity (apimachinery's resource.Quantity)."""
    if isinstance(written, bool):
        return None
    found = _WRITTEN.fullmatch(str(written).strip())
    if found is None:
        return None
    number, suffix, exponent = Fraction(found[1]), found[2], found[3]
    if exponent:
        return number * _power(10, int(exponent))
    if not suffix:
        return number
    if suffix in _BINARY:
        return number * _power(1024, _BINARY.index(suffix) + 1)
    return number * _power(1000, _DECIMAL[suffix])


def _power(base: int, exponent: int) -> Fraction:
    return Fraction(base**exponent) if exponent >= 0 else Fraction(1, base**-exponent)


def amounts(raw: object, *path: str) -> Amounts:
    """The mapping of resource to quantity at `path`; what is none is left out."""
    read = ((name, amount(value)) for name, value in mapping(raw, *path).items())
    return {name: value for name, value in read if value is not None}


def shown(resource: str, value: Fraction) -> str:
    """An amount for a sentence: cores, bytes in the largest binary unit, pieces; never rounded down to nothing."""
    if "cpu" in resource:
        return f"{float(value):g}" if value >= 1 or value == 0 else f"{float(value * 1000):g}m"
    if not any(part in resource for part in ("memory", "storage", "hugepages")):
        return f"{float(value):g}"
    for power in range(len(_BINARY), 0, -1):
        if abs(value) >= 1024**power:
            return f"{float(value / 1024**power):.4g}{_BINARY[power - 1]}"
    return f"{float(value):g}"


def added(*parts: Mapping[str, Fraction]) -> Amounts:
    """The sum, resource by resource."""
    total: Amounts = {}
    for part in parts:
        for name, value in part.items():
            total[name] = total.get(name, Fraction(0)) + value
    return total


def highest(*parts: Mapping[str, Fraction]) -> Amounts:
    """The greatest of each resource."""
    return {name: max(part.get(name, Fraction(0)) for part in parts) for part in parts for name in part}


def asked(pod: object, side: Side = "requests") -> Amounts:
    """What a pod, or a pod template, asks for as a whole (its `spec` is looked at).

    The scheduler's and the quota's sum: containers together with the sidecars, or the neediest step of
    initialisation, whichever is more; what is said for the pod itself wins; the runtime's overhead comes on top.
    """
    sidecars: Amounts = {}
    steps: list[Amounts] = []
    for row in items(pod, "spec", "initContainers"):
        own = of_container(row, side)
        if text(row, "restartPolicy") == "Always":
            sidecars = added(sidecars, own)
            steps.append(sidecars)
        else:
            steps.append(added(sidecars, own))
    together = added(sidecars, *(of_container(row, side) for row in items(pod, "spec", "containers")))
    whole = {**highest(together, *steps), **amounts(pod, "spec", "resources", side)}
    overhead = {name: value for name, value in amounts(pod, "spec", "overhead").items() if name in whole}
    return added(whole, overhead)


def of_container(container: object, side: Side) -> Amounts:
    """What one container asks for: a limit without a request is the request too."""
    limits = amounts(container, "resources", "limits")
    return limits if side == "limits" else {**limits, **amounts(container, "resources", "requests")}


def total(pods: Iterable[object]) -> Amounts:
    """What these pods request, finished ones left out: they hold nothing any more."""
    running = (pod for pod in pods if text(pod, "status", "phase") not in ("Succeeded", "Failed"))
    return added(*(asked(pod) for pod in running))


def with_defaults(template: Raw, limit_ranges: Iterable[Raw]) -> Raw:
    """The template as admission completes it: each container gets the LimitRanges' defaults where it says nothing."""
    rules = [row for one in limit_ranges for row in items(one, "spec", "limits") if text(row, "type") == "Container"]
    if not rules:
        return template
    spec = dict(mapping(template, "spec"))
    for part in ("initContainers", "containers"):
        if part in spec:
            spec[part] = [_completed(row, rules) for row in items(spec, part)]
    return {**template, "spec": spec}


def _completed(container: Raw, rules: list[Raw]) -> Raw:
    own_limits = mapping(container, "resources", "limits")
    requests = {**own_limits, **mapping(container, "resources", "requests")}
    limits = dict(own_limits)
    for rule in rules:
        limits = {**mapping(rule, "default"), **limits}
        requests = {**mapping(rule, "default"), **mapping(rule, "defaultRequest"), **requests}
    resources = at(container, "resources")
    kept = resources if isinstance(resources, dict) else {}
    return {**container, "resources": {**kept, "limits": limits, "requests": requests}}
