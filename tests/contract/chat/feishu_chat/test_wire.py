"""The fake as `ports.wire.Wire`: what a suite over all platforms may rely on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from chatops_bot.adapters.feishu.connection import load
from chatops_bot.adapters.feishu.fake import FeishuWire
from chatops_bot.adapters.feishu.fake.world import TENANT
from chatops_bot.domain.cards import Button, Card, Text
from chatops_bot.domain.identity import Room
from chatops_bot.ports.chat import ChatPort
from chatops_bot.ports.wire import Fault, Wire
from tests.contract.chat.feishu_chat.conftest import Store
from tests.fakes.clock import ManualClock

CARD = Card("web", "en", blocks=(Text("restart?"),), buttons=(Button("confirm", "Confirm", token="k"),))


class Talk:
    """A wire with the adapter on it, known by their protocols alone."""

    def __init__(self, wire: Wire, clock: ManualClock) -> None:
        self.wire = wire
        self.clock = clock
        self.chat: ChatPort = wire.chat(clock=clock, random_bytes=lambda length: b"\x80" * length)
        self.store = Store()
        self.room = wire.room("ops")


@pytest.fixture(params=["webhook", "connection"])
async def talk(request: pytest.FixtureRequest) -> AsyncIterator[Talk]:
    clock = ManualClock()
    wire = FeishuWire(clock=clock, mode=request.param)
    await wire.start()
    await asyncio.to_thread(load)
    made = Talk(wire, clock)
    await made.chat.start(made.store)
    yield made
    await made.chat.stop()
    await wire.stop()


async def test_names_give_the_same_ids(talk: Talk) -> None:
    assert talk.wire.person("alice") == talk.wire.person("alice") != talk.wire.person("bob")
    assert talk.wire.room("ops") == talk.wire.room("ops") != talk.wire.room("dev")
    assert talk.wire.platform == talk.chat.platform == "feishu"
    assert talk.wire.capabilities.updates == talk.wire.capabilities.replies == ""


async def test_said_shown_pressed_and_changed(talk: Talk) -> None:
    wire, alice = talk.wire, talk.wire.person("alice")
    said = await wire.say(event_id="e1", room=talk.room, user=alice, text="restart web", mention=True)
    assert said.accepted
    assert talk.store.messages[0].addressed
    room = Room("feishu", TENANT, talk.room)
    posted = await talk.chat.post(room=room, thread="t", card=CARD, root="", key="c", again=False)
    (shown,) = wire.shown(talk.room)
    assert (shown.message, shown.text, shown.updates, shown.replaced) == (posted.message, "web\nrestart?", 0, False)
    (button,) = shown.buttons
    assert (button.id, button.label, button.token, button.thread) == ("confirm", "Confirm", "k", "t")
    pressed = await wire.click(event_id="e2", room=talk.room, user=alice, message=posted.message, button="confirm")
    assert pressed.accepted
    assert pressed.body
    await talk.chat.update(room=room, thread="t", card=Card("done", "en"), message=posted.message, root="")
    assert wire.shown(talk.room)[0].updates == 1
    stale = await wire.click(
        event_id="e3", room=talk.room, user=alice, message=posted.message, button="confirm", token="k"
    )
    assert stale.accepted
    assert [(one.token, one.thread) for one in talk.store.clicks] == [("k", "t")] * 2
    await talk.chat.notice(room=room, text="a line", root="")
    assert wire.notices(talk.room) == ["a line"]


async def test_a_reply_and_a_word_in_the_same_topic_answer_the_card(talk: Talk) -> None:
    wire, alice = talk.wire, talk.wire.person("alice")
    room = Room("feishu", TENANT, talk.room)
    posted = await talk.chat.post(room=room, thread="t", card=CARD, root="", key="c", again=False)
    await wire.say(event_id="e1", room=talk.room, user=alice, text="to 5", reply_to=posted.message)
    await wire.say(event_id="e2", room=talk.room, user=alice, text="to 6", thread=posted.message)
    root = wire.shown(talk.room)[0].root
    await wire.say(event_id="e3", room=talk.room, user=alice, text="to 7", thread=root)
    assert all(posted.message in one.answers for one in talk.store.messages)
    assert len(talk.store.messages) == 3


async def test_faults_are_planned_and_counted(talk: Talk) -> None:
    talk.wire.faults.fail("messages.create", Fault(status=502, times=2))
    before = talk.wire.faults.calls("messages.create")
    for _ in range(3):
        await talk.chat.notice(room=Room("feishu", TENANT, talk.room), text="x", root="")
    assert talk.wire.faults.calls("messages.create") - before == 3
    assert talk.wire.notices(talk.room) == ["x"]


async def test_the_same_event_can_come_again(talk: Talk) -> None:
    await talk.wire.say(event_id="e1", room=talk.room, user=talk.wire.person("alice"), text="@bot hello")
    assert (await talk.wire.faults.redeliver("e1")).count == 2
    assert len(talk.store.messages) == 1


async def test_where_time_stands_still_everything_is_shown_at_once() -> None:
    clock = ManualClock()
    wire = FeishuWire(clock=clock, paced=False)
    await wire.start()
    chat = wire.chat(clock=clock, random_bytes=bytes)
    await chat.start(Store())
    room = Room("feishu", TENANT, wire.room("ops"))
    for number in range(12):
        posted = await chat.post(room=room, thread="t", card=CARD, root="", key=f"c{number}", again=False)
        for _ in range(7):
            await chat.update(room=room, thread="t", card=CARD, message=posted.message, root="")
    assert [one.updates for one in wire.shown(room.channel)] == [7] * 12
    await chat.stop()
    await wire.stop()
