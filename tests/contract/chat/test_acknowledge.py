"""The platform has its answer as soon as an event is stored, and not before; whatever else is slow."""

from __future__ import annotations

import asyncio

from chatops_bot.ports.wire import Fault
from tests.contract.chat.talk import Talk
from tests.fakes.clock import settle, until


async def test_what_is_not_stored_is_not_acknowledged(talk: Talk) -> None:
    talk.store.refuse = True
    said = await talk.say()
    assert not said.accepted
    assert talk.store.asked >= 1


async def test_a_click_that_is_not_stored_is_not_acknowledged(talk: Talk) -> None:
    card = await talk.card()
    talk.store.refuse = True
    assert not (await talk.click(card.message, "confirm")).accepted


async def test_the_acknowledgement_waits_for_the_store(talk: Talk) -> None:
    talk.store.hold = asyncio.Event()
    saying = asyncio.create_task(talk.wire.say(event_id="e1", room=talk.room, user=talk.alice, text="@bot how is web?"))
    await until(lambda: talk.store.waiting > 0, "the store")
    await settle()
    assert not saying.done()
    talk.store.hold.set()
    assert (await saying).accepted


async def test_the_acknowledgement_waits_for_nothing_that_the_bot_has_to_say(talk: Talk) -> None:
    await talk.asked()
    talk.wire.faults.fail(talk.platform.post, Fault(kind="hang"))
    posting = asyncio.create_task(talk.post())
    await until(lambda: talk.wire.faults.calls(talk.platform.post) > 0, "the post under way")
    said = await asyncio.wait_for(
        talk.wire.say(event_id="e9", room=talk.room, user=talk.bob, text="@bot how is api?"), 5
    )
    assert said.accepted
    assert not posting.done()
    posting.cancel()
    await asyncio.gather(posting, return_exceptions=True)


async def test_a_slow_store_holds_up_one_delivery_and_not_the_next(talk: Talk) -> None:
    """In another room: within one, order is kept."""
    talk.store.hold = asyncio.Event()
    where = [talk.room, talk.wire.room("bob" if talk.platform.room == "alice" else "dev")]
    saying = [
        asyncio.create_task(talk.wire.say(event_id=f"e{number}", room=room, user=user, text="@bot how is web?"))
        for number, (room, user) in enumerate(zip(where, [talk.alice, talk.bob], strict=True))
    ]
    await until(lambda: talk.store.waiting == 2, "both at the store")
    talk.store.hold.set()
    assert all(each.accepted for each in await asyncio.gather(*saying))


async def test_after_the_stop_nothing_is_acknowledged(talk: Talk) -> None:
    await talk.chat.stop()
    assert talk.chat.healthy()
    assert not (await talk.say()).accepted
    assert talk.store.events == []
