"""What people write in Feishu reaches the bot, over either transport, as what it is."""

from __future__ import annotations

import asyncio
import json

from chatops_bot.adapters.feishu.fake import FeishuWire, events
from chatops_bot.adapters.feishu.fake.world import ELSEWHERE, TENANT, Post
from chatops_bot.domain.cards import Card
from chatops_bot.ports.wire import Fault
from tests.contract.chat.feishu_chat.conftest import Rig, rigged
from tests.fakes.clock import until

CARD = Card("web", "en")


async def test_what_mentions_nobody_is_heard_but_not_addressed(rig: Rig) -> None:
    await rig.say("looks slow, @bob?")
    (heard,) = rig.store.messages
    assert (heard.text, heard.addressed) == ("looks slow, @bob?", False)


async def test_a_rich_text_is_heard(rig: Rig) -> None:
    _, mentions = events.with_mentions("@bot", rig.wire.world, rig.wire.app)
    content = {"title": "", "content": [[{"tag": "at", "user_id": "@_user_1"}, {"tag": "text", "text": "restart web"}]]}
    await rig.wire.write(
        event_id="e",
        room=rig.ops,
        user=rig.wire.person("alice"),
        kind="post",
        content=json.dumps(content),
        mentions=mentions,
    )
    assert [(one.text, one.addressed) for one in rig.store.messages] == [("restart web", True)]


async def test_pictures_and_stickers_are_acknowledged_and_say_nothing(rig: Rig) -> None:
    for kind in ("image", "sticker", "file", "a type of next year"):
        answer = await rig.wire.write(
            event_id=kind, room=rig.ops, user=rig.wire.person("alice"), kind=kind, content='{"image_key":"img"}'
        )
        assert answer.accepted
    assert not rig.store.events


async def test_a_reply_to_a_card_says_to_which_and_where_the_answer_belongs(rig: Rig) -> None:
    card = await rig.chat.post(room=rig.room, thread="t", card=CARD, root="", key="c", again=False)
    await rig.say("to 5", reply_to=card.message)
    (heard,) = rig.store.messages
    assert (heard.answers, heard.root, heard.addressed) == ((card.message,), card.message, False)
    later = await rig.chat.post(room=rig.room, thread="t", card=CARD, root=heard.root, key="d", again=False)
    await rig.say("and now", reply_to=later.message)
    assert rig.store.messages[-1].answers == (later.message, card.message)
    assert rig.store.messages[-1].root == card.message


async def test_in_a_topic_the_answer_stays_there_and_whoever_writes_there_answers_the_card(rig: Rig) -> None:
    """NousResearch/hermes-agent#61380, #20548: a topic's id cannot be written to, and every reply has a root."""
    await rig.say("@bot look at web", event_id="first")
    first = rig.store.messages[0].id.rpartition(":")[2]
    await rig.say("@bot restart it", thread=first)
    heard = rig.store.messages[-1]
    topic = rig.wire.world.posts[first].topic
    assert heard.root == f"{topic}/{first}"
    card = await rig.chat.post(room=rig.room, thread="t", card=CARD, root=heard.root, key="c", again=False)
    assert rig.wire.world.posts[card.message].topic == topic
    assert set(card.bind) == {topic, first}
    await rig.say("go on", who="bob", thread=topic)
    assert set(rig.store.messages[-1].answers) & {card.message, *card.bind}


async def test_a_group_of_topics_has_a_topic_for_each_message(rig: Rig) -> None:
    rig.wire.world.chats[rig.ops].kind = "topic_group"
    await rig.say("@bot look at web")
    (heard,) = rig.store.messages
    topic, _, message = heard.root.partition("/")
    assert topic.startswith("omt_")
    assert heard.id.endswith(message)


async def test_people_of_other_organisations_are_foreign_and_suspended_ones_guests(rig: Rig) -> None:
    eve = rig.wire.person("eve", foreign=True)
    rig.wire.person("dave", guest=True)
    await rig.say("@bot restart web", who="eve")
    await rig.say("@bot restart web", who="dave")
    foreign, guest = rig.store.messages
    assert (foreign.user.foreign, foreign.user.tenant, foreign.user.key) == (
        True,
        ELSEWHERE,
        f"feishu:{ELSEWHERE}/{eve}",
    )
    assert (guest.user.guest, guest.user.foreign) == (True, False)


async def test_who_has_no_organisation_is_foreign(rig: Rig) -> None:
    rig.wire.world.person("alice").tenant = ""
    await rig.say("@bot restart web")
    assert rig.store.messages[0].user.foreign


async def test_somebody_who_left_is_heard_without_a_name(rig: Rig) -> None:
    """Their last message can still be under way."""
    gone = rig.wire.world.person("gone")
    del rig.wire.world.people[gone.id]
    payload = events.message(
        rig.wire.world,
        rig.wire.app,
        rig.wire.world.add(Post("om_1", rig.ops, gone.id, "text", '{"text":"hi"}', 1.0)),
        gone,
        event_id="e",
    )
    assert (await rig.wire.courier.deliver("e", payload)).accepted
    assert rig.store.messages[0].name == ""


async def test_without_the_directory_names_come_from_mentions_and_nobody_waits() -> None:
    async def prepare(wire: FeishuWire) -> None:
        wire.app.scopes.discard("contact:user.base:readonly")

    async with rigged("webhook", prepare) as rig:
        await rig.say("@bot one")
        await rig.say("@bot ask @alice", who="bob")
        await rig.say("@bot two")
        assert [one.name for one in rig.store.messages] == ["", "", "alice"]
        assert rig.wire.faults.calls("users.get") == 1


async def test_a_slow_directory_lets_nobody_in_the_chat_overtake(hooked: Rig) -> None:
    hooked.wire.faults.fail("users.get", Fault(kind="hang"))
    first = asyncio.create_task(hooked.say("@bot first"))
    await until(lambda: hooked.wire.faults.calls("users.get") == 1, "the question who it is")
    second = asyncio.create_task(hooked.say("@bot second", who="bob"))
    await hooked.say("@bot elsewhere", who="bob", room=hooked.wire.room("elsewhere"))
    assert [one.text for one in hooked.store.messages] == ["elsewhere"]
    await hooked.clock.advance(5)
    await asyncio.gather(first, second)
    assert [one.text for one in hooked.store.messages] == ["elsewhere", "first", "second"]
    assert hooked.store.messages[1].name == ""


async def test_an_app_that_may_not_ask_learns_its_organisation_from_the_first_event() -> None:
    async def prepare(wire: FeishuWire) -> None:
        wire.app.scopes.discard("tenant:tenant:readonly")

    async with rigged("webhook", prepare) as rig:
        assert rig.chat.tenant == ""
        await rig.say("@bot hello")
        assert rig.chat.tenant == TENANT
        rig.wire.app.tenant = ELSEWHERE
        assert (await rig.say("@bot hello")).accepted
        assert len(rig.store.messages) == 1


async def test_two_copies_at_once_have_one_id(rig: Rig) -> None:
    """openclaw/openclaw#37477"""
    await rig.say("@bot restart web", event_id="e1")
    answers = await asyncio.gather(*(rig.wire.faults.redeliver("e1") for _ in range(2)))
    assert all(one.accepted for one in answers)
    assert len(rig.store.messages) == 1
