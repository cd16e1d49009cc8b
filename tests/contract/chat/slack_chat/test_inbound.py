"""What people write and press in Slack, over HTTP with signed bytes and over Socket Mode, through real Bolt.

Tests named after a public report quote it as repository and number.
"""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.adapters.slack.buttons import encode
from chatops_bot.adapters.slack.fake import deliveries
from chatops_bot.adapters.slack.fake.server import FakeSlack
from chatops_bot.adapters.slack.fake.workspace import BOT_ID, BOT_USER, ROOM, TEAM
from chatops_bot.domain.cards import Button
from chatops_bot.domain.events import Click, Mentioned, Message
from chatops_bot.domain.identity import User
from tests.contract.chat.slack_chat.conftest import HERE, Rig, rigged

ALICE = User(platform="slack", tenant=TEAM, id="U1")


async def said(rig: Rig, event: dict[str, Any], **more: Any) -> Message | None:
    """Deliver an event, which must be acknowledged; the message that came of it."""
    before = len(rig.store.events)
    assert await rig.deliver(deliveries.event(event, **more))
    found = rig.store.events[before:]
    assert len(found) <= 1
    return found[0] if found and isinstance(found[0], Message) else None


async def test_a_mention_is_one_event_whichever_of_its_two_deliveries_comes_first(rig: Rig) -> None:
    text = f"<@{BOT_USER}> how is payment-svc?"
    assert await rig.deliver(deliveries.event(deliveries.message(text), id="Ev1"))
    assert await rig.deliver(deliveries.event(deliveries.mention(text), id="Ev2"))
    assert rig.store.events == [
        Message(
            id=f"slack:{TEAM}:{ROOM}:1700000001.000100",
            room=HERE,
            user=ALICE,
            text="how is payment-svc?",
            addressed=True,
            name="alice",
        )
    ]


async def test_a_message_to_nobody_is_not_addressed(rig: Rig) -> None:
    found = await said(rig, deliveries.message("I look at it with <@U2>"))
    assert found is not None
    assert (found.text, found.addressed) == ("I look at it with @bob", False)


async def test_a_thread_reply_answers_the_root_and_belongs_there(rig: Rig) -> None:
    found = await said(rig, deliveries.message("scale it", thread_ts="1700000000.000001"))
    assert found is not None
    assert (found.answers, found.root, found.addressed) == (("1700000000.000001",), "1700000000.000001", False)


async def test_a_root_that_has_replies_stands_in_the_open_room(rig: Rig) -> None:
    found = await said(rig, deliveries.message("hi", ts="1700000000.000001", thread_ts="1700000000.000001"))
    assert found is not None
    assert (found.answers, found.root) == ((), "")


@pytest.mark.parametrize("subtype", ["thread_broadcast", "file_share"])
async def test_a_broadcast_and_a_file_are_messages(rig: Rig, subtype: str) -> None:
    found = await said(rig, deliveries.message("see this", subtype=subtype, thread_ts="1700000000.000001"))
    assert found is not None
    assert found.root == "1700000000.000001"


async def test_a_direct_message_is_direct(rig: Rig) -> None:
    found = await said(rig, deliveries.message("status of web", channel="D0ALICE0001", channel_type="im"))
    assert found is not None
    assert (found.addressed, found.direct, found.room.channel) == (True, True, "D0ALICE0001")


async def test_the_command_is_direct_and_belongs_to_its_channel(rig: Rig) -> None:
    assert await rig.deliver(deliveries.command("restart payload-svc for <@U2|bob>"))
    assert rig.store.events == [
        Message(
            id=f"slack:{TEAM}:{ROOM}:command:13345224609.738474920.8088930838d88f008e1",
            room=HERE,
            user=ALICE,
            text="restart payload-svc for @bob",
            addressed=True,
            direct=True,
            name="alice",
            mentioned=(Mentioned("bob", "slack:U2"),),
        )
    ]


async def test_the_command_is_shown_to_the_channel_that_its_answer_goes_to(http_rig: Rig, socket_rig: Rig) -> None:
    answer = await http_rig.http(deliveries.command("status of web"))
    assert answer.json()["response_type"] == "in_channel"
    assert await socket_rig.deliver(deliveries.command("status of web"))
    (ack,) = [ack for ack in socket_rig.slack.live[0].acks.values() if ack.get("payload")]
    assert ack["payload"]["response_type"] == "in_channel"


async def test_another_apps_command_is_acknowledged_unread(rig: Rig) -> None:
    assert await rig.deliver(deliveries.command("x", command="/deploy"))
    assert rig.store.events == []


