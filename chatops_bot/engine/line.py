"""Whose turn it is among cards that nobody has asked for: a storm of alerts must not hold up the answers to people."""

from __future__ import annotations

import math
from typing import Final

from chatops_bot.domain.identity import Room
from chatops_bot.ports.clock import Clock

EVERY_S: Final = 2.0
"""Between two such cards of a room: half of what Slack takes, so that the other half is for people."""
BURST: Final = 4
"""So many at once after a pause, which is what Slack takes: none of them is sent away and comes out of order."""
UPDATES_BURST: Final = 8
"""Updates of such cards at once, all rooms together. With one each `EVERY_S` that is 38 a minute; Slack takes fifty."""
_LATE_S: Final = 600.0
"""Who is not shown for so long after their turn, does not come to this process any more."""


class Line:
    """One line a room, kept in this process: each card is told when its turn is, and keeps its place until it is shown.

    Nothing is lost with the process: a card that comes back to another one is given a new place.
    """

    def __init__(self, *, clock: Clock, every_s: float = EVERY_S, burst: int = BURST) -> None:
        self._clock = clock
        self._every_s = every_s
        self._burst = burst
        self._turns: dict[str, float] = {}
        self._next: dict[str, float] = {}
        self._looked = clock.monotonic()

    def wait_s(self, room: Room, card: str) -> float:
        """0 when it is this card's turn, else the seconds until it is."""
        now = self._clock.monotonic()
        self._forget(now)
        turn = self._turns.get(card)
        if turn is None:
            turn = max(self._next.get(room.key, -math.inf), now - (self._burst - 1) * self._every_s)
            self._next[room.key] = turn + self._every_s
            self._turns[card] = turn
        return max(0.0, turn - now)

    def done(self, card: str) -> None:
        """It was shown."""
        self._turns.pop(card, None)

    def _forget(self, now: float) -> None:
        """Now and then, what is of no use any more."""
        if now - self._looked < _LATE_S:
            return
        self._looked = now
        self._turns = {card: turn for card, turn in self._turns.items() if now - turn < _LATE_S}
        self._next = {room: turn for room, turn in self._next.items() if now - turn < self._burst * self._every_s}
