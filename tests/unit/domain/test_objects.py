"""Reading objects whatever is in them."""

from __future__ import annotations

import pytest

from chatops_bot.domain.objects import digest, instant, items, listed, number, shortened, span, text


@pytest.mark.parametrize(
    ("milliseconds", "words"),
    [(-5, "0s"), (119_000, "119s"), (120_000, "2m"), (3_599_000, "59m"), (3_600_000, "1h"), (11_400_000, "3h10m"),
     (90_000_000, "1d1h"), (86_400_000 * 9, "9d")],
)  # fmt: skip
def test_spans_read_like_kubectls_ages(milliseconds: int, words: str) -> None:
    assert span(milliseconds) == words


@pytest.mark.parametrize(
    ("stamp", "moment"),
    [
        ("1970-01-01T00:00:01Z", 1_000),
        ("1970-01-01T00:00:01.500000Z", 1_500),
        ("1970-01-01T01:00:00+01:00", 0),
        ("1970-01-01T00:00:02", 2_000),
        ("1969-12-31T23:59:59Z", 0),
        ("0001-01-01T00:00:00+23:59", 0),
        ("9998-12-31T23:59:59Z", 253_370_764_799_000),
        ("9999-12-31T23:59:59-23:59", 0),
        ("soon", 0),
        (None, 0),
        (7, 0),
    ],
)
def test_stamps(stamp: object, moment: int) -> None:
    assert instant(stamp) == moment


def test_what_is_missing_is_nothing_of_its_kind() -> None:
    odd = {"a": None, "b": True, "c": "x", "d": [None, {"e": 1}, 2], "f": 2.0}
    assert (number(odd, "a"), number(odd, "b"), number(odd, "c", "d"), number(odd, "f")) == (0, 0, 0, 2)
    assert (text(odd, "b"), text(None, "x"), items(odd, "d"), items(odd, "c")) == ("", "", [{"e": 1}], [])


def test_names_are_listed_up_to_a_number_and_messages_cut() -> None:
    assert listed(["a", "b", "c", "d"]) == "a, b, c +1"
    assert shortened("a\n  b " + "c" * 300, 10) == "a b ccccc…"


def test_equal_objects_have_equal_digests() -> None:
    assert digest({"a": 1, "b": [2]}) == digest({"b": [2], "a": 1}) != digest({"a": 1, "b": [3]})
