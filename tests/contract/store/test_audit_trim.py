"""The beginning of a chain cut off: what is left can be verified, and says what was cut."""

from __future__ import annotations

import json

import pytest

from chatops_bot.app.audit_command import verify_chains
from chatops_bot.domain import audit
from chatops_bot.domain.audit import Record
from chatops_bot.ports.store import AuditEntry
from tests.contract.store.kit import ROOM, SHARD, World

KEY, BASE = f"{{{SHARD}}}:audit", f"{{{SHARD}}}:audit-base"


async def chained(world: World, count: int = 6) -> list[AuditEntry]:
    """A chain of records a second apart, as the store counts it."""
    for number in range(count):
        record = audit.encode(Record(at=number, kind="request", text=str(number)))
        await world.audit.append(shard_of=ROOM.key, record=record)
    return await world.audit.entries(shard=SHARD)


def cut(last: AuditEntry) -> bytes:
    return audit.encode(Record(at=9, kind="retention", reason=f"cut up to {last.id}", digest=last.hash))


async def verified(world: World) -> tuple[int, dict[str, object]]:
    lines: list[str] = []
    store = type("Store", (), {"audit": world.audit})()
    code = await verify_chains(store, as_json=True, echo=lines.append)
    return code, json.loads(lines[0]) if lines else {}


async def test_what_is_left_verifies_from_its_checkpoint(world: World) -> None:
    whole = await chained(world)
    assert await world.audit.trim(whole[2], record=cut(whole[2])) == 3
    left = await world.audit.entries(shard=SHARD)
    assert [entry.id for entry in left[:-1]] == [entry.id for entry in whole[3:]]
    assert await world.audit.base(shard=SHARD) == whole[2].hash
    assert audit.decode(left[-1].record).digest == whole[2].hash
    assert await verified(world) == (
        0,
        {"shard": SHARD, "sound": 4, "head": left[-1].hash, "broken_at": "", "reason": ""},
    )
    await world.audit.append(shard_of=ROOM.key, record=b"{}")


async def test_it_can_be_cut_again_and_down_to_the_record_of_that(world: World) -> None:
    whole = await chained(world)
    await world.audit.trim(whole[2], record=cut(whole[2]))
    left = await world.audit.entries(shard=SHARD)
    assert await world.audit.trim(left[-1], record=cut(left[-1])) == 4
    (last,) = await world.audit.entries(shard=SHARD)
    assert audit.decode(last.record).digest == left[-1].hash
    assert (await verified(world))[0] == 0


@pytest.mark.parametrize("wrong", ["id", "hash"])
async def test_only_a_link_of_the_chain_is_cut_at(world: World, wrong: str) -> None:
    whole = await chained(world)
    last = AuditEntry(SHARD, "1-1", b"", "", whole[2].hash) if wrong == "id" else whole[2]
    bad = last if wrong == "id" else AuditEntry(SHARD, last.id, b"", "", "f" * 40)
    assert await world.audit.trim(bad, record=cut(last)) == 0
    assert await world.audit.entries(shard=SHARD) == whole


async def test_a_beginning_that_somebody_cut_off_by_hand_is_found(world: World) -> None:
    whole = await chained(world)
    await world.client.command("XTRIM", KEY, "MINID", whole[3].id, shard=SHARD)
    code, told = await verified(world)
    assert (code, told["reason"], told["broken_at"]) == (1, "missing", whole[3].id)


async def test_a_checkpoint_that_somebody_wrote_by_hand_is_found(world: World) -> None:
    whole = await chained(world)
    await world.client.command("XTRIM", KEY, "MINID", whole[3].id, shard=SHARD)
    await world.client.command("SET", BASE, f"{whole[2].id}\x1e{whole[2].hash}\x1ex\x1e3", shard=SHARD)
    code, told = await verified(world)
    assert (code, told["reason"]) == (1, "unattested")


async def test_more_cut_off_by_hand_after_a_cut_on_record_is_found(world: World) -> None:
    whole = await chained(world)
    await world.audit.trim(whole[2], record=cut(whole[2]))
    await world.client.command("XTRIM", KEY, "MINID", whole[4].id, shard=SHARD)
    assert (await verified(world))[1]["reason"] == "missing"


async def test_the_last_link_that_may_go_is_old_and_copied_everywhere(world: World) -> None:
    whole = await chained(world)
    future = int(whole[-1].id.split("-")[0]) + 1

    async def last(at: int, *copied: str) -> str:
        found = await world.audit.last_before(shard=SHARD, at=at, copied=copied)
        return found.id if found else ""

    assert await last(future) == whole[-1].id
    assert await last(future, whole[4].id) == whole[4].id
    assert await last(future, whole[4].id, whole[1].id) == whole[1].id
    assert await last(int(whole[0].id.split("-")[0]), whole[4].id) == ""
    assert await last(0) == ""
    assert await last(-5) == ""


async def test_a_place_that_has_everything_is_known_to_all_for_a_while(world: World) -> None:
    assert await world.audit.fresh(sink="x") == 0
    await world.audit.mark_fresh(sink="x", for_ms=60_000)
    assert 0 < await world.audit.fresh(sink="x") <= 60_000
    assert await world.audit.fresh(sink="y") == 0
