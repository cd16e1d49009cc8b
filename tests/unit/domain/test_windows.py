"""A window is open from its start until its first end after that, on the clocks of its own zone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from chatops_bot.domain.windows import Window

WEEKEND = Window("0 18 * * FRI", "0 8 * * MON", "Asia/Shanghai")
HOLIDAYS = Window("2026-12-24T18:00", "2027-01-02 08:00", "Europe/Berlin")
NIGHT = Window("0 22 * * *", "0 6 * * *", "Europe/Berlin")


def ms(text: str) -> int:
    """Of a time in UTC."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("window", "at", "until"),
    [
        (WEEKEND, "2026-01-02T09:59:59", ""),
        (WEEKEND, "2026-01-02T10:00:00", "2026-01-05 08:00 (Asia/Shanghai)"),
        (WEEKEND, "2026-01-04T23:59:59", "2026-01-05 08:00 (Asia/Shanghai)"),
        (WEEKEND, "2026-01-05T00:00:00", ""),
        (HOLIDAYS, "2026-12-24T16:59:59", ""),
        (HOLIDAYS, "2026-12-24T17:00:00", "2027-01-02 08:00 (Europe/Berlin)"),
        (HOLIDAYS, "2027-01-02T06:59:59", "2027-01-02 08:00 (Europe/Berlin)"),
        (HOLIDAYS, "2027-01-02T07:00:00", ""),
        # Summer time begins in this night: its end comes after nine hours less one.
        (NIGHT, "2026-03-28T21:00:00", "2026-03-29 06:00 (Europe/Berlin)"),
        (NIGHT, "2026-03-29T03:59:59", "2026-03-29 06:00 (Europe/Berlin)"),
        (NIGHT, "2026-03-29T04:00:00", ""),
        (NIGHT, "2026-10-25T04:59:59", "2026-10-25 06:00 (Europe/Berlin)"),
        (NIGHT, "2026-10-25T05:00:00", ""),
        # 02:30 is not in that night at all, and comes twice in the other.
        (Window("30 2 * * *", "0 4 * * *", "Europe/Berlin"), "2026-03-29T01:30:00", "2026-03-29 04:00 (Europe/Berlin)"),
        (Window("2026-10-25T02:30", "2026-10-25T02:45", "Europe/Berlin"), "2026-10-25T01:44:59", "2026-10-25 02:45 (Europe/Berlin)"),
        (Window("2026-10-25T02:30", "2026-10-25T02:45", "Europe/Berlin"), "2026-10-25T01:45:00", ""),
        # Started again while it is open: until the first end.
        (Window("0 * * * *", "0 8 * * MON"), "2026-01-04T12:30:00", "2026-01-05 08:00 (UTC)"),
        (Window("0 0 29 2 *", "0 0 1 3 *"), "2028-02-29T12:00:00", "2028-03-01 00:00 (UTC)"),
    ],
)  # fmt: skip
def test_open_from_start_to_end(window: Window, at: str, until: str) -> None:
    span = window.open_at(ms(at))
    assert (window.shown(span.ends) if span else "") == until
    assert list(window.problems()) == []


@pytest.mark.parametrize(
    "window",
    [
        Window("0 18 * * FRI", "0 8 * * MON", "Asia/Nowhere"),
        Window("0 18 * * FRI", "soon"),
        Window("whenever", "0 8 * * MON"),
        Window("0 18 * * FRI", "0 8 31 2 *"),
        Window("2026-02-30T10:00", "2026-03-01T10:00"),
        Window("0 18 * * FRI", "0 8 * * MON", "../../etc/passwd"),
    ],
)
def test_what_cannot_be_computed_is_open_without_an_end(window: Window) -> None:
    span = window.open_at(ms("2026-01-06T12:00:00"))
    assert span is not None
    assert window.shown(span.ends) == ""
    assert window.next_after(ms("2026-01-06T12:00:00")) == 0 or window.ends != "0 8 * * MON"
    assert list(window.problems())


@pytest.mark.parametrize(
    ("window", "field", "problem"),
    [
        (Window("0 18 * * FRI", "0 8 * * MON", "Shanghai"), "timezone", "no time zone 'Shanghai'"),
        (Window("0 18 * *", "0 8 * * MON"), "starts", "no moment"),
        (Window("0 0 18 * * FRI", "0 8 * * MON"), "starts", "no moment"),
        (Window("0 18 * * FRI", "2026-01-05T08:00"), "ends", "same kind"),
        (Window("2026-01-05T08:00", "2026-01-05T08:00"), "ends", "is not after"),
        (Window("0 18 * * FRI", "0  18 * * FRI"), "ends", "never end"),
    ],
)
def test_mistakes_are_told_with_their_field(window: Window, field: str, problem: str) -> None:
    ((found, said),) = window.problems()
    assert found == field
    assert problem in said


def test_when_it_opens_next() -> None:
    now = ms("2026-01-06T12:00:00")
    assert WEEKEND.next_after(now) == ms("2026-01-09T10:00:00")
    assert HOLIDAYS.next_after(now) == ms("2026-12-24T17:00:00")
    assert HOLIDAYS.next_after(ms("2027-02-01T00:00:00")) == 0
