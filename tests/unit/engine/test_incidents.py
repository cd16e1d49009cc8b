"""Which incidents a turn has to know, and what is counted of what it did. Most turns read nothing."""

from __future__ import annotations

import pytest

from chatops_bot.domain.dialogue.turn import Decision
from chatops_bot.domain.events import Alert, AlertGroup, Click, Event, Message, Timer
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.incidents import Change, Entry, Incident, decode
from chatops_bot.domain.intents import Interpretation, Request, Route
from chatops_bot.domain.session import Public, Session, Summary
from chatops_bot.engine.incidents import IncidentDesk, stored
from chatops_bot.ports.incidents import IncidentRecord

ROOM = Room("console", "local", "ops")
ALICE = User("console", "local", "alice")
FIRST, SECOND, OVER = "inc-20260105-1", "inc-20260105-2", "inc-20260105-3"


def record(id: str, *, status: str = "open", group: str = "") -> IncidentRecord:
    facts = {"room": ROOM.key, "severity": "sev2", "status": status, "detected_at": "1000", "declared_at": "2000"}
    return IncidentRecord(id, {**facts, "group": group, "resolved_at": "9000" if status == "resolved" else "0"})


class Store:
    """Records in a room, and what was asked for."""

    def __init__(self, *records: IncidentRecord) -> None:
        self.records = {one.id: one for one in records}
        self.asked: list[str] = []

    async def incident(self, id: str, *, room: str = "") -> IncidentRecord | None:
        self.asked.append(id)
        return self.records.get(id)

    async def incidents(self, *, room: str = "") -> list[IncidentRecord]:
        self.asked.append(f"all of {room}")
        return list(self.records.values())

    async def incident_of(self, group: str, *, room: str) -> str:
        self.asked.append(f"of {group}")
        return next((one.id for one in self.records.values() if one.facts["group"] == group), "")

    async def next_incident(self, day: str) -> int:
        return int(day)


class Meter:
    """What was counted and measured."""

    def __init__(self) -> None:
        self.counted: list[str] = []
        self.seconds: dict[str, float] = {}

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        self.counted.append(f"{name} {labels['step']}")

    def observe(self, name: str, seconds: float, **labels: str) -> None:
        self.seconds[labels["step"]] = seconds

    def level(self, name: str, value: float, **labels: str) -> None:
        raise AssertionError(name)


def session(*, used: bool = True, incident: str = "") -> Session:
    return Session(thread="t1", room=ROOM, used=used, incident=incident)


def said(text: str) -> Message:
    return Message(id="m", room=ROOM, user=ALICE, text=text)


def pressed(button: str, value: str = "") -> Click:
    return Click(id="k", room=ROOM, user=ALICE, button=button, value=value)


def alerts(group: str) -> AlertGroup:
    return AlertGroup(id="a", room=ROOM, group=group, alerts=(Alert("f", True, "Slow"),))


def meant(*intents: str) -> Interpretation:
    return Interpretation(route=Route.QUERY, language="en", requests=tuple(Request(intent) for intent in intents))


async def known(
    store: Store, event: Event, before: Session, beside: Public | Summary | None = None, *intents: str
) -> list[str]:
    found = await IncidentDesk(store, meter=Meter()).known(event, before, beside, meant(*intents))
    return [incident.id for incident in found]


@pytest.mark.parametrize(
    ("event", "before"),
    [
        (said("restart web"), session()),
        (said("restart web"), session(incident=FIRST)),
        (said("restart web"), session(used=False, incident=FIRST)),
        (pressed("confirm", FIRST), session(incident=FIRST)),
        (Timer(), session(incident=FIRST)),
        (said("declare an incident"), session()),
    ],
)
async def test_most_turns_read_nothing(event: Event, before: Session) -> None:
    store = Store(record(FIRST))
    assert await known(store, event, before) == []
    assert store.asked == []


