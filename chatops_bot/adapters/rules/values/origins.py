"""What a value is changed from ("from 1.4 to 1.5", "从版本 3 回滚到版本 1") stands beside what it is changed to, and is
never wanted itself.

A plain number alone ("from 3 to 5") is left: it may begin a range, or be what a number of replicas is counted from.
"""

from __future__ import annotations

import re
from typing import Final

from chatops_bot.adapters.rules.text.numbers import NUM
from chatops_bot.adapters.rules.text.patterns import compiled

_CALLED: Final = r"(?:the |its )?(?:version|revision|rev|release|tag|image|range|版本号?|修订版?|镜像|范围)\s*[:#]?\s*"
_PART: Final = r"[\w./:@\ue000\ue001-]"
_TIME: Final = r"(?!\d{1,2}:\d\d)"
_TOLD: Final = (
    rf"(?:\d+\s*(?:~|到|至|to)\s*\d+|{_CALLED}{_PART}*\d{_PART}*|"
    rf"{_TIME}(?=v\d|{_PART}*[./:@-]){_PART}*\d{_PART}*|latest|stable)"
)
_TURNED: Final = (
    r"\s*(?:版本?|镜像|个)?\s*(?:\bto\b|->|=>|→|(?:升级?|降级?|提高?|换|改|回滚|回退|退|切换?|更新|替换|调整?|变更?)*"
    r"(?:到|成|为|至|回))\s*"
)
_ORIGIN: Final = re.compile(
    rf"(?:\bfrom|从|由)\s*{_TOLD}(?={_TURNED}(?:the )?(?:{_CALLED})?(?:{_PART}*\d|latest|stable))", re.ASCII
)
_LOWER: Final = r"\bmin(?:imum)?|最小|最少|下限"
_UPPER: Final = r"\bmax(?:imum)?|最大|最多|上限"
_BOUND: Final = compiled(
    rf"(?P<which>(?:{_LOWER}|{_UPPER})[^,;!?]{{0,40}}?)(?:\bfrom|从|由)\s*{NUM}\s*(?:个|replicas|副本)*"
    rf"(?=\s*(?:\bto\b|->|→|(?:提|改|调|升|降|加|减|换|变|设)*(?:高|低|大|小|整)?(?:到|成|为|至))\s*{NUM})"
)
_LOW: Final = re.compile(_LOWER)
_HIGH: Final = re.compile(_UPPER)


def without_origins(masked: str) -> str:
    """The text with origins blanked out; equally long."""
    return _ORIGIN.sub(lambda found: " " * len(found.group()), masked)


def without_old_bounds(masked: str) -> str:
    """Likewise, of one bound of a range ("max from 8 to 20"); of both at once, the numbers are the range."""
    return _BOUND.sub(_bound, masked)


def _bound(found: re.Match[str]) -> str:
    which = found["which"]
    if _LOW.search(which) and _HIGH.search(which):
        return found.group()
    return which + " " * (len(found.group()) - len(which))
