"""Questions about access: who am I, may I, may they."""

from __future__ import annotations

from chatops_bot.adapters.sandbox.access import ANONYMOUS, Access, User, forbidden, user_info
from chatops_bot.adapters.sandbox.api.context import Call, json_reply
from chatops_bot.adapters.sandbox.errors import invalid
from chatops_bot.adapters.sandbox.http import Reply
from chatops_bot.adapters.sandbox.objects import Json
from chatops_bot.adapters.sandbox.resources import Resource
from chatops_bot.adapters.sandbox.validation import value_cause

_UNNAMED = Resource("authorization.k8s.io", "v1", "", "")
"""The server's complaints about a review do not say of which kind it is."""


def review(call: Call) -> Reply:
    resource, body = call.route.resource, call.body_object
    if call.user.name == ANONYMOUS.name:
        raise forbidden(Access(call.user, "create", resource.group, resource.plural), resource)
    spec = body.get("spec") or {}
    if resource.kind == "SelfSubjectReview":
        return _reply(call, {"status": {"userInfo": user_info(call.user)}})
    asked = call.user
    if resource.kind == "SubjectAccessReview":
        if not (spec.get("user") or spec.get("groups")):
            raise invalid(
                _UNNAMED, "", [value_cause("spec.user", "", "at least one of user or group must be specified")]
            )
        asked = User(spec.get("user", ""), tuple(spec.get("groups") or []))
    allowed = call.backend.access.allows(_access(asked, spec))
    status: Json = {"allowed": True, "reason": "allowed by the sandbox's authorizer"} if allowed else {"allowed": False}
    return _reply(call, {"spec": spec, "status": status})


def _access(user: User, spec: Json) -> Access:
    attributes = spec.get("resourceAttributes")
    if not isinstance(attributes, dict):
        if isinstance(spec.get("nonResourceAttributes"), dict):
            return Access(user, spec["nonResourceAttributes"].get("verb", ""), "", "")
        rule = "exactly one of nonResourceAttributes or resourceAttributes must be specified"
        raise invalid(_UNNAMED, "", [value_cause("spec.resourceAttributes", None, rule)])
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
    stamped = {"creationTimestamp": call.backend.registry.timeline.stamp()} if "spec" not in content else {}
    head = {"kind": resource.kind, "apiVersion": resource.api_version, "metadata": stamped}
    return json_reply({**head, **content}, 201)
