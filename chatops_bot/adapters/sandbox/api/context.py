"""What every request handler is given."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from chatops_bot.adapters.sandbox.access import AccessPolicy, User
from chatops_bot.adapters.sandbox.api.routing import Route
from chatops_bot.adapters.sandbox.errors import bad_request, invalid_option
from chatops_bot.adapters.sandbox.http import HttpRequest, Reply
from chatops_bot.adapters.sandbox.objects import Json
from chatops_bot.adapters.sandbox.podlogs import PodLogs
from chatops_bot.adapters.sandbox.registry import Registry
from chatops_bot.adapters.sandbox.resources import Catalog

_LONGEST_MANAGER = 128


@dataclass(slots=True)
class Backend:
    """What the handlers share."""

    registry: Registry
    catalog: Catalog
    logs: PodLogs
    access: AccessPolicy


@dataclass(frozen=True, slots=True)
class Call:
    """One authorized request. `body` is the parsed JSON, None when there is none."""

    backend: Backend
    route: Route
    request: HttpRequest
    user: User
    body: Any

    @property
    def dry_run(self) -> bool:
        values = self.request.query.get("dryRun", []) + list(self._options.get("dryRun") or [])
        if any(value not in {"", "All"} for value in values):
            text = f'Unsupported value: {json.dumps(values)}: supported values: "All"'
            raise invalid_option(self._options_kind, "dryRun", "FieldValueNotSupported", text)
        return "All" in values

    @property
    def _options_kind(self) -> str:
        verb = "delete" if self.route.verb.startswith("delete") else self.route.verb
        return f"{verb.capitalize()}Options"

    @property
    def _options(self) -> Json:
        """The DeleteOptions that the body is, or, of an eviction, has in it."""
        body = self.body if isinstance(self.body, dict) else {}
        if self.route.subresource == "eviction":
            return body.get("deleteOptions") or {}
        return body if self.route.verb.startswith("delete") else {}

    @property
    def manager(self) -> str:
        """Who is noted as the setter of what this request writes: `fieldManager`, else the client's program."""
        if len(self.request.parameter("fieldManager").encode()) > _LONGEST_MANAGER:
            text = f"Too long: may not be more than {_LONGEST_MANAGER} bytes"
            raise invalid_option(self._options_kind, "fieldManager", "FieldValueTooLong", text)
        return self.request.parameter("fieldManager") or self.request.header("user-agent").split("/")[0] or "unknown"

    def number(self, name: str) -> int | None:
        """A parameter of the query; None when it is not given. Raises 400 when it is no number."""
        text = self.request.parameter(name)
        try:
            return int(text) if text else None
        except ValueError as problem:
            raise bad_request(f'strconv.ParseInt: parsing "{text}": invalid syntax') from problem

    @property
    def body_object(self) -> Json:
        if not isinstance(self.body, dict):
            raise bad_request("the body of the request is not an object")
        return self.body

    def stored(self) -> Json:
        """The object that the path names. Raises 404."""
        namespace = self.route.namespace if self.route.resource.namespaced else ""
        return self.backend.registry.get(self.route.resource, namespace, self.route.name)


def json_reply(value: Json, status: int = 200) -> Reply:
    return Reply(status, json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode())
