"""Cards out to Slack: posted once, found again, updated in place, at Slack's pace, every failure as the port's."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from chatops_bot.adapters.slack.fake import blockkit, deliveries
from chatops_bot.adapters.slack.fake.server import Fault
from chatops_bot.adapters.slack.fake.workspace import ROOM, TEAM, Channel
from chatops_bot.domain.cards import Button, Card, Code, Text
from chatops_bot.domain.identity import Room
from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable, Posted
from tests.contract.chat.slack_chat.conftest import HERE, Rig
from tests.fakes.clock import settle, until


def card(text: str = "2 of 2 ready", **more: Any) -> Card:
    return Card(**{"title": "payment-svc", "language": "en", "blocks": (Text(text),), **more})


LONG = card(blocks=(Code("\n".join(f"{number:05} ERROR timeout" for number in range(900))),))


async def post(rig: Rig, shown: Card | None = None, *, root: str = "", key: str = "k1", again: bool = False) -> Posted:
    return await rig.chat.post(room=HERE, thread="t-1", card=shown or card(), root=root, key=key, again=again)


async def update(rig: Rig, message: str, shown: Card, root: str = "") -> None:
    await rig.chat.update(room=HERE, thread="t-1", card=shown, message=message, root=root)


def screen(rig: Rig) -> list[str]:
    """All that the channel shows, message by message."""
    return [
        "\n".join(blockkit.texts(message["blocks"])) or message["text"] for message in rig.slack.workspace.messages()
    ]


async def test_a_card_is_posted_with_text_and_blocks(http_rig: Rig) -> None:
    posted = await post(http_rig, card(buttons=(Button("refresh", "Refresh"),)))
    (message,) = http_rig.slack.workspace.messages()
    assert posted == Posted(message["ts"])
    assert message["text"] == "payment-svc\n2 of 2 ready"
    assert "thread_ts" not in message
    assert [block["type"] for block in message["blocks"]] == ["section", "section", "actions"]
    assert json.loads(message["blocks"][-1]["elements"][0]["value"]) == {"thread": "t-1"}


async def test_below_a_root_it_is_posted_once_and_bound_to_the_root(http_rig: Rig) -> None:
    """slackapi/bolt-python 276, 778: not in the channel as well."""
    root = await post(http_rig)
    posted = await post(http_rig, root=root.message, key="k2")
    assert posted.bind == (root.message,)
    messages = http_rig.slack.workspace.messages()
    assert [message.get("thread_ts") for message in messages] == [None, root.message]
    (_, args) = http_rig.slack.workspace.calls[-1]
    assert "reply_broadcast" not in args


async def test_an_update_replaces_text_blocks_and_buttons(http_rig: Rig) -> None:
    """slackapi/python-slack-sdk 523."""
    posted = await post(http_rig, card(buttons=(Button("confirm", "Confirm"),)))
    await update(http_rig, posted.message, card("done"))
    (message,) = http_rig.slack.workspace.messages()
    assert message["text"] == "payment-svc\ndone"
    assert [block["type"] for block in message["blocks"]] == ["section", "section"]


async def test_a_late_update_does_not_overwrite_a_newer_one(http_rig: Rig) -> None:
    posted = await post(http_rig)
    held = asyncio.Event()
    http_rig.slack.fail("chat.update", Fault(held=held))
    old = asyncio.create_task(update(http_rig, posted.message, card("old")))
    await until(lambda: http_rig.slack.workspace.count("chat.update") == 1, "the old update under way")
    new = asyncio.create_task(update(http_rig, posted.message, card("new")))
    await http_rig.clock.advance(5)
    assert http_rig.slack.workspace.count("chat.update") == 1
    held.set()
    await old
    await http_rig.clock.advance(1)
    await new
    assert "new" in screen(http_rig)[0]


async def test_a_lost_update_is_reported_and_the_next_one_shows(http_rig: Rig) -> None:
    posted = await post(http_rig)
    http_rig.slack.fail("chat.update", Fault(status=500, error="internal_error"))
    with pytest.raises(ChatUnavailable):
        await update(http_rig, posted.message, card("lost"))
    retried = asyncio.create_task(update(http_rig, posted.message, card("shown")))
    await http_rig.clock.advance(1)
    await retried
    assert "shown" in screen(http_rig)[0]


@pytest.mark.parametrize("code", ["message_not_found", "cant_update_message", "edit_window_closed"])
async def test_a_card_that_cannot_be_updated_any_more_is_gone(http_rig: Rig, code: str) -> None:
    http_rig.slack.fail("chat.update", Fault(error=code))
    with pytest.raises(CardGone):
        await update(http_rig, "1.1", card())


@pytest.mark.parametrize(
    ("code", "advice"),
    [
        ("not_in_channel", "invite"),
        ("channel_not_found", "check the id"),
        ("is_archived", "archived"),
        ("invalid_auth", "token"),
        ("token_revoked", "install"),
        ("missing_scope", "chat:write"),
        ("restricted_action", "administrator"),
        ("a_code_of_tomorrow", "a_code_of_tomorrow"),
    ],
)
async def test_a_refusal_says_what_to_do(http_rig: Rig, code: str, advice: str) -> None:
    http_rig.slack.fail("chat.postMessage", Fault(error=code, more={"needed": "chat:write"}))
    with pytest.raises(ChatRefused, match=advice):
        await post(http_rig)
    assert http_rig.slack.workspace.count("chat.postMessage") == 1


async def test_a_limit_is_honoured_and_closes_the_channel_until_it_has_passed(http_rig: Rig) -> None:
    http_rig.slack.workspace.channels["C0OTHER0001"] = Channel("C0OTHER0001", "other")
    http_rig.slack.fail("chat.postMessage", Fault(retry_after=30))
    with pytest.raises(ChatUnavailable) as limited:
        await post(http_rig)
    assert (limited.value.retry_after_s, limited.value.maybe_posted) == (30, False)
    await http_rig.clock.advance(10)
    with pytest.raises(ChatUnavailable) as still:
        await post(http_rig)
    assert still.value.retry_after_s == 20
    assert http_rig.slack.workspace.count("chat.postMessage") == 1
    other = Room(platform="slack", tenant=TEAM, channel="C0OTHER0001")
    await http_rig.chat.post(room=other, thread="t", card=card(), root="", key="k", again=False)
    await http_rig.clock.advance(20)
    await post(http_rig)
    assert len(http_rig.slack.workspace.messages()) == 1


async def test_a_limited_update_tells_everybody_who_waits(http_rig: Rig) -> None:
    posted = await post(http_rig)
    http_rig.slack.fail("chat.update", Fault(retry_after=7))
    with pytest.raises(ChatUnavailable) as limited:
        await update(http_rig, posted.message, card("x"))
    assert limited.value.retry_after_s == 7


async def test_a_post_whose_answer_is_lost_is_sent_once(http_rig: Rig) -> None:
    http_rig.slack.fail("chat.postMessage", Fault(lost=True))
    with pytest.raises(ChatUnavailable) as lost:
        await post(http_rig)
    assert lost.value.maybe_posted
    await settle()
    assert http_rig.slack.workspace.count("chat.postMessage") == 1
    assert len(http_rig.slack.workspace.messages()) == 1


async def test_the_next_attempt_finds_the_lost_post_and_brings_it_up_to_date(http_rig: Rig) -> None:
    http_rig.slack.fail("chat.postMessage", Fault(lost=True))
    with pytest.raises(ChatUnavailable):
        await post(http_rig, card("first view"))
    posted = await post(http_rig, card("newest view"), again=True)
    (message,) = http_rig.slack.workspace.messages()
    assert posted.message == message["ts"]
    assert "newest view" in message["text"]


async def test_a_lost_post_in_a_thread_is_found_there(http_rig: Rig) -> None:
    root = (await post(http_rig)).message
    http_rig.slack.fail("chat.postMessage", Fault(lost=True))
    with pytest.raises(ChatUnavailable):
        await post(http_rig, root=root, key="k2")
    posted = await post(http_rig, root=root, key="k2", again=True)
    assert posted.bind == (root,)
    assert len(http_rig.slack.workspace.messages()) == 2


async def test_another_cards_post_is_not_taken_for_the_lost_one(http_rig: Rig) -> None:
    await post(http_rig, key="k1")
    await post(http_rig, key="k2", again=True)
    assert len(http_rig.slack.workspace.messages()) == 2


async def test_the_search_ends_even_in_a_busy_channel(http_rig: Rig) -> None:
    for number in range(450):
        http_rig.slack.workspace.messages().append(
            {"type": "message", "ts": f"1700000000.{number:06}", "user": "U1", "text": "x"}
        )
    await post(http_rig, again=True)
    assert http_rig.slack.workspace.count("conversations.history") == 3


async def test_a_search_that_is_not_allowed_does_not_keep_the_card_back(http_rig: Rig) -> None:
    http_rig.slack.fail("conversations.history", Fault(error="missing_scope"))
    await post(http_rig, again=True)
    assert len(http_rig.slack.workspace.messages()) == 1


async def test_a_search_that_fails_is_no_proof_that_nothing_was_posted(http_rig: Rig) -> None:
    http_rig.slack.fail("conversations.history", Fault(status=503, error="service_unavailable"))
    with pytest.raises(ChatUnavailable):
        await post(http_rig, again=True)
    assert http_rig.slack.workspace.messages() == []


async def test_a_lost_post_that_somebody_deleted_is_posted_anew(http_rig: Rig) -> None:
    await post(http_rig)
    http_rig.slack.fail("chat.update", Fault(error="message_not_found"))
    await post(http_rig, again=True)
    assert len(http_rig.slack.workspace.messages()) == 2


@pytest.mark.parametrize(
    ("fault", "maybe"),
    [
        (Fault(status=500, error="internal_error"), True),
        (Fault(error="fatal_error"), True),
        (Fault(status=503, error="service_unavailable"), False),
        (Fault(status=502, text="<html>Bad gateway</html>"), True),
        (Fault(status=200, text="<html>A proxy's page</html>"), True),
    ],
)
async def test_trouble_on_slacks_side_is_no_refusal(http_rig: Rig, fault: Fault, maybe: bool) -> None:
    http_rig.slack.fail("chat.postMessage", fault)
    with pytest.raises(ChatUnavailable) as failed:
        await post(http_rig)
    assert failed.value.maybe_posted is maybe


async def test_an_unreachable_slack_has_posted_nothing(http_rig: Rig) -> None:
    http_rig.chat._web._base_url = "http://127.0.0.1:9/api/"
    await http_rig.chat._web.close()
    with pytest.raises(ChatUnavailable) as failed:
        await post(http_rig)
    assert not failed.value.maybe_posted


async def test_posts_in_one_channel_keep_to_one_a_second_after_a_burst(http_rig: Rig) -> None:
    posts = [asyncio.create_task(post(http_rig, key=f"k{n}")) for n in range(6)]
    await until(lambda: len(http_rig.slack.workspace.messages()) == 4, "the burst")
    await http_rig.clock.advance(0.9)
    assert http_rig.slack.workspace.count("chat.postMessage") == 4
    await http_rig.clock.advance(0.2)
    await until(lambda: len(http_rig.slack.workspace.messages()) == 5, "the fifth")
    await http_rig.clock.advance(1)
    await asyncio.gather(*posts)


async def test_a_log_of_12000_characters_arrives_whole(http_rig: Rig) -> None:
    """metabase 74943, nautobot-app-chatops 132, python-slack-sdk 1336: no silence, nothing lost."""
    lines = [f"{number:05} ERROR timeout" for number in range(600)]
    posted = await post(http_rig, card(blocks=(Code("\n".join(lines)),)))
    shown = "\n".join(screen(http_rig))
    assert all(line in shown for line in lines)
    first, second = http_rig.slack.workspace.messages()
    assert second["thread_ts"] == first["ts"] == posted.message


async def test_the_rest_of_an_updated_card_is_updated_with_it(http_rig: Rig) -> None:
    posted = await post(http_rig)
    await update(http_rig, posted.message, LONG)
    assert len(http_rig.slack.workspace.messages()) == 2
    again = asyncio.create_task(update(http_rig, posted.message, LONG))
    await http_rig.clock.advance(1)
    await again
    changed = asyncio.create_task(update(http_rig, posted.message, card(blocks=(Code("fresh\n" * 3000),))))
    await http_rig.clock.advance(1)
    await changed
    assert len(http_rig.slack.workspace.messages()) == 2
    assert "fresh" in screen(http_rig)[1]
    assert "ERROR" not in screen(http_rig)[1]


async def test_a_rest_that_cannot_be_posted_does_not_fail_the_card(http_rig: Rig) -> None:
    http_rig.slack.fail("chat.postMessage", Fault())
    http_rig.slack.fail("chat.postMessage", Fault(error="restricted_action_thread_locked"))
    await post(http_rig, LONG)
    assert "more lines" in screen(http_rig)[0]


@pytest.mark.parametrize("code", ["invalid_blocks", "msg_blocks_too_long"])
async def test_blocks_that_slack_refuses_are_shown_as_text(http_rig: Rig, code: str) -> None:
    http_rig.slack.fail("chat.postMessage", Fault(error=code, more={"response_metadata": {"messages": ["[ERROR] x"]}}))
    posted = await post(http_rig)
    (message,) = http_rig.slack.workspace.messages()
    assert (message["blocks"], message["text"]) == ([], "payment-svc\n2 of 2 ready")
    http_rig.slack.fail("chat.update", Fault(error=code))
    await update(http_rig, posted.message, card("done"))
    assert message["text"] == "payment-svc\ndone"


async def test_a_notice_is_for_one_person_or_for_the_channel_and_rings_nobody(http_rig: Rig) -> None:
    await http_rig.chat.notice(room=HERE, text="the store is <!channel> down", root="", to="U1")
    (told,) = http_rig.slack.workspace.ephemeral
    assert (told["user"], told["text"]) == ("U1", "the store is &lt;!channel&gt; down")
    await http_rig.chat.notice(room=HERE, text="busy", root="1.1")
    (message,) = http_rig.slack.workspace.messages()
    assert (message["text"], message["thread_ts"]) == ("busy", "1.1")


async def test_a_notice_that_fails_is_logged_and_no_more(http_rig: Rig, caplog: pytest.LogCaptureFixture) -> None:
    http_rig.slack.fail("chat.postMessage", Fault(error="not_in_channel"))
    await http_rig.chat.notice(room=HERE, text="busy", root="")
    assert "not_in_channel" in caplog.text


async def test_where_the_bot_may_not_post_the_commands_author_is_told(http_rig: Rig) -> None:
    http_rig.slack.workspace.channels[ROOM].member = False
    await http_rig.http(deliveries.command("status of web", response_url=f"{http_rig.slack.base}/respond/{ROOM}"))
    with pytest.raises(ChatRefused):
        await post(http_rig)
    (told,) = http_rig.slack.told
    assert told["response_type"] == "ephemeral"
    assert "invite" in told["text"]


async def test_tokens_are_in_no_log(http_rig: Rig, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    await post(http_rig)
    http_rig.slack.fail("chat.postMessage", Fault(error="invalid_auth"))
    with pytest.raises(ChatRefused) as refused:
        await post(http_rig, key="k2")
    assert "xoxb-test" not in caplog.text + str(refused.value)
