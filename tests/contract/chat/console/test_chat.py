"""The console keeps the promises of the chat port, and what replay needs beyond it."""

from collections.abc import Callable

import pytest

from chatops_bot.adapters.console import ConsoleChat, numbered
from chatops_bot.domain.cards import Card
from chatops_bot.domain.events import Click, Message
from chatops_bot.domain.identity import Room, User
from chatops_bot.ports.chat import (
    CardGone,
    ChatPort,
    ChatRefused,
    ChatUnavailable,
    NotAccepted,
    Posted,
    Receipt,
)
from tests.contract.chat.console.stub import FixedClock, StubSink, card

OPS = Room("console", "local", "ops")


async def post(chat: ConsoleChat, view: Card | None = None, *, key: str = "k1", room: Room = OPS) -> str:
    posted = await chat.post(room=room, thread="T", card=view or card(), root="", key=key, again=False)
    return posted.message


async def update(chat: ConsoleChat, message: str, view: Card, *, room: Room = OPS) -> None:
    await chat.update(room=room, thread="T", card=view, message=message, root="")


def test_the_console_is_a_chat_port(chat: ConsoleChat) -> None:
    port: ChatPort = chat
    assert port.platform == "console"


async def test_what_is_said_reaches_the_engine_as_a_message(chat: ConsoleChat, sink: StubSink) -> None:
    receipt = await chat.say(event_id=None, room="ops", user="alice", text="@bot how is web?")
    assert receipt == Receipt("stored", "thread-1")
    assert sink.events == [
        Message(
            id="said:1",
            room=OPS,
            user=User("console", "local", "alice"),
            text="how is web?",
            addressed=True,
            name="alice",
        )
    ]


async def test_chatter_is_handed_on_unaddressed_and_the_command_direct(chat: ConsoleChat, sink: StubSink) -> None:
    await chat.say(event_id=None, room="ops", user="alice", text="lunch anyone?")
    await chat.say(event_id=None, room="ops", user="alice", text="/ops web")
    assert [(event.addressed, event.direct) for event in sink.events if isinstance(event, Message)] == [
        (False, False),
        (True, True),
    ]


async def test_a_message_is_in_the_room_before_the_engine_has_taken_it(chat: ConsoleChat, sink: StubSink) -> None:
    seen: list[tuple[str, str]] = []

    async def look(event: Message | Click) -> None:
        seen.extend((entry.text, entry.delivery) for entry in chat.log.entries("ops"))

    sink.then = look
    await chat.say(event_id=None, room="ops", user="alice", text="@bot hi")
    assert seen == [("@bot hi", "waiting")]
    assert chat.log.entries("ops")[0].delivery == "done"


async def test_a_message_that_is_not_taken_stays_visible_and_can_be_sent_again(
    chat: ConsoleChat, sink: StubSink
) -> None:
    sink.refuses = "the store is away"
    with pytest.raises(NotAccepted):
        await chat.say(event_id="e1", room="ops", user="alice", text="@bot hi")
    assert [(entry.text, entry.delivery) for entry in chat.log.entries("ops")] == [("@bot hi", "failed")]
    sink.refuses = ""
    await chat.say(event_id="e1", room="ops", user="alice", text="@bot hi")
    assert [(entry.text, entry.delivery) for entry in chat.log.entries("ops")] == [("@bot hi", "done")]


async def test_a_redelivery_is_handed_on_and_shown_once(chat: ConsoleChat, sink: StubSink) -> None:
    await chat.say(event_id="e1", room="ops", user="alice", text="@bot hi")
    before = chat.feed.sequence
    again = await chat.say(event_id="e1", room="ops", user="alice", text="@bot hi")
    assert again.taken == "duplicate"
    assert sink.events[0] == sink.events[1]
    assert len(chat.log.entries("ops")) == 1
    assert chat.feed.sequence == before


async def test_nothing_is_taken_before_the_start_and_after_the_stop(clock: FixedClock, sink: StubSink) -> None:
    chat = ConsoleChat(clock=clock, ids=numbered())
    assert chat.healthy()
    with pytest.raises(NotAccepted):
        await chat.click(event_id=None, room="ops", user="alice", card="x", button="confirm")
    await chat.start(sink)
    assert chat.healthy() == ""
    await chat.say(event_id=None, room="ops", user="alice", text="hi")
    await chat.stop()
    with pytest.raises(NotAccepted):
        await chat.say(event_id=None, room="ops", user="alice", text="hi")
    assert len(sink.events) == 1


async def test_the_room_outlives_a_restart_of_the_bot(chat: ConsoleChat, sink: StubSink) -> None:
    message = await post(chat)
    await chat.stop()
    await chat.start(sink)
    await update(chat, message, card("web is down"))
    assert [shown.card.title for shown in chat.cards()] == ["web is down"]


async def test_a_reply_names_what_it_answers_and_what_that_answered(chat: ConsoleChat, sink: StubSink) -> None:
    message = await post(chat)
    await chat.say(event_id="e1", room="ops", user="bob", text="is it?", reply_to=message)
    await chat.say(event_id="e2", room="ops", user="alice", text="it is", reply_to="e1")
    assert [event.answers for event in sink.events if isinstance(event, Message)] == [(message,), ("e1", message)]


