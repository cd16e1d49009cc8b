"""Where each state can lead, as data: the drawing in the docs is made from it, and a test walks `decide`
through every state and route to see that it is exactly this."""

from __future__ import annotations

from chatops_bot.domain.intents import State

TRANSITIONS: dict[State, dict[str, tuple[State, ...]]] = {
    State.IDLE: {
        "[diagnose]": (State.FOLLOW_UP,),
        "[events]": (State.FOLLOW_UP,),
        "[hand_off]": (State.HANDED_OFF,),
        "[incident]": (State.FOLLOW_UP,),
        "[logs]": (State.FOLLOW_UP,),
        "[open]": (State.FOLLOW_UP,),
        "[refresh]": (State.FOLLOW_UP,),
        "act": (
            State.IDLE,
            State.COLLECTING,
            State.CONFIRMING,
        ),
        "ask": (
            State.IDLE,
            State.COLLECTING,
            State.FOLLOW_UP,
        ),
        "chat": (State.IDLE,),
        "hand_off": (State.HANDED_OFF,),
        "help": (State.IDLE,),
        "query": (
            State.IDLE,
            State.COLLECTING,
            State.FOLLOW_UP,
        ),
        "time over": (State.ARCHIVED,),
    },
    State.COLLECTING: {
        "[cancel]": (State.FOLLOW_UP,),
        "[hand_off]": (State.HANDED_OFF,),
        "ask": (State.COLLECTING,),
        "cancel": (State.FOLLOW_UP,),
        "chat": (State.COLLECTING,),
        "hand_off": (State.HANDED_OFF,),
        "help": (State.COLLECTING,),
        "left for another service": (State.FOLLOW_UP,),
        "modify": (
            State.COLLECTING,
            State.CONFIRMING,
        ),
        "provide": (
            State.COLLECTING,
            State.CONFIRMING,
        ),
        "switch": (
            State.COLLECTING,
            State.CONFIRMING,
            State.FOLLOW_UP,
        ),
        "third answer that is none": (State.FOLLOW_UP,),
        "time over": (State.ARCHIVED,),
    },
    State.CONFIRMING: {
        "[cancel]": (State.FOLLOW_UP,),
        "[hand_off]": (State.HANDED_OFF,),
        "ask": (State.CONFIRMING,),
        "cancel": (State.FOLLOW_UP,),
        "cannot be planned": (State.FOLLOW_UP,),
        "confirm": (State.CONFIRMING,),
        "confirmed": (State.EXECUTING,),
        "confirmed, approvals wanted": (State.APPROVING,),
        "hand_off": (State.HANDED_OFF,),
        "ledger refuses": (State.FOLLOW_UP,),
        "left for another service": (State.FOLLOW_UP,),
        "modify": (State.CONFIRMING,),
        "switch": (
            State.COLLECTING,
            State.CONFIRMING,
            State.FOLLOW_UP,
        ),
        "time over": (State.ARCHIVED,),
        "unclear": (State.CONFIRMING,),
    },
    State.APPROVING: {
        "[cancel]": (State.FOLLOW_UP,),
        "[hand_off]": (State.HANDED_OFF,),
        "[reject]": (State.FOLLOW_UP,),
        "approved": (State.EXECUTING,),
        "ask": (State.APPROVING,),
        "cancel": (State.FOLLOW_UP,),
        "hand_off": (State.HANDED_OFF,),
        "left for another service": (State.FOLLOW_UP,),
        "modify": (
            State.CONFIRMING,
            State.APPROVING,
        ),
        "switch": (
            State.COLLECTING,
            State.CONFIRMING,
            State.FOLLOW_UP,
        ),
        "time over": (State.ARCHIVED,),
        "unclear": (State.APPROVING,),
    },
    State.EXECUTING: {
        "[hand_off]": (State.HANDED_OFF,),
        "ask": (State.EXECUTING,),
        "cancel": (State.EXECUTING,),
        "done": (
            State.COLLECTING,
            State.ARCHIVED,
        ),
        "hand_off": (State.HANDED_OFF,),
        "refused": (State.FOLLOW_UP,),
        "switch": (State.EXECUTING,),
        "target changed": (State.CONFIRMING,),
        "unknown": (State.ARCHIVED,),
    },
    State.FOLLOW_UP: {
        "[hand_off]": (State.HANDED_OFF,),
        "[take_up]": (
            State.COLLECTING,
            State.CONFIRMING,
        ),
        "act": (
            State.COLLECTING,
            State.CONFIRMING,
            State.FOLLOW_UP,
        ),
        "ask": (State.FOLLOW_UP,),
        "cancel": (State.FOLLOW_UP,),
        "chat": (State.FOLLOW_UP,),
        "done": (State.FOLLOW_UP,),
        "feedback": (State.FOLLOW_UP,),
        "hand_off": (State.HANDED_OFF,),
        "help": (State.FOLLOW_UP,),
        "query": (State.FOLLOW_UP,),
        "refresh": (State.FOLLOW_UP,),
        "switch": (
            State.COLLECTING,
            State.CONFIRMING,
            State.FOLLOW_UP,
        ),
        "time over": (State.ARCHIVED,),
    },
    State.HANDED_OFF: {
        "[give_back]": (State.FOLLOW_UP,),
        "cancel": (State.FOLLOW_UP,),
        "note": (State.HANDED_OFF,),
        "resume": (State.FOLLOW_UP,),
        "time over": (State.ARCHIVED,),
    },
    State.ARCHIVED: {},
}
"""State -> trigger (a route, a button, or an event of the machine) -> states it can lead to."""


def mermaid() -> str:
    """The machine as a Mermaid state diagram, one arrow for each pair of states, triggers joined."""
    lines = ["stateDiagram-v2", f"    [*] --> {State.IDLE.value}"]
    for state in State:
        arrows: dict[State, list[str]] = {}
        for trigger, targets in TRANSITIONS.get(state, {}).items():
            for target in targets:
                arrows.setdefault(target, []).append(trigger)
        lines += [
            f"    {state.value} --> {target.value}: {', '.join(sorted(arrows[target]))}"
            for target in State
            if target in arrows
        ]
    lines.append(f"    {State.ARCHIVED.value} --> [*]")
    return "\n".join(lines) + "\n"
