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


# Objects that every one of their kind has, so that nobody brings them: only what is in them has an owner.
_ALWAYS_THERE = {"metadata", "spec", "status", "template", "strategy", "updateStrategy", "scaleTargetRef", "containers"}
# Owned as a whole, though they have parts.
_ATOMIC = {"selector", "nodeSelector", "containerStatuses", "initContainerStatuses", "hostIPs", "tolerations", "taints"}
# The fields that tell the items of a list apart; the first group that all items have counts. Other lists are atomic.
_ITEM_KEYS: dict[str, tuple[tuple[str, ...], ...]] = {
    "containers": (("name",),),
    "initContainers": (("name",),),
    "volumes": (("name",),),
    "env": (("name",),),
    "volumeMounts": (("mountPath",),),
    "ports": (("containerPort", "protocol"), ("port", "protocol")),
    "conditions": (("type",),),
    "addresses": (("type",),),
    "podIPs": (("ip",),),
    "ownerReferences": (("uid",),),
}
_ATOMIC_ITEMS = {"ownerReferences"}


def record(new: Json, old: Json, *, manager: str, subresource: str, stamp: str) -> None:
    """Write into `new` that `manager` set what differs from `old`, and take those fields from everybody else; what is
    there no more is nobody's."""
    changed, gone = _changes(_owned(new), _owned(old)), _gone(_owned(new), _owned(old))
    entries = [
        {**entry, "fieldsV1": _without(_without(entry["fieldsV1"], changed), gone)}
        for entry in old.get("metadata", {}).get("managedFields") or []
    ]
    own = next((entry for entry in entries if _same(entry, manager, subresource)), None)
    if subresource == "scale" and not new["spec"].get("replicas"):
        changed = {}  # a zero is not there in a Scale, and so is nobody's
    if changed:
        if own is None:
            own = {"manager": manager, "operation": "Update", "apiVersion": new["apiVersion"]}
            own |= {"fieldsType": "FieldsV1", "fieldsV1": {}}
            if subresource:
                own["subresource"] = subresource
            entries.append(own)
        if subresource != "scale":  # the API server notes no time of it
            own["time"] = stamp
        own["fieldsV1"] = _union(own["fieldsV1"], changed)
    kept = sorted((entry for entry in entries if entry["fieldsV1"]), key=lambda entry: str(entry.get("time", "")))
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
    """What differs, as a tree of fields; "." stands for an object or a list itself, where it was not there before."""
    fields: Json = {}
    for key, value in new.items():
        before = old.get(key)
        if value == before and key in old:
            continue
        inner: Json = {}
        if key not in _ATOMIC and isinstance(value, dict) and value:
            inner = _changes(value, before if isinstance(before, dict) else {})
        elif identity := _identity(key, value):
            inner = _item_changes(
                value, before if isinstance(before, list) else [], identity, whole=key in _ATOMIC_ITEMS
            )
        elif key in _ALWAYS_THERE and not value:
            continue
        if inner and before is None and key not in _ALWAYS_THERE:
            inner = {".": {}, **inner}
        if inner or not (isinstance(value, dict) and value and key in _ALWAYS_THERE):
            fields[f"f:{key}"] = inner
    return fields


def _gone(new: Json, old: Json) -> Json:
    """What of `old` is not there any more, as a tree of fields. Items of lists are left to whoever changes the list."""
    fields: Json = {}
    for key, before in old.items():
        if key not in new:
            fields[f"f:{key}"] = {}
        elif key not in _ATOMIC and isinstance(before, dict) and isinstance(new[key], dict):
            inner = _gone(new[key], before)
            if inner:
                fields[f"f:{key}"] = inner
    return fields


def _identity(key: str, value: Any) -> tuple[str, ...]:
    """The fields that tell the items of this list apart; none for what is no such list."""
    if key in _ATOMIC or not isinstance(value, list) or not value:
        return ()
    groups = _ITEM_KEYS.get(key, ())
    return next(
        (group for group in groups if all(isinstance(item, dict) and item.keys() >= set(group) for item in value)), ()
    )


def _item_changes(new: list[Json], old: list[Any], identity: tuple[str, ...], *, whole: bool) -> Json:
    def name(item: Json) -> str:
        return "k:" + json.dumps({key: item.get(key) for key in identity}, separators=(",", ":"))

    before = {name(item): item for item in old if isinstance(item, dict)}
    fields: Json = {}
    for item in new:
        if item == before.get(name(item)):
            continue
        if whole:
            fields[name(item)] = {}
        else:
            there: Json = {} if name(item) in before else {".": {}}
            fields[name(item)] = {**there, **_changes(item, before.get(name(item), {}))}
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
