"""Spans of time as people name them, on a clock of their zone, over the ends of weeks, months and summer time."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from chatops_bot.domain.spans import WHEN, before_that, shown, span_of

BERLIN, SHANGHAI = "Europe/Berlin", "Asia/Shanghai"


def ms(text: str, zone: str = "UTC") -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


NOON = "2026-11-04T12:00"
"""A Wednesday."""


@pytest.mark.parametrize(
    ("when", "since", "until"),
    [
        ("today", "2026-11-04T00:00", NOON),
        ("this_morning", "2026-11-04T00:00", NOON),
        ("yesterday", "2026-11-03T00:00", "2026-11-04T00:00"),
        ("day_before", "2026-11-02T00:00", "2026-11-03T00:00"),
        ("last_night", "2026-11-03T18:00", "2026-11-04T06:00"),
        ("this_week", "2026-11-02T00:00", NOON),
        ("last_week", "2026-10-26T00:00", "2026-11-02T00:00"),
        ("week_before", "2026-10-19T00:00", "2026-10-26T00:00"),
        ("monday", "2026-11-02T00:00", "2026-11-03T00:00"),
        ("tuesday", "2026-11-03T00:00", "2026-11-04T00:00"),
        ("wednesday", "2026-11-04T00:00", NOON),
        ("thursday", "2026-10-29T00:00", "2026-10-30T00:00"),
        ("sunday", "2026-11-01T00:00", "2026-11-02T00:00"),
    ],
)
@pytest.mark.parametrize("zone", ["UTC", SHANGHAI])
def test_a_span_lies_on_the_clock_of_its_zone(when: str, since: str, until: str, zone: str) -> None:
    found = span_of(when, now=ms(NOON, zone), zone=zone)
    assert found is not None
    assert (found.since, found.until) == (ms(since, zone), ms(until, zone))


def test_the_day_is_that_of_the_zone_and_not_of_the_server() -> None:
    now = ms("2026-11-04T20:00")  # the fifth in Shanghai
    found = span_of("yesterday", now=now, zone=SHANGHAI)
    assert found is not None
    assert (found.since, found.until) == (ms("2026-11-04T00:00", SHANGHAI), ms("2026-11-05T00:00", SHANGHAI))


def test_a_day_on_which_clocks_change_has_its_own_length() -> None:
    found = span_of("yesterday", now=ms("2026-10-26T09:00", BERLIN), zone=BERLIN)
    assert found is not None
    assert found.until - found.since == 25 * 3_600_000


def test_every_value_is_a_span_that_ends_by_now() -> None:
    for when in WHEN:
        now = ms("2026-11-02T03:00")
        found = span_of(when, now=now)
        assert found is not None, when
        assert found.since <= found.until <= now, when


def test_other_words_are_none_and_an_unknown_zone_is_utc() -> None:
    assert span_of("next_week", now=ms(NOON)) is None
    assert span_of("yesterday", now=ms(NOON), zone="Mars/Olympus") == span_of("yesterday", now=ms(NOON))


def test_a_moment_is_shown_with_its_day_where_that_is_another() -> None:
    assert shown(ms("2026-11-04T09:05"), now=ms(NOON)) == "09:05"
    assert shown(ms("2026-11-03T23:05"), now=ms(NOON)) == "11-03 23:05"
    assert shown(ms("2026-11-03T23:05"), now=ms(NOON), zone=SHANGHAI) == "07:05"


def test_the_span_before_is_as_long() -> None:
    assert [before_that(when) for when in ("this_week", "last_week", "today", "monday")] == [
        "last_week",
        "week_before",
        "yesterday",
        "",
    ]
