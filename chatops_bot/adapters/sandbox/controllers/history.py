"""ControllerRevisions: the templates that a StatefulSet or DaemonSet has had."""

from __future__ import annotations

from chatops_bot.adapters.sandbox.controllers.context import MANAGER, Context
from chatops_bot.adapters.sandbox.objects import (
    Json,
    annotations_of,
    clone,
    controlled_by,
    name_of,
    namespace_of,
    owner_reference,
    short_hash,
)
from chatops_bot.adapters.sandbox.registry import DeleteOptions
from chatops_bot.adapters.sandbox.resources import CONTROLLERREVISIONS

HASH_LABEL = "controller-revision-hash"


def revisions_of(context: Context, owner: Json) -> list[Json]:
    """The owner's revisions, oldest first."""
    found = context.store.all(CONTROLLERREVISIONS, namespace_of(owner))
    return sorted((item for item in found if controlled_by(item, owner)), key=lambda item: int(item["revision"]))


def present_revision(context: Context, owner: Json) -> Json:
    """The revision of the owner's present template: new, or an old one that comes back under the highest number."""
    data = {"spec": {"template": {**clone(owner["spec"]["template"]), "$patch": "replace"}}}
    known = revisions_of(context, owner)
    highest = max((item["revision"] for item in known), default=0)
    equal = next((item for item in known if item["data"] == data), None)
    if equal is None:
        return _create(context, owner, data, highest + 1)
    if equal["revision"] < highest:
        return context.registry.update(CONTROLLERREVISIONS, {**clone(equal), "revision": highest + 1}, manager=MANAGER)
    return equal


def _create(context: Context, owner: Json, data: Json, number: int) -> Json:
    digest = short_hash(data, 10)
    labels = {**(owner["spec"]["template"]["metadata"].get("labels") or {}), HASH_LABEL: digest}
    manifest = {
        "metadata": {
            "name": f"{name_of(owner)}-{digest}",
            "namespace": namespace_of(owner),
            "labels": labels,
            "annotations": dict(annotations_of(owner)),
            "ownerReferences": [owner_reference(owner)],
        },
        "data": data,
        "revision": number,
    }
    return context.registry.create(CONTROLLERREVISIONS, manifest, manager=MANAGER)


def template_of(revision: Json) -> Json:
    return {key: value for key, value in revision["data"]["spec"]["template"].items() if key != "$patch"}


def forget_old(context: Context, owner: Json, used: set[str]) -> None:
    """Drop revisions beyond revisionHistoryLimit, the oldest first, but none that is in use by name."""
    spare = [item for item in revisions_of(context, owner) if name_of(item) not in used]
    for item in spare[: max(0, len(spare) - owner["spec"]["revisionHistoryLimit"])]:
        context.registry.delete(CONTROLLERREVISIONS, item, DeleteOptions())
