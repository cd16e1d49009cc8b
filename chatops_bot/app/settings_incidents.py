"""Incidents: when alerts declare one, and when it is opened again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field, field_validator

from chatops_bot.app.section import Section
from chatops_bot.app.settings_platforms import RoomSettings
from chatops_bot.domain.incident_words import severity_of
from chatops_bot.domain.incidents import Incidents


class IncidentSettings(Section):
    """Incidents, which people declare in a thread, or alerts by themselves."""

    severities: tuple[str, ...] = ()
    """Values of the label `severity` whose alerts declare an incident, such as `critical`. None, because then nobody is
    asked whether it is one."""
    severity: str = "sev3"
    """Severity of an incident that is declared without any: `sev0` to `sev5`, `P0` to `P5` or `S0` to `S5`."""
    reopen_h: Annotated[int, Field(ge=0, le=720)] = 24
    """For how many hours after it was resolved a new firing of its alerts opens it again; later it is another."""

    links: dict[str, str] = Field(default={})
    """Rooms that an incident may be shown in beside its own: ids of rooms, as under `rooms`, by the names that people
    call them (`link the incident to NAME`). None, because an incident is then read by whoever is in that room."""

    @field_validator("links")
    @classmethod
    def _names(cls, links: dict[str, str]) -> dict[str, str]:
        for name in links:
            if not name.strip() or name != name.strip() or len(name) > 80 or not name.isprintable():
                raise ValueError(f"{name!a} is no name for a room; write what people call it, at most 80 characters")
        return links

    @field_validator("severity")
    @classmethod
    def _a_severity(cls, severity: str) -> str:
        known = severity_of(severity)
        if not known:
            raise ValueError(f"{severity!r} is no severity; write one such as sev2 or P1")
        return known

    def of_world(self, rooms: Mapping[str, RoomSettings]) -> Incidents:
        """As the dialogue takes it. Which organisation a room is of, and with it the links, is known later."""
        return Incidents(
            severities=self.severities,
            severity=self.severity,
            reopen_s=self.reopen_h * 3_600,
            linkable=frozenset(f"{rooms[room].platform}:{room}" for room in self.links.values()),
        )
