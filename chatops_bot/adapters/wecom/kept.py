"""What is remembered for a while, in memory: what is lost with it is a nicety, never the gate."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

from chatops_bot.ports.clock import Clock

Value = TypeVar("Value")


class Kept(Generic[Value]):
    """Values by name, at most `most` of them, each for `lives_s` seconds."""

    def __init__(self, *, clock: Clock, lives_s: float, most: int = 2000) -> None:
        self._clock = clock
        self._lives_s = lives_s
        self._most = most
        self._kept: OrderedDict[str, tuple[float, Value]] = OrderedDict()

    def put(self, name: str, value: Value) -> None:
        """Remember it from now on."""
        self._kept.pop(name, None)
        self._kept[name] = (self._clock.monotonic(), value)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)

    def get(self, name: str) -> Value | None:
        """What is remembered under a name."""
        since, value = self._kept.get(name, (0.0, None))
        return value if value is not None and self._clock.monotonic() - since <= self._lives_s else None

    def take(self, name: str) -> Value | None:
        """The same, and forget it."""
        value = self.get(name)
        self._kept.pop(name, None)
        return value

    def values(self) -> list[Value]:
        """All that is remembered, oldest first."""
        now = self._clock.monotonic()
        return [value for since, value in self._kept.values() if now - since <= self._lives_s]
