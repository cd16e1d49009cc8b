"""Words about a hand-off: to whom it is to go, that somebody takes it, that it is asked for at all. They are read here
and by nothing that can be talked into something: whoever is called is called by what was said."""

from __future__ import annotations

import re
from typing import Final

from chatops_bot.domain.normalise import own_words

LONGEST: Final = 60
"""Characters behind "to" in which a name is looked for."""

_TO: Final = re.compile(
    r"\b(?:hand(?:ing|ed)?|pass|transfer|forward|assign|escalat(?:e|ing)|give|switch|put|bring|send)\b[^.!?\n]{0,30}?"
    r"\b(?:to|through to|over to)\s+(?P<to>.+)|"
    r"\b(?:page|call|ping|get|wake(?: up)?|notify|contact|reach|summon|bring in|loop in|pull in|involve|ask|fetch|find|"
    r"alert|need|want|hand (?:this|it) over)\s+(?P<called>.+)|"
    r"(?:转(?:交|接|到)?给|转(?:接|到)|移交给?|交(?:给|由)|升级(?:给|到|至)|分配给|指派给|派给|(?:叫|喊|呼叫|联系|通知|找|请|让|拉|"
    r"艾特)(?:一下|上)?|call|page)\s*(?P<zh>.+)",
    re.IGNORECASE | re.DOTALL,
)
_END: Final = re.compile(
    r"[,;:!?，。；：！？、\n]|\.(?=\s|$)|"
    r"\s+(?:please|pls|now|asap|to (?:look|take|help|check)|who|and|because|since|as|for|about)\b|"
    r"(?:过?来)?(?:处理|看看|看一?下|看|接手|接管|跟进|介入|帮忙|支援|来)(?:一下|吧|了)*\s*$|吧\s*$",
    re.IGNORECASE,
)
_GENERIC: Final = re.compile(
    r"(?<![\w.-])(?:an?|the|some|any|our|your|another|real|actual|live|human|humans|persons?|people|someone|somebody|anyone|"
    r"anybody|on-?call|duty|engineers?|operators?|support|agents?|experts?|admins?|owners?|colleagues?|teammates?|team|"
    r"group|representative|rep|staff|help|me|us|up|in|it|this|that|whoever|is|person|please|guy|one)(?![\w.-])|"
    r"一?[个位]|值班(?:的)?|人工|真人|人|同学|人员|工程师|同事|老师|负责人|运维|专家|管理员|客服|二线|一线|的|组|团队|来|下|我们?",
    re.IGNORECASE,
)
_NAME: Final = re.compile(r"@?[\w.-]+")
_SELF: Final = re.compile(
    r"(?:hand|give|assign|pass)\b.{0,20}\bto (?:me|myself)\b|(?:转|交|派|分配|指派)(?:给|由)我", re.IGNORECASE
)

TAKES: Final = re.compile(
    r"\W*(?:ok(?:ay)?\W+)?(?:i(?:'ll| will)? take (?:it|this|over)|i(?:'ve| have) got (?:it|this)|i(?:'m| am) on it|"
    r"on it|mine|taking (?:it|this)|(?:好的?\W*)?(?:我来(?:处理|接手|吧|看)?|我接(?:手|管|了)?|交给我|我(?:在)?处理))"
    r"(?:吧|了)?\W*",
    re.IGNORECASE,
)
"""Nothing but that somebody takes what was handed over."""

_ASKS: Final = re.compile(
    r"\b(?:hand|escalat|page|on-?call|human|transfer|assign|ping|call|someone|somebody|get|take over|pass)\b|escalat|"
    r"人工|转|交|值班|叫|找|升级|移交|接手|联系|通知",
    re.IGNORECASE,
)


_BACK: Final = re.compile(
    r"\b(?:resume|continue|carry on|back|take over|come|bot|unpause|release|wake|your turn|yours again|cancel|stop|"
    r"undo|abort|forget|withdraw|revoke|end|no (?:longer )?need|(?:don't|do not) need|never ?mind|nvm|done)\b|"
    r"恢复|继续|机器人|交还|交回|还给|接着|转回|回来|你来|人工|取消|算了|不用|不要|不需要|撤销|停止|结束|无需|别",
    re.IGNORECASE,
)
_BACK_WHOLE: Final = re.compile(
    r"\W*(?:(?:please )?(?:resume|come back)(?:,? (?:bot|please))?|"
    r"bot[, ]+.{0,20}\b(?:resume|continue|back|take over)\b.{0,10}|"
    r"(?:resume|continue|come back|back to you|take over),? bot|(?:你|机器人)?(?:可以)?(?:回来|恢复)(?:吧|了)?|"
    r"机器人\s?(?:继续|回来|接着|接手|恢复).{0,6}|(?:交还?|还|转回)给?机器人.{0,4})\W*",
    re.IGNORECASE,
)


def calls_back(text: str, *, to_bot: bool) -> bool:
    """Whether its author wants the bot back. `to_bot`: it was said to the bot; else it has to say so itself."""
    own = own_words(text)
    return _BACK.search(own) is not None if to_bot else _BACK_WHOLE.fullmatch(own) is not None


def asked_for(text: str) -> bool:
    """Whether its author may have asked for a hand-off in their own words: in what they only quote, nobody has."""
    own = own_words(text)
    return own == text or _ASKS.search(own) is not None


def to_self(text: str) -> bool:
    """Whether the author wants it."""
    return _SELF.search(own_words(text)) is not None


def called(text: str) -> str:
    """What stands where a name would ("team-pay", "@dana"), "" where nothing does."""
    found = _TO.search(own_words(text))
    if found is None:
        return ""
    said = next(part for part in found.groups() if part is not None)[:LONGEST]
    while (end := _END.search(said)) is not None:
        said = said[: end.start()]
    return said.strip()


def only_name(said: str) -> str:
    """The one name in it, without its at sign; "" where it is only somebody, or more than a name."""
    rest = " ".join(_GENERIC.sub(" ", said).split())
    return rest.removeprefix("@") if _NAME.fullmatch(rest) else ""
