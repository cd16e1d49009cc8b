"""Incidents in the dialogue: what is declared, entered, changed, and by whom."""

from __future__ import annotations

import msgspec
import pytest

from chatops_bot.domain.cards import Card
from chatops_bot.domain.dialogue.decide import decide
from chatops_bot.domain.dialogue.journal import write
from chatops_bot.domain.dialogue.turn import Decision, Turn, cite
from chatops_bot.domain.effects import Query
from chatops_bot.domain.events import Alert, AlertGroup, Click, Event, Followed, Message, Queried, Timer
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.incidents import Entry, Incident, Incidents, encode, read
from chatops_bot.domain.intents import Interpretation, Route, State
from chatops_bot.domain.policy import Policy, Rule
from chatops_bot.domain.reports import Report
from chatops_bot.domain.say import say
from chatops_bot.domain.session import Public, Session, Summary
from tests.unit.domain.dialogue.talk import API, ROOM, WEB, Talk, act, meaning, user

MINUTE = 60_000


class Records:
    """Incidents as the store would keep them, and numbers for new ones."""

    def __init__(self) -> None:
        self.facts: dict[str, dict[str, str]] = {}
        self.entries: dict[str, dict[str, Entry]] = {}

    def known(self) -> tuple[Incident, ...]:
        return tuple(read(id, facts, map(encode, self.entries[id].values())) for id, facts in self.facts.items())

    def take(self, decision: Decision) -> None:
        for change in decision.incidents:
            if not change.opens and change.id not in self.facts:
                continue
            facts = self.facts.setdefault(change.id, {})
            facts.update(change.facts)
            for name, value in change.once.items():
                facts.setdefault(name, value)
            self.entries.setdefault(change.id, {}).update({entry.id: entry for entry in change.entries})

    @property
    def one(self) -> Incident:
        (incident,) = self.known()
        return incident

    @property
    def status(self) -> str:
        return self.one.status


class Story(Talk):
    """A thread whose incidents are stored."""

    def __init__(
        self, records: Records | None = None, *, policy: Policy | None = None, severities: tuple[str, ...] = ()
    ) -> None:
        super().__init__(policy=policy)
        self.records = records or Records()
        self.world = msgspec.structs.replace(self.world, incidents=Incidents(severities=severities))
        self.told: list[Card] = []

    def event(
        self,
        event: Event,
        meant: Interpretation | None = None,
        *,
        via_card: bool = False,
        beside: Public | Summary | None = None,
    ) -> Decision:
        self.count += 1
        decision = self._decided(event, meant, via_card=via_card, beside=beside, number=0)
        if decision.wants_number:
            number = 7 + len(self.records.facts)
            decision = self._decided(event, meant, via_card=via_card, beside=beside, number=number)
        self.records.take(decision)
        self.session = decision.session
        self.cards.update(decision.cards)
        self.work += decision.work
        return decision

    def _decided(
        self,
        event: Event,
        meant: Interpretation | None,
        *,
        via_card: bool,
        beside: Public | Summary | None,
        number: int,
    ) -> Decision:
        return decide(
            self.session,
            event,
            meant,
            event_id=f"{self.session.thread}-e{self.count}",
            sequence=self.count,
            now=self.now,
            world=self.world,
            beside=beside,
            via_card=via_card,
            known=self.records.known(),
            number=number,
        )

    def words(self, who: str, text: str, *, addressed: bool = True, via_card: bool = False) -> str:
        """What the bot answers to words that no rule has to understand."""
        message = Message(id=f"m{self.count}", room=ROOM, user=user(who), text=text, addressed=addressed, name=who)
        decision = self.event(message, meaning(Route.CHAT), via_card=via_card)
        return "\n".join(card.text() for _, card in decision.cards)

    def kinds(self) -> list[str]:
        return [entry.kind for entry in self.records.one.entries]

    def alert(
        self,
        *firing: str,
        resolved: tuple[str, ...] = (),
        severity: str = "critical",
        beside: Summary | None = None,
    ) -> Decision:
        alerts = tuple(
            Alert(name, True, name, severity=severity, starts_at="2026-01-05T07:55:00Z") for name in firing
        ) + tuple(Alert(name, False, name, severity=severity) for name in resolved)
        group = AlertGroup(id=f"a{self.count}", room=ROOM, group="g", alerts=alerts, service=WEB.key)
        return self.event(group, beside=beside)


