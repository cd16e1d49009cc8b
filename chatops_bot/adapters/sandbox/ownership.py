"""`metadata.managedFields`: who set which field, and when, so that a change can be told to its author."""

from __future__ import annotations

import json
from typing import Any

from chatops_bot.adapters.sandbox.objects import Json

# Kept by the server itself, so that nobody owns them.
_SERVERS_OWN = {
    "name",
    "namespace",
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "managedFields",
}


def record(new: Json, old: Json, *, manager: str, subresource: str, stamp: str) -> None:
    """Write into `new` that `manager` set what differs from `old`, and take those fields from everybody else."""
    changed = _changes(_owned(new), _owned(old))
    entries = [
        {**entry, "fieldsV1": _without(entry["fieldsV1"], changed)}
        for entry in old.get("metadata", {}).get("managedFields") or []
    ]
    own = next((entry for entry in entries if _same(entry, manager, subresource)), None)
    if changed:
        if own is None:
            own = {"manager": manager, "operation": "Update", "apiVersion": new["apiVersion"]}
            own |= {"fieldsType": "FieldsV1", "fieldsV1": {}}
            if subresource:
                own["subresource"] = subresource
            entries.append(own)
        own["time"] = stamp
        own["fieldsV1"] = _union(own["fieldsV1"], changed)
    kept = [entry for entry in entries if entry["fieldsV1"]]
    if kept:
        new["metadata"]["managedFields"] = kept
    else:
        new["metadata"].pop("managedFields", None)


def _same(entry: Json, manager: str, subresource: str) -> bool:
    return bool(entry["manager"] == manager) and bool(entry.get("subresource", "") == subresource)


def _owned(obj: Json) -> Json:
    metadata = {key: value for key, value in (obj.get("metadata") or {}).items() if key not in _SERVERS_OWN}
    return {**{key: value for key, value in obj.items() if key not in {"apiVersion", "kind"}}, "metadata": metadata}


def _changes(new: Json, old: Json) -> Json:
    fields: Json = {}
    for key, value in new.items():
        before = old.get(key)
        if value == before:
            continue
        name = f"f:{key}"
        if isinstance(value, dict):
            inner = _changes(value, before if isinstance(before, dict) else {})
            if inner or not value:
                fields[name] = inner
        elif _keyed(value):
            fields[name] = _list_changes(value, before if isinstance(before, list) else [])
        else:
            fields[name] = {}
    return fields


def _keyed(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) and "name" in item for item in value)


def _list_changes(new: list[Json], old: list[Any]) -> Json:
    before = {item["name"]: item for item in old if isinstance(item, dict) and "name" in item}
    fields: Json = {}
    for item in new:
        if item != before.get(item["name"]):
            key = "k:" + json.dumps({"name": item["name"]}, separators=(",", ":"))
            fields[key] = _changes(item, before.get(item["name"], {}))
    return fields


def _without(fields: Json, taken: Json) -> Json:
    """`fields` less the leaves of `taken`; branches that become empty go too."""
    left: Json = {}
    for key, inner in fields.items():
        if key not in taken:
            left[key] = inner
        elif inner and taken[key]:
            rest = _without(inner, taken[key])
            if rest:
                left[key] = rest
    return left


def _union(one: Json, other: Json) -> Json:
    merged = dict(one)
    for key, inner in other.items():
        merged[key] = _union(merged.get(key, {}), inner)
    return merged
