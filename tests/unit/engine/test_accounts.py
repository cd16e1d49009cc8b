"""What was done in a span of time, of what is on record: once each, by who may read it, with where the records end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import msgspec

from chatops_bot.domain import audit
from chatops_bot.domain.audit import Kind, Record
from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.effects import Query
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.memory import Fact, Gist, ref_of
from chatops_bot.domain.pasts import SHOWN
from chatops_bot.domain.policy import Policy, Rule
from chatops_bot.domain.reports import Report
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.session import Assigned, Summary, encode_beside
from chatops_bot.domain.texts import render
from chatops_bot.domain.world import Recall, World
from chatops_bot.engine.accounts import MOST_ENTITIES, MOST_SUMMARIES, Accounts
from chatops_bot.engine.trail import PAGE, PAGES, Trail
from chatops_bot.ports.incidents import IncidentRecord
from chatops_bot.ports.store import AuditEntry, StoreUnavailable
from chatops_bot.ports.summaries import StoredSummary

ROOM, OTHER = Room("console", "local", "ops"), Room("console", "local", "other")
WEB = Entity("east", "shop", "Deployment", "web", "web", "prod")
NOW = 1_767_614_400_000  # 2026-01-05T12:00Z, a Monday
HOUR = 3_600_000


class Records:
    """Summaries, incidents and the audit log, as they were put in."""

    def __init__(self) -> None:
        self.summaries: list[Summary] = []
        self.records: list[tuple[str, Record]] = []
        self.opened: list[IncidentRecord] = []
        self.away = False

    async def of(
        self, room: str, about: str = "", *, limit: int, since: int = 0, until: int = 0
    ) -> list[StoredSummary]:
        if self.away:
            raise StoreUnavailable("away")
        found = [
            StoredSummary(room, one.thread, one.at, encode_beside(one))
            for one in self.summaries
            if since <= one.at < (until or NOW * 2) and (not about or (one.entity and one.entity.key == about))
        ]
        return sorted(found, key=lambda one: -one.ended)[:limit]

    async def earlier(self, *, shard_of: str, before: str = "", limit: int = 500) -> list[AuditEntry]:
        if self.away:
            raise StoreUnavailable("away")
        mine = [record for key, record in self.records if key == shard_of]
        end = int(before) if before else len(mine)
        page = list(enumerate(mine))[:end][::-1][:limit]
        return [AuditEntry(0, str(place), audit.encode(record), "", "") for place, record in page]

    async def latest(self, *, shard_of: str, limit: int = 1000) -> list[bytes]:
        return [entry.record for entry in await self.earlier(shard_of=shard_of, limit=limit)]

    async def incidents(self, *, room: str = "") -> list[IncidentRecord]:
        if self.away:
            raise StoreUnavailable("away")
        return self.opened

    def ended(self, since: int, until: int) -> AsyncIterator[StoredSummary]:
        raise NotImplementedError

    async def settle(self, read: StoredSummary, body: bytes) -> bool:
        raise NotImplementedError

    async def incident(self, id: str, *, room: str = "") -> IncidentRecord | None:
        raise NotImplementedError

    async def incident_of(self, group: str, *, room: str) -> str:
        raise NotImplementedError

    async def next_incident(self, day: str) -> int:
        raise NotImplementedError

    def executed(self, token: str, *, at: int = NOW - HOUR, room: Room = ROOM, reason: str = "done") -> None:
        record = Record(
            at=at,
            kind="execution",
            user="bob",
            room=room.key,
            service=WEB.key,
            action="scale",
            parameters={"replicas": 5},
            before={"replicas": 2},
            token=token,
            reason=reason,
        )
        self.records.append((WEB.key, record))

    def noted(self, kind: Kind, *, at: int = NOW - HOUR, room: Room = ROOM, reason: str = "policy") -> None:
        record = Record(at=at, kind=kind, user="carol", room=room.key, service=WEB.key, action="restart", reason=reason)
        self.records.append((ROOM.key, record))

    def told(self, token: str, *, at: int = NOW - HOUR, outcome: str = "verified") -> None:
        said = say(
            "memory.deed",
            action="action.scale",
            service="web",
            change="replicas 2 → 5",
            outcome=f"outcome.{outcome}",
            asker="alice",
        )
        fact = Fact("done", said, at, ref_of(token), by="bob", about=WEB.key)
        self.summaries.append(Summary(thread=f"t{token}", at=at, entity=WEB, gist=Gist((fact,))))


def report(
    records: Records,
    *,
    entity: Entity | None = WEB,
    recall: Recall | None = None,
    policy: Policy | None = None,
    **slots: SlotValue,
) -> Report:
    catalog = Catalog([Service(entity=WEB)])
    world = World(catalog=catalog, policy=policy or Policy.open(), recall=recall or Recall())
    accounts = Accounts(summaries=records, incidents=records, trail=Trail(records), world=lambda: world)
    asker = User("console", "local", "dana")
    effect = Query("e", "t", ROOM, asker, "changes", entity, slots={"part": "ours", **slots})
    return asyncio.run(accounts.report(effect, NOW))


def lines(found: Report) -> list[str]:
    return [render(line, "en") for line in found.lines]


def test_a_change_is_told_once_though_two_records_tell_of_it() -> None:
    records = Records()
    records.executed("k1")
    records.told("k1")
    found = report(records, when="today")
    assert render(found.headline, "en") == "web: changes made through me today: 1"
    assert lines(found) == ["11:00 scale web (replicas 2 → 5): verified; asked for by alice, confirmed by bob"]


def test_what_only_the_audit_log_knows_is_told_with_how_the_write_ended() -> None:
    records = Records()
    records.executed("k1", reason="done", room=OTHER)
    records.executed("k2", reason="settled unknown")
    assert lines(report(records, when="today")) == [
        "11:00 scale web (replicas 2 → 5): done; confirmed by bob",
        "11:00 scale web (replicas 2 → 5): outcome unknown; confirmed by bob",
    ]


def test_of_a_room_only_what_was_done_in_it_counts() -> None:
    records = Records()
    records.executed("k1", room=OTHER)
    records.noted("refusal")
    assert lines(report(records, entity=None, when="today")) == [
        "11:00 carol: restart web refused (the rules do not allow it)"
    ]


def test_what_was_refused_elsewhere_is_not_told() -> None:
    records = Records()
    records.noted("refusal", room=OTHER)
    assert lines(report(records, when="today")) == []


def test_outside_the_span_nothing_is_told() -> None:
    records = Records()
    for days in range(3):
        records.executed(f"k{days}", at=NOW - HOUR - days * 24 * HOUR)
        records.told(f"s{days}", at=NOW - HOUR - days * 24 * HOUR)
    assert len(lines(report(records, when="yesterday"))) == 2
    assert all(line.startswith("01-04 11:00") for line in lines(report(records, when="yesterday")))
    assert len(lines(report(records, since=1_800))) == 0
    assert len(lines(report(records))) == 2  # the last day, where nothing is said


def test_a_conversation_that_ended_after_the_span_may_tell_of_it() -> None:
    records = Records()
    records.told("k1", at=NOW - 20 * HOUR)
    records.summaries = [Summary(thread="t", at=NOW - HOUR, entity=WEB, gist=records.summaries[0].gist)]
    assert len(lines(report(records, when="yesterday"))) == 1


def test_only_so_many_are_listed_the_latest_and_the_rest_counted() -> None:
    records = Records()
    for number in range(SHOWN + 5):
        records.executed(f"k{number}", at=NOW - HOUR + number * 1_000)
    found = lines(report(records, when="today"))
    assert found[0] == "5 earlier ones are not listed."
    assert len(found) == SHOWN + 1


def test_a_plan_that_was_dropped_is_no_change() -> None:
    records = Records()
    records.told("k1", outcome="cancelled")
    found = report(records, when="today")
    assert render(found.headline, "en") == "web: nothing was changed through me today."
    assert lines(found) == ["11:00 scale web (replicas 2 → 5) was not run: cancelled; asked for by alice"]


def test_a_hand_off_is_part_of_it() -> None:
    records = Records()
    taken = Assigned("team-pay", NOW - HOUR, name="team-pay", group=True)
    records.summaries.append(Summary(thread="t", at=NOW, entity=WEB, assigned_to=taken))
    assert lines(report(records, when="today")) == ["11:00 handed over to team-pay"]


def test_what_cannot_be_read_is_named_and_the_rest_is_told() -> None:
    records = Records()
    records.away = True
    found = report(records, when="today")
    assert [line.key for line in found.unread] == ["past.untold", "past.unread"]
    assert found.lines == ()


def test_a_log_that_is_too_long_says_how_far_back_it_was_read() -> None:
    records = Records()
    for number in range(PAGE * PAGES + 10):
        records.executed(f"k{number}", at=NOW - 2 * HOUR + number)
    (line,) = [line for line in report(records, when="today").unread if line.key == "past.cut"]
    assert "10000" in render(line, "en")


def test_of_a_busy_room_it_says_how_much_was_looked_at() -> None:
    records = Records()
    for number in range(MOST_SUMMARIES - 1):
        records.told(f"k{number}", at=NOW - HOUR - number)
    assert report(records, when="today").unread == ()
    records.told("one more")
    (line,) = report(records, when="today").unread
    assert "60" in render(line, "en")


def test_of_many_services_it_says_how_many_were_looked_at() -> None:
    records = Records()
    for number in range(MOST_ENTITIES + 1):
        other = msgspec.structs.replace(WEB, workload=f"web-{number}", name=f"web-{number}")
        seen = Record(at=NOW - HOUR, kind="request", user="bob", room=ROOM.key, service=other.key, action="status")
        records.records.append((ROOM.key, seen))
    (line,) = report(records, entity=None, when="today").unread
    assert line.key == "past.services"
    del records.records[0]
    assert report(records, entity=None, when="today").unread == ()


def test_times_are_those_of_the_room() -> None:
    records = Records()
    records.executed("k1", at=NOW - HOUR)
    found = report(records, recall=Recall(zones={"ops": "Asia/Shanghai"}), when="today")
    assert lines(found)[0].startswith("19:00 ")
    assert render(found.applied[0], "en") == "01-05 00:00 to 01-05 20:00 (Asia/Shanghai)"


def told_fact(kind: str, said: Say, *, ref: str, at: int = NOW - HOUR, times: int = 1) -> Fact:
    found = {"kind": kind, "said": said, "at": at, "ref": ref, "by": "carol", "about": WEB.key, "times": times}
    return msgspec.convert(found, Fact)


def test_a_refusal_on_record_and_in_a_summary_is_told_once() -> None:
    records = Records()
    records.noted("refusal", at=NOW - HOUR + 1_000)
    said = say("memory.refused", what="action.restart", service="web", why="refused.policy")
    fact = told_fact("refused", said, ref="r")
    records.summaries.append(Summary(thread="t", at=NOW, entity=WEB, gist=Gist((fact,))))
    assert lines(report(records, when="today")) == ["11:00 carol: restart web refused (the rules do not allow it)"]


def test_a_button_that_was_void_is_not_told_as_a_refusal() -> None:
    records = Records()
    records.noted("refusal", reason="superseded")
    assert lines(report(records, when="today")) == []


def test_what_was_looked_at_is_one_line_each_and_the_question_itself_is_none() -> None:
    records = Records()
    facts = tuple(
        told_fact("asked", say("memory.asked", what=f"intent.{what}", service="web"), ref=what, times=times)
        for what, times in (("status", 3), ("logs", 1), ("changes", 7))
    )
    records.summaries.append(Summary(thread="t", at=NOW, entity=WEB, gist=Gist(facts)))
    assert lines(report(records, when="today")) == ["Looked at: status web ×3", "Looked at: logs web ×1"]


def test_incidents_that_were_declared_in_the_span_are_told() -> None:
    records = Records()
    for id, at, target in (
        ("inc-1", NOW - HOUR, WEB.key),
        ("inc-2", NOW - 40 * HOUR, WEB.key),
        ("inc-3", NOW, "x/y/z/w"),
    ):
        facts = {"severity": "sev2", "status": "open", "declared_at": str(at), "title": "slow", "target": target}
        records.opened.append(IncidentRecord(id, facts))
    assert lines(report(records, when="today")) == ["11:00 incident inc-1 (sev2, open): slow"]


def test_an_incident_of_a_room_is_told_though_nothing_else_was_said_of_its_service() -> None:
    records = Records()
    facts = {"severity": "sev1", "status": "open", "declared_at": str(NOW - HOUR), "target": WEB.key}
    records.opened.append(IncidentRecord("inc-1", facts))
    assert lines(report(records, entity=None, when="today")) == ["11:00 incident inc-1 (sev1, open): -"]


def test_what_the_asker_may_not_read_is_left_out_and_that_is_said() -> None:
    records = Records()
    records.executed("k1")
    records.told("k1")
    records.noted("refusal")
    records.opened.append(IncidentRecord("inc-1", {"declared_at": str(NOW - HOUR), "target": WEB.key}))
    policy = Policy(rules=(Rule(actions=("read",), request=("sre",)),))
    found = report(records, entity=None, policy=policy, when="today")
    assert lines(found) == ["Services that the rules do not let you read are left out."]
    assert render(found.headline, "en") == "This room: nothing was changed through me today."


def test_records_that_this_version_cannot_read_are_passed_over() -> None:
    records = Records()
    records.told("k1")

    class Newer(Records):
        async def of(self, *args: object, **more: object) -> list[StoredSummary]:
            return [StoredSummary(ROOM.key, "t", NOW, b'{"type": "of the future"}')]

    assert lines(report(Newer(), when="today")) == []


def test_where_the_records_end_is_said_only_where_the_span_goes_beyond_that() -> None:
    recall = Recall(summaries_days=2, audit_days=4)
    assert report(Records(), recall=recall, when="today").unread == ()
    beyond = report(Records(), recall=recall, when="last_week").unread
    assert [render(line, "en") for line in beyond] == [
        "Conversations are on record for 2 days; from before that there are only the changes in the audit log.",
        "The audit log goes back 4 days.",
    ]
