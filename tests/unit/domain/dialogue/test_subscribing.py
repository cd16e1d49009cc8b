"""Who is told of what, how often, and until when."""

from __future__ import annotations

import msgspec
import pytest

from chatops_bot.domain.dialogue.timers import wake_at
from chatops_bot.domain.dialogue.turn import Decision
from chatops_bot.domain.effects import Enlist
from chatops_bot.domain.events import Enlisted, Followed, Message
from chatops_bot.domain.intents import Request, Route
from chatops_bot.domain.policy_file import parse
from chatops_bot.domain.session import Summary
from chatops_bot.domain.subscribers import GAPS_MS, HOLDS_MS, MOST, Subscriber
from tests.unit.domain.dialogue.talk import API, NOW, ROOM, WEB, Talk, act, meaning, named, user

WISH = Request(intent="subscribe")
STOP = Request(intent="unsubscribe")


def waiting(*subscribers: str) -> Talk:
    """A plan waits, and these have subscribed."""
    one = Talk()
    one.plan()
    for name in subscribers:
        one.say(name, Route.ASK, WISH, via_card=True)
    return one


def coming_back(who: str, summary: Summary) -> tuple[Talk, Decision]:
    """Somebody asks for it in an answer to a card whose session has ended."""
    one = Talk()
    message = Message(id="m", room=ROOM, user=user(who), text="keep me posted", addressed=True, name=who)
    return one, one.event(message, meaning(Route.QUERY, WISH), via_card=True, beside=summary)


def rung(decision: Decision) -> list[tuple[str, ...]]:
    return [card.mention for _, card in decision.cards if card.mention]


def subscribed(one: Talk) -> list[str]:
    return [each.user.id for each in one.session.subscribers]


def executed(one: Talk) -> Decision:
    one.click("alice", "confirm")
    one.judged()
    return one.executed()


def test_nothing_is_promised_where_nothing_can_change() -> None:
    one = Talk()
    one.say("alice", Route.QUERY, act("status", WEB))
    one.queried()
    told = one.say("bob", Route.QUERY, WISH, via_card=True)
    assert "Nothing is under way" in told.cards[-1][1].title
    assert subscribed(one) == []


def test_another_service_than_that_of_the_conversation_is_not_promised() -> None:
    one = waiting()
    told = one.say("bob", Route.ASK, msgspec.structs.replace(WISH, name=named(API)), via_card=True)
    assert "what happens to api" in "\n".join(card.text() for _, card in told.cards)
    assert one.session.lock is not None
    assert one.session.lock.entity == WEB
    assert one.session.pending


def test_whoever_confirmed_is_not_told_that_it_ran_and_all_are_told_how_it_ended() -> None:
    one = waiting("alice", "bob")
    token = one.token
    assert rung(executed(one)) == [("bob",)]
    assert one.session.archived
    ended = one.event(Followed(effect="f", token=token, finished=True))
    assert rung(ended) == []
    assert wake_at(one.session, one.world.timing) == NOW + GAPS_MS[0]
    assert rung(one.timer(GAPS_MS[0] / 1000)) == [("alice", "bob")]
    assert wake_at(one.session, one.world.timing) == 0


def test_a_rollout_that_goes_on_is_no_turning_point() -> None:
    one = waiting("bob")
    token = one.token
    executed(one)
    one.now += GAPS_MS[-1]
    going = one.event(Followed(effect="f", token="other", finished=True))
    assert rung(going) == []
    assert rung(one.event(Followed(effect="f", token=token, finished=True, failed=True))) == [("bob",)]


def test_it_ends_by_words_by_the_button_and_by_time() -> None:
    one = waiting("bob", "carol", "dave")
    one.say("bob", Route.ASK, STOP, via_card=True)
    one.click("carol", "unsubscribe", token="")
    assert subscribed(one) == ["dave"]
    one.now += HOLDS_MS
    assert rung(executed(one)) == []
    assert subscribed(one) == []
    told = one.click("carol", "unsubscribe", token="")
    assert told.cards[-1][1].title == "carol is not subscribed here"


def test_no_more_than_so_many_subscribe_and_nobody_twice() -> None:
    one = waiting(*(f"p{number}" for number in range(MOST + 1)), "p1")
    assert len(subscribed(one)) == MOST
    assert len(set(subscribed(one))) == MOST
    assert "most" in one.say("late", Route.ASK, WISH, via_card=True).cards[0][1].title


def test_who_may_not_read_it_any_more_is_not_told() -> None:
    one = waiting("bob", "carol")
    policy = parse({"rules": [{"actions": ["read"], "request": ["alice", "carol"]}, {"confirm": ["*"]}]})
    one.world = msgspec.structs.replace(one.world, policy=policy)
    assert rung(executed(one)) == [("carol",)]


def test_a_hand_off_that_is_taken_or_given_back_is_one() -> None:
    one = waiting("bob")
    one.say("alice", Route.HAND_OFF, text="get me a human")
    assert rung(one.click("erin", "take")) == [("bob",)]
    one.now += GAPS_MS[0]
    assert rung(one.click("erin", "give_back")) == [("bob",)]


def test_it_goes_on_where_the_card_goes_on_and_where_the_alerts_are_followed() -> None:
    bob = Subscriber(user=user("bob"), until=NOW + HOLDS_MS)
    gone = Subscriber(user=user("carol"), until=NOW)
    summary = Summary(thread="t0", at=NOW, entity=WEB, outcome="idle", group="g", subscribers=(bob, gone))
    one, decision = coming_back("dave", summary)
    assert subscribed(one) == ["bob", "dave"]
    (enlist,) = [effect for effect in decision.work if isinstance(effect, Enlist)]
    assert (enlist.card, enlist.to, enlist.subscriber.user, enlist.stop) == ("alert:g", "", user("dave"), False)
    decision = one.say("bob", Route.QUERY, STOP, via_card=True)
    assert [effect.stop for effect in decision.work if isinstance(effect, Enlist)] == [True]
    assert subscribed(one) == ["dave"]


@pytest.mark.parametrize(("after_ms", "promised"), [(60_000, True), (7_200_000, False)])
def test_a_rollout_of_before_is_followed_in_its_own_thread(after_ms: int, promised: bool) -> None:
    summary = Summary(thread="t0", at=NOW - after_ms, entity=WEB, action="restart", outcome="done")
    one, decision = coming_back("bob", summary)
    assert [effect.to for effect in decision.work if isinstance(effect, Enlist)] == (["t0"] if promised else [])
    assert bool(subscribed(one)) is promised


def test_who_is_enlisted_is_told_by_a_thread_that_has_ended() -> None:
    one = waiting()
    token = one.token
    executed(one)
    bob = Subscriber(user=user("bob"), until=one.now + HOLDS_MS)
    assert one.event(Enlisted(bob)).cards == ()
    assert rung(one.event(Followed(effect="f", token=token, finished=True))) == [("bob",)]
    one.event(Enlisted(bob, stop=True))
    assert subscribed(one) == []
