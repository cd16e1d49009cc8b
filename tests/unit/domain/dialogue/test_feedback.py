"""Praise and blame in words: whose they are, and what they count for."""

from __future__ import annotations

import msgspec
import pytest

from chatops_bot.domain.events import Message
from chatops_bot.domain.intents import Route
from tests.unit.domain.dialogue.talk import ROOM, WEB, Talk, act, meaning, user


def told(route: Route, text: str, *, model: str = "") -> Talk:
    """Something said below an answer; `model` is what took it for that."""
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.queried()
    words = Message(id="m", room=ROOM, user=user("alice"), text=text, addressed=True, name="alice")
    talk.event(words, msgspec.structs.replace(meaning(route), model=model))
    return talk


@pytest.mark.parametrize(("text", "good"), [("that helped, thanks", True), ("useless", False)])
def test_words_are_a_vote_and_the_closing_ones(text: str, good: bool) -> None:
    session = told(Route.FEEDBACK, text).session
    assert list(session.votes.values()) == [good]
    assert session.closing == ("good" if good else "bad")


@pytest.mark.parametrize("route", [Route.FEEDBACK, Route.DONE])
def test_what_a_model_takes_for_praise_is_answered_and_counts_for_nothing(route: Route) -> None:
    talk = told(route, "hm, the node pool looks odd", model="m understand.v1")
    assert (talk.session.votes, talk.session.closing) == ({}, "")
    assert talk.cards[f"c{talk.session.cards}"].title


@pytest.mark.parametrize(
    "card", ["", "c", "c0", "c01", "1", "01", "c-1", "c+1", "c 1", "c１", "c99", "cc1", "c1.0", "c" + "9" * 5_000]
)
def test_a_vote_on_what_is_no_card_of_the_conversation_is_none(card: str) -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.queried()
    talk.click("bob", "helpful", value=f"{card} status 5")
    assert talk.session.votes == {}
    talk.click("bob", "helpful", value="c1 status 5")
    assert len(talk.session.votes) == 1
