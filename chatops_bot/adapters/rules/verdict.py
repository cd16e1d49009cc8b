"""What understanding comes to, before it is an `Interpretation`."""

from __future__ import annotations

from typing import NamedTuple

from chatops_bot.domain.intents import Request, Route


class Verdict(NamedTuple):
    """A route with what goes with it."""

    route: Route
    requests: tuple[Request, ...] = ()
    affirmative: bool = False
