"""What is wrong with the nodes of pods that are in trouble."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from chatops_bot.domain.diagnosis import hosts
from chatops_bot.domain.diagnosis.examining import Check, Scene
from chatops_bot.domain.diagnosis.findings import Finding
from chatops_bot.domain.diagnosis.pods import is_deleting, is_leftover
from chatops_bot.domain.diagnosis.remedies import node_offer, offering
from chatops_bot.domain.objects import name_of, text
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.rollout import wanted_pods


def _hosting(scene: Scene, *, troubled: bool) -> Iterator[tuple[Raw, tuple[Raw, ...]]]:
    """The nodes that were read with the workload's pods on them: all that have not ended, or those in trouble."""
    bad = {row.name for row in scene.rows if not row.healthy}
    found: dict[str, list[Raw]] = {}
    for pod in scene.observed.pods:
        if (name_of(pod) in bad) if troubled else not is_leftover(pod):
            found.setdefault(text(pod, "spec", "nodeName"), []).append(pod)
    for name, node in scene.hosts.items():
        if name in found:
            yield node, tuple(found[name])


def nodes_not_ready(scene: Scene) -> Iterator[Finding]:
    """Nodes out of contact: their pods serve nobody, and come back elsewhere only after some minutes. Once they have,
    the node explains no pod that is missing, and holds none of the workload's that could be moved."""
    for node, pods in _hosting(scene, troubled=False):
        name, over = name_of(node), _replaced(scene, pods)
        for found in hosts.not_ready(node, scene.now, pods):
            told = msgspec.structs.replace(found, severity="warn", hard=False) if over else found
            moves = [] if over else [node_offer(scene, "drain", name)]
            yield offering(told, [node_offer(scene, "cordon", name), *moves])


def _replaced(scene: Scene, pods: tuple[Raw, ...]) -> bool:
    """Whether these are all on their way out, and as many as are wanted have been placed besides."""
    stays = [pod for pod in scene.observed.pods if not is_leftover(pod) and not is_deleting(pod)]
    placed = sum(bool(text(pod, "spec", "nodeName")) for pod in stays)
    return all(map(is_deleting, pods)) and placed >= wanted_pods(scene.observed.object, scene.observed.entity.kind)


def nodes_pressed(scene: Scene) -> Iterator[Finding]:
    """Nodes that are short of something, under pods that are in trouble."""
    for node, pods in _hosting(scene, troubled=True):
        for found in hosts.pressed(node, scene.now, pods):
            yield offering(found, [node_offer(scene, "cordon", name_of(node))])


def nodes_cordoned(scene: Scene) -> Iterator[Finding]:
    """Cordoned nodes under pods that are in trouble: somebody may be at work there."""
    for node, pods in _hosting(scene, troubled=True):
        yield from hosts.cordoned(node, pods)


CHECKS: tuple[Check, ...] = (nodes_not_ready, nodes_pressed, nodes_cordoned)
"""Each for the nodes that were read: those of troubled pods."""
