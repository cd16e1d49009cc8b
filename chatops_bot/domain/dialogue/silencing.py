"""Silencing and acknowledging alerts: not the bot's to do, so that it says where it is done and what it can do."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from chatops_bot.domain.cards import Link, Links
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.dialogue.views import line_card
from chatops_bot.domain.events import Message
from chatops_bot.domain.intents import Interpretation, State
from chatops_bot.domain.normalise import own_words
from chatops_bot.domain.say import say

_POLITE: Final = r"(?:(?:please|pls|plz|can you|could you|just|ok|请|麻烦|帮我?|帮忙|先|给我|把|你)[\s,]*)*"
_ALERT: Final = (
    r"(?:(?:it|this|that|them|these|those|the|this|that|all|one|[\w-]+)\s*)?(?:alerts?|alarms?|pages?|notifications?)?"
    r"(?:\s+(?:for|until|till)\b.*|\s+(?:please|pls|now))?"
)
_ALERT_ZH: Final = r"(?:它|这个|这条|那个|那条|所有|全部|此)?的?(?:告警|报警|警报|通知)?"
_SILENCE: Final = re.compile(
    rf"\W*{_POLITE}(?:(?:silence|mute|snooze|suppress)(?![\w-])\s*{_ALERT}|"
    rf"{_ALERT_ZH}(?:给我|先)?(?:静默|静音|屏蔽|消音)(?:掉|一下|下|了)?{_ALERT_ZH}"
    r"(?:吧|一?会儿?|\s*\d*\s*个?(?:小时|分钟))?)\W*",
    re.IGNORECASE,
)
_ACK: Final = re.compile(
    rf"\W*{_POLITE}(?:ack(?:nowledged?)?(?![\w-])\s*{_ALERT}|"
    r"(?:认领|签收|确认)(?:一下|下)?(?:这个|这条|此)?(?:告警|报警|警报))\W*",
    re.IGNORECASE,
)
_STATES: Final = frozenset({State.IDLE, State.FOLLOW_UP})


def asked(turn: Turn, event: Message, meaning: Interpretation) -> bool:
    """Whether the whole message wants an alert silenced or acknowledged; then it is said how that is done."""
    if turn.session.state not in _STATES or not (event.addressed or event.direct or turn.via_card):
        return False
    if any(request.dangerous for request in meaning.requests):
        return False
    text = own_words(event.text)
    silence, ack = _SILENCE.fullmatch(text), _ACK.fullmatch(text)
    if silence is None and ack is None:
        return False
    turn.route = "silence" if silence is not None else "acknowledge"
    turn.set(used=True)
    alert = turn.session.alert
    where = alert.silence if alert is not None and alert.firing else ""
    if silence is not None:
        lines = (say("silence.there" if where else "silence.where"), say("silence.instead"))
    else:
        lines = (say("silence.no_ack"), say("silence.instead"))
    card = line_card(say("silence.title"), turn.language, *lines, tone="muted")
    if where:
        links = Links((Link(turn.text(say("alert.silence")), where),))
        card = msgspec.structs.replace(card, blocks=(*card.blocks, links))
    turn.reply(card)
    return True
