"""Text on its way to WeCom: measured as WeCom measures it, and unable to ring anybody or to become markup.

Its pages count a card's texts in Chinese characters ("字"): here in columns, a Chinese character being two and a Latin
letter one. Messages are counted in bytes of UTF-8.
"""

from __future__ import annotations

import re
import unicodedata

_APART = "\u200b"
_TAG = re.compile(r"<(?=[@!/A-Za-z])")
_LINK = re.compile(r"\](?=\()")
_BOLD = re.compile(r"\*(?=\*)")
_HEAD = re.compile(r"^(?=[#>])", re.MULTILINE)
_TICKS = re.compile("`{3,}")
_MENTION = re.compile(r"@(?=all\b|所有人)", re.IGNORECASE)


def columns(text: str) -> int:
    """Width of a text, a Chinese character counted as two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def cut(text: str, limit: int) -> str:
    """One line of at most `limit` columns, with "…" where it was cut."""
    line = " ".join(text.split())
    if columns(line) <= limit:
        return line
    width = 0
    for place, character in enumerate(line):
        width += columns(character)
        if width > limit - 1:
            return line[:place].rstrip() + "…"
    return line


def size(text: str) -> int:
    """Bytes of a text."""
    return len(text.encode("utf-8", "replace"))


def quiet(text: str) -> str:
    """Text in which nothing rings: for the plain fields of a card."""
    return _MENTION.sub("@" + _APART, text.replace("<@", f"<{_APART}@"))


def escape(text: str) -> str:
    """Text as data within markdown: no mention, tag, link, heading, quotation or fence begins in it."""
    text = _TICKS.sub(lambda found: _APART.join(found.group()), text)
    text = _TAG.sub("<" + _APART, text)
    text = _LINK.sub("]" + _APART, text)
    text = _BOLD.sub("*" + _APART, text)
    return quiet(_HEAD.sub(_APART, text))


def escape_code(text: str) -> str:
    """Text for the inside of a fence: it cannot end it, and rings nobody."""
    return quiet(_TAG.sub("<" + _APART, _TICKS.sub(lambda found: _APART.join(found.group()), text)))


def linked(label: str, url: str) -> str:
    """A link in markdown; nothing in its label ends it. The address is one of `web_address`."""
    return f"[{escape(' '.join(re.sub(r'[][]', ' ', label).split())) or '–'}]({url})"


def chunks(text: str, limit: int) -> list[str]:
    """`text` in pieces of at most `limit` bytes, between lines where possible; a fence that is cut is closed and
    opened again."""
    pieces: list[str] = []
    held: list[str] = []
    fenced = False
    for line in _short_lines(text, limit - 8):
        if held and size("\n".join([*held, line])) > limit - 4:
            pieces.append("\n".join([*held, "```"] if fenced else held))
            held = ["```"] if fenced and line != "```" else []
            if line == "```" and fenced:
                fenced = False
                continue
        held.append(line)
        if line == "```":
            fenced = not fenced
    return [*pieces, "\n".join(held)] if held else pieces


def _short_lines(text: str, limit: int) -> list[str]:
    lines: list[str] = []
    for line in text.split("\n"):
        while size(line) > limit:
            end = len(line.encode()[:limit].decode("utf-8", "ignore"))
            lines.append(line[:end])
            line = line[end:]
        lines.append(line)
    return lines
