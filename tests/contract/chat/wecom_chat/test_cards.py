"""Cards on their way out: how each way of reaching WeCom posts them, changes them in place, or replaces them."""

from __future__ import annotations

import asyncio
import functools

import pytest

from chatops_bot.domain.cards import Button, Card, Code, Table, Text
from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable
from chatops_bot.ports.wire import Fault
from tests.contract.chat.wecom_chat.conftest import Rig, done, plan, progress, rigged
from tests.fakes.clock import settle, until

LONG = Card(
    title="payment-svc · status",
    language="en",
    blocks=(
        Text("2 of 3 pods are ready", strong=True),
        Table((("pod", "state"), *((f"payment-svc-{n}", "Running") for n in range(40)))),
        Code("\n".join(f"line {n} of a log" for n in range(3000))),
    ),
    buttons=(Button("refresh", "Refresh", value="status"), Button("logs", "Logs")),
)


async def test_what_a_card_does_not_hold_is_said_in_full_beside_it(rig: Rig) -> None:
    await rig.say()
    message = await rig.post(LONG)
    (shown,) = rig.wecom.shown(rig.room)
    assert shown.message == message
    assert "payment-svc-39" in shown.text or rig.mode == "app"
    assert "payment-svc-0" in shown.text
    assert "more lines" in shown.text or rig.mode == "app"
    assert [button.id for button in shown.buttons] == ["refresh", "logs"]
    assert rig.wecom.corp.dropped == 0


async def test_a_card_that_nothing_asked_for_is_posted_by_itself(socket_rig: Rig, app_rig: Rig) -> None:
    for rig in (socket_rig, app_rig):
        message = await rig.post(plan(), root="")
        assert [shown.message for shown in rig.wecom.shown(rig.room)] == [message]


async def test_over_callbacks_the_robot_says_why_it_cannot_speak_by_itself(http_rig: Rig) -> None:
    with pytest.raises(ChatRefused, match="bot_mode: socket"):
        await http_rig.post(plan(), root="")


async def test_over_callbacks_a_message_is_answered_twice(http_rig: Rig) -> None:
    rig = http_rig
    await rig.say()
    await rig.post(plan("One"))
    await rig.post(plan("Two"), key="k2")
    assert [shown.text.split("\n")[0].split()[-1] for shown in rig.wecom.shown(rig.room)] == ["One", "Two"]
    assert rig.wecom.faults.calls("response_url") == 1
    with pytest.raises(ChatRefused):
        await rig.post(plan("Three"), key="k3")


async def test_over_callbacks_an_answer_that_wecom_does_not_ask_for_goes_to_its_address(http_rig: Rig) -> None:
    rig = http_rig
    await rig.say()
    for task in list(rig.wecom.postman._polls):
        task.cancel()
    posting = asyncio.create_task(rig.post(plan()))
    await settle()
    await rig.clock.advance(6)
    message = await posting
    assert rig.wecom.shown(rig.room)[-1].message == message
    assert rig.wecom.faults.calls("response_url") == 1


async def test_an_answer_without_buttons_is_changed_in_place(socket_rig: Rig, http_rig: Rig) -> None:
    for rig in (socket_rig, http_rig):
        await rig.say()
        message = await rig.post(progress())
        assert rig.wecom.corp.bubbles[0].open
        await rig.clock.advance(2)
        await rig.update(message, plan("Found it"))
        (shown,) = rig.wecom.shown(rig.room)
        assert "Found it" in shown.text
        assert [button.id for button in shown.buttons] == ["confirm", "cancel"]
        assert not rig.wecom.corp.bubbles[0].open


def changed(rig: Rig) -> bool:
    return rig.wecom.shown(rig.room)[0].updates == 1


def closed(rig: Rig) -> bool:
    return not rig.wecom.corp.bubbles[-1].open


async def test_an_open_answer_is_closed_when_nothing_changes_any_more(socket_rig: Rig, http_rig: Rig) -> None:
    """A person may have three of them; the fourth message would not arrive."""
    for rig in (socket_rig, http_rig):
        for number in range(5):
            assert (await rig.say()).accepted
            await rig.post(progress(f"Line {number}"), key=f"k{number}")
            await rig.clock.advance(15)
            await until(functools.partial(closed, rig), "the end of the answer")


