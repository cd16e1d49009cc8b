"""What is noted of watched services, and when that is told: on no clock but the test's."""

from __future__ import annotations

import pytest

from chatops_bot.domain.care import Book, News, Terms, decode, encode, looked

TERMS = Terms(stays_ms=300_000, gone_ms=300_000, per_hour=2)
CRASH = frozenset({"crash_loop"})
NONE: frozenset[str] = frozenset()


class Watching:
    """One book over time."""

    def __init__(self) -> None:
        self.book = Book()
        self.now = 1_000_000

    def look(
        self, key: str = "web", codes: frozenset[str] = CRASH, *, after: int = 60, alerted: bool = False
    ) -> News | None:
        self.now += after * 1000
        before = decode(encode(self.book))
        self.book, news = looked(before, key, codes, now=self.now, terms=TERMS, alerted=alerted)
        return news

    def opened(self, key: str, *, alerted: bool = False) -> News | None:
        """What is told once it has stayed."""
        self.look(key, after=0)
        return self.look(key, after=300, alerted=alerted)


def test_what_stays_is_told_once() -> None:
    watching = Watching()
    assert [watching.look() for _ in range(5)] == [None] * 5
    news = watching.look()
    assert news is not None
    assert (news.opens, list(news.firing), news.over) == (True, ["crash_loop"], {})
    assert news.firing["crash_loop"].since == 1_060_000
    assert [watching.look() for _ in range(20)] == [None] * 20


def test_what_goes_in_between_begins_anew() -> None:
    watching = Watching()
    for codes in (CRASH, CRASH, CRASH, CRASH, NONE, CRASH, CRASH, CRASH, CRASH):
        assert watching.look(codes=codes) is None
    watching.look(codes=NONE)
    assert watching.book.services == {}


def test_it_is_over_only_when_it_has_been_gone_for_a_while() -> None:
    watching = Watching()
    watching.opened("web")
    assert [watching.look(codes=codes) for codes in (NONE, NONE, CRASH, NONE, NONE, NONE, NONE)] == [None] * 7
    news = watching.look(codes=NONE)
    assert news is not None
    assert (news.firing, list(news.over), news.opens) == ({}, ["crash_loop"], False)
    assert watching.book.services == {}


def test_a_further_finding_joins_the_card() -> None:
    watching = Watching()
    watching.opened("web")
    both = CRASH | {"image_pull"}
    told = [watching.look(codes=both) for _ in range(6)]
    assert told[:5] == [None] * 5
    assert told[5] is not None
    assert (told[5].opens, sorted(told[5].firing)) == (False, ["crash_loop", "image_pull"])
    assert len(watching.book.opened) == 1


def test_no_more_cards_an_hour_than_allowed_and_the_others_are_named_on_the_next() -> None:
    watching = Watching()
    assert watching.opened("a")
    assert watching.opened("b")
    assert watching.opened("c") is None
    assert watching.opened("d") is None
    assert watching.look("c") is None
    assert watching.book.held == ("c", "d")
    news = watching.look("c", after=3600)
    assert news is not None
    assert (news.opens, news.held) == (True, ("d",))
    assert not watching.book.held


def test_what_has_an_alert_gets_no_second_card_until_that_is_over() -> None:
    watching = Watching()
    assert watching.opened("web", alerted=True) is None
    assert watching.look("web", alerted=True) is None
    assert watching.look("web") is not None


def test_a_book_of_another_form_is_begun_anew() -> None:
    assert decode(b"") == Book()
    assert decode(b"{") == Book()
    assert decode(b'{"services": 3}') == Book()


@pytest.mark.parametrize("after", [0, 300])
def test_nothing_found_is_nothing_noted(after: int) -> None:
    watching = Watching()
    assert watching.look(codes=NONE, after=after) is None
    assert watching.book == Book()
