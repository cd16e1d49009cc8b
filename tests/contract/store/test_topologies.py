"""Failover behind Sentinel, a dead master and moving slots in a Cluster: nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from chatops_bot.adapters.redis.client import Client
from chatops_bot.adapters.redis.digests import RedisDigests
from chatops_bot.adapters.redis.shards import SLOT, shard_of
from chatops_bot.adapters.redis.spending import RedisSpending
from chatops_bot.adapters.redis.tallies import RedisTallies
from chatops_bot.adapters.redis.url import parse
from chatops_bot.domain.identity import Room
from chatops_bot.ports.store import CardView, StoreUnavailable
from tests.contract.store.kit import LEASE_MS, REDIS_SERVER, START, World, arrival, outcome
from tests.contract.store.topology import REDIS_CLI, Cluster, Replicated, cli, until

pytestmark = [
    pytest.mark.redis_topology,
    pytest.mark.skipif(not (REDIS_SERVER.exists() and REDIS_CLI.exists()), reason=f"{REDIS_SERVER} is not installed"),
]


Closing = Callable[[Client], Client]


@pytest.fixture
async def closing() -> AsyncIterator[Closing]:
    """Clients that are closed whatever becomes of the test."""
    clients: list[Client] = []

    def keep(client: Client) -> Client:
        clients.append(client)
        return client

    yield keep
    for client in clients:
        await client.close()


@pytest.fixture
def replicated(tmp_path: Path) -> Iterator[Replicated]:
    servers = Replicated(tmp_path)
    yield servers
    servers.end()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    servers = Cluster(tmp_path)
    yield servers
    servers.end()


async def insist(world: World, n: int) -> bool:
    """As a platform does: deliver again until it is acknowledged. Whether it went through at once."""
    room = Room("slack", "T1", f"C{n}")
    first = True
    async with asyncio.timeout(30):
        while True:
            try:
                await world.store.intake(arrival(f"e{n}", room=room, new=f"t{n}"))
            except StoreUnavailable:
                first = False
            else:
                return first


async def stored(world: World) -> set[str]:
    """The threads whose events are there, by taking them."""
    world.time.advance(LEASE_MS + 1)
    return {claim.queue for claim in await world.store.sweep(limit=1000)}


async def test_a_failover_loses_nothing_that_was_copied(replicated: Replicated, closing: Closing) -> None:
    client = closing(Client(parse(replicated.url), wait_replicas=1))
    world = World(client)
    for n in range(100):
        await insist(world, n)
    replicated.kill(replicated.master)
    with pytest.raises(StoreUnavailable):
        await world.store.ping()
    replicated.until_failed_over()
    # The new master has no replica yet: it answers, but what it stores is not acknowledged.
    assert await stored(world) == {f"t|t{n}" for n in range(100)}
    with pytest.raises(StoreUnavailable, match="0 of 1"):
        await world.store.intake(arrival("lonely", new="lonely"))
    assert [found.code for found in await world.store.check() if found.severe] == ["replicas"]
    replicated.start(replicated.master)
    cli(replicated.master, "REPLICAOF", "127.0.0.1", str(replicated.replica))  # as the sentinels do, after 8 s
    until(lambda: "state=online" in cli(replicated.replica, "INFO", "replication"))
    assert {await insist(world, n) for n in range(100, 110)} <= {True, False}
    assert await stored(world) == {f"t|t{n}" for n in range(110)} | {"t|lonely"}


async def test_a_cluster_goes_on_without_one_master(cluster: Cluster, closing: Closing) -> None:
    client = closing(Client(parse(cluster.url), wait_replicas=1, patience_s=0.5))
    world = World(client)
    for n in range(100):
        await insist(world, n)
    places = {client.place(shard_of(f"slack.T1:C{n}")) for n in range(100)}
    assert {place.port for place in places if place} == set(cluster.masters())
    dead = cluster.masters()[0]
    cluster.kill(dead)
    # Threads of the masters that live are served while the Cluster is still finding out.
    alive = {
        f"t|t{n}" for n in range(100) if (place := client.place(shard_of(f"slack.T1:C{n}"))) and place.port != dead
    }
    assert await stored(world) == alive
    until(lambda: len(cluster.masters()) == 3)
    client.wait_replicas = 0  # the replica that took over has none itself
    for n in range(100):
        await insist(world, n)
    assert await stored(world) == {f"t|t{n}" for n in range(100)}


async def test_a_thread_moves_to_another_master_with_its_slot(cluster: Cluster, closing: Closing) -> None:
    """Resharding: redirections are followed, and a step that meets a half-moved slot changes nothing."""
    client = closing(Client(parse(cluster.url), patience_s=0.5))
    world = World(client)
    claim = (await world.store.intake(arrival("e1", new="t1"))).claims[0]
    slot = SLOT[claim.shard]
    place = client.place(claim.shard)
    assert place is not None
    source, target = place.port, next(port for port in cluster.masters() if port != place.port)
    ids = {port: cli(port, "CLUSTER", "MYID") for port in (source, target)}
    cli(target, "CLUSTER", "SETSLOT", str(slot), "IMPORTING", ids[source])
    cli(source, "CLUSTER", "SETSLOT", str(slot), "MIGRATING", ids[target])
    keys = cli(source, "CLUSTER", "GETKEYSINSLOT", str(slot), "100").splitlines()
    session = next(key for key in keys if "session:" in key)
    cli(source, "MIGRATE", "127.0.0.1", str(target), session, "0", "1000")
    change = outcome(cards=(CardView("c", b"v"),))
    with pytest.raises(StoreUnavailable):
        await world.store.commit(claim, change)
    cli(source, "MIGRATE", "127.0.0.1", str(target), "", "0", "1000", "KEYS", *[key for key in keys if key != session])
    for port in (target, source):
        cli(port, "CLUSTER", "SETSLOT", str(slot), "NODE", ids[target])
    committed = await world.store.commit(claim, change)
    assert committed.lost is False
    assert (await world.store.drawn(committed.claims[0], message="m")).lost is False
    moved = client.place(claim.shard)
    assert moved is not None
    assert moved.port == target


async def test_ended_conversations_are_found_on_every_master(cluster: Cluster, closing: Closing) -> None:
    client = closing(Client(parse(cluster.url), patience_s=0.5))
    world = World(client)
    rooms = [Room("slack", "T1", f"C{n}") for n in range(40)]
    for n, room in enumerate(rooms):
        (claim,) = (await world.store.intake(arrival(f"e{n}", room=room, new=f"t{n}"))).claims
        ended = outcome(state="archived", summary=f"s{n}".encode(), filed=("", "prod/pay/deployment/web"))
        assert not (await world.store.commit(claim, ended)).lost
    found = [one async for one in world.store.ended(0, 2 * START)]
    assert sorted(one.thread for one in found) == sorted(f"t{n}" for n in range(40))
    assert {client.place(shard_of(one.room)) for one in found} == {client.place(shard_of(r.key)) for r in rooms}
    for one in found:
        assert await world.store.settle(one, b"settled")
        (about,) = await world.store.of(one.room, "prod/pay/deployment/web", limit=3)
        assert (about.thread, about.body) == (one.thread, b"settled")


async def test_digests_tokens_and_the_tally_lie_where_they_are_looked_for(cluster: Cluster, closing: Closing) -> None:
    client = closing(Client(parse(cluster.url), patience_s=0.5))
    digests, spending = RedisDigests(client), RedisSpending(client)
    for n in range(40):
        assert await digests.claim(room=f"r{n}", week="2026-01-05")
        assert not await digests.claim(room=f"r{n}", week="2026-01-05")
        await spending.spend(1, thread="t", room=f"r{n}", day="20260105")
        assert await digests.tokens(room=f"r{n}", until=START) >= 0
    assert await spending.spent(thread="t", room="r3", day="20260105") == (1, 1, 40)
    await RedisTallies(client).keep(b"tally")
    assert await RedisTallies(client).last() == b"tally"
