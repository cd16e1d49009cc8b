"""Which nodes a pod may be placed on, by its template or itself: taints, labels, and whether they take pods at all."""

from __future__ import annotations

from chatops_bot.domain.objects import flag, holds, items, mapping, text
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.selectors import selects

_KEEPS_AWAY = ("NoSchedule", "NoExecute")
_CORDONED = "node.kubernetes.io/unschedulable"
"""The taint that every cordoned node bears."""
_COUNTED = ("In", "NotIn", "Exists", "DoesNotExist")


def takes(node: Raw, template: Raw) -> bool:
    """Whether the scheduler would consider it: up, not cordoned, its taints tolerated, selected."""
    if flag(node, "spec", "unschedulable") or not holds(node, "Ready"):
        return False
    return not untolerated(node, template) and _selected(node, template)


def takes_once_open(node: Raw, template: Raw) -> bool:
    """Likewise of a cordoned node, once it is no longer."""
    taints = [taint for taint in items(node, "spec", "taints") if text(taint, "key") != _CORDONED]
    return takes({**node, "spec": {**mapping(node, "spec"), "unschedulable": False, "taints": taints}}, template)


def untolerated(node: Raw, template: Raw) -> list[Raw]:
    """The node's taints that keep it away."""
    tolerations = items(template, "spec", "tolerations")
    taints = [taint for taint in items(node, "spec", "taints") if text(taint, "effect") in _KEEPS_AWAY]
    return [taint for taint in taints if not any(_tolerates(one, taint) for one in tolerations)]


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
