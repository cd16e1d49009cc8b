"""Somebody is to be called: a person or a group that is named. To whom exactly is read by the dialogue, not here."""

from __future__ import annotations

from typing import Final

from chatops_bot.adapters.rules.tables import phrases as say
from chatops_bot.adapters.rules.text.patterns import compiled
from chatops_bot.adapters.rules.text.reading import Reading
from chatops_bot.domain.intents import Request

_LONGEST: Final = 120
"""Characters of what asks for no more than that."""

_POLITE: Final = r"(?:(?:can|could|would|will) you |please |pls |kindly |just |now |let's )*"
_IT: Final = r"(?:this|it|that|everything|all this|the (?:\w+ )?(?:issue|incident|case|thread|problem|whole thing))"

_EN: Final = compiled(
    rf"^\s*{say.OPENERS}{_POLITE}(?:"
    rf"(?:hand|pass|transfer|forward|assign|give|escalate) (?:{_IT} )?(?:over |on |off |up )?to "
    r"(?!bot\b|the bot|you\b|\d|N)\S+.*|"
    r"(?:page|ping|call|notify|loop in|bring in|pull in|wake(?: up)?|get) (?:@\S+|(?:the )?(?:N|[\w.-]+)?[ -]?"
    r"(?:team|on-?call)(?:[-.]\w+)*).*|"
    r"get @\S+ (?:in|on(?: this| it)?|here).*)$"
)
_ZH: Final = compiled(
    rf"^\s*{say.OPENERS}(?:请|麻烦|帮我|帮忙|把|将|先|就)*\s*(?:这个|这事儿?|它|问题|这件事|此事|事故|告警)?(?:都|先|就)*(?:"
    r"(?:转(?:交|接|到)?给|移交给?|交(?:给|由)|指派给|分配给|派给|升级(?:给|到|至))"
    r"(?!\s*(?:机器人|你|bot|v?\d|最新|上一|版本|镜像|[\w./-]+:\S*\d)).+|"
    r"(?:叫|喊|呼叫|联系|通知|找|请|让|拉|艾特)(?:一下|上)?\s*@\S+.*)$"
)


def called(reading: Reading) -> Request | None:
    """The request to hand the conversation to somebody named, where that is all that is said."""
    text = reading.masked
    if len(text) > _LONGEST or "\n" in text.strip():
        return None
    return Request("hand_off") if _EN.search(text) or _ZH.search(text) else None
