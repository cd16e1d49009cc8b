"""An undo that is asked for in words: answered by the button that makes a plan of it, never by the plan itself.

The words may mean any of several changes; the button names one.
"""

from __future__ import annotations

import re
from typing import Final

from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.cards import Button
from chatops_bot.domain.dialogue.turn import Turn, label
from chatops_bot.domain.dialogue.views import choice_card, line_card
from chatops_bot.domain.events import Message
from chatops_bot.domain.intents import Interpretation, State
from chatops_bot.domain.plans import Plan
from chatops_bot.domain.say import say
from chatops_bot.domain.session import Done
from chatops_bot.domain.texts import word

_UNDOES: Final = re.compile(
    r"(?<![\w-])undo(?![\w-])|撤销|撤回|撤消|"
    r"^\W*(?:请|麻烦你?|帮我|把)*\s*(?:回退|还原)(?:一下)?(?:刚才|刚刚|上一?[个次步])的?(?:那个|那次)?(?:操作|变更|改动|动作)|"
    r"^\W*(?:请|麻烦你?|帮我|把)*\s*(?:刚才|刚刚|上一?[个次步])的?(?:那个|那次)?(?:操作|变更|改动|动作)(?:给|都)?(?:回退|还原)",
    re.I | re.ASCII,
)
_NOT: Final = re.compile(
    r"\b(?:not|don'?t|never)\b[^,.;]*\bundo|(?:不要|不用|不能|不必|别|勿)[^,，。]*(?:撤|回退|还原)", re.I
)
_RELEASE: Final = re.compile(
    r"\b(?:deploy|release|rollout|update|upgrade|version|rev(?:ision)?\b)|版本|发布|上线", re.I
)
"""What a rollback goes back from, whoever brought it there."""
_RAN: Final = frozenset({"done", "working", "halted"})


def done(plan: Plan, outcome: str) -> Done | None:
    """What is kept of a change that was written, so that it can be undone by words."""
    action = ACTIONS.get(plan.action)
    if outcome not in _RAN or action is None:
        return None
    undo = action.undo(plan)
    return Done(plan.token, plan.action, plan.entity, undo.action if undo is not None else "")


def asked_by_words(turn: Turn, event: Message, meaning: Interpretation) -> bool:
    """Answer words that want an undo, where nothing waits that they could be about. True when they did."""
    if turn.session.state not in (State.IDLE, State.FOLLOW_UP) or not (
        event.addressed or event.direct or turn.via_card
    ):
        return False
    last = turn.session.done
    if _UNDOES.search(event.text) is None or _NOT.search(event.text) or _orders(event, meaning, last):
        return False
    turn.route = "undo"
    turn.set(used=True)
    named = {service.entity.key for name in meaning.names for service in name.matches}
    if last is None or (named and last.entity.key not in named):
        turn.reply(line_card(say("undo.where"), turn.language, tone="muted"))
        return True
    names = {"action": f"action.{last.action}", "service": label(last.entity)}
    if not last.undo:
        turn.reply(line_card(say("undo.impossible", **names), turn.language, tone="muted"))
        return True
    button = Button(
        "undo", word("button.undo", turn.language), token=last.token, value=f"{last.undo} {last.entity.key}"
    )
    turn.reply(choice_card(say("undo.offer", **names), turn.language, (button,), say("undo.press")))
    return True


def _orders(event: Message, meaning: Interpretation, last: Done | None) -> bool:
    """Whether something else is ordered than to take back what was done."""
    orders = [request for request in meaning.requests if request.dangerous]
    if any(request.intent == "rollback" for request in orders):
        return last is None or _RELEASE.search(event.text) is not None
    others = [request for request in orders if last is not None and request.intent != last.action]
    return bool(others) or len(orders) > 1 or any(request.slots for request in orders)
