"""A plan that waits for approvals: who is mentioned, reminded once, asked later; how a rejection gets its reason."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from chatops_bot.domain.cards import Card
from chatops_bot.domain.dialogue.timers import wake_at
from chatops_bot.domain.effects import Execute, Judge, Void
from chatops_bot.domain.events import Message
from chatops_bot.domain.identity import Room, account_in
from chatops_bot.domain.intents import Interpretation, Quantity, Route, State
from chatops_bot.domain.policy_file import parse
from chatops_bot.domain.session import decode, encode
from chatops_bot.domain.world import Timing
from tests.unit.domain.dialogue.talk import API, NOW, ROOM, WEB, Talk, act, user

RULE: dict[str, Any] = {"confirm": ["alice"], "approve": ["bob", "carol"], "approvals": 1}
ESCALATED: dict[str, Any] = {**RULE, "escalate": ["boss"], "escalate_after": "15m"}


def waiting(rule: dict[str, Any] | None = None, *, timing: Timing | None = None, **policy: Any) -> Talk:
    """A plan of alice's that she has confirmed and that waits for approvals."""
    talk = Talk(policy=parse({**policy, "rules": [RULE if rule is None else rule]}))
    if timing is not None:
        talk.world = msgspec.structs.replace(talk.world, timing=timing)
    talk.plan()
    talk.click("alice", "confirm")
    talk.judged(missing=1)
    assert talk.state is State.APPROVING
    return talk


def newest(talk: Talk) -> Card:
    return talk.cards[max(talk.cards, key=lambda card: int(card[1:]))]


def rung(talk: Talk) -> list[tuple[str, ...]]:
    """Who is mentioned by each card that mentions anybody, in order."""
    return [
        talk.cards[card].mention for card in sorted(talk.cards, key=lambda c: int(c[1:])) if talk.cards[card].mention
    ]


