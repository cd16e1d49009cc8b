"""Diagnosis: what was observed, judged and put into reports. Pure; a report never raises on odd objects."""

from chatops_bot.domain.diagnosis.changes import changes_report
from chatops_bot.domain.diagnosis.dependents import PART as DEPENDENTS
from chatops_bot.domain.diagnosis.dependents import dependents_report
from chatops_bot.domain.diagnosis.happenings import events_report
from chatops_bot.domain.diagnosis.history import history_report
from chatops_bot.domain.diagnosis.logs import logs_report
from chatops_bot.domain.diagnosis.resources import resources_report
from chatops_bot.domain.diagnosis.status import status_report

__all__ = [
    "DEPENDENTS",
    "changes_report",
    "dependents_report",
    "events_report",
    "history_report",
    "logs_report",
    "resources_report",
    "status_report",
]