async def test_a_stream_ends_within_its_six_minutes(socket_rig: Rig) -> None:
    rig = socket_rig
    await rig.say()
    message = await rig.post(progress())
    for number in range(30):
        await rig.clock.advance(12)
        try:
            await rig.update(message, progress(f"Step {number}"))
        except (CardGone, ChatUnavailable):
            break
    else:
        pytest.fail("the stream was never given up")
    assert number >= 26
    assert not rig.wecom.corp.bubbles[0].open


async def test_over_callbacks_a_stream_without_an_answer_ends_in_time(http_rig: Rig) -> None:
    rig = http_rig
    await rig.say()
    assert rig.wecom.corp.bubbles[0].open
    await rig.clock.advance(331)
    await until(lambda: not rig.wecom.corp.bubbles[0].open, "the end of the answer")
    assert "message of its own" in rig.wecom.notices(rig.room)[0]
    message = await rig.post(plan())
    assert rig.wecom.shown(rig.room)[-1].message == message


async def test_a_message_too_old_to_be_answered_is_answered_by_a_new_one(socket_rig: Rig) -> None:
    rig = socket_rig
    await rig.say()
    await rig.clock.advance(3600)
    await rig.post(plan())
    assert rig.wecom.faults.calls("aibot_respond_msg") == 0
    assert len(rig.wecom.shown(rig.room)) == 1


async def test_a_delivery_that_wecom_does_not_know_any_more_is_answered_by_a_new_message(socket_rig: Rig) -> None:
    rig = socket_rig
    for code in ("846605", "846608"):
        await rig.say()
        rig.wecom.faults.fail("aibot_respond_msg", Fault(code=code))
        await rig.post(plan(code), key=code)
    assert len(rig.wecom.shown(rig.room)) == 2


async def test_a_press_is_answered_within_its_five_seconds_or_by_a_new_message(socket_rig: Rig) -> None:
    rig = socket_rig
    await rig.say()
    message = await rig.post(plan())
    await rig.clock.advance(60)
    await rig.click(message, "confirm")
    await rig.update(message, plan("Changed"))
    (shown,) = rig.wecom.shown(rig.room)
    assert (shown.updates, "Changed" in shown.text) == (1, True)
    await rig.clock.advance(1)
    with pytest.raises(CardGone):
        await rig.update(message, plan("Changed again"))
    assert rig.wecom.faults.calls("aibot_respond_update_msg") == 1
    await rig.clock.advance(10)
    with pytest.raises(CardGone):
        await rig.update(message, done())
    await rig.post(done(), root="", key="k|2")
    replacing = rig.wecom.shown(rig.room)[-1]
    assert "replaces the card above" in replacing.text

    late = await rig.post(plan("Late"), root="", key="k3")
    await rig.click(late, "confirm")
    await rig.clock.advance(5)
    with pytest.raises((CardGone, ChatUnavailable)):
        await rig.update(late, done("Too late"))
    assert rig.wecom.faults.calls("aibot_respond_update_msg") == 1


async def test_what_is_under_way_waits_for_what_comes_of_it(socket_rig: Rig, app_rig: Rig) -> None:
    """A card can be changed only once there: not for a view that says that something is being done."""
    for rig in (socket_rig, app_rig):
        message = await rig.post(plan(), root="")
        await rig.click(message, "confirm")
        await rig.update(message, progress("Checking"))
        await rig.update(message, progress("Scaling"))
        await rig.clock.advance(1)
        assert rig.wecom.shown(rig.room)[0].updates == 0
        await rig.update(message, done())
        (shown,) = rig.wecom.shown(rig.room)
        assert (shown.updates, shown.buttons) == (1, ())
        assert "payment-svc is scaled" in shown.text
        await rig.clock.advance(10)
        assert rig.wecom.shown(rig.room)[0].updates == 1


async def test_what_is_under_way_for_long_is_shown(socket_rig: Rig, app_rig: Rig) -> None:
    for rig in (socket_rig, app_rig):
        message = await rig.post(plan(), root="")
        await rig.click(message, "confirm")
        await rig.update(message, progress("Checking"))
        await rig.update(message, progress("Scaling"))
        await rig.clock.advance(3)
        await until(functools.partial(changed, rig), "the change")
        (shown,) = rig.wecom.shown(rig.room)
        assert "Scaling" in shown.text
        assert shown.buttons == ()


