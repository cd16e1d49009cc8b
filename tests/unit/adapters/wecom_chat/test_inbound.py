"""Mentions, ids and people, as they are read."""

import pytest

from chatops_bot.adapters.wecom.inbound import Said, read_robot, spoken

BODY = {
    "msgid": "m",
    "aibotid": "b",
    "chatid": "wrroom",
    "chattype": "group",
    "from": {"userid": "alice"},
    "msgtype": "text",
    "text": {"content": "@Ops Bot restart web"},
}


@pytest.mark.parametrize(
    ("content", "name", "text"),
    [
        ("@Ops Bot restart web", "Ops Bot", "restart web"),
        ("restart web @Ops Bot", "Ops Bot", "restart web"),
        ("@运维\u2005查一下 web", "运维", "查一下 web"),
        ("@bob 看下 @运维 status", "运维", "@bob 看下 status"),
        ("@Ops", "Ops", ""),
        ("@Opsimist hello", "Ops", "hello"),
        ("@ops restart web", "", "restart web"),
        ("帮我 @ops 查 web", "", "帮我 查 web"),
        ("no mention", "", "no mention"),
        ("mail ops@example.com", "", "mail ops@example.com"),
    ],
)
def test_the_mention_that_brought_it_here_is_taken_out(content: str, name: str, text: str) -> None:
    assert spoken(content, name) == text


def test_fields_that_nobody_uses_may_have_any_shape() -> None:
    read = read_robot({**BODY, "quote": 5, "new": [1]}, corp="ww1", bot_name="Ops Bot")
    assert isinstance(read, Said)
    assert (read.channel, read.text, read.id) == ("wrroom", "restart web", "wecom:ww1:wrroom:m")


def test_a_group_without_a_room_is_the_persons_own_talk() -> None:
    read = read_robot({**BODY, "chatid": None, "chattype": "single"}, corp="ww1", bot_name="")
    assert isinstance(read, Said)
    assert (read.channel, read.direct) == ("user:alice", True)
