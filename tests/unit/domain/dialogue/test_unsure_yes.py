"""What reads like a yes and is no plain one: it sets nothing going, and is told what would."""

from __future__ import annotations

import msgspec
import pytest

from chatops_bot.domain.cards import Card
from chatops_bot.domain.dialogue.turn import Decision
from chatops_bot.domain.effects import Judge
from chatops_bot.domain.intents import Asked, Quantity, Request, Route, State
from chatops_bot.domain.session import Flow, Session
from tests.unit.domain.dialogue.talk import API, WEB, Talk, act, named, user

WORDS = "certs didn't change so 5 is safe, yes"


def unsure(talk: Talk, *requests: Request, who: str = "alice", text: str = WORDS, **more: bool) -> Decision:
    decision = talk.say(who, Route.CONFIRM, *requests, affirmative=False, text=text, **more)
    assert not [effect for effect in talk.work if isinstance(effect, Judge)]
    return decision


def said(decision: Decision) -> str:
    return "\n".join(card.text() for _, card in decision.cards)


def reasons(decision: Decision) -> list[tuple[str, str]]:
    return [(record.kind, record.reason) for record in decision.audit]


def live(cards: dict[str, Card]) -> dict[str, str]:
    """Which card carries the button of which plan."""
    return {b.token: id for id, card in cards.items() for b in card.buttons if b.id == "confirm"}


def test_it_is_told_how_to_confirm_below_a_card_with_the_live_button() -> None:
    talk = Talk()
    token = talk.plan()
    before = live(talk.cards)
    decision = unsure(talk)
    assert 'If that was a yes: press Confirm, or mention me and say just "confirm"' in said(decision)
    assert reasons(decision) == [("decision", "confirm.unsure")]
    assert [(record.text, record.token) for record in decision.audit] == [(WORDS, token)]
    assert live(dict(decision.cards)).keys() == {token}
    assert live(talk.cards)[token] != before[token]
    assert talk.state is State.CONFIRMING


@pytest.mark.parametrize("press", [True, False])
def test_what_it_is_told_confirms(press: bool) -> None:
    talk = Talk()
    token = talk.plan()
    unsure(talk)
    if press:
        talk.click("alice", "confirm")
    else:
        talk.say("alice", Route.CONFIRM, affirmative=True, text="confirm")
    assert [effect.token for effect in talk.work if isinstance(effect, Judge)] == [token]


def test_high_risk_is_told_to_name_the_service_also_where_the_words_did() -> None:
    talk = Talk()
    talk.plan(risk="high", replicas=0)
    for requests in ((), (Request("", name=named(WEB)),)):
        decision = unsure(talk, *requests)
        assert 'say just "confirm web"' in said(decision)
        assert reasons(decision) == [("decision", "confirm.unsure_named")]


def test_nobody_is_told_to_confirm_what_would_be_refused() -> None:
    talk = Talk(read_only="maintenance")
    talk.plan()
    decision = unsure(talk)
    assert "maintenance" in said(decision)
    assert "press Confirm" not in said(decision)


def test_beside_a_plan_that_has_been_run_the_service_is_to_be_named() -> None:
    talk = Talk()
    talk.plan()
    talk.session = msgspec.structs.replace(talk.session, lock=None)
    decision = unsure(talk)
    assert 'say just "confirm web"' in said(decision)
    assert "Nothing was run by these words" in said(decision), "another plan was run"


def test_of_several_plans_each_has_its_button_and_no_words_are_offered() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("restart", WEB), act("scale", API, start=12, replicas=Quantity("to", 3)))
    talk.prepared()
    talk.prepared()
    decision = unsure(talk)
    assert reasons(decision) == [("refusal", "refuse.several")]
    assert "2 plans wait; words alone confirm none of them" in said(decision)
    assert "If that was a yes" not in said(decision)
    assert live(dict(decision.cards)).keys() == {pending.token for pending in talk.session.pending}


def test_beside_an_open_question_that_is_to_be_answered() -> None:
    talk = Talk()
    talk.plan()
    flow = Flow("scale", user("alice"), entity=API, asked=Asked(user("alice").key, ("replicas",)))
    talk.session = msgspec.structs.replace(talk.session, flow=flow)
    decision = unsure(talk)
    assert reasons(decision) == [("refusal", "refuse.asked")]
    assert "If that was a yes" not in said(decision)


