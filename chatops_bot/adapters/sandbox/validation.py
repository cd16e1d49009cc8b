"""What the API server refuses with 422 before it stores an object."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from chatops_bot.adapters.sandbox.errors import invalid
from chatops_bot.adapters.sandbox.objects import Json, name_of
from chatops_bot.adapters.sandbox.resources import Resource
from chatops_bot.adapters.sandbox.selectors import selects

Cause = tuple[str, str, str]

_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_NAME_RULE = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)
_NOT_NEGATIVE = "must be greater than or equal to 0"


def check(resource: Resource, obj: Json, old: Json | None = None) -> None:
    """Raises the 422 that lists everything wrong with `obj`; `old` is what an update would replace."""
    causes = [] if old is not None else _name(obj)
    rule = _BY_KIND.get(resource.kind)
    if rule is not None:
        causes += rule(obj.get("spec") or {})
    if old is not None and resource.kind in _FIXED_SELECTOR:
        causes += _same_selector(obj, old)
    if causes:
        raise invalid(resource, name_of(obj), causes)


def value_cause(field: str, value: Any, rule: str) -> Cause:
    shown = f'"{value}"' if isinstance(value, str) else str(value)
    return (field, "FieldValueInvalid", f"Invalid value: {shown}: {rule}")


def _name(obj: Json) -> list[Cause]:
    name = name_of(obj)
    if len(name) <= 253 and _SUBDOMAIN.fullmatch(name):
        return []
    return [value_cause("metadata.name", name, _NAME_RULE)]


def _required(field: str) -> Cause:
    return (field, "FieldValueRequired", "Required value")


def replicas(value: Any, field: str = "spec.replicas") -> list[Cause]:
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
        return []
    return [value_cause(field, value, _NOT_NEGATIVE)]


def _workload(spec: Json) -> list[Cause]:
    causes = replicas(spec.get("replicas"))
    selector, template = spec.get("selector"), spec.get("template") or {}
    if not selector:
        causes.append(_required("spec.selector"))
    labels = (template.get("metadata") or {}).get("labels") or {}
    if selector and not selects(selector, labels):
        rule = "`selector` does not match template `labels`"
        causes.append(value_cause("spec.template.metadata.labels", labels, rule))
    return causes + _containers(template.get("spec") or {}, "spec.template.spec")


def _containers(spec: Json, path: str) -> list[Cause]:
    containers = spec.get("containers") or []
    causes = [] if containers else [_required(f"{path}.containers")]
    seen: set[str] = set()
    for index, container in enumerate(containers):
        field = f"{path}.containers[{index}]"
        name = container.get("name")
        if not name:
            causes.append(_required(f"{field}.name"))
        elif name in seen:
            causes.append((f"{field}.name", "FieldValueDuplicate", f'Duplicate value: "{name}"'))
        seen.add(str(name))
        if not container.get("image"):
            causes.append(_required(f"{field}.image"))
    return causes


def _pod(spec: Json) -> list[Cause]:
    return _containers(spec, "spec")


def _autoscaler(spec: Json) -> list[Cause]:
    low, high = spec.get("minReplicas", 1), spec.get("maxReplicas")
    causes = []
    if not isinstance(high, int) or high < 1:
        causes.append(value_cause("spec.maxReplicas", high or 0, "must be greater than 0"))
    if not isinstance(low, int) or low < 1:
        causes.append(value_cause("spec.minReplicas", low, "must be greater than or equal to 1"))
    if not causes and high < low:
        causes.append(value_cause("spec.maxReplicas", high, "must be greater than or equal to `minReplicas`"))
    return causes


def _same_selector(obj: Json, old: Json) -> list[Cause]:
    new, before = (obj.get("spec") or {}).get("selector"), (old.get("spec") or {}).get("selector")
    return [] if new == before else [value_cause("spec.selector", new, "field is immutable")]


_FIXED_SELECTOR = {"Deployment", "ReplicaSet", "StatefulSet", "DaemonSet"}
_BY_KIND: dict[str, Callable[[Json], list[Cause]]] = {
    "Deployment": _workload,
    "ReplicaSet": _workload,
    "StatefulSet": _workload,
    "DaemonSet": _workload,
    "Pod": _pod,
    "HorizontalPodAutoscaler": _autoscaler,
}
