"""Words by which somebody takes back which service they meant: "use order-api instead", "不是 web，是 api"."""

from __future__ import annotations

import re
from typing import Final

_CORRECTING: Final = re.compile(
    r"\b(?:instead|rather|i mean(?:t)?|actually|not (?:that|this|the)|wrong (?:one|service|target)|should be|"
    r"should have been|supposed to be|i wanted|autocorrect|mixed (?:it|that|them) up|misspoke|slip of the tongue|"
    r"brain fart|"
    r"change (?:it|that|the \w+) to|switch (?:it|that)? ?to|use|"
    r"make (?:it|that))\b|\bnot \S+,|"
    r"换成|换到|改成|改为|改到|应该是|我是说|我说的是|不是|而是|[搞弄写说打看记想点选]错|[说看记搞弄]串|记混|搞混|用",
    re.IGNORECASE,
)


def corrects(text: str) -> bool:
    """Whether a text takes back a target, rather than only naming another one."""
    return _CORRECTING.search(text) is not None
