"""Which pods of a node a drain evicts, and what the disruption budgets will say to it.

Filters and their order are kubectl's (kubectl/pkg/drain/filters.go), the rules of budgets those of the API server's
eviction handler; a dry run tells neither, for it asks for one pod at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from chatops_bot.domain.diagnosis.pods import is_deleting, is_leftover, is_ready
from chatops_bot.domain.objects import annotation, controller_of, has, items, listed, mapping, name_of, number, text
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.plans import Change
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.selectors import selects

MIRROR: Final = "kubernetes.io/config.mirror"
"""On the pods that a kubelet makes of files of its own: whoever deletes one deletes nothing."""


class Sorted(msgspec.Struct, frozen=True):
    """The pods of a node: those to `evict`, of which `local` have data that goes with them and `bare` nobody who makes
    them anew; those of DaemonSets and the mirrors of static pods, which stay; those that are `going` already."""

    evict: tuple[Raw, ...]
    local: tuple[Raw, ...]
    bare: tuple[Raw, ...]
    daemons: tuple[Raw, ...]
    mirrors: tuple[Raw, ...]
    going: tuple[Raw, ...]


def sort_pods(pods: Iterable[Raw]) -> Sorted:
    """By kubectl's filters. Finished pods are evicted whatever they are: nothing of them runs, and no data is kept."""
    sorted_pods: dict[str, list[Raw]] = {name: [] for name in Sorted.__struct_fields__}
    for pod in sorted(pods, key=label_of):
        place = _place(pod)
        sorted_pods[place].append(pod)
        if place == "evict" and not is_leftover(pod):
            if any(has(volume, "emptyDir") for volume in items(pod, "spec", "volumes")):
                sorted_pods["local"].append(pod)
            if not controller_of(pod):
                sorted_pods["bare"].append(pod)
    return Sorted(**{name: tuple(found) for name, found in sorted_pods.items()})


def _place(pod: Raw) -> str:
    if is_deleting(pod):
        return "going"
    owner = controller_of(pod)
    if text(owner, "kind") == "DaemonSet" and text(owner, "apiVersion").startswith("apps/") and not is_leftover(pod):
        return "daemons"
    return "mirrors" if annotation(pod, MIRROR) else "evict"


def label_of(pod: Raw) -> str:
    """`namespace/name`: a node has pods of every namespace."""
    return f"{text(pod, 'metadata', 'namespace')}/{name_of(pod)}"


def eviction_of(pod: Raw) -> Change:
    """The step that evicts this very pod, and never another one of its name."""
    return Change(
        group="",
        version="v1",
        plural="pods",
        name=name_of(pod),
        namespace=text(pod, "metadata", "namespace"),
        body={},
        uid=text(pod, "metadata", "uid"),
        verb="evict",
    )


def budgets_over(pod: Raw, budgets: Iterable[Raw]) -> list[Raw]:
    """The budgets that are asked when the pod is evicted; none for one that serves nobody."""
    if is_deleting(pod) or text(pod, "status", "phase") in ("Pending", "Succeeded", "Failed"):
        return []
    return [
        budget
        for budget in budgets
        if text(budget, "metadata", "namespace") == text(pod, "metadata", "namespace")
        and selects(mapping(budget, "spec").get("selector"), mapping(pod, "metadata", "labels"))
    ]


def is_spare(pod: Raw, budget: Raw) -> bool:
    """A pod that is not ready may go without a word of the budget while enough others are healthy, or where it says
    that such pods always may."""
    if is_ready(pod):
        return False
    if text(budget, "spec", "unhealthyPodEvictionPolicy") == "AlwaysAllow":
        return True
    return number(budget, "status", "currentHealthy") >= number(budget, "status", "desiredHealthy") > 0


def budget_label(budget: Raw) -> str:
    """`namespace/name`."""
    return label_of(budget)


def forecast(pods: Iterable[Raw], budgets: Iterable[Raw]) -> Iterator[Say]:
    """What the budgets will say, worst first within each: never, not now, or only so many at a time."""
    budgets = tuple(budgets)
    covered: dict[int, list[Raw]] = {}
    several: list[Raw] = []
    for pod in pods:
        over = budgets_over(pod, budgets)
        if len(over) > 1:
            several.append(pod)
        elif over and not is_spare(pod, over[0]):
            covered.setdefault(budgets.index(over[0]), []).append(pod)
    if several:
        yield say("warn.drain_several", pods=listed(map(label_of, several), most=5))
    for index, found in covered.items():
        yield from _said(budgets[index], found)


def unhealthy(budget: Raw, pods: Iterable[Raw]) -> Iterator[Say]:
    """What would let pods go that are not ready and count for nothing, but are held by the budget all the same."""
    sick = [label_of(pod) for pod in pods if not is_ready(pod)]
    if sick:
        yield say("warn.drain_unhealthy", budget=budget_label(budget), pods=listed(sick))


def _said(budget: Raw, pods: list[Raw]) -> Iterator[Say]:
    allowed, needed = number(budget, "status", "disruptionsAllowed"), number(budget, "status", "desiredHealthy")
    fields: dict[str, str | int] = {
        "budget": budget_label(budget),
        "count": len(pods),
        "allowed": allowed,
        "healthy": number(budget, "status", "currentHealthy"),
        "needed": needed,
    }
    if needed >= number(budget, "status", "expectedPods"):
        yield say("warn.drain_never", **fields)
        yield from unhealthy(budget, pods)
    elif allowed < 1:
        yield say("warn.drain_blocked", **fields)
        yield from unhealthy(budget, pods)
    elif len(pods) > allowed:
        yield say("warn.drain_waves", **fields)
