"""The audit log kept for so long: nothing younger goes, and nothing that a second place has not taken."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from chatops_bot.adapters.redis.shards import SHARDS, shard_of
from chatops_bot.app import audit_command
from chatops_bot.app.opening import Opened, open_store
from chatops_bot.app.settings import StoreSettings
from chatops_bot.domain.audit import Record, decode, encode
from chatops_bot.engine.audit_trimming import AuditTrimming
from chatops_bot.ports.meter import NoMeter

DAY = 86_400


class Later:
    """Real time, moved on by `days`."""

    def __init__(self, days: float) -> None:
        self.days = days

    def now(self) -> float:
        return time.time() + self.days * DAY

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        raise AssertionError("nothing sleeps here")


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Opened]:
    async with open_store(StoreSettings(directory=tmp_path)) as opened:
        for room in "abc":
            for number in range(3):
                record = encode(Record(at=number, kind="request", text=f"{room}{number}"))
                await opened.audit.append(shard_of=room, record=record)
        yield opened


def trimming(store: Opened, *, days: float, sinks: tuple[str, ...] = ()) -> AuditTrimming:
    return AuditTrimming(store.audit, keep_s=30 * DAY, sinks=sinks, shards=SHARDS, clock=Later(days), meter=NoMeter())


async def texts(store: Opened) -> list[str]:
    found = [entry for shard in range(SHARDS) for entry in await store.audit.entries(shard=shard)]
    return sorted(text for entry in found if (text := decode(entry.record).text))


async def holds(store: Opened) -> bool:
    said: list[str] = []
    return await audit_command.verify_chains(store, as_json=False, echo=said.append) == 0


async def test_what_is_older_goes_and_the_rest_verifies(store: Opened) -> None:
    assert await trimming(store, days=29).look() == 0
    assert len(await texts(store)) == 9
    assert await trimming(store, days=31).look() == 9
    assert await texts(store) == []
    await store.audit.append(shard_of="a", record=encode(Record(at=1, kind="request", text="new")))
    assert await texts(store) == ["new"]
    assert await holds(store)


async def test_another_process_does_not_look_at_the_same_time(store: Opened, tmp_path: Path) -> None:
    async with open_store(StoreSettings(directory=tmp_path), join=True) as other:
        assert await trimming(store, days=31).look() == 9
        await other.audit.append(shard_of="a", record=encode(Record(at=1, kind="request")))
        assert await trimming(other, days=90).look() == 0


async def test_nothing_goes_before_every_place_has_it(store: Opened) -> None:
    both = ("output", "webhook")
    assert await trimming(store, days=31, sinks=both).look() == 0
    for shard in range(SHARDS):
        entries = await store.audit.entries(shard=shard)
        if entries:
            await store.audit.mark_sent(sink="output", shard=shard, id=entries[-1].id)
            await store.audit.mark_sent(sink="webhook", shard=shard, id=entries[1].id)
    assert await trimming(store, days=31, sinks=both).look() == 6
    assert await texts(store) == ["a2", "b2", "c2"]
    assert await holds(store)


async def test_a_chain_of_another_type_does_not_keep_the_others(store: Opened) -> None:
    client = store.audit._base.client
    shard = shard_of("a")
    await client.command("DEL", f"{{{shard}}}:audit-head", shard=shard)
    await client.command("RPUSH", f"{{{shard}}}:audit-head", "x", shard=shard)
    assert await trimming(store, days=31).look() == 6
