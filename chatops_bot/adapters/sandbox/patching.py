"""The three kinds of patch: JSON Patch (RFC 6902), JSON Merge Patch (RFC 7386) and Kubernetes' strategic merge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chatops_bot.adapters.sandbox.errors import ApiError, bad_request, unprocessable, unsupported_media_type
from chatops_bot.adapters.sandbox.objects import Json, clone, go_kind

JSON_PATCH = "application/json-patch+json"
MERGE_PATCH = "application/merge-patch+json"
STRATEGIC = "application/strategic-merge-patch+json"

# Lists of objects that a strategic merge joins by a key, by the name of the field that holds them; the first key that
# the patch's items carry counts (`ports` is keyed differently in containers and in Services). All other lists are
# replaced whole, tolerations and taints among them, as the API's types declare.
_MERGE_KEYS: dict[str, tuple[str, ...]] = {
    "containers": ("name",),
    "initContainers": ("name",),
    "ephemeralContainers": ("name",),
    "env": ("name",),
    "ports": ("containerPort", "port"),
    "volumes": ("name",),
    "volumeMounts": ("mountPath",),
    "volumeDevices": ("devicePath",),
    "imagePullSecrets": ("name",),
    "secrets": ("name",),
    "hostAliases": ("ip",),
    "topologySpreadConstraints": ("topologyKey",),
    "resourceClaims": ("name",),
    "conditions": ("type",),
    "addresses": ("type",),
    "ownerReferences": ("uid",),
}
_MERGED_PRIMITIVES = {"finalizers"}
_ORDER = "$setElementOrder/"


def apply_patch(obj: Json, patch: Any, content_type: str, *, custom: bool = False) -> Json:
    """A patched copy of `obj`. Custom kinds know no strategic merge.

    Raises ApiError: 400 for a malformed patch, 415 for an unknown content type, 422 for a JSON Patch that does not
    apply or whose `test` fails.
    """
    kind = content_type.partition(";")[0].strip()
    if kind not in {JSON_PATCH, MERGE_PATCH, STRATEGIC}:
        raise ApiError(415, "415: Unsupported Media Type", details={})
    if custom and kind == STRATEGIC:
        raise unsupported_media_type([JSON_PATCH, MERGE_PATCH, "application/apply-patch+yaml"])
    if kind == JSON_PATCH:
        return json_patch(obj, patch)
    if not isinstance(patch, dict):
        words = f"json: cannot unmarshal {go_kind(patch)} into Go value of type map[string]interface {{}}"
        raise bad_request(f"error decoding patch: {words}" if kind == MERGE_PATCH else words)
    merged = merge_patch(obj, patch) if kind == MERGE_PATCH else strategic_merge(obj, patch)
    return dict(merged)


def merge_patch(target: Any, patch: Any) -> Any:
    if not isinstance(patch, dict):
        return clone(patch)
    merged: Json = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge_patch(merged.get(key), value)
    return merged


def strategic_merge(target: Any, patch: Json) -> Json:
    directive = patch.get("$patch")
    if directive == "delete":
        return {}
    if directive == "replace":
        return clone({key: value for key, value in patch.items() if not key.startswith("$")})
    merged: Json = dict(target) if isinstance(target, dict) else {}
    if "$retainKeys" in patch:
        merged = {key: value for key, value in merged.items() if key in patch["$retainKeys"]}
    for key, value in patch.items():
        if key.startswith("$"):
            _merge_directive(merged, key, value)
        elif value is None:
            merged.pop(key, None)
        else:
            merged[key] = _merge_value(key, merged.get(key), value, patch.get(f"{_ORDER}{key}"))
    return merged


def _merge_directive(merged: Json, key: str, value: Any) -> None:
    directive, _, field = key.partition("/")
    if key.startswith(_ORDER) and isinstance(merged.get(field), list):
        merged[field] = _merge_value(field, merged[field], [], value)
    elif directive == "$deleteFromPrimitiveList" and field in merged:
        merged[field] = [item for item in merged[field] if item not in value]


def _merge_value(field: str, old: Any, new: Any, order: Any) -> Any:
    if isinstance(new, dict):
        return strategic_merge(old, new)
    if not isinstance(new, list):
        return new
    before = list(old) if isinstance(old, list) else []
    if field in _MERGED_PRIMITIVES:
        merged = before + [item for item in new if item not in before]
        return _ordered(merged, before, order or new, lambda item: item)
    key = _merge_key(field, new or order or before)
    if key is None:
        return _without_directives(new)
    merged = _merge_list(list(before), new, key)
    return _ordered(merged, before, order or new, lambda item: item.get(key))


def _ordered(merged: list[Any], before: list[Any], order: list[Any], key_of: Callable[[Any], Any]) -> list[Any]:
    """`merged` as the API server sorts it: what `order` names in its order, the rest as it was, and each of the rest
    before what followed it. What is new therefore comes first, where the patch gives no order of its own."""
    wanted = [key_of(item) for item in order]
    places = {key_of(item): place for place, item in enumerate(before)}
    named = sorted((item for item in merged if key_of(item) in wanted), key=lambda item: wanted.index(key_of(item)))
    others = [item for item in merged if key_of(item) not in wanted]
    result: list[Any] = []
    while named and others:
        place = places.get(key_of(named[0]))
        first = place is not None and places.get(key_of(others[0]), place) < place
        result.append((others if first else named).pop(0))
    return result + named + others


def _merge_key(field: str, items: list[Any]) -> str | None:
    for key in _MERGE_KEYS.get(field, ()):
        if items and all(isinstance(item, dict) and (key in item or item.get("$patch")) for item in items):
            return key
    return None


def _without_directives(items: list[Any]) -> list[Any]:
    return clone([item for item in items if not (isinstance(item, dict) and "$patch" in item)])


def _merge_list(merged: list[Json], patch: list[Json], key: str) -> list[Json]:
    if any(item.get("$patch") == "replace" and key not in item for item in patch):
        return _without_directives(patch)
    for item in patch:
        at = next((index for index, old in enumerate(merged) if old.get(key) == item.get(key)), None)
        if item.get("$patch") == "delete":
            if at is not None:
                del merged[at]
        elif at is None:
            merged.append(strategic_merge({}, item))
        else:
            merged[at] = strategic_merge(merged[at], item)
    return merged


def json_patch(obj: Json, patch: Any) -> Json:
    wrong = patch if not isinstance(patch, list) else next((step for step in patch if not isinstance(step, dict)), None)
    if wrong is not None:
        into = "handlers.jsonPatchOp" if isinstance(patch, list) else "[]handlers.jsonPatchOp"
        raise bad_request(f"error decoding patch: json: cannot unmarshal {go_kind(wrong)} into Go value of type {into}")
    document: Any = clone(obj)
    for step in patch:
        try:
            document = _step(document, step)
        except (KeyError, IndexError, ValueError, TypeError) as problem:
            raise unprocessable() from problem
    if not isinstance(document, dict):
        raise unprocessable()
    return document


def _step(document: Any, step: Json) -> Any:
    path = _pointer(step["path"])
    match step["op"]:
        case "test":
            if _present(document, path) != step.get("value"):
                raise unprocessable()
            return document
        case "add":
            return _add(document, path, clone(step["value"]))
        case "replace":
            # The library of the API server replaces what is not there as well, and a list's item only if it is there.
            if isinstance(parent := _read(document, path[:-1]), list):
                parent[int(path[-1])]
            return _set(document, path, clone(step["value"]))
        case "remove":
            return _remove(document, path)
        case "copy":
            return _add(document, path, clone(_read(document, _pointer(step["from"]))))
        case "move":
            moved = _read(document, _pointer(step["from"]))
            return _add(_remove(document, _pointer(step["from"])), path, moved)
    raise unprocessable()


def _pointer(text: str) -> list[str]:
    if text and not text.startswith("/"):
        raise ValueError(text)
    return [part.replace("~1", "/").replace("~0", "~") for part in text.split("/")[1:]]


def _read(document: Any, path: list[str]) -> Any:
    for part in path:
        document = document[int(part)] if isinstance(document, list) else document[part]
    return document


def _present(document: Any, path: list[str]) -> Any:
    """As `_read`, but None for a missing last part: a test for null holds of what is not there."""
    if not path:
        return document
    parent = _read(document, path[:-1])
    return parent.get(path[-1]) if isinstance(parent, dict) else _read(parent, path[-1:])


def _add(document: Any, path: list[str], value: Any) -> Any:
    if not path:
        return value
    parent, last = _read(document, path[:-1]), path[-1]
    if isinstance(parent, list):
        at = len(parent) if last == "-" else int(last)
        if not 0 <= at <= len(parent):
            raise IndexError(last)
        parent.insert(at, value)
    else:
        parent[last] = value
    return document


def _set(document: Any, path: list[str], value: Any) -> Any:
    if not path:
        return value
    parent, last = _read(document, path[:-1]), path[-1]
    parent[int(last) if isinstance(parent, list) else last] = value
    return document


def _remove(document: Any, path: list[str]) -> Any:
    parent, last = _read(document, path[:-1]), path[-1]
    del parent[int(last) if isinstance(parent, list) else last]
    return document
