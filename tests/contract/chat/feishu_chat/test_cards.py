"""Cards out to Feishu: once, at its pace, in place, and what to make of each of its refusals."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from chatops_bot.adapters.feishu.fake import FeishuWire
from chatops_bot.domain.cards import Button, Card, Code, Text
from chatops_bot.domain.identity import Room
from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable, Posted
from chatops_bot.ports.wire import Fault
from tests.contract.chat.feishu_chat.conftest import Rig, rigged
from tests.fakes.clock import until


def card(text: str = "restart?", title: str = "web") -> Card:
    return Card(title, "en", blocks=(Text(text),), buttons=(Button("confirm", "Confirm", token="k"),))


async def post(rig: Rig, shown: Card | None = None, *, root: str = "", key: str = "c", again: bool = False) -> Posted:
    return await rig.chat.post(room=rig.room, thread="t", card=shown or card(), root=root, key=key, again=again)


async def update(rig: Rig, posted: Posted, shown: Card) -> None:
    await rig.chat.update(room=rig.room, thread="t", card=shown, message=posted.message, root="")


async def test_a_repeated_post_is_one_message_that_shows_the_newest(hooked: Rig) -> None:
    """The answer was lost: `uuid` makes the second one the same message."""
    hooked.wire.faults.fail("messages.create", Fault(kind="reset_after"))
    with pytest.raises(ChatUnavailable) as caught:
        await post(hooked)
    assert caught.value.maybe_posted
    posted = await post(hooked, card("newer"), again=True)
    (shown,) = hooked.wire.shown(hooked.ops)
    assert (shown.message, shown.text) == (posted.message, "web\nnewer")


async def test_a_repeated_post_whose_first_was_deleted_is_posted_anew(hooked: Rig) -> None:
    first = await post(hooked)
    hooked.wire.world.posts[first.message].gone = 231003
    second = await post(hooked, again=True)
    assert second.message != first.message
    assert [shown.message for shown in hooked.wire.shown(hooked.ops)] == [second.message]


async def test_the_same_key_in_another_room_is_another_message(hooked: Rig) -> None:
    await post(hooked)
    other = Room("feishu", hooked.room.tenant, hooked.wire.room("other"))
    await hooked.chat.post(room=other, thread="t", card=card(), root="", key="c", again=False)
    assert len(hooked.wire.shown(other.channel)) == 1


async def test_posts_in_a_burst_keep_below_feishus_limit(hooked: Rig) -> None:
    posting = [asyncio.create_task(post(hooked, key=f"c{number}")) for number in range(8)]
    for _ in range(6):
        await hooked.clock.advance(1)
        await asyncio.sleep(0.02)
    assert len({one.message for one in await asyncio.gather(*posting)}) == 8


LIMITED = {
    "429": Fault(status=429, retry_after_s=7),
    "of a chat": Fault(status=400, code="230020"),
    "of the organisation": Fault(status=400, code="11232"),
    "of the method": Fault(status=400, code="99991400", retry_after_s=7),
}


@pytest.mark.parametrize("fault", LIMITED.values(), ids=LIMITED)
async def test_every_rate_limit_is_waited_out_and_then_the_card_is_posted_once(hooked: Rig, fault: Fault) -> None:
    """openclaw: 429 and 11232 were taken for fatal, and the card never posted."""
    hooked.wire.faults.fail("messages.create", fault)
    with pytest.raises(ChatUnavailable) as caught:
        await post(hooked)
    assert caught.value.retry_after_s >= max(1, fault.retry_after_s)
    assert not caught.value.maybe_posted
    asked = hooked.wire.faults.calls("messages.create")
    with pytest.raises(ChatUnavailable):
        await post(hooked)
    assert hooked.wire.faults.calls("messages.create") == asked, "asked although Feishu said to wait"
    await hooked.clock.advance(caught.value.retry_after_s)
    await post(hooked, again=True)
    assert len(hooked.wire.shown(hooked.ops)) == 1


async def test_a_limit_in_one_chat_closes_no_other(hooked: Rig) -> None:
    hooked.wire.faults.fail("messages.create", Fault(status=400, code="230020"))
    with pytest.raises(ChatUnavailable):
        await post(hooked)
    other = Room("feishu", hooked.room.tenant, hooked.wire.room("other"))
    await hooked.chat.post(room=other, thread="t", card=card(), root="", key="c", again=False)


async def test_the_fakes_own_limit_is_five_a_second(hooked: Rig) -> None:
    for _ in range(5):
        hooked.wire.world.limit("x", "too many")
    with pytest.raises(Exception, match="too many"):
        hooked.wire.world.limit("x", "too many")
    await hooked.clock.advance(1)
    hooked.wire.world.limit("x", "too many")


@pytest.mark.parametrize("gone", [230011, 231003])
async def test_a_card_that_was_withdrawn_or_deleted_is_gone(hooked: Rig, gone: int) -> None:
    posted = await post(hooked)
    hooked.wire.world.posts[posted.message].gone = gone
    with pytest.raises(CardGone):
        await update(hooked, posted, card("x"))


async def test_a_card_of_more_than_14_days_is_gone(hooked: Rig) -> None:
    posted = await post(hooked)
    await hooked.clock.advance(14 * 86_400 - 5)
    await update(hooked, posted, card("still"))
    await hooked.clock.advance(10)
    with pytest.raises(CardGone, match="230031"):
        await update(hooked, posted, card("too late"))


@pytest.mark.parametrize("gone", [230011, 231003])
async def test_where_the_topic_is_gone_nothing_opens_a_new_one(hooked: Rig, gone: int) -> None:
    """NousResearch/hermes-agent#16620"""
    first = await post(hooked)
    topic = hooked.wire.world.topic_of(first.message)
    hooked.wire.world.posts[first.message].gone = gone
    with pytest.raises(ChatRefused, match="gone"):
        await post(hooked, root=f"{topic}/{first.message}", key="d")
    assert not hooked.wire.shown(hooked.ops)


