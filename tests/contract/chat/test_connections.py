"""Long connections that break: what the platform delivers again is handled once."""

from __future__ import annotations

import asyncio

from chatops_bot.ports.wire import Fault
from tests.contract.chat.talk import Talk

CUTS = 10


async def test_cut_ten_times_everything_that_is_delivered_again_is_handled_once(connected: Talk) -> None:
    talk, lost = connected, 0
    for cut in range(CUTS):
        await talk.say(f"@bot before {cut}", event_id=f"before-{cut}")
        await talk.wire.faults.drop_connection()
        said = await talk.say(f"@bot after {cut}", event_id=f"after-{cut}")
        await talk.up()
        if not said.accepted:
            lost += 1
            while not (await talk.through(talk.wire.faults.redeliver(f"after-{cut}"))).accepted:
                await talk.clock.advance(1)
        # A platform that had its answer lost on the way delivers again, too.
        assert (await talk.through(talk.wire.faults.redeliver(f"before-{cut}"))).accepted
    assert lost > CUTS / 2
    wanted = [f"{when} {cut}" for cut in range(CUTS) for when in ("before", "after")]
    assert sorted(message.text for message in talk.store.messages) == sorted(wanted)


async def test_an_address_that_answers_500_twice_is_asked_again_and_nothing_is_handled_twice(connected: Talk) -> None:
    talk, connect = connected, connected.platform.connected
    before = talk.wire.faults.calls(connect)
    await talk.say("@bot before", event_id="before")
    talk.wire.faults.fail(connect, Fault(status=500, times=2))
    await talk.wire.faults.drop_connection()
    lost = await talk.say("@bot lost", event_id="lost")
    for _ in range(600):
        if talk.wire.faults.calls(connect) >= before + 3 and not talk.chat.healthy():
            break
        await talk.clock.advance(1)
        await asyncio.sleep(0.005)
    while not (await talk.through(talk.wire.faults.redeliver("lost"))).accepted:
        await talk.clock.advance(1)
    assert (await talk.through(talk.wire.faults.redeliver("before"))).accepted
    assert not lost.accepted
    assert talk.wire.faults.calls(connect) >= before + 3
    assert sorted(message.text for message in talk.store.messages) == ["before", "lost"]
