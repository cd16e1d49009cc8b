"""Where a rollback goes back to, as it was said: a revision's number, an image or its tag, or plainly the one before.

Words that name something else ("yesterday's", "two versions", "昨天的版本") are given as they stand: nothing fits them,
so that they are asked about, where leaving them out would mean the previous revision.
"""

from __future__ import annotations

import re
from typing import Final

from chatops_bot.adapters.rules.text.numbers import NUM, is_number, whole
from chatops_bot.adapters.rules.text.reading import NAME
from chatops_bot.adapters.rules.values import slots
from chatops_bot.domain.intents import SlotValue

LONGEST: Final = 40

_BECAUSE: Final = re.compile(r"(?:\b(?:because|since|as it|due to|after|cause)\b|因为|由于).*", re.DOTALL)
_VERB: Final = re.compile(
    r"\broll(?:ing)?(?:[ -]?back)?\b|\bback\b|\brevert\b|\bundo\b|\brestore\b|\bdowngrade\b|回滚|回退|退回|撤回|"
    r"降级|恢复|"
    r"还原|切回?|换回?|倒回|回|退"
)
_TO: Final = re.compile(r"\b(?:to|onto)\b|到|至|为|成")
_PLACED: Final = re.compile(
    r"\b(?:in|on|for|at|please|pls|right now|now|asap|thanks?|thx|can|lah|la|leh|lor|liao)\b.*|(?:[,;!?，。；！？]|"
    r"\.(?!\d)).*",
    re.DOTALL,
)
_END: Final = re.compile(r"[,;!?，。；！？]|\.(?!\d)")
_PREVIOUS: Final = re.compile(
    r"previous|prior|last|old(?:er)?|earlier|before(?:this|that|it)?|(?<!上)上一?(?!上)|前一?|之前|旧|老|原来|原先|"
    r"先前|上次"
)
_LITTLE: Final = re.compile(
    r"\b(?:the|its?|a|an|one|version|revision|rev|release|build|image|tag|deployment|service|of|number)\b|"
    r"(?:好|行|可以)(?:吗|不)|版本|版|镜像|发布|个|的|那|这|了|吧|呢|啊|呗|哈|嘛|啦|喽|哦|一下|请"
    r"|谢谢|谢了|求求?你?|拜托|麻烦|辛苦|服务|"
    r"去|先|马上|立刻|赶紧|次"
)
_SEVERAL: Final = re.compile(
    rf"(?:{NUM})\s*(?:versions?|revisions?|releases?|deploy(?:ment)?s|steps?|times)\b|(?:{NUM})\s*(?:个|次|"
    rf"代)?\s*版|上上"
)
_ONE: Final = re.compile(r"(?:one|a|1)\b|一(?![十百])", re.ASCII)
_CALLED: Final = re.compile(r"^(?:版本号?|(?:version|revision|rev)\b)\s*#?(?=\S)")
_BLANK: Final = re.compile(rf"[\s{NAME}\"'`:：#]+")


def back_to(masked: str, text: str) -> SlotValue | None:
    """The slot `revision` of a rollback; None where nothing is said of it, or only "the previous one"."""
    masked = _BECAUSE.sub("", masked)
    number = slots.revision(masked, text)
    if number is not None:
        return number
    verb = _VERB.search(masked)
    start = _TO.search(masked, verb.start()) if verb is not None else None
    return _plain(masked, text) if start is None else _destination(masked[start.start() :], text[start.start() :])


def _plain(masked: str, text: str) -> str | None:
    """Without "to": several versions back, or a version named in the same breath ("web 回退 1.4.2 版本")."""
    several = _SEVERAL.search(masked)
    if several is not None:
        return None if _ONE.match(several.group()) else several.group()
    end = _END.search(masked)
    upto = len(masked) if end is None else end.start()
    return slots.image(masked[:upto], text[:upto])


def _destination(masked: str, text: str) -> SlotValue | None:
    """What stands behind "to", which both begin with."""
    said = _PLACED.sub("", _TO.sub("", masked, count=1))
    rest = _BLANK.sub("", _LITTLE.sub("", said))
    if not rest or _PREVIOUS.fullmatch(rest):
        return None
    if rest.isascii() and rest.isdigit():
        return int(rest)
    if is_number(rest) and not rest.isascii():
        return whole(rest)
    return slots.image(masked, text) or _CALLED.sub("", said.strip(f" {NAME}"))[:LONGEST]
