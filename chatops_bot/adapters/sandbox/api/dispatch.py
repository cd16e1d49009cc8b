"""One request from arrival to answer: identity, permission, the right handler, and its record in the journal."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import yaml

from chatops_bot.adapters.sandbox.access import Access, authenticate, check_impersonation, forbidden, impersonated
from chatops_bot.adapters.sandbox.api import eviction, logs, reviews, scale, verbs, watch
from chatops_bot.adapters.sandbox.api.context import Backend, Call, json_reply
from chatops_bot.adapters.sandbox.api.discovery import discover
from chatops_bot.adapters.sandbox.api.routing import Route, route
from chatops_bot.adapters.sandbox.errors import ApiError, bad_request, unsupported_media_type
from chatops_bot.adapters.sandbox.faults import Faults
from chatops_bot.adapters.sandbox.http import HttpRequest, Reply
from chatops_bot.adapters.sandbox.journal import Journal, RequestRecord
from chatops_bot.adapters.sandbox.resources import REVIEW_GROUPS

Handle = Callable[[Call], Reply]

_VERBS: dict[str, Handle] = {
    "get": verbs.get,
    "list": verbs.list_all,
    "watch": watch.watch,
    "create": verbs.create,
    "update": verbs.update,
    "patch": verbs.patch,
    "delete": verbs.delete,
    "deletecollection": verbs.delete_collection,
}
_SUBRESOURCES: dict[tuple[str, str], Handle] = {
    ("scale", "get"): scale.get,
    ("scale", "update"): scale.update,
    ("scale", "patch"): scale.patch,
    ("eviction", "create"): eviction.evict,
    ("log", "get"): logs.log,
}


class Dispatcher:
    """The handler of the HTTP server."""

    def __init__(self, backend: Backend, journal: Journal, faults: Faults) -> None:
        self._backend = backend
        self._journal = journal
        self._faults = faults

    async def handle(self, request: HttpRequest) -> Reply:
        record = self._record(request)
        self._journal.append(record)
        try:
            await self._faults.before(request)
            reply = self._answer(request, record)
            record.applied = record.is_write and reply.status < 300 and not record.dry_run and not _says_no(reply)
            await self._faults.after(request)
        except ApiError as problem:
            reply = json_reply(problem.status, problem.code)
            if problem.text:
                reply = Reply(problem.code, problem.text.encode(), "text/plain")
            reply.headers.update(problem.headers)
        record.code = reply.status
        return reply

    def _record(self, request: HttpRequest) -> RequestRecord:
        return RequestRecord(
            sequence=0,
            time=self._backend.registry.timeline.now(),
            method=request.method,
            path=request.path,
            query=request.query,
            body=None,
            content_type=request.header("content-type"),
            user_agent=request.header("user-agent"),
            field_manager=request.parameter("fieldManager"),
        )

    def _answer(self, request: HttpRequest, record: RequestRecord) -> Reply:
        record.body = _parse(request)
        user = authenticate(request, self._backend.access.tokens)
        record.user = user.name
        if (target := impersonated(request)) is not None:
            record.acting_as, record.groups = target.name, target.groups
            check_impersonation(user, target, self._backend.access.allows)
            user = target
        if (document := discover(request, self._backend.catalog)) is not None:
            return document
        found = route(request, self._backend.catalog)
        _describe(record, found)
        if found.resource.group not in REVIEW_GROUPS:
            access = Access(user, found.verb, found.resource.group, found.full_resource, found.namespace, found.name)
            if not self._backend.access.allows(access):
                raise forbidden(access, found.resource)
        if found.missing is not None:
            raise found.missing
        call = Call(self._backend, found, request, user, record.body)
        record.dry_run = call.dry_run
        try:
            return _handler(found)(call)
        except (AttributeError, KeyError, TypeError) as problem:
            if not record.is_write:
                raise
            # The real server decodes into types first, and so refuses a body of the wrong shape in one place.
            raise bad_request(f"the object provided is unrecognized: {problem!r}") from problem


def _handler(found: Route) -> Handle:
    if found.resource.group in REVIEW_GROUPS:
        return reviews.review
    return _SUBRESOURCES.get((found.subresource, found.verb)) or _VERBS[found.verb]


def _describe(record: RequestRecord, found: Route) -> None:
    record.verb, record.group, record.resource = found.verb, found.resource.group, found.resource.plural
    record.subresource, record.namespace, record.name = found.subresource, found.namespace, found.name


def _parse(request: HttpRequest) -> Any:
    if not request.body:
        return None
    if "protobuf" in request.header("content-type") or "cbor" in request.header("content-type"):
        raise unsupported_media_type(["application/json", "application/yaml"])
    try:
        if "yaml" in request.header("content-type"):
            return yaml.safe_load(request.body)
        return json.loads(request.body)
    except (ValueError, yaml.YAMLError) as problem:
        raise bad_request(f"error decoding the body: {problem}") from problem


def _says_no(reply: Reply) -> bool:
    """A failed Status inside a 2xx, as an eviction under two budgets is answered."""
    return b'"kind":"Status"' in reply.body and b'"status":"Failure"' in reply.body
