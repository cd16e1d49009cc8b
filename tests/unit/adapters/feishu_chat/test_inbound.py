"""Payloads by themselves; that they come from Feishu in these shapes, its SDK says in the contract tests."""

from __future__ import annotations

import copy
import json
from typing import Any

import msgspec
import pytest

from chatops_bot.adapters.feishu.inbound import Ignored, Pressed, Said, Self, place, read

Json = dict[str, Any]

ME = Self(app="cli_1", open_id="ou_bot", tenant="home")
MESSAGE: Json = {
    "schema": "2.0",
    "header": {"event_id": "ev1", "event_type": "im.message.receive_v1", "app_id": "cli_1", "tenant_key": "home"},
    "event": {
        "sender": {"sender_id": {"open_id": "ou_alice"}, "sender_type": "user", "tenant_key": "home"},
        "message": {
            "message_id": "om_1",
            "chat_id": "oc_1",
            "chat_type": "group",
            "message_type": "text",
            "content": '{"text":"@_user_1 restart web"}',
            "mentions": [{"key": "@_user_1", "id": {"open_id": "ou_bot"}, "name": "ops", "tenant_key": "home"}],
        },
    },
}
CLICK: Json = {
    "schema": "2.0",
    "header": {"event_id": "ev2", "event_type": "card.action.trigger", "app_id": "cli_1", "tenant_key": "home"},
    "event": {
        "operator": {"open_id": "ou_alice", "tenant_key": "home"},
        "token": "c-1",
        "action": {"value": {"button": "confirm", "thread": "t1", "token": "k1"}, "tag": "button"},
        "host": "im_message",
        "context": {"open_message_id": "om_9", "open_chat_id": "oc_1"},
    },
}
OLD: Json = {
    "open_id": "ou_alice",
    "tenant_key": "home",
    "open_message_id": "om_9",
    "open_chat_id": "oc_1",
    "token": "c-1",
    "action": {"value": {"button": "confirm", "thread": "t1", "token": "k1"}, "tag": "button"},
}


def changed(payload: Json, path: str, value: object) -> Json:
    made = copy.deepcopy(payload)
    *way, last = path.split(".")
    spot = made
    for step in way:
        spot = spot[step]
    if value is None:
        spot.pop(last, None)
    else:
        spot[last] = value
    return made


def said(payload: Json) -> Said:
    found = read(payload, me=ME, name_of=lambda user: "")
    assert isinstance(found, Said), found
    return found


def ignored(payload: Json, me: Self = ME) -> Ignored:
    found = read(payload, me=me, name_of=lambda user: "")
    assert isinstance(found, Ignored), found
    return found


def pressed(payload: Json) -> Pressed:
    found = read(payload, me=ME, name_of=lambda user: "")
    assert isinstance(found, Pressed), found
    return found


def test_a_mention_in_a_group() -> None:
    found = said(MESSAGE)
    assert (found.id, found.channel, found.tenant) == ("feishu:home:oc_1:om_1", "oc_1", "home")
    assert (found.text, found.addressed, found.direct) == ("restart web", True, False)
    assert (found.author.id, found.author.home) == ("ou_alice", "home")
    assert (found.answers, found.root) == ((), "")


def test_a_direct_message() -> None:
    assert said(changed(MESSAGE, "event.message.chat_type", "p2p")).direct


@pytest.mark.parametrize(
    ("root", "parent", "topic", "answers", "place_of_answer"),
    [
        ("", "", "", (), ""),
        ("om_r", "om_r", "", ("om_r",), "om_r"),
        # clawdbot-feishu#353: to a later message of a chain, the answer goes to its first one
        ("om_r", "om_p", "", ("om_p", "om_r"), "om_r"),
        ("om_r", "om_r", "omt_1", ("om_r", "omt_1"), "omt_1/om_r"),
        # hermes-agent#61380: a message that opens a topic has the topic's id alone
        ("", "", "omt_1", ("omt_1",), "omt_1/om_1"),
        ("", "om_p", "", ("om_p",), "om_p"),
    ],
)
def test_what_it_answers_and_where_its_answer_belongs(
    root: str, parent: str, topic: str, answers: tuple[str, ...], place_of_answer: str
) -> None:
    payload = MESSAGE
    for name, value in (("root_id", root), ("parent_id", parent), ("thread_id", topic)):
        payload = changed(payload, f"event.message.{name}", value)
    found = said(payload)
    assert (found.answers, found.root) == (answers, place_of_answer)


@pytest.mark.parametrize(
    ("root", "message", "in_topic"), [("", "", False), ("om_1", "om_1", False), ("omt_1/om_1", "om_1", True)]
)
def test_a_root_is_a_message_and_whether_it_is_a_topic(root: str, message: str, in_topic: bool) -> None:
    assert place(root) == (message, in_topic)


@pytest.mark.parametrize("kind", ["app", "anonymous", "unknown", ""])
def test_other_bots_are_not_heard(kind: str) -> None:
    assert "sender" in ignored(changed(MESSAGE, "event.sender.sender_type", kind)).reason


def test_the_bot_does_not_hear_itself() -> None:
    assert "own" in ignored(changed(MESSAGE, "event.sender.sender_id.open_id", "ou_bot")).reason


