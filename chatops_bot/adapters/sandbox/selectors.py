"""Label selectors as objects hold them, and field selectors."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from chatops_bot.adapters.sandbox.errors import bad_request
from chatops_bot.adapters.sandbox.label_text import Labels
from chatops_bot.adapters.sandbox.objects import Json
from chatops_bot.adapters.sandbox.resources import Resource

_EQUALITY = re.compile(r"^\s*([^=!\s]+)\s*(==|=|!=)\s*(\S*)\s*$")

_FIELDS_OF_ALL = {"metadata.name", "metadata.namespace"}
_FIELDS = {
    "Pod": {
        "spec.nodeName",
        "spec.restartPolicy",
        "spec.schedulerName",
        "spec.serviceAccountName",
        "spec.hostNetwork",
        "status.phase",
        "status.podIP",
        "status.nominatedNodeName",
    },
    "Event": {
        "involvedObject.kind",
        "involvedObject.namespace",
        "involvedObject.name",
        "involvedObject.uid",
        "involvedObject.apiVersion",
        "involvedObject.resourceVersion",
        "involvedObject.fieldPath",
        "reason",
        "reportingComponent",
        "source",
        "type",
    },
    "Node": {"spec.unschedulable"},
    "Namespace": {"status.phase"},
    "Secret": {"type"},
    "Service": {"spec.clusterIP", "spec.type"},
    "ReplicaSet": {"status.replicas"},
    "Job": {"status.successful"},
}


def selects(selector: Json | None, labels: Labels) -> bool:
    """Whether a LabelSelector object (`matchLabels`, `matchExpressions`) selects these labels; an empty one does."""
    if selector is None:
        return False
    wanted: Labels = selector.get("matchLabels") or {}
    if any(labels.get(key) != value for key, value in wanted.items()):
        return False
    return all(_expression(item, labels) for item in selector.get("matchExpressions") or [])


def _expression(item: Json, labels: Labels) -> bool:
    key, values = item["key"], item.get("values") or []
    match item["operator"]:
        case "In":
            return labels.get(key) in values
        case "NotIn":
            return labels.get(key) not in values
        case "Exists":
            return key in labels
        case "DoesNotExist":
            return key not in labels
    raise bad_request(f'"{item["operator"]}" is not a valid label selector operator')


def selector_text(selector: Json | None) -> str:
    """A LabelSelector object in the form of the `labelSelector` parameter, as `/scale` shows it."""
    selector = selector or {}
    parts = [f"{key}={value}" for key, value in sorted((selector.get("matchLabels") or {}).items())]
    for item in selector.get("matchExpressions") or []:
        values = ",".join(sorted(item.get("values") or []))
        form = {"In": "{} in ({})", "NotIn": "{} notin ({})", "Exists": "{}", "DoesNotExist": "!{}"}[item["operator"]]
        parts.append(form.format(item["key"], values))
    return ",".join(parts)


def field_matcher(resource: Resource, text: str) -> Callable[[Json], bool]:
    """The test that a `fieldSelector` parameter describes. Raises 400 for a field that cannot be selected by."""
    wanted: list[tuple[str, bool, str]] = []
    for part in text.split(","):
        if not part.strip():
            continue
        match = _EQUALITY.match(part)
        if match is None:
            raise bad_request(f"invalid selector: '{text}'; can't understand '{part.strip()}'")
        field, operator, value = match.groups()
        if field not in _FIELDS_OF_ALL | _FIELDS.get(resource.kind, set()):
            if resource.kind in _FIELDS:
                raise bad_request(f"field label not supported: {field}")
            known = 'only "metadata.name", "metadata.namespace"'
            raise bad_request(f'"{field}" is not a known field selector: {known}')
        wanted.append((field, operator == "!=", value))
    return lambda obj: all((_field(obj, field) == value) != negated for field, negated, value in wanted)


def _field(obj: Json, path: str) -> str:
    if path == "source":
        path = "source.component"
    value: Any = obj
    for part in path.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    if value is None:
        return "false" if path in {"spec.unschedulable", "spec.hostNetwork"} else ""
    return str(value).lower() if isinstance(value, bool) else str(value)
