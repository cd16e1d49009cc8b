"""Slack's text in both directions: tokens and entities of what people write, escaping of what the bot writes.

Rules: Slack's reference "Formatting message text". Incoming, tokens (`<@U1>`, `<#C1|ops>`, `<https://…|label>`)
are parsed first and entities unescaped after; outgoing, `&`, `<` and `>` are the only characters to escape.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import chain
from typing import NamedTuple

_TOKEN = re.compile(r"<([^<>\n]+)>")
_MENTIONED = re.compile(r"(?:@|!subteam\^)([A-Z0-9]+)")
_FENCE = "```"
_BACKTICKS = re.compile("`{3,}")
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_GAP = re.compile(r"[ \t\u00a0]{2,}")


class Plain(NamedTuple):
    """What somebody wrote, as plain text, and whether the bot was mentioned in it. `mentioned` are others: how each
    stands in the text, and its id (`U…`, or `S…` for a user group)."""

    text: str
    addressed: bool
    mentioned: tuple[tuple[str, str], ...] = ()


def plain(text: str, *, bot: str, name_of: Callable[[str], str]) -> Plain:
    """Plain text of a message.

    Mentions of `bot` (a user id) are removed, others become `@name` by `name_of` (which gives "" for a
    stranger: then `@U123`); links become their label, else their address.
    """
    addressed = False
    mentioned: list[tuple[str, str]] = []
    parts: list[str] = []
    end = 0
    for found in _TOKEN.finditer(text):
        parts.append(unescape(text[end : found.start()]))
        end = found.end()
        body = found.group(1)
        if _is_mention_of(body, bot):
            addressed = True
            parts.append(" ")
        else:
            parts.append(unescape(_token(body, name_of)))
            if (whom := _MENTIONED.match(body)) is not None:
                mentioned.append((parts[-1].removeprefix("@"), whom[1]))
    parts.append(unescape(text[end:]))
    joined = "".join(parts)
    if addressed:
        joined = _GAP.sub(" ", joined)
    return Plain(joined.strip(), addressed, tuple(mentioned))


def unescape(text: str) -> str:
    """The three entities that Slack writes; no others, and each only once."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def escape(text: str) -> str:
    """Text as data: no mention, channel or link can begin in it."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def escape_code(text: str) -> str:
    """As `escape`, for the inside of a code block: it cannot end the block either, because zero-width spaces
    keep three backticks apart."""
    if _FENCE in text:
        text = _BACKTICKS.sub(lambda found: "\u200b".join(found.group()), text)
    return escape(text)


def cut(text: str, limit: int) -> str:
    """Escaped text of at most `limit` characters, with "…" where it was cut; never inside an entity."""
    escaped = escape(text)
    if len(escaped) <= limit:
        return escaped
    return escape(text[: fitting(text, limit - 1)]) + "…"


def fitting(text: str, limit: int) -> int:
    """How many characters from the start of `text` have an escaped form of at most `limit` characters."""
    total = 0
    for place, character in enumerate(text):
        total += len(_ESCAPES.get(character, character))
        if total > limit:
            return place
    return len(text)


def chunks(text: str, limit: int) -> list[str]:
    """`text` in pieces whose escaped form holds at most `limit` characters: whole lines where possible, and a
    line that is too long in parts."""
    if len(escape_code(text)) <= limit:
        return [text]
    pieces: list[str] = []
    held: list[str] = []
    size = 0
    for line in chain.from_iterable(_parts(line, limit) for line in text.split("\n")):
        cost = len(escape_code(line)) + 1
        if held and size + cost > limit + 1:
            pieces.append("\n".join(held))
            held, size = [], 0
        held.append(line)
        size += cost
    pieces.append("\n".join(held))
    return pieces


def _parts(line: str, limit: int) -> list[str]:
    parts: list[str] = []
    while len(escape_code(line)) > limit:
        # Backticks that are kept apart take less than twice their room.
        end = fitting(line, limit if _FENCE not in line else limit // 2)
        parts.append(line[:end])
        line = line[end:]
    parts.append(line)
    return parts


def _is_mention_of(body: str, bot: str) -> bool:
    return bool(bot) and body.startswith("@") and body[1:].split("|", 1)[0] == bot


def _token(body: str, name_of: Callable[[str], str]) -> str:
    target, _, label = body.partition("|")
    kind, rest = target[0], target[1:]
    if kind == "@":
        return "@" + (name_of(rest) or label or rest).removeprefix("@")
    if kind == "#":
        return "#" + (label or rest)
    if kind == "!":
        return _special(rest, label)
    return label or target.removeprefix("mailto:").removeprefix("tel:")


def _special(rest: str, label: str) -> str:
    name, _, detail = rest.partition("^")
    if name == "date":
        return label or detail
    if name == "subteam":
        return "@" + (label or detail).removeprefix("@")
    return "@" + (label or name).removeprefix("@")
