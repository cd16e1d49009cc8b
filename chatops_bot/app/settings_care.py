"""Proactive care, as it can be configured; `app/settings.py` says what the sentences below fields are for."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from chatops_bot.app.section import Section
from chatops_bot.domain.care import Terms


class CareSettings(Section):
    """Looking after services without being asked: a card is opened where a severe finding appears and stays."""

    enabled: bool = False
    """Whether services are looked after. Off, because it needs a room and costs the API server reads."""
    room: str = ""
    """Id of the room for the cards, as under `rooms`; a route of `alerts` that names an owner of the service comes
    first."""
    environments: tuple[str, ...] = ()
    """Environments all of whose services are watched, beside those with `watch: true` in the catalog."""
    every_s: Annotated[int, Field(ge=30, le=3_600)] = 120
    """Seconds in which every watched service is looked at once; the looks are spread over them evenly."""
    stays_s: Annotated[int, Field(ge=0, le=86_400)] = 300
    """Seconds that a finding has to stay before a card is opened, and to be gone before it is said to be over."""
    per_hour: Annotated[int, Field(ge=1, le=60)] = 6
    """Cards opened an hour at most, by all replicas together; the others are named on the next one."""

    @model_validator(mode="after")
    def _somewhere(self) -> CareSettings:
        if self.enabled and not self.room:
            raise ValueError("care is enabled, but has no room; set care.room to the id of one")
        return self

    def terms(self) -> Terms:
        """As care takes them."""
        stays = self.stays_s * 1000
        return Terms(stays_ms=stays, gone_ms=stays, per_hour=self.per_hour)
