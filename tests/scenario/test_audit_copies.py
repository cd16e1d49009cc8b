"""The audit log in a second place: everything gets there, at least once, whatever ends or fails in between."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from chatops_bot.adapters.redis.shards import SHARDS
from chatops_bot.app.opening import Opened, open_store
from chatops_bot.app.settings import StoreSettings
from chatops_bot.domain.audit import Record, decode, encode
from chatops_bot.engine.audit_copies import LONGEST_PAUSE_S, AuditCopies
from chatops_bot.ports.audit_sink import SinkUnavailable, line_of
from chatops_bot.ports.meter import NoMeter
from chatops_bot.ports.store import AuditEntry
from tests.fakes.clock import ManualClock, settle, until


class Place:
    """Takes entries, or fails as it is told: before it has taken them, or after."""

    def __init__(self, name: str = "place") -> None:
        self.name = name
        self.taken: list[AuditEntry] = []
        self.attempts = 0
        self.largest = 0
        self.fails_before = 0
        self.fails_after = 0

    async def send(self, entries: Sequence[AuditEntry]) -> None:
        self.attempts += 1
        self.largest = max(self.largest, len(entries))
        if self.fails_before:
            self.fails_before -= 1
            raise SinkUnavailable("not now")
        self.taken += entries
        if self.fails_after:
            self.fails_after -= 1
            raise SinkUnavailable("no answer")

    async def close(self) -> None:
        """Nothing to release."""

    @property
    def texts(self) -> list[str]:
        return [decode(entry.record).text for entry in self.taken]


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Opened]:
    async with open_store(StoreSettings(directory=tmp_path)) as opened:
        yield opened


def copies(store: Opened, place: Place, *, clock: ManualClock | None = None, page: int = 100) -> AuditCopies:
    return AuditCopies(store.audit, place, shards=SHARDS, clock=clock or ManualClock(), meter=NoMeter(), page=page)


async def add(store: Opened, *texts: str, room: str = "a") -> None:
    for text in texts:
        await store.audit.append(shard_of=room, record=encode(Record(at=1, kind="request", text=text)))


async def test_everything_is_copied_once_in_the_order_of_its_chain(store: Opened) -> None:
    place = Place()
    copying = copies(store, place)
    await add(store, "1", "2")
    await add(store, "3", room="b")
    await add(store, "4")
    assert not await copying.forward()
    await copying.forward()
    # Chains of different shards have no order within one millisecond.
    assert sorted(place.texts) == ["1", "2", "3", "4"]
    assert [text for text in place.texts if text != "3"] == ["1", "2", "4"]
    await add(store, "5", room="c")
    await copying.forward()
    assert place.texts[4:] == ["5"]


async def test_a_long_backlog_goes_in_pages(store: Opened) -> None:
    place = Place()
    copying = copies(store, place, page=3)
    await add(store, *"abcdefg")
    await add(store, *"hijk", room="b")
    while await copying.forward():
        pass
    assert sorted(place.texts) == list("abcdefghijk")
    assert [text for text in place.texts if text in "abcdefg"] == list("abcdefg")
    assert place.largest == 3


async def test_what_another_process_has_copied_is_not_copied_again(store: Opened) -> None:
    first, second = Place(), Place()
    await add(store, "1")
    await copies(store, first).forward()
    await add(store, "2")
    await copies(store, second).forward()
    assert second.texts == ["2"]


@pytest.mark.parametrize("after", [False, True])
async def test_a_failure_loses_nothing(store: Opened, after: bool) -> None:
    place = Place()
    place.fails_before, place.fails_after = (0, 1) if after else (1, 0)
    await add(store, "1", "2")
    with pytest.raises(SinkUnavailable):
        await copies(store, place).forward()
    await copies(store, place).forward()  # as a new process
    assert place.texts == (["1", "2", "1", "2"] if after else ["1", "2"])


async def test_places_do_not_wait_for_each_other(store: Opened) -> None:
    well, away = Place("well"), Place("away")
    away.fails_before = 1
    await add(store, "1")
    with pytest.raises(SinkUnavailable):
        await copies(store, away).forward()
    await copies(store, well).forward()
    assert (well.texts, away.texts) == (["1"], [])


async def test_one_process_at_a_time_and_the_next_when_it_is_gone(tmp_path: Path) -> None:
    settings = StoreSettings(directory=tmp_path)
    async with open_store(settings) as first, open_store(settings, join=True) as second:
        one, two = Place(), Place()
        copying, waiting = copies(first, one), copies(second, two)
        await add(first, "1")
        await copying.forward()
        await add(first, "2")
        await waiting.forward()
        assert (one.texts, two.texts) == (["1"], [])
        await first.client.command("DEL", "{0}:audit-lead:place")  # as when it has been silent for long enough
        await waiting.forward()
        await copying.forward()
        assert (one.texts, two.texts) == (["1"], ["2"])


async def test_a_place_that_is_away_is_asked_more_and_more_seldom_and_then_gets_all(store: Opened) -> None:
    place, clock = Place(), ManualClock()
    place.fails_before = 12
    await add(store, "1")
    running = asyncio.create_task(copies(store, place, clock=clock).run())
    try:
        pauses = []
        for attempt in range(1, 13):
            await until(lambda attempt=attempt: place.attempts == attempt)  # type: ignore[misc]
            await settle()
            before = clock.monotonic()
            while place.attempts == attempt and clock.monotonic() - before < 400:
                await clock.advance(1)
                await asyncio.sleep(0.002)
            pauses.append(clock.monotonic() - before)
        assert pauses[0] < pauses[2] < pauses[4]
        assert LONGEST_PAUSE_S <= pauses[-1] <= LONGEST_PAUSE_S + 60
        await until(lambda: place.texts == ["1"])
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


def test_a_line_has_the_record_to_the_byte() -> None:
    record = encode(Record(at=1, kind="request", text="汉\n"))
    line = line_of(AuditEntry(shard=3, id="17-0", record=record, previous="p", hash="h"))
    assert "\n" not in line
    assert f'"record":{record.decode()}' in line
    broken = json.loads(line_of(AuditEntry(shard=3, id="17-0", record=b'{"a\xff\n', previous="p", hash="h")))
    assert broken["unreadable"].startswith('{"a')
