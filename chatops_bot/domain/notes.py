"""What the bot leaves on a target after a change: one Kubernetes Event, for whoever describes the object."""

from __future__ import annotations

import msgspec

from chatops_bot.domain.plans import Plan

TEXT_BYTES = 1_000
"""Of an Event's text; the API server takes 1,024 of one in its newer form, and tools cut longer ones."""

NAME_CHARACTERS = 200
"""Kept of the object's name: a name of the API has at most 253 characters, and the plan's token follows."""

PLAN_CHARACTERS = 12
"""Of a plan's token: enough for `chatops-bot audit show`."""


class Note(msgspec.Struct, frozen=True):
    """An Event about the plan's target. `name` is the same whoever writes it, so that the API server takes one only;
    `uid` the target's, `at` ms of wall time."""

    name: str
    uid: str
    reason: str
    text: str
    warning: bool
    at: int


def note_of(plan: Plan, text: str, *, warning: bool, at: int) -> Note:
    """The note of an executed plan, with its text as short as it has to be."""
    stem = plan.entity.workload[:NAME_CHARACTERS].rstrip("-.")
    return Note(
        name=f"{stem}.chatops-{plan.token[:32].lower()}",
        uid=plan.uid,
        reason="Chatops" + "".join(part.capitalize() for part in plan.action.split("_")),
        text=_short(" ".join(text.split())),
        warning=warning,
        at=at,
    )


def _short(text: str) -> str:
    """At most so many bytes, with a sign where something was cut."""
    raw = text.encode()
    return text if len(raw) <= TEXT_BYTES else raw[: TEXT_BYTES - 3].decode(errors="ignore") + "…"
