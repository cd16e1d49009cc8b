"""However long a thread lives and however many people speak there, what is stored of it stays so large."""

from __future__ import annotations

import msgspec

from chatops_bot.domain import session as stored
from chatops_bot.domain.dialogue.keeping import MOST_PEOPLE, MOST_QUERIES, MOST_ROOTS, kept
from chatops_bot.domain.intents import Quantity, Route
from chatops_bot.domain.session import (
    AlertState,
    Asking,
    Assigned,
    Ended,
    Flow,
    Handed,
    Lock,
    Pending,
    Session,
    Speaker,
    Walk,
)
from tests.unit.domain.dialogue.talk import NOW, ROOM, WEB, Talk, act, user


def crowd(count: int) -> dict[str, Speaker]:
    return {f"u{number}": Speaker(user(f"u{number}"), "en", number) for number in range(count)}


def test_the_people_who_spoke_last_are_remembered() -> None:
    session = kept(Session(thread="t", room=ROOM, people=crowd(500)))
    assert list(session.people) == [f"u{number}" for number in range(500 - MOST_PEOPLE, 500)]


def test_whoever_has_a_part_in_what_goes_on_is_not_forgotten() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale", WEB, replicas=Quantity("to", 5)))
    talk.prepared()
    for number in range(3 * MOST_PEOPLE):
        talk.say(f"u{number}", Route.UNCLEAR, addressed=False, via_card=True, text="hm")
    assert len(talk.session.people) == MOST_PEOPLE
    assert "alice" in talk.session.people


def test_who_bound_the_lock_is_known_to_the_drift_guard() -> None:
    lock = Lock(entity=WEB, by="u0", at=NOW, sequence=1)
    assert "u0" in kept(Session(thread="t", room=ROOM, people=crowd(200), lock=lock)).people


def test_where_the_newest_cards_stand_is_kept_and_where_those_do_that_are_still_drawn() -> None:
    roots = {f"c{number}": f"root{number}" for number in range(1, 301)} | {"c3@ab12": "other"}
    queries = {"q": Asking(card="c3", intent="status", user="alice", language="en")}
    session = kept(Session(thread="t", room=ROOM, cards=300, roots=roots, queries=queries))
    assert {"c3", "c3@ab12", "c300"} <= set(session.roots)
    assert "c4" not in session.roots
    assert len(session.roots) <= MOST_ROOTS


def test_only_so_many_answers_are_waited_for() -> None:
    asking = Asking(card="c1", intent="status", user="alice", language="en")
    session = kept(Session(thread="t", room=ROOM, queries={f"q{number}": asking for number in range(500)}))
    assert list(session.queries)[-1] == "q499"
    assert len(session.queries) == MOST_QUERIES


def test_a_small_session_is_left_as_it_is() -> None:
    session = Session(thread="t", room=ROOM, people=crowd(3), roots={"c1": "r"})
    assert kept(session) is session


def test_many_messages_of_five_hundred_people_are_stored_in_so_many_bytes() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.queried()
    sizes = []
    for number in range(700):
        talk.say(f"user{number % 500}", Route.FEEDBACK, addressed=False, via_card=True, text=f"{number} {'x' * 300}")
        if number in (200, 699):
            sizes.append(len(stored.encode(talk.session)))
    assert max(sizes) < 60_000
    assert abs(sizes[1] - sizes[0]) < 2_000
    assert msgspec.json.decode(stored.encode(talk.session))["sequence"] == talk.session.sequence


def test_plan_after_plan_in_one_thread_adds_nothing_that_stays() -> None:
    talk = Talk()
    sizes = []
    for number in range(120):
        talk.say(f"user{number % 9}", Route.ACT, act("scale", WEB, replicas=Quantity("to", number + 3)), via_card=True)
        talk.prepared(replicas=number + 3)
        talk.click(f"user{number % 9}", "cancel")
        talk.say("alice", Route.QUERY, act("status", WEB), via_card=True)
        if talk.work:
            talk.work.clear()
        talk.session = msgspec.structs.replace(talk.session, queries={})
        sizes.append(len(stored.encode(talk.session)))
    assert len(talk.session.live) == 0
    assert max(sizes[-16:]) <= 1.05 * max(sizes[24:40])


def test_everybody_with_a_part_and_every_card_that_may_be_drawn_is_kept() -> None:
    requester, confirmer = user("u1"), user("u2")
    pending = Pending("e", "c7", "approving", "scale", WEB, requester, "e", confirmer=confirmer, approvals=("u3",))
    session = Session(
        thread="t",
        room=ROOM,
        owner="u0",
        people=crowd(300),
        cards=300,
        roots={f"c{number}": "r" for number in range(1, 301)} | {"odd": "r"},
        pending=(pending,),
        flow=Flow(intent="scale", requester=user("u4")),
        assigned_to=Assigned("u5", NOW, by="u6"),
        walk=Walk("runbook", 3, by="u7"),
        handed=Handed("c8", NOW, by="u8"),
        alert=AlertState(group="g", card="c9"),
        incident_card="c10",
        ended=(Ended("k", "done", card="c11"),),
    )
    found = kept(session)
    assert {f"u{number}" for number in range(9)} <= set(found.people)
    assert {f"c{number}" for number in range(7, 12)} <= set(found.roots)
    assert "odd" not in found.roots
