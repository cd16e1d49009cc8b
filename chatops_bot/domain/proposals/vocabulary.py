"""What a model may answer with: intents of a state, and the slots of each intent."""

from __future__ import annotations

from typing import Final

from chatops_bot.domain.intents import ACTIONS, QUERIES, ROUTES, Route, State

CHANGE: Final = "change"
"""How a model calls what has no intent of its own: an answer to what was asked, a change of what waits, more or less
of the last answer. Its request has the intent ""."""

PLAN: Final = "plan"
"""A question about the plan that waits."""

PLACES: Final = ("environment", "namespace", "cluster")

SLOTS: Final[dict[str, tuple[str, ...]]] = {
    "scale": ("replicas",),
    "rollback": ("revision",),
    "set_image": ("image", "container"),
    "set_autoscaler": ("min", "max"),
    "delete_pod": ("pod",),
    "cordon": ("node",),
    "uncordon": ("node",),
    "drain": ("node",),
    "logs": ("since", "tail", "previous", "grep", "container", "pod", "errors", "everyone"),
    "events": ("since", "pod"),
    "history": ("revision",),
    "changes": ("since",),
    "resources": ("since", "container", "pod"),
    "status": ("pod",),
    "incident": ("since",),
}
"""Slots that a model may give beside places. What is lost outright (`force`, `local_data`) is none of them: it has to
be said in words that the rules know."""

MOST_REQUESTS: Final = 6
"""Requests of one utterance that are looked at: two are handled, the others named."""

WITHOUT_MODEL: Final = frozenset({State.EXECUTING, State.HANDED_OFF, State.ARCHIVED})
"""States in which no model is asked: words cannot undo a call that was made, and what people say to each other while a
person has taken over is not the bot's."""


def routes_of(state: State) -> tuple[Route, ...]:
    """The routes that a model is offered in a state, in the order of their names. `confirm` is among them so that
    it can be told from the others, and answered: it never has anything run."""
    return tuple(sorted(ROUTES[state]))


def intents_of(state: State) -> tuple[str, ...]:
    """The intents that a model is offered in a state."""
    if state in WITHOUT_MODEL:
        return ()
    common = (*QUERIES, *ACTIONS, "hand_off", "help")
    return (*common, CHANGE) if state in (State.IDLE, State.FOLLOW_UP) else (*common, CHANGE, PLAN)


def slots_of(intent: str) -> tuple[str, ...]:
    """The slots that a request of this intent may have."""
    return (*SLOTS.get(intent, ()), *PLACES)


ALL_SLOTS: Final = tuple(dict.fromkeys((*(slot for slots in SLOTS.values() for slot in slots), *PLACES)))