async def test_over_callbacks_what_is_under_way_for_long_is_shown(http_rig: Rig) -> None:
    rig = http_rig
    await rig.say()
    message = await rig.post(plan())
    rig.store.on_click = lambda: rig.update(message, progress("Scaling"))
    pressing = asyncio.create_task(rig.click(message, "confirm"))
    await until(lambda: bool(rig.store.clicks), "the press")
    await settle()
    assert not pressing.done()
    await rig.clock.advance(0.08)
    assert (await pressing).accepted
    assert "Scaling" in rig.wecom.shown(rig.room)[0].text


async def test_over_callbacks_no_answer_is_spent_on_what_is_under_way(http_rig: Rig) -> None:
    rig = http_rig
    await rig.say()
    message = await rig.post(plan())
    await rig.update(message, progress("Scaling"))
    assert rig.wecom.faults.calls("response_url") == 0
    await rig.clock.advance(1)
    with pytest.raises(CardGone):
        await rig.update(message, plan("Another"))


async def test_over_callbacks_a_press_waits_as_long_as_wecom_where_nothing_else_can_be_answered(http_rig: Rig) -> None:
    rig = http_rig
    await rig.say()
    message = await rig.post(plan())
    await rig.post(plan("Two"), key="k2")
    pressing = asyncio.create_task(rig.click(message, "confirm"))
    await until(lambda: bool(rig.store.clicks), "the press")
    await rig.clock.advance(3)
    assert not pressing.done()
    await rig.update(message, done())
    assert (await pressing).accepted
    assert "payment-svc is scaled" in rig.wecom.shown(rig.room)[0].text
    pressing = asyncio.create_task(rig.click(message, "cancel"))
    await until(lambda: len(rig.store.clicks) == 2, "the press")
    await rig.clock.advance(4)
    assert (await pressing).body == ""


async def test_a_change_that_wecom_refuses_is_shown_by_a_new_message(socket_rig: Rig) -> None:
    rig = socket_rig
    await rig.say()
    message = await rig.post(plan())
    await rig.click(message, "confirm")
    rig.wecom.faults.fail("aibot_respond_update_msg", Fault(code="846605"))
    with pytest.raises(CardGone):
        await rig.update(message, done())


async def test_an_application_changes_a_card_once_and_once_more_after_each_press(app_rig: Rig) -> None:
    rig = app_rig
    message = await rig.post(plan(), root="")
    await rig.clock.advance(6)
    await rig.update(message, plan("Second view"))
    await rig.clock.advance(6)
    with pytest.raises(CardGone):
        await rig.update(message, plan("Third view"))
    await rig.clock.advance(6)
    await rig.click(message, "confirm")
    await rig.update(message, done())
    (shown,) = rig.wecom.shown(rig.room)
    assert (shown.updates, shown.buttons) == (2, ())
    assert "payment-svc is scaled" in shown.text
    assert rig.wecom.faults.calls("message/update_template_card") == 2


async def test_a_code_is_good_for_three_days(app_rig: Rig) -> None:
    rig = app_rig
    message = await rig.post(plan(), root="")
    await rig.clock.advance(71 * 3600)
    await rig.update(message, plan("Still"))
    late = await rig.post(plan("Late"), root="", key="k2")
    await rig.clock.advance(72 * 3600)
    with pytest.raises(CardGone):
        await rig.update(late, plan("Too late"))


async def test_views_that_need_new_messages_come_one_in_five_seconds(app_rig: Rig, socket_rig: Rig) -> None:
    for rig in (app_rig, socket_rig):
        message = await rig.post(progress(), root="")
        with pytest.raises(ChatUnavailable) as told:
            await rig.update(message, progress("One"))
        assert 0 < told.value.retry_after_s <= 5
        await rig.clock.advance(5.1)
        with pytest.raises(CardGone):
            await rig.update(message, progress("Two"))
        fresh = await rig.post(progress("Three"), root="", key="k2")
        assert "void" not in rig.wecom.shown(rig.room)[-1].text
        with pytest.raises(CardGone):
            await rig.update(fresh, plan())


