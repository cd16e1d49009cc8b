"""Clicks: answered at once with a line for whoever pressed, worked on later, and never taken for another card's."""

from __future__ import annotations

import asyncio
import json

from chatops_bot.domain.cards import Button, Card
from chatops_bot.ports.chat import Posted
from tests.contract.chat.feishu_chat.conftest import Rig, rigged
from tests.fakes.clock import until

CARD = Card("web", "en", buttons=(Button("confirm", "Confirm", token="k1", value="v"), Button("refresh", "Refresh")))


async def posted(rig: Rig, root: str = "") -> Posted:
    return await rig.chat.post(room=rig.room, thread="t", card=CARD, root=root, key="c", again=False)


def toast(body: str) -> str:
    return str(json.loads(body)["toast"]["i18n"]["en_us"])


async def test_a_click_knows_the_place_of_its_card(rig: Rig) -> None:
    """The callback does not tell it: without this, the answer to a click in a topic would go into the open room."""
    card = await posted(rig)
    topic = rig.wire.world.topic_of(card.message)
    below = await rig.chat.post(
        room=rig.room, thread="t", card=CARD, root=f"{topic}/{card.message}", key="d", again=False
    )
    await rig.press(below.message, "confirm")
    assert rig.store.clicks[0].root == f"{topic}/{card.message}"


async def test_the_answer_is_a_toast_and_the_card_comes_later(rig: Rig) -> None:
    """baileyh8/hermes-feishu-streaming-card#196: nothing slow is waited for; PATCH brings the card."""
    card = await posted(rig)
    answer = await rig.press(card.message, "confirm")
    assert toast(answer.body) == "Got it, working on it"
    assert "card" not in json.loads(answer.body)
    await rig.chat.update(room=rig.room, thread="t", card=Card("done", "en"), message=card.message, root="")
    assert rig.wire.shown(rig.ops)[0].updates == 1


async def test_no_update_comes_before_the_answer_to_a_click() -> None:
    """Feishu would turn it back when the answer comes."""
    async with rigged("webhook", after_click_s=0.3) as rig:
        card = await posted(rig)
        await rig.press(card.message, "confirm")
        done = Card("done", "en")
        updating = asyncio.create_task(
            rig.chat.update(room=rig.room, thread="t", card=done, message=card.message, root="")
        )
        await rig.clock.advance(0.29)
        assert not rig.wire.faults.calls("messages.patch")
        await rig.clock.advance(0.01)
        await updating
        assert rig.wire.shown(rig.ops)[0].text.startswith("done")


async def test_a_second_click_is_told_that_the_first_is_under_way(rig: Rig) -> None:
    """chenhg5/cc-connect#907: it was ignored in silence."""
    card = await posted(rig)
    await rig.press(card.message, "confirm")
    await rig.clock.advance(1)
    again = await rig.press(card.message, "confirm", who="bob")
    assert toast(again.body) == "Already under way, see the card"
    assert len(rig.store.clicks) == 2, "the engine decides, not the adapter"
    assert len({click.id for click in rig.store.clicks}) == 2


async def test_of_several_who_approve_each_is_told_that_it_was_taken(rig: Rig) -> None:
    shown = Card("web", "en", buttons=(Button("approve", "Approve", token="k1"),))
    card = await rig.chat.post(room=rig.room, thread="t", card=shown, root="", key="c", again=False)
    first = [toast((await rig.press(card.message, "approve", who=who)).body) for who in ("alice", "bob")]
    assert first == ["Got it, working on it"] * 2
    assert toast((await rig.press(card.message, "approve", who="bob")).body) == "Already under way, see the card"


async def test_what_is_about_no_plan_may_be_pressed_as_often_as_one_likes(rig: Rig) -> None:
    card = await posted(rig)
    for _ in range(3):
        assert toast((await rig.press(card.message, "refresh")).body) == "Got it, working on it"


async def test_a_click_that_is_delivered_again_is_one_click(rig: Rig) -> None:
    card = await posted(rig)
    await rig.press(card.message, "confirm", event_id="e1")
    again = await rig.wire.faults.redeliver("e1")
    assert toast(again.body) == "Already under way, see the card"
    assert len(rig.store.clicks) == 1


async def test_a_click_on_a_card_that_was_deleted_meanwhile_still_comes(rig: Rig) -> None:
    card = await posted(rig)
    rig.wire.world.posts[card.message].gone = 231003
    assert (await rig.press(card.message, "confirm")).accepted
    assert rig.store.clicks[0].card == card.message


async def test_a_slow_click_holds_up_no_message(rig: Rig) -> None:
    """With the SDK's handlers a queued click was answered after two seconds."""
    card = await posted(rig)
    rig.store.hold = asyncio.Event()
    pressing = asyncio.create_task(rig.press(card.message, "confirm"))
    await until(lambda: rig.store.waiting == 1, "the click being stored")
    hold, rig.store.hold = rig.store.hold, None
    assert (await rig.say("@bot meanwhile")).accepted
    hold.set()
    assert (await pressing).accepted
