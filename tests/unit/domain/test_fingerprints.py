"""Errors of one kind are one, whatever changes in them; nothing in a log makes it raise, hang or grow."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatops_bot.domain.diagnosis.fingerprints import HEAD, ROWS, fingerprint, groups, is_error

PYTHON = """Traceback (most recent call last):
  File "/app/pay.py", line 31, in charge
    client.post(url)
TimeoutError: no answer within {n} s"""
JAVA = """2026-11-30T09:00:0{n}Z ERROR [http-{n}] charge failed
java.net.SocketTimeoutException: Read timed out
\tat com.pay.Client.post(Client.java:{n}1)
\tat com.pay.Charge.run(Charge.java:7)
Caused by: java.io.IOException: closed
\t... 12 more"""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2026-11-30T09:00:01.123Z ERROR timeout after 300ms", "2026-12-01 10:11:12,5 ERROR timeout after 21ms"),
        ("ERROR user 42 not found", "ERROR user 17 not found"),
        ("ERROR dial tcp 10.0.0.1:5432: refused", "ERROR dial tcp 10.99.3.14:5433: refused"),
        ("ERROR dial tcp [2001:db8::1]:53: refused", "ERROR dial tcp [2001:db8::2:7]:53: refused"),
        ("ERROR trace 4bf92f3577b34da6 lost", "ERROR trace 00f067aa0ba902b7 lost"),
        ("ERROR job 550e8400-e29b-41d4-a716-446655440000", "ERROR job 123e4567-e89b-12d3-a456-426614174000"),
        ("ERROR at 0xdeadbeef", "ERROR at 0x1"),
        ("ERROR pod web-7d9f8b6c5-x2x4z gone", "ERROR pod web-5c8d7f9b64-qqq2w gone"),
        ("ERROR  two   spaces", "ERROR two spaces"),
    ],
)
def test_what_changes_is_no_part_of_it(one: str, other: str) -> None:
    assert fingerprint(one) == fingerprint(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ERROR no route to host", "ERROR connection refused"),
        ("ERROR secret db-password missing", "ERROR secret db-user missing"),
        ("ERROR feed facade", "ERROR feed defaced"),
    ],
)
def test_what_went_wrong_is_kept_apart(one: str, other: str) -> None:
    assert fingerprint(one) != fingerprint(other)


def test_they_are_counted_the_most_frequent_first() -> None:
    rows = ["INFO ok", *(f"ERROR timeout {n}" for n in range(3)), "FATAL out of disk", "ERROR timeout 99"]
    found = groups(rows)
    assert [(one.count, one.line) for one in found] == [(4, "ERROR timeout 99"), (1, "FATAL out of disk")]


def test_a_traceback_is_one_error_named_by_its_last_line() -> None:
    found = groups("\n".join(PYTHON.format(n=n) for n in (3, 5)).splitlines())
    assert [(one.count, one.line) for one in found] == [(2, "TimeoutError: no answer within 5 s")]
    assert found[0].trace == ('  File "/app/pay.py", line 31, in charge', "    client.post(url)")


def test_a_stack_trace_stays_with_its_message_and_is_cut_to_its_head() -> None:
    rows = "\n".join(JAVA.format(n=n) for n in (1, 2)).splitlines()
    found = {one.line: one for one in groups(rows)}
    exception = found["java.net.SocketTimeoutException: Read timed out"]
    assert exception.count == 2
    assert exception.trace[0].strip().startswith("at com.pay.Client")
    assert len(exception.trace) == HEAD
    assert not any(line.lstrip().startswith("at ") for line in found)


@pytest.mark.parametrize(
    "row",
    [
        "0 errors",
        "no errors found",
        "level=info error=null code=3",
        '{"level":"info","error":""}',
        "没有错误",
        "errors: 0",
    ],
)
def test_that_there_is_no_error_is_none(row: str) -> None:
    assert not is_error(row)


@pytest.mark.parametrize("row", ["ERROR x", "java.lang.NullPointerException", "2 errors", "请求失败", "panic: nil map"])
def test_errors_are_found(row: str) -> None:
    assert is_error(row)


WRITTEN = st.text(alphabet=st.sampled_from("error 0123456789abcdef.:-[]<>/\t\"'\x00é错误ERRORTracebk("), max_size=60)


@given(st.lists(WRITTEN, max_size=40))
def test_any_log_is_grouped_within_its_bounds(rows: list[str]) -> None:
    found = groups(rows)
    assert sum(one.count for one in found) <= sum(bool(row.strip()) for row in rows)
    assert len({one.fingerprint for one in found}) == len(found)
    assert [one.count for one in found] == sorted((one.count for one in found), reverse=True)
    assert all(one.line in rows and len(one.trace) <= HEAD for one in found)
    assert not any(re.search(r"\d", one.fingerprint) for one in found)


@given(st.integers(0, 10**12), st.integers(0, 10**12))
def test_numbers_never_tell_two_apart(one: int, other: int) -> None:
    assert fingerprint(f"ERROR took {one} ms") == fingerprint(f"ERROR took {other} ms")


@pytest.mark.parametrize(
    "row",
    [
        "error " + "0" * 100_000,
        "error " + "a:" * 50_000,
        "error " + "1.1." * 25_000,
        "error-" * 20_000,
        "\x00error" * 9_000,
    ],
)
def test_a_hostile_line_takes_no_time(row: str) -> None:
    began = time.process_time()
    assert groups([row] * 20)[0].count == 20
    assert time.process_time() - began < 2


def test_of_a_long_log_the_end_is_looked_at() -> None:
    found = groups(["ERROR first", *["INFO ok"] * ROWS])
    assert found == []
