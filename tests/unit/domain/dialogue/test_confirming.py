"""Confirm means confirm: what does, and what never does."""

from __future__ import annotations

import pytest

from chatops_bot.domain.cards import Card, Note, Text
from chatops_bot.domain.effects import Judge, Void
from chatops_bot.domain.events import Followed, Judged
from chatops_bot.domain.intents import Quantity, Request, Route, State
from chatops_bot.domain.policy import Policy, Rule
from tests.unit.domain.dialogue.talk import API, WEB, Talk, act, named, user


def judges(talk: Talk) -> list[Judge]:
    return [effect for effect in talk.work if isinstance(effect, Judge)]


def test_plain_words_by_mention_set_the_one_plan_going() -> None:
    talk = Talk()
    token = talk.plan()
    talk.say("bob", Route.CONFIRM, affirmative=True)
    assert [(j.token, j.user.id) for j in judges(talk)] == [(token, "bob")]


def test_the_interpreter_alone_confirms_nothing() -> None:
    talk = Talk()
    talk.plan()
    decision = talk.say("alice", Route.CONFIRM, affirmative=False)
    assert not judges(talk)
    assert talk.state is State.CONFIRMING
    assert decision.cards, "the plan is shown again"


@pytest.mark.parametrize("route", [r for r in Route if r is not Route.CONFIRM])
def test_no_other_route_confirms_even_if_the_words_are_affirmative(route: Route) -> None:
    talk = Talk()
    talk.plan()
    talk.say("alice", route, affirmative=True)
    assert not judges(talk)


def test_words_without_mention_count_in_the_cards_thread_while_nobody_else_wrote() -> None:
    talk = Talk()
    talk.plan("alice")
    talk.say("alice", Route.CONFIRM, affirmative=True, addressed=False, via_card=True)
    assert len(judges(talk)) == 1


def test_words_without_mention_count_no_more_once_somebody_else_wrote() -> None:
    talk = Talk()
    talk.plan("alice")
    talk.say("bob", Route.UNCLEAR, addressed=False, via_card=True)
    decision = talk.say("alice", Route.CONFIRM, affirmative=True, addressed=False, via_card=True)
    assert not judges(talk)
    assert [record.reason for record in decision.audit] == ["refuse.others"]
    talk.say("alice", Route.CONFIRM, affirmative=True, addressed=True)
    assert len(judges(talk)) == 1, "with a mention it is meant for the bot"


def test_words_that_came_before_the_card_confirm_nothing_and_the_plan_is_shown_again() -> None:
    talk = Talk()
    talk.plan("alice")
    talk.seen = False
    decision = talk.say("alice", Route.CONFIRM, affirmative=True)
    assert not judges(talk)
    assert [record.reason for record in decision.audit] == ["refuse.unseen"]
    assert talk.token in {button.token for _, card in decision.cards for button in card.buttons}


def test_an_ok_to_a_colleague_is_not_even_heard() -> None:
    talk = Talk()
    talk.plan("alice")
    decision = talk.say("alice", Route.CONFIRM, affirmative=True, addressed=False, via_card=False)
    assert decision.ignored
    assert not judges(talk)


def test_with_two_plans_of_one_utterance_words_ask_which() -> None:
    talk = Talk()
    scale = act("scale", API, start=12, replicas=Quantity("to", 3))
    talk.say("alice", Route.ACT, act("restart", WEB), scale)
    talk.prepared()
    talk.prepared()
    decision = talk.say("alice", Route.CONFIRM, affirmative=True)
    assert not judges(talk)
    assert [record.reason for record in decision.audit] == ["refuse.several"]
    tokens = {pending.token for pending in talk.session.pending}
    shown = {button.token for card in talk.cards.values() for button in card.buttons if button.id == "confirm"}
    assert shown == tokens


def test_each_of_two_plans_is_confirmed_by_its_own_button_and_no_other() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("restart", WEB), act("scale", API, start=12, replicas=Quantity("to", 3)))
    talk.prepared()
    talk.prepared()
    first, second = [pending.token for pending in talk.session.pending]
    talk.click("alice", "confirm", token=second)
    assert [j.token for j in judges(talk)] == [second]
    assert first != second


def test_cancel_without_a_name_voids_all_plans() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("restart", WEB), act("scale", API, start=12, replicas=Quantity("to", 3)))
    talk.prepared()
    talk.prepared()
    talk.say("alice", Route.CANCEL)
    assert talk.session.pending == ()
    assert len([effect for effect in talk.work if isinstance(effect, Void)]) == 2


def test_high_risk_by_words_needs_the_services_name() -> None:
    talk = Talk()
    talk.plan(risk="high", replicas=0)
    talk.say("alice", Route.CONFIRM, affirmative=True)
    assert not judges(talk)
    talk.say("alice", Route.CONFIRM, Request(intent="", name=named(API)), affirmative=True)
    assert not judges(talk), "another service's name is not it"
    talk.say("alice", Route.CONFIRM, Request(intent="", name=named(WEB)), affirmative=True)
    assert len(judges(talk)) == 1