def acted(story: Story) -> None:
    """Alice scales web, and it is done."""
    story.say("alice", Route.ACT, act("restart", WEB))
    story.prepared()
    story.click("bob", "confirm")
    story.judged()
    story.executed()


def test_whoever_declares_it_commands_it_and_the_id_tells_the_day() -> None:
    story = Story()
    said = story.words("alice", "declare an incident sev2: checkout fails")
    incident = story.records.one
    assert incident.id == "inc-20260105-7"
    assert (incident.severity, incident.status, incident.title) == ("sev2", "open", "checkout fails")
    assert (incident.commander, incident.who_commands, incident.declared_by) == ("alice", "alice", "alice")
    assert incident.detected_at == incident.declared_at == incident.acknowledged_at == story.now
    assert "inc-20260105-7" in said
    assert "checkout fails" in said
    assert story.session.incident == incident.id


def test_a_declaration_takes_nothing_away_from_a_plan_that_waits() -> None:
    story = Story()
    token = story.plan()
    story.words("alice", "declare an incident")
    assert story.state is State.CONFIRMING
    assert story.token == token
    assert story.kinds() == ["declared", "plan"]


def test_the_timeline_writes_itself() -> None:
    story = Story()
    story.words("alice", "declare an incident sev1")
    story.say("alice", Route.QUERY, act("status", WEB), text="how is web?")
    story.queried()
    acted(story)
    token = story.session.ended[-1].token
    story.event(Followed(effect="f", token=token, finished=True))
    assert story.kinds() == [
        *("declared", "asked", "finding", "asked", "plan", "confirmed", "outcome", "verified"),
    ]
    entries = story.records.one.entries
    assert entries[1].text == "how is web?"
    assert entries[5].user == "bob"
    assert entries[6].text == "done"
    plan = [entry for entry in entries if entry.ref]
    assert len({entry.ref for entry in plan}) == 1
    assert all(token not in str(entry) for entry in entries)


def test_what_only_reads_like_a_yes_is_entered_as_it_was_said() -> None:
    story = Story()
    story.words("alice", "declare an incident sev1")
    story.plan()
    story.say("bob", Route.CONFIRM, text="confirmed, it is the cert")
    assert (story.records.one.entries[-1].kind, story.records.one.entries[-1].text) == (
        "asked",
        "confirmed, it is the cert",
    )
    story.say("alice", Route.CONFIRM, text="yes", affirmative=True)
    assert story.kinds() == ["declared", "asked", "plan", "asked"]


def test_what_is_dropped_refused_or_handed_over_is_entered_too() -> None:
    story = Story()
    story.words("alice", "declare an incident sev1")
    story.plan()
    story.click("bob", "cancel")
    story.say("alice", Route.ACT, act("restart", WEB))
    story.unprepared()
    story.click("alice", "confirm", token="forged")
    story.say("alice", Route.HAND_OFF, text="get me a human")
    story.say("alice", Route.NOTE, text="called the vendor")
    story.say("alice", Route.RESUME, text="back")
    assert story.kinds() == [
        *("declared", "asked", "plan", "dropped", "asked", "refused", "refused", "asked", "hand_off", "note", "asked"),
        "hand_off",
    ]
    assert story.records.one.entries[9].text == "called the vendor"


def test_a_plan_that_the_ledger_refuses_is_dropped_in_words() -> None:
    story = Story()
    story.words("alice", "declare an incident sev1")
    story.plan()
    story.click("bob", "confirm")
    story.judged(ok=False, final=True)
    dropped = story.records.one.entries[-1]
    assert (dropped.kind, dropped.ref) == ("dropped", story.records.one.entries[2].ref)
    assert r"scale web \(prod\)\: refused" in story.words("alice", "export the incident")


