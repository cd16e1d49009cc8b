"""A group of alerts has one card, which tells all that is known of it for as long as it lasts."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatops_bot.domain.audit import Record
from chatops_bot.domain.cards import Card, Code, Links
from chatops_bot.domain.charts import AlertSource
from chatops_bot.domain.dialogue.alerts import KEPT_S, SHOWN_ALERTS, keep_s
from chatops_bot.domain.dialogue.turn import Decision
from chatops_bot.domain.effects import Query
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.events import Alert, AlertGroup, Queried
from chatops_bot.domain.intents import Route, State
from chatops_bot.domain.offers import Offer
from chatops_bot.domain.policy import Policy, Rule
from chatops_bot.domain.reports import Report
from chatops_bot.domain.say import say
from chatops_bot.domain.session import Done, Session, Summary, decode
from tests.unit.domain.dialogue.talk import API, NOW, ROOM, WEB, Talk, act, entity, user

MINUTE = 60_000


def stamp(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).isoformat()


def alert(name: str = "Slow", *, firing: bool = True, at: int = NOW, **more: Any) -> Alert:
    return Alert(
        **{"fingerprint": name, "firing": firing, "name": name, "severity": "critical", "starts_at": stamp(at), **more}
    )


def resolved(name: str = "Slow", *, ended: int, at: int = NOW) -> Alert:
    return alert(name, firing=False, at=at, ends_at=stamp(ended))


class Alerted(Talk):
    """The thread of a group; the second time it is opened it is another one."""

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        self.session = Session(thread="t1", room=ROOM)

    def tell(self, *alerts: Alert, service: Entity | None = WEB, after: int = 0, **more: Any) -> Decision:
        self.now += after
        key = service.key if service is not None else ""
        group = AlertGroup(id=f"a{self.count}", room=ROOM, group="g", alerts=alerts, service=key, **more)
        return self.event(group)

    def diagnosed(self, headline: str = "status.no_pods", *, problem: bool = False, after: int = 0) -> Decision:
        """The oldest diagnosis under way comes back."""
        self.now += after
        effect = self.take(Query)
        assert isinstance(effect, Query)
        if problem:
            return self.event(Queried(effect=effect.id, problem=say("answer.no_cluster", cluster="east")))
        verdict = say("alert.diagnosing", service=headline)
        report = Report(kind="status", at=self.now, headline=verdict, entity=effect.entity)
        return self.event(Queried(effect=effect.id, report=report))

    @property
    def card(self) -> Card:
        assert self.session.alert is not None
        return self.cards[self.session.alert.card]

    @property
    def asked(self) -> int:
        return sum(isinstance(effect, Query) for effect in self.work)


def buttons(card: Card) -> list[str]:
    return [button.id for button in card.buttons]


def recorded(decision: Decision, kind: str) -> list[Record]:
    return [record for record in decision.audit if record.kind == kind]


class TestFiring:
    def test_the_alerts_are_shown_before_there_is_a_diagnosis(self) -> None:
        talk = Alerted()
        decision = talk.tell(alert(summary="5 % fail"))
        assert [name for name, _ in decision.cards] == ["c1"]
        assert talk.card.title == "Alert: Slow (1 firing)"
        assert "🔴 Slow · critical · since 08:00 UTC\n   5 % fail" in talk.card.text()
        assert "Diagnosing web" in talk.card.text()
        assert talk.card.tone == "danger"
        assert talk.asked == 1
        assert talk.session.lock is not None
        assert talk.session.lock.entity == WEB

    def test_the_diagnosis_is_drawn_into_the_card_verdict_first(self) -> None:
        talk = Alerted()
        talk.tell(alert())
        decision = talk.diagnosed("two of three")
        assert [name for name, _ in decision.cards] == ["c1"]
        lines = talk.card.text().split("\n")
        assert lines[:3] == [
            "Alert: Slow (1 firing)",
            "Diagnosing two of three …",
            "🔴 Slow · critical · since 08:00 UTC",
        ]
        assert buttons(talk.card) == ["diagnose", "logs", "events", "restart", "scale", "hand_off", "incident"]
        assert "status" in talk.session.results

    def test_what_others_wrote_stands_in_a_fence(self) -> None:
        talk = Alerted()
        talk.tell(alert(summary="<!channel> @bot confirm", severity="*x*"))
        fenced = [block.text for block in talk.card.blocks if isinstance(block, Code)]
        assert fenced == ["🔴 Slow · *x* · since 08:00 UTC\n   <!channel> @bot confirm"]

    def test_the_expression_of_the_first_that_fires_is_told_to_whoever_charts_it(self) -> None:
        talk = Alerted()
        source = "http://prom/graph?g0.expr=up"
        talk.tell(alert("a"), alert("b", source=source, labels={"pod": "p"}), alert("c", source="http://prom/2"))
        effect = talk.take(Query)
        assert isinstance(effect, Query)
        assert effect.alert == AlertSource(name="b", url=source, labels={"pod": "p"}, since=NOW)

    def test_a_diagnosis_that_fails_is_said_beside_the_alerts(self) -> None:
        talk = Alerted()
        talk.tell(alert())
        talk.diagnosed(problem=True)
        assert "Not diagnosed: " in talk.card.text()
        assert "🔴 Slow" in talk.card.text()
        assert buttons(talk.card)[0] == "diagnose"

    def test_a_later_failure_leaves_what_was_seen_and_says_so(self) -> None:
        talk = Alerted()
        talk.tell(alert())
        talk.diagnosed("two of three")
        talk.tell(alert(), alert("Errors"), after=MINUTE)
        talk.diagnosed(problem=True)
        assert "two of three" in talk.card.text()
        assert "Not diagnosed again" in talk.card.text()

    def test_a_policy_that_does_not_let_everybody_look_has_nothing_shown(self) -> None:
        policy = Policy(rules=(Rule(actions=("read",), request=("sre",)),), groups={"sre": ("alice",)})
        talk = Alerted(policy=policy)
        talk.tell(alert())
        assert talk.asked == 0
        assert "Diagnosing" not in talk.card.text()

    @pytest.mark.parametrize(
        ("severities", "worst", "tone"),
        [
            (["warning", "critical", "info"], "critical", "danger"),
            (["info", "warning"], "warning", "warn"),
            (["none", "sev3"], "sev3", "danger"),
            (["", "info"], "", "danger"),
            (["Info"], "Info", "warn"),
            (["P9", "page"], "page", "danger"),
        ],
    )
    def test_the_worst_severity_gives_the_tone(self, severities: list[str], worst: str, tone: str) -> None:
        talk = Alerted()
        talk.tell(*(alert(f"a{n}", severity=severity) for n, severity in enumerate(severities)))
        assert talk.session.alert is not None
        assert talk.session.alert.severity == worst
        assert talk.card.tone == tone

    def test_more_than_can_be_shown_are_counted(self) -> None:
        talk = Alerted()
        many = [alert(f"a{number:03}") for number in range(300)]
        talk.tell(*many, firing=800, resolved=4, left_out=9)
        assert talk.card.title == "Alert: a000, a001, a002 (800 firing)"
        assert f"{804 - SHOWN_ALERTS} more." in talk.card.text()
        assert "did not send 9 more" in talk.card.text()
        assert len(msgspec.json.encode(talk.session)) < 6_000

    def test_the_links_are_those_of_the_first_alert_that_has_one(self) -> None:
        talk = Alerted()
        talk.tell(alert(source="http://prom/1"), alert("b", source="http://prom/2"), silence="http://am/#/silences/new")
        shown = [link.url for block in talk.card.blocks if isinstance(block, Links) for link in block.links]
        assert shown == ["http://am/#/silences/new", "http://prom/1"]
        talk.tell(resolved(ended=NOW), silence="http://am/#/silences/new", after=MINUTE)
        assert "http://am" not in talk.card.text()


class TestRepeating:
    def test_what_was_told_before_changes_nothing(self) -> None:
        talk = Alerted()
        talk.tell(alert())
        talk.diagnosed()
        decision = talk.tell(alert(), after=1_000)
        assert decision.cards == ()
        assert decision.work == ()
        assert decision.audit == ()

    def test_a_repetition_looks_again_and_draws_only_what_is_new(self) -> None:
        talk = Alerted()
        talk.tell(alert())
        talk.diagnosed("two of three")
        decision = talk.tell(alert(), after=4 * 60 * MINUTE)
        assert (decision.cards, talk.asked) == ((), 1)
        assert talk.diagnosed("two of three").cards == ()
        talk.tell(alert(), after=4 * 60 * MINUTE)
        assert talk.diagnosed("one of three").cards != ()

    def test_a_card_is_diagnosed_at_most_every_30_s_and_once_at_a_time(self) -> None:
        talk = Alerted()
        talk.tell(alert())
        talk.tell(alert(), alert("b"), after=MINUTE)
        assert talk.asked == 1, "the first is under way still"
        talk.diagnosed()
        talk.tell(alert(), after=10_000)
        assert talk.asked == 1
        talk.diagnosed()
        talk.tell(alert(), alert("c"), after=29_000)
        assert talk.asked == 0
        talk.tell(alert(), after=1_000)
        assert talk.asked == 1

    def test_members_come_and_go(self) -> None:
        talk = Alerted()
        talk.tell(alert("a"), alert("b"))
        talk.tell(alert("b"), alert("c"), resolved("a", ended=NOW), after=MINUTE)
        assert talk.card.title == "Alert: b, c (2 firing)"
        assert "✅ a" in talk.card.text()
        talk.tell(alert("c"), after=MINUTE)
        assert "🔴 b" not in talk.card.text()
        assert talk.card.title == "Alert: c (1 firing)"


class TestResolved:
    def test_the_last_closes_it_and_says_how_long_it_lasted(self) -> None:
        talk = Alerted()
        talk.tell(alert("a"), alert("b", at=NOW - 5 * MINUTE))
        talk.diagnosed("two of three")
        talk.tell(alert("a"), resolved("b", ended=NOW + MINUTE, at=NOW - 5 * MINUTE), after=2 * MINUTE)
        assert talk.state is State.FOLLOW_UP
        decision = talk.tell(
            resolved("a", ended=NOW + 9 * MINUTE), resolved("b", ended=NOW, at=NOW - 5 * MINUTE), after=8 * MINUTE
        )
        assert talk.card.title == "Resolved: a, b"
        assert "It lasted 14m, from 07:55 UTC to 08:09 UTC." in talk.card.text()
        assert "two of three" not in talk.card.text()
        assert talk.card.tone == "ok"
        assert talk.session.archived
        assert decision.summary is not None
        assert (decision.summary.outcome, decision.summary.entity) == ("resolved", WEB)

    def test_a_diagnosis_that_comes_too_late_is_not_shown(self) -> None:
        talk = Alerted()
        talk.tell(alert())
        talk.tell(resolved(ended=NOW + MINUTE), after=MINUTE)
        assert talk.diagnosed("two of three").cards == ()

    def test_an_end_in_the_future_or_without_a_beginning_is_no_duration(self) -> None:
        talk = Alerted()
        talk.tell(alert(starts_at="soon"))
        talk.tell(resolved(ended=NOW + 90 * MINUTE), after=MINUTE)
        assert "from 08:00 UTC to 08:01 UTC" in talk.card.text()

    def test_what_was_left_out_may_still_fire(self) -> None:
        talk = Alerted()
        talk.tell(alert(), left_out=3)
        talk.tell(resolved(ended=NOW), left_out=3, after=MINUTE)
        assert talk.card.title == "Resolved as far as it was told: Slow"
        assert talk.card.tone == "warn"
        assert talk.state is State.FOLLOW_UP
        talk.tell(resolved(ended=NOW), after=MINUTE)
        assert talk.session.archived

    def test_people_who_are_at_something_are_not_cut_off(self) -> None:
        talk = Alerted()
        talk.tell(alert())
        talk.say("alice", Route.ACT, act("scale"))
        assert talk.state is State.COLLECTING
        talk.tell(resolved(ended=NOW), after=MINUTE)
        assert talk.card.title == "Resolved: Slow"
        assert talk.state is State.COLLECTING


class TestAfterTheSession:
    """The card goes on where people's conversation has ended."""

    def idle(self, **more: Any) -> Alerted:
        talk = Alerted()
        talk.tell(alert(), **more)
        talk.timer(11 * 60)
        assert talk.session.archived
        return talk

    def test_a_firing_that_lasts_is_resolved_on_its_card(self) -> None:
        talk = self.idle()
        assert keep_s(talk.session) == KEPT_S
        decision = talk.tell(resolved(ended=NOW + 60 * MINUTE), after=60 * MINUTE)
        assert not decision.move
        assert talk.card.title == "Resolved: Slow"
        assert "It lasted 1h" in talk.card.text()
        assert keep_s(talk.session) == 0

    def test_what_is_told_of_it_later_is_when_it_ended_last(self) -> None:
        talk = self.idle()
        decision = talk.tell(resolved(ended=NOW + 60 * MINUTE), after=60 * MINUTE)
        assert decision.summary is not None
        assert (decision.summary.at, decision.summary.entity, decision.summary.outcome) == (talk.now, WEB, "resolved")

    def test_what_was_done_is_still_told_when_its_alerts_have_ended(self) -> None:
        talk = self.idle()
        talk.session = msgspec.structs.replace(talk.session, done=Done("k", "restart", WEB))
        assert talk.tell(resolved(ended=NOW + 60 * MINUTE), after=60 * MINUTE).summary is None

    def test_no_lock_comes_back_with_an_alert(self) -> None:
        talk = self.idle()
        talk.tell(alert(), alert("b"), after=MINUTE)
        assert talk.session.lock is None
        assert talk.session.archived
        assert talk.card.title == "Alert: Slow, b (2 firing)"

    def test_it_is_diagnosed_all_the_same(self) -> None:
        talk = self.idle()
        talk.diagnosed("two of three")
        assert "two of three" in talk.card.text()
        assert talk.session.results == {}


