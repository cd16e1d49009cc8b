"""The server is gone, silent, full, a replica, or forgets its scripts: said as StoreUnavailable, nothing lost."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from chatops_bot.adapters.redis.client import Client
from chatops_bot.adapters.redis.embedded import EmbeddedServer
from chatops_bot.adapters.redis.memory import info
from chatops_bot.adapters.redis.url import parse
from chatops_bot.ports.store import AuditEntry, CardView, Claim, StoreFull, StoreUnavailable, Work
from tests.contract.store.kit import LEASE_MS, ROOM, SHARD, World, arrival, by_queue, dump, outcome


@pytest.fixture
def impatient(own: EmbeddedServer) -> Client:
    return Client(parse(own.url), timeout_s=0.3, patience_s=0.0)


def every_call(world: World, claim: Claim) -> list[Callable[[], Awaitable[object]]]:
    """Each method of store, ledger and audit log, to be called once."""
    store, ledger, audit = world.store, world.ledger, world.audit
    lane = replace(claim, queue="c|t1|c", number=1)
    work = replace(claim, queue="w|t1|w")
    return [
        lambda: store.intake(arrival("e1", new="t1")),
        lambda: store.commit(claim, outcome()),
        lambda: store.drawn(lane, message="m"),
        lambda: store.done(work, event_id="r", event=b"x"),
        lambda: store.later(claim, 1),
        lambda: store.renew([claim]),
        store.sweep,
        store.next_due,
        lambda: store.give_back([claim]),
        store.secret,
        store.read_only,
        lambda: store.set_read_only("x"),
        store.queue_depths,
        store.ping,
        lambda: ledger.prepare(token="p", target="t", plan=b"", digest="", lives_ms=1, effect="", audit=()),
        lambda: ledger.read(token="p", target="t"),
        lambda: ledger.holder(target="t"),
        lambda: audit.append(shard_of="x", record=b"r"),
        lambda: audit.entries(shard=0),
        lambda: audit.lead(sink="x", for_ms=1_000),
        lambda: audit.sent(sink="x", shard=0),
        lambda: audit.mark_sent(sink="x", shard=0, id="1-1"),
        lambda: audit.base(shard=0),
        lambda: audit.mark_fresh(sink="x", for_ms=1_000),
        lambda: audit.fresh(sink="x"),
        lambda: audit.last_before(shard=0, at=1, copied=()),
        lambda: audit.trim(AuditEntry(0, "1-1", b"", "", ""), record=b"r"),
        lambda: store.posted(room=ROOM, thread="t1", card="c"),
    ]


async def test_a_server_that_is_gone_is_unavailable_and_forgets_nothing(
    own: EmbeddedServer, impatient: Client, tmp_path: Path
) -> None:
    world = World(impatient)
    claim = (await world.store.intake(arrival("e1", new="t1"))).claims[0]
    await world.store.commit(claim, outcome(cards=(CardView("c", b"v"),), work=(Work("w", b"x"),), audit=(b"r",)))
    await world.append("e2")
    before = await dump(impatient, SHARD)
    own.kill()
    with pytest.raises(StoreUnavailable):
        await world.store.intake(arrival("e3"))
    for call in (world.store.ping, world.store.sweep, world.store.next_due, world.store.queue_depths):
        with pytest.raises(StoreUnavailable):
            await call()
    again = await EmbeddedServer.start(tmp_path / "data")
    try:
        assert await dump(impatient, SHARD) == before
        world.time.advance(LEASE_MS + 1)
        assert {claim.queue for claim in await world.drain()} == {"t|t1", "c|t1|c", "w|t1|w"}
    finally:
        await impatient.close()
        await again.stop()


async def test_every_method_says_unavailable(own: EmbeddedServer, impatient: Client) -> None:
    world = World(impatient)
    claim = (await world.store.intake(arrival("seed", new="seed"))).claims[0]
    calls = every_call(world, claim)
    for call in calls:
        await call()
    own.kill()
    for call in calls:
        with pytest.raises(StoreUnavailable):
            await call()
    await impatient.close()


async def test_a_silent_server_is_unavailable_and_comes_back(own: EmbeddedServer, impatient: Client) -> None:
    world = World(impatient)
    await world.store.ping()
    own.send_signal(signal.SIGSTOP)
    answers = await asyncio.gather(
        *(world.store.intake(arrival(f"e{n}", new="t1")) for n in range(5)), return_exceptions=True
    )
    assert [type(answer) for answer in answers] == [StoreUnavailable] * 5
    own.send_signal(signal.SIGCONT)
    await _back(world)
    # Whether the first request was carried out is not known; asked again, it is stored once.
    for n in range(5):
        assert (await world.store.intake(arrival(f"e{n}", new="t1"))).taken in ("new", "duplicate")
    assert (await world.store.queue_depths())["mailbox"] == 5
    await impatient.close()


async def _back(world: World) -> None:
    """Until the server answers again."""
    async with asyncio.timeout(10):
        while True:
            try:
                return await world.store.ping()
            except StoreUnavailable:
                await asyncio.sleep(0)


async def test_a_patient_call_outlives_a_restart(own: EmbeddedServer, tmp_path: Path) -> None:
    client = Client(parse(own.url), patience_s=10)
    world = World(client)
    await world.store.ping()
    own.kill()
    waiting = asyncio.create_task(world.store.intake(arrival("e1", new="t1")))
    await asyncio.sleep(0)
    again = await EmbeddedServer.start(tmp_path / "data")
    assert (await waiting).taken == "new"
    assert client.round_trips["intake"] > 1
    await client.close()
    await again.stop()


async def test_scripts_that_the_server_forgot_are_given_again(world: World) -> None:
    claim = (await world.store.intake(arrival("e1", new="t1"))).claims[0]
    await world.client.command("SCRIPT", "FLUSH")
    committed = await world.store.commit(claim, outcome(cards=(CardView("c", b"v"),)))
    await world.client.command("SCRIPT", "FLUSH")
    assert await world.store.sweep() == []
    assert (await world.store.drawn(committed.claims[0], message="m")).lost is False


async def test_an_answered_message_is_three_round_trips(own: EmbeddedServer, impatient: Client) -> None:
    world = World(impatient)
    for n in range(10):
        claim = (await world.store.intake(arrival(f"e{n}", new="t1", thread="t1"))).claims[0]
        lane = (await world.store.commit(claim, outcome(cards=(CardView("c", b"v"),)))).claims[0]
        await world.store.drawn(lane, message="m")
    trips = world.store.round_trips
    # The first of each kind brings its script along.
    assert [trips[name] for name in ("intake", "commit", "drawn")] == [11, 11, 11]
    assert trips["INFO"] == 1
    await impatient.close()


async def test_a_caller_that_gives_up_does_not_disturb_the_others(world: World) -> None:
    tasks = [asyncio.create_task(world.store.intake(arrival(f"e{n}", new=f"t{n}", user=f"u{n}"))) for n in range(20)]
    await asyncio.sleep(0)
    for task in tasks[::2]:
        task.cancel()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert [getattr(answer, "thread", None) for answer in answers[1::2]] == [f"t{n}" for n in range(1, 20, 2)]
    await world.store.ping()


async def test_above_the_watermark_only_intake_stops(own: EmbeddedServer, impatient: Client) -> None:
    world = World(impatient)
    claim = (await world.store.intake(arrival("e1", new="t1"))).claims[0]
    await _limit(impatient, 1.1)
    world.time.advance(1_100)
    with pytest.raises(StoreFull):
        await world.store.intake(arrival("e2"))
    assert (await world.append("click", urgent=True)).taken == "append"
    assert (await world.store.commit(claim, outcome())).lost is False
    await _limit(impatient, 2)
    world.time.advance(1_100)
    assert (await world.store.intake(arrival("e2"))).taken == "new"
    await impatient.close()


async def _limit(client: Client, factor: float) -> None:
    """Memory allowed, as a multiple of what is used."""
    used = int(info(await client.command("INFO", "memory"))["used_memory"])
    await client.command("CONFIG", "SET", "maxmemory", str(int(used * factor)))


async def test_a_full_server_works_off_what_it_holds(binary: Path, tmp_path: Path) -> None:
    server = await EmbeddedServer.start(tmp_path, binary=binary)
    impatient = Client(parse(server.url), patience_s=0.0)
    world = World(impatient)
    target = "prod/pay/deployment/web"
    claim = (await world.store.intake(arrival("e1", new="t1"))).claims[0]
    await world.append("e2")
    await world.ledger.prepare(token="p", target=target, plan=b"", digest="d", lives_ms=9_999, effect="E1", audit=())
    await _limit(impatient, 0.5)
    with pytest.raises(StoreFull):
        await world.store.intake(arrival("e3", urgent=True))
    with pytest.raises(StoreFull):
        await world.store.ping()
    claims = by_queue(
        await world.store.commit(claim, outcome(cards=(CardView("c", b"v"),), work=(Work("w", b"x"),), audit=(b"r",)))
    )
    assert await world.store.renew(list(claims.values())) == set()
    world.time.advance(LEASE_MS + 1)
    found = {claim.queue: claim for claim in await world.drain()}
    assert set(found) == {"t|t1", "c|t1|c", "w|t1|w"}
    assert (await world.store.drawn(found["c|t1|c"], message="m")).lost is False
    assert (await world.store.done(found["w|t1|w"], event_id="r", event=b"x")).lost is False
    await world.store.later(found["t|t1"], 0)
    confirmed = await world.ledger.confirm(
        token="p", target=target, digest="d", by="bob", effect="E2", start_within_ms=9_999, audit=(b"r",)
    )
    assert confirmed.ok is True
    await impatient.close()
    await server.stop()


async def test_a_replica_takes_nothing(own: EmbeddedServer, impatient: Client) -> None:
    world = World(impatient)
    await world.store.ping()
    await impatient.command("REPLICAOF", "127.0.0.1", "1")
    with pytest.raises(StoreUnavailable, match="READONLY"):
        await world.store.intake(arrival("e1"))
    with pytest.raises(StoreUnavailable):
        await world.store.ping()
    await impatient.command("REPLICAOF", "NO", "ONE")
    assert (await world.store.intake(arrival("e1"))).taken == "new"
    await impatient.close()


async def test_without_the_copies_asked_for_nothing_is_acknowledged(own: EmbeddedServer) -> None:
    client = Client(parse(own.url), patience_s=0.0, wait_replicas=1)
    world = World(client)
    with pytest.raises(StoreUnavailable, match="0 of 1"):
        await world.store.intake(arrival("e1"))
    with pytest.raises(StoreUnavailable, match="0 of 1"):  # a second delivery proves no more than the first
        await world.store.intake(arrival("e1"))
    # What needs no copy goes on.
    assert await world.store.sweep() == []
    assert await world.store.next_due() > 0
    await client.close()


async def test_a_password_is_given_and_never_told(own: EmbeddedServer, impatient: Client) -> None:
    await impatient.command("CONFIG", "SET", "requirepass", "hunter2")
    await impatient.close()
    path = own.url.removeprefix("unix://")
    right = Client(parse(f"unix://:hunter2@{path}"), patience_s=0.0)
    await World(right).store.ping()
    await right.close()
    wrong = Client(parse(f"unix://:wrong-one@{path}"), patience_s=0.0)
    with pytest.raises(StoreUnavailable) as caught:
        await World(wrong).store.ping()
    assert "wrong-one" not in str(caught.value) + repr(wrong.target)
    await wrong.close()


async def test_databases_are_apart(own: EmbeddedServer, impatient: Client) -> None:
    other = Client(parse(f"{own.url}?db=3"), patience_s=0.0)
    await World(impatient).store.intake(arrival("e1", new="t1"))
    assert await World(other).store.next_due() == 0
    await other.close()
    await impatient.close()


async def test_what_doctor_is_told(own: EmbeddedServer, impatient: Client) -> None:
    store = World(impatient).store
    assert [(found.code, found.severe) for found in await store.check()] == [("no_memory_limit", False)]
    for name, value in (("maxmemory", "1gb"), ("maxmemory-policy", "allkeys-lru"), ("appendfsync", "everysec")):
        await impatient.command("CONFIG", "SET", name, value)
    assert [(found.code, found.found) for found in await store.check()] == [
        ("eviction", "allkeys-lru"),
        ("sync", "everysec"),
    ]
    await impatient.command("CONFIG", "SET", "appendonly", "no")
    await impatient.command("REPLICAOF", "127.0.0.1", "1")
    impatient.wait_replicas = 1
    assert {found.code for found in await store.check() if found.severe} == {
        "eviction",
        "not_master",
        "no_append_file",
        "replicas",
    }
    own.kill()
    assert [found.code for found in await store.check()] == ["unreachable"]
    await impatient.close()