def test_runbooks_that_are_cited_are_entered_once() -> None:
    story = Story()
    story.words("alice", "declare an incident sev1")
    for cited in (("latency",), ("latency",), ("latency", "dns")):
        story.say("alice", Route.QUERY, act("status", WEB), text="how is web?")
        effect = story.take(Query)
        assert isinstance(effect, Query)
        report = Report(kind="status", at=story.now, headline=say("answer.thanks"), entity=WEB, cited=cited)
        story.event(Queried(effect=effect.id, report=report))
        story.now += MINUTE
    assert "- latency\n- dns\n" in story.words("alice", "export the incident")
    assert "runbook" not in story.kinds()


def test_a_runbook_that_is_shown_is_entered() -> None:
    story = Story()
    story.words("alice", "declare an incident sev1")
    before = story.session
    turn = Turn(session=before, event_id="e9", sequence=9, now=story.now, world=story.world, language="en")
    cite(turn, ("network/dns",))
    write(turn, Timer(), before)
    (change,) = turn.chronicle.changes()
    assert [(entry.kind, entry.runbooks) for entry in change.entries] == [("runbook", ("network/dns",))]


def test_it_survives_the_end_of_its_session_and_is_taken_over_by_the_next() -> None:
    story = Story()
    story.words("alice", "declare an incident sev1")
    before = story.session.incident
    acted(story)
    assert story.state is State.ARCHIVED
    ended = story.session
    summary = Summary(thread=ended.thread, at=story.now, entity=WEB, action="restart", incident=before)
    later = Story(story.records)
    later.session = Session(thread="t2", room=ROOM)
    later.now += MINUTE
    message = Message(id="m9", room=ROOM, user=user("carol"), text="note: watching it", name="carol")
    later.event(message, meaning(Route.CHAT), via_card=True, beside=summary)
    assert later.session.incident == before
    note = story.records.one.entries[-1]
    assert (note.kind, note.text, note.user) == ("note", "watching it", "carol")


def test_an_archived_session_says_whose_incident_and_group_it_was() -> None:
    story = Story(severities=("critical",))
    story.alert("HighLatency")
    decision = story.timer(3_600)
    assert decision.summary is not None
    assert (decision.summary.incident, decision.summary.group) == (story.records.one.id, "g")


def test_notes_are_masked_and_cut() -> None:
    story = Story()
    story.words("alice", "declare an incident sev1")
    story.words("alice", "note: password=hunter2hunter2 " + "x" * 900)
    note = story.records.one.entries[-1]
    assert "hunter2" not in note.text
    assert len(note.text) == 300


def test_a_note_confirms_and_orders_nothing() -> None:
    story = Story()
    story.words("alice", "declare an incident sev1")
    story.plan()
    story.words("alice", "note: yes, do it")
    assert story.state is State.CONFIRMING
    assert "Noted" in story.words("alice", "note: restart web")
    assert len(story.session.pending) == 1


def test_without_an_incident_a_note_says_so_and_is_no_order() -> None:
    story = Story()
    assert "No incident is open here" in story.words("alice", "note: restart web")
    assert story.work == []


@pytest.mark.parametrize("text", ["I take command", "mitigated", "severity sev1"])
def test_words_that_may_mean_something_else_are_left_to_the_rules_where_no_incident_is(text: str) -> None:
    story = Story()
    story.words("alice", text)
    assert story.session.people["alice"].spoke == 1
    assert story.records.facts == {}
    assert "incident" not in "\n".join(card.text() for card in story.cards.values()).lower()


def test_command_is_taken_and_given() -> None:
    story = Story()
    story.words("alice", "declare an incident sev1")
    story.words("bob", "I take command")
    assert story.records.one.commander == "bob"
    story.words("bob", "commander is @alice")
    assert story.records.one.commander == "alice"
    story.words("bob", "commander is Dave Li")
    assert (story.records.one.commander, story.records.one.who_commands) == ("", "Dave Li")


