"""An interpreter that is watched while it works."""

from __future__ import annotations

from chatops_bot.domain.intents import Interpretation, Utterance
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.interpreter import ANYWHERE, Interpreter, Where


class Measured:
    """Passes on what another one understands, and keeps what it took."""

    def __init__(self, interpreter: Interpreter, *, clock: Clock) -> None:
        self._interpreter = interpreter
        self._clock = clock
        self._seconds: list[float] = []
        self._tokens: list[int] = []

    async def interpret(self, utterance: Utterance, *, where: Where = ANYWHERE) -> Interpretation:
        """As the other one."""
        begun = self._clock.monotonic()
        meaning = await self._interpreter.interpret(utterance, where=where)
        self._seconds.append(self._clock.monotonic() - begun)
        self._tokens.append(meaning.tokens)
        return meaning

    def taken(self) -> tuple[tuple[float, ...], tuple[int, ...]]:
        """Seconds and tokens of each call since this was asked last."""
        taken = tuple(self._seconds), tuple(self._tokens)
        self._seconds, self._tokens = [], []
        return taken
