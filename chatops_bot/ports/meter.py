"""What the engine counts."""

from __future__ import annotations

from typing import Protocol


class Meter(Protocol):
    """Names and labels are those of `app/telemetry`."""

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        """One more of something."""

    def observe(self, name: str, seconds: float, **labels: str) -> None:
        """How long something took."""


class NoMeter:
    """Counts nothing."""

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        """Nothing."""

    def observe(self, name: str, seconds: float, **labels: str) -> None:
        """Nothing."""
