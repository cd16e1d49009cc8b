"""What a turn brings becomes facts and, folded by rules, the summary; what ends a session is kept, and brought up to date."""

from __future__ import annotations

import msgspec

from chatops_bot.domain.dialogue.remembering import line_of
from chatops_bot.domain.effects import Follow
from chatops_bot.domain.events import Followed
from chatops_bot.domain.intents import Quantity, Route
from chatops_bot.domain.memory import MOST, MOST_NOTED, Fact, Gist, fold, ref_of
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.say import say
from chatops_bot.domain.session import HANDED_LINE, HANDED_WINDOW, WINDOW, Summary
from chatops_bot.domain.texts import render
from chatops_bot.domain.world import Recall
from tests.unit.domain.dialogue.talk import API, NOW, WEB, Talk, act


def fact(number: int, *, kind: str = "asked", ref: str = "", times: int = 1) -> Fact:
    found = {"kind": kind, "said": say("memory.asked", what="x", service=str(number)), "at": number}
    return msgspec.convert({**found, "ref": ref or str(number), "times": times}, Fact)


def texts(summary: Gist, kind: str) -> list[str]:
    return [render(fact.said, "en") for fact in summary.facts if fact.kind == kind]


def executed(talk: Talk, *, replicas: int = 5) -> None:
    """A scaling that is confirmed and written."""
    talk.say("alice", Route.ACT, act("scale", WEB, replicas=Quantity("to", replicas)))
    talk.prepared(replicas=replicas)
    talk.click("bob", "confirm")
    talk.judged()
    talk.executed()


def follow(talk: Talk, *, finished: bool = True, failed: bool = False) -> Summary | None:
    effect = talk.take(Follow)
    assert isinstance(effect, Follow)
    return talk.event(Followed(effect=effect.id, token=effect.token, finished=finished, failed=failed)).summary


def test_what_was_asked_and_found_is_noted_with_who_asked() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.queried()
    asked, found = talk.session.noted
    assert (asked.kind, render(asked.said, "en"), asked.by, asked.about) == ("asked", "status web", "alice", WEB.key)
    assert (found.kind, found.ref, found.about) == ("found", f"status {WEB.key}", WEB.key)


def test_the_summary_is_written_every_so_many_turns_and_counts_what_was_repeated() -> None:
    talk = Talk()
    talk.world = msgspec.structs.replace(talk.world, recall=Recall(summary_every=3))
    for _ in range(2):
        talk.say("alice", Route.QUERY, act("status", WEB))
        talk.queried()
        talk.now += 31_000
    assert talk.session.summary == Gist()
    talk.say("bob", Route.QUERY, act("logs", WEB))
    assert (talk.session.summary.turns, talk.session.turns, talk.session.noted) == (3, 0, ())
    asked = {render(fact.said, "en"): fact.times for fact in talk.session.summary.of("asked")}
    assert asked == {"status web": 2, "logs web": 1}
    assert len(talk.session.summary.of("found")) == 1


def test_results_and_timers_are_no_turns() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.queried()
    assert talk.session.turns == 1


def test_of_each_kind_the_latest_are_kept_and_the_same_thing_once() -> None:
    many = [fact(number, kind=kind) for kind in MOST for number in range(30)]
    folded = fold(Gist(), many, turns=1, at=1)
    assert {kind: len(folded.of(kind)) for kind in MOST} == MOST
    assert [one.at for one in folded.of("asked")] == list(range(24, 30))
    again = fold(Gist((fact(1, ref="r", times=2), fact(2))), [fact(9, ref="r")], turns=1, at=9)
    assert [(one.at, one.times) for one in again.facts] == [(2, 1), (9, 3)]


def test_many_facts_are_folded_before_their_time() -> None:
    talk = Talk()
    talk.world = msgspec.structs.replace(talk.world, recall=Recall(summary_every=10_000))
    for number in range(200):
        talk.say(f"user{number % 7}", Route.QUERY, act("status", WEB))
        talk.queried()
        talk.now += 31_000
        assert len(talk.session.noted) < MOST_NOTED


