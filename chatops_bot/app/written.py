"""What a write of the bot did, read off the request itself and not off anything that the bot says of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from chatops_bot.adapters.sandbox import RequestRecord
from chatops_bot.domain.nodes import CORDONED_ANNOTATION, DRAINS
from chatops_bot.domain.objects import PLAN_ANNOTATION, annotation, items, mapping, text
from chatops_bot.domain.revisions import CAUSE_ANNOTATION

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
        return done | {
            "action": "delete_pod",
            "pod": record.name,
            "by": "eviction" if record.subresource else "deletion",
        }
    if record.verb == "patch" and set(body) <= {"metadata"}:
        return done | {"action": "touch"}
    return next((done | said for said in _said(body)), done)


def plan_of(record: RequestRecord) -> str:
    """The plan whose mark a write carries; "" where it has none, as a deletion."""
    return annotation(record.body, PLAN_ANNOTATION)


def with_drains(done: Iterable[tuple[str, Done]], drains: Mapping[str, str]) -> list[Done]:
    """Writes with their plans' tokens, those of each of `drains` (nodes by tokens) made one item with its `pods`."""
    found: list[Done] = []
    folded: dict[str, Done] = {}
    for token, each in done:
        node = drains.get(token)
        if node is None:
            found.append(each)
            continue
        if token not in folded:
            folded[token] = {"action": "drain", "target": f"node/{node}", "namespace": "", "pods": []}
            found.append(folded[token])
        if "pod" in each:
            folded[token]["pods"].append(each["pod"])
    return found


def drains_in(records: Iterable[RequestRecord]) -> dict[str, str]:
    """Nodes that were drained, by their plans: cordoned for it, or pods of theirs evicted, or tried to be."""
    cordons: dict[str, str] = {}
    draining: set[str] = set()
    for record in records:
        if record.resource == "nodes" and record.applied and plan_of(record):
            cordons[plan_of(record)] = record.name
            if annotation(record.body, CORDONED_ANNOTATION).endswith(DRAINS):
                draining.add(plan_of(record))
        elif record.subresource == "eviction" and not record.dry_run:
            draining.add(plan_of(record))
    return {token: node for token, node in cordons.items() if token in draining}


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