class TestAgain:
    def test_soon_after_it_is_the_same_card(self) -> None:
        talk = Alerted()
        talk.tell(alert())
        talk.tell(resolved(ended=NOW + MINUTE), after=MINUTE)
        decision = talk.tell(alert(at=NOW + 30 * MINUTE), after=30 * MINUTE)
        assert not decision.move
        assert talk.card.title == "Alert: Slow (1 firing)"
        assert "since 08:30 UTC" in talk.card.text()
        assert "flapping" not in talk.card.text().lower()
        talk.tell(resolved(ended=NOW + 33 * MINUTE, at=NOW + 30 * MINUTE), after=2 * MINUTE)
        assert "It lasted 3m" in talk.card.text()

    def test_later_it_moves_to_a_new_card_that_tells_of_the_old_one(self) -> None:
        talk = Alerted()
        talk.tell(alert())
        talk.tell(resolved(ended=NOW + MINUTE), after=MINUTE)
        assert talk.tell(resolved(ended=NOW + MINUTE), after=31 * MINUTE).cards == ()
        decision = talk.tell(alert(at=NOW + 32 * MINUTE))
        assert decision.move
        anew = Alerted()
        last = Summary(thread="t1", at=NOW + MINUTE, entity=API, outcome="resolved", done=Done("k", "restart", API))
        anew.now = NOW + 32 * MINUTE
        group = AlertGroup(id="x", room=ROOM, group="g", alerts=(alert(at=anew.now),), service=WEB.key)
        anew.event(group, beside=last)
        assert "It has fired before. Done then: restart, api." in anew.card.text()
        assert anew.session.lock is not None
        assert anew.session.lock.entity == WEB, "what the old card was about decides nothing"
        anew.diagnosed()
        assert "It has fired before" in anew.card.text()

    def test_firing_three_times_within_half_an_hour_is_flapping_on_one_card(self) -> None:
        talk = Alerted()
        for place in range(4):
            talk.tell(alert(at=talk.now), after=0 if place == 0 else 4 * MINUTE)
            assert ("Flapping" in talk.card.text()) is (place >= 2)
            talk.tell(resolved(ended=talk.now + 4 * MINUTE, at=talk.now), after=4 * MINUTE)
        assert "Flapping: it has fired 4 times since 08:00 UTC." in talk.card.text()
        assert set(talk.cards) == {"c1"}

    def test_firing_three_times_in_an_hour_and_a_half_is_not(self) -> None:
        talk = Alerted()
        for place in range(3):
            talk.tell(alert(at=talk.now), after=0 if place == 0 else 20 * MINUTE)
            talk.tell(resolved(ended=talk.now, at=talk.now), after=9 * MINUTE)
        assert "Flapping" not in talk.card.text()


