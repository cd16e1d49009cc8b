"""Whether a body has the shape of its kind, which the API server finds out when it decodes it, before anything else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from chatops_bot.adapters.sandbox.errors import undecodable, unpatchable
from chatops_bot.adapters.sandbox.objects import Json, go_kind
from chatops_bot.adapters.sandbox.resources import Resource

_NUMBERS = {
    "replicas",
    "minReplicas",
    "maxReplicas",
    "minReadySeconds",
    "revisionHistoryLimit",
    "progressDeadlineSeconds",
    "terminationGracePeriodSeconds",
}
_FLAGS = {"paused", "unschedulable", "suspend"}
_TEXT_MAPS = {"labels", "annotations", "matchLabels", "nodeSelector"}
_WITH_DATA = {"ConfigMap", "Secret"}
_OBJECTS = {"metadata", "spec", "template", "strategy", "updateStrategy", "scaleTargetRef"}
_LISTS = {"containers", "initContainers", "volumes", "tolerations", "finalizers", "env"}
_UNSEEN = {"status", "managedFields", "data"}
_INT32 = range(-(2**31), 2**31)


def check_object(resource: Resource, body: Json) -> None:
    """Raises the 400 of an object to be created or replaced that cannot be decoded."""
    if not resource.custom and (why := next(_complaints(resource.kind, body), "")):
        raise undecodable(resource, why)


def check_patched(resource: Resource, body: Json) -> None:
    """Raises the 422 of a patch that leaves an object which cannot be decoded."""
    if not resource.custom and (why := next(_complaints(resource.kind, body), "")):
        raise unpatchable(f'"{name}": {why}' if (name := body["metadata"].get("name")) else why)


def _complaints(place: str, value: Json) -> Iterator[str]:
    for key, item in value.items():
        wanted = _wanted(place, key, item)
        if item is not None and wanted:
            found = f"number {item}" if wanted == "int32" and isinstance(item, int) else go_kind(item)
            yield f"json: cannot unmarshal {found} into Go struct field {place}.{key} of type {wanted}"
        for inner in item if isinstance(item, list) else [item]:
            if isinstance(inner, dict) and key not in _UNSEEN | _TEXT_MAPS:
                yield from _complaints(f"{place}.{key}", inner)


def _wanted(place: str, key: str, item: Any) -> str:
    """The type that the value should have had; "" when it is right, or when nothing is known of this field."""
    right, kind = True, ""
    if key in _NUMBERS:
        right, kind = isinstance(item, int) and not isinstance(item, bool) and item in _INT32, "int32"
    elif key in _FLAGS:
        right, kind = isinstance(item, bool), "bool"
    elif key in _TEXT_MAPS or (key == "data" and place in _WITH_DATA):
        right = isinstance(item, dict) and all(isinstance(text, str | None) for text in item.values())
        kind = "map[string]string"
    elif key in _OBJECTS:
        right, kind = isinstance(item, dict), f"v1.{place.rpartition('.')[2]}{key[:1].upper()}{key[1:]}"
    elif key in _LISTS:
        right, kind = isinstance(item, list), f"[]v1.{key[:1].upper()}{key[1:]}"
    return "" if right else kind
