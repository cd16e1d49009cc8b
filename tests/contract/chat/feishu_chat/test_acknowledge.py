"""A delivery is acknowledged when it is stored, at once then, and never before."""

from __future__ import annotations

import asyncio
import time

import pytest

from chatops_bot.adapters.feishu.fake import FeishuWire
from chatops_bot.domain.cards import Button, Card
from chatops_bot.ports.wire import Fault
from tests.contract.chat.feishu_chat.conftest import Rig, rigged
from tests.contract.chat.talk import Store
from tests.fakes.clock import settle, until

CARD = Card("web", "en", buttons=(Button("confirm", "Confirm", token="k"),))


async def test_a_fault_behind_the_door_is_not_acknowledged_either(rig: Rig) -> None:
    rig.store.broken = True
    if rig.mode == "webhook":
        with pytest.raises(RuntimeError):  # the web server makes a 500 of it
            await rig.say("@bot restart web")
    else:
        assert (await rig.say("@bot restart web")).status == 500


async def test_a_slow_store_holds_up_no_other_delivery(rig: Rig) -> None:
    """With the SDK's own handlers, each frame waits for the one before it."""
    rig.store.hold = asyncio.Event()
    slow = [asyncio.create_task(rig.say(f"@bot {number}")) for number in range(5)]
    await until(lambda: rig.store.waiting == 5, "five stores being asked side by side")
    rig.store.hold.set()
    assert all(one.accepted for one in await asyncio.gather(*slow))


async def test_over_the_connection_the_store_has_so_long_and_no_longer() -> None:
    """scitix/siclaw#392: Feishu gives up after three seconds, whatever the bot still does."""
    async with rigged("connection", store_wait_s=0.05) as rig:
        rig.store.hold = asyncio.Event()
        answer = await rig.say("@bot restart web", event_id="e1")
        assert answer.status == 500
        rig.store.hold.set()
        await until(lambda: len(rig.store.events) == 1, "the late store")
        assert (await rig.wire.faults.redeliver("e1")).accepted
        assert len(rig.store.events) == 1


async def test_nothing_is_acknowledged_before_the_bot_knows_who_it_is() -> None:
    async def prepare(wire: FeishuWire) -> None:
        wire.faults.fail("bot.info", Fault(status=503))

    async with rigged("webhook", prepare) as rig:
        assert "bot.info" in rig.chat.healthy()
        assert (await rig.say("@bot restart web", event_id="e1")).status == 503
        await rig.clock.advance(60)
        await until(lambda: rig.chat.healthy() == "", "health")
        assert (await rig.wire.faults.redeliver("e1")).accepted


async def test_after_the_stop_nothing_is_acknowledged(hooked: Rig) -> None:
    await hooked.chat.stop()
    assert (await hooked.say("@bot restart web")).status == 503
    assert hooked.chat.healthy() == "stopped"
    await hooked.chat.start(Store())
    assert (await hooked.say("@bot restart web")).accepted


async def test_deliveries_under_way_are_finished_by_the_stop(connected: Rig) -> None:
    connected.store.hold = asyncio.Event()
    delivery = asyncio.create_task(connected.say("@bot restart web"))
    await until(lambda: connected.store.waiting == 1, "the store being asked")
    stopping = asyncio.create_task(connected.chat.stop())
    await settle()
    connected.store.hold.set()
    await stopping
    assert (await delivery).accepted
    assert len(connected.store.events) == 1


async def test_the_answer_comes_within_a_tenth_of_a_second(rig: Rig) -> None:
    """Of a hundred deliveries, with a directory and updates that hang; the limit is wide for a busy machine."""
    posted = await rig.chat.post(room=rig.room, thread="t", card=CARD, root="", key="c", again=False)
    await rig.say("@bot warm up")
    rig.wire.faults.fail("messages.patch", Fault(kind="hang"))
    updating = asyncio.create_task(
        rig.chat.update(room=rig.room, thread="t", card=CARD, message=posted.message, root="")
    )
    took = []
    for number in range(50):
        began = time.monotonic()
        assert (await rig.say(f"@bot {number}")).accepted
        took.append(time.monotonic() - began)
    assert sorted(took)[45] < 0.1, took
    updating.cancel()