class TestService:
    def test_without_a_service_nothing_is_locked_or_guessed(self) -> None:
        talk = Alerted()
        talk.tell(alert(), service=None)
        assert talk.session.lock is None
        assert talk.asked == 0
        assert "map to no known service." in talk.card.text()
        assert buttons(talk.card) == []

    def test_candidates_are_buttons_and_a_click_locks(self) -> None:
        talk = Alerted()
        talk.tell(alert(), service=None, candidates=(WEB.key, API.key, "east/shop/deployment/gone"))
        assert buttons(talk.card) == ["service:web", "service:api"]
        assert talk.session.lock is None
        decision = talk.click("bob", "service:api")
        assert talk.session.lock is not None
        assert (talk.session.lock.entity, talk.session.lock.by) == (API, user("bob").key)
        assert recorded(decision, "decision")[0].service == API.key
        assert talk.asked == 1
        talk.diagnosed("api is fine")
        assert "api is fine" in talk.card.text()
        assert buttons(talk.card)[0] == "diagnose"

    def test_services_that_are_all_alerted_are_said_to_be(self) -> None:
        talk = Alerted()
        talk.tell(alert(), service=None, candidates=(WEB.key, API.key), several=True)
        assert "about several services" in talk.card.text()
        talk.tell(alert(), service=None, candidates=(WEB.key,), after=MINUTE)
        assert "for certain" in talk.card.text()

    def test_the_choice_holds_while_the_group_changes(self) -> None:
        talk = Alerted()
        talk.tell(alert(), service=None, candidates=(WEB.key, API.key))
        talk.click("bob", "service:api")
        talk.tell(alert(), alert("b"), service=None, candidates=(WEB.key, API.key), after=MINUTE)
        assert buttons(talk.card)[0] == "diagnose"
        assert talk.session.lock is not None
        assert talk.session.lock.entity == API

    def test_a_choice_after_the_session_has_ended_is_told_to_the_next_one(self) -> None:
        talk = Alerted()
        talk.tell(alert(), service=None, candidates=(WEB.key, API.key))
        talk.timer(11 * 60)
        decision = talk.click("bob", "service:api")
        assert talk.session.lock is None
        assert decision.summary is not None
        assert decision.summary.entity == API
        assert talk.asked == 1

    @pytest.mark.parametrize("button", ["service:web", "service:order", "service:"])
    def test_what_was_not_offered_is_refused(self, button: str) -> None:
        talk = Alerted()
        talk.tell(alert(), service=None, candidates=(API.key,))
        decision = talk.click("bob", button)
        assert recorded(decision, "refusal")
        assert talk.session.lock is None

    def test_a_group_that_comes_to_be_about_another_service_follows_it_where_nobody_has_spoken(self) -> None:
        talk = Alerted()
        talk.tell(alert())
        talk.tell(alert("b"), service=API, after=MINUTE)
        assert talk.session.lock is not None
        assert talk.session.lock.entity == API
        decision = talk.diagnosed("of web")
        assert "of web" not in talk.card.text()
        assert [effect.entity for effect in decision.work if isinstance(effect, Query)] == [API]

    def test_a_plan_of_somebody_keeps_its_lock(self) -> None:
        talk = Alerted()
        talk.tell(alert())
        talk.diagnosed()
        talk.say("alice", Route.ACT, act("restart"))
        talk.tell(alert("b"), service=API, after=MINUTE)
        assert talk.session.lock is not None
        assert talk.session.lock.entity == WEB
        assert talk.session.pending

    def test_a_service_that_is_no_longer_known_is_none(self) -> None:
        talk = Alerted()
        talk.tell(alert(), service=entity("gone"))
        assert talk.session.lock is None


