"""Diagnosis: what was observed, judged and put into reports. Pure; a report never raises on odd objects."""

from chatops_bot.domain.diagnosis.happenings import events_report
from chatops_bot.domain.diagnosis.logs import logs_report
from chatops_bot.domain.diagnosis.status import status_report

__all__ = ["events_report", "logs_report", "status_report"]
