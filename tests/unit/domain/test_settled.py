"""Ended conversations side by side: when a question counts as repeated, and how long trouble counts."""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.domain.entities import Entity
from chatops_bot.domain.identity import Room
from chatops_bot.domain.memory import Fact, Gist
from chatops_bot.domain.say import say
from chatops_bot.domain.session import Summary
from chatops_bot.domain.settled import Standing, settled
from chatops_bot.domain.settling import AGAIN_MS, REPEATED_MS, Settlement

WEB = Entity("east", "shop", "Deployment", "web", "web")
ROOM = Room("slack", "T1", "C1")
OTHER = Room("slack", "T1", "C2")
STATUS = f"status {WEB.key}"
END = 10_000_000


def asked(ref: str = STATUS, **more: int) -> Fact:
    return Fact("asked", say("memory.asked", what="x", service="web"), 5, ref, about=WEB.key, **more)  # type: ignore[arg-type]


def found(key: str, *, bad: bool = False, count: int = 1) -> Fact:
    return Fact("found", say(key, count=count), 6, STATUS, about=WEB.key, bad=bad)


def done(action: str, change: str) -> Fact:
    said = say(
        "memory.deed", action=f"action.{action}", service="web", change=change, outcome="outcome.done", asker="a"
    )
    return Fact("done", said, 7, change, about=WEB.key)


def one(thread: str, *facts: Fact, at: int = END, began: int = 1, room: Room = ROOM, **more: Any) -> Summary:
    return Summary(
        **{"thread": thread, "at": at, "began": began, "entity": WEB, "room": room, "gist": Gist(facts), **more}
    )


def later(*facts: Fact, after: int = 60_000, **more: Any) -> Summary:
    return one("later", *facts, at=END + after + 500, began=END + after, **more)


def signals(*ended: Summary, thread: str = "first") -> list[str]:
    judged = settled(ended, Standing(), now=END + 1_000)
    return [reason.signal for reason in judged[thread].reasons]


@pytest.mark.parametrize(
    ("first", "second", "repeated"),
    [
        ([asked()], [asked()], True),
        ([asked()], [asked("logs east/shop/deployment/web")], False),
        ([asked(), found("status.ok")], [asked(), found("status.ok", count=2)], True),
        ([asked(), found("status.zero", bad=True)], [asked(), found("status.ok")], False),
        ([asked(), found("status.ok"), done("scale", "2 → 5")], [asked(), found("status.ok")], False),
        ([asked(), found("status.ok"), done("scale", "2 → 5")], [asked()], False),
        ([asked(), found("status.zero", bad=True), done("restart", "web")], [asked(), found("status.ok")], False),
        (
            [asked(), found("status.zero", bad=True), done("restart", "web")],
            [asked(), found("status.zero", bad=True)],
            True,
        ),
    ],
)
def test_a_question_is_repeated_where_its_answer_is_the_same(
    first: list[Fact], second: list[Fact], repeated: bool
) -> None:
    assert ("repeated" in signals(one("first", *first), later(*second))) is repeated


@pytest.mark.parametrize(
    ("first", "second", "repeated"), [("web", "web", True), ("2 → 5", "5 → 3", False)], ids=["same", "another"]
)
def test_an_order_is_repeated_where_the_same_change_is_made_again(first: str, second: str, repeated: bool) -> None:
    order = asked(f"restart {WEB.key}")
    ended = one("first", order, done("restart", first)), later(order, done("restart", second))
    assert ("repeated" in signals(*ended)) is repeated


@pytest.mark.parametrize(("again", "repeated"), [(0, False), (1, False), (2, True)])
def test_in_one_conversation_the_very_same_may_be_asked_twice(again: int, repeated: bool) -> None:
    assert ("repeated" in signals(one("first", asked(times=9, again=again)))) is repeated


@pytest.mark.parametrize(
    ("after", "room", "repeated"),
    [(REPEATED_MS, ROOM, True), (REPEATED_MS + 1, ROOM, False), (1, OTHER, False), (0, ROOM, False)],
)
def test_it_counts_for_an_hour_in_the_same_room_after_the_end(after: int, room: Room, repeated: bool) -> None:
    assert ("repeated" in signals(one("first", asked()), later(asked(), after=after, room=room))) is repeated


@pytest.mark.parametrize(("after", "again"), [(AGAIN_MS, True), (AGAIN_MS + 1, False), (0, False)])
@pytest.mark.parametrize("more", [{"group": "g"}, {"incident": "inc-1"}, {"gist": Gist((found("x", bad=True),))}])
def test_trouble_counts_for_seven_days_in_any_room(after: int, again: bool, more: dict[str, Any]) -> None:
    ended = one("first", asked()), later(after=after, room=OTHER, **more)
    assert ("again_in_trouble" in signals(*ended)) is again


def test_what_was_in_trouble_itself_is_not_in_trouble_again() -> None:
    assert signals(one("first", asked(), found("x", bad=True), group="g")) == []


def test_other_services_and_none_say_nothing() -> None:
    api = Entity("east", "shop", "Deployment", "api", "api")
    assert signals(one("first", asked()), later(asked(), entity=api, group="g")) == []
    assert signals(one("first", asked(), entity=None), later(asked(), entity=None, group="g")) == []


def test_an_alert_counts_for_its_service_and_an_incident_while_it_is_open() -> None:
    ended = one("first", asked(), incident="inc-1")
    judged = settled([ended], Standing(frozenset({WEB.key}), frozenset({"inc-1"})), now=END)
    assert [reason.signal for reason in judged["first"].reasons] == ["alerts_firing", "incident_open"]
    assert settled([ended], Standing(), now=END)["first"].reasons == ()


def test_a_final_verdict_stays_and_an_empty_conversation_has_none() -> None:
    final = Settlement("resolved", 5, settled=True)
    judged = settled([one("first", asked(), settled=final), later(group="g"), one("empty")], Standing(), now=END)
    assert judged["first"] is final
    assert "empty" not in judged


def test_a_verdict_that_has_not_changed_is_the_one_before() -> None:
    before = settled([one("first", asked())], Standing(), now=END)["first"]
    after = settled([one("first", asked(), settled=before)], Standing(), now=END + 99)["first"]
    assert after is before
