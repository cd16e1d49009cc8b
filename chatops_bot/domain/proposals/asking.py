"""When a model is asked at all: not where the rules are certain, which saves time, money, and texts that leave the
house."""

from __future__ import annotations

import re
from typing import Final

from chatops_bot.domain.intents import Interpretation, Request, State, Utterance
from chatops_bot.domain.normalise import clean, has_chinese, own_words
from chatops_bot.domain.proposals.merging import leaves_open

_SHORT: Final = 80
_SHORT_CHINESE: Final = 40
"""Characters of a message that holds no more than the one thing that the rules found in it."""

_MENTION: Final = re.compile(r"@\S+")


def worth_asking(rules: Interpretation, utterance: Utterance) -> bool:
    """Whether a model may add anything to what the rules say. Not where they place the words as a whole, nor for
    mentions and emoji alone, nor for short, exact requests about what is known."""
    text = own_words(clean(utterance.text))
    if not any(character.isalnum() for character in _MENTION.sub("", text)):
        return False
    if not leaves_open(rules, utterance):
        return False
    return not (len(text) <= (_SHORT_CHINESE if has_chinese(text) else _SHORT) and _exact(rules, utterance))


def _exact(rules: Interpretation, utterance: Utterance) -> bool:
    """Whether the rules found requests of an exact kind, each with its target."""
    if utterance.state not in (State.IDLE, State.FOLLOW_UP) or not rules.requests:
        return False
    return all(request.intent not in ("", "status") and _placed(request, utterance) for request in rules.requests)


def _placed(request: Request, utterance: Utterance) -> bool:
    if request.name is not None:
        return len(request.name.matches) == 1
    return utterance.lock is not None and not utterance.names
