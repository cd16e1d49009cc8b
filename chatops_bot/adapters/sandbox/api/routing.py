"""From a path to what it means: resource, namespace, name, subresource and verb."""

from __future__ import annotations

from dataclasses import dataclass

from chatops_bot.adapters.sandbox.errors import ApiError, method_not_allowed, no_such_group, no_such_path
from chatops_bot.adapters.sandbox.http import HttpRequest
from chatops_bot.adapters.sandbox.resources import NAMESPACES, REVIEW_GROUPS, Catalog, Resource

_ON_OBJECT = {"GET": "get", "PUT": "update", "PATCH": "patch", "DELETE": "delete", "POST": "create"}
_ON_COLLECTION = {"GET": "list", "POST": "create", "DELETE": "deletecollection"}


@dataclass(frozen=True, slots=True)
class Route:
    """`name` and `subresource` are "" for a collection; `namespace` is "" for all namespaces and cluster scope.

    `missing` is what to answer where there is no such resource: to those alone who might have used it.
    """

    resource: Resource
    verb: str
    namespace: str = ""
    name: str = ""
    subresource: str = ""
    missing: ApiError | None = None

    @property
    def full_resource(self) -> str:
        return f"{self.resource.plural}/{self.subresource}" if self.subresource else self.resource.plural


def route(request: HttpRequest, catalog: Catalog) -> Route:
    """Raises 404 for a path, and 405 for a method, that the API does not have."""
    group, version, rest = _group_version(request.path)
    if group in REVIEW_GROUPS:
        return _review(request, group, rest)
    namespace = ""
    # /namespaces/NAME/PLURAL… is inside a namespace; /namespaces/NAME and its status are the Namespace itself.
    if rest[:1] == ["namespaces"] and len(rest) > 2 and rest[2] not in {"status", "finalize"}:
        namespace, rest = rest[1], rest[2:]
    resource = catalog.find(group, version, rest[0]) if rest else None
    if resource is None and rest:
        return _unknown(request, catalog, Resource(group, version, rest[0], ""), namespace, rest[1:])
    if resource is None or len(rest) > 3 or (namespace and not resource.namespaced):
        raise no_such_path()
    name = rest[1] if len(rest) > 1 else ""
    subresource = rest[2] if len(rest) > 2 else ""
    if subresource and subresource not in resource.subresources:
        raise no_such_path()
    if name and resource.namespaced and not namespace:
        raise no_such_path()
    if resource == NAMESPACES:
        namespace = name
    return Route(resource, _verb(request, name, subresource), namespace, name, subresource)


def _unknown(request: HttpRequest, catalog: Catalog, resource: Resource, namespace: str, rest: list[str]) -> Route:
    verbs = _ON_OBJECT if rest else _ON_COLLECTION
    missing = no_such_path() if catalog.serves(resource.group) else no_such_group()
    verb = verbs.get(request.method, request.method.lower())
    return Route(resource, verb, namespace, "".join(rest[:1]), "".join(rest[1:2]), missing)


def _group_version(path: str) -> tuple[str, str, list[str]]:
    parts = [part for part in path.split("/") if part]
    if parts[:1] == ["api"] and len(parts) > 1:
        return "", parts[1], parts[2:]
    if parts[:1] == ["apis"] and len(parts) > 2:
        return parts[1], parts[2], parts[3:]
    raise no_such_group()


def _verb(request: HttpRequest, name: str, subresource: str) -> str:
    verb = (_ON_OBJECT if name else _ON_COLLECTION).get(request.method)
    if verb is None or (verb == "create" and name and subresource != "eviction"):
        raise method_not_allowed()
    if subresource == "eviction" and verb != "create":
        raise method_not_allowed()
    if subresource and verb == "delete":
        raise method_not_allowed()
    if subresource == "log" and verb != "get":
        raise method_not_allowed()
    if verb == "list" and request.parameter("watch") in {"true", "1"}:
        return "watch"
    return verb


def _review(request: HttpRequest, group: str, rest: list[str]) -> Route:
    for plural, kind in REVIEW_GROUPS[group]:
        if rest == [plural]:
            if request.method != "POST":
                raise method_not_allowed()
            return Route(Resource(group, "v1", plural, kind, namespaced=False), "create")
    raise no_such_path()
