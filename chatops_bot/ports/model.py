"""What the engine needs of a language model, and of what it may cost."""

from __future__ import annotations

from typing import Final, Literal, Protocol

import msgspec

from chatops_bot.domain.proposals.inquiry import Inquiry

Trouble = Literal["slow", "unreachable", "refused", "limited", "broken", "rejected", "declined", "garbled"]
"""Why there is no answer: it came too late; the server is not reached; the key is not taken; there were too many calls;
the server has an error of its own; it does not take the request; the model would not say it; it is not in the form."""

AGAIN: Final[frozenset[Trouble]] = frozenset({"unreachable", "limited", "broken", "garbled"})
"""Troubles that a second try may mend."""


class ModelError(Exception):
    """No answer. `message` tells an operator more, and holds no text of the conversation and no secret; `after_s` is
    how long the server wants to be left alone. `tokens` were used all the same."""

    def __init__(self, trouble: Trouble, message: str = "", *, after_s: float = 0.0, tokens: int = 0) -> None:
        super().__init__(f"{trouble}: {message}" if message else trouble)
        self.trouble: Trouble = trouble
        self.message = message
        self.after_s = after_s
        self.tokens = tokens


class Reply(msgspec.Struct, frozen=True):
    """What a model answered, as it came: JSON if it kept to the form. Tokens as the server counts them."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0

    @property
    def tokens(self) -> int:
        """Both ways."""
        return self.tokens_in + self.tokens_out


class Model(Protocol):
    """One model of one server."""

    @property
    def name(self) -> str:
        """The model, as the server calls it."""

    @property
    def form(self) -> str:
        """How it is held to the form of its answers, as far as is known by now."""

    def version(self, prompt: str) -> str:
        """The version of a prompt, such as `understand.v1`."""

    async def ask(self, inquiry: Inquiry, *, timeout_s: float) -> Reply:
        """One call, not repeated. Raises `ModelError`."""

    async def close(self) -> None:
        """Release connections."""


class Spending(Protocol):
    """How many tokens were used: by a thread, by a room and by all on one day (UTC), counted for every process."""

    async def spent(self, *, thread: str, room: str, day: str) -> tuple[int, int, int]:
        """So far: of the thread, the room, and all. Raises `StoreUnavailable`."""

    async def spend(self, tokens: int, *, thread: str, room: str, day: str) -> None:
        """Count some. Counted twice where an answer of the store was lost. Raises `StoreUnavailable`."""