def test_mentions_of_others_do_not_address_the_bot_and_teach_names() -> None:
    mention = [{"key": "@_user_1", "id": {"open_id": "ou_carol"}, "name": "carol"}]
    found = said(changed(MESSAGE, "event.message.mentions", mention))
    assert (found.text, found.addressed, found.names) == ("@carol restart web", False, {"ou_carol": "carol"})


@pytest.mark.parametrize(
    "path",
    ["event.message.message_id", "event.message.chat_id", "event.message.root_id", "event.sender.sender_id.open_id"],
)
@pytest.mark.parametrize("wrong", ["om_\u200b1", "om_1\n", "om_\x00", "om 1", "o" * 200, "om_1/../x", "ом_1"])
def test_ids_with_what_no_id_has_are_refused(path: str, wrong: str) -> None:
    assert ignored(changed(MESSAGE, path, wrong)).worth == "warning"


@pytest.mark.parametrize("content", ["{", "[]", "\ud800"])
def test_content_that_cannot_be_read_is_passed_over(content: str) -> None:
    assert ignored(changed(MESSAGE, "event.message.content", content)).worth == "warning"


def test_a_picture_says_nothing() -> None:
    assert "image" in ignored(changed(MESSAGE, "event.message.message_type", "image")).reason


@pytest.mark.parametrize(
    "kind",
    [
        "p2p_chat_create",
        "im.chat.access_event.bot_p2p_chat_entered_v1",
        "im.message.message_read_v1",
        "im.message.recalled_v1",
        "x",
    ],
)
def test_other_events_are_passed_over(kind: str) -> None:
    """langbot-app/LangBot#1347"""
    assert kind in ignored(changed(MESSAGE, "header.event_type", kind)).reason


def test_an_event_of_the_old_schema_is_passed_over() -> None:
    assert (
        "p2p_chat_create"
        in ignored({"uuid": "u", "type": "event_callback", "event": {"type": "p2p_chat_create"}}).reason
    )


def test_another_app_and_another_organisation_are_not_served() -> None:
    assert "another app" in ignored(changed(MESSAGE, "header.app_id", "cli_2")).reason
    assert "another organisation" in ignored(changed(MESSAGE, "header.tenant_key", "elsewhere")).reason


def test_the_organisation_is_learned_from_the_event_where_nobody_told_it() -> None:
    found = read(changed(MESSAGE, "header.tenant_key", "new"), me=Self("cli_1", "ou_bot"), name_of=str)
    assert isinstance(found, Said)
    assert found.tenant == "new"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("header", 1),
        ("header.event_type", None),
        ("event", "x"),
        ("event.message", None),
        ("event.message.content", 5),
        ("event.sender", []),
    ],
)
def test_a_shape_that_is_none_is_told(path: str, value: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        read(changed(MESSAGE, path, value), me=ME, name_of=str)


def test_a_click() -> None:
    found = pressed(CLICK)
    assert (found.id, found.channel, found.message) == ("feishu:home:oc_1:click:ev2", "oc_1", "om_9")
    assert (found.carried.button, found.carried.thread, found.carried.token) == ("confirm", "t1", "k1")


def test_a_click_of_an_old_card_has_the_same_at_its_top_level() -> None:
    found, again = pressed(OLD), pressed(OLD)
    assert (found.channel, found.message, found.carried.button) == ("oc_1", "om_9", "confirm")
    assert found.id == again.id != pressed(changed(OLD, "token", "c-2")).id
    assert "c-1" not in found.id


def test_a_click_finds_its_message_at_the_old_place_too() -> None:
    payload = changed(CLICK, "event.context", None)
    payload = changed(changed(payload, "event.open_message_id", "om_8"), "event.open_chat_id", "oc_2")
    assert (pressed(payload).message, pressed(payload).channel) == ("om_8", "oc_2")


def test_a_value_may_be_text() -> None:
    value = json.dumps({"button": "confirm", "thread": "t1"})
    assert pressed(changed(OLD, "action.value", value)).carried.thread == "t1"


@pytest.mark.parametrize(
    "value", [{}, {"key": "v"}, "x", "{", 5, [], {"button": 1}, None, {"button": "x", "thread": None}]
)
def test_a_button_of_somebody_else_is_passed_over(value: object) -> None:
    assert "did not make" in ignored(changed(CLICK, "event.action.value", value)).reason


@pytest.mark.parametrize(
    ("path", "value"), [("event.context.open_message_id", None), ("event.context.open_chat_id", None)]
)
def test_a_click_outside_a_message_is_passed_over(path: str, value: object) -> None:
    assert "outside" in ignored(changed(CLICK, path, value)).reason


def test_the_credential_of_a_click_is_never_taken_for_a_message() -> None:
    """larksuite/cli#420"""
    assert "c-1" not in str(pressed(CLICK))


def test_only_buttons_are_pressed() -> None:
    assert "select_static" in ignored(changed(CLICK, "event.action.tag", "select_static")).reason


@pytest.mark.parametrize("wrong", ["om_\u200b9", "om_9\r\n", "om_\x07"])
def test_a_click_on_what_is_no_message_id_is_refused(wrong: str) -> None:
    assert ignored(changed(CLICK, "event.context.open_message_id", wrong)).worth == "warning"
