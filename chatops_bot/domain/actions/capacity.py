"""Room on the nodes for pods that are still to be made. An estimate: the scheduler weighs more than this does."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import msgspec

from chatops_bot.domain.amounts import Amounts, amounts, asked, total
from chatops_bot.domain.objects import text
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.placing import takes


class Room(msgspec.Struct, frozen=True):
    """`fits` pods have room on the `nodes` that could take them."""

    fits: int
    nodes: int


def room_for(template: Raw, *, nodes: Iterable[Raw], running: Iterable[Raw]) -> Room:
    """How many pods of the template the free requests of these nodes hold, all that runs there counted."""
    there: dict[str, list[Raw]] = {}
    for pod in running:
        there.setdefault(text(pod, "spec", "nodeName"), []).append(pod)
    each = {name: value for name, value in asked(template).items() if value}
    open_nodes = [node for node in nodes if takes(node, template)]
    fits = sum(_fits(node, there.get(text(node, "metadata", "name"), []), each) for node in open_nodes)
    return Room(fits=fits, nodes=len(open_nodes))


def _fits(node: Raw, pods: list[Raw], each: Amounts) -> int:
    holds_most, taken = amounts(node, "status", "allocatable"), total(pods)
    unfinished = sum(text(pod, "status", "phase") not in ("Succeeded", "Failed") for pod in pods)
    room = [holds_most.get("pods", Fraction(110)) - unfinished]
    for name, value in each.items():
        room.append((holds_most.get(name, Fraction(0)) - taken.get(name, Fraction(0))) / value)
    return max(0, int(min(room)))
