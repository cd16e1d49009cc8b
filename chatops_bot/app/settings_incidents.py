"""Incidents: when alerts declare one, and when it is opened again."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, field_validator

from chatops_bot.app.section import Section
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

    @field_validator("severity")
    @classmethod
    def _a_severity(cls, severity: str) -> str:
        known = severity_of(severity)
        if not known:
            raise ValueError(f"{severity!r} is no severity; write one such as sev2 or P1")
        return known

    def of_world(self) -> Incidents:
        """As the dialogue takes it."""
        return Incidents(severities=self.severities, severity=self.severity, reopen_s=self.reopen_h * 3_600)
