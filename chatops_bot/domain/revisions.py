"""Pod templates and the revisions of a workload: what it was before, whether two are the same, what tells them apart.

The numbers of revisions move: a template that comes back gets the highest number, and its old one is gone
(kubernetes#51315). So the old numbers of a revision are known too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from chatops_bot.domain.objects import (
    annotation,
    at,
    controller_of,
    instant,
    items,
    listed,
    mapping,
    name_of,
    number,
    text,
    uid_of,
)
from chatops_bot.domain.observed import Observed, Raw

CAUSE_ANNOTATION = "kubernetes.io/change-cause"
_NUMBER = "deployment.kubernetes.io/revision"
_EARLIER = "deployment.kubernetes.io/revision-history"
_ARGO_NUMBER = "rollout.argoproj.io/revision"
_ARGO_EARLIER = "rollout.argoproj.io/revision-history"
_ARGO_HASH = "rollouts-pod-template-hash"

HASH_LABEL = "pod-template-hash"
"""Added by the Deployment controller to the template of a ReplicaSet; no part of what was asked for."""


def bare(template: object) -> Raw:
    """A template without its hash, its merge directives and its nulls: equal for equal templates."""
    found: Raw = _without_nulls(template)
    found.pop("$patch", None)
    labels = mapping(found, "metadata", "labels")
    for hashed in (HASH_LABEL, _ARGO_HASH):
        labels.pop(hashed, None)
    return found


def _without_nulls(value: object) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(inner) for key, inner in value.items() if inner is not None}
    return [_without_nulls(inner) for inner in value] if isinstance(value, list) else value


def template_of(workload: Raw) -> Raw:
    """The workload's own template, bare."""
    return bare(mapping(workload, "spec", "template"))


def images_of(template: object) -> dict[str, str]:
    """Image by container, init containers included."""
    return {text(row, "name"): text(row, "image") for row in _containers(template)}


def _containers(template: object) -> list[Raw]:
    return [*items(template, "spec", "initContainers"), *items(template, "spec", "containers")]


def image_changes(before: object, after: object) -> list[tuple[str, str, str]]:
    """Container, image before, image after; "" where the container is not there."""
    old, new = images_of(before), images_of(after)
    names = [*old, *(name for name in new if name not in old)]
    return [(name, old.get(name, ""), new.get(name, "")) for name in names if old.get(name) != new.get(name)]


def other_changes(before: object, after: object) -> list[str]:
    """What else differs, by name and never by value: `app: env LOG_LEVEL`, `volumes`, `annotations team`."""
    old, new = bare(before), bare(after)
    rows = [f"{part} {name}" for part in ("labels", "annotations") for name in _metadata_changes(old, new, part)]
    rows += _keys(mapping(old, "spec"), mapping(new, "spec"), besides={"containers", "initContainers"})
    there = {text(row, "name"): row for row in _containers(old)}
    for row in _containers(new):
        name = text(row, "name")
        if name in there:
            rows += [f"{name}: {what}" for what in _container_changes(there[name], row)]
    return rows


def _metadata_changes(old: Raw, new: Raw, part: str) -> list[str]:
    return _keys(mapping(old, "metadata", part), mapping(new, "metadata", part))


def _container_changes(old: Raw, new: Raw) -> Iterator[str]:
    env_old, env_new = ({text(row, "name"): row for row in items(side, "env")} for side in (old, new))
    yield from (f"env {name}" for name in _keys(env_old, env_new))
    yield from _keys(old, new, besides={"env", "image"})


def _keys(old: Raw, new: Raw, *, besides: Iterable[str] = ()) -> list[str]:
    return [key for key in sorted({*old, *new} - {*besides}) if old.get(key) != new.get(key)]


class Revision(msgspec.Struct, frozen=True):
    """One template that a workload has had. `name` is that of its ReplicaSet or ControllerRevision, `earlier` the
    numbers that it had before, `made` when it was first rolled out (ms)."""

    number: int
    name: str
    template: Raw
    made: int
    cause: str
    earlier: tuple[int, ...] = ()

    @property
    def images(self) -> str:
        """Its images, for a sentence."""
        return listed(images_of(self.template).values(), most=2)


class History(msgspec.Struct, frozen=True):
    """All revisions of a workload, the newest first, and the one whose template it has now (None: none of them)."""

    revisions: tuple[Revision, ...]
    present: Revision | None

    @property
    def others(self) -> tuple[Revision, ...]:
        """Where it can go back to."""
        return tuple(one for one in self.revisions if one is not self.present)


def history_of(observed: Observed) -> History:
    """Read off the ReplicaSets of a Deployment or Argo Rollout, the ControllerRevisions of anything else."""
    if observed.entity.kind in ("Deployment", "Rollout"):
        found = [_of_replica_set(row) for row in observed.replica_sets]
    else:
        owned = (row for row in observed.revisions if controller_of(row).get("uid") == uid_of(observed.object))
        found = [_of_controller_revision(row) for row in owned]
    revisions = tuple(sorted((one for one in found if one.number > 0), key=lambda one: one.number, reverse=True))
    now = template_of(observed.object)
    return History(revisions, next((one for one in revisions if one.template == now), None))


def before(history: History) -> Revision | None:
    """The one before the present, where there is no doubt which that is: a present one that came back itself is after
    what it was to get rid of."""
    present = history.present
    older = [one for one in history.others if present is not None and one.number < present.number]
    if present is None or not older or present.earlier or present.made < older[0].made:
        return None
    return older[0]


def _of_replica_set(row: Raw) -> Revision:
    earlier = annotation(row, _EARLIER) or annotation(row, _ARGO_EARLIER)
    numbers = [whole_number(part) for part in earlier.split(",")]
    return Revision(
        number=whole_number(annotation(row, _NUMBER) or annotation(row, _ARGO_NUMBER)),
        name=name_of(row),
        template=template_of(row),
        made=instant(at(row, "metadata", "creationTimestamp")),
        cause=annotation(row, CAUSE_ANNOTATION),
        earlier=tuple(value for value in numbers if value > 0),
    )


def _of_controller_revision(row: Raw) -> Revision:
    return Revision(
        number=number(row, "revision"),
        name=name_of(row),
        template=bare(mapping(row, "data", "spec", "template")),
        made=instant(at(row, "metadata", "creationTimestamp")),
        cause=annotation(row, CAUSE_ANNOTATION),
    )


def whole_number(text: str) -> int:
    """The number of a revision as it is written, 0 for what is none."""
    return int(text) if text.isascii() and text.isdigit() else 0
