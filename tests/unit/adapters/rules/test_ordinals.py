"""Which of several choices an ordinal means, and what is none."""

from __future__ import annotations

import pytest

from tests.unit.adapters.rules.speaking import replied

CHOICES = ("shop/web", "shop-staging/web")


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("first", 0),
        ("the first one please", 0),
        ("ok, go with first", 0),
        ("1st", 0),
        ("hm, second i guess", 1),
        ("use the second", 1),
        ("第二个", 1),
    ],
)
def test_an_ordinal_chooses(text: str, chosen: int) -> None:
    assert [request.slots for request in replied(text, "container", choices=CHOICES).requests] == [
        {"container": CHOICES[chosen]}
    ]


@pytest.mark.parametrize("text", ["we look at the db first", "i'd check the logs second", "let me finish this first"])
def test_what_comes_first_chooses_nothing(text: str) -> None:
    found = replied(text, "container", choices=CHOICES)
    assert not [request for request in found.requests if request.slots.get("container") in CHOICES]