async def test_a_click_brings_back_what_its_button_carries(rig: Rig) -> None:
    value = encode(Button("confirm", "Confirm", token="tok", value="5"), thread="t-1", shown_as="confirm")
    await rig.deliver(
        deliveries.click("confirm", value, message_ts="1700000005.000001", user="U2", thread_ts="1700000000.000001")
    )
    assert rig.store.events == [
        Click(
            id=f"slack:{TEAM}:{ROOM}:click:1700000005.000001:confirm:U2:1700000009.000001",
            room=HERE,
            user=User(platform="slack", tenant=TEAM, id="U2"),
            button="confirm",
            card="1700000005.000001",
            thread="t-1",
            token="tok",
            value="5",
            root="1700000000.000001",
            name="bob",
        )
    ]


async def test_a_double_click_is_two_events_and_a_repeated_delivery_is_one(rig: Rig) -> None:
    press = deliveries.click("confirm", '{"thread":"t"}', message_ts="1.1")
    assert await rig.deliver(press)
    assert await rig.deliver(press)
    assert await rig.deliver(deliveries.click("confirm", '{"thread":"t"}', message_ts="1.1", action_ts="1700000009.9"))
    assert len({click.id for click in rig.store.clicks}) == len(rig.store.clicks) == 2


async def test_a_button_of_an_older_version_is_a_click_that_carries_nothing(rig: Rig) -> None:
    await rig.deliver(deliveries.click("confirm", "incident-17", message_ts="1.1"))
    (found,) = rig.store.clicks
    assert (found.button, found.token, found.thread, found.value) == ("confirm", "", "", "")


IGNORED: dict[str, dict[str, Any]] = {
    "the bot itself": deliveries.message("status?", user=BOT_USER),
    "the bot itself by its bot id": deliveries.message("status?", user="U77", bot_id=BOT_ID),
    "another bot (CopilotKit/OpenTag 29)": deliveries.message("status?", user="U8", bot_id="B9"),
    "another bot's mention": deliveries.mention(f"<@{BOT_USER}> status?", user="U8", bot_id="B9"),
    "a webhook": deliveries.message("status?", user=None, subtype="bot_message", bot_id="B9"),
    "an unfurled link (CopilotKit/CopilotKit 6717)": {
        "type": "message",
        "subtype": "message_changed",
        "hidden": True,
        "channel": ROOM,
        "ts": "1700000002.000001",
        "message": {"type": "message", "user": "U1", "text": "same", "ts": "1.1", "reply_count": 2},
        "previous_message": {"type": "message", "user": "U1", "text": "same", "ts": "1.1", "reply_count": 1},
    },
    "a bot's edit (NousResearch/hermes-agent 89639)": {
        "type": "message",
        "subtype": "message_changed",
        "channel": ROOM,
        "ts": "1700000002.000001",
        "message": {"type": "message", "user": "U8", "bot_id": "B9", "text": "same", "ts": "1.1"},
        "previous_message": {"type": "message", "user": "U8", "bot_id": "B9", "text": "same", "ts": "1.1"},
    },
    "an edit with new text": {
        "type": "message",
        "subtype": "message_changed",
        "channel": ROOM,
        "ts": "1700000002.000001",
        "message": {
            "type": "message",
            "user": "U1",
            "text": f"<@{BOT_USER}> restart web",
            "ts": "1.1",
            "edited": {"user": "U1", "ts": "2.0"},
        },
        "previous_message": {"type": "message", "user": "U1", "text": "restart", "ts": "1.1"},
    },
    "a deletion": {"type": "message", "subtype": "message_deleted", "channel": ROOM, "ts": "2.1", "deleted_ts": "1.1"},
    "a hidden reply notice": {
        "type": "message",
        "subtype": "message_replied",
        "hidden": True,
        "channel": ROOM,
        "ts": "2.1",
        "message": {"type": "message", "user": "U1", "text": "x", "ts": "1.1", "thread_ts": "1.1"},
    },
    "a join": deliveries.message("<@U1> has joined", subtype="channel_join"),
    "a hidden message": deliveries.message("x", hidden=True),
    "a reaction": {"type": "reaction_added", "user": "U1", "item": {"type": "message", "channel": ROOM, "ts": "1.1"}},
    "a type nobody knows": {"type": "sky_fallen", "user": "U1"},
    "a message without ts": {"type": "message", "user": "U1", "text": "x", "channel": ROOM},
    "a message in a channel object": {
        "type": "message",
        "user": "U1",
        "text": "x",
        "ts": "1.1",
        "channel": {"id": ROOM},
    },
    "a message with a number for its ts": {"type": "message", "user": "U1", "text": "x", "ts": 1.1, "channel": ROOM},
}


