"""The chat platform of a run: it shows cards, and delivers what people do until it is acknowledged."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import msgspec

from chatops_bot.domain.cards import Card
from chatops_bot.domain.texts import TEXTS
from tests.safety.wire import Failed, Json


class Shown(msgspec.Struct):
    """One message of the bot and every view that it has had."""

    message: str
    room: str
    thread: str
    views: list[Card]
    key: str = ""
    moments: list[int] = []
    """When each view came."""
    gone: bool = False
    """Deleted by somebody, for good."""
    plan: str = ""
    """Token of the last plan that had buttons on it."""

    @property
    def card(self) -> Card:
        return self.views[-1]


class Platform:
    """Cards by message. `drawn` is told of every new view."""

    def __init__(self, drawn: Callable[[Shown], None]) -> None:
        self._drawn = drawn
        self.cards: dict[str, Shown] = {}
        self._by_key: dict[str, str] = {}
        self.troubles: list[str] = []
        self.activity = 0
        self.notices: list[str] = []

    async def handle(self, method: str, p: Json) -> Any:
        """A worker's call."""
        self.activity += 1
        trouble = self.troubles.pop(0) if self.troubles and method != "notice" else ""
        if trouble == "away":
            raise Failed("away")
        if method == "notice":
            self.notices.append(p["text"])
            return ""
        message = self._post(p) if method == "post" else self._update(p, trouble)
        if trouble == "maybe":
            raise Failed("maybe")
        return message

    def _post(self, p: Json) -> str:
        earlier = self._by_key.get(p["key"]) if p["again"] else None
        message = earlier or f"m{len(self.cards) + 1}"
        if earlier is None:
            self.cards[message] = Shown(message, p["room"], p["thread"], [], key=p["key"])
            self._by_key[p["key"]] = message
        return self._show(message, p)

    def _update(self, p: Json, trouble: str) -> str:
        shown = self.cards[p["message"]]
        if trouble == "gone" or shown.gone:
            shown.gone = True
            self._drawn(shown)
            raise Failed("gone")
        return self._show(p["message"], p)

    def _show(self, message: str, p: Json) -> str:
        shown = self.cards[message]
        shown.views.append(msgspec.convert(p["card"], Card))
        self._drawn(shown)
        return message

    def there(self) -> list[Shown]:
        """Every card that nobody has deleted."""
        return [shown for shown in self.cards.values() if not shown.gone]

    def lanes(self) -> list[list[Shown]]:
        """The same by what they show: a card that had to be posted twice is there twice."""
        found: dict[str, list[Shown]] = {}
        for shown in self.there():
            found.setdefault("|".join(shown.key.split("|")[:3]), []).append(shown)
        return list(found.values())


def titles(key: str) -> re.Pattern[str]:
    """Every title that a text can make, in both languages."""
    forms = (re.sub(r"\\\{\w+\\\}", "(.+)", re.escape(form)) for form in TEXTS[key])
    return re.compile("|".join(forms))


PROMISES: Final = tuple(
    titles(key) for key in ("working", "working_place", "preparing", "judging", "executing", "lost.title")
)
PLAN_TITLES: Final = (titles("plan.title"), titles("plan.title_high"))
DONE: Final = titles("done.title")
NOT_DONE: Final = titles("failed.title")
SWITCHED_ON: Final = titles("switch.on")