async def test_where_what_was_answered_is_gone_the_answer_goes_into_the_room(hooked: Rig) -> None:
    first = await post(hooked)
    hooked.wire.world.posts[first.message].gone = 230011
    await post(hooked, root=first.message, key="d")
    (shown,) = hooked.wire.shown(hooked.ops)
    assert shown.root == ""


async def test_an_answer_in_a_chain_goes_to_its_first_message(hooked: Rig) -> None:
    first = await post(hooked)
    second = await post(hooked, root=first.message, key="d")
    assert hooked.wire.world.posts[second.message].root == first.message
    assert second.bind == ()


REFUSED = {
    "not in the group": ("230002", "add it there"),
    "no permission to speak": ("230027", "Permissions & Scopes"),
    "no bot": ("230006", "Bot under Add Features"),
    "a muted group": ("230018", "settings"),
    "the censor": ("230022", "censor"),
    "the app is not installed": ("99991662", "administrator"),
    "a missing scope": ("99991672", "Permissions & Scopes"),
    "the month's calls are used up": ("99991403", "used up"),
    "an address that is not allowed": ("99991401", "allowlist"),
    "a code of next year": ("987654", "planned"),
}


@pytest.mark.parametrize(("code", "advice"), REFUSED.values(), ids=REFUSED)
async def test_a_refusal_says_what_to_do(hooked: Rig, code: str, advice: str) -> None:
    hooked.wire.faults.fail("messages.create", Fault(status=400, code=code))
    with pytest.raises(ChatRefused, match=code) as caught:
        await post(hooked)
    assert advice in str(caught.value)
    assert hooked.wire.app.app_secret not in str(caught.value)


async def test_a_bot_that_was_removed_or_whose_group_is_gone_is_refused(hooked: Rig) -> None:
    chat = hooked.wire.world.chats[hooked.ops]
    chat.members.clear()
    with pytest.raises(ChatRefused, match="230002"):
        await post(hooked)
    chat.members.add(hooked.wire.app.app_id)
    chat.dissolved = True
    with pytest.raises(ChatRefused, match="232009"):
        await post(hooked)
    hooked.wire.app.installed = False
    with pytest.raises(ChatRefused, match="99991662"):
        await post(hooked)