def test_titles_and_names_hold_no_secret_and_no_terminal_codes() -> None:
    story = Story()
    said = story.words("alice", "declare an incident sev1: password=hunter2 \x1b[31mdown")
    assert story.records.one.title == "password=*** [31mdown"
    said += story.words("bob", "commander is password=hunter2")
    assert story.records.one.who_commands == "password=***"
    assert "hunter2" not in said


def test_its_life_from_open_to_resolved_and_back() -> None:
    story = Story()
    story.words("alice", "declare an incident sev1")
    start = story.now
    story.now += 10 * MINUTE
    story.words("bob", "mitigated")
    story.now += 20 * MINUTE
    said = story.words("alice", "resolve the incident")
    incident = story.records.one
    assert (incident.status, incident.mitigated_at, incident.resolved_at) == (
        "resolved",
        start + 10 * MINUTE,
        start + 30 * MINUTE,
    )
    assert "30m" in said
    assert "10m" in said
    assert "resolved already" in story.words("bob", "resolve the incident").lower()
    story.words("alice", "reopen the incident")
    incident = story.records.one
    assert (incident.status, incident.resolved_at, incident.mitigated_at, incident.reopened) == ("open", 0, 0, 1)


def test_resolving_at_once_is_mitigating_too() -> None:
    story = Story()
    story.words("alice", "declare an incident sev1")
    story.now += MINUTE
    story.words("alice", "resolve the incident")
    assert story.records.one.mitigated_at == story.records.one.resolved_at == story.now


def test_the_status_says_what_still_hangs() -> None:
    story = Story()
    story.words("alice", "declare an incident sev1: checkout")
    story.plan()
    said = story.words("bob", "incident status")
    assert "Waiting for somebody: scale web" in said
    assert "Commander: alice" in said
    story.click("bob", "confirm")
    story.judged()
    story.executed()
    later = Story(story.records)
    said = later.words("bob", "incident status")
    assert "Not verified yet: scale web (prod): done" in said
    assert "Waiting" not in said


def test_without_one_in_the_thread_the_only_open_one_of_the_room_is_meant() -> None:
    records = Records()
    Story(records).words("alice", "declare an incident sev1")
    other = Story(records)
    other.session = Session(thread="t2", room=ROOM, owner="bob")
    other.words("bob", "note: from elsewhere")
    assert records.one.entries[-1].text == "from elsewhere"


def test_two_open_ones_are_asked_and_each_can_be_named() -> None:
    records = Records()
    Story(records).words("alice", "declare an incident sev1: first")
    first = records.one
    records.facts["inc-20260105-8"] = {**records.facts[first.id], "title": "second"}
    records.entries["inc-20260105-8"] = {}
    other = Story(records)
    said = other.words("bob", "resolve the incident")
    assert "inc-20260105-7" in said
    assert "inc-20260105-8" in said
    assert {facts["status"] for facts in records.facts.values()} == {"open"}
    other.words("bob", "resolve inc-20260105-8")
    assert [records.facts[id]["status"] for id in sorted(records.facts)] == ["open", "resolved"]
    assert "no incident inc-20260105-9" in other.words("bob", "resolve inc-20260105-9")


def test_the_policy_says_who_may_and_the_commander_always_may() -> None:
    rule = Rule(actions=("incident",), request=("alice", "bob"))
    story = Story(policy=Policy(rules=(rule,)))
    story.words("carol", "declare an incident sev1")
    assert story.records.facts == {}
    story.words("alice", "declare an incident sev1")
    said = story.words("carol", "resolve the incident")
    assert "Only the commander (alice)" in said
    assert "These may: alice, bob" in said
    assert story.records.status == "open"
    story.words("alice", "carol takes command")
    story.words("carol", "resolve the incident")
    assert story.records.status == "resolved"


