"""The audit chain: written by the steps themselves, and broken by whoever changes it."""

from __future__ import annotations

import asyncio
from typing import cast

from chatops_bot.adapters.redis.audit import RedisAuditLog
from chatops_bot.adapters.redis.shards import shard_of
from chatops_bot.domain import audit
from chatops_bot.domain.audit import Record
from chatops_bot.ports.store import AuditEntry
from tests.contract.store.kit import ROOM, SHARD, World, arrival, outcome


def record(text: str) -> bytes:
    return audit.encode(Record(at=1, kind="request", text=text))


async def chained(world: World, count: int = 5) -> list[AuditEntry]:
    for n in range(count):
        (claim,) = (await world.store.intake(arrival(f"e{n}", thread="t1", new="t1"))).claims
        await world.store.commit(claim, outcome(audit=(record(f"{n} a"), record(f"{n} b \x00 汉"))))
    return await world.audit.entries(shard=SHARD)


async def test_a_chain_holds(world: World) -> None:
    entries = await chained(world)
    assert audit.verify(entries).sound == 10
    assert entries[0].previous == ""
    assert entries[3].record == record("1 b \x00 汉")


async def test_the_newest_records_are_read_from_the_end(world: World) -> None:
    await chained(world)
    assert await world.audit.latest(shard_of=ROOM.key, limit=3) == [
        record("3 b \x00 汉"),
        record("4 a"),
        record("4 b \x00 汉"),
    ]
    assert len(await world.audit.latest(shard_of=ROOM.key)) == 10


async def test_it_is_read_backwards_page_by_page(world: World) -> None:
    await chained(world)
    found = []
    before = ""
    while page := await world.audit.earlier(shard_of=ROOM.key, before=before, limit=4):
        found += page
        before = page[-1].id
    assert found == list(reversed(await world.audit.entries(shard=SHARD)))


async def test_a_changed_record_is_found(world: World) -> None:
    entries = await chained(world)
    await _rewrite(world, entries[4], record("forged"))
    verdict = audit.verify(await world.audit.entries(shard=SHARD))
    assert (verdict.sound, verdict.reason, verdict.broken_at) == (4, "altered", entries[4].id)


async def test_a_removed_record_is_found(world: World) -> None:
    entries = await chained(world)
    await world.client.command("XDEL", f"{{{SHARD}}}:audit", entries[4].id, shard=SHARD)
    verdict = audit.verify(await world.audit.entries(shard=SHARD))
    assert (verdict.sound, verdict.reason, verdict.broken_at) == (4, "missing", entries[5].id)


async def _rewrite(world: World, entry: AuditEntry, forged: bytes) -> None:
    """Put another record in the place of one, as somebody with access to Redis can."""
    key = f"{{{SHARD}}}:audit"
    links = await world.audit.entries(shard=SHARD)
    await world.client.command("DEL", key, shard=SHARD)
    for link in links:
        content = forged if link.id == entry.id else link.record
        await world.client.command("XADD", key, link.id, "r", content, "p", link.previous, "h", link.hash, shard=SHARD)


async def test_records_of_no_step_are_linked_too(world: World) -> None:
    await chained(world, 1)
    await asyncio.gather(*(world.audit.append(shard_of=ROOM.key, record=record(f"switch {n}")) for n in range(5)))
    entries = await world.audit.entries(shard=SHARD)
    assert audit.verify(entries).sound == 7


async def test_ledger_steps_are_linked_in_the_shard_of_their_target(world: World) -> None:
    target = "prod/pay/deployment/web"
    for n in range(3):
        await world.ledger.prepare(
            token=f"p{n}", target=target, plan=b"", digest="", lives_ms=1, effect=f"E{n}", audit=(record(f"{n}"),)
        )
    entries = await world.audit.entries(shard=shard_of(target))
    assert audit.verify(entries).sound == 3


async def test_a_chain_is_read_in_pages(world: World) -> None:
    whole = await chained(world)
    pages: list[AuditEntry] = []
    while page := await world.audit.entries(shard=SHARD, after=pages[-1].id if pages else "", limit=3):
        pages += page
    assert pages == whole


async def test_the_chain_goes_on_when_its_beginning_was_exported_and_cut(world: World) -> None:
    whole = await chained(world)
    await world.client.command("XTRIM", f"{{{SHARD}}}:audit", "MAXLEN", 0, shard=SHARD)
    await world.audit.append(shard_of=ROOM.key, record=record("after"))
    entries = await world.audit.entries(shard=SHARD)
    assert audit.verify(entries, head=whole[-1].hash).sound == 1


async def test_one_process_leads_a_copy_until_it_falls_silent(world: World) -> None:
    other = RedisAuditLog(world.base)
    assert await world.audit.lead(sink="x", for_ms=60_000)
    assert await world.audit.lead(sink="x", for_ms=60_000)
    assert not await other.lead(sink="x", for_ms=60_000)
    assert await other.lead(sink="y", for_ms=60_000)
    await world.client.command("DEL", "{0}:audit-lead:x")
    assert await other.lead(sink="x", for_ms=60_000)
    assert not await world.audit.lead(sink="x", for_ms=60_000)
    assert 0 < cast(int, await world.client.command("PTTL", "{0}:audit-lead:x")) <= 60_000


async def test_how_far_a_copy_has_come_is_remembered_by_place_and_shard(world: World) -> None:
    await world.audit.mark_sent(sink="x", shard=3, id="17-1")
    assert await world.audit.sent(sink="x", shard=3) == "17-1"
    assert await world.audit.sent(sink="x", shard=4) == ""
    assert await world.audit.sent(sink="y", shard=3) == ""
