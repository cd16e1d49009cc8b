"""What a question is read with, and what of it reaches the report."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
import structlog

from chatops_bot.domain import audit
from chatops_bot.domain.audit import Record
from chatops_bot.domain.diagnosis.checks import CHECKS
from chatops_bot.domain.effects import Query
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.observed import Around, LogQuery, LogText, Observed
from chatops_bot.domain.reports import Report
from chatops_bot.domain.texts import render
from chatops_bot.engine.metrics import Charts, Recipes
from chatops_bot.engine.queries import Queries, log_query
from chatops_bot.engine.rates import Rates
from chatops_bot.engine.trail import RECORDS, Trail
from chatops_bot.ports.store import AuditEntry, StoreUnavailable
from tests.unit.domain.cluster_objects import NOW, ended, entity, observed, pod, waiting, workload

ENTITY = entity()
ROOM = Room("console", "t", "ops")
ALICE = User("console", "t", "alice")


class Clock:
    def now(self) -> float:
        return NOW / 1000

    def monotonic(self) -> float:
        return 0.0

    async def sleep(self, seconds: float) -> None:
        raise AssertionError("nothing here waits")


class Reader:
    """Gives what it is given, and remembers how it was asked."""

    name = "prod-east"

    def __init__(self, found: Observed | None = None) -> None:
        self.found = found or observed(workload(replicas=1), pod("web-a"))
        self.asked: list[Any] = []

    async def observe(self, which: Any, *, events: bool = False, needs: frozenset[str] = frozenset()) -> Observed:
        self.asked.append((events, needs))
        return self.found

    async def logs(self, which: Any, query: LogQuery) -> LogText:
        self.asked.append(query)
        return LogText("web-a", "app", "ERROR x\nERROR x")


class Log:
    def __init__(self, *records: bytes, away: bool = False) -> None:
        self.records = list(records)
        self.away = away
        self.asked: list[tuple[str, int]] = []

    async def latest(self, *, shard_of: str, limit: int = 1000) -> list[bytes]:
        self.asked.append((shard_of, limit))
        if self.away:
            raise StoreUnavailable("away")
        return self.records

    async def earlier(self, *, shard_of: str, before: str = "", limit: int = 500) -> list[AuditEntry]:
        raise AssertionError("the newest records are enough")


def asking(intent: str, slots: dict[str, SlotValue] | None = None, *, logs: bool = True) -> Query:
    return Query("q", "t", ROOM, ALICE, intent, ENTITY, slots or {}, logs=logs)


async def answered(effect: Query, reader: Reader, log: Log | None = None) -> Report:
    clock = Clock()
    trail = Trail(log) if log is not None else None
    rates = Rates(clock=clock, per_user=9, per_room=9)
    queries = Queries(clusters={"prod-east": reader}, clock=clock, rates=rates, trail=trail)  # type: ignore[dict-item]
    result = await queries.run(effect)
    assert result.report is not None, result.problem
    return result.report


@pytest.mark.parametrize(
    ("intent", "slots", "needs", "headline"),
    [
        ("status", {}, {"diagnosis"}, "status.healthy"),
        ("status", {"part": "dependents"}, {"diagnosis"}, "dependents.none"),
        ("resources", {}, {"diagnosis"}, "resources.unmeasured"),
        ("events", {}, set(), "events.none"),
        ("history", {}, {"history"}, "history.none"),
        ("changes", {}, {"history", "diagnosis", "configuration"}, "changes.none"),
    ],
)
async def test_each_question_is_read_with_what_it_needs(
    intent: str, slots: dict[str, SlotValue], needs: set[str], headline: str
) -> None:
    reader = Reader()
    report = await answered(asking(intent, slots), reader)
    assert reader.asked == [(True, frozenset(needs))]
    assert report.headline.key == headline
    assert render(report.headline, "zh")


@pytest.mark.parametrize(
    ("slots", "query"),
    [
        ({}, LogQuery(tail=50)),
        ({"tail": 9000, "since": 10**9}, LogQuery(tail=500, since=86_400)),
        ({"errors": True}, LogQuery(tail=1000)),
        ({"errors": True, "tail": 20}, LogQuery(tail=20)),
        ({"everyone": True, "grep": "x" * 999}, LogQuery(everyone=True, grep="x" * 200)),
        ({"pod": "web-a", "container": "app", "previous": True}, LogQuery("web-a", "app", True)),
        ({"tail": "many", "since": -5}, LogQuery(tail=50)),
    ],
)
def test_slots_of_a_log_are_bounded(slots: dict[str, SlotValue], query: LogQuery) -> None:
    assert log_query(asking("logs", slots)) == query


async def test_errors_are_grouped_where_they_are_asked_for() -> None:
    assert "×2" in (await answered(asking("logs", {"errors": True}), Reader())).code
    assert (await answered(asking("logs"), Reader())).code == "ERROR x\nERROR x"


async def test_without_a_prometheus_it_is_said_that_there_are_no_curves() -> None:
    said = [line.key for line in (await answered(asking("resources"), Reader())).lines]
    assert said[-1] == "chart.none"
    assert all(line.key != "chart.none" for line in (await answered(asking("status"), Reader())).lines)
    charts = Charts(
        sources={"prod-east": None},  # type: ignore[dict-item]
        recipes=Recipes(),
        service=lambda key: None,
        clock=Clock(),
    )
    assert charts.covers(ENTITY)
    assert not charts.covers(msgspec.structs.replace(ENTITY, cluster="prod-west"))


def crashing() -> Reader:
    status = waiting("CrashLoopBackOff", restartCount=7, lastState=ended(1))
    found = observed(workload(replicas=1, ready=0), pod("web-a", status))
    around = Around(logs=(LogText("web-a", "app", "boot\nFATAL no licence key", previous=True),), others=())
    return Reader(msgspec.structs.replace(found, around=around))


def whole(report: Report) -> str:
    details = [line for detail in report.details for line in detail.evidence]
    return "\n".join([*(render(line, "en") for line in (*report.lines, *report.unread)), *details])


async def test_a_diagnosis_quotes_no_log_to_whom_the_policy_shows_none() -> None:
    assert "no licence key" in whole(await answered(asking("status"), crashing()))
    withheld = whole(await answered(asking("status", logs=False), crashing()))
    assert "no licence key" not in withheld
    assert "Logs are not quoted" in withheld
    assert "Logs are not quoted" not in whole(await answered(asking("status", logs=False), Reader()))


async def test_a_check_that_fails_is_on_the_card_and_in_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    def tripping(_: object) -> Any:
        raise KeyError("hunter2")

    monkeypatch.setattr("chatops_bot.domain.diagnosis.status.CHECKS", (*CHECKS, tripping))
    with structlog.testing.capture_logs() as logs:
        report = await answered(asking("status"), crashing())
    assert report.codes == ("crash_loop",)
    assert "A check failed itself (tripping: KeyError): what it looks for is not known." in whole(report)
    told = {"event": "check_failed", "log_level": "error", "check": "tripping: KeyError", "intent": "status"}
    assert logs == [{**told, "entity": ENTITY.key}]


def done(service: str = ENTITY.key) -> bytes:
    return audit.encode(
        Record(at=NOW - 60_000, kind="execution", service=service, action="scale", token="t", person="carol")
    )


async def test_what_the_bot_did_is_in_the_changes_with_the_person() -> None:
    log = Log(done(), done("prod-east/shop/deployment/api"))
    report = await answered(asking("changes"), Reader(), log)
    assert report.table[1:] == (("60s", "scale", "carol"),)
    assert log.asked == [(ENTITY.key, RECORDS)]


async def test_a_record_that_cannot_be_read_is_said_and_the_rest_is_answered() -> None:
    report = await answered(asking("changes"), Reader(), Log(away=True))
    assert "The bot's own record of changes could not be read." in whole(report)
    assert (await answered(asking("history"), Reader(), Log(away=True))).headline.key == "history.none"


@pytest.mark.parametrize("intent", ["status", "history", "changes", "resources", "events"])
async def test_no_answer_shows_a_secret_that_stands_in_a_name(intent: str) -> None:
    """References of images are written by whoever writes the workload, some with a password."""
    broken = workload(replicas=1, ready=0)
    broken["spec"]["template"]["spec"]["containers"][0]["image"] = "https://bot:hunter2pass@reg/web:1"
    pulling = pod("web-a", waiting("ImagePullBackOff"), phase="Pending")
    pulling["spec"]["containers"][0]["image"] = "https://bot:hunter2pass@reg/web:1"
    report = await answered(asking(intent), Reader(observed(broken, pulling)))
    shown = msgspec.json.encode(report).decode()
    assert "hunter2" not in shown
    assert intent != "status" or shown.count("https://bot:***@reg/web:1") >= 2


@pytest.mark.parametrize("intent", ["status", "history", "changes", "resources", "events"])
async def test_no_answer_grows_with_what_a_cluster_takes_as_a_name(intent: str) -> None:
    """Of images, reasons and events the API bounds nothing but the whole object: a megabyte and a half."""
    long = "x" * 100_000
    broken = workload(replicas=1, ready=0)
    broken["spec"]["template"]["spec"]["containers"][0]["image"] = long
    pulling = pod("web-a", waiting(long, long), phase="Pending", reason=long)
    pulling["spec"]["containers"][0]["image"] = long
    about = {"kind": "Pod", "name": long}
    event = {"reason": long, "message": long, "type": "Warning", "involvedObject": about, "count": 3}
    found = msgspec.structs.replace(observed(broken, pulling), events=(event,))
    assert len(msgspec.json.encode(await answered(asking(intent), Reader(found)))) < 20_000


@pytest.mark.parametrize("intent", ["status", "history", "changes", "resources", "events"])
async def test_no_answer_moves_a_cursor_or_turns_the_direction_of_writing(intent: str) -> None:
    wild = "a\x1b[31m\x9b0m\u202eb\u2066c"
    broken = workload(replicas=1, ready=0)
    broken["spec"]["template"]["spec"]["containers"][0]["image"] = wild
    pulling = pod("web-a", waiting(wild, wild), phase="Pending", reason=wild)
    event = {"reason": wild, "message": wild, "type": "Warning", "involvedObject": {"kind": "Pod", "name": "web-a"}}
    found = msgspec.structs.replace(observed(broken, pulling), events=(event,))
    shown = msgspec.json.encode(await answered(asking(intent), Reader(found))).decode()
    assert not {"\u202e", "\u2066", "\x9b", "\\u001b"} & {*shown, *re.findall(r"\\u[0-9a-f]{4}", shown)}
