"""Pictures are uploaded once; those that were shown last are remembered."""

from __future__ import annotations

import pytest

from chatops_bot.domain.cards import Card, Text
from chatops_bot.ports import album
from chatops_bot.ports.album import Album
from chatops_bot.ports.chat import ChatUnavailable
from tests.fakes.clock import ManualClock
from tests.fakes.pictures import Easel, card, chart


class Shelf:
    """Takes uploads, or not."""

    def __init__(self) -> None:
        self.taken: list[bytes] = []
        self.away = False

    async def upload(self, content: bytes) -> str:
        if self.away:
            raise ChatUnavailable("away")
        self.taken.append(content)
        return f"name{len(self.taken)}"


def shelved() -> tuple[Album, Shelf, Easel]:
    shelf, easel = Shelf(), Easel()
    return Album(painter=easel, upload=shelf.upload, clock=ManualClock()), shelf, easel


async def test_a_card_without_pictures_and_one_that_nobody_draws_ask_for_nothing() -> None:
    made, shelf, _ = shelved()
    assert await made.of(Card(title="t", language="en", blocks=(Text("x"),))) == {}
    nobody = Album(painter=None, upload=shelf.upload, clock=ManualClock())
    assert await nobody.of(card()) == {}
    assert shelf.taken == []


async def test_the_same_picture_is_known_again() -> None:
    made, shelf, easel = shelved()
    first = await made.of(card())
    assert await made.of(card(text="other words")) == first
    assert (len(shelf.taken), len(easel.painted)) == (1, 1)


async def test_what_could_not_be_uploaded_is_tried_with_the_next_drawing() -> None:
    made, shelf, _ = shelved()
    shelf.away = True
    assert await made.of(card()) == {}
    shelf.away = False
    assert list((await made.of(card())).values()) == ["name1"]


async def test_those_that_were_shown_longest_ago_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(album, "REMEMBERED", 2)
    made, shelf, _ = shelved()
    for value in (1.0, 2.0, 1.0, 3.0, 1.0):
        await made.of(card(chart(value)))
    assert len(shelf.taken) == 3
    await made.of(card(chart(2.0)))
    assert len(shelf.taken) == 4
