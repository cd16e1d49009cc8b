"""What people say and press arrives as the same events, whatever the platform; what they cannot do there is replaced
as its capabilities say."""

from __future__ import annotations

import re

import pytest

from chatops_bot.domain.identity import User
from chatops_bot.ports.wire import Noise
from tests.contract.chat.talk import THREAD, Talk, plan

_CONTROL = re.compile(r"[\x00-\x1f]")


async def test_the_wire_and_the_adapter_are_of_one_platform(talk: Talk) -> None:
    wire = talk.wire
    assert wire.platform == talk.chat.platform
    assert talk.chat.healthy() == ""
    assert wire.person("carol") == wire.person("carol") != wire.person("dave")
    assert wire.room("dev") == wire.room("dev") != talk.room


async def test_a_mention_is_addressed_and_comes_without_itself(talk: Talk) -> None:
    assert (await talk.say("@bot how is web?")).accepted
    (message,) = talk.store.messages
    assert (message.text, message.addressed) == ("how is web?", True)
    assert message.room == talk.here
    assert (message.user.platform, message.user.id) == (talk.wire.platform, talk.alice)
    assert (message.user.tenant, message.user.guest, message.user.foreign) == (talk.wire.tenant, False, False)
    assert message.answers == ()


async def test_a_mention_may_stand_anywhere_and_in_chinese(talk: Talk) -> None:
    await talk.say("帮我看下 payment-svc @bot 谢谢")
    (message,) = talk.store.messages
    assert message.addressed
    assert " ".join(message.text.split()) == "帮我看下 payment-svc 谢谢"


async def test_what_mentions_nobody_is_heard_unaddressed(talk: Talk) -> None:
    said = await talk.say("lunch?")
    if not talk.can.unaddressed:
        (message,) = talk.store.messages
        assert (said.accepted, message.text, message.addressed) == (True, "lunch?", False)
    elif said.status:
        assert talk.store.messages[0].direct  # everything said there is for the bot
    else:
        assert talk.store.asked == 0  # the platform keeps it to itself


async def test_a_direct_message_needs_no_mention(talk: Talk) -> None:
    assert (await talk.say("how is web?", direct=True)).accepted
    (message,) = talk.store.messages
    assert (message.text, message.addressed, message.direct) == ("how is web?", True, True)


async def test_a_reply_names_the_card_that_it_answers(talk: Talk) -> None:
    card = await talk.card()
    assert (await talk.say("@bot to 6", user=talk.bob, reply_to=card.message)).accepted
    reply = talk.store.messages[-1]
    assert (reply.text, reply.user.id) == ("to 6", talk.bob)
    assert (card.message in reply.answers) is not bool(talk.can.replies)


async def test_a_reply_to_a_later_message_of_the_bot_belongs_to_that(talk: Talk) -> None:
    first = await talk.card()
    await talk.say("@bot to 6", reply_to=first.message)
    later = await talk.post(plan("Scale web to 6"), key="k2")
    await talk.say("@bot to 7", reply_to=later.message)
    reply = talk.store.messages[-1]
    found = {later.message, *later.bind} & set(reply.answers)
    assert bool(found) is not bool(talk.can.replies)


async def test_who_writes_below_a_card_answers_it_and_is_answered_there(talk: Talk) -> None:
    card = await talk.card()
    await talk.say("@bot to 6", user=talk.bob, thread=card.message)
    message = talk.store.messages[-1]
    if talk.can.threads:
        assert len({shown.root for shown in talk.cards}) == 1
        return
    assert card.message in message.answers
    assert message.root
    answer = await talk.post(plan("Scale web to 6"), key="k2")
    assert next(shown.root for shown in talk.cards if shown.message == answer.message)


@pytest.mark.parametrize("kind", ["edit", "bot", "echo"])
async def test_what_no_person_says_is_taken_and_does_nothing(talk: Talk, kind: Noise) -> None:
    wire = talk.wire
    told = await wire.overheard(kind, event_id="n1", room=talk.room, user=talk.alice, text="@bot restart web")
    assert told.accepted or (told.status == 0 and told.body)
    assert talk.store.asked == 0


async def test_the_same_delivery_again_is_the_same_event(talk: Talk) -> None:
    """HengWoo/tele-claude-bot#24: it came again after 321 s."""
    await talk.say(event_id="e1")
    asked = talk.store.asked
    await talk.clock.advance(321)
    await talk.up()
    again = await talk.through(talk.wire.faults.redeliver("e1"))
    assert (again.accepted, again.count) == (True, 2)
    assert talk.store.asked > asked
    assert len(talk.store.events) == 1


