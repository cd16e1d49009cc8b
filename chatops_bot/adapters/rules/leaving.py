"""Whether somebody who names another service leaves, in so many words, what they were doing (R6)."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from chatops_bot.adapters.rules.routing import route
from chatops_bot.adapters.rules.text.reading import NAME, read
from chatops_bot.domain.corrections import corrects
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.intents import PendingPlan, Route, State, Utterance

_ASIDE: Final = re.compile(
    r"先放|放一放|放一边|放下|搁置|先不管|先别管|不管|换成|改成|改为|而是|"
    r"\b(?:park|shelve|drop|skip|forget|ditch) (?:this|it|that|the)\b|\b(?:put|set) (?:this|it|that)(?: \w+)? "
    r"(?:aside|on hold|down|off)\b|\bleave (?:this|it|that)\b|\binstead\b|\bnever ?mind\b|\bscratch that\b|"
    r"\brather than\b",
    re.IGNORECASE,
)
_NOT_THAT: Final = re.compile(
    rf"\W*(?:(?:(?:no+|nope|nah|oops|sorry|sry|wait|stop)(?![a-z])|不对|不是|不|错了|[说搞弄]错了|[啊哦呃额])\W*)+"
    rf"(?:(?:it'?s|the)\s+|(?:应该)?是)?{NAME}+"
    rf"(?:[\s,，.。!！]|(?:in|on|the|one|prod|production|staging)(?![a-z])|线上|生产|预发|测试|环境|的|那个)*",
    re.ASCII,
)
"""Another name alone, behind a word that takes the last one back: "no wait, order-db"."""

_SOME_PLAN: Final = PendingPlan(
    action="scale", entity=Entity(cluster="", namespace="", kind="Deployment", workload="", name="")
)


def leaves(utterance: Utterance) -> bool:
    """A new order or a bare name alone leaves nothing: the old thread lives on under its card."""
    if utterance.dismissed or _ASIDE.search(utterance.text):
        return True
    heard = msgspec.structs.replace(utterance, state=State.CONFIRMING, plans=(_SOME_PLAN,))
    reading = read(heard)
    does = route(reading, heard).route
    taken_back = corrects(utterance.text) or _NOT_THAT.fullmatch(reading.masked) is not None
    return does is Route.CANCEL or (does is Route.MODIFY and taken_back)
