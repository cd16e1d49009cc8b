"""Which room is meant when one is to be linked, and how views of one card in two rooms are told apart."""

from __future__ import annotations

import pytest

from chatops_bot.domain import mirrors
from chatops_bot.domain.identity import Room
from chatops_bot.domain.incident_words import command_of

OPS = Room("feishu", "t9", "oc_abc")
DB = Room("slack", "T1", "C9")
LINKS = {"运维群": OPS, "db-oncall": DB}


@pytest.mark.parametrize(
    ("said", "room"),
    [
        ("运维群", OPS),
        ("飞书的运维群", OPS),
        ("飞书的 运维群", OPS),
        ("飞书上的“运维群”", OPS),
        ("feishu:oc_abc", OPS),
        ("oc_abc", OPS),
        ("feishu 运维群", OPS),
        ("DB-oncall", DB),
        ("#db-oncall", DB),
        ("the db-oncall channel", DB),
        ("slack:C9", DB),
        ("Slack's db-oncall", DB),
        ("slack:C8", None),
        ("slack 运维群", None),
        ("飞书的 db-oncall", None),
        ("运维", None),
        ("c9", None),
        ("", None),
        ("everybody", None),
    ],
)
def test_a_room_is_meant_by_its_name_or_its_id(said: str, room: Room | None) -> None:
    found = mirrors.find(LINKS, said)
    assert (found[1] if found else None) == room


def test_two_names_of_one_room_are_no_doubt_but_one_name_of_two_is() -> None:
    assert mirrors.find({"ops": OPS, "Ops": OPS}, "OPS") is not None
    assert mirrors.find({"ops": OPS, "Ops": DB}, "OPS") is None


def test_a_lane_is_the_same_whenever_a_room_is_linked_again_and_another_one_in_each() -> None:
    assert mirrors.lane("c1", OPS) == mirrors.lane("c1", OPS)
    assert len({mirrors.lane("c1", OPS), mirrors.lane("c1", DB), mirrors.lane("c2", OPS), "c1"}) == 4
    assert mirrors.twin_of("t1", mirrors.lane("c1", OPS)) == mirrors.twin_of("t1", "c1") == "t1/c1"


@pytest.mark.parametrize(
    ("text", "verb", "room", "sure"),
    [
        ("link this incident to feishu:oc_abc", "link", "feishu:oc_abc", True),
        ("please link the incident with db-oncall", "link", "db-oncall", True),
        ("mirror it to the ops room", "link", "the ops room", False),
        ("link to slack:C9", "link", "slack:C9", True),
        ("link inc-20261130-1 to ops", "link", "ops", True),
        ("同步到 飞书的 运维群", "link", "飞书的 运维群", False),
        ("把事故同步到飞书的运维群", "link", "飞书的运维群", True),
        ("请把这个事故同步到运维群吧", "link", "运维群", True),
        ("事故关联到 feishu:oc_abc", "link", "feishu:oc_abc", True),
        ("unlink", "unlink", "", False),
        ("unlink the incident", "unlink", "", True),
        ("unlink this incident from db-oncall", "unlink", "db-oncall", True),
        ("stop mirroring it to ops", "unlink", "ops", False),
        ("取消同步", "unlink", "", False),
        ("停止事故同步", "unlink", "", True),
        ("取消同步到运维群", "unlink", "运维群", False),
    ],
)
def test_words_that_link(text: str, verb: str, room: str, sure: bool) -> None:
    command = command_of(text)
    assert command is not None
    assert (command.verb, command.text, command.sure) == (verb, room, sure)


@pytest.mark.parametrize(
    "text",
    [
        "can you link this incident to ops?",
        "同步到运维群了吗",
        "看一下这个 link",
        "web is linked to order-db",
        "数据同步延迟很高",
        "同步任务失败了",
        "link me the dashboard",
        "I will link the incident to the ticket, then restart web",
    ],
)
def test_words_that_do_not(text: str) -> None:
    command = command_of(text)
    assert command is None or command.verb not in ("link", "unlink")
