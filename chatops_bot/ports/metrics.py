"""What the engine needs of a store of measured values, such as Prometheus."""

from __future__ import annotations

from typing import Literal, Protocol

from chatops_bot.domain.charts import Measured

MOST_LINES = 1_000
"""Of one answer: what is beyond is counted, not kept."""

Trouble = Literal["slow", "unreachable", "refused", "wrong", "large"]
"""No answer in time; no connection; an error for an answer; an answer that cannot be understood; one that is too large
to be read."""


class MetricsError(Exception):
    """A query came to nothing; `message` is fit for an engineer (no secrets)."""

    def __init__(self, trouble: Trouble, message: str) -> None:
        super().__init__(message)
        self.trouble: Trouble = trouble
        self.message = message


class Metrics(Protocol):
    """The measured values of one cluster. Every call raises `MetricsError` and nothing else, within its time limit. An
    answer has at most `MOST_LINES`, those that end highest, and no value in them that is no finite number."""

    async def range(self, query: str, *, start: int, end: int, step: int) -> Measured:
        """Lines over a time; `start`, `end` and `step` in ms."""

    async def instant(self, query: str, *, at: int) -> Measured:
        """Lines of one point each, at a time in ms."""

    async def close(self) -> None:
        """Release connections."""