class TestMoved:
    def test_what_goes_on_in_another_room_is_said_so_here(self) -> None:
        talk = Alerted()
        talk.tell(alert())
        talk.tell(alert(), elsewhere=True, after=MINUTE)
        assert talk.card.title == "Alert, now in another room: Slow"
        assert talk.card.tone == "muted"
        assert talk.session.archived
        assert talk.tell(alert(), alert("b"), elsewhere=True, after=MINUTE).cards == ()

    def test_it_may_come_back_and_that_is_no_flapping(self) -> None:
        talk = Alerted()
        for _ in range(3):
            talk.tell(alert(), after=MINUTE)
            talk.tell(alert(), elsewhere=True, after=MINUTE)
        talk.tell(alert(), after=MINUTE)
        assert talk.card.title == "Alert: Slow (1 firing)"
        assert "Flapping" not in talk.card.text()

    def test_what_ended_unseen_by_the_other_room_ends_here(self) -> None:
        talk = Alerted()
        talk.tell(alert())
        talk.tell(resolved(ended=NOW), resolved("b", ended=NOW), elsewhere=True, after=MINUTE)
        assert talk.card.title == "Resolved: Slow, b"

    def test_a_room_that_never_heard_of_it_hears_nothing(self) -> None:
        talk = Alerted()
        assert talk.tell(alert(), elsewhere=True).cards == ()


