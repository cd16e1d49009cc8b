"""Whoever wants to be mentioned when something of a conversation changes."""

from __future__ import annotations

from typing import Final

import msgspec

from chatops_bot.domain.identity import User
from chatops_bot.domain.intents import Language
from chatops_bot.domain.say import Say

MOST: Final = 20
"""Subscribers of one conversation, and the most that one card rings."""

HOLDS_MS: Final = 24 * 3_600_000
"""For how long a subscription holds; what has ended is kept for as long."""

GAPS_MS: Final = (60_000, 120_000, 300_000, 600_000, 1_800_000)
"""Between a mention and the next one, the first to the last of them: what flaps does not ring each time."""

MOST_NEWS: Final = 5


class Subscriber(msgspec.Struct, frozen=True, omit_defaults=True):
    """`until` is ms of the store's clock."""

    user: User
    until: int
    name: str = ""
    language: Language = "en"


class News(msgspec.Struct, frozen=True, omit_defaults=True):
    """What subscribers are still to be told (`said`), the last things, how often they were mentioned, and when last.
    `root` is the platform thread in which they asked for it."""

    said: tuple[Say, ...] = ()
    rung: int = 0
    rung_at: int = 0
    root: str = ""

    @property
    def due(self) -> int:
        """From when on they may be mentioned again, ms."""
        return self.rung_at + GAPS_MS[min(self.rung, len(GAPS_MS)) - 1] if self.rung else 0
