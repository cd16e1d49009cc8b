"""Listeners get every change once and in order, or are told that they have to read anew."""

import asyncio

import pytest

from chatops_bot.adapters.console.feed import Behind, Feed, FeedClosed, Listener


@pytest.fixture
def news() -> asyncio.Event:
    return asyncio.Event()


def publish(feed: Feed[str], *changes: str) -> None:
    for change in changes:
        feed.publish(feed.next_number(), change)


def test_every_listener_gets_every_change_in_order(news: asyncio.Event) -> None:
    feed: Feed[str] = Feed()
    with feed.listen(after=0, news=news) as one, feed.listen(after=0, news=news) as two:
        assert feed.listeners == 2
        publish(feed, "a", "b")
        assert one.take() == two.take() == [(1, "a"), (2, "b")]
        assert one.take() == []
    assert feed.listeners == 0


def test_a_change_is_news(news: asyncio.Event) -> None:
    feed: Feed[str] = Feed()
    with feed.listen(after=0, news=news):
        assert not news.is_set()
        publish(feed, "a")
        assert news.is_set()


def test_who_comes_back_gets_what_was_missed(news: asyncio.Event) -> None:
    feed: Feed[str] = Feed()
    publish(feed, "a", "b", "c")
    with feed.listen(after=1, news=news) as listener:
        assert news.is_set()
        publish(feed, "d")
        assert listener.take() == [(2, "b"), (3, "c"), (4, "d")]


@pytest.mark.parametrize("after", [0, 1, 9, -1])
def test_who_cannot_be_served_without_a_gap_is_told(after: int, news: asyncio.Event) -> None:
    feed: Feed[str] = Feed(kept=2)
    publish(feed, "a", "b", "c", "d")
    with pytest.raises(Behind), feed.listen(after=after, news=news):
        pass


def test_a_slow_listener_holds_up_nobody_and_is_told(news: asyncio.Event) -> None:
    feed: Feed[str] = Feed(waiting=2)
    with feed.listen(after=0, news=news) as slow, feed.listen(after=0, news=news) as quick:
        for number, change in enumerate("abcd", 1):
            publish(feed, change)
            assert quick.take() == [(number, change)]
        with pytest.raises(Behind):
            slow.take()


def test_the_end_reaches_everybody_and_a_new_start_takes_new_ones(news: asyncio.Event) -> None:
    feed: Feed[str] = Feed()
    with feed.listen(after=0, news=news) as listener:
        feed.close()
        assert news.is_set()
        with pytest.raises(FeedClosed):
            listener.take()
        with pytest.raises(FeedClosed), feed.listen(after=0, news=news):
            pass
    feed.reopen()
    publish(feed, "a")
    with feed.listen(after=0, news=news) as fresh:
        assert fresh.take() == [(1, "a")]


def test_the_first_reason_for_an_end_is_the_one_told(news: asyncio.Event) -> None:
    listener: Listener[str] = Listener(1, news)
    listener.end(Behind())
    listener.end(FeedClosed())
    with pytest.raises(Behind):
        listener.take()
