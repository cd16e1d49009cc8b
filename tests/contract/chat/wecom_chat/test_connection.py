"""The robot's long connection: cut, silent, refused, taken over; and what came over it while the store was away."""

from __future__ import annotations

import asyncio
import logging

import aiohttp
import pytest

from chatops_bot.adapters.wecom.fake.wire import FakeWeCom
from chatops_bot.domain.events import Click
from chatops_bot.ports.chat import ChatUnavailable
from chatops_bot.ports.wire import Fault
from tests.contract.chat.talk import Store
from tests.contract.chat.wecom_chat.conftest import Rig, plan, progress, rigged
from tests.fakes.clock import ManualClock, settle, until


async def up(rig: Rig) -> None:
    """Let time pass until the connection is there again."""
    for _ in range(300):
        if rig.chat.healthy() == "" and rig.wecom.server.live is not None:
            return
        await rig.clock.advance(1)
        await asyncio.sleep(0.005)
    raise AssertionError(rig.chat.healthy())


async def down(rig: Rig) -> None:
    await until(lambda: rig.chat.healthy() != "", "the loss of the connection")


async def test_an_endpoint_that_fails_is_asked_again(socket_rig: Rig) -> None:
    rig = socket_rig
    rig.wecom.faults.fail("connect", Fault(status=500, times=2))
    await rig.wecom.faults.drop_connection()
    await down(rig)
    await up(rig)
    assert rig.wecom.faults.calls("connect") == 4


@pytest.mark.parametrize("kind", ["hang", "reset_before"])
async def test_an_endpoint_that_never_answers_is_given_up_in_time(socket_rig: Rig, kind: str) -> None:
    rig = socket_rig
    rig.wecom.faults.fail("connect", Fault(kind=kind))  # type: ignore[arg-type]
    await rig.wecom.faults.drop_connection()
    await down(rig)
    await up(rig)


async def test_a_subscription_that_is_never_answered_is_given_up_in_time(socket_rig: Rig) -> None:
    rig = socket_rig
    rig.wecom.faults.fail("aibot_subscribe", Fault(kind="hang"))
    await rig.wecom.faults.drop_connection()
    await down(rig)
    await up(rig)


async def test_a_connection_that_is_half_gone_is_noticed_by_its_silence(socket_rig: Rig) -> None:
    rig = socket_rig
    rig.wecom.server.deaf = True
    for _ in range(8):
        await rig.clock.advance(15)
        await asyncio.sleep(0.01)
    await until(lambda: rig.wecom.faults.calls("connect") >= 2, "a new connection")
    rig.wecom.server.deaf = False
    await up(rig)
    assert (await rig.say()).accepted


async def test_pings_that_are_answered_keep_it(socket_rig: Rig) -> None:
    rig = socket_rig
    for _ in range(20):
        await rig.clock.advance(30)
        await asyncio.sleep(0.005)
    assert rig.wecom.faults.calls("ping") >= 15
    assert rig.wecom.faults.calls("connect") == 1


async def test_a_wrong_secret_says_so_and_leaves_the_start_alone() -> None:
    async with rigged("socket", bot_secret="wrong") as rig:
        assert "40001" in rig.chat.healthy()
        assert "wrong" not in rig.chat.healthy()
        with pytest.raises(ChatUnavailable):
            await rig.post(plan(), root="")


async def test_nobody_answers_at_the_start() -> None:
    async with rigged("socket", socket_url="ws://127.0.0.1:9") as rig:
        assert "cannot be opened" in rig.chat.healthy()


async def test_whoever_loses_the_connection_to_another_process_stands_by(socket_rig: Rig) -> None:
    rig = socket_rig
    other = rig.wecom.chat(clock=rig.clock, random_bytes=lambda count: b"\x80" * count)
    store = Store()
    await other.start(store)
    await until(lambda: "another process" in rig.chat.healthy(), "the news")
    assert other.healthy() == ""
    with pytest.raises(ChatUnavailable):
        await rig.post(plan(), root="")
    await rig.clock.advance(100)
    assert rig.wecom.faults.calls("connect") == 2
    await other.stop()
    await up(rig)
    assert (await rig.say()).accepted


