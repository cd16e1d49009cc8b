"""The live stream over a real connection: every tab sees every change once, also after a break."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import httpx
import pytest
from starlette.types import Message

from chatops_bot.adapters.console import ConsoleChat, numbered
from chatops_bot.adapters.console.feed import Behind
from chatops_bot.adapters.console.stream import Stream
from chatops_bot.adapters.console.web import web_console
from tests.contract.chat.console.stub import FixedClock, StubPane, StubSink, served


class Event(NamedTuple):
    name: str
    id: str
    data: Any


class Reader:
    """One browser's end of the stream."""

    def __init__(self, response: httpx.Response) -> None:
        self.status = response.status_code
        self._lines = response.aiter_lines()

    async def next(self) -> Event:
        """The next event; comments are events named ":". Raises `StopAsyncIteration` at the end."""
        fields: dict[str, str] = {}
        while True:
            line = await asyncio.wait_for(anext(self._lines), 10)
            if line.startswith(":"):
                return Event(":", "", line[1:].strip())
            if line:
                name, _, value = line.partition(": ")
                fields[name] = value
            elif "event" in fields:
                return Event(fields["event"], fields.get("id", ""), json.loads(fields["data"]))

    async def texts(self, count: int) -> list[str]:
        return [(await self.next()).data["entry"]["text"] for _ in range(count)]


@pytest.fixture
def pane() -> StubPane:
    return StubPane()


@pytest.fixture
async def address(chat: ConsoleChat) -> AsyncIterator[str]:
    async with served(web_console(chat, rooms=("ops", "dev"))) as address:
        yield address
        chat.feed.close()


@asynccontextmanager
async def listening(address: str, after: str = "", last: str = "") -> AsyncIterator[Reader]:
    headers = {"last-event-id": last} if last else {}
    async with (
        httpx.AsyncClient(base_url=address, trust_env=False) as client,
        client.stream("GET", "/api/stream", params={"after": after}, headers=headers) as response,
    ):
        yield Reader(response)


async def say(chat: ConsoleChat, *texts: str, room: str = "ops") -> None:
    """Say it; every message is one change when it appears and one when the bot has taken it."""
    for text in texts:
        await chat.say(event_id=None, room=room, user="alice", text=text)


def place(chat: ConsoleChat, number: int | None = None) -> str:
    return f"{chat.epoch}-{chat.feed.sequence if number is None else number}"


async def until(chat: ConsoleChat, listeners: int) -> None:
    """Wait for connections to be noticed."""
    async with asyncio.timeout(10):
        while chat.feed.listeners != listeners:  # noqa: ASYNC110 - the server has no event for it
            await asyncio.sleep(0)


async def test_several_tabs_see_every_change_of_all_rooms_in_order(chat: ConsoleChat, address: str) -> None:
    async with listening(address, place(chat)) as one, listening(address, place(chat)) as two:
        await until(chat, 2)
        await say(chat, "first")
        await say(chat, "second", room="dev")
        for reader in (one, two):
            events = [await reader.next() for _ in range(4)]
            assert [event.name for event in events] == ["entry"] * 4
            assert [event.id for event in events] == [place(chat, number) for number in (1, 2, 3, 4)]
            assert [event.data["sequence"] for event in events] == [1, 2, 3, 4]
            assert [event.data["entry"]["text"] for event in events] == ["first", "first", "second", "second"]
            assert events[2].data["entry"]["room"] == "dev"


@pytest.mark.parametrize("by", ["header", "query"])
async def test_who_comes_back_gets_what_was_missed(chat: ConsoleChat, address: str, by: str) -> None:
    async with listening(address, place(chat)) as reader:
        await say(chat, "seen")
        await reader.next()
        last = (await reader.next()).id
    await until(chat, 0)
    await say(chat, "missed")
    # A browser repeats the address with which it began; what it saw last counts more.
    names = {"after": place(chat, 0), "last": last} if by == "header" else {"after": last}
    async with listening(address, **names) as reader:
        assert await reader.texts(2) == ["missed", "missed"]