@pytest.mark.parametrize("text", ["continue", "继续"])
def test_what_may_be_meant_of_an_order_put_aside_is_told_so(text: str) -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale", WEB))
    talk.say("alice", Route.SWITCH, act("restart", WEB))
    talk.prepared()
    assert reasons(unsure(talk, text=text)) == [("refusal", "refuse.put_aside")]


def test_what_may_be_meant_of_the_runbook_is_told_so() -> None:
    talk = Talk()
    talk.plan()
    talk.session = msgspec.structs.replace(talk.session, last_query=Request("runbook"))
    assert reasons(unsure(talk, text="continue")) == [("refusal", "walk.plan_first")]


def proposed(session: Session) -> Session:
    pending = tuple(msgspec.structs.replace(one, proposed=True) for one in session.pending)
    return msgspec.structs.replace(session, pending=pending)


def test_a_plan_that_a_model_had_a_part_in_offers_the_button_alone() -> None:
    talk = Talk()
    talk.plan()
    talk.session = proposed(talk.session)
    decision = unsure(talk)
    assert reasons(decision) == [("refusal", "refuse.proposed")]
    assert "nothing was run" in said(decision)
    assert "If that was a yes" not in said(decision)


def test_nor_do_words_after_the_thread_has_moved_on() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.say("bob", Route.ACT, act("scale", API, replicas=Quantity("to", 3)), via_card=True)
    talk.prepared(replicas=3)
    decision = unsure(talk)
    assert reasons(decision) == [("refusal", "refuse.drift_words")]
    assert "press the button to confirm" in said(decision)


def test_words_in_the_thread_of_the_card_are_answered_at_its_end() -> None:
    talk = Talk()
    token = talk.plan()
    before = live(talk.cards)
    decision = unsure(talk, addressed=False, via_card=True)
    assert reasons(decision) == [("decision", "confirm.unsure")]
    assert live(talk.cards)[token] != before[token]


def test_among_people_only_the_card_says_it() -> None:
    """Somebody else has written since: it may be no word to the bot at all."""
    talk = Talk()
    token = talk.plan()
    talk.say("bob", Route.UNCLEAR, addressed=False, via_card=True)
    before = live(talk.cards)
    decision = unsure(talk, addressed=False, via_card=True, text="confirmed, it is the cert")
    assert reasons(decision) == [("decision", "confirm.unsure")]
    assert live(talk.cards) == before
    assert "mention me" in said(decision)
    decision = unsure(talk, addressed=True)
    assert live(talk.cards)[token] != before[token]


def test_no_words_approve() -> None:
    talk = Talk()
    talk.plan()
    talk.click("alice", "confirm")
    talk.judged(missing=1)
    assert talk.state is State.APPROVING
    decision = unsure(talk)
    assert reasons(decision) == []
    assert "Approve or reject by the button" in said(decision)
    assert "If that was a yes" not in said(decision)


@pytest.mark.parametrize("affirmative", [True, False])
def test_before_there_is_a_card_it_is_to_be_waited_for(affirmative: bool) -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("restart", WEB))
    decision = talk.say("alice", Route.CONFIRM, affirmative=affirmative)
    assert "not on the screen yet" in said(decision)
    assert "If that was a yes" not in said(decision)


def test_while_another_confirmation_is_checked_nothing_is_to_be_done() -> None:
    talk = Talk()
    talk.plan()
    talk.click("bob", "confirm")
    decision = talk.say("alice", Route.CONFIRM, affirmative=False)
    assert "A confirmation of this plan is being checked" in said(decision)
    assert "If that was a yes" not in said(decision)


def test_it_is_answered_in_the_language_of_the_asker() -> None:
    talk = Talk()
    talk.plan()
    people = {key: msgspec.structs.replace(one, language="zh") for key, one in talk.session.people.items()}
    talk.session = msgspec.structs.replace(talk.session, people=people)
    assert "@我 只说“确认”" in said(unsure(talk, text="👌"))
