"""What is broken in a namespace or a cluster: needs no service, asks for none, and locks nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from chatops_bot.domain.dialogue import requests
from chatops_bot.domain.dialogue.reading import have_read
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.dialogue.views import progress_card, report_card
from chatops_bot.domain.intents import Request, SlotValue
from chatops_bot.domain.say import say

INTENT: Final = "overview"
SLOTS: Final = ("cluster", "namespace", "environment", "about")
"""Where is looked, and what is asked of it: `restarts`, `pods` (that are not ready), `jobs`; left out: all problems."""


def start(turn: Turn, said: Mapping[str, SlotValue], *, fresh: bool = False, again_on: str = "") -> None:
    """Answer from memory while that is fresh, else look. `again_on` is a card to be drawn anew."""
    user = turn.user
    if user is None:
        return
    slots = {name: said[name] for name in SLOTS if name in said}
    where = str(slots.get("namespace") or slots.get("cluster") or "-")
    turn.record("request", action=INTENT, text=where)
    requests.stands(turn, INTENT, None, slots)
    turn.set(used=True, last_query=Request(intent=INTENT, slots=slots))
    known = turn.session.results.get(INTENT)
    fresh_ms = turn.world.recall.fresh_s[INTENT] * 1000
    if known is not None and known.slots == slots and not fresh and turn.now - known.at < fresh_ms:
        card = turn.new_card()
        notes = (say("answer.as_of", seconds=(turn.now - known.at) // 1000),)
        turn.draw(card, report_card(known, turn.language, notes=notes, card=card))
        turn.answer_card = card
        requests.repeat_prompt(turn)
        return
    card = again_on or turn.new_card()
    turn.answer_card = card
    if again_on and known is not None:
        again = report_card(known, turn.language, notes=(say("report.refreshing"),), card=card)
        turn.draw(card, again, awaits=True)
    else:
        place = where if where != "-" else "place.everything"
        turn.draw(card, progress_card(say("overview.working", place=place), turn.language), awaits=True)
    ask(turn, card, INTENT, slots)


def ask(turn: Turn, card: str, intent: str, slots: dict[str, SlotValue]) -> None:
    """Have it looked for; the answer goes to that card."""
    user = turn.user
    if user is None:
        return
    have_read(turn, card, intent, user, None, slots=slots)