def test_an_incident_is_judged_by_its_own_service_from_wherever_it_is_spoken_of() -> None:
    records = Records()
    rule = Rule(actions=("read",), services=("web",), request=("alice",))
    first = Story(records, policy=Policy(rules=(rule,)))
    first.say("alice", Route.QUERY, act("status", WEB))
    first.words("alice", "declare an incident sev1: secret plans")
    assert records.one.target == WEB.key
    other = Story(records, policy=Policy(rules=(rule,)))
    other.say("bob", Route.QUERY, act("status", API))
    id = records.one.id
    for words in (f"resolve {id}", f"reopen {id}", f"export {id}", f"status of {id}", f"note {id}: hello"):
        said = other.words("bob", words)
        assert "secret plans" not in said
        assert "These can: alice" in said, words
    for words in ("list incidents", "incident status", "resolve the incident"):
        assert "No incident is open here" in other.words("bob", words), words
    assert (records.status, "note" in first.kinds()) == ("open", False)
    other.words("alice", f"bob takes command of {id}")
    assert "secret plans" in other.words("bob", f"export {id}")


def test_an_incident_of_a_service_that_is_gone_is_not_everybody_s() -> None:
    records = Records()
    rule = Rule(actions=("read",), services=("gone",), request=("alice",))
    Story(records, policy=Policy(rules=(rule,))).words("alice", "declare an incident sev1: secret plans")
    records.facts[records.one.id]["target"] = "prod-east/shop/deployment/gone"
    said = Story(records, policy=Policy(rules=(rule,))).words("bob", f"export {records.one.id}")
    assert "secret plans" not in said
    assert "alice" in said


def test_a_guest_changes_nothing() -> None:
    story = Story(policy=Policy())
    guest = User("console", "local", "gus", guest=True)
    message = Message(id="m1", room=ROOM, user=guest, text="declare an incident", addressed=True, name="gus")
    story.event(message, meaning(Route.CHAT))
    assert story.records.facts == {}


def test_a_guest_neither_acknowledges_it_nor_writes_into_its_timeline() -> None:
    story = Story(severities=("critical",), policy=Policy())
    story.alert("HighLatency")
    guest = User("console", "local", "gus", guest=True)
    story.event(Message(id="m1", room=ROOM, user=guest, text="note: all is well", addressed=True), meaning(Route.CHAT))
    story.event(Message(id="m2", room=ROOM, user=guest, text="how is web?", addressed=True), meaning(Route.CHAT))
    story.event(Click(id="k", room=ROOM, user=guest, button="incident:resolve", value=story.records.one.id))
    assert story.records.one.acknowledged_at == 0
    assert story.records.status == "open"
    assert set(story.kinds()) == {"firing", "declared", "refused"}


def test_what_changes_it_is_on_the_record() -> None:
    story = Story()
    decision = story.event(
        Message(id="m", room=ROOM, user=user("alice"), text="declare an incident P1: x", addressed=True, name="alice"),
        meaning(Route.CHAT),
    )
    (record,) = decision.audit
    assert (record.kind, record.reason, record.action, record.user) == (
        "decision",
        "incident declared",
        "incident",
        "alice",
    )
    assert record.service == ""
    assert record.parameters == {"incident": story.records.one.id, "severity": "P1"}


def test_buttons_do_the_same_and_find_their_incident_by_its_id() -> None:
    records = Records()
    Story(records).words("alice", "declare an incident sev1")
    other = Story(records)
    other.session = Session(thread="t2", room=ROOM)
    value = records.one.id
    for button, status in (("incident:mitigated", "mitigated"), ("incident:resolve", "resolved")):
        other.event(Click(id="k", room=ROOM, user=user("bob"), button=button, value=value, name="bob"))
        assert records.status == status
    other.event(Click(id="k", room=ROOM, user=user("bob"), button="incident:command", value=value, name="bob"))
    assert records.one.commander == "bob"
    refused = other.event(Click(id="k", room=ROOM, user=user("bob"), button="incident:explode", value=value))
    assert refused.audit[0].kind == "refusal"


