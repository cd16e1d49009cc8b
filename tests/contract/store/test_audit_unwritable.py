"""A step whose record cannot be written is not carried out, nor any part of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from chatops_bot.adapters.redis.shards import shard_of
from chatops_bot.domain import audit
from chatops_bot.domain.audit import Record
from chatops_bot.ports.store import AuditUnwritable, LedgerStep
from tests.contract.store.kit import ROOM, SHARD, World, arrival, dump, outcome

TARGET = "prod/pay/deployment/web"
PLACE = shard_of(TARGET)
RECORD = audit.encode(Record(at=1, kind="request"))
BROKEN = pytest.mark.parametrize(
    ("key", "spoil"), [("audit", ("SET", "x")), ("audit-head", ("RPUSH", "x"))], ids=["chain", "head"]
)


async def spoiled(world: World, shard: int, key: str, spoil: tuple[str, str]) -> str:
    """Something else stands where the chain should; the key."""
    name = f"{{{shard}}}:{key}"
    await world.client.command("DEL", name, shard=shard)
    await world.client.command(spoil[0], name, spoil[1], shard=shard)
    return name


@BROKEN
async def test_a_turn_with_a_record_changes_nothing(world: World, key: str, spoil: tuple[str, str]) -> None:
    (claim,) = (await world.store.intake(arrival("e1", thread="t1", new="t1"))).claims
    name = await spoiled(world, SHARD, key, spoil)
    before = await dump(world.client, SHARD)
    with pytest.raises(AuditUnwritable):
        await world.store.commit(claim, outcome(audit=(RECORD,)))
    with pytest.raises(AuditUnwritable):
        await world.audit.append(shard_of=ROOM.key, record=RECORD)
    assert await dump(world.client, SHARD) == before
    await world.client.command("DEL", name, shard=SHARD)
    assert not (await world.store.commit(claim, outcome(audit=(RECORD,)))).lost


@BROKEN
async def test_a_turn_without_one_goes_on(world: World, key: str, spoil: tuple[str, str]) -> None:
    (claim,) = (await world.store.intake(arrival("e1", thread="t1", new="t1"))).claims
    await spoiled(world, SHARD, key, spoil)
    assert not (await world.store.commit(claim, outcome())).lost


def steps(world: World) -> dict[str, Callable[[], Awaitable[LedgerStep]]]:
    """The life of a plan, one step after the other."""
    ledger, to, known = world.ledger, TARGET, (RECORD,)
    return {
        "prepare": lambda: ledger.prepare(
            token="p", target=to, plan=b"x", digest="d", lives_ms=60_000, effect="E1", audit=known
        ),
        "confirm": lambda: ledger.confirm(
            token="p", target=to, digest="d", by="alice", effect="E2", start_within_ms=60_000, audit=known
        ),
        "approve": lambda: ledger.approve(token="p", target=to, by="bob", effect="E3", audit=known),
        "start": lambda: ledger.start(token="p", target=to, attempt="a", limit_ms=60_000, audit=()),
        "finish": lambda: ledger.finish(token="p", target=to, attempt="a", outcome="done", detail=b"", audit=known),
    }


@BROKEN
@pytest.mark.parametrize("step", ["prepare", "confirm", "approve", "start", "finish"])
async def test_a_step_of_the_ledger_changes_nothing(world: World, step: str, key: str, spoil: tuple[str, str]) -> None:
    """A start writes no record, and is refused all the same: its end could not be recorded."""
    life = steps(world)
    for earlier in list(life)[: list(life).index(step)]:
        assert (await life[earlier]()).ok
    name = await spoiled(world, PLACE, key, spoil)
    before = await dump(world.client, PLACE)
    with pytest.raises(AuditUnwritable):
        await life[step]()
    assert await dump(world.client, PLACE) == before
    await world.ledger.read(token="p", target=TARGET)
    await world.client.command("DEL", name, shard=PLACE)
    assert (await life[step]()).ok