UNSURE = {
    "a reset before": (Fault(kind="reset_before"), True),
    "a reset after": (Fault(kind="reset_after"), True),
    "a gateway": (Fault(status=502), True),
    "an internal error": (Fault(status=200, code="1500"), True),
    "being sent": (Fault(status=400, code="230049"), True),
}


@pytest.mark.parametrize(("fault", "maybe"), UNSURE.values(), ids=UNSURE)
async def test_what_may_have_been_posted_is_told_so(hooked: Rig, fault: Fault, maybe: bool) -> None:
    hooked.wire.faults.fail("messages.create", fault)
    with pytest.raises(ChatUnavailable) as caught:
        await post(hooked)
    assert caught.value.maybe_posted is maybe
    await post(hooked, again=True)
    assert len(hooked.wire.shown(hooked.ops)) == 1


async def test_a_call_that_hangs_is_given_up() -> None:
    async with rigged("webhook", timeout_s=0.2) as rig:
        rig.wire.faults.fail("messages.create", Fault(kind="hang"))
        with pytest.raises(ChatUnavailable, match="Timeout"):
            await post(rig)


async def test_a_feishu_that_is_away_cannot_have_posted() -> None:
    async def prepare(wire: FeishuWire) -> None:
        pass

    async with rigged("webhook", prepare) as rig:
        await rig.wire.server.stop()
        with pytest.raises(ChatUnavailable, match="cannot be reached") as caught:
            await post(rig)
        assert not caught.value.maybe_posted


async def test_a_token_that_ran_out_is_renewed_unseen(hooked: Rig) -> None:
    await post(hooked)
    assert hooked.wire.faults.calls("auth") == 1
    hooked.wire.server.expire_tokens()
    await post(hooked, key="d")
    assert hooked.wire.faults.calls("auth") == 2
    await hooked.clock.advance(7000)
    await post(hooked, key="e")
    assert hooked.wire.faults.calls("auth") == 3
    assert len(hooked.wire.shown(hooked.ops)) == 3


async def test_a_token_that_is_never_taken_is_told(hooked: Rig) -> None:
    hooked.wire.faults.fail("messages.create", Fault(status=400, code="99991663", times=5))
    with pytest.raises(ChatRefused, match="99991663"):
        await post(hooked)
    assert hooked.wire.faults.calls("messages.create") == 2


async def test_many_calls_at_once_ask_for_one_token() -> None:
    async with rigged("webhook") as rig:
        rig.wire.server.expire_tokens()
        rig.chat._web._token = ""
        await asyncio.gather(*(post(rig, key=f"c{number}") for number in range(4)))
        assert rig.wire.faults.calls("auth") == 2


async def test_an_answer_that_does_not_fit_goes_on_below_the_card(hooked: Rig) -> None:
    log = "\n".join(f"line {number} of a long log" for number in range(2500))
    posted = await post(hooked, Card("web", "en", blocks=(Code(log),)))
    shown, rest = hooked.wire.shown(hooked.ops)
    assert shown.message == posted.message
    assert rest.root == posted.message
    assert "more lines" in shown.text
    await update(hooked, posted, Card("web", "en", blocks=(Code(log.replace("line", "row")),)))
    shown, rest = hooked.wire.shown(hooked.ops)
    assert "row 0" in shown.text
    assert "row" in rest.text


async def test_a_card_that_feishu_does_not_like_is_said_in_words(hooked: Rig) -> None:
    hooked.wire.faults.fail("messages.create", Fault(status=400, code="230099"))
    await post(hooked, card("<at id=all></at> is how it begins"))
    assert not hooked.wire.shown(hooked.ops)
    assert hooked.wire.notices(hooked.ops) == ["web\n<\u200bat id=all><\u200b/at> is how it begins"]
    assert not hooked.wire.world.rung


async def test_whoever_is_mentioned_is_rung_and_nobody_else(hooked: Rig) -> None:
    alice = hooked.wire.person("alice")
    wild = Card(
        "<at id=all></at>", "en", blocks=(Text("<at id=all></at>"), Code("<at user_id='all'>")), mention=(alice, "all")
    )
    await post(hooked, wild)
    await hooked.chat.notice(room=hooked.room, text='<at user_id="all">everybody</at>', root="")
    assert hooked.wire.world.rung == [alice]


