"""Has ended conversations graded by a model, on the lead that understanding goes on too: one budget, one breaker."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import structlog

from chatops_bot.domain.proposals import grading
from chatops_bot.domain.session import Summary
from chatops_bot.domain.settling import Grade
from chatops_bot.engine.understanding import Lead
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.interpreter import Where

log = structlog.get_logger(__name__)

MOST: Final = 200
"""Conversations at a time; those that are left are graded the next time."""

WITHIN_S: Final = 240.0
"""For all of them: how they ended is judged with the grades that there are by then."""


class Grading:
    """Asks one after the other, so that a model that people wait for is left to them."""

    def __init__(self, lead: Lead, *, clock: Clock) -> None:
        self._lead = lead
        self._clock = clock

    async def grades(self, ended: Iterable[Summary]) -> dict[str, Grade]:
        """A grade by thread, of as many as there is time, budget and an answer for; the latest first."""
        until = self._clock.monotonic() + WITHIN_S
        found = {}
        asked = 0
        for one in sorted(ended, key=lambda one: -one.at)[:MOST]:
            if self._clock.monotonic() >= until:
                break
            asked += 1
            grade = await self._grade(one)
            if grade is not None:
                found[one.thread] = grade
        log.info("conversations_graded", asked=asked, graded=len(found))
        return found

    async def _grade(self, one: Summary) -> Grade | None:
        question = grading.question(one, limit=self._lead.limits.characters)
        room = one.room.key if one.room is not None else ""
        reply = await self._lead.ask(question, where=Where(thread=one.thread, room=room))
        if reply is None:
            return None
        prompt = self._lead.model.version(grading.PROMPT)
        grade = grading.graded(reply.text, prompt=f"{self._lead.model.name} {prompt}")
        if grade is None:
            log.info("model_grade", result="unusable")
        return grade
