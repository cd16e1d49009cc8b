"""Quotations are found by their words, and not guessed."""

from __future__ import annotations

import pytest

from chatops_bot.adapters.wecom.quotes import LIVES_S, VIEWS, Quotes
from tests.fakes.clock import ManualClock

PLAN = "**⚠️ Scale web to 5**\n> Replicas: 2 to 5"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def quotes(clock: ManualClock) -> Quotes:
    made = Quotes(clock=clock)
    made.shown("ops", "m1", PLAN, thread="t1")
    return made


@pytest.mark.parametrize(
    "quoted",
    [PLAN, "⚠️ Scale web to 5\nReplicas: 2 to 5", "scale  WEB to 5 …", "⚠️ Scale web to 5\nReplicas: 2 to 5\n[Confirm]"],
)
def test_however_it_is_marked_up_or_cut_it_is_found(quotes: Quotes, quoted: str) -> None:
    assert quotes.message("ops", quoted) == "m1"


@pytest.mark.parametrize("quoted", ["", "…", "Scale", "scale api to 5", "I want to scale web to 5", "@bot how is web?"])
def test_other_words_are_of_no_message(quotes: Quotes, quoted: str) -> None:
    assert quotes.message("ops", quoted) == ""


def test_a_room_knows_its_own_messages_only(quotes: Quotes) -> None:
    assert quotes.message("dev", PLAN) == ""


def test_what_two_messages_say_is_of_neither_and_what_one_says_more_of_is_its(quotes: Quotes) -> None:
    quotes.shown("ops", "m2", "**⚠️ Scale web to 5**\n> Replicas: 3 to 5", thread="t2")
    assert quotes.message("ops", "Scale web to 5") == ""
    assert quotes.message("ops", "Scale web to 5 Replicas: 3") == "m2"


def test_an_earlier_view_of_a_message_still_finds_it(quotes: Quotes) -> None:
    quotes.shown("ops", "m1", "**✅ web is scaled to 5**", thread="t1")
    assert quotes.message("ops", PLAN) == quotes.message("ops", "web is scaled to 5") == "m1"


def test_a_short_message_is_found_by_all_of_it(quotes: Quotes) -> None:
    quotes.shown("ops", "m2", "**✅ 已重启 web**", thread="t1")
    assert quotes.message("ops", "✅ 已重启 web") == "m2"
    assert quotes.message("ops", "✅ 已重启") == ""


def test_what_is_old_is_forgotten(quotes: Quotes, clock: ManualClock) -> None:
    for number in range(VIEWS):
        quotes.shown("ops", f"n{number}", f"another message, number {number}", thread="t1")
    assert quotes.message("ops", PLAN) == ""


async def test_after_a_day_nothing_is_found(quotes: Quotes, clock: ManualClock) -> None:
    await clock.advance(LIVES_S + 1)
    assert quotes.message("ops", PLAN) == ""


def test_of_two_messages_of_one_talk_it_is_the_newer(quotes: Quotes) -> None:
    quotes.shown("ops", "m2", PLAN + "\n> This replaces the card above", thread="t1")
    assert quotes.message("ops", PLAN) == "m2"
