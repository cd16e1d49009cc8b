"""The bench measures what it says, and the usual turns cost as few round trips to Redis as they should."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import msgspec
import pytest

from tests.bench.table import Row

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    """Of a tiny run, in a process of its own: it sets up the log of the whole process."""
    out = tmp_path_factory.mktemp("bench") / "build" / "bench.json"

    async def measured() -> None:
        small = ("--threads", "2", "5", "--rounds", "2", "--batch", "8", "--alone", "2", "--out", str(out))
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.bench", *small, cwd=ROOT, stdout=asyncio.subprocess.PIPE
        )
        printed, _ = await process.communicate()
        assert process.returncode == 0
        assert printed.decode().count("query") == 2

    asyncio.run(measured())
    return msgspec.json.decode(out.read_bytes(), type=list[Row], strict=True)


def test_there_is_a_row_for_each_kind_and_size(rows: list[Row]) -> None:
    names = ["ping", "bolt", "chatter", "query", "plan", "alert", "ack slack", "ack feishu", "ack wecom"]
    assert [(row.threads, row.name) for row in rows] == [(size, name) for size in (2, 5) for name in names]
    for row in rows:
        assert row.per_second > 0
        assert 0 < row.p50_us <= row.p99_us
        assert row.ratio_to_ping > 0
        assert row.ratio_to_bolt > 0
    assert all(row.ratio_to_bolt == 1 for row in rows if row.name == "bolt")
    assert all(row.ratio_to_ping == 1 for row in rows if row.name == "ping")


@pytest.mark.parametrize(("name", "trips"), [("ping", 1), ("bolt", 0), ("chatter", 1), ("query", 3), ("ack feishu", 1)])
def test_round_trips_to_redis(rows: list[Row], name: str, trips: int) -> None:
    """Chatter leaves its mark; an answered question is stored, committed and recorded as shown."""
    assert [row.redis_round_trips for row in rows if row.name == name] == [trips, trips]


def test_a_plan_takes_no_more_round_trips_than_it_has_steps(rows: list[Row]) -> None:
    """Intake, commit, card; the plan recorded, its target's holder looked up, the result; commit, card; and one
    more card where the first view is shown before the plan is there. A thread that begins asks for the incidents of its
    room, and for the conversations that its service had there before."""
    assert all(row.redis_round_trips <= 11 for row in rows if row.name == "plan")
