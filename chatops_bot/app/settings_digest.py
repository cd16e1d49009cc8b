"""The digest of the week, as it can be configured; `app/settings.py` says what the sentences below fields are for."""

from __future__ import annotations

from typing import Annotated, Final, Literal
from zoneinfo import ZoneInfo

from pydantic import Field, field_validator

from chatops_bot.app.section import Section, a_zone
from chatops_bot.domain.intents import Language
from chatops_bot.engine.digest import Terms

_DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


class DigestSettings(Section):
    """Once a week a card that tells what was asked and how it ended, what was changed, refused, and is still open. How
    conversations ended is judged by `chatops-bot settle`, which the chart runs every night."""

    rooms: tuple[str, ...] = ()
    """Ids of the rooms that get one, as under `rooms`. Empty: none is posted."""
    everywhere: bool = False
    """Whether the figures are those of all rooms, for a room of whoever runs the bot. Off: each room is told of itself,
    since what was asked in another may be none of its business."""
    weekday: Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] = "monday"
    """Day on which it is posted; it tells of the seven days before."""
    hour: Annotated[int, Field(ge=0, le=23)] = 9
    """Hour at which it is posted. One that could not be posted within a day is left out."""
    time_zone: str = "UTC"
    """Time zone of that hour, such as `Asia/Shanghai`."""
    price: Annotated[float, Field(ge=0, le=10_000)] = 0
    """What a million tokens of the model cost, so that the digest tells the sum; 0: it tells tokens alone."""
    currency: Annotated[str, Field(max_length=8)] = "USD"
    """What that price is in."""

    @field_validator("time_zone")
    @classmethod
    def _known(cls, name: str) -> str:
        return a_zone(name)

    def terms(self, *, language: Language, model: bool) -> Terms:
        """As the engine takes them. `model`: whether one is configured."""
        return Terms(
            weekday=_DAYS.index(self.weekday),
            hour=self.hour,
            zone=ZoneInfo(self.time_zone),
            language=language,
            everywhere=self.everywhere,
            model=model,
            price=self.price,
            currency=self.currency,
        )
