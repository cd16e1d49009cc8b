"""What `cordon`, `uncordon` and `drain` have in common: the patch, its marks, and what stands around a node."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from chatops_bot.domain.actions.owners import RECENTLY_MS
from chatops_bot.domain.actions.shared import refusal
from chatops_bot.domain.entities import Entity, EntityKind
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.nodes import (
    Cordon,
    cordon_of,
    is_control_plane,
    is_going,
    is_up,
    takes_pods,
)
from chatops_bot.domain.objects import PLAN_ANNOTATION, flag, last_change, span
from chatops_bot.domain.observed import Observed, Permission, Raw
from chatops_bot.domain.plans import Change, Plan
from chatops_bot.domain.say import Say, say

PERSON: Final = "person"
"""The slot in which the gate says who asks. Never taken from what was said."""

UNKNOWN: Final = "node.somebody"


def node_permissions() -> tuple[Permission, ...]:
    """To read nodes, and patch one: in the whole cluster, for a node is in no namespace."""
    return tuple(Permission(group="", resource="nodes", verb=verb) for verb in ("get", "list", "patch"))


def person_in(slots: Mapping[str, SlotValue]) -> str:
    """Who asks, as shown."""
    person = slots.get(PERSON, "")
    return person if isinstance(person, str) else ""


def node_change(entity: Entity, *, token: str, unschedulable: bool | None, notes: Mapping[str, str | None]) -> Change:
    """The patch of `kubectl cordon` (true) or `uncordon` (None, which takes the field away), with the plan's token and
    `notes` as annotations beside it."""
    annotations: dict[str, Any] = {PLAN_ANNOTATION: token, **notes}
    return Change(
        group="",
        version="v1",
        plural="nodes",
        name=entity.workload,
        body={"metadata": {"annotations": annotations}, "spec": {"unschedulable": unschedulable}},
        content="strategic",
    )


def refused_for(observed: Observed, kinds: frozenset[EntityKind]) -> Say | None:
    """Why none of the three makes sense here."""
    if observed.entity.kind not in kinds:
        return say("node.wrong_kind", name=observed.entity.name, kind=observed.entity.kind)
    return refusal(observed)


def is_ours(live: Raw, plan: Plan) -> bool:
    """Whether the node is cordoned, and by this very plan."""
    cordon = cordon_of(live)
    return cordon is not None and cordon.token == plan.token


def by_whom(cordon: Cordon, now_ms: int) -> dict[str, str]:
    """Fields `by` and `ago` of texts."""
    return {"by": cordon.by or UNKNOWN, "ago": span(now_ms - cordon.at) if cordon.at else "?"}


def takers(observed: Observed) -> list[Raw]:
    """The other nodes on which ordinary pods can be placed."""
    return [node for node in observed.nodes if takes_pods(node)]


def is_unread(observed: Observed, what: str) -> bool:
    """Whether this part could not be read."""
    return observed.why_unread(what) is not None


def is_last(observed: Observed) -> bool:
    """Whether no other node takes pods; not where nobody knows, nor of a node that takes none itself by its taints."""
    return takes_pods(observed.object) and not is_unread(observed, "nodes") and not takers(observed)


def others_left(observed: Observed) -> Iterator[Say]:
    """How many of the other nodes take pods."""
    if not is_unread(observed, "nodes"):
        yield say("cordon.left", left=len(takers(observed)), total=len(observed.nodes))


def others_warnings(observed: Observed) -> Iterator[Say]:
    """What is wrong with the other nodes, which will have to bear what this one no longer takes."""
    if is_last(observed):
        yield say("warn.last_node")
    cordoned = sum(flag(node, "spec", "unschedulable") for node in observed.nodes)
    down = sum(not is_up(node) for node in observed.nodes)
    if cordoned or down:
        yield say("warn.nodes_out", cordoned=cordoned, down=down)


def surroundings(observed: Observed) -> Iterator[Say]:
    """What anybody should know before changing this node: what it is, what else goes on, what could not be read."""
    node = observed.object
    if is_control_plane(node):
        yield say("warn.control_plane")
    if is_going(node):
        yield say("warn.node_going")
    changed = None if cordon_of(node) else last_change(node)  # of a cordoned one, whose cordon it is says more
    if changed is not None and changed.at and observed.at - changed.at < RECENTLY_MS:
        yield say("warn.changed", manager=changed.manager, ago=span(observed.at - changed.at))
    for unread in observed.unread:
        what, _, why = unread.partition(":")
        yield say("warn.unread", what=f"unread.{what}", why=why or "?")
