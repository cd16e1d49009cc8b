"""The long connection: the official SDK's client, watched, and replaced when it is of no more use."""

from __future__ import annotations

import asyncio

import pytest

from chatops_bot.adapters.feishu import FeishuChat
from chatops_bot.adapters.feishu.connection import Connection, load
from chatops_bot.adapters.feishu.fake import FeishuWire
from chatops_bot.adapters.feishu.front import Answer
from chatops_bot.ports.wire import Fault
from tests.contract.chat.feishu_chat.conftest import Rig, rigged, threads
from tests.contract.chat.talk import Store
from tests.fakes.clock import ManualClock, until


async def test_it_runs_beside_a_running_loop_in_a_thread_of_its_own(connected: Rig) -> None:
    """larksuite/oapi-sdk-python#133: «This event loop is already running»."""
    assert connected.chat.healthy() == ""
    assert len(threads()) == 1


async def test_a_connection_that_breaks_is_replaced(connected: Rig) -> None:
    await connected.wire.faults.drop_connection()
    await until(lambda: connected.chat.healthy() != "", "the break being noticed")
    assert (await connected.say("@bot lost?", event_id="e1")).status == 0
    await connected.up()
    assert connected.wire.server.sockets.opened == 2
    assert (await connected.wire.faults.redeliver("e1")).accepted
    assert len(connected.store.messages) == 1
    assert len(threads()) == 1, "the old thread is left"


async def test_a_half_open_connection_is_replaced(connected: Rig) -> None:
    """larksuite/oapi-sdk-python#169: deaf for three days without a line in the log."""
    sockets = connected.wire.server.sockets
    await until(lambda: sockets.pings == 1, "the first ping")
    await connected.say("@bot hello")  # comes after the pong
    sockets.deaf = True
    await connected.clock.advance(2 * sockets.ping_s + 29)
    assert connected.chat.healthy() == ""
    await connected.clock.advance(2)
    assert connected.chat.healthy() != ""
    sockets.deaf = False
    await connected.up()
    assert sockets.opened == 2
    assert (await connected.say("@bot there again")).accepted


async def test_an_address_that_is_refused_twice_is_asked_for_again() -> None:
    async def prepare(wire: FeishuWire) -> None:
        wire.faults.fail("ws.endpoint", Fault(status=500, times=2))

    async with rigged("connection", prepare) as rig:
        assert rig.chat.healthy() == "no long connection to Feishu is up"
        await rig.up()
        assert rig.wire.faults.calls("ws.endpoint") == 3


async def test_a_handshake_that_is_refused_is_tried_again() -> None:
    async def prepare(wire: FeishuWire) -> None:
        wire.server.sockets.refuse = 2

    async with rigged("connection", prepare) as rig:
        await rig.up()
        assert (await rig.say("@bot hello")).accepted


async def test_an_address_that_never_comes_is_given_up(caplog: pytest.LogCaptureFixture) -> None:
    """larksuite/oapi-sdk-python#169: the SDK asks without a time limit."""

    async def prepare(wire: FeishuWire) -> None:
        wire.faults.fail("ws.endpoint", Fault(kind="hang"))

    async with rigged("connection", prepare, timeout_s=0.2) as rig:
        assert "Timeout" in caplog.text
        await rig.up()


