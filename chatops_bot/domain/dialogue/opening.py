"""A row of an overview pressed: a thread of its own, locked to what the row is about, whose user is the presser.

The click is routed to that thread and not to the card's (`routing.for_opening`), so that on the overview nothing
changes. Whoever presses a row again comes back to the thread that they opened by it.
"""

from __future__ import annotations

from chatops_bot.domain.dialogue import requests
from chatops_bot.domain.dialogue.lock import bind
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.events import Click
from chatops_bot.domain.intents import Language
from chatops_bot.domain.say import say

CARD = "c1"
"""The card that the thread begins with."""


def on_click(turn: Turn, event: Click, rest: str) -> None:
    """The diagnosis of the row's entity, on the card of the new thread; pressed again, drawn anew there."""
    said, _, key = event.value.rpartition(" ")
    entity = turn.world.entity(key)
    if entity is None:
        requests.refuse(turn, say("open.gone", name=rest[:60]), reason="button")
        return
    language: Language = "zh" if said == "zh" else "en"
    turn.root = ""
    if not turn.session.cards:
        turn.language = language
        turn.set(language=language)
    bind(turn, entity)
    turn.record("request", service=entity.key, action="status")
    again = bool(turn.session.cards)
    if again and not requests.redrawable(turn, CARD):
        return
    requests.start_query(turn, "status", entity, {}, fresh=True, again_on=CARD if again else "")