def test_a_bare_button_declares_one_where_none_is() -> None:
    story = Story()
    story.click("alice", "incident", token="", value="")
    assert story.records.one.severity == "sev3"
    story.click("alice", "incident", token="", value="")
    assert len(story.records.facts) == 1


def test_the_severity_of_an_alert_declares_one_where_that_is_configured() -> None:
    silent = Story()
    silent.alert("HighLatency")
    assert silent.records.facts == {}
    story = Story(severities=("critical",))
    story.alert("HighLatency", severity="warning")
    assert story.records.facts == {}
    story.alert("HighLatency")
    incident = story.records.one
    assert (incident.severity, incident.title, incident.commander) == ("critical", "HighLatency", "")
    assert incident.detected_at == 1_767_599_700_000
    assert incident.acknowledged_at == 0
    assert story.kinds() == ["firing", "declared"]


def test_severities_are_compared_without_their_case_and_each_firing_alert_counts() -> None:
    story = Story(severities=("Warning",))
    alerts = (Alert("f1", True, "Down", severity="page"), Alert("f2", True, "Slow", severity="warning"))
    story.event(AlertGroup(id="a", room=ROOM, group="g", alerts=alerts, service=WEB.key))
    assert story.records.one.severity == "warning"


def test_the_first_human_word_acknowledges_it() -> None:
    story = Story(severities=("critical",))
    story.alert("HighLatency")
    story.now += MINUTE
    story.say("bob", Route.QUERY, act("status", WEB), text="how is it?")
    story.now += MINUTE
    story.words("carol", "note: here")
    assert story.records.one.acknowledged_at == story.now - MINUTE


def test_alerts_that_end_mitigate_it_and_a_new_firing_opens_it_again() -> None:
    story = Story(severities=("critical",))
    story.alert("HighLatency", "ErrorRate")
    story.alert("HighLatency", resolved=("ErrorRate",))
    assert story.records.status == "open"
    story.alert(resolved=("HighLatency", "ErrorRate"))
    assert story.records.status == "mitigated"
    elsewhere = Story(story.records)
    elsewhere.session = Session(thread="t2", room=ROOM)
    elsewhere.now += MINUTE
    elsewhere.words("alice", "resolve the incident")
    story.now += 2 * MINUTE
    story.alert("HighLatency")
    incident = story.records.one
    assert (incident.status, incident.reopened) == ("open", 1)
    assert [entry.kind for entry in incident.entries] == [
        *("firing", "declared", "quiet", "quiet", "mitigated", "resolved", "firing", "reopened"),
    ]


def test_one_declared_in_a_thread_that_goes_on_with_the_card_belongs_to_the_alerts_all_the_same() -> None:
    story = Story()
    story.alert("HighLatency")
    acted(story)
    summary = Summary(thread="t1", at=story.now, entity=WEB, action="restart", group="g")
    later = Story(story.records)
    later.session = Session(thread="t2", room=ROOM)
    message = Message(id="m9", room=ROOM, user=user("carol"), text="declare an incident sev1", name="carol")
    later.event(message, meaning(Route.CHAT), via_card=True, beside=summary)
    assert story.records.one.group == "g"
    story.now += MINUTE
    story.alert(resolved=("HighLatency",))
    assert story.records.status == "mitigated"
    assert story.session.incident == story.records.one.id


def test_alerts_that_flap_tell_of_the_incident_on_one_card() -> None:
    story = Story(severities=("critical",))
    story.alert("HighLatency")
    cards = story.session.cards
    for _ in range(5):
        story.now += MINUTE
        story.alert(resolved=("HighLatency",))
        story.now += MINUTE
        story.alert("HighLatency")
    assert story.session.cards == cards
    assert (story.records.status, story.records.one.reopened) == ("open", 0)
    story.now += MINUTE
    story.alert(resolved=("HighLatency",))
    elsewhere = Story(story.records)
    elsewhere.session = Session(thread="t2", room=ROOM)
    elsewhere.words("alice", "resolve the incident")
    story.now += MINUTE
    story.alert("HighLatency")
    assert story.session.cards == cards + 1