async def test_a_call_whose_answer_is_lost_may_have_got_through(socket_rig: Rig) -> None:
    rig = socket_rig
    rig.wecom.faults.fail("aibot_send_msg", Fault(kind="hang"))
    posting = asyncio.create_task(rig.post(plan(), root=""))
    await until(lambda: rig.wecom.faults.calls("aibot_send_msg") == 1, "the call")
    await rig.clock.advance(10)
    with pytest.raises(ChatUnavailable) as told:
        await posting
    assert told.value.maybe_posted
    rig.wecom.faults.fail("aibot_send_msg", Fault(kind="reset_before"))
    with pytest.raises(ChatUnavailable) as told:
        await rig.post(plan(), root="")
    assert told.value.maybe_posted


async def test_answers_to_one_message_are_sent_one_after_the_other(socket_rig: Rig) -> None:
    """They share their request id, so that their acknowledgements could not be told apart."""
    rig = socket_rig
    await rig.say()
    link = rig.chat._link
    assert link is not None
    body: dict[str, object] = {"msgtype": "stream", "stream": {"id": "s", "finish": False, "content": "x"}}
    await asyncio.gather(*(link.call("aibot_respond_msg", body, req_id="msg1") for _ in range(5)))
    assert rig.wecom.faults.calls("aibot_respond_msg") == 5


async def test_frames_that_are_none_are_passed_over(socket_rig: Rig) -> None:
    rig = socket_rig
    assert rig.wecom.server.live is not None
    for frame in (
        "no JSON",
        "[1]",
        "{}",
        '{"cmd": 5}',
        '{"headers": 7}',
        '{"cmd":"aibot_msg_callback"}',
        '{"cmd":"new"}',
    ):
        await rig.wecom.server.live.send_str(frame)
    assert (await rig.say()).accepted


async def test_what_was_not_stored_is_stored_when_the_store_is_back_in_order(socket_rig: Rig) -> None:
    """WeCom does not deliver again over the connection."""
    rig = socket_rig
    rig.store.refuse = True
    for number in range(3):
        delivering = asyncio.create_task(rig.say(event_id=f"m{number}", text=f"@bot {number}"))
        await settle()
        await asyncio.sleep(0.05)
        if number == 0:
            assert (await delivering).status == 503
        else:
            delivering.cancel()
    rig.store.refuse = False
    await rig.clock.advance(5)
    assert [message.text for message in rig.store.messages] == ["0", "1", "2"]
    assert (await rig.say("@bot 3")).accepted


async def test_what_cannot_be_stored_is_given_up_and_its_author_told(socket_rig: Rig) -> None:
    rig = socket_rig
    rig.store.refuse = True
    assert (await rig.say()).status == 503
    await rig.clock.advance(40)
    await until(lambda: bool(rig.wecom.notices(rig.room)), "the notice")
    assert "could not be stored" in rig.wecom.notices(rig.room)[0]
    rig.store.refuse = False
    await rig.clock.advance(60)
    assert rig.store.events == []


async def test_what_waits_when_the_bot_stops_is_told_to_its_author(socket_rig: Rig) -> None:
    rig = socket_rig
    rig.store.refuse = True
    await rig.say()
    await rig.chat.stop()
    assert "could not be stored" in rig.wecom.notices(rig.room)[0]


async def test_a_slow_store_holds_up_neither_other_rooms_nor_the_connection(socket_rig: Rig) -> None:
    rig = socket_rig
    rig.store.hold = asyncio.Event()
    first = asyncio.create_task(rig.say(event_id="m1"))
    second = asyncio.create_task(rig.say(event_id="m2", room=rig.wecom.room("other")))
    await until(lambda: rig.store.asked == 2, "both")
    await rig.clock.advance(90)
    assert rig.chat.healthy() == ""
    rig.store.hold.set()
    assert (await first).accepted
    assert (await second).accepted