@pytest.mark.parametrize("event", IGNORED.values(), ids=IGNORED)
async def test_what_no_person_says_is_acknowledged_and_does_nothing(rig: Rig, event: dict[str, Any]) -> None:
    assert await said(rig, event) is None
    assert rig.store.events == []


async def test_an_edit_says_in_the_log_that_it_does_nothing(http_rig: Rig, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    await said(http_rig, IGNORED["an edit with new text"])
    assert "edit" in caplog.text


async def test_an_event_of_another_installation_is_ignored(rig: Rig) -> None:
    other = deliveries.event(
        deliveries.message("x"), team_id="T0OTHER", authorizations=[{"team_id": "T0OTHER", "user_id": "U0THEIRS"}]
    )
    assert await rig.deliver(other)
    assert rig.store.events == []


async def test_a_shared_channels_event_may_name_the_other_workspace(rig: Rig) -> None:
    payload = deliveries.event(deliveries.message("x"), team_id="T0OTHER", is_ext_shared_channel=True)
    assert await rig.deliver(payload)
    assert rig.store.messages[0].room == HERE


async def test_a_bot_on_the_list_is_heard() -> None:
    async def prepare(slack: FakeSlack) -> None:
        slack.workspace.user("U8", "deploy-bot", is_bot=True)

    async with rigged("http", prepare, allow_bots=frozenset({"B9"})) as rig:
        assert await said(rig, deliveries.message("status?", user="U8", bot_id="B9")) is not None
        assert await said(rig, deliveries.message("status?", user="U9", bot_id="B10", ts="2.2")) is None
        webhook = await said(
            rig, deliveries.message("status?", user=None, bot_id="B9", subtype="bot_message", ts="3.3")
        )
        assert webhook is not None
        assert webhook.user.guest


async def test_a_retry_never_seen_before_is_a_first_delivery(rig: Rig) -> None:
    """vercel/chat 666, 667; slackapi/bolt-python 1484."""
    payload = deliveries.event(deliveries.message("restart web"))
    assert await rig.deliver(payload, retry_attempt=1, retry_reason="timeout")
    assert len(rig.store.events) == 1


async def test_retries_are_handed_on_under_the_same_id_for_the_store_to_drop(rig: Rig) -> None:
    """slackapi/bolt-python 868, 1027, 1355."""
    payload = deliveries.event(deliveries.message("restart web"))
    for retry in ({}, {"retry_attempt": 1}, {"retry_attempt": 2}):
        assert await rig.deliver(payload, **retry)
    assert len(rig.store.events) == 1


async def test_a_retry_is_logged(rig: Rig, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    await rig.deliver(deliveries.event(deliveries.message("x")), retry_attempt=2, retry_reason="http_timeout")
    assert "number 2, http_timeout" in caplog.text


@pytest.mark.parametrize(
    "payload",
    [
        {
            "type": "view_submission",
            "user": {"id": "U1"},
            "view": {"type": "modal", "callback_id": "x", "state": {"values": {}}},
        },
        {"type": "view_closed", "user": {"id": "U1"}, "view": {"type": "modal", "callback_id": "x"}},
        {"type": "shortcut", "callback_id": "x", "user": {"id": "U1"}},
        {"type": "message_action", "callback_id": "x", "user": {"id": "U1"}},
        {"type": "block_suggestion", "action_id": "x", "block_id": "b", "value": "y", "user": {"id": "U1"}},
        {"type": "interactive_message", "callback_id": "x", "actions": [{"name": "x"}], "user": {"id": "U1"}},
        {"type": "app_rate_limited", "team_id": TEAM, "minute_rate_limited": 1_700_000_000},
        {"type": "something_new"},
        deliveries.click(
            "x", "", message_ts="1.1", actions=[{"action_id": "x", "type": "users_select", "block_id": "b"}]
        ),
        deliveries.click("x", "", message_ts="1.1", container={"type": "view", "view_id": "V1"}),
    ],
    ids=lambda payload: payload["type"],
)
async def test_what_the_bot_does_not_use_is_acknowledged_with_a_line_in_the_log(
    rig: Rig, payload: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    assert await rig.deliver(payload)
    assert rig.store.events == []
    assert [record for record in caplog.records if record.name.startswith("chatops_bot.adapters.slack")]
