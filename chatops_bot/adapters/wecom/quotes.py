"""Which message of the bot somebody quoted: WeCom tells the words of a quotation, but not whose message it was.

So what the bot showed is remembered for a day, and a quotation belongs to the message whose words it shares from the
beginning. Where messages of two talks fit equally well it belongs to neither, and what was said means one's own.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, NamedTuple

from chatops_bot.adapters.wecom.kept import Kept
from chatops_bot.ports.clock import Clock

LIVES_S: Final = 86_400.0
WORDS: Final = 2000
VIEWS: Final = 200
"""Views that are remembered of one room."""
LEAST: Final = 8
"""Letters and digits that have to agree, where the message has as many."""


class _View(NamedTuple):
    words: str
    message: str
    thread: str


class Quotes:
    """Views shown, by room."""

    def __init__(self, *, clock: Clock) -> None:
        self._rooms: Kept[OrderedDict[_View, None]] = Kept(clock=clock, lives_s=LIVES_S)

    def shown(self, channel: str, message: str, text: str, *, thread: str) -> None:
        """A message of a talk shows this (markdown) now."""
        views = self._rooms.get(channel) or OrderedDict()
        view = _View(_words(text), message, thread)
        views.pop(view, None)
        views[view] = None
        if len(views) > VIEWS:
            views.popitem(last=False)
        self._rooms.put(channel, views)

    def message(self, channel: str, quoted: str) -> str:
        """The message that a quotation is of, or ""."""
        words = _words(quoted)
        found: list[_View] = []
        best = 0
        for view in self._rooms.get(channel) or ():
            shared = _shared(words, view.words)
            if not shared or shared < max(best, min(LEAST, len(view.words))):
                continue
            found = [view] if shared > best else [*found, view]
            best = shared
        return found[-1].message if len({view.thread for view in found}) == 1 else ""


def _shared(one: str, other: str) -> int:
    """How many characters agree from the beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (mine, its) in pairs if mine != its), min(len(one), len(other)))


def _words(text: str) -> str:
    """Letters and digits alone: what is left of a text whichever way it is marked up."""
    return "".join(character for character in text[: 2 * WORDS] if character.isalnum()).casefold()[:WORDS]
