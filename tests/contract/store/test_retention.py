"""How long what is kept: as the store is told, where it is told."""

from __future__ import annotations

import os

from chatops_bot.adapters.redis.embedded import EmbeddedServer
from chatops_bot.adapters.redis.ledger import RedisLedger
from chatops_bot.adapters.redis.shards import shard_of
from chatops_bot.adapters.redis.store import RedisStore, Scripts
from chatops_bot.ports.store import CardView, Retention
from tests.contract.store.kit import ROOM, World, arrival, connected, outcome

KEPT = Retention(
    seen_s=30_000, sessions_s=40_000, cards_s=50_000, summaries_s=60_000, plans_s=70_000, incidents_s=80_000
)
TARGET = "prod/pay/deployment/web"


async def lifetimes(world: World, kept: Retention) -> list[int]:
    """Of a duplicate mark, a card, a summary, an ended session, and a plan, once each has been stored."""
    base = Scripts(world.client, random_bytes=os.urandom, clock=world.time, retention=kept)
    store, ledger = RedisStore(base, monotonic=world.time.monotonic), RedisLedger(base)
    (claim,) = (await store.intake(arrival("e1", thread="t1", new="t1"))).claims
    ended = outcome(state="archived", summary=b"s", cards=(CardView("c", b"v", "m1"),), keep_s=0)
    (lane,) = (await store.commit(claim, ended)).claims
    await store.drawn(lane, message="m2")
    await ledger.prepare(token="p", target=TARGET, plan=b"", digest="", lives_ms=1, effect="E", audit=())
    place = shard_of(TARGET)
    plan = await world.client.command("TTL", f"{{{place}}}:plan:p", shard=place)
    assert isinstance(plan, int)
    keys = (f"seen:{ROOM.key}|e1", f"card:{ROOM.key}|m1", f"card:{ROOM.key}|m2", "summary:t1", "session:t1")
    return [*[await world.ttl(key) for key in keys], plan]


async def test_each_kind_is_kept_as_long_as_was_said(world: World) -> None:
    assert await lifetimes(world, KEPT) == [30_000, 50_000, 50_000, 60_000, 40_000, 70_000]


async def test_where_nothing_is_said_the_lifetimes_are_those_of_the_design(world: World) -> None:
    hour, day = 3_600, 86_400
    assert await lifetimes(world, Retention()) == [8 * hour, 14 * day, 14 * day, 30 * day, day, 30 * day]


async def test_a_shorter_time_holds_for_what_is_stored_from_then_on(server: EmbeddedServer) -> None:
    client = connected(server.url)
    await client.command("FLUSHALL")
    world = World(client)
    await lifetimes(world, Retention())
    base = Scripts(client, random_bytes=os.urandom, clock=world.time, retention=KEPT)
    ledger = RedisLedger(base)
    await ledger.void(token="p", target=TARGET, reason="cancelled", effect="V", audit=())
    place = shard_of(TARGET)
    assert await client.command("TTL", f"{{{place}}}:plan:p", shard=place) == KEPT.plans_s
    await client.close()
