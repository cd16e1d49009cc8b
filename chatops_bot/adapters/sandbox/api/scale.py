"""The `/scale` subresource: the one number of a workload that may be changed without knowing the rest of it."""

from __future__ import annotations

from chatops_bot.adapters.sandbox.api.context import Call, json_reply
from chatops_bot.adapters.sandbox.errors import conflict, invalid, undecodable, unpatchable
from chatops_bot.adapters.sandbox.http import Reply
from chatops_bot.adapters.sandbox.objects import Json, clone, go_kind, name_of, namespace_of, uid_of
from chatops_bot.adapters.sandbox.patching import apply_patch
from chatops_bot.adapters.sandbox.registry import check_uid
from chatops_bot.adapters.sandbox.resources import Resource
from chatops_bot.adapters.sandbox.selectors import selector_text
from chatops_bot.adapters.sandbox.validation import replicas

_SCALE = Resource("autoscaling", "v1", "scales", "Scale")


def scale_of(workload: Json) -> Json:
    """The Scale object of a workload. As on a real server, `spec` is empty at zero replicas."""
    metadata = workload["metadata"]
    wanted = workload["spec"].get("replicas", 1)
    status: Json = {"replicas": workload.get("status", {}).get("replicas", 0)}
    text = selector_text(workload["spec"].get("selector"))
    return {
        "kind": "Scale",
        "apiVersion": _SCALE.api_version,
        "metadata": {
            "name": name_of(workload),
            "namespace": namespace_of(workload),
            "uid": uid_of(workload),
            "resourceVersion": metadata["resourceVersion"],
            "creationTimestamp": metadata["creationTimestamp"],
        },
        "spec": {"replicas": wanted} if wanted else {},
        "status": status | ({"selector": text} if text else {}),
    }


def get(call: Call) -> Reply:
    return json_reply(scale_of(call.stored()))


def update(call: Call) -> Reply:
    return _write(call, call.stored(), call.body_object)


def patch(call: Call) -> Reply:
    workload = call.stored()
    return _write(call, workload, apply_patch(scale_of(workload), call.body, call.request.header("content-type")))


def _write(call: Call, workload: Json, scale: Json) -> Reply:
    resource, name = call.route.resource, call.route.name
    wanted = (scale.get("spec") or {}).get("replicas")
    if wanted is not None and (isinstance(wanted, bool) or not isinstance(wanted, int)):
        why = f"json: cannot unmarshal {go_kind(wanted)} into Go struct field ScaleSpec.spec.replicas of type int32"
        raise unpatchable(why) if call.route.verb == "patch" else undecodable(_SCALE, why)
    if causes := replicas(wanted):
        raise invalid(_SCALE, name, causes)
    metadata = scale.get("metadata") or {}
    uid = metadata.get("uid")
    if resource.custom:
        pass  # of these the server does not compare it
    elif call.route.verb == "update":
        check_uid(resource, workload, uid or "")
    elif uid and uid != uid_of(workload):
        why = f"Precondition failed: UID in precondition: {uid}, UID in object meta: {uid_of(workload)}"
        raise conflict(resource, name, why, kind=f"{resource.plural}/scale")
    new = clone(workload)
    new["spec"]["replicas"] = wanted or 0
    new["metadata"]["resourceVersion"] = metadata.get("resourceVersion") or ""
    written = call.backend.registry.update(
        resource, new, manager=call.manager, subresource="scale", dry_run=call.dry_run
    )
    return json_reply(scale_of(written))
