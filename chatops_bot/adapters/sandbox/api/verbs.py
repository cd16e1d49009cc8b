"""get, list, create, update, patch and delete."""

from __future__ import annotations

import base64
import json

from chatops_bot.adapters.sandbox.api.context import Call, json_reply
from chatops_bot.adapters.sandbox.api.tables import as_table, wants_table
from chatops_bot.adapters.sandbox.errors import ApiError, bad_request, details_of, expired, invalid_option, success
from chatops_bot.adapters.sandbox.http import Reply
from chatops_bot.adapters.sandbox.label_text import label_matcher
from chatops_bot.adapters.sandbox.objects import Json, labels_of, name_of, namespace_of, uid_of
from chatops_bot.adapters.sandbox.patching import apply_patch
from chatops_bot.adapters.sandbox.registry import DeleteOptions
from chatops_bot.adapters.sandbox.resources import Resource
from chatops_bot.adapters.sandbox.selectors import field_matcher
from chatops_bot.adapters.sandbox.shape import check_object, check_patched


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
    version = store.version
    limit, token = call.number("limit") or 0, call.request.parameter("continue")
    if token:
        if call.request.parameter("resourceVersion"):
            raise bad_request("specifying resource version is not allowed when using continue")
        rows, version = _after(call, rows, token)
    metadata: Json = {"resourceVersion": str(version)}
    # A list of any version comes from the server's cache, which knows no pages.
    if limit > 0 and len(rows) > limit and call.request.parameter("resourceVersion") != "0":
        last = rows[limit - 1]
        metadata["continue"] = _token(version, [namespace_of(last), name_of(last)])
        if not (call.request.parameter("labelSelector") or call.request.parameter("fieldSelector")):
            metadata["remainingItemCount"] = len(rows) - limit
        rows = rows[:limit]
    if wants_table(call.request):
        return json_reply(as_table(resource, rows, call.backend.registry, metadata))
    return json_reply(_list(resource, metadata, rows))


def _list(resource: Resource, metadata: Json, rows: list[Json]) -> Json:
    """Items of built-in kinds do not say what they are: only the list does."""
    if not resource.custom:
        rows = [{key: value for key, value in row.items() if key not in {"apiVersion", "kind"}} for row in rows]
    return {"kind": f"{resource.kind}List", "apiVersion": resource.api_version, "metadata": metadata, "items": rows}


def _token(version: int, after: list[str]) -> str:
    """Where the next page begins. Version -1 stands for whatever there is then."""
    place = {"v": "meta.k8s.io/v1", "rv": version, "start": after}
    return base64.urlsafe_b64encode(json.dumps(place).encode()).decode().rstrip("=")


def _after(call: Call, rows: list[Json], token: str) -> tuple[list[Json], int]:
    """The rows from a token on, and the version that they are told to be of."""
    store = call.backend.registry.store
    try:
        place = json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
        start, version = place["start"], int(place["rv"])
    except (ValueError, KeyError, TypeError) as problem:
        raise bad_request(f"invalid continue token: continue key is not valid: {problem}") from problem
    if 0 <= version < store.compacted:
        refusal = expired(_TOO_OLD)
        refusal.status["metadata"] = {"continue": _token(-1, start)}
        raise refusal
    return [
        row for row in rows if [namespace_of(row), name_of(row)] > start
    ], version if version >= 0 else store.version


_TOO_OLD = (
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without "
    "the continue parameter, or use the continue token in this response to retrieve the remainder of the results. "
    "Continuing with the provided token results in an inconsistent list - objects that were created, modified, or "
    "deleted between the time the first chunk was returned and now may show up in the list."
)


def create(call: Call) -> Reply:
    obj, route = call.body_object, call.route
    _check_kind(call, obj)
    check_object(route.resource, obj)
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
    check_object(route.resource, obj)
    metadata = dict(obj.get("metadata") or {})
    if metadata.setdefault("name", route.name) != route.name:
        raise _misnamed(metadata["name"], route.name)
    if route.resource.namespaced:
        metadata.setdefault("namespace", route.namespace)
    return _write(call, {**obj, "metadata": metadata})


def patch(call: Call) -> Reply:
    old = call.stored()
    new = apply_patch(old, call.body, call.request.header("content-type"), custom=call.route.resource.custom)
    check_patched(call.route.resource, new)
    if name_of(new) != name_of(old):
        raise _misnamed(name_of(new), name_of(old))
    if namespace_of(new) != namespace_of(old):
        raise bad_request("the namespace of the provided object does not match the namespace sent on the request")
    return _write(call, new)


def _misnamed(name: str, expected: str) -> ApiError:
    return bad_request(f"the name of the object ({name}) does not match the name on the URL ({expected})")


def _write(call: Call, obj: Json) -> Reply:
    written = call.backend.registry.update(
        call.route.resource,
        obj,
        manager=call.manager,
        subresource=call.route.subresource,
        dry_run=call.dry_run,
        patched=call.route.verb == "patch",
    )
    return json_reply(written)


def _check_kind(call: Call, obj: Json) -> None:
    resource = call.route.resource
    if resource.custom and not obj.get("kind"):
        raise bad_request(
            f"the object provided is unrecognized (must be of type {resource.kind}): Object 'Kind' is missing"
        )
    for field, expected in (("apiVersion", resource.api_version), ("kind", resource.kind)):
        if obj.get(field, expected) != expected:
            words = f'no kind "{obj.get("kind")}" is registered for version "{obj.get("apiVersion")}"'
            named = f'{obj.get("kind")} in version "{resource.version}"'
            raise bad_request(f"{named} cannot be handled as a {resource.kind}: {words}")


def delete_options(call: Call) -> DeleteOptions:
    """From the body, or, as older clients send them, from the query."""
    return options_from(call.body if isinstance(call.body, dict) else {}, call)


def options_from(body: Json, call: Call) -> DeleteOptions:
    """Raises 422 for an unknown propagation policy. A negative grace period means one second."""
    preconditions = body.get("preconditions") or {}
    grace = body.get("gracePeriodSeconds")
    if grace is None:
        grace = call.number("gracePeriodSeconds")
    if grace is not None and grace < 0:
        grace = 1
    propagation = body.get("propagationPolicy") or call.request.parameter("propagationPolicy") or "Background"
    if propagation not in {"Background", "Foreground", "Orphan"}:
        text = f'"{propagation}": supported values: "Foreground", "Background", "Orphan", "nil"'
        raise invalid_option(
            "DeleteOptions", "propagationPolicy", "FieldValueNotSupported", f"Unsupported value: {text}"
        )
    return DeleteOptions(preconditions.get("uid") or "", preconditions.get("resourceVersion") or "", grace, propagation)


def delete(call: Call) -> Reply:
    """A pod answers with itself while it terminates, as the real server does; what is gone answers with a Status."""
    obj = call.stored()
    remaining = call.backend.registry.delete(call.route.resource, obj, delete_options(call), dry_run=call.dry_run)
    if remaining is not None:
        return json_reply(remaining)
    if call.route.resource.kind == "Pod":
        return json_reply(call.backend.registry.doomed(call.route.resource, obj))
    return json_reply(success(details={**details_of(call.route.resource, name_of(obj)), "uid": uid_of(obj)}))


def delete_collection(call: Call) -> Reply:
    rows = select(call)
    options = delete_options(call)
    for obj in rows:
        call.backend.registry.delete(call.route.resource, obj, options, dry_run=call.dry_run)
    metadata = {"resourceVersion": str(call.backend.registry.store.version)}
    return json_reply(_list(call.route.resource, metadata, rows))