@pytest.mark.parametrize("code", ["1000040343", "1000040350", "403", "1"])
async def test_every_refusal_of_the_endpoint_is_logged_and_tried_again(
    code: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def prepare(wire: FeishuWire) -> None:
        wire.faults.fail("ws.endpoint", Fault(status=200, code=code))

    async with rigged("connection", prepare) as rig:
        assert code in caplog.text
        await rig.up()


async def test_a_wrong_secret_is_told_and_goes_into_no_log(caplog: pytest.LogCaptureFixture) -> None:
    clock = ManualClock()
    wire = FeishuWire(clock=clock, mode="connection")
    await wire.start()
    chat = wire.chat(clock=clock, random_bytes=bytes, app_secret="wrong-secret")
    try:
        await chat.start(Store())
        assert "App Secret is wrong" in chat.healthy()
        assert "wrong-secret" not in caplog.text
    finally:
        await chat.stop()
        await wire.stop()


async def test_the_secret_address_of_a_connection_goes_into_no_log(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    """The SDK writes it to the standard output when it is told to be talkative, and so it is not."""
    async with rigged("connection") as rig:
        await rig.wire.faults.drop_connection()
        await rig.up()
    assert "ticket=" not in caplog.text
    assert "ticket=" not in capsys.readouterr().out


async def test_two_connections_share_the_events_and_one_is_enough() -> None:
    async with rigged("connection", connections=2) as rig:
        await until(lambda: rig.wire.server.sockets.count(rig.wire.app.app_id) == 2, "two connections")
        for number in range(4):
            assert (await rig.say(f"@bot {number}")).accepted
        assert len(rig.store.messages) == 4
        assert rig.chat.healthy() == ""


async def test_two_apps_in_one_process_have_a_thread_each() -> None:
    """larksuite/oapi-sdk-python#119: two clients share the SDK's one loop."""
    clock = ManualClock()
    await asyncio.to_thread(load)
    wires = [FeishuWire(clock=clock, mode="connection") for _ in range(2)]
    chats: list[FeishuChat] = []
    stores = [Store(), Store()]
    for wire, store in zip(wires, stores, strict=True):
        await wire.start()
        chats.append(wire.chat(clock=clock, random_bytes=lambda length: b"\x80" * length))
        await chats[-1].start(store)
    try:
        for number, wire in enumerate(wires):
            user, room = wire.person("alice"), wire.room("ops")
            assert (await wire.say(event_id="e", room=room, user=user, text=f"@bot to {number}")).accepted
        assert [[one.text for one in store.messages] for store in stores] == [["to 0"], ["to 1"]]
        assert len(threads()) == 2
    finally:
        for chat in chats:
            await chat.stop()
        for wire in wires:
            await wire.stop()
    await until(lambda: not threads(), "the end of threads")


async def test_an_event_in_several_frames_is_put_together(connected: Rig) -> None:
    payload = '{"schema":"2.0","header":{"event_type":"x","event_id":"e"},"event":{"long":"' + "y" * 5000 + '"}}'
    answer = await connected.wire.server.sockets.deliver(connected.wire.app.app_id, payload.encode(), parts=3)
    assert answer is not None
    assert (await answer)["code"] == 200


@pytest.mark.parametrize("payload", [b"", b"{", b"[]", b"\xff\xff", b"[" * 50_000])
async def test_a_frame_that_is_no_object_is_acknowledged_unread(connected: Rig, payload: bytes) -> None:
    answer = await connected.wire.server.sockets.deliver(connected.wire.app.app_id, payload)
    assert answer is not None
    assert (await answer)["code"] == 200
    assert not connected.store.events


async def test_what_is_no_frame_breaks_nothing(connected: Rig) -> None:
    for socket in connected.wire.server.sockets._open[connected.wire.app.app_id]:
        await socket.send_bytes(b"\xff\xfe no frame")
        await socket.send_str("text")
    assert (await connected.say("@bot still there")).accepted


async def test_a_card_frame_is_taken_like_an_event(connected: Rig) -> None:
    """The SDK drops frames of this type."""
    payload = b'{"schema":"2.0","header":{"event_type":"x"},"event":{}}'
    answer = await connected.wire.server.sockets.deliver(connected.wire.app.app_id, payload, kind="card")
    assert answer is not None
    assert (await answer)["code"] == 200


async def test_it_pings_as_often_as_feishu_says() -> None:
    async def prepare(wire: FeishuWire) -> None:
        wire.server.sockets.ping_s = 1

    async with rigged("connection", prepare) as rig:
        await until(lambda: rig.wire.server.sockets.pings >= 2, "the second ping")
        assert rig.chat.healthy() == ""


async def test_it_can_be_started_again(connected: Rig) -> None:
    await connected.chat.stop()
    assert connected.chat.healthy() == "stopped"
    store = Store()
    await connected.chat.start(store)
    assert (await connected.say("@bot again")).accepted
    assert len(store.messages) == 1
    with pytest.raises(RuntimeError, match="already started"):
        await connected.chat.start(store)


async def test_a_goodbye_that_is_never_answered_holds_up_nobody() -> None:
    """larksuite/oapi-sdk-python#168: the SDK's close has no time limit of its own."""
    clock = ManualClock()
    wire = FeishuWire(clock=clock, mode="connection")
    await wire.start()
    wire.server.sockets.deaf = True
    await asyncio.to_thread(load)

    async def dispatch(body: object) -> Answer:
        return Answer(200, {})

    connection = Connection(settings=wire.settings(), dispatch=dispatch, clock=clock, jitter=lambda: 0.5, close_s=0.2)
    running = asyncio.create_task(connection.run())
    await until(lambda: connection.up, "the connection")
    running.cancel()
    await asyncio.wait_for(asyncio.gather(running, return_exceptions=True), 3)
    assert not threads()
    await wire.stop()


async def test_deliveries_that_never_end_do_not_hold_up_the_stop() -> None:
    clock = ManualClock()
    wire = FeishuWire(clock=clock, mode="connection")
    await wire.start()
    user, room = wire.person("alice"), wire.room("ops")
    await asyncio.to_thread(load)
    asked = asyncio.Event()

    async def dispatch(body: object) -> Answer:
        asked.set()
        await asyncio.Event().wait()
        raise AssertionError("unreachable")

    connection = Connection(settings=wire.settings(), dispatch=dispatch, clock=clock, jitter=lambda: 0.5, close_s=0.1)
    running = asyncio.create_task(connection.run())
    await until(lambda: connection.up, "the connection")
    saying = asyncio.create_task(wire.say(event_id="e", room=room, user=user, text="@bot x"))
    await asked.wait()
    running.cancel()
    await asyncio.wait_for(asyncio.gather(running, return_exceptions=True), 3)
    assert not (await saying).accepted
    assert not threads()
    assert not [task for task in asyncio.all_tasks() if "Connection._store" in repr(task)]
    await wire.stop()