async def test_whoever_speaks_is_answered_at_once(socket_rig: Rig) -> None:
    rig = socket_rig
    message = await rig.post(progress(), root="")
    await rig.clock.advance(0.5)
    await rig.say("@bot 5")
    with pytest.raises(CardGone):
        await rig.update(message, plan())


async def test_another_view_of_the_same_card_is_posted_anew(socket_rig: Rig) -> None:
    await socket_rig.post(plan(token="one"), root="")
    await socket_rig.post(plan(token="two"), root="", again=True)
    assert [shown.buttons[0].token for shown in socket_rig.wecom.shown(socket_rig.room)] == ["one", "two"]


RATES = {"socket": "aibot_send_msg", "app": "message/send"}


@pytest.mark.parametrize("mode", RATES)
@pytest.mark.parametrize(("code", "wait"), [("45009", 60), ("45033", 2), ("-1", 1)])
async def test_a_limit_that_wecom_answers_is_waited_for(mode: str, code: str, wait: float) -> None:
    async with rigged(mode) as rig:  # type: ignore[arg-type]
        rig.wecom.faults.fail(RATES[mode], Fault(code=code))
        with pytest.raises(ChatUnavailable) as told:
            await rig.post(plan(), root="")
        assert told.value.retry_after_s == wait
        assert not told.value.maybe_posted
        await rig.clock.advance(wait)
        await rig.post(plan(), root="")
        assert len(rig.wecom.shown(rig.room)) == 1


async def test_a_method_that_is_limited_is_left_alone_until_its_time(app_rig: Rig) -> None:
    app_rig.wecom.faults.fail("message/send", Fault(code="45009"))
    for _ in range(3):
        with pytest.raises(ChatUnavailable):
            await app_rig.post(plan(), root="")
    assert app_rig.wecom.faults.calls("message/send") == 1


async def test_the_limits_of_a_room_are_kept_without_being_told(socket_rig: Rig, app_rig: Rig) -> None:
    """An application's messages beyond 30 a minute to one person would be dropped without a word."""
    for rig in (socket_rig, app_rig):
        posted = 0

        async def many(rig: Rig = rig) -> int:
            done = 0
            for number in range(60):
                try:
                    await rig.post(plan(f"Card {number}"), root="", key=f"k{number}")
                except ChatUnavailable:
                    continue
                done += 1
            return done

        posting = asyncio.create_task(many())
        while not posting.done():
            await rig.clock.advance(0.25)
        posted = await posting
        assert posted == len(rig.wecom.shown(rig.room))
        assert rig.wecom.corp.dropped == 0
        assert rig.clock.monotonic() / 2 + 8 >= posted


REFUSED = {
    "socket": ("aibot_send_msg", "846606"),
    "app": ("message/send", "81013"),
}


@pytest.mark.parametrize("mode", REFUSED)
async def test_what_wecom_will_never_take_is_refused_with_the_reason(mode: str) -> None:
    method, code = REFUSED[mode]
    async with rigged(mode) as rig:  # type: ignore[arg-type]
        rig.wecom.faults.fail(method, Fault(code=code))
        with pytest.raises(ChatRefused, match=code):
            await rig.post(plan(), root="")


async def test_a_person_who_left_is_refused(app_rig: Rig) -> None:
    app_rig.wecom.corp.people.clear()
    with pytest.raises(ChatRefused, match=r"81013.*可见范围"):
        await app_rig.post(plan(), root="")


async def test_a_room_that_the_robot_is_not_in_is_refused(socket_rig: Rig) -> None:
    socket_rig.wecom.corp.known_rooms.clear()
    with pytest.raises(ChatRefused, match="846606"):
        await socket_rig.post(plan(), root="")


@pytest.mark.parametrize("kind", ["reset_before", "reset_after"])
@pytest.mark.parametrize("status", [500, 502])
async def test_an_answer_that_is_not_of_wecom_is_unavailable(app_rig: Rig, kind: str, status: int) -> None:
    app_rig.wecom.faults.fail("message/send", Fault(kind=kind))  # type: ignore[arg-type]
    with pytest.raises(ChatUnavailable) as told:
        await app_rig.post(plan(), root="")
    assert told.value.maybe_posted
    app_rig.wecom.faults.fail("message/send", Fault(status=status))
    with pytest.raises(ChatUnavailable) as told:
        await app_rig.post(plan(), root="")
    assert "token-" not in str(told.value)


