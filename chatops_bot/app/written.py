"""What a write of the bot did, read off the request itself and not off anything that the bot says of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from chatops_bot.adapters.sandbox import RequestRecord
from chatops_bot.domain.actions.revisions import CAUSE_ANNOTATION
from chatops_bot.domain.objects import annotation, items, mapping, text

Done = dict[str, Any]
"""One item of `executed`: action, target, namespace, and the action's parameters."""

_KINDS: Final = {
    "deployments": "deployment",
    "statefulsets": "statefulset",
    "daemonsets": "daemonset",
    "rollouts": "rollout",
    "nodes": "node",
    "pods": "pod",
}
_REVISION: Final = re.compile(r"\d+")


def done_by(record: RequestRecord, *, scaled: str = "") -> Done:
    """The item for one request. A write that only moves the resourceVersion is a `touch`, one that is none of the
    actions' goes by its verb. `scaled`: what the autoscaler that was written scales, as a target."""
    body = record.body if isinstance(record.body, dict) else {}
    done: Done = {
        "action": record.verb,
        "target": scaled or f"{_KINDS.get(record.resource, record.resource)}/{record.name}",
        "namespace": record.namespace,
    }
    if record.resource == "pods" and (record.verb == "delete" or record.subresource == "eviction"):
        return done | {"action": "delete_pod", "by": "eviction" if record.subresource else "deletion"}
    if record.verb == "patch" and set(body) <= {"metadata"}:
        return done | {"action": "touch"}
    return next((done | said for said in _said(body)), done)


def _said(body: dict[str, Any]) -> Iterator[Done]:
    spec = mapping(body, "spec")
    template = mapping(spec, "template")
    if "replicas" in spec:
        yield {"action": "scale", "replicas": spec["replicas"]}
    if mapping(body, "status").get("abort"):
        yield {"action": "abort"}
    if "restartAt" in spec:
        yield {"action": "restart"}
    if "maxReplicas" in spec:
        yield {"action": "set_autoscaler", "min": spec.get("minReplicas"), "max": spec["maxReplicas"]}
    if "unschedulable" in spec:
        yield {"action": "cordon" if spec["unschedulable"] else "uncordon"}
    if "paused" in spec:
        yield {"action": "pause" if spec["paused"] else "resume"}
    if template.get("$patch") == "replace":
        revision = _REVISION.search(annotation(body, CAUSE_ANNOTATION))
        yield {"action": "rollback", **({"revision": int(revision.group())} if revision else {})}
    for container in (row for part in ("containers", "initContainers") for row in items(template, "spec", part)):
        yield {"action": "set_image", "container": text(container, "name"), "image": text(container, "image")}
    if template:
        yield {"action": "restart"}