class TestAsked:
    def test_those_who_may_approve_are_mentioned_on_a_new_card_with_the_buttons(self) -> None:
        talk = waiting()
        card = newest(talk)
        assert card.mention == ("bob", "carol")
        assert [button.id for button in card.buttons] == ["approve", "reject", "cancel"]
        assert "Asked to approve: bob, carol." in card.text()
        assert "Approvals: 0 of 1." in card.text()
        assert "60 minutes left" in card.text()
        live = [other for other in talk.cards.values() if other.buttons]
        assert live == [card], "no other card can be pressed"

    def test_neither_requester_nor_confirmer_is_asked_unless_the_rule_lets_them(self) -> None:
        rule = {"confirm": ["alice", "bob"], "approvals": 1}
        assert waiting(rule).cards["c2"].mention == ("bob",)
        assert waiting({**rule, "self_approve": True}).cards["c2"].mention == ("alice", "bob")

    def test_one_account_of_each_person_and_only_those_of_the_room_s_platform(self) -> None:
        people = {"Bob B": ["slack:U1", "bob", "bob_mobile"], "Carol C": ["feishu:ou_1"]}
        talk = waiting({**RULE, "approve": ["Bob B", "Carol C", "slack:U2"]}, people=people)
        assert newest(talk).mention == ("bob",)
        assert "Asked to approve: Bob B, Carol C, slack:U2." in newest(talk).text()

    def test_anybody_is_nobody_to_be_mentioned(self) -> None:
        talk = waiting({**RULE, "approve": ["*"]})
        assert rung(talk) == []
        assert "Anybody but guests can approve it, other than whoever asked" in newest(talk).text()

    def test_where_nobody_is_left_to_ask_nobody_is_named(self) -> None:
        talk = waiting({**RULE, "approve": ["alice"]})
        assert rung(talk) == []
        assert "Asked to approve" not in newest(talk).text()

    def test_a_crowd_is_mentioned_and_named_in_part(self) -> None:
        crowd = [f"p{number:02}" for number in range(30)]
        talk = waiting({**RULE, "approve": ["crowd"]}, groups={"crowd": crowd})
        assert len(newest(talk).mention) == 20
        assert "p07, +22." in newest(talk).text()

    def test_what_people_write_mentions_nobody(self) -> None:
        talk = waiting()
        talk.now += 60_000
        talk.say("dave", Route.UNCLEAR, text="@bot <@U0G9QF9C6> <!channel> @bob hello")
        assert rung(talk) == []

    def test_a_redraw_before_it_can_have_been_posted_still_mentions(self) -> None:
        talk = waiting()
        card = talk.session.pending[0].card
        talk.say("dave", Route.UNCLEAR, addressed=False, via_card=True)
        assert talk.cards[card].mention == ("bob", "carol")
        talk.now += 60_000
        talk.say("dave", Route.UNCLEAR, addressed=False, via_card=True)
        assert talk.cards[card].mention == ()

    def test_the_count_names_those_who_have_and_asks_the_rest(self) -> None:
        talk = waiting({**RULE, "approve": ["bob", "carol", "dave"], "approvals": 2})
        talk.now += 600_000
        talk.click("bob", "approve")
        talk.judged(missing=1, approvals=("bob",))
        text = newest(talk).text()
        for line in ("Approvals: 1 of 2.", "Approved by: bob.", "Asked to approve: carol, dave.", "50 minutes left"):
            assert line in text

    def test_an_approval_that_lapsed_is_named(self) -> None:
        talk = waiting({**RULE, "approve": ["bob", "carol", "dave"], "approvals": 2})
        talk.click("bob", "approve")
        talk.judged(missing=1, approvals=("bob",))
        policy = parse({"rules": [{**RULE, "approve": ["carol", "dave"], "approvals": 2}]})
        talk.world = msgspec.structs.replace(talk.world, policy=policy)
        talk.click("carol", "approve")
        talk.judged(missing=1, approvals=("bob", "carol"))
        text = newest(talk).text()
        assert "Approvals: 1 of 2." in text
        assert "No longer counted, by the rules as they are now: bob." in text

    @pytest.mark.parametrize(
        ("room", "key", "account"),
        [
            (ROOM, "bob", "bob"),
            (ROOM, "slack:U1", ""),
            (Room("slack", "T1", "C1"), "slack:U1", "U1"),
            (Room("slack", "T1", "C1"), "slack:T2/U1", ""),
            (Room("slack", "T1", "C1"), "bob", ""),
            (Room("feishu", "t", "oc_1"), "feishu:ou_1", "ou_1"),
            (Room("wecom", "c", "r"), "wecom:zhangsan", "zhangsan"),
        ],
    )
    def test_a_key_is_an_account_of_its_own_platform_and_organisation_only(
        self, room: Room, key: str, account: str
    ) -> None:
        assert account_in(room, key) == account


class TestSeveral:
    def test_a_click_approves_the_plan_of_its_card_and_no_other(self) -> None:
        """C24: the oldest one was taken, not the one that was clicked."""
        talk = Talk(policy=parse({"rules": [RULE]}))
        scale, restart = act("scale", WEB, replicas=Quantity("to", 5)), act("restart", API)
        talk.say("alice", Route.ACT, scale, restart)
        talk.prepared()
        talk.prepared()
        first, second = (pending.token for pending in talk.session.pending)
        for token in (first, second):
            talk.click("alice", "confirm", token=token)
            talk.judged(missing=1)
        for token in (second, first):
            talk.click("bob", "approve", token=token)
            judge = talk.take(Judge)
            assert isinstance(judge, Judge)
            assert judge.token == token
            assert len([effect for effect in talk.work if isinstance(effect, Judge)]) == 0


