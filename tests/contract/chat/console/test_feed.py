"""Listeners get every change once and in order, or are told that they have to read anew."""

import asyncio

import pytest

from chatops_bot.adapters.console.feed import Behind, Feed, FeedClosed, Listener


def publish(feed: Feed[str], *changes: str) -> None:
    for change in changes:
        feed.publish(feed.next_number(), change)


async def test_every_listener_gets_every_change_in_order() -> None:
    feed: Feed[str] = Feed()
    with feed.listen(after=0) as one, feed.listen(after=0) as two:
        publish(feed, "a", "b")
        for listener in (one, two):
            assert [await listener.next(), await listener.next()] == [(1, "a"), (2, "b")]
    assert feed.listeners == 0


async def test_a_listener_waits_for_the_next_change() -> None:
    feed: Feed[str] = Feed()
    with feed.listen(after=0) as listener:
        reading = asyncio.create_task(listener.next())
        await asyncio.sleep(0)
        assert not reading.done()
        publish(feed, "a")
        assert await reading == (1, "a")


async def test_who_comes_back_gets_what_was_missed() -> None:
    feed: Feed[str] = Feed()
    publish(feed, "a", "b", "c")
    with feed.listen(after=1) as listener:
        publish(feed, "d")
        assert [await listener.next() for _ in range(3)] == [(2, "b"), (3, "c"), (4, "d")]


@pytest.mark.parametrize("after", [0, 1, 9, -1])
def test_who_cannot_be_served_without_a_gap_is_told(after: int) -> None:
    feed: Feed[str] = Feed(kept=2)
    publish(feed, "a", "b", "c", "d")
    with pytest.raises(Behind), feed.listen(after=after):
        pass


async def test_a_slow_listener_holds_up_nobody_and_is_told() -> None:
    feed: Feed[str] = Feed(waiting=2)
    with feed.listen(after=0) as slow, feed.listen(after=0) as quick:
        for change in "abcd":
            publish(feed, change)
            assert (await quick.next())[1] == change
        with pytest.raises(Behind):
            await slow.next()


async def test_the_end_reaches_everybody_and_a_new_start_takes_new_ones() -> None:
    feed: Feed[str] = Feed()
    with feed.listen(after=0) as listener:
        feed.close()
        with pytest.raises(FeedClosed):
            await listener.next()
        with pytest.raises(FeedClosed), feed.listen(after=0):
            pass
    feed.reopen()
    publish(feed, "a")
    with feed.listen(after=0) as fresh:
        assert await fresh.next() == (1, "a")


async def test_the_first_reason_for_an_end_is_the_one_told() -> None:
    listener: Listener[str] = Listener(1)
    listener.end(Behind())
    listener.end(FeedClosed())
    with pytest.raises(Behind):
        await listener.next()