async def test_a_call_that_is_never_answered_ends() -> None:
    async with rigged("app", timeout_s=0.2) as rig:
        rig.wecom.faults.fail("message/send", Fault(kind="hang"))
        with pytest.raises(ChatUnavailable) as told:
            await rig.post(plan(), root="")
        assert told.value.maybe_posted


@pytest.mark.parametrize("code", ["40001", "40014", "42001"])
async def test_a_token_that_is_no_good_is_renewed_once(app_rig: Rig, code: str) -> None:
    rig = app_rig
    rig.wecom.faults.fail("message/send", Fault(code=code))
    await rig.post(plan(), root="")
    assert rig.wecom.faults.calls("gettoken") == 2
    rig.wecom.faults.fail("message/send", Fault(code=code, times=2))
    with pytest.raises(ChatRefused, match=code):
        await rig.post(plan("Another"), root="", key="k2")
    assert rig.wecom.faults.calls("gettoken") == 3


async def test_a_token_is_fetched_once_for_many_and_renewed_before_it_expires(app_rig: Rig) -> None:
    rig = app_rig
    await asyncio.gather(*(rig.post(plan(f"Card {n}"), root="", key=f"k{n}") for n in range(4)))
    assert rig.wecom.faults.calls("gettoken") == 1
    await rig.clock.advance(7000)
    await rig.post(plan("Later"), root="", key="later")
    assert rig.wecom.faults.calls("gettoken") == 2
    rig.wecom.server.expire_tokens()
    await rig.post(plan("Much later"), root="", key="much later")
    assert rig.wecom.faults.calls("gettoken") == 3


async def test_more_than_six_choices_can_be_typed(rig: Rig) -> None:
    await rig.say()
    choices = tuple(Button(f"service:svc-{n}", f"svc-{n}") for n in range(9))
    await rig.post(Card(title="Which one?", language="zh", buttons=(*choices, Button("cancel", "取消"))))
    (shown,) = rig.wecom.shown(rig.room)
    assert [button.id for button in shown.buttons] == [*(f"service:svc-{n}" for n in range(5)), "cancel"]
    assert "请直接输入：svc-5 / svc-6 / svc-7 / svc-8" in shown.text


async def test_text_of_others_rings_nobody_and_marks_up_nothing(rig: Rig) -> None:
    await rig.say()
    hostile = "<@all> @all @所有人 <@alice> [x](http://evil) **bold** ```\n# head\n> quote <font color=red>"
    await rig.post(
        Card(title=hostile, language="en", blocks=(Text(hostile), Code(hostile)), buttons=(Button("a", "A"),))
    )
    (bubble,) = rig.wecom.corp.bubbles
    said = bubble.text + str(bubble.card)
    assert "<@" not in said
    assert "@all" not in said
    assert "@所有人" not in said
    assert "](" not in bubble.text.partition("```")[0]  # within a fence it is no link
    assert "<font" not in bubble.text
    assert bubble.text.count("```") == 2


async def test_only_who_is_mentioned_is_rung(socket_rig: Rig) -> None:
    await socket_rig.say()
    await socket_rig.post(plan(mention=("alice", "<@all>", "all\u200b")))
    assert socket_rig.wecom.corp.bubbles[0].text.count("<@") == 1
    assert "<@alice>" in socket_rig.wecom.corp.bubbles[0].text


async def test_a_notice_that_cannot_be_shown_is_logged(rig: Rig, caplog: pytest.LogCaptureFixture) -> None:
    if rig.mode == "app":
        rig.wecom.corp.people.clear()
    else:
        rig.wecom.corp.known_rooms.clear()
    await rig.chat.notice(room=rig.here, text="hello", root="", to="")
    assert "could not be shown" in caplog.text


async def test_a_room_of_what_is_not_switched_on_is_refused(app_rig: Rig, socket_rig: Rig) -> None:
    with pytest.raises(ChatRefused, match="bot_mode"):
        await app_rig.chat.post(room=socket_rig.here, thread="t", card=plan(), root="", key="k", again=False)
    with pytest.raises(ChatRefused, match="agent_id"):
        await socket_rig.chat.post(room=app_rig.here, thread="t", card=plan(), root="", key="k", again=False)
