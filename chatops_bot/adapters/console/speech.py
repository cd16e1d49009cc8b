"""What somebody typed into the console, told apart: the words, and whether they are meant for the bot."""

from __future__ import annotations

import re
from typing import NamedTuple

COMMAND = "/ops"

# Chinese is written without spaces, so only ASCII letters make a longer name of it: "@bot帮我查" is a mention,
# "@bottle", "me@bot" and "@bot.example" are not. An input method may give the full-width signs.
_COMMAND = re.compile(r"\s*[/／]ops(?![A-Za-z0-9_./-])", re.IGNORECASE)
_AFTER_MENTION = " \t,:;，：；、"
_NAMED = re.compile(r"(?<![A-Za-z0-9_.+@-])[@＠]([\w-]+(?:\.[\w-]+)*)")


class Spoken(NamedTuple):
    """`text` without mention and command; `direct` only for the command."""

    text: str
    addressed: bool
    direct: bool


def spoken(text: str, *, bot: str) -> Spoken:
    """Read one line of the console. `bot` is the name that is mentioned, without the at sign."""
    command = _COMMAND.match(text)
    if command:
        text = text[command.end() :]
    mention = re.compile(rf"(?<![A-Za-z0-9_.+@-])[@＠]{re.escape(bot)}(?!\.?[A-Za-z0-9_-])", re.IGNORECASE)
    words, mentions = _without(mention, text)
    return Spoken(words, addressed=bool(command) or mentions > 0, direct=bool(command))


def mentioned(text: str) -> tuple[str, ...]:
    """Names with an at sign before them: nobody proves to be one, so a name is a person."""
    return tuple(dict.fromkeys(found[1] for found in _NAMED.finditer(text)))


def _without(mention: re.Pattern[str], text: str) -> tuple[str, int]:
    """The text without its mentions, and how many there were. One at the start takes its comma along."""
    count = 0
    while (found := mention.match(text.lstrip())) is not None:
        text = text.lstrip()[found.end() :].lstrip(_AFTER_MENTION)
        count += 1
    text, more = re.subn(rf"[ \t]*{mention.pattern}", "", text, flags=re.IGNORECASE)
    return text.strip(), count + more
