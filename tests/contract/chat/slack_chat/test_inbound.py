"""What people write and press in Slack, over HTTP with signed bytes and over Socket Mode, through real Bolt."""

from __future__ import annotations

from tests.contract.chat.slack_chat.conftest import HERE, Rig
from tests.fakes.slack import deliveries
from tests.fakes.slack.workspace import BOT_USER, ROOM, TEAM


async def test_a_mention_is_one_event_whichever_of_its_two_deliveries_comes_first(rig: Rig) -> None:
    text = f"<@{BOT_USER}> how is payment-svc?"
    assert await rig.deliver(deliveries.event(deliveries.message(text), id="Ev1"))
    assert await rig.deliver(deliveries.event(deliveries.mention(text), id="Ev2"))
    (found,) = rig.store.messages
    assert found.id == f"slack:{TEAM}:{ROOM}:1700000001.000100"
    assert (found.text, found.addressed, found.direct) == ("how is payment-svc?", True, False)
    assert found.room == HERE
    assert (found.user.key, found.user.tenant, found.user.guest, found.user.foreign) == ("slack:U1", TEAM, False, False)
    assert (found.name, found.answers, found.root) == ("alice", (), "")
