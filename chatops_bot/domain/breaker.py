"""A circuit breaker: what has failed again and again is left alone for a while, and then tried once."""

from __future__ import annotations

from typing import Literal

import msgspec

Phase = Literal["closed", "open", "half_open"]


class Breaker(msgspec.Struct, frozen=True):
    """Counts failures in a row. Times are seconds of a clock that never goes back; every step gives a new breaker.

    `after` failures open it for `pause_s`. Then one call is let through as a probe: its success closes it, its
    failure opens it for another pause. A probe that never comes back is forgotten after one more pause.
    """

    after: int = 5
    pause_s: float = 30.0
    failures: int = 0
    opened_at: float = 0.0
    probed_at: float | None = None

    def phase(self, now: float) -> Phase:
        """As it stands."""
        if self.failures < self.after:
            return "closed"
        return "half_open" if now - self.opened_at >= self.pause_s else "open"

    def allows(self, now: float) -> bool:
        """Whether a call may be made now; after `begun`, only one may while it is half open."""
        if self.phase(now) != "half_open":
            return self.phase(now) == "closed"
        return self.probed_at is None or now - self.probed_at >= self.pause_s

    def begun(self, now: float) -> Breaker:
        """A call that it allowed was begun."""
        return msgspec.structs.replace(self, probed_at=now) if self.phase(now) == "half_open" else self

    def succeeded(self) -> Breaker:
        """A call came back."""
        return Breaker(after=self.after, pause_s=self.pause_s)

    def failed(self, now: float) -> Breaker:
        """A call failed."""
        return Breaker(after=self.after, pause_s=self.pause_s, failures=self.failures + 1, opened_at=now)
