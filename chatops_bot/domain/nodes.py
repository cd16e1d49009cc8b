"""Reading a node: whether it takes pods, who cordoned it, what else is going on with it."""

from __future__ import annotations

import msgspec

from chatops_bot.domain.objects import (
    FIELD_MANAGER,
    annotation,
    at,
    flag,
    holds,
    instant,
    items,
    mapping,
    shortened,
    text,
)
from chatops_bot.domain.observed import Raw

CORDONED_ANNOTATION = "chatops-bot.io/cordoned-by"
"""Token of the plan by which the bot cordoned the node, and who asked for it. Uncordoning takes it away."""

DRAINS = " (drain)"
"""The end of such a note where the cordon was a drain's."""

_UNSCHEDULABLE = "node.kubernetes.io/unschedulable"
"""The taint that every cordoned node bears."""
_GOING = "ToBeDeletedByClusterAutoscaler"
_CONTROL_PLANE = ("node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master")
_KEEPS_AWAY = ("NoSchedule", "NoExecute")


class Cordon(msgspec.Struct, frozen=True):
    """Who keeps new pods off a node: `by` a field manager or, where the bot did it, the person ("" unknown); when (ms,
    0 unknown); `token` of the bot's plan, "" where it was somebody else."""

    by: str
    at: int
    token: str = ""


def cordon_of(node: Raw) -> Cordon | None:
    """None where the node is not cordoned. The bot's own note counts only while it is also the bot that set the field:
    somebody may have uncordoned the node and cordoned it anew since."""
    if not flag(node, "spec", "unschedulable"):
        return None
    owners = [
        (instant(at(entry, "time")), text(entry, "manager"))
        for entry in items(node, "metadata", "managedFields")
        if "f:unschedulable" in mapping(entry, "fieldsV1", "f:spec")
    ]
    moment, manager = max(owners, default=(0, ""))
    token, _, person = annotation(node, CORDONED_ANNOTATION).partition(" ")
    if token and manager in ("", FIELD_MANAGER):
        return Cordon(by=person, at=moment, token=token)
    return Cordon(by=manager, at=moment)


def note_of(token: str, person: str, *, drains: bool = False) -> str:
    """What `CORDONED_ANNOTATION` says."""
    return f"{token} {shortened(person, 80)}".rstrip() + (DRAINS if drains else "")


def is_up(node: Raw) -> bool:
    """In contact and ready."""
    return holds(node, "Ready")


def takes_pods(node: Raw) -> bool:
    """Whether an ordinary pod can be placed there: ready, not cordoned, not going, no taint that keeps it away."""
    if flag(node, "spec", "unschedulable") or text(node, "metadata", "deletionTimestamp"):
        return False
    return is_up(node) and not any(text(taint, "effect") in _KEEPS_AWAY for taint in items(node, "spec", "taints"))


def is_control_plane(node: Raw) -> bool:
    """Whether the cluster's own servers run on it, by its role label."""
    return any(role in mapping(node, "metadata", "labels") for role in _CONTROL_PLANE)


def is_going(node: Raw) -> bool:
    """Whether the cluster autoscaler has chosen to take it away."""
    return any(text(taint, "key") == _GOING for taint in items(node, "spec", "taints"))


def taints_of(node: Raw) -> list[str]:
    """As kubectl writes them, `key=value:effect`; without the one that says no more than `unschedulable`."""
    return [
        f"{text(taint, 'key')}{'=' if text(taint, 'value') else ''}{text(taint, 'value')}:{text(taint, 'effect')}"
        for taint in items(node, "spec", "taints")
        if text(taint, "key") != _UNSCHEDULABLE
    ]
