"""A thread that is shown in a second room: which, under which names, and how the two are told apart.

The session lives in its home room. Each of its cards is drawn in both, each in a lane of its own, so that one platform
that is down does not hold up the other.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from chatops_bot.domain.identity import Room

MOST: Final = 3
"""Rooms that one thread is shown in, beside its own."""

_MARK: Final = "@"
_AROUND: Final = " \t\"'“”‘’「」『』#<>《》"
_BEFORE: Final = re.compile(r"^(?:the |our )?(?:(?:room|channel|group)\s+)?", re.I)
_AFTER: Final = re.compile(r"\s*(?:room|channel|group|群聊|群组|频道|房间|群|里)$", re.I)
_PLATFORM: Final = re.compile(
    r"(?:(?P<slack>slack)|(?P<feishu>飞书|feishu|lark)|(?P<wecom>企业微信|企微|wecom)|(?P<console>控制台|console))"
    r"(?:\s*(?:上|里|那边)?的|['’]s|\s*[:：/]|\s)\s*(?P<rest>\S.*)",
    re.I | re.S,
)


class Mirror(msgspec.Struct, frozen=True, omit_defaults=True):
    """A room that a thread is shown in beside its own. `name` is what the configuration calls it, `by` the key of
    whoever linked it."""

    room: Room
    name: str
    by: str = ""


class Linked(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where a card is at home that stands in another room. `card` is the id under which the home room finds its thread,
    "" where only the thread is known."""

    home: Room
    card: str = ""


def lane(card: str, room: Room) -> str:
    """The name of a card's view in another room than its own: the same whenever it is linked again."""
    return f"{card}{_MARK}{hashlib.blake2b(room.key.encode(), digest_size=4).hexdigest()}"


def twin_of(thread: str, name: str) -> str:
    """The id under which a card is found in its home room, whichever of its views was answered."""
    return f"{thread}/{name.partition(_MARK)[0]}"


def place(room: Room) -> str:
    """A room as the configuration and rules name it."""
    return f"{room.platform}:{room.channel}"


def shown(room: Room, links: Mapping[str, Room]) -> str:
    """A room as people call it: by its name in the configuration, else by the platform and its id there."""
    return next((name for name, known in links.items() if known == room), place(room))


def find(links: Mapping[str, Room], said: str) -> tuple[str, Room] | None:
    """The room that is meant: by its name, or its id; with or without its platform before it. None where it is none of
    these, or could be more than one."""
    forms = tuple(dict.fromkeys(_forms(said)))
    found = {name: room for name, room in links.items() if any(_is(name, room, form) for form in forms)}
    return next(iter(found.items())) if len(set(found.values())) == 1 else None


def _forms(said: str) -> Iterable[tuple[str, str]]:
    """(platform or "", name) as it may be meant; a name may have words like "room" beside it that are no part of it."""
    text = said.strip(_AROUND)
    yield from (("", name) for name in _names(text))
    on = _PLATFORM.fullmatch(text)
    if on is not None:
        platform = next(name for name in ("slack", "feishu", "wecom", "console") if on[name])
        yield from ((platform, name) for name in _names(on["rest"].strip(_AROUND)))


def _names(text: str) -> Iterable[str]:
    yield text
    yield _AFTER.sub("", _BEFORE.sub("", text, count=1)).strip(_AROUND)


def _is(name: str, room: Room, form: tuple[str, str]) -> bool:
    platform, said = form
    if platform and platform != room.platform:
        return False
    folded = said.casefold()
    return folded == name.casefold() or said == room.channel or folded == place(room).casefold()
