"""What may help against a finding: actions that fit what is known, never one that only might."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from chatops_bot.domain.diagnosis.examining import Scene
from chatops_bot.domain.diagnosis.findings import Finding
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.objects import at, condition, instant, label, text
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.offers import Offer
from chatops_bot.domain.revisions import HASH_LABEL, before

BLAMED_MS = 7_200_000
"""Trouble that begins so long after a rollout at the most may be the rollout's; what begins later is not undone by
going back. Stamps are whole seconds."""

TAKES: dict[str, frozenset[str]] = {
    "scale": frozenset({"Deployment", "StatefulSet", "Rollout"}),
    "restart": frozenset({"Deployment", "StatefulSet", "DaemonSet", "Rollout"}),
    "rollback": frozenset({"Deployment", "StatefulSet", "DaemonSet"}),
    "set_image": frozenset({"Deployment", "StatefulSet", "DaemonSet"}),
    "set_autoscaler": frozenset({"Deployment", "StatefulSet", "Rollout"}),
    "delete_pod": frozenset({"Deployment", "StatefulSet", "DaemonSet", "Rollout"}),
}
"""Kinds that an action works on: nothing is offered that would only be refused."""


def offers(scene: Scene, action: str, **slots: SlotValue) -> tuple[Offer, ...]:
    """The action on what is looked at; nothing where its kind does not take it."""
    return (Offer(action, slots),) if scene.observed.entity.kind in TAKES[action] else ()


def node_offer(scene: Scene, action: str, node: str) -> Offer:
    """The action on a node of the same cluster."""
    cluster = scene.observed.entity.cluster
    return Offer(action, {}, Entity(cluster=cluster, namespace="", kind="Node", workload=node, name=node).key)


def way_back(scene: Scene, pod: Raw, began: int) -> tuple[Offer, ...]:
    """Going back to the revision before: only where the pod is of the newest one, and what is wrong with it began (ms)
    after that was rolled out and not much later."""
    observed = scene.observed
    if observed.entity.kind == "StatefulSet" and _half_way(observed.object, pod):
        return (Offer("rollback"),)
    present = scene.history.present
    if not offers(scene, "rollback") or present is None or before(scene.history) is None or not is_newest(scene, pod):
        return ()
    return (Offer("rollback"),) if -1000 <= began - present.made <= BLAMED_MS else ()


def is_newest(scene: Scene, pod: Raw) -> bool:
    """Whether the pod is of the workload's present revision, as far as that is known."""
    observed, present = scene.observed, scene.history.present
    mark = label(pod, HASH_LABEL) if observed.entity.kind == "Deployment" else label(pod, "controller-revision-hash")
    return present is not None and bool(mark) and present.name.endswith(mark)


def _half_way(workload: Raw, pod: Raw) -> bool:
    """A StatefulSet that is on its way to the revision that the pod is of."""
    new, old = text(workload, "status", "updateRevision"), text(workload, "status", "currentRevision")
    return bool(new) and bool(old) and new != old and label(pod, "controller-revision-hash") == new


def offering(found: Finding, *made: Iterable[Offer]) -> Finding:
    """The finding with these offers. A way back is told as a likely cause as well: that is why it is offered."""
    rows = tuple(offer for some in made for offer in some)
    began = any(offer.action == "rollback" for offer in rows)
    causes = ("why.new_revision", *found.causes) if began else found.causes
    return msgspec.structs.replace(found, offers=rows, causes=causes)


def unready_since(pod: Raw) -> int:
    """When the pod ceased to be ready, in ms; when it was made, where it never was."""
    return instant(at(condition(pod, "Ready"), "lastTransitionTime")) or created(pod)


def created(pod: Raw) -> int:
    """When it was made, in ms; 0 unknown."""
    return instant(at(pod, "metadata", "creationTimestamp"))
