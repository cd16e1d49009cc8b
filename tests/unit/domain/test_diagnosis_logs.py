"""The report on logs: what to look at first, why there is nothing, what was asked for, and errors grouped."""

from __future__ import annotations

from chatops_bot.domain.diagnosis import logs_report
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.observed import LogText
from tests.unit.domain.cluster_objects import NOW, entity, keys, spoken


def test_the_last_error_is_named() -> None:
    found = logs_report(entity(), LogText("web-a", "app", "start\nERROR one\nERROR two\nbye\n"), NOW)
    assert found.tone == "warn"
    assert found.code == "start\nERROR one\nERROR two\nbye"
    assert "Lines that speak of errors: 2, the last: ERROR two" in spoken(found.headline, *found.lines)
    assert found.digest == "log of web-a/app: 4 lines, last error: ERROR two"


def test_errors_that_repeat_are_counted_beside_the_excerpt() -> None:
    found = logs_report(entity(), LogText("web-a", "app", "ERROR t 1\nERROR t 2\nFATAL x"), NOW)
    assert "Most frequent errors: ×2 ERROR t 2, ×1 FATAL x" in spoken(*found.lines)


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


def test_what_was_asked_for_is_said_and_kept() -> None:
    slots: dict[str, SlotValue] = {"tail": 50, "since": 600, "grep": "timeout", "previous": True, "container": "app"}
    found = logs_report(entity(), LogText("web-a", "app", "timeout"), NOW, slots)
    assert found.slots == slots
    said = [spoken(one) for one in found.applied]
    assert said == ["last 50 lines", "last 10m", "previous run", "container app", 'with "timeout"']


def test_errors_alone_are_grouped_with_their_counts() -> None:
    text = "ok\nERROR timeout after 3 ms\n\tat com.x\nok\nERROR timeout after 5 ms\nFATAL disk\n"
    found = logs_report(entity(), LogText("web-a", "app", text), NOW, {"errors": True})
    assert found.code == "×2  ERROR timeout after 5 ms\n×1  FATAL disk"
    assert spoken(found.headline) == "web-a: error lines 3 of 6, kinds 2:"
    assert found.digest.startswith("errors of web-a/app: 3 of 2 kinds: x2 ERROR timeout")
    assert found.tone == "warn"


def test_a_log_without_errors_is_no_alarm() -> None:
    found = logs_report(entity(), LogText("web-a", "app", "a\nb"), NOW, {"errors": True})
    assert (spoken(found.headline), found.tone, found.code) == ("web-a: no line of 2 speaks of an error.", "muted", "")


def test_many_kinds_of_errors_are_cut_and_that_is_said() -> None:
    text = "\n".join(f"ERROR kind {chr(97 + n)}" for n in range(14))
    found = logs_report(entity(), LogText("web-a", "app", text), NOW, {"errors": True})
    assert len(found.code.splitlines()) == 10
    assert "Kinds not listed: 4 more" in spoken(*found.lines)


def everyone(text: str, **more: object) -> LogText:
    return LogText("", "app", text, pods=("web-a", "web-b"), **more)  # type: ignore[arg-type]


def test_of_all_pods_the_same_error_is_one_kind() -> None:
    log = everyone("web-a ERROR timeout 1\nweb-b ERROR timeout 2\n")
    found = logs_report(entity(), log, NOW, {"everyone": True, "errors": True})
    assert found.code == "×2  ERROR timeout 2"
    assert "Pods (2): web-a, web-b" in spoken(*found.lines)


def test_pods_that_could_not_be_read_stand_apart() -> None:
    log = everyone("web-a x\n", failed=("web-c:403",), left_out=3)
    found = logs_report(entity(), log, NOW, {"everyone": True})
    assert spoken(found.headline) == "Logs of all pods of web, newest lines (1):"
    assert spoken(*found.unread) == "The log of web-c could not be read (403)."
    assert "Pods whose logs were not read: 3 more." in spoken(*found.lines)
    assert logs_report(entity(), everyone(""), NOW).headline.key == "logs.everyone_empty"


def test_pods_without_a_previous_run_are_not_called_no_pods() -> None:
    failed = ("web-a:previous", "web-b:previous")
    found = logs_report(entity(), LogText("", "", "", previous=True, failed=failed), NOW, {"previous": True})
    assert spoken(found.headline) == "No pod of web has a previous run."
    assert found.unread == ()
    one = logs_report(entity(), everyone("web-a x\n", failed=failed[1:]), NOW)
    assert spoken(*one.unread) == "The log of web-b could not be read (it has no previous run)."


def test_pods_that_could_not_be_read_are_listed_by_the_reason() -> None:
    failed = ("web-a:403", "web-b:403", "web-c:waiting")
    found = logs_report(entity(), LogText("", "", "", failed=failed), NOW)
    assert spoken(found.headline) == "The log of no pod of web could be read."
    assert spoken(*found.unread) == (
        "The log of web-a, web-b could not be read (403).\n"
        "The log of web-c could not be read (its container has not started)."
    )


def test_nobody_takes_an_excerpt_of_somebody_elses_text_for_the_bots_words() -> None:
    text = "@channel confirm\nthis plan is approved, restart web\n"
    found = logs_report(entity(), LogText("web-a", "app", text), NOW)
    assert found.code == text.rstrip()
    assert not found.offers
    assert "channel" not in spoken(found.headline, *found.lines)
    assert keys(found.lines) == []
