"""Questions about access: who am I, may I, may they."""

from __future__ import annotations

from chatops_bot.adapters.sandbox.access import Access, User, user_info
from chatops_bot.adapters.sandbox.api.context import Call, json_reply
from chatops_bot.adapters.sandbox.errors import bad_request
from chatops_bot.adapters.sandbox.http import Reply
from chatops_bot.adapters.sandbox.objects import Json


def review(call: Call) -> Reply:
    resource, body = call.route.resource, call.body_object
    spec = body.get("spec") or {}
    if resource.kind == "SelfSubjectReview":
        return _reply(call, {"status": {"userInfo": user_info(call.user)}})
    asked = call.user
    if resource.kind == "SubjectAccessReview":
        asked = User(spec.get("user", ""), tuple(spec.get("groups") or []))
    allowed = call.backend.access.allows(_access(asked, spec))
    status: Json = {"allowed": True, "reason": "allowed by the sandbox's authorizer"} if allowed else {"allowed": False}
    return _reply(call, {"spec": spec, "status": status})


def _access(user: User, spec: Json) -> Access:
    attributes = spec.get("resourceAttributes")
    if not isinstance(attributes, dict):
        if isinstance(spec.get("nonResourceAttributes"), dict):
            return Access(user, spec["nonResourceAttributes"].get("verb", ""), "", "")
        raise bad_request("exactly one of nonResourceAttributes or resourceAttributes must be specified")
    resource, subresource = attributes.get("resource", ""), attributes.get("subresource", "")
    return Access(
        user,
        attributes.get("verb", ""),
        attributes.get("group", ""),
        f"{resource}/{subresource}" if subresource else resource,
        attributes.get("namespace", ""),
        attributes.get("name", ""),
    )


def _reply(call: Call, content: Json) -> Reply:
    resource = call.route.resource
    head = {"kind": resource.kind, "apiVersion": resource.api_version, "metadata": {"creationTimestamp": None}}
    return json_reply({**head, **content}, 201)
