"""What people write in Feishu, as plain text; and what the bot writes, so that nothing in it rings or is marked up.

Shapes are those of Feishu's page "Receive message content": a message's content is JSON in a string, mentions are keys
(`@_user_1`) that stand for entries of a list beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec

ZERO_WIDTH = "\u200b"
_KEY = re.compile(r"@_user_\d+|@_all")
_GAP = re.compile(r"[ \t\u00a0]{2,}")
_TAG = re.compile(r"<(?=[A-Za-z/])")
_FENCE = re.compile("`{3,}")
_MARKS = re.compile(r"[][<>*_~`\\!#|\s]+")
_LOCALES = ("zh_cn", "en_us", "ja_jp")


class Mentioned(msgspec.Struct, frozen=True):
    """Whom a key stands for: an open id, "" where it is not told, and a name."""

    id: str
    name: str


class Plain(NamedTuple):
    """What somebody wrote, and whether the bot was mentioned in it."""

    text: str
    addressed: bool


class NoText(Exception):
    """A message of a type in which nobody says anything (a picture, a file, a sticker)."""


def plain(
    kind: str, content: str, *, mentions: Mapping[str, Mentioned], bot: str, name_of: Callable[[str], str]
) -> Plain:
    """A message's words: mentions of `bot` (an open id) removed, others as `@name`, links as what they show.

    Raises `NoText`, and `msgspec.DecodeError` (a `ValueError`) on content that is not as Feishu writes it.
    """
    addressed = False

    def shown(found: re.Match[str]) -> str:
        nonlocal addressed
        if found.group() == "@_all":
            return "@all"
        mentioned = mentions.get(found.group())
        if mentioned is None:
            return found.group()
        if mentioned.id and mentioned.id == bot:
            addressed = True
            return " "
        return "@" + (mentioned.name or name_of(mentioned.id) or mentioned.id)

    body = msgspec.json.decode(content, type=dict[str, object])
    if kind == "text":
        words = body.get("text")
        raw = words if isinstance(words, str) else ""
    elif kind == "post":
        raw = _post(body)
    else:
        raise NoText(kind)
    text = _KEY.sub(shown, raw)
    return Plain((_GAP.sub(" ", text) if addressed else text).strip(), addressed)


def _post(body: Mapping[str, object]) -> str:
    """A rich text: title and paragraphs, one a line. One that an app wrote may be wrapped in a language."""
    for locale in _LOCALES:
        inner = body.get(locale)
        if isinstance(inner, Mapping):
            body = inner
            break
    title = body.get("title")
    lines = [title] if isinstance(title, str) and title else []
    content = body.get("content")
    lines.extend(
        "".join(_run(run) for run in _items(paragraph) if isinstance(run, Mapping)) for paragraph in _items(content)
    )
    return "\n".join(lines)


def _items(value: object) -> Sequence[object]:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()


def _run(run: Mapping[str, object]) -> str:
    def field(name: str) -> str:
        value = run.get(name)
        return value if isinstance(value, str) else ""

    match run.get("tag"):
        case "text" | "code_block" | "md":
            return field("text")
        case "a":
            return field("text") or field("href")
        case "at":
            user = field("user_id")
            # A key stands in the list beside; anything else names itself.
            return user if _KEY.fullmatch(user) else "@" + (field("user_name") or user)
        case _:
            return ""


def inert(text: str) -> str:
    """Text as data where Feishu would read tags (plain messages, Markdown): `<at …>` and the like come to nothing,
    because a zero-width space parts the bracket from what follows it."""
    return _TAG.sub("<" + ZERO_WIDTH, text)


def fenced(text: str) -> str:
    """Markdown that shows `text` as code; nothing in it ends the fence or is read as a tag."""
    kept = _FENCE.sub(lambda found: ZERO_WIDTH.join(found.group()), inert(text))
    return f"```\n{kept}\n```"


def link(label: str, url: str) -> str:
    """A link in Markdown; nothing in its label is markup. The address is one of `web_address`."""
    return f"[{' '.join(_MARKS.sub(' ', label).split()) or '–'}]({url})"
