"""The report on a log: what to look at first, and why there is nothing."""

from __future__ import annotations

from chatops_bot.domain.diagnosis import logs_report
from chatops_bot.domain.observed import LogText
from tests.unit.domain.cluster_objects import NOW, entity, spoken


def test_the_last_error_is_named() -> None:
    found = logs_report(entity(), LogText("web-a", "app", "start\nERROR one\nERROR two\nbye\n"), NOW)
    assert found.tone == "warn"
    assert found.code == "start\nERROR one\nERROR two\nbye"
    assert "Lines that speak of errors: 2, the last: ERROR two" in spoken(found.headline, *found.lines)
    assert found.digest == "log of web-a/app: 4 lines, last error: ERROR two"


def test_the_previous_run_is_called_so() -> None:
    found = logs_report(entity(), LogText("web-a", "app", "x", previous=True, note="logs.note.crashed"), NOW)
    assert "PREVIOUS run of web-a, container app, newest lines (1)" in spoken(found.headline)
    assert "keeps crashing" in spoken(*found.lines)
    assert found.tone == "info"


def test_an_empty_log_and_no_pods_are_answers() -> None:
    empty = logs_report(entity(), LogText("web-a", "app", "", note="logs.note.waiting"), NOW)
    assert (empty.headline.key, empty.tone) == ("logs.empty", "muted")
    none = logs_report(entity(), LogText("", "", "", note="logs.note.no_pods"), NOW)
    assert spoken(none.headline) == "web has no pods, so there is no log."
