"""What is said first on a card: it outlives the "working" that the answer replaces, and speaks the reader's language."""

from __future__ import annotations

from chatops_bot.domain.cards import Card, Note
from chatops_bot.domain.dialogue.turn import Decision
from chatops_bot.domain.events import Click
from chatops_bot.domain.intents import Route
from chatops_bot.domain.session import Summary
from tests.unit.domain.dialogue.talk import API, ROOM, WEB, Talk, act, user

REBOUND = "Now about api (prod), no longer web (prod)."


def notes(card: Card) -> list[str]:
    return [block.text for block in card.blocks if isinstance(block, Note)]


def newest(talk: Talk) -> Card:
    return talk.cards[f"c{talk.session.cards}"]


def rebound() -> Talk:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.queried()
    talk.say("bob", Route.QUERY, act("status", API), via_card=True)
    return talk


def test_a_rebinding_is_said_on_the_card_that_waits_and_on_the_answer_that_replaces_it() -> None:
    talk = rebound()
    assert REBOUND in notes(newest(talk))
    talk.queried()
    assert notes(newest(talk)).count(REBOUND) == 1


def test_it_is_said_once_and_not_on_the_next_answer() -> None:
    talk = rebound()
    talk.queried()
    talk.say("bob", Route.QUERY, act("logs"), via_card=True)
    talk.queried()
    assert REBOUND not in notes(newest(talk))
    assert talk.session.first == {}


def test_it_stands_on_the_new_card_not_on_the_old_plan_that_it_closes() -> None:
    talk = Talk()
    talk.plan()
    old = f"c{talk.session.cards}"
    talk.say("alice", Route.SWITCH, act("restart", API))
    talk.prepared()
    assert REBOUND in notes(newest(talk))
    assert REBOUND not in notes(talk.cards[old])


def opened(language: str) -> Decision:
    talk = Talk()
    summary = Summary(thread="t0", at=talk.now, entity=WEB, language="zh" if language == "zh" else "en")
    click = Click(id="k1", room=ROOM, user=user("carol"), button="diagnose", token="", value=WEB.key)
    return talk.event(click, beside=summary)


def test_a_click_on_an_old_card_is_answered_in_the_language_of_its_conversation() -> None:
    for language in ("zh", "en"):
        decision = opened(language)
        assert [card.language for _, card in decision.cards] == [language]
        assert decision.session.language == language


def test_a_session_ends_with_its_language_in_the_summary() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.queried()
    decision = talk.timer(3600)
    assert decision.summary is not None
    assert decision.summary.language == "en"
    talk = Talk()
    talk.event(
        Click(id="k1", room=ROOM, user=user("carol"), button="diagnose", token="", value=WEB.key),
        beside=Summary(thread="t0", at=talk.now, entity=WEB, language="zh"),
    )
    talk.queried()
    decision = talk.timer(3600)
    assert decision.summary is not None
    assert decision.summary.language == "zh"
