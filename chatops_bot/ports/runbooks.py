"""Looking for the runbook that a question is about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import msgspec


class Hit(msgspec.Struct, frozen=True):
    """A runbook that fits, by its id, and the step of it that fits most (from 1; 0: the whole). A higher `score` fits
    better; scores of different questions are not to be compared."""

    id: str
    step: int
    score: float


class RunbookSearch(Protocol):
    """Search among all runbooks in force, in both languages at once."""

    def search(
        self,
        text: str,
        *,
        symptoms: Iterable[str] = (),
        alerts: Iterable[str] = (),
        service: Iterable[str] = (),
        most: int = 3,
    ) -> tuple[Hit, ...]:
        """Those that fit what was asked, the best first, at most so many; none where nothing fits well enough.

        What is known beside the text counts more than its words: `symptoms` (codes of findings), `alerts` (names), and
        `service`, the ids of the service's own runbooks, which are preferred where they fit. Takes about a millisecond.
        """