async def test_a_delivery_under_way_when_the_bot_stops_is_stored(socket_rig: Rig) -> None:
    rig = socket_rig
    rig.store.hold = asyncio.Event()
    delivering = asyncio.create_task(rig.say())
    await until(lambda: rig.store.asked == 1, "the delivery")
    stopping = asyncio.create_task(rig.chat.stop())
    await asyncio.sleep(0.02)
    rig.store.hold.set()
    await stopping
    await delivering
    assert len(rig.store.events) == 1


async def test_only_mentions_arrive_and_direct_messages(socket_rig: Rig) -> None:
    rig = socket_rig
    assert (await rig.say("it hangs again")).status == 0
    assert (await rig.say("it hangs again", mention=True)).accepted
    assert (await rig.say("how is web?", direct=True)).accepted
    first, second = rig.store.messages
    assert (first.text, first.direct, first.addressed) == ("it hangs again", False, True)
    assert (second.room.channel, second.direct) == ("user:alice", True)
    rig.room = "user:alice"
    message = await rig.post(plan())
    await rig.click(message, "confirm")
    (click,) = [event for event in rig.store.events if isinstance(event, Click)]
    assert click.room.channel == "user:alice"


async def test_a_quotation_is_told_by_its_words_unless_two_messages_have_them(socket_rig: Rig) -> None:
    rig = socket_rig
    await rig.say()
    message = await rig.post(plan())
    await rig.say("@bot to 6", reply_to=message)
    assert list(rig.store.messages[-1].answers) == [message]
    root = rig.store.events[-1].root
    await rig.chat.post(room=rig.here, thread="t-2", card=plan(token="another"), root=root, key="k2", again=False)
    await rig.say("@bot to 7", reply_to=message)
    assert rig.store.messages[-1].answers == ()
    assert rig.store.messages[-1].text == "to 7"


async def test_answers_with_buttons_leave_nothing_in_work(socket_rig: Rig) -> None:
    """Of one person WeCom holds three messages in work at most, and does not deliver a fourth."""
    rig = socket_rig
    for number in range(4):
        assert (await rig.say()).accepted
        await rig.post(plan(f"Card {number}"), key=f"k{number}")
        await rig.clock.advance(3)
    for number in range(3):
        assert (await rig.say()).accepted
        await rig.post(progress(f"Open {number}"), key=f"open{number}")
        await rig.clock.advance(3)
    assert (await rig.say()).status == 0
    await rig.clock.advance(16)
    assert (await rig.say()).accepted


async def test_a_robot_that_is_started_twice_is_told_so(socket_rig: Rig) -> None:
    with pytest.raises(RuntimeError, match="already started"):
        await socket_rig.chat.start(Store())


async def test_no_secret_reaches_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="chatops_bot")
    async with rigged("socket") as rig:
        await rig.say("@bot my password is hunter2")
        await rig.post(plan(token="unguessable"))
        await rig.wecom.faults.drop_connection()
        await down(rig)
    told = caplog.text + repr(rig.chat._settings)
    assert not any(secret in told for secret in ("bot-secret-1", "hunter2", "unguessable"))


async def test_the_fakes_connection_refuses_what_is_not_subscribed() -> None:
    wecom = FakeWeCom(ManualClock())
    await wecom.start()
    async with aiohttp.ClientSession() as session, session.ws_connect(f"ws://{wecom.server.address}") as socket:
        await socket.send_json({"cmd": "aibot_send_msg", "headers": {"req_id": "r"}, "body": {"chatid": "c"}})
        answer = await socket.receive_json()
        assert answer["errcode"] == 846609
    await wecom.stop()
