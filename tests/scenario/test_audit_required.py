"""With `audit.required` changes are made only while the second place has the log."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from chatops_bot.adapters.redis.audit import RedisAuditLog
from chatops_bot.adapters.redis.shards import SHARDS
from chatops_bot.app.opening import Opened, open_store
from chatops_bot.app.settings import StoreSettings
from chatops_bot.domain.audit import Record, encode
from chatops_bot.engine.audit_copies import AuditCopies
from chatops_bot.engine.audit_freshness import Freshness
from chatops_bot.ports.audit_sink import SinkUnavailable
from chatops_bot.ports.meter import NoMeter
from tests.fakes.clock import ManualClock
from tests.scenario.playing import scene
from tests.scenario.test_audit_copies import Place

WITHIN_S = 300


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Opened]:
    async with open_store(StoreSettings(directory=tmp_path)) as opened:
        yield opened


class Process:
    """One process's copying, with a clock of its own."""

    def __init__(self, audit: RedisAuditLog, place: Place) -> None:
        self.clock = ManualClock()
        self.fresh = Freshness(audit, sink=place.name, within_s=WITHIN_S, clock=self.clock)
        self.copies = AuditCopies(audit, place, shards=SHARDS, clock=self.clock, meter=NoMeter(), freshness=self.fresh)


async def test_not_known_is_behind_until_all_has_been_copied(store: Opened) -> None:
    one = Process(store.audit, Place())
    assert one.fresh.behind() == 5
    await one.copies.forward()
    assert one.fresh.behind() == 0


async def test_a_place_that_takes_nothing_is_behind_once_the_time_is_over(store: Opened) -> None:
    place = Place()
    one = Process(store.audit, place)
    await one.copies.forward()
    await store.audit.append(shard_of="a", record=encode(Record(at=1, kind="request")))
    place.fails_before = 99
    for _ in range(3):
        with pytest.raises(SinkUnavailable):
            await one.copies.forward()
    await one.clock.advance(WITHIN_S)
    assert one.fresh.behind() == 0
    await one.clock.advance(1)
    assert one.fresh.behind() == 6
    place.fails_before = 0
    await one.copies.forward()
    assert one.fresh.behind() == 0


async def test_the_others_learn_it_from_whoever_copies(store: Opened, tmp_path: Path) -> None:
    async with open_store(StoreSettings(directory=tmp_path), join=True) as second:
        one, other = Process(store.audit, Place()), Process(second.audit, Place())
        await one.copies.forward()
        assert other.fresh.behind() == 5
        await other.copies.forward()
        assert other.fresh.behind() == 0
        await store.client.command("DEL", "{0}:audit-fresh:place")
        await other.copies.forward()
        assert other.fresh.behind() == 0
        await other.clock.advance(WITHIN_S + 1)
        assert other.fresh.behind() == 6


async def test_meanwhile_a_change_is_refused_in_words_and_looking_goes_on(tmp_path: Path) -> None:
    minutes = 0
    async with scene(tmp_path) as playing:
        await playing.say("alice", "@bot scale web to 5")
        playing.stage.bot.gate._behind = lambda: minutes
        minutes = 7
        refused = await playing.click("alice", "confirm", "1")
        assert "more than 7 minutes" in refused["reply"]
        assert refused["state"] == "confirming"
        assert playing.stage.sandbox.writes() == []
        assert "api is healthy" in (await playing.say("bob", "@bot how is api?"))["reply"]
        minutes = 0
        await playing.click("alice", "confirm", "1")
        assert len(playing.stage.sandbox.writes()) == 1
