"""What was done before, of the whole room: "what happened here last night". Of one service it is a query as any other.

It needs no entity, asks for none and binds none: what is found is of several, and of each only what the asker may read.
"""

from __future__ import annotations

from chatops_bot.domain.dialogue import requests
from chatops_bot.domain.dialogue.reading import have_read
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.dialogue.views import progress_card
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.intents import Request, SlotValue
from chatops_bot.domain.say import say

INTENT = "changes"
PART = "ours"
ROOM = "room"
"""Value of the slot `about`: whatever is talked about, the room is meant."""


def of_room(turn: Turn, request: Request, said_before: Entity | None) -> bool:
    """Whether it is asked of the room: said so, or there is no service that it could be about."""
    if request.intent != INTENT or request.slots.get("part") != PART:
        return False
    if request.name is not None:
        return False
    if request.slots.get("about") == ROOM:
        return True
    return said_before is None and not request.pronoun and turn.session.lock is None


def start(turn: Turn, said: dict[str, SlotValue]) -> None:
    """Have it looked up; there is nothing to be remembered of it, since it changes with every turn."""
    user = turn.user
    if user is None:
        return
    slots = {name: value for name, value in said.items() if name in ("since", "when", "part")}
    asked: dict[str, SlotValue] = {**slots, "about": ROOM}
    turn.record("request", action=INTENT, text="past")
    requests.stands(turn, INTENT, None, asked)
    turn.set(used=True, last_query=Request(intent=INTENT, slots=asked))
    card = turn.reply(progress_card(say("working.alone", intent=f"intent.{PART}"), turn.language), awaits=True)
    have_read(turn, card, INTENT, user, None, slots=slots)
