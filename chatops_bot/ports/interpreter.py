"""What the engine needs of understanding."""

from __future__ import annotations

from typing import Protocol

from chatops_bot.domain.intents import Interpretation, Utterance


class Interpreter(Protocol):
    """Understands one utterance in its state. May be slow (a model); never decides what happens."""

    async def interpret(self, utterance: Utterance) -> Interpretation:
        """Choose among the routes of the state. Raises nothing: what cannot be placed is `unclear` or `chat`."""


class Rules(Protocol):
    """The built-in rules: fast, complete, and the ones that judge confirmations."""

    def interpret(self, utterance: Utterance) -> Interpretation:
        """As `Interpreter`, at once."""

    def carries_request(self, utterance: Utterance) -> bool:
        """Whether it asks about a service or orders something, rather than telling people what somebody does."""

    def leaves(self, utterance: Utterance) -> bool:
        """Whether its words leave what its author was doing ("never mind X", "先不管", "use X instead")."""
