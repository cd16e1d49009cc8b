"""What the API server refuses with 422 before it stores an object."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any

from chatops_bot.adapters.sandbox.errors import invalid
from chatops_bot.adapters.sandbox.objects import Json, is_deleting, name_of, uid_of
from chatops_bot.adapters.sandbox.resources import Resource
from chatops_bot.adapters.sandbox.selectors import selects

Cause = tuple[str, str, str]

_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_NAME_RULE = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)
_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_LABEL_RULE = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with "
    "an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
)
_PERCENT = re.compile(r"[0-9]+%")
_PERCENT_RULE = (
    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for "
    "validation is '[0-9]+%')"
)
_STATEFUL_FIXED = (
    "Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', "
    "'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are "
    "forbidden"
)
_STATEFUL_FREE = {
    "replicas",
    "ordinals",
    "template",
    "updateStrategy",
    "revisionHistoryLimit",
    "persistentVolumeClaimRetentionPolicy",
    "minReadySeconds",
}
_STANDARD_FINALIZERS = {"foregroundDeletion", "orphan", "kubernetes"}
_NOT_NEGATIVE = "must be greater than or equal to 0"


def check(resource: Resource, obj: Json, old: Json | None = None) -> None:
    """Raises the 422 that lists everything wrong with `obj`; `old` is what an update would replace."""
    causes = _finalizers(obj, old) + ([] if old is not None else _name(obj))
    rule = _BY_KIND.get(resource.kind)
    if rule is not None:
        causes += rule(obj.get("spec") or {})
    if resource.kind == "Deployment":
        causes += _strategy(obj.get("spec") or {})
    if old is not None:
        causes += _fixed(resource, obj, old)
    if causes:
        raise invalid(resource, name_of(obj), causes)


def check_identity(resource: Resource, obj: Json, old: Json) -> None:
    """Raises the 422 of a patch that names another uid: the API server finds it twice, and says it once."""
    if uid_of(obj) != uid_of(old):
        raise invalid(resource, name_of(old), [value_cause("metadata.uid", uid_of(obj), "field is immutable")] * 2)


def value_cause(field: str, value: Any, rule: str) -> Cause:
    shown = json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
    return (field, "FieldValueInvalid", f"Invalid value: {shown}: {rule}")


def _name(obj: Json) -> list[Cause]:
    name = name_of(obj)
    if not name:
        return [_required("metadata.name", "name or generateName is required")]
    if len(name) <= 253 and _SUBDOMAIN.fullmatch(name):
        return []
    return [value_cause("metadata.name", name, _NAME_RULE)]


def _finalizers(obj: Json, old: Json | None) -> list[Cause]:
    """Their names need a domain, and none may come when the object is already on its way out."""
    wanted = obj["metadata"].get("finalizers") or []
    rule = "name is neither a standard finalizer name nor is it fully qualified"
    causes = [
        value_cause(f"metadata.finalizers[{index}]", name, rule)
        for index, name in enumerate(wanted)
        if "/" not in name and name not in _STANDARD_FINALIZERS
    ]
    if old is not None and is_deleting(old):
        new = [name for name in wanted if name not in (old["metadata"].get("finalizers") or [])]
        if new:
            listed = ", ".join(f'"{name}"' for name in new)
            text = "Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers "
            causes += [("metadata.finalizers", "FieldValueForbidden", f"{text}[]string{{{listed}}}")] * 2
    return causes


def _required(field: str, rule: str = "") -> Cause:
    return (field, "FieldValueRequired", f"Required value: {rule}" if rule else "Required value")


def replicas(value: Any, field: str = "spec.replicas") -> list[Cause]:
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
        return []
    return [value_cause(field, value, _NOT_NEGATIVE)]


def _workload(spec: Json, *, named: str = "deployment") -> list[Cause]:
    causes = replicas(spec.get("replicas"))
    selector, template = spec.get("selector"), spec.get("template") or {}
    if selector is None:
        causes.append(_required("spec.selector"))
    elif not selector:
        causes.append(value_cause("spec.selector", {}, f"empty selector is invalid for {named}"))
    labels = (template.get("metadata") or {}).get("labels")
    if selector != {} and not selects(selector, labels or {}):
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
        elif not _LABEL.fullmatch(name):
            causes.append(value_cause(f"{field}.name", name, _LABEL_RULE))
        elif name in seen:
            causes.append((f"{field}.name", "FieldValueDuplicate", f'Duplicate value: "{name}"'))
        seen.add(str(name))
        if not container.get("image"):
            causes.append(_required(f"{field}.image"))
    return causes


def _pod(spec: Json) -> list[Cause]:
    return _containers(spec, "spec")


def _autoscaler(spec: Json) -> list[Cause]:
    low, high = spec.get("minReplicas", 1), spec.get("maxReplicas", 0)
    causes = []
    if low < 1:
        causes.append(value_cause("spec.minReplicas", low, "must be greater than or equal to 1"))
    if high < 1:
        causes.append(_required("spec.maxReplicas", "must be set and greater than 0"))
    if high < low:
        causes.append(value_cause("spec.maxReplicas", high, "must be greater than or equal to `minReplicas`"))
    if low == 0:
        text = "Forbidden: must specify at least one Object or External metric to support scaling to zero replicas"
        causes.append(("spec.metrics", "FieldValueForbidden", text))
    return causes


def _budget(spec: Json) -> list[Cause]:
    causes = [
        value_cause(f"spec.{field}", spec[field], _PERCENT_RULE)
        for field in ("minAvailable", "maxUnavailable")
        if isinstance(spec.get(field), str) and not _PERCENT.fullmatch(spec[field])
    ]
    if "minAvailable" in spec and "maxUnavailable" in spec:
        causes.append(value_cause("spec", spec, "minAvailable and maxUnavailable cannot be both set"))
    return causes


def _strategy(spec: Json) -> list[Cause]:
    strategy = spec.get("strategy") or {}
    if strategy.get("type") == "Recreate" and strategy.get("rollingUpdate") is not None:
        text = "Forbidden: may not be specified when strategy `type` is 'Recreate'"
        return [("spec.strategy.rollingUpdate", "FieldValueForbidden", text)]
    return []


def _fixed(resource: Resource, obj: Json, old: Json) -> list[Cause]:
    """What of the spec may never change."""
    new, before = obj.get("spec") or {}, old.get("spec") or {}
    if resource.kind == "StatefulSet":
        changed = {key for key in {*new, *before} if new.get(key) != before.get(key)}
        return [("spec", "FieldValueForbidden", _STATEFUL_FIXED)] if changed - _STATEFUL_FREE else []
    if resource.kind in _FIXED_SELECTOR and new.get("selector") != before.get("selector"):
        return [value_cause("spec.selector", new.get("selector"), "field is immutable")]
    return []


_FIXED_SELECTOR = {"Deployment", "ReplicaSet", "DaemonSet"}
_BY_KIND: dict[str, Callable[[Json], list[Cause]]] = {
    "Deployment": _workload,
    "ReplicaSet": _workload,
    "StatefulSet": partial(_workload, named="statefulset"),
    "DaemonSet": partial(_workload, named="daemonset"),
    "Pod": _pod,
    "HorizontalPodAutoscaler": _autoscaler,
    "PodDisruptionBudget": _budget,
}