@pytest.mark.parametrize("after", ["", "other-3", "{epoch}-99", "{epoch}-", "{epoch}--1", "{epoch}-²", "-1"])
async def test_a_place_that_is_not_known_has_the_page_read_anew(chat: ConsoleChat, address: str, after: str) -> None:
    await say(chat, "before")
    async with listening(address, after.format(epoch=chat.epoch)) as reader:
        assert (await reader.next())[:2] == ("reset", "")
        with pytest.raises(StopAsyncIteration):
            await reader.next()


async def test_a_break_that_was_too_long_has_the_page_read_anew(clock: FixedClock, sink: StubSink) -> None:
    chat = ConsoleChat(clock=clock, ids=numbered())
    await chat.start(sink)
    await say(chat, *["x"] * 501)
    async with served(web_console(chat)) as address, listening(address, place(chat, 1)) as reader:
        assert (await reader.next()).name == "reset"


async def test_a_tab_that_does_not_read_is_dropped_and_holds_up_nobody(chat: ConsoleChat, address: str) -> None:
    with chat.feed.listen(after=0, news=asyncio.Event()) as slow:
        async with listening(address, place(chat)) as quick:
            await until(chat, 2)
            for number in range(150):
                await say(chat, str(number))
                assert await quick.texts(2) == [str(number)] * 2
        with pytest.raises(Behind):
            slow.take()


async def test_a_tab_that_is_closed_is_forgotten(chat: ConsoleChat, address: str) -> None:
    async with listening(address, place(chat)):
        await until(chat, 1)
    await until(chat, 0)


async def test_the_stop_of_the_bot_ends_the_streams_and_refuses_new_ones(chat: ConsoleChat, address: str) -> None:
    async with listening(address, place(chat)) as reader:
        await until(chat, 1)
        await chat.stop()
        with pytest.raises(StopAsyncIteration):
            await reader.next()
    async with listening(address, place(chat)) as refused:
        assert refused.status == 503


async def test_an_ended_stream_leaves_no_task_behind(chat: ConsoleChat, pane: StubPane) -> None:
    sent: list[Message] = []

    async def receive() -> Message:
        await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    before = asyncio.all_tasks()
    scope = {"type": "http", "headers": [], "query_string": f"after={place(chat)}".encode()}
    asyncio.get_running_loop().call_later(0.01, chat.feed.close)
    await Stream(feed=chat.feed, epoch=chat.epoch, pane=pane)(scope, receive, send)
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == before
    assert sent[-1] == {"type": "http.response.body", "body": b""}


async def test_silence_is_broken_by_comments(chat: ConsoleChat) -> None:
    async with served(web_console(chat, heartbeat_s=0.01)) as address, listening(address, place(chat)) as reader:
        assert (await reader.next()).name == ":"
        await say(chat, "still here")
        while (event := await reader.next()).name == ":":
            pass
        assert event.data["entry"]["text"] == "still here"
        chat.feed.close()


async def test_the_pane_is_sent_at_once_and_after_changes(chat: ConsoleChat, pane: StubPane) -> None:
    async with (
        served(web_console(chat, pane=pane)) as address,
        listening(address, place(chat)) as one,
        listening(address, place(chat)) as two,
    ):
        for reader in (one, two):
            event = await reader.next()
            # Without an id: the browser keeps that of the last change of a room.
            assert (event.name, event.id) == ("cluster", "")
        pane.stage("orders", "order-db", "CrashLoopBackOff")
        for reader in (one, two):
            assert (await reader.next()).data["workloads"][1]["pods"][0]["state"] == "CrashLoopBackOff"
        await say(chat, "and the room goes on")
        assert await one.texts(1) == ["and the room goes on"]
        assert len(pane.readers) == 2
        chat.feed.close()
    assert pane.readers == []


async def test_a_burst_of_changes_of_the_pane_is_one_snapshot(chat: ConsoleChat, pane: StubPane) -> None:
    async with served(web_console(chat, pane=pane)) as address, listening(address, place(chat)) as reader:
        await reader.next()
        for trouble in ("OOMKilled", "Pending", "Running"):
            pane.stage("orders", "order-db", trouble)
        snapshot = (await reader.next()).data
        assert snapshot["workloads"][1]["pods"][0] == {
            "name": "order-db-0",
            "state": "Running",
            "ready": True,
            "restarts": 3,
        }
        await say(chat, "next")
        assert (await reader.next()).name == "entry"
        chat.feed.close()
