"""What was done before is asked of the room where no service is meant, and of the service where one is."""

from __future__ import annotations

from chatops_bot.domain.effects import Query
from chatops_bot.domain.intents import Request, Route
from tests.unit.domain.dialogue.talk import WEB, Talk, act, named


def asked(talk: Talk) -> Query:
    effect = talk.take(Query)
    assert isinstance(effect, Query)
    return effect


def past(**more: str) -> Request:
    return Request("changes", slots={"part": "ours", "when": "yesterday", **more})


def test_without_a_service_it_is_asked_of_the_room_and_binds_nothing() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, past())
    effect = asked(talk)
    assert (effect.entity, effect.slots) == (None, {"part": "ours", "when": "yesterday"})
    assert talk.session.lock is None


def test_in_a_thread_about_a_service_it_is_asked_of_that_unless_the_room_is_said() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    asked(talk)
    talk.say("alice", Route.QUERY, past())
    assert asked(talk).entity == WEB
    talk.say("alice", Route.QUERY, past(about="room"))
    assert asked(talk).entity is None


def test_a_service_that_is_named_is_meant_whatever_else_is_said() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, Request("changes", slots={"part": "ours", "about": "room"}, name=named(WEB)))
    assert asked(talk).entity == WEB


def test_a_pronoun_without_a_service_is_asked_for_and_not_taken_for_the_room() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, Request("changes", slots={"part": "ours"}, pronoun=True))
    assert talk.work == []
    assert talk.session.flow is not None


def test_what_has_changed_is_another_question() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, Request("changes", slots={"when": "yesterday"}))
    assert talk.work == []