@pytest.mark.parametrize(
    ("event", "before", "expected"),
    [
        (said("incident status"), session(incident=SECOND), [SECOND]),
        (said(f"resolve {FIRST}"), session(incident=SECOND), [FIRST]),
        (said("resolve inc-20260105-9"), session(incident=SECOND), []),
        (said("incident status"), session(), [FIRST, SECOND]),
        (said("list incidents"), session(incident=FIRST), [FIRST, SECOND, OVER]),
        (said("declare an incident"), session(incident=FIRST), [FIRST]),
        (said("incident status"), session(incident="inc-20200101-1"), [FIRST, SECOND, OVER]),
        (said("how is web?"), session(used=False), [FIRST, SECOND]),
        (pressed("incident:resolve", FIRST), session(incident=SECOND), [FIRST]),
        (pressed("incident"), session(incident=SECOND), [SECOND]),
        (alerts("g"), session(), [SECOND]),
        (alerts("g"), session(incident=FIRST), [FIRST]),
        (alerts("h"), session(), []),
    ],
)
async def test_what_a_turn_may_be_about(event: Event, before: Session, expected: list[str]) -> None:
    store = Store(record(FIRST), record(SECOND, group="g"), record(OVER, status="resolved"))
    assert await known(store, event, before) == expected


async def test_a_question_in_other_words_is_about_the_threads_incident() -> None:
    store = Store(record(FIRST))
    assert await known(store, said("anything new on that incident?"), session(incident=FIRST), None, "incident") == [
        FIRST
    ]


async def test_what_an_ended_session_was_about_is_known_to_the_next() -> None:
    summary = Summary(thread="t0", at=1, incident=SECOND)
    for event in (said("restart web"), pressed("diagnose"), alerts("h"), said(f"resolve {FIRST}")):
        store = Store(record(FIRST), record(SECOND))
        assert SECOND in await known(store, event, session(used=False), summary)


async def test_the_number_is_one_of_the_day() -> None:
    assert await IncidentDesk(Store(), meter=Meter()).number(1_767_614_400_000) == 20260105


def counted(change: Change, *before: Incident) -> Meter:
    meter = Meter()
    IncidentDesk(Store(), meter=meter).count(Decision(session=session(), incidents=(change,)), before)
    return meter


def incident(**changes: object) -> Incident:
    known = {"id": FIRST, "room": "r", "severity": "sev1", "status": "open", "declared_at": 2_000, "detected_at": 1_000}
    return Incident(**{**known, **changes})  # type: ignore[arg-type]


def test_what_becomes_of_an_incident_is_counted_with_how_long_it_took() -> None:
    assert counted(Change(FIRST, opens=True)).counted == ["incidents opened"]
    resolved = Change(FIRST, facts={"status": "resolved", "resolved_at": "61000", "mitigated_at": "31000"})
    meter = counted(resolved, incident())
    assert meter.counted == ["incidents resolved"]
    assert meter.seconds == {"resolved": 60.0, "mitigated": 30.0}
    reopened = counted(Change(FIRST, facts={"status": "open", "resolved_at": "0"}), incident(status="resolved"))
    assert (reopened.counted, reopened.seconds) == (["incidents reopened"], {})


def test_only_the_first_acknowledgement_is_measured() -> None:
    change = Change(FIRST, once={"acknowledged_at": "4000"})
    assert counted(change, incident()).seconds == {"acknowledged": 3.0}
    assert counted(change, incident(acknowledged_at=3_000)).seconds == {}


def test_what_is_stored_of_a_change_says_what_is_kept_whatever_comes() -> None:
    entries = (Entry("e.0", 1, "asked", text="how?"), Entry("e.1", 1, "note", text="so"))
    (change,) = stored((Change(FIRST, facts={"status": "open"}, once={"acknowledged_at": "1"}, entries=entries),))
    assert [(entry.id, entry.weighty) for entry in change.entries] == [("e.0", False), ("e.1", True)]
    assert [decode(entry.body) for entry in change.entries] == list(entries)
    assert (change.facts, change.once, change.opens) == ({"status": "open"}, {"acknowledged_at": "1"}, False)
