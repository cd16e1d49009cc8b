"""Where engine and adapters count what happens, without knowing who reads it."""

from __future__ import annotations

from typing import Protocol


class Meter(Protocol):
    """Counters, durations and levels by name. The names and their labels are declared once, in `app/telemetry.py`."""

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        """Add to a counter."""

    def observe(self, name: str, seconds: float, **labels: str) -> None:
        """One duration."""

    def level(self, name: str, value: float, **labels: str) -> None:
        """How much there is of something now."""


class Silent:
    """Counts nothing: for tests and tools."""

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        pass

    def observe(self, name: str, seconds: float, **labels: str) -> None:
        pass

    def level(self, name: str, value: float, **labels: str) -> None:
        pass
