"""Addresses that others name (a rule's source, a page of Alertmanager), as they may be shown to people to open."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote, urlsplit

from chatops_bot.domain.masking import mask

LONGEST: Final = 2_000
"""Characters of an address; every platform and browser takes as many."""

_HOST: Final = re.compile(
    r"(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?"
)
_SAFE: Final = "%/:?#&=+,;@~!$-._"
"""Not quoted: of no markup that a platform reads."""


def web_address(text: str) -> str:
    """The address in a form that is no markup anywhere; "" where it is none of the web, names a person or holds what
    looks like a secret."""
    if len(text) > LONGEST or not text.isprintable():
        return ""
    try:
        parts = urlsplit(text)
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not _HOST.fullmatch(parts.netloc) or mask(text) != text:
        return ""
    rest = text[text.index("//") + 2 + len(parts.netloc) :]
    found = f"{parts.scheme}://{parts.netloc}{quote(rest, safe=_SAFE, errors='replace')}"
    return found if len(found) <= LONGEST else ""


def host_of(address: str) -> str:
    """Where an address of `web_address` leads, with its port."""
    return address.split("/", 3)[2]
