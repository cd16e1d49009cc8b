"""What clients ask before they ask: versions, groups, resources, health."""

from __future__ import annotations

import json

from chatops_bot.adapters.sandbox.http import HttpRequest, Reply
from chatops_bot.adapters.sandbox.objects import Json
from chatops_bot.adapters.sandbox.resources import REVIEW_GROUPS, Catalog, Resource

_VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"]
_VERSION = {
    "major": "1",
    "minor": "36",
    "gitVersion": "v1.36.3+sandbox",
    "gitCommit": "",
    "gitTreeState": "clean",
    "buildDate": "2026-01-01T00:00:00Z",
    "goVersion": "",
    "compiler": "",
    "platform": "linux/amd64",
}


def discover(request: HttpRequest, catalog: Catalog) -> Reply | None:
    """The answer to a discovery request, or None for any other."""
    if request.method != "GET":
        return None
    path = request.path.rstrip("/")
    if path in {"/healthz", "/livez", "/readyz"}:
        return Reply(200, b"ok", "text/plain")
    if path.startswith("/openapi"):
        return Reply(404, b"404 page not found\n", "text/plain")
    document = _document(path, catalog)
    return None if document is None else Reply(200, json.dumps(document).encode())


def _document(path: str, catalog: Catalog) -> Json | None:
    groups = catalog.groups()
    match path.split("/")[1:]:
        case []:
            return {"paths": ["/api", "/api/v1", "/apis", "/healthz", "/livez", "/readyz", "/version"]}
        case ["version"]:
            return _VERSION
        case ["api"]:
            return {"kind": "APIVersions", "versions": ["v1"], "serverAddressByClientCIDRs": []}
        case ["apis"]:
            listed = [_group(name, versions) for name, versions in groups.items() if name]
            return {"kind": "APIGroupList", "apiVersion": "v1", "groups": listed}
        case ["apis", group] if group in groups and group:
            return {"kind": "APIGroup", "apiVersion": "v1", **_group(group, groups[group])}
        case ["api", "v1"]:
            return _resources("", "v1", catalog)
        case ["apis", group, version] if version in groups.get(group, []):
            return _resources(group, version, catalog)
    return None


def _group(name: str, versions: list[str]) -> Json:
    listed = [{"groupVersion": f"{name}/{version}", "version": version} for version in versions]
    return {"name": name, "versions": listed, "preferredVersion": listed[0]}


def _resources(group: str, version: str, catalog: Catalog) -> Json:
    rows: list[Json] = []
    for resource in catalog:
        if (resource.group, resource.version) == (group, version):
            rows += _rows(resource)
    for plural, kind in REVIEW_GROUPS.get(group, ()):
        rows.append(
            {"name": plural, "singularName": kind.lower(), "namespaced": False, "kind": kind, "verbs": ["create"]}
        )
    name = f"{group}/{version}" if group else version
    return {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": name, "resources": rows}


def _rows(resource: Resource) -> list[Json]:
    row: Json = {
        "name": resource.plural,
        "singularName": resource.singular,
        "namespaced": resource.namespaced,
        "kind": resource.kind,
        "verbs": _VERBS,
    }
    if resource.short_names:
        row["shortNames"] = list(resource.short_names)
    if resource.in_category_all:
        row["categories"] = ["all"]
    return [row, *(_subresource(resource, name) for name in resource.subresources)]


def _subresource(resource: Resource, name: str) -> Json:
    row: Json = {"name": f"{resource.plural}/{name}", "singularName": "", "namespaced": resource.namespaced}
    if name == "scale":
        return row | {"group": "autoscaling", "version": "v1", "kind": "Scale", "verbs": ["get", "patch", "update"]}
    if name == "eviction":
        return row | {"group": "policy", "version": "v1", "kind": "Eviction", "verbs": ["create"]}
    verbs = ["get"] if name == "log" else ["get", "patch", "update"]
    return row | {"kind": resource.kind, "verbs": verbs}