class TestWhatever:
    def test_a_session_that_an_older_version_stored_goes_on_on_its_card(self) -> None:
        talk = Alerted()
        talk.tell(alert())
        old = msgspec.json.decode(msgspec.json.encode(talk.session))
        old["alert"] = {"group": "g", "alerts": {"Slow": [True, "Slow", "5 % fail"]}, "card": "c1"}
        talk.session = decode(msgspec.json.encode(old))
        decision = talk.tell(alert(), after=MINUTE)
        assert [name for name, _ in decision.cards] == ["c1"]
        assert talk.card.title == "Alert: Slow (1 firing)"

    @given(
        st.lists(
            st.tuples(
                st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), min_size=1, max_size=4),
                st.sampled_from([WEB, API, None]),
                st.integers(0, 2),
                st.sampled_from([0, 1, 29_000, 5 * MINUTE, 31 * MINUTE]),
                st.sampled_from(["", "diagnosed", "failed", "timer", "service:web", "refresh"]),
                st.booleans(),
            ),
            max_size=12,
        )
    )
    def test_one_card_tells_what_fires_whatever_else_happens(self, steps: list[Any]) -> None:
        talk = Alerted()
        talk.tell(alert("a"))
        for told, service, left_out, after, what, elsewhere in steps:
            alerts = [alert(name, firing=firing, at=talk.now) for name, firing in told]
            offered = (WEB.key, API.key) if service is None else ()
            before = talk.session
            decision = talk.tell(
                *alerts, service=service, after=after, left_out=left_out, candidates=offered, elsewhere=elsewhere
            )
            if decision.move:
                assert before.archived
                assert any(one.firing for one in alerts)
                talk.session = Session(thread=f"t{talk.count}", room=ROOM)
                talk.cards.clear()
                talk.tell(*alerts, service=service, left_out=left_out, candidates=offered)
            if what == "diagnosed" and talk.asked:
                talk.diagnosed()
            elif what == "failed" and talk.asked:
                talk.diagnosed(problem=True)
            elif what == "timer":
                talk.timer(11 * 60)
            elif what:
                talk.click("bob", what)
            state = talk.session.alert
            assert state is not None
            fires = sum(one.firing for one in alerts)
            if elsewhere and fires:
                assert state.moved or not state.firing
            elif not elsewhere:
                assert f"({fires} firing)" in talk.card.title if fires else "firing" not in talk.card.title
                assert bool(state.closed_at) is (not fires and not left_out)
            assert len([card for card in talk.cards.values() if card.patient]) == 1


def test_the_card_offers_what_fits_the_diagnosis_and_nothing_that_cannot_be() -> None:
    talk = Alerted()
    talk.tell(alert())
    effect = talk.take(Query)
    assert isinstance(effect, Query)
    offers = (Offer("rollback", {"revision": 6}), Offer("restart", entity="east/x/deployment/unknown"))
    report = Report(kind="status", at=NOW, headline=say("alert.over"), entity=WEB, offers=offers)
    talk.event(Queried(effect=effect.id, report=report))
    assert [button.label for button in talk.card.buttons if button.id == "rollback"] == ["Roll back to rev 6"]
    assert "restart" not in buttons(talk.card)