async def test_a_notice_is_shown_to_one_person_where_the_chat_allows_it(hooked: Rig) -> None:
    alice = hooked.wire.person("alice")
    await hooked.chat.notice(room=hooked.room, text="the store is away", root="", to=alice)
    await hooked.chat.notice(room=hooked.room, text="the mailbox is full", root="")
    assert hooked.wire.notices(hooked.ops) == ["the store is away", "the mailbox is full"]
    seen_by = [one.to for one in hooked.wire.world.posts.values() if one.kind == "text"]
    assert seen_by == [alice, ""]
    hooked.wire.world.chats[hooked.ops].kind = "p2p"
    await hooked.chat.notice(room=hooked.room, text="in private", root="", to=alice)
    assert hooked.wire.notices(hooked.ops)[-1] == "in private"


async def test_a_notice_that_fails_is_only_logged(hooked: Rig, caplog: pytest.LogCaptureFixture) -> None:
    hooked.wire.faults.fail("messages.create", Fault(status=400, code="230002"))
    await hooked.chat.notice(room=hooked.room, text="x", root="")
    assert "could not be shown" in caplog.text


async def test_a_picture_is_uploaded(hooked: Rig) -> None:
    key = await hooked.chat.upload(b"\x89PNG...")
    assert hooked.wire.world.images[key] == b"\x89PNG..."
    for wrong in (b"", b"x" * (10 * 1024 * 1024 + 1)):
        with pytest.raises(ChatRefused):
            await hooked.chat.upload(wrong)
    hooked.wire.server.expire_tokens()
    assert await hooked.chat.upload(b"again") != key


async def test_updates_that_wait_are_given_up_by_the_stop(hooked: Rig) -> None:
    posted = await post(hooked)
    hooked.wire.faults.fail("messages.patch", Fault(kind="hang"))
    waiting = asyncio.create_task(update(hooked, posted, card("x")))
    await until(lambda: hooked.wire.faults.calls("messages.patch") == 1, "the update being under way")
    await hooked.chat.stop()
    with pytest.raises(ChatUnavailable):
        await waiting


async def test_content_goes_as_a_string_of_json(hooked: Rig) -> None:
    posted = await post(hooked)
    content: Any = json.loads(hooked.wire.world.posts[posted.message].content)
    assert content["schema"] == "2.0"


async def test_a_card_that_is_not_taken_as_an_update_is_posted_anew(hooked: Rig) -> None:
    """Such as one that had to be said in words: it cannot become a card."""
    hooked.wire.faults.fail("messages.create", Fault(status=400, code="230099"))
    posted = await post(hooked)
    with pytest.raises(CardGone, match="230001"):
        await update(hooked, posted, card("x"))


LOG = "\n".join(f"line {number} of a long log" for number in range(2500))


async def test_a_rest_that_was_deleted_is_posted_anew(hooked: Rig) -> None:
    posted = await post(hooked, Card("web", "en", blocks=(Code(LOG),)))
    rest = hooked.wire.shown(hooked.ops)[1]
    hooked.wire.world.posts[rest.message].gone = 231003
    await update(hooked, posted, Card("web", "en", blocks=(Code(LOG.replace("line", "row")),)))
    shown = hooked.wire.shown(hooked.ops)
    assert len(shown) == 2
    assert shown[1].message != rest.message


async def test_a_rest_that_cannot_be_shown_is_only_logged(hooked: Rig, caplog: pytest.LogCaptureFixture) -> None:
    hooked.wire.faults.fail("messages.reply", Fault(status=400, code="230022"))
    posted = await post(hooked, Card("web", "en", blocks=(Code(LOG),)))
    assert [one.message for one in hooked.wire.shown(hooked.ops)] == [posted.message]
    assert "the rest of a card could not be shown" in caplog.text


async def test_the_same_rest_is_not_sent_again(hooked: Rig) -> None:
    long = Card("web", "en", blocks=(Code(LOG),))
    posted = await post(hooked, long)
    asked = hooked.wire.faults.calls("messages.reply")
    await hooked.clock.advance(1)
    await update(hooked, posted, long)
    assert hooked.wire.faults.calls("messages.reply") == asked
