"""A mention comes, a card answers it, a button is pressed, the card changes: over each way of reaching WeCom."""

from __future__ import annotations

import pytest

from chatops_bot.adapters.wecom.fake.corp import CORP
from chatops_bot.adapters.wecom.fake.postman import Mode
from chatops_bot.adapters.wecom.fake.wire import FakeWeCom
from chatops_bot.domain.events import Message
from chatops_bot.domain.identity import User
from chatops_bot.ports.wire import Wire
from tests.contract.chat.wecom_chat.conftest import MODES, Rig
from tests.fakes.clock import ManualClock

ALICE = User(platform="wecom", tenant=CORP, id="alice")


@pytest.mark.parametrize("mode", MODES)
async def test_the_fake_is_a_wire_that_says_what_wecom_cannot_do(mode: Mode) -> None:
    wire: Wire = FakeWeCom(ManualClock(), mode)
    assert wire.platform == "wecom"
    lacking = wire.capabilities
    assert all([lacking.unaddressed, lacking.threads, lacking.updates, lacking.post_once])
    assert bool(lacking.replies) is (mode == "app")
    assert lacking.buttons == 6


async def test_a_message_to_the_bot_arrives_without_its_mention(rig: Rig) -> None:
    assert (await rig.say("@bot 华东的 payment-svc 怎么样？", event_id="m1")).accepted
    assert rig.store.events == [
        Message(
            id=f"wecom:{CORP}:{rig.room}:m1",
            room=rig.here,
            user=ALICE,
            text="华东的 payment-svc 怎么样？",
            addressed=True,
            direct=rig.mode == "app",
            root="m1",
            name="alice" if rig.mode == "app" else "",
        )
    ]
