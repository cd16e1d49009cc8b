"""get, list, create, update, patch and delete."""

from __future__ import annotations

import base64
import json

from chatops_bot.adapters.sandbox.api.context import Call, json_reply
from chatops_bot.adapters.sandbox.api.tables import as_table, wants_table
from chatops_bot.adapters.sandbox.errors import ApiError, bad_request, details_of, expired, success
from chatops_bot.adapters.sandbox.http import Reply
from chatops_bot.adapters.sandbox.objects import Json, labels_of, name_of, namespace_of, uid_of
from chatops_bot.adapters.sandbox.patching import apply_patch
from chatops_bot.adapters.sandbox.registry import DeleteOptions
from chatops_bot.adapters.sandbox.selectors import field_matcher, label_matcher


def get(call: Call) -> Reply:
    obj = call.stored()
    if wants_table(call.request):
        return json_reply(as_table(call.route.resource, [obj], call.backend.registry))
    return json_reply(obj)


def select(call: Call) -> list[Json]:
    """The objects of the collection that the request's selectors leave."""
    labelled = label_matcher(call.request.parameter("labelSelector"))
    holds = field_matcher(call.route.resource, call.request.parameter("fieldSelector"))
    namespace = call.route.namespace if call.route.resource.namespaced else ""
    found = call.backend.registry.store.all(call.route.resource, namespace)
    return [obj for obj in found if labelled(labels_of(obj)) and holds(obj)]


def list_all(call: Call) -> Reply:
    resource, store = call.route.resource, call.backend.registry.store
    rows = select(call)
    metadata: Json = {"resourceVersion": str(store.version)}
    limit = _number(call, "limit")
    token = call.request.parameter("continue")
    if token:
        rows, metadata["resourceVersion"] = _after(rows, token, store.compacted)
    if limit and len(rows) > limit:
        metadata["continue"] = _token(metadata["resourceVersion"], rows[limit - 1])
        metadata["remainingItemCount"] = len(rows) - limit
        rows = rows[:limit]
    if wants_table(call.request):
        return json_reply(as_table(resource, rows, call.backend.registry, metadata))
    body = {"kind": f"{resource.kind}List", "apiVersion": resource.api_version, "metadata": metadata, "items": rows}
    return json_reply(body)


def _number(call: Call, name: str) -> int:
    text = call.request.parameter(name) or "0"
    if not text.isdigit():
        raise bad_request(f'{name}: invalid value "{text}": must be an integer greater than or equal to 0')
    return int(text)


def _token(version: str, last: Json) -> str:
    place = {"v": "meta.k8s.io/v1", "rv": version, "start": [namespace_of(last), name_of(last)]}
    return base64.urlsafe_b64encode(json.dumps(place).encode()).decode()


def _after(rows: list[Json], token: str, compacted: int) -> tuple[list[Json], str]:
    try:
        place = json.loads(base64.urlsafe_b64decode(token))
        start, version = tuple(place["start"]), int(place["rv"])
    except (ValueError, KeyError, TypeError) as problem:
        raise bad_request("continue key is not valid: illegal base64 data") from problem
    if version < compacted:
        text = (
            "The provided continue parameter is too old to display a consistent list result. You can start a new list "
        )
        raise expired(text + "without the continue parameter.")
    return [row for row in rows if (namespace_of(row), name_of(row)) > start], str(version)


def create(call: Call) -> Reply:
    obj, route = call.body_object, call.route
    _check_kind(call, obj)
    metadata = dict(obj.get("metadata") or {})
    if route.resource.namespaced:
        namespace = metadata.setdefault("namespace", route.namespace)
        if namespace != route.namespace or not namespace:
            raise bad_request("the namespace of the provided object does not match the namespace sent on the request")
    made = call.backend.registry.create(
        route.resource, {**obj, "metadata": metadata}, manager=call.manager, dry_run=call.dry_run
    )
    return json_reply(made, 201)


def update(call: Call) -> Reply:
    obj, route = call.body_object, call.route
    _check_kind(call, obj)
    metadata = dict(obj.get("metadata") or {})
    if metadata.setdefault("name", route.name) != route.name:
        text = f"the name of the object ({metadata['name']}) does not match the name on the URL ({route.name})"
        raise bad_request(text)
    if route.resource.namespaced:
        metadata.setdefault("namespace", route.namespace)
    return _write(call, {**obj, "metadata": metadata})


def patch(call: Call) -> Reply:
    old = call.stored()
    new = apply_patch(old, call.body, call.request.header("content-type"), custom=call.route.resource.custom)
    if name_of(new) != name_of(old) or namespace_of(new) != namespace_of(old):
        raise bad_request("the name of the object does not match the name on the URL")
    return _write(call, new)


def _write(call: Call, obj: Json) -> Reply:
    written = call.backend.registry.update(
        call.route.resource, obj, manager=call.manager, subresource=call.route.subresource, dry_run=call.dry_run
    )
    return json_reply(written)


def _check_kind(call: Call, obj: Json) -> None:
    resource = call.route.resource
    for field, expected in (("apiVersion", resource.api_version), ("kind", resource.kind)):
        if obj.get(field, expected) != expected:
            text = f"{obj.get('kind')} in version {obj.get('apiVersion')!r} cannot be handled as a {resource.kind}"
            raise bad_request(text)


def delete_options(call: Call) -> DeleteOptions:
    """From the body, or, as older clients send them, from the query."""
    return options_from(call.body if isinstance(call.body, dict) else {}, call)


def options_from(body: Json, call: Call) -> DeleteOptions:
    """Raises 422 for a negative grace period or an unknown propagation policy."""
    preconditions = body.get("preconditions") or {}
    grace = body.get("gracePeriodSeconds")
    if grace is None and call.request.parameter("gracePeriodSeconds"):
        grace = _number(call, "gracePeriodSeconds")
    if grace is not None and (not isinstance(grace, int) or grace < 0):
        raise ApiError(422, f'DeleteOptions.meta.k8s.io "" is invalid: gracePeriodSeconds: Invalid value: {grace}')
    propagation = body.get("propagationPolicy") or call.request.parameter("propagationPolicy") or "Background"
    if propagation not in {"Background", "Foreground", "Orphan"}:
        raise ApiError(
            422, f'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "{propagation}"'
        )
    return DeleteOptions(preconditions.get("uid") or "", preconditions.get("resourceVersion") or "", grace, propagation)


def delete(call: Call) -> Reply:
    """A pod answers with itself while it terminates, as the real server does; what is gone answers with a Status."""
    obj = call.stored()
    remaining = call.backend.registry.delete(call.route.resource, obj, delete_options(call), dry_run=call.dry_run)
    if remaining is not None:
        return json_reply(remaining)
    if call.route.resource.kind == "Pod":
        return json_reply(obj)
    return json_reply(success(details={**details_of(call.route.resource, name_of(obj)), "uid": uid_of(obj)}))


def delete_collection(call: Call) -> Reply:
    rows = select(call)
    options = delete_options(call)
    for obj in rows:
        call.backend.registry.delete(call.route.resource, obj, options, dry_run=call.dry_run)
    resource = call.route.resource
    body = {
        "kind": f"{resource.kind}List",
        "apiVersion": resource.api_version,
        "metadata": {"resourceVersion": str(call.backend.registry.store.version)},
        "items": rows,
    }
    return json_reply(body)
