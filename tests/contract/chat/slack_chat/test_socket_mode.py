"""Socket Mode connections that come, go, die silently and are built anew; each message still counts once."""

from __future__ import annotations

import asyncio

import pytest

from chatops_bot.adapters.slack.fake import deliveries
from chatops_bot.adapters.slack.fake.server import FakeSlack, Fault
from chatops_bot.domain.cards import Card, Text
from tests.contract.chat.slack_chat.conftest import HERE, Rig, rigged
from tests.contract.chat.talk import Store
from tests.fakes.clock import settle, until

EVENT = deliveries.event(deliveries.message("restart web"))


async def looks(rig: Rig, healthy: bool) -> None:
    """Let supervisors look until they see what is there."""
    for _ in range(100):
        if (rig.chat.healthy() == "") is healthy:
            return
        await rig.clock.advance(5)
        await asyncio.sleep(0.02)
    raise AssertionError(f"healthy() stays {rig.chat.healthy()!r}")


async def receives(rig: Rig, ts: str) -> None:
    """An event that arrives now is stored once and acknowledged."""
    before = len(rig.store.events)
    assert await rig.deliver(deliveries.event(deliveries.message("still there?", ts=ts)))
    assert len(rig.store.events) == before + 1


async def test_a_refresh_opens_a_new_connection_and_handles_the_next_message_once(socket_rig: Rig) -> None:
    """errbotio/err-backend-slackv3 22."""
    rig = socket_rig
    old = rig.slack.live[0]
    await old.disconnect()
    # The SDK may reconnect twice, for the frame and for the close; what counts is that one connection stays.
    await until(lambda: old not in rig.slack.live and len(rig.slack.live) == 1, "the new connection")
    await looks(rig, healthy=True)
    await receives(rig, "2.2")


async def test_a_cut_connection_is_replaced() -> None:
    """slackapi/python-slack-sdk 1701: cut without a close frame."""
    async with rigged("socket", ping_s=0.05) as rig:
        rig.slack.live[0].cut()
        await until(lambda: len(rig.slack.sockets) == 2 and len(rig.slack.live) == 1, "the new connection")
        await looks(rig, healthy=True)
        await receives(rig, "2.2")


async def test_a_connection_that_falls_silent_is_replaced() -> None:
    """slackapi/bolt-python 1246, openclaw 72808: open, but no ping is answered."""

    async def prepare(slack: FakeSlack) -> None:
        slack.silent = True

    async with rigged("socket", prepare, ping_s=0.05) as rig:
        deaf = rig.slack.live[0]
        rig.slack.silent = False
        await until(lambda: deaf not in rig.slack.live and len(rig.slack.live) == 1, "the new connection")
        await looks(rig, healthy=True)
        await receives(rig, "2.2")


async def test_a_refresh_that_fails_twice_is_tried_again() -> None:
    """slackapi/python-slack-sdk 1446: apps.connections.open answers 500 twice."""
    async with rigged("socket") as rig:
        rig.slack.fail("apps.connections.open", Fault(status=500, error="internal_error"), times=2)
        await rig.slack.live[0].disconnect(close=False)
        await until(lambda: rig.slack.workspace.count("apps.connections.open") >= 2, "the SDK's attempt")
        await looks(rig, healthy=False)
        await looks(rig, healthy=True)
        assert len(rig.slack.live) == 1
        await receives(rig, "2.2")


async def test_a_client_whose_session_is_closed_is_built_anew() -> None:
    """slackapi/python-slack-sdk 1922, NousResearch/hermes-agent 96069: «Session is closed» for ever."""
    async with rigged("socket", ping_s=60) as rig:
        (connection,) = rig.chat._connections
        handler = connection._handler
        assert handler is not None
        await handler.client.aiohttp_client_session.close()
        rig.slack.live[0].cut()
        await looks(rig, healthy=False)
        assert "Socket Mode" in rig.chat.healthy()
        await looks(rig, healthy=True)
        assert connection._handler is not handler
        await receives(rig, "2.2")


async def test_it_comes_back_after_all_connections_were_refused_for_a_minute() -> None:
    async with rigged("socket", ping_s=60, connections=2) as rig:
        rig.slack.fail("apps.connections.open", Fault(error="internal_error", status=500), times=6)
        for socket in rig.slack.live:
            socket.cut()
        await looks(rig, healthy=False)
        await looks(rig, healthy=True)
        await receives(rig, "2.2")


