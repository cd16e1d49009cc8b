"""Whether an unaddressed message of a room with `listen: all` is for the bot. Design section 4."""

from __future__ import annotations

import re
from typing import Final

from chatops_bot.adapters.rules.requests.finding import find_requests
from chatops_bot.adapters.rules.text.reading import Reading, read
from chatops_bot.adapters.rules.tone.flow import flow_of
from chatops_bot.domain.intents import State, Utterance

_TO_PEOPLE: Final = re.compile(
    r"@\w|\b(?:did|do|have|are|were|can|could|will|would) (?:you guys|anyone|anybody|someone|somebody|everyone|"
    r"any of you)\b|大家|你们|各位|有人|(?:看|查|处理|搞|弄|修)(?:了|过|好了)(?:吗|么|没)"
)
_TELLING: Final = re.compile(
    r"\b(?:i|we|he|she|they)(?:'ve| have|'d| had)? (?:just |already |also )*(?:restarted|scaled|checked|rolled|"
    r"looked|deployed|fixed|"
    r"saw|did|paused|drained)\b|\b(?:let me|let's|lets|i'll|i will|i'm|i am|we'll|we will|we're|we are|gonna)\b|"
    r"我(?:先|来|去|这边|们)"
)

_CALLED: Final = re.compile(
    r"\W*(?:(?:hey|hi|hello|yo|ok|okay|dear) )?(?!(?:hey|hi|hello|yo|ok|okay|so|and|then|now|please|pls|plz|well|right|"
    r"alright|yes|yeah|yep|no|nope|also|first|next|bot|chatops|quick|quickly|sorry|thanks|actually|wait|again|sure|fine|"
    r"great|cool|just|but|or|if|when|can|could|would|will|do|let|urgent|asap|today|team|"
    r"restart|reboot|bounce|scale|roll|drain|cordon|uncordon|pause|resume|delete|kill|check|look|show|get|give|help|need|"
    r"everything|everyone|all|someone)\b)[a-z][a-z'-]+"
    r"(?:[,:]? (?:can|could|would|will|wanna|mind) (?:you|u|ya)\b|,? (?:please|pls|plz) (?=[a-z])|"
    r", ?(?=(?:restart|reboot|bounce|scale|"
    r"roll ?back|drain|cordon|uncordon|pause|resume|delete|kill|check|look|show)\b))|"
    r"\W*(?:[老小阿](?![心是事时])[\u4e00-\u9fff]|[\u4e00-\u9fff]{1,2}(?:哥|姐|总|工))(?:[，,:\s]|你|帮)",
    re.ASCII,
)
"""Begins by calling somebody by name ("bob can you …"): asked of a colleague."""

_HAS_BEEN: Final = re.compile(r"(?:刚刚?|刚才|已经?|之前|昨天|早上).{0,8}(?:过了?|了)(?!吗|么|没)")
"""Told of what was done ("web 刚刚重启过了")."""


_ANNOUNCED: Final = re.compile(r"\W*(?:(?:i|we)(?:'m|'re| am| are)? )?(?:going to|gonna|about to|planning to)\b")
"""What somebody will do himself."""


def carries_request(utterance: Utterance) -> bool:
    """Whether a message asks about a service or orders something, rather than telling what somebody does or did,
    or talking to other people. `utterance` holds the names that were found in it; its state does not matter."""
    reading = read(utterance)
    if tells(reading):
        return False
    findings = find_requests(reading)
    if not findings.requests:
        return bool(flow_of(reading).question and reading.names and not findings.told)
    if any(request.dangerous for request in findings.requests):
        return True
    if findings.reported and not findings.looked and not flow_of(reading).question:
        return any(request.intent != "status" for request in findings.requests)
    if findings.bare:
        return not _says_more(reading.masked)
    return True


def tells(reading: Reading) -> bool:
    """Whether it tells people what somebody does or did, or talks to others than the bot."""
    if _TO_PEOPLE.search(reading.text) or _TELLING.search(reading.masked):
        return True
    if _CALLED.match(reading.masked) or _ANNOUNCED.match(reading.masked):
        return True
    return _HAS_BEEN.search(reading.masked) is not None and not flow_of(reading).question


def carries_request_text(text: str) -> bool:
    """Likewise for a text in which no names were looked for."""
    return carries_request(Utterance(text=text, state=State.IDLE))


def _says_more(masked: str) -> bool:
    """Whether a message says more than a name."""
    return re.search(r"[a-z\u4e00-\u9fff]", re.sub("\ue000+", "", masked)) is not None