async def test_a_delivery_that_was_not_taken_is_taken_the_next_time(talk: Talk) -> None:
    talk.store.refuse = True
    assert not (await talk.say(event_id="e1")).accepted
    talk.store.refuse = False
    assert (await talk.through(talk.wire.faults.redeliver("e1"))).accepted
    await talk.clock.advance(10)
    assert len(talk.store.events) == 1


async def test_an_older_delivery_may_come_after_a_newer_one(talk: Talk) -> None:
    talk.store.refuse = True
    await talk.say("@bot first", event_id="e1")
    talk.store.refuse = False
    await talk.say("@bot second", event_id="e2", user=talk.bob)
    await talk.through(talk.wire.faults.redeliver("e1"))
    await talk.clock.advance(10)
    assert sorted(message.text for message in talk.store.messages) == ["first", "second"]


async def test_a_click_brings_back_what_its_button_carries(talk: Talk) -> None:
    card = await talk.card(plan(token="tok-1"))
    assert (await talk.click(card.message, "confirm")).accepted
    (click,) = talk.store.clicks
    assert (click.button, click.token, click.thread, click.card) == ("confirm", "tok-1", THREAD, card.message)
    assert (click.user.id, click.room) == (talk.alice, talk.here)


async def test_a_double_click_is_of_one_plan_and_each_is_taken(talk: Talk) -> None:
    card = await talk.card(plan(token="tok-1"))
    pressed = [await talk.click(card.message, "confirm") for _ in range(2)]
    assert all(each.accepted for each in pressed)
    assert {(click.button, click.token) for click in talk.store.clicks} == {("confirm", "tok-1")}


async def test_two_people_who_press_at_once_are_two(talk: Talk) -> None:
    card = await talk.card()
    await talk.click(card.message, "confirm")
    await talk.click(card.message, "confirm", user=talk.bob)
    assert [click.user.id for click in talk.store.clicks] == [talk.alice, talk.bob]


async def test_a_click_on_a_stale_view_brings_what_that_view_carried(talk: Talk) -> None:
    card = await talk.card(plan(token="old"))
    newest = await talk.draw(card.message, plan("Scale web to 6", token="new"))
    assert (await talk.click(card.message, "confirm", token="old")).accepted
    assert talk.store.clicks[-1].token == "old"
    await talk.click(newest, "confirm")
    assert talk.store.clicks[-1].token == "new"


async def test_a_click_on_a_card_that_nobody_knows_is_handed_on(talk: Talk) -> None:
    await talk.card()
    assert (await talk.click("1700000000.999999", "confirm", token="x")).accepted
    assert talk.store.clicks[-1].card == "1700000000.999999"


async def test_a_click_delivered_again_is_one_click(talk: Talk) -> None:
    card = await talk.card()
    await talk.click(card.message, "confirm", event_id="c1")
    await talk.through(talk.wire.faults.redeliver("c1"))
    assert len(talk.store.clicks) == 1


async def test_people_go_by_their_names(talk: Talk) -> None:
    await talk.say()
    assert talk.store.messages[0].name == ("" if talk.can.names else "alice")


async def test_guests_and_people_of_other_organisations_are_known_as_such(talk: Talk) -> None:
    gus, fay = talk.wire.person("gus", guest=True), talk.wire.person("fay", foreign=True)
    await talk.say("@bot hi", user=gus)
    await talk.say("@bot hi", user=fay)
    guest, foreign = [message.user for message in talk.store.messages]
    assert guest.guest or guest.foreign
    assert foreign.foreign
    assert guest.key != foreign.key != talk.alice


async def test_a_foreign_click_is_foreign(talk: Talk) -> None:
    card = await talk.card()
    await talk.click(card.message, "confirm", user=talk.wire.person("fay", foreign=True))
    assert talk.store.clicks[-1].user.foreign


@pytest.mark.parametrize(
    "text", ["sca\u200ble we\u2060b", "web\u202e\u0007\u001b[31m", "a < b && c > d", "*web* `x` ~y~"]
)
async def test_odd_characters_arrive_and_break_nothing(talk: Talk, text: str) -> None:
    assert (await talk.say(f"@bot {text}")).accepted
    (message,) = talk.store.messages
    # What XML cannot hold, WeCom leaves out.
    assert _CONTROL.sub("", message.text) == _CONTROL.sub("", text)


async def test_who_else_is_mentioned_is_told_with_their_key(talk: Talk) -> None:
    carol = talk.wire.person("carol")
    await talk.say("@bot hand this over to @carol")
    (message,) = talk.store.messages
    if talk.wire.platform == "wecom":
        assert (message.mentioned, "@carol" in message.text) == ((), True)  # told by name alone
        return
    (one,) = message.mentioned
    assert one.key == User(talk.wire.platform, talk.wire.tenant, carol).key
    assert f"@{one.name}" in message.text