async def test_two_clicks_are_two_events_unless_they_are_one(chat: ConsoleChat, sink: StubSink) -> None:
    message = await post(chat)
    for event_id in (None, None, "c1", "c1"):
        await chat.click(event_id=event_id, room="ops", user="bob", card=message, button="refresh")
    assert len({event.id for event in sink.events}) == 3


async def test_a_click_on_a_card_that_the_room_forgot_is_handed_on(chat: ConsoleChat, sink: StubSink) -> None:
    await chat.click(event_id=None, room="ops", user="bob", card="gone", button="confirm", token="t")
    event = sink.events[0]
    assert isinstance(event, Click)
    assert (event.card, event.thread, event.token) == ("gone", "", "t")


async def test_a_card_is_updated_in_place(chat: ConsoleChat, clock: FixedClock) -> None:
    first, second = await post(chat, key="k1"), await post(chat, card("order is fine"), key="k2")
    posted = chat.card(first)
    clock.at += 5
    await update(chat, first, card("web is down", button="undo"))
    shown = chat.card(first)
    assert posted
    assert shown
    assert [one.message for one in chat.cards("ops")] == [first, second]
    assert (shown.card.title, shown.thread, shown.version) == ("web is down", "T", 2)
    assert shown.posted == posted.posted
    assert shown.updated == chat.feed.sequence > posted.updated
    assert chat.log.entries("ops")[0].updated_at - chat.log.entries("ops")[0].at == 5000


async def test_the_same_card_is_posted_once_however_often_it_is_tried(chat: ConsoleChat) -> None:
    chat.faults.answer_lost = True
    with pytest.raises(ChatUnavailable) as caught:
        await post(chat)
    assert caught.value.maybe_posted
    chat.faults.answer_lost = False
    again = await chat.post(room=OPS, thread="T", card=card("newer"), root="", key="k1", again=True)
    assert [(shown.message, shown.card.title) for shown in chat.cards()] == [(again.message, "newer")]


async def test_rooms_do_not_mix(chat: ConsoleChat) -> None:
    dev = Room("console", "local", "dev")
    message = await post(chat)
    assert await post(chat, room=dev, key="k1") != message
    assert [len(chat.cards(name)) for name in ("ops", "dev", "other")] == [1, 1, 0]
    with pytest.raises(CardGone):
        await update(chat, message, card("elsewhere"), room=dev)


async def test_a_message_that_is_no_card_cannot_be_updated(chat: ConsoleChat) -> None:
    await chat.say(event_id="e1", room="ops", user="alice", text="hi")
    for message in ("e1", "never"):
        with pytest.raises(CardGone):
            await update(chat, message, card())
    assert chat.card("e1") is None


@pytest.mark.parametrize("fault", [ChatUnavailable("busy", retry_after_s=2), ChatRefused("archived")])
async def test_a_platform_that_fails_shows_nothing(chat: ConsoleChat, fault: ChatUnavailable | ChatRefused) -> None:
    message = await post(chat)
    chat.faults.post = chat.faults.update = fault
    with pytest.raises(type(fault)):
        await post(chat, key="k2")
    with pytest.raises(type(fault)):
        await update(chat, message, card("web is down"))
    assert [shown.card.title for shown in chat.cards()] == ["web is healthy"]


async def test_a_card_that_is_gone_is_told(chat: ConsoleChat) -> None:
    message = await post(chat)
    chat.faults.update = CardGone(message)
    with pytest.raises(CardGone):
        await update(chat, message, card("web is down"))


async def test_a_notice_is_a_plain_line(chat: ConsoleChat) -> None:
    await chat.notice(room=OPS, text="the store is away", root="", to="alice")
    entry = chat.log.entries("ops")[0]
    assert (entry.kind, entry.text, entry.to) == ("notice", "the store is away", "alice")


async def test_a_long_room_forgets_its_oldest_entries(clock: FixedClock, sink: StubSink) -> None:
    chat = ConsoleChat(clock=clock, ids=numbered(), kept=3)
    await chat.start(sink)
    first = await post(chat)
    for number in range(3):
        await chat.say(event_id=f"e{number}", room="ops", user="alice", text="hi")
    assert [entry.id for entry in chat.log.entries("ops")] == ["e0", "e1", "e2"]
    with pytest.raises(CardGone):
        await update(chat, first, card())
    assert await post(chat) != first


@pytest.mark.parametrize("make", [lambda: numbered(), lambda: numbered("a")])
async def test_the_same_conversation_gives_the_same_ids(make: Callable[[], Callable[[], str]]) -> None:
    async def conversation() -> list[str]:
        chat = ConsoleChat(clock=FixedClock(), ids=make())
        await chat.start(StubSink())
        await chat.say(event_id=None, room="ops", user="alice", text="@bot web")
        await post(chat)
        return [entry.id for entry in chat.log.entries()]

    ids = await conversation()
    assert ids == await conversation()
    assert len(set(ids)) == 2


async def test_a_root_is_shown_as_what_the_card_answers(chat: ConsoleChat) -> None:
    await chat.say(event_id="e1", room="ops", user="alice", text="hi")
    posted = await chat.post(room=OPS, thread="T", card=card(), root="e1", key="k", again=False)
    assert isinstance(posted, Posted)
    assert chat.log.chain(posted.message) == (posted.message, "e1")