def test_long_after_it_was_resolved_a_new_firing_is_another_incident() -> None:
    story = Story(severities=("critical",))
    story.alert("HighLatency")
    first = story.records.one.id
    story.words("alice", "resolve the incident")
    ended = story.alert(resolved=("HighLatency",))
    later = Story(story.records, severities=("critical",))
    later.session = Session(thread="t2", room=ROOM)
    later.now += 2 * 86_400_000
    later.alert("HighLatency", beside=ended.summary)
    assert later.session.incident == "inc-20260107-8"
    assert story.records.facts[first]["status"] == "resolved"


def test_a_card_that_comes_back_within_a_day_has_its_incident_still() -> None:
    story = Story(severities=("critical",))
    story.alert("HighLatency")
    story.words("alice", "resolve the incident")
    ended = story.alert(resolved=("HighLatency",))
    later = Story(story.records)
    later.session = Session(thread="t2", room=ROOM)
    later.now += 3_600_000
    later.alert("HighLatency", beside=ended.summary)
    assert (story.records.one.status, story.records.one.reopened) == ("open", 1)


def test_a_delivery_that_tells_nothing_new_enters_nothing() -> None:
    story = Story(severities=("critical",))
    story.alert("HighLatency")
    story.alert("HighLatency")
    assert story.kinds() == ["firing", "declared"]


def test_chatter_below_the_card_is_left_out() -> None:
    story = Story()
    story.words("alice", "declare an incident sev1")
    story.words("bob", "lunch anybody?", addressed=False, via_card=True)
    assert story.kinds() == ["declared"]


def test_a_message_of_another_room_enters_nothing() -> None:
    story = Story()
    story.words("alice", "declare an incident sev1")
    foreign = Message(id="m", room=Room("console", "local", "other"), user=user("bob"), text="note: x", addressed=True)
    story.event(foreign, meaning(Route.CHAT))
    assert story.kinds() == ["declared"]


def test_the_draft_is_shown_in_the_chat() -> None:
    story = Story()
    story.words("alice", "declare an incident sev1: checkout")
    assert "# Post-mortem: inc-20260105-7 checkout" in story.words("alice", "export the incident")


def test_incidents_of_the_room_are_listed() -> None:
    story = Story()
    story.words("alice", "declare an incident sev1: checkout")
    assert "inc-20260105-7 · sev1 · open · checkout" in story.words("bob", "list incidents")


def test_a_thread_that_begins_about_the_service_of_an_open_incident_belongs_to_it() -> None:
    records = Records()
    story = Story(records)
    story.plan()
    story.words("alice", "declare an incident sev1")
    other = Story(records)
    other.session = Session(thread="t2", room=ROOM)
    other.now += MINUTE
    other.say("bob", Route.QUERY, act("status", WEB), text="how is web?")
    assert other.session.incident == records.one.id
    assert (records.one.entries[-1].kind, records.one.entries[-1].text) == ("asked", "how is web?")
    third = Story(records)
    third.session = Session(thread="t3", room=ROOM)
    third.say("bob", Route.QUERY, act("status", API), text="how is api?")
    assert third.session.incident == ""


def test_what_was_over_long_ago_is_not_taken_over_with_its_card() -> None:
    story = Story()
    story.words("alice", "declare an incident sev1")
    story.words("alice", "resolve the incident")
    ended = story.timer(3_600)
    later = Story(story.records)
    later.session = Session(thread="t2", room=ROOM)
    message = Message(id="m9", room=ROOM, user=user("carol"), text="thanks all", name="carol")
    later.now += 25 * 3_600_000
    later.event(message, meaning(Route.FEEDBACK), via_card=True, beside=ended.summary)
    assert later.session.incident == ""


def test_the_card_of_alerts_that_fire_has_the_button() -> None:
    story = Story()
    story.alert("HighLatency")
    assert "incident" in {button.id for card in story.cards.values() for button in card.buttons}
    story.click("alice", "incident", token="", value="")
    assert story.records.one.group == "g"
    assert story.records.one.acknowledged_at == story.now