class TestReminder:
    def test_who_is_still_asked_is_mentioned_once_more_and_only_once(self) -> None:
        talk = waiting({**RULE, "approvals": 2})
        assert wake_at(talk.session, talk.world.timing) == NOW + 600_000
        talk.click("bob", "approve")
        talk.judged(missing=1, approvals=("bob",))
        talk.timer(599)
        count = talk.session.cards
        talk.timer(1)
        assert talk.session.cards == count + 1
        assert newest(talk).mention == ("carol",)
        assert "Reminder: this has waited for 10 minutes" in newest(talk).text()
        talk.session = decode(encode(talk.session))
        for _ in range(10):
            talk.timer(60)
        assert talk.session.cards == count + 1
        assert wake_at(talk.session, talk.world.timing) == talk.session.pending[0].approve_until

    def test_its_time_is_configured_and_may_be_never(self) -> None:
        soon = waiting(timing=Timing(approval_reminder_s=60))
        assert wake_at(soon.session, soon.world.timing) == NOW + 60_000
        for timing in (Timing(approval_reminder_s=0), Timing(approval_reminder_s=3600)):
            never = waiting(timing=timing)
            assert wake_at(never.session, timing) == NOW + 3_600_000

    def test_what_is_approved_meanwhile_reminds_nobody(self) -> None:
        talk = waiting()
        talk.click("bob", "approve")
        talk.judged(approvals=("bob",))
        cards = talk.session.cards
        assert wake_at(talk.session, talk.world.timing) == 0, "a plan that is carried out waits for no time"
        talk.timer(600)
        assert talk.session.cards == cards


class TestEscalation:
    def test_those_of_the_rule_are_asked_at_their_time_and_may_approve_from_then_on(self) -> None:
        talk = waiting(ESCALATED)
        assert "If it still waits at 08:15 UTC, these are asked too: boss." in newest(talk).text()
        early = talk.click("boss", "approve")
        assert early.audit[0].reason == "policy"
        assert "only once it has waited for 15m" in newest(talk).text()
        assert not [effect for effect in talk.work if isinstance(effect, Judge)]
        talk.timer(600)
        decision = talk.timer(300)
        assert newest(talk).mention == ("bob", "boss", "carol")
        assert "From now on these may approve too: boss." in newest(talk).text()
        assert [(r.reason, r.text) for r in decision.audit] == [("escalated", "boss")]
        talk.click("boss", "approve")
        judge = talk.take(Judge)
        assert isinstance(judge, Judge)
        assert judge.escalated
        talk.work.append(judge)
        talk.judged(approvals=("boss",))
        execute = talk.take(Execute)
        assert isinstance(execute, Execute)
        assert execute.escalated

    def test_it_happens_once_also_after_a_restart_that_slept_through_both_times(self) -> None:
        talk = waiting(ESCALATED)
        cards = talk.session.cards
        talk.session = decode(encode(talk.session))
        talk.timer(1200)
        assert talk.session.cards == cards + 1, "one card for both"
        talk.timer(60)
        assert talk.session.cards == cards + 1

    def test_a_rule_that_no_longer_names_anybody_asks_nobody(self) -> None:
        talk = waiting(ESCALATED)
        talk.world = msgspec.structs.replace(talk.world, policy=parse({"rules": [RULE]}))
        talk.timer(600)
        cards = talk.session.cards
        talk.timer(300)
        assert talk.session.cards == cards
        assert not talk.session.pending[0].escalated
        assert wake_at(talk.session, talk.world.timing) == talk.session.pending[0].approve_until

    def test_it_is_not_planned_past_the_end(self) -> None:
        talk = waiting({**ESCALATED, "escalate_after": "60m"})
        assert talk.session.pending[0].escalate_at == 0
        assert "these are asked too" not in newest(talk).text()

    def test_who_is_asked_later_may_reject_only_then(self) -> None:
        talk = waiting(ESCALATED)
        talk.click("boss", "reject")
        assert talk.session.pending
        talk.timer(900)
        talk.click("boss", "reject")
        assert talk.state is State.FOLLOW_UP


class TestExpiry:
    def test_a_time_far_off_is_told_with_its_day(self) -> None:
        text = newest(waiting(timing=Timing(approval_s=3 * 86_400))).text()
        assert "it expires at 2026-01-08 08:00 UTC" in text

    def test_the_card_says_so_with_what_it_had_and_no_button_is_left(self) -> None:
        talk = waiting({**RULE, "approvals": 2})
        talk.click("bob", "approve")
        talk.judged(missing=1, approvals=("bob",))
        card = talk.session.pending[0].card
        talk.timer(3600)
        assert "Expired with 1 of 2 approvals (bob)." in talk.cards[card].text()
        assert not any(shown.buttons for shown in talk.cards.values())
        assert [effect.reason for effect in talk.work if isinstance(effect, Void)] == ["expired"]