async def test_two_connections_share_the_work_and_one_survives_the_others_refresh() -> None:
    """slackapi/bolt-python 448, 1071: an envelope comes over any of them."""
    async with rigged("socket", connections=2) as rig:
        await until(lambda: len(rig.slack.live) == 2, "both connections")
        first, second = rig.slack.live
        one = await rig.slack.deliver("events_api", EVENT, socket=first)
        press = deliveries.click("confirm", '{"thread":"t"}', message_ts="1.1")
        other = await rig.slack.deliver("interactive", press, socket=second)
        await until(lambda: rig.slack.acked(one) and rig.slack.acked(other), "both acknowledgements")
        assert len(rig.store.events) == 2
        await first.disconnect()
        assert rig.chat.healthy() == ""
        late = await rig.slack.deliver("events_api", deliveries.event(deliveries.message("x", ts="2.2")), socket=second)
        await until(lambda: rig.slack.acked(late), "the acknowledgement meanwhile")


async def test_a_start_without_slack_returns_and_keeps_trying() -> None:
    async def prepare(slack: FakeSlack) -> None:
        slack.fail("apps.connections.open", Fault(error="invalid_auth"), times=2)

    async with rigged("socket", prepare) as rig:
        assert "no Socket Mode connection" in rig.chat.healthy()
        await looks(rig, healthy=True)
        await receives(rig, "2.2")


async def test_it_does_not_hammer_a_slack_that_refuses() -> None:
    async def prepare(slack: FakeSlack) -> None:
        slack.fail("apps.connections.open", Fault(error="invalid_auth"), times=1000)

    async with rigged("socket", prepare) as rig:
        for _ in range(600):
            await rig.clock.advance(1)
            await asyncio.sleep(0)
        tried = rig.slack.workspace.count("apps.connections.open")
        assert 3 <= tried <= 25


async def test_it_waits_as_long_as_slack_says() -> None:
    async def prepare(slack: FakeSlack) -> None:
        slack.fail("apps.connections.open", Fault(retry_after=45))

    async with rigged("socket", prepare) as rig:
        await rig.clock.advance(44)
        assert rig.slack.workspace.count("apps.connections.open") == 1
        await rig.clock.advance(2)
        await looks(rig, healthy=True)


async def test_a_refused_event_stays_unacknowledged_until_it_is_delivered_again(socket_rig: Rig) -> None:
    socket_rig.store.refuse = True
    envelope = await socket_rig.slack.deliver("events_api", EVENT)
    assert not await socket_rig.deliver(EVENT)
    assert not socket_rig.slack.acked(envelope)
    socket_rig.store.refuse = False
    again = await socket_rig.slack.deliver("events_api", EVENT, retry_attempt=1, retry_reason="timeout")
    await until(lambda: socket_rig.slack.acked(again), "the acknowledgement")
    assert len(socket_rig.store.events) == 1


async def test_a_delivery_under_way_is_finished_before_the_stop(socket_rig: Rig) -> None:
    rig = socket_rig
    rig.store.hold = asyncio.Event()
    envelope = await rig.slack.deliver("events_api", EVENT)
    await until(lambda: rig.store.waiting == 1, "the store being asked")
    stopping = asyncio.create_task(rig.chat.stop())
    await settle()
    rig.store.hold.set()
    await stopping
    assert len(rig.store.events) == 1
    await until(lambda: rig.slack.acked(envelope), "the acknowledgement")


async def test_stopped_and_started_again_it_receives(socket_rig: Rig) -> None:
    await socket_rig.chat.stop()
    await until(lambda: not socket_rig.slack.live, "the connections' end")
    socket_rig.store = Store()
    await socket_rig.chat.start(socket_rig.store)
    await receives(socket_rig, "2.2")


async def test_posting_needs_no_connection(socket_rig: Rig) -> None:
    await socket_rig.chat.stop()
    card = Card(title="x", language="en", blocks=(Text("y"),))
    await socket_rig.chat.post(room=HERE, thread="t", card=card, root="", key="k", again=False)
    assert len(socket_rig.slack.workspace.messages()) == 1
    await socket_rig.chat.stop()


async def test_socket_addresses_are_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    async with rigged("socket") as rig:
        await receives(rig, "2.2")
    assert "ticket=" not in caplog.text
    assert "xapp-test" not in caplog.text
