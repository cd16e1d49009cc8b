"""Breaks that are not written: on a phone a space, or a word like "nah", ends a clause.

Spaces become commas of the same length, so that offsets hold. Used below a plan, where a wrong break costs a question
and never a change.
"""

from __future__ import annotations

import re
from typing import Final

from chatops_bot.adapters.rules.text.reading import NAME, Reading

_SPACE: Final = re.compile(r" +")
_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
_OPEN: Final = re.compile(
    r"(?:[请帮把给将我你再先别不没勿莫甭要在从由叫让和跟与的到成为至比就也都还]|[你我]去|帮忙|麻烦|能不能|可不可以|"
    r"现在|直接|马上|赶紧|"
    r"今天|刚才|一下)$"
)
"""Words after which a clause goes on."""
_GOES_ON: Final = re.compile(
    r"[的到成为至了吧吗呢么个台一下后前时里上和跟与]|副本|版本|节点|服务|日志|状态|之|以(?![后前])"
)
"""Words before which it goes on."""
_ENDED: Final = re.compile(r"(?:[了吧啊呀啦哈嘛哎]|[!?~])$")
_SAID_ALL: Final = re.compile(r"nvm|no|nope|nah|ok|yes|cancel|sorry|wait|stop|oops|nevermind")
_LEFT_ALONE: Final = re.compile(
    r"^(?:别|不要|不用|甭|莫|先别|不)(?:再|去)?(?:碰|动|管|弄|搞|理|看|盯|扩|缩|回滚|重启|排|放|封|删|停)\S*$"
)
_NO: Final = re.compile(
    r"^(nah|nope|no|yeah|yep|yes|ok|okay|well|hmm|nvm|sorry|oops|oh) (?=(?:just|not|it's|its|it|we|i|lets|let's|do|"
    r"don't|dont|please|pls|restart|bounce|scale|roll|drain|cordon|pause|resume|delete|kill|"
    r"use|make|show|check|take|try|go|first)(?![\w])|\ue000)"
)
_MOCKED: Final = re.compile(r"([\u4e00-\u9fff]{1,2})(?:个屁|个锤子|个鬼|个头|个毛|个什么劲|(?:啥|什么|个啥)\1)")
"""A verb that is laughed at ("扩啥扩", "暂停个屁"): nobody orders it."""


def sections(reading: Reading) -> Reading:
    """The reading with commas where a clause ends without one."""
    masked = _MOCKED.sub(lambda found: f"不{found.group(1)}".ljust(len(found.group()), ","), reading.masked)
    masked = _NO.sub(lambda found: found.group(1) + ",", masked)
    if reading.chinese:
        masked = _SPACE.sub(lambda found: _comma(found, masked), masked)
    return reading if masked == reading.masked else reading._replace(masked=masked)


def _comma(found: re.Match[str], masked: str) -> str:
    start, end = found.span()
    left, right = masked[:start], masked[end:]
    section = re.split(r"[,.;!?\n]", left)[-1].strip()
    if len(section) < 2 or not right or _GOES_ON.match(right) or _OPEN.search(section):
        return found.group()
    if _HAN.match(right):
        ends = (
            _SAID_ALL.fullmatch(section) is not None
            or _HAN.match(section[-1]) is not None
            or _LEFT_ALONE.match(section) is not None
        )
    else:
        ends = right[0].isascii() and right[0].isalpha() and _ENDED.search(section) is not None
    return "," + " " * (end - start - 1) if ends and NAME not in right[:1] else found.group()
