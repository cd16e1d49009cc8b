"""Who somebody is in a cluster is said by the configuration alone."""

from __future__ import annotations

import pytest

from chatops_bot.domain.identity import Room
from chatops_bot.domain.impersonation import Actor, Impersonation, sendable
from chatops_bot.domain.people import People

ROOM = Room("slack", "T1", "C1")
PEOPLE = People({"zhang.san": ("slack:U1", "feishu:ou_1")})
MAP = Impersonation(
    people={"zhang.san": Actor("zhang@corp", ("sre",)), "slack:U2": Actor("li@corp")},
    template=Actor("{platform}:{id}", ("chat", "chat-{platform}")),
)


@pytest.mark.parametrize(
    ("key", "actor"),
    [
        ("slack:U1", Actor("zhang@corp", ("sre",))),
        ("feishu:ou_1", Actor("zhang@corp", ("sre",))),
        ("slack:U2", Actor("li@corp")),
        ("slack:U3", Actor("slack:U3", ("chat", "chat-slack"))),
        ("alice", Actor("console:alice", ("chat", "chat-console"))),
        ("slack:T2/U1", None),  # of another organisation: its ids mean nothing here
        ("张三", None),
        ("al\nice", None),
    ],
)
def test_by_person_by_account_and_else_by_the_template(key: str, actor: Actor | None) -> None:
    assert MAP.actor(key, people=PEOPLE, room=ROOM) == actor


def test_without_a_template_nobody_else_is_anybody() -> None:
    assert Impersonation(people=MAP.people).actor("slack:U3", people=PEOPLE, room=ROOM) is None


def test_a_template_by_person_is_for_those_who_are_one() -> None:
    named = Impersonation(template=Actor("{person}@corp"))
    assert named.actor("slack:U1", people=PEOPLE, room=ROOM) == Actor("zhang.san@corp")
    assert named.actor("slack:U3", people=PEOPLE, room=ROOM) is None


def test_an_id_never_becomes_a_name_of_the_system() -> None:
    named = Impersonation(template=Actor("{id}"))
    assert named.actor("system:masters", people=PEOPLE, room=ROOM) == Actor("masters")
    assert Impersonation(template=Actor("{platform}:{id}")).actor("system:x", people=PEOPLE, room=ROOM) is None
    assert not any(sendable(text) for text in ("system:masters", "", " a", "a\r\nX: y", "é"))