def test_what_ends_with_a_change_says_so_and_that_nobody_has_seen_it_yet() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.queried()
    executed(talk)
    summary = talk.session.ending
    assert summary is not None
    assert texts(summary.gist, "asked") == ["status web", "scale web"]
    assert texts(summary.gist, "done") == ["scale web (replicas 2 → 5): done"]
    assert [(one.kind, render(one.said, "en")) for one in summary.open] == [
        ("unverified", "scale web: nobody has seen yet whether it took effect")
    ]
    assert (summary.people, summary.who, summary.began, summary.room) == (
        ("alice", "bob"),
        "alice",
        NOW,
        talk.session.room,
    )


def test_how_the_rollout_went_is_learnt_after_the_end() -> None:
    talk = Talk()
    executed(talk)
    summary = follow(talk)
    assert summary is not None
    assert texts(summary.gist, "done") == ["scale web (replicas 2 → 5): verified"]
    assert summary.open == ()
    assert talk.session.ending == summary


def test_a_rollout_that_failed_or_was_not_seen_to_the_end_stays_open() -> None:
    talk = Talk()
    executed(talk)
    failed = follow(talk, failed=True)
    assert failed is not None
    assert [one.kind for one in failed.open] == ["failed"]
    other = Talk()
    executed(other)
    late = follow(other, finished=False)
    assert late is not None
    assert [one.kind for one in late.open] == ["unverified"]


def test_an_order_put_aside_or_not_said_to_the_end_is_left_open() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale", WEB))
    talk.timer(3_600)
    summary = talk.session.ending
    assert summary is not None
    assert [(one.kind, render(one.said, "en")) for one in summary.open] == [("asked", "scale web, not said to the end")]


def test_the_token_of_a_plan_is_in_nothing_that_is_kept() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale", WEB, replicas=Quantity("to", 5)))
    talk.prepared()
    token = talk.token
    talk.click("bob", "confirm")
    talk.judged()
    talk.executed()
    assert talk.session.ending is not None
    stored = msgspec.json.encode(msgspec.structs.replace(talk.session.ending, done=None)).decode()
    assert token not in stored
    assert ref_of(token) in stored


def test_a_refusal_is_noted_with_its_reason() -> None:
    talk = Talk(policy=Policy(rules=()))
    talk.say("bob", Route.ACT, act("restart", WEB))
    (refused,) = [fact for fact in talk.session.noted if fact.kind == "refused"]
    assert render(refused.said, "en") == "restart web refused: the rules do not allow it"
    assert (refused.by, refused.about) == ("bob", WEB.key)


def test_a_button_that_was_void_is_no_refusal_of_anything() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.queried()
    talk.click("bob", "confirm", token="made-up")
    assert [fact.kind for fact in talk.session.noted] == ["asked", "found"]


def test_the_window_keeps_so_many_of_people_and_so_many_of_the_bot() -> None:
    talk = Talk()
    for number in range(3 * WINDOW):
        talk.say("alice", Route.QUERY, act("status", WEB), text=f"number {number}")
        talk.queried()
        talk.now += 31_000
    people = [line.text for line in talk.session.window if not line.bot]
    assert people == [f"number {number}" for number in range(2 * WINDOW, 3 * WINDOW)]
    assert sum(line.bot for line in talk.session.window) == WINDOW


def test_the_bot_s_own_line_names_the_card_and_quotes_nothing_of_a_report() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.queried()
    (line,) = [line for line in talk.session.window if line.bot]
    (card,) = talk.cards.values()
    assert line.text == card.title
    assert len(line_of(msgspec.structs.replace(card, title="x" * 900))) == 160


def test_while_somebody_has_the_thread_more_is_kept_and_shorter() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.queried()
    talk.say("alice", Route.HAND_OFF, text="get me a person")
    for number in range(2 * HANDED_WINDOW):
        talk.say("bob", Route.NOTE, addressed=False, via_card=True, text=f"{number} " + "x" * 1_900)
    people = [line for line in talk.session.window if not line.bot]
    assert len(people) == HANDED_WINDOW
    assert [len(line.text) > HANDED_LINE for line in people] == [False] * (HANDED_WINDOW - WINDOW) + [True] * WINDOW


def test_another_service_in_the_same_thread_is_told_apart() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.queried()
    talk.say("alice", Route.QUERY, act("status", API), via_card=True)
    talk.queried()
    assert [fact.about for fact in talk.session.noted if fact.kind == "found"] == [WEB.key, API.key]
