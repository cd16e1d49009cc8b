"""What the engine needs of understanding."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import msgspec

from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.intents import Interpretation, Utterance
from chatops_bot.domain.proposals.evidence import Evidence


class Where(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where something is said: thread and room (keys), what was talked of there lately, and which services there are.
    `ask`: a model may be asked about it, since it is for the bot."""

    thread: str = ""
    room: str = ""
    recent: tuple[Entity, ...] = ()
    catalog: Catalog = Catalog()
    ask: bool = True


ANYWHERE = Where()


class Interpreter(Protocol):
    """Understands one utterance in its state. May be slow (a model); never decides what happens."""

    async def interpret(self, utterance: Utterance, *, where: Where = ANYWHERE) -> Interpretation:
        """Choose among the routes of the state. Raises nothing: what cannot be placed is `unclear` or `chat`."""


class Rules(Protocol):
    """The built-in rules: fast, complete, and the ones that judge confirmations."""

    def interpret(self, utterance: Utterance) -> Interpretation:
        """As `Interpreter`, at once."""

    def evidence(self, utterance: Utterance, intents: Iterable[str]) -> Evidence:
        """What the text bears out of what others make of it, with parameters of these intents."""

    def carries_request(self, utterance: Utterance) -> bool:
        """Whether it asks about a service or orders something, rather than telling people what somebody does."""

    def leaves(self, utterance: Utterance) -> bool:
        """Whether its words leave what its author was doing ("never mind X", "先不管", "use X instead")."""
