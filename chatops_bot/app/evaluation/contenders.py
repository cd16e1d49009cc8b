"""Who is measured: the rules, and beside them the model of a configuration."""

from __future__ import annotations

from collections import Counter
from typing import Final

from chatops_bot.app.bot import BuiltInRules, ByRules
from chatops_bot.app.evaluation.posing import Contender
from chatops_bot.app.modelling import Modelling, interpreter_of
from chatops_bot.app.settings_model import ModelSettings
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.meter import NoMeter

RULES: Final = "rules"

_AT_ONCE: Final = 4
"""Rows that a model is asked about beside each other: fewer than a bot asks, so that it is not measured under load."""


class Tally(NoMeter):
    """Counts what became of the questions to a model: answered or its trouble, and why it was not asked."""

    def __init__(self) -> None:
        self.answers: Counter[str] = Counter()
        self.fallbacks: Counter[str] = Counter()

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        """Of interest are calls and fallbacks."""
        if name == "model_calls":
            self.answers[labels.get("outcome", "")] += int(amount)
        elif name == "model_fallbacks":
            self.fallbacks[labels.get("reason", "")] += int(amount)


def rules(clock: Clock) -> Contender:
    """The built-in rules alone."""
    return Contender(RULES, ByRules(BuiltInRules()), clock)


def with_model(chosen: ModelSettings, clock: Clock, tally: Tally) -> tuple[Contender, Modelling | None]:
    """The rules with a model beside them, as in a running bot but for the budgets. The second is to be closed."""
    interpreter, made = interpreter_of(chosen, meter=tally)
    return Contender(chosen.name, interpreter, clock, at_once=_AT_ONCE), made
