"""How long what is kept that nobody needs any more to go on."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field, model_validator

from chatops_bot.app.section import Section
from chatops_bot.ports.store import Retention

HOUR: Final = 3_600
DAY: Final = 86_400


class RetentionSettings(Section):
    """How long things are kept in the store once they are over. Another time holds for what is stored, or changed, from
    then on; for the audit log it holds for all of it."""

    duplicates_h: Annotated[int, Field(ge=8, le=72)] = 8
    """Marks against duplicates, in hours. At least 8: Feishu delivers an event again for 7.1 hours."""
    conversations_h: Annotated[int, Field(ge=1, le=720)] = 24
    """A conversation that has ended, with the text of its last messages, in hours. One that goes on is kept."""
    cards_days: Annotated[int, Field(ge=1, le=365)] = 14
    """Which conversation a card belongs to, in days: so long can it be answered, and say why its buttons are void."""
    summaries_days: Annotated[int, Field(ge=1, le=365)] = 30
    """Summaries of conversations, in days: what was asked, found and done, by whom, and how it ended; no messages."""
    plans_days: Annotated[int, Field(ge=1, le=3_650)] = 30
    """Plans in the ledger, in days from their last step: what was shown, decided and done. So long can it be undone."""
    incidents_days: Annotated[int, Field(ge=1, le=3_650)] = 30
    """Incidents with their timelines, in days from their last entry: notes and questions, masked and cut."""
    audit_days: Annotated[int, Field(ge=0, le=3_650)] = 0
    """The audit log in the store, in days; 0 for ever, because what was cut is gone. Not less than `plans_days`.
    Nothing is cut that a place under `audit` has not taken, and what is left can still be verified."""

    @model_validator(mode="after")
    def _stories_are_whole(self) -> RetentionSettings:
        if 0 < self.audit_days < self.plans_days:
            raise ValueError(
                "audit_days is less than plans_days; the story of a plan must not end before the plan does"
            )
        return self

    def of_store(self) -> Retention:
        """As the store takes it."""
        return Retention(
            seen_s=self.duplicates_h * HOUR,
            sessions_s=self.conversations_h * HOUR,
            cards_s=self.cards_days * DAY,
            summaries_s=self.summaries_days * DAY,
            plans_s=self.plans_days * DAY,
            incidents_s=self.incidents_days * DAY,
        )