class TestChanges:
    def test_a_changed_plan_says_whose_approvals_it_does_not_have(self) -> None:
        talk = waiting({**RULE, "approvals": 2})
        talk.click("bob", "approve")
        talk.judged(missing=1, approvals=("bob",))
        talk.say("alice", Route.MODIFY, act("scale", replicas=Quantity("to", 7)))
        talk.prepared(replicas=7)
        assert talk.state is State.CONFIRMING
        assert talk.session.pending[0].approvals == ()
        assert "The approvals of the former plan (bob) do not count for this one." in newest(talk).text()


class TestRejection:
    def rejected(self, rule: dict[str, Any] | None = None) -> tuple[Talk, str]:
        talk = waiting(rule)
        card = talk.session.pending[0].card
        talk.click("bob", "reject")
        assert talk.state is State.FOLLOW_UP
        assert "bob: answer this card to say why." in talk.cards[card].text()
        return talk, card

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("too risky now", "too risky now"),
            ("reject: too risky now", "too risky now"),
            ("Rejected because of the launch", "of the launch"),
            ("reason: wait for the release", "wait for the release"),
            ("驳回：现在风险太大", "现在风险太大"),
            ("因为正在发布", "正在发布"),
        ],
    )
    def test_the_next_words_of_the_same_person_are_its_reason(self, text: str, reason: str) -> None:
        talk, card = self.rejected()
        decision = talk.say("bob", Route.CHAT, via_card=True, text=text)
        assert [(r.reason, r.text, r.token != "") for r in decision.audit] == [("rejection reason", reason, True)]
        assert f"Why bob rejected it: {reason}" in talk.cards[card].text()
        assert "The reason is on the card" in newest(talk).text()
        again = talk.say("bob", Route.CHAT, via_card=True, text="and another thing")
        assert not again.audit, "one reason"

    def test_an_announcement_with_nothing_behind_it_is_no_reason(self) -> None:
        talk, card = self.rejected()
        decision = talk.say("bob", Route.CHAT, via_card=True, text="reject:")
        assert not [record for record in decision.audit if record.reason == "rejection reason"]
        assert "Why bob rejected it" not in talk.cards[card].text()

    def test_nobody_else_gives_it(self) -> None:
        talk, card = self.rejected()
        talk.say("carol", Route.CHAT, via_card=True, text="because I say so")
        assert "because" not in talk.cards[card].text()
        talk.say("bob", Route.CHAT, via_card=True, text="too risky now")
        assert "too risky now" in talk.cards[card].text()

    def test_a_request_is_no_reason_unless_it_says_so(self) -> None:
        talk, card = self.rejected()
        talk.say("bob", Route.ACT, act("restart", WEB), text="restart web")
        assert talk.state is State.CONFIRMING
        assert "restart web" not in talk.cards[card].text()
        talk, card = self.rejected()
        talk.say("bob", Route.ACT, act("restart", WEB), via_card=True, text="reject: restart web is too risky")
        assert talk.state is State.FOLLOW_UP
        assert "restart web is too risky" in talk.cards[card].text()

    @pytest.mark.parametrize("text", ["reject: too risky now", "I reject it because of the launch", "驳回：太危险"])
    @pytest.mark.parametrize("route", [Route.CANCEL, Route.CHAT, Route.MODIFY])
    def test_words_reject_nothing(self, text: str, route: Route) -> None:
        talk = waiting()
        event = Message(id="m", room=ROOM, user=user("bob"), text=text, addressed=True, name="bob")
        talk.event(event, Interpretation(route=route, language="en"), via_card=True)
        assert talk.state is State.APPROVING
        assert "These words reject nothing." in newest(talk).text()
        assert not [effect for effect in talk.work if isinstance(effect, Void)]
