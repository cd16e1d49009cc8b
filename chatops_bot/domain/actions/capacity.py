"""Room on the nodes for pods that are still to be made. An estimate: the scheduler weighs more than this does."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import msgspec

from chatops_bot.domain.amounts import Amounts, amounts, asked, total
from chatops_bot.domain.objects import flag, holds, items, mapping, text
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.selectors import selects

_KEEPS_AWAY = ("NoSchedule", "NoExecute")
_COUNTED = ("In", "NotIn", "Exists", "DoesNotExist")


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


def takes(node: Raw, template: Raw) -> bool:
    """Whether the scheduler would consider it: up, not cordoned, its taints tolerated, selected."""
    if flag(node, "spec", "unschedulable") or not holds(node, "Ready"):
        return False
    tolerations = items(template, "spec", "tolerations")
    taints = [taint for taint in items(node, "spec", "taints") if text(taint, "effect") in _KEEPS_AWAY]
    if any(not any(_tolerates(one, taint) for one in tolerations) for taint in taints):
        return False
    return _selected(node, template)


def _tolerates(toleration: Raw, taint: Raw) -> bool:
    if text(toleration, "effect") not in ("", text(taint, "effect")):
        return False
    if text(toleration, "operator") == "Exists":
        return text(toleration, "key") in ("", text(taint, "key"))
    return text(toleration, "key") == text(taint, "key") and text(toleration, "value") == text(taint, "value")


def _selected(node: Raw, template: Raw) -> bool:
    labels = mapping(node, "metadata", "labels")
    if any(labels.get(key) != value for key, value in mapping(template, "spec", "nodeSelector").items()):
        return False
    required = mapping(template, "spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
    terms = items(required, "nodeSelectorTerms")
    return not terms or any(_term(term, labels) for term in terms)


def _term(term: Raw, labels: Raw) -> bool:
    """A term of labels alone is matched; one by numbers or by the node's name is taken to fit."""
    rows = [row for row in items(term, "matchExpressions") if text(row, "operator") in _COUNTED]
    return selects({"matchExpressions": rows}, labels)