def test_a_click_needs_no_interpretation_also_for_high_risk() -> None:
    talk = Talk()
    talk.plan(risk="high", replicas=0)
    talk.click("carol", "confirm")
    assert [j.user.id for j in judges(talk)] == ["carol"]


@pytest.mark.parametrize("token", ["", "forged", "token-of-e99.0"])
def test_a_click_with_another_token_executes_nothing_and_says_why(token: str) -> None:
    talk = Talk()
    talk.plan()
    decision = talk.click("alice", "confirm", token=token)
    assert not judges(talk)
    assert [record.kind for record in decision.audit] == ["refusal"]
    assert "does not belong" in talk.cards[list(talk.cards)[-1]].text()


def test_the_second_click_is_told_that_the_first_is_being_checked_or_executed() -> None:
    talk = Talk()
    talk.plan()
    talk.click("alice", "confirm")
    talk.click("bob", "confirm")
    assert len(judges(talk)) == 1
    assert "being checked" in _last(talk)
    talk.judged()
    talk.click("bob", "confirm", token=talk.session.pending[0].token)
    assert "being executed" in _last(talk)
    token = talk.token
    talk.executed()
    talk.click("bob", "confirm", token=token)
    assert "already done, confirmed by alice" in _last(talk)


def test_buttons_of_a_superseded_plan_are_void() -> None:
    talk = Talk()
    old = talk.plan(replicas=5)
    talk.say("alice", Route.MODIFY, Request(intent="", slots={"replicas": Quantity("to", 3)}))
    talk.prepared(replicas=3)
    new = talk.token
    assert new != old
    talk.click("alice", "confirm", token=old)
    assert not judges(talk)
    assert "replaced" in _last(talk)
    live = {button.token for card in talk.cards.values() for button in card.buttons if button.id == "confirm"}
    assert live == {new}, "no card still offers the old plan"


def test_the_confirmer_is_judged_at_the_click_not_the_requester() -> None:
    policy = Policy(groups={"sre": ("carol",)}, rules=(Rule(confirm=("sre",)),))
    talk = Talk(policy=policy)
    talk.plan("alice")
    decision = talk.click("alice", "confirm")
    assert not judges(talk)
    assert decision.audit[0].reason == "policy"
    talk.click("carol", "confirm")
    assert [j.user.id for j in judges(talk)] == ["carol"]


def test_a_confirmation_that_the_ledger_refuses_for_good_ends_the_plan() -> None:
    talk = Talk()
    talk.plan()
    talk.click("alice", "confirm")
    talk.judged(ok=False, final=True)
    assert talk.session.pending == ()
    assert talk.state is State.FOLLOW_UP


def test_a_conflict_leaves_the_plan_waiting_with_live_buttons() -> None:
    talk = Talk()
    token = talk.plan()
    talk.click("alice", "confirm")
    talk.judged(ok=False, final=False)
    assert talk.state is State.CONFIRMING
    buttons = [b.id for card in talk.cards.values() for b in card.buttons if b.token == token]
    assert "confirm" in buttons


def test_approvals_hold_the_plan_until_enough_people_approved() -> None:
    talk = Talk()
    talk.plan()
    talk.click("alice", "confirm")
    talk.judged(missing=1)
    assert talk.state is State.APPROVING
    talk.say("alice", Route.CONFIRM, affirmative=True)
    assert not judges(talk), "words approve nothing"
    talk.click("carol", "approve")
    assert judges(talk)[0].approve
    talk.judged(approvals=("carol",))
    assert talk.session.state is State.EXECUTING


def test_read_only_refuses_a_confirmation() -> None:
    talk = Talk(read_only="maintenance")
    talk.plan()
    decision = talk.click("alice", "confirm")
    assert not judges(talk)
    assert decision.audit[0].reason == "read_only"


def test_a_verdict_about_an_unknown_plan_changes_nothing() -> None:
    talk = Talk()
    talk.plan()
    before = talk.session
    talk.event(Judged(effect="x", token="forged", ok=True, by="alice"))
    assert talk.session.pending == before.pending


def test_what_others_said_after_the_session_rebound_asks_for_the_button() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.say("bob", Route.ACT, act("scale", API, replicas=Quantity("to", 3)), via_card=True)
    talk.prepared(replicas=3)
    decision = talk.say("alice", Route.CONFIRM, affirmative=True)
    assert not judges(talk)
    assert decision.audit[0].reason == "refuse.drift_words"


def _last(talk: Talk) -> str:
    newest = max(talk.cards, key=lambda card: int(card[1:]))
    return talk.cards[newest].text()


def test_the_outcome_names_who_approved_also_after_the_rollout() -> None:
    talk = Talk()
    talk.plan()
    talk.click("alice", "confirm")
    talk.judged(missing=1)
    talk.click("bob", "approve")
    talk.judged(approvals=(user("bob").key,))
    token = talk.token
    card = talk.session.pending[0].card
    talk.executed()
    assert "Approved by: bob" in shown(talk.cards[card])
    talk.event(Followed(effect="f", token=token, finished=True))
    assert "Approved by: bob" in shown(talk.cards[card])


def shown(card: Card) -> list[str]:
    return [block.text for block in card.blocks if isinstance(block, Text | Note)]
