"""Who works on what, for how long; what becomes due; rows that cannot be used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from chatops_bot.adapters.redis.client import Client
from chatops_bot.adapters.redis.embedded import EmbeddedServer
from chatops_bot.adapters.redis.resp import Argument, Reply
from chatops_bot.adapters.redis.scripts import Script
from chatops_bot.adapters.redis.url import parse
from chatops_bot.domain.events import Timer, decode
from chatops_bot.ports.store import CardView, Work
from tests.contract.store.kit import LEASE_MS, OTHER_ROOM, SHARD, START, Time, World, arrival, connected, outcome


async def test_a_sweep_takes_what_was_abandoned_and_counts(world: World) -> None:
    (claim,) = (await world.store.intake(arrival("e1", new="t1"))).claims
    assert await world.drain() == []
    for attempts in (2, 3, 4):
        world.time.advance(LEASE_MS + 1)
        (claim,) = await world.drain()
        assert (claim.entry, claim.attempts) == ("e1", attempts)
        assert claim.deadline == world.time.monotonic() + 6
    await world.append("e2")
    (after,) = (await world.store.commit(claim, outcome())).claims
    assert (after.entry, after.attempts) == ("e2", 1)


async def test_a_sweep_looks_into_every_shard(world: World) -> None:
    for n in range(200):
        room = type(OTHER_ROOM)("slack", "T1", f"R{n}")
        await world.store.intake(arrival("e", room=room, new=f"t{n}"))
    world.time.advance(LEASE_MS + 1)
    claims = await world.drain()
    assert {claim.queue for claim in claims} == {f"t|t{n}" for n in range(200)}
    assert len({claim.shard for claim in claims}) > 50


async def test_a_sweep_takes_no_more_of_a_shard_than_asked(world: World) -> None:
    for n in range(5):
        await world.store.intake(arrival(f"e{n}", new=f"t{n}", user=f"u{n}"))
        world.time.advance(1)
    world.time.advance(LEASE_MS)
    assert [claim.queue for claim in await world.store.sweep(limit=2)] == ["t|t0", "t|t1"]
    assert len(await world.store.sweep(limit=16)) == 3


async def test_renewing_keeps_what_is_held_and_tells_what_is_lost(world: World) -> None:
    kept = (await world.store.intake(arrival("e1", new="t1"))).claims[0]
    lost = (await world.store.intake(arrival("e2", room=OTHER_ROOM, new="t2"))).claims[0]
    for _ in range(3):
        world.time.advance(4_000)
        assert await world.store.renew([kept]) == set()
    (taken,) = await world.drain()
    assert taken.queue == "t|t2"
    assert await world.store.renew([kept, lost, taken]) == {lost.token}
    assert await world.store.renew([]) == set()


async def test_what_has_ended_cannot_be_renewed(world: World) -> None:
    claim = (await world.store.intake(arrival("e1", new="t1"))).claims[0]
    await world.store.commit(claim, outcome())
    assert await world.store.renew([claim]) == {claim.token}
    assert await world.store.next_due() == 0


async def test_later_comes_back_after_its_delay(world: World) -> None:
    claim = (await world.store.intake(arrival("e1", new="t1"))).claims[0]
    await world.store.later(claim, 30_000)
    assert (await world.append("e2")).claims == ()
    assert await world.store.next_due() == START + 30_000
    world.time.advance(29_999)
    assert await world.drain() == []
    world.time.advance(1)
    (again,) = await world.drain()
    assert (again.entry, again.attempts) == ("e1", 2)
    await world.store.later(claim, 0)  # no longer held by that claim: nothing happens
    assert await world.store.renew([again]) == set()


async def test_given_back_is_taken_at_once_and_was_no_attempt(world: World) -> None:
    claim = (await world.store.intake(arrival("e1", new="t1"))).claims[0]
    other = (await world.store.intake(arrival("e2", room=OTHER_ROOM, new="t2"))).claims[0]
    await world.store.give_back([claim, other])
    claims = await world.drain()
    assert [(claim.queue, claim.attempts) for claim in claims] == [("t|t1", 1), ("t|t2", 1)]


async def test_a_timer_becomes_an_event_of_its_thread(world: World) -> None:
    claim = (await world.store.intake(arrival("e1", new="t1"))).claims[0]
    await world.store.commit(claim, outcome(wake=START + 10_000))
    assert await world.store.next_due() == START + 10_000
    world.time.advance(9_999)
    assert await world.drain() == []
    world.time.advance(1)
    (rung,) = await world.drain()
    assert (rung.queue, rung.entry) == ("t|t1", f"timer:t1:{START + 10_000}:2")
    assert decode(rung.body) == Timer()
    await world.store.commit(rung, outcome())
    assert await world.store.next_due() == 0


async def test_a_timer_waits_behind_what_is_queued(world: World) -> None:
    claim = (await world.store.intake(arrival("e1", new="t1"))).claims[0]
    await world.append("e2")
    (held,) = (await world.store.commit(claim, outcome(wake=START + 1_000))).claims
    world.time.advance(1_000)
    assert await world.drain() == []
    assert (await world.store.queue_depths()) == {"mailbox": 2, "card": 0, "work": 0, "plan": 0, "timer": 0}
    (after,) = (await world.store.commit(held, outcome())).claims
    assert decode(after.body) == Timer()


async def test_a_timer_set_twice_for_one_time_is_two_events(world: World) -> None:
    claim = (await world.store.intake(arrival("e1", new="t1"))).claims[0]
    await world.store.commit(claim, outcome(wake=START + 1_000))
    world.time.advance(1_000)
    (first,) = await world.drain()
    await world.store.commit(first, outcome(wake=START + 1_000))
    (second,) = await world.drain()
    assert first.entry != second.entry


async def test_a_timer_of_a_thread_no_longer_stored_is_dropped(world: World) -> None:
    claim = (await world.store.intake(arrival("e1", new="t1"))).claims[0]
    await world.store.commit(claim, outcome(wake=START + 1_000))
    await world.client.command("DEL", f"{{{SHARD}}}:session:t1", shard=SHARD)
    world.time.advance(1_000)
    assert await world.drain() == []
    assert await world.store.next_due() == 0
    assert await world.hash("session:t1") == {}


async def test_depths_and_the_next_due_time(world: World) -> None:
    assert await world.store.next_due() == 0
    claim = (await world.store.intake(arrival("e1", new="t1"))).claims[0]
    for n in range(3):
        await world.append(f"f{n}")
    await world.store.commit(
        claim,
        outcome(cards=(CardView("a", b"1"), CardView("b", b"2")), work=(Work("w", b"3"),), wake=START + 99_000),
    )
    assert await world.store.queue_depths() == {"mailbox": 3, "card": 2, "work": 1, "plan": 0, "timer": 1}
    assert await world.store.next_due() == START + LEASE_MS


async def test_a_bad_row_does_not_end_a_sweep(world: World) -> None:
    start = f"{{{SHARD}}}:"
    await world.client.command("SET", f"{start}queue:t|bad", "not a list", shard=SHARD)
    rows = ("t|bad", "?|kind", "c|nobody|x", "w|nobody|x", "p|nobody", "t|nobody", "x|nobody", "rubbish")
    for row in rows:
        await world.client.command("ZADD", f"{start}due", 1, row, shard=SHARD)
    await world.store.intake(arrival("e1", new="t1"))
    world.time.advance(LEASE_MS + 1)
    (claim,) = await world.drain()
    assert claim.queue == "t|t1"
    # What holds nothing is gone; what cannot be understood is out of the way for a while.
    left = await world.client.command("ZRANGE", f"{start}due", 0, -1, shard=SHARD)
    assert left == [b"?|kind", b"rubbish", b"t|bad", b"t|t1"]
    assert await world.drain() == []


async def test_what_a_newer_version_wrote_is_left_to_it(world: World) -> None:
    claim = (await world.store.intake(arrival("e1", new="t1"))).claims[0]
    committed = await world.store.commit(claim, outcome(work=(Work("w", b"x"),)))
    await world.append("e2")
    start = f"{{{SHARD}}}:"
    for queue in ("t|t1", "w|t1|w"):
        await world.client.command("LSET", f"{start}queue:{queue}", 0, b"2\x1e???", shard=SHARD)
    world.time.advance(LEASE_MS + 1)
    assert await world.drain() == []
    world.time.advance(500)
    assert await world.drain() == []  # out of the way for a second
    assert (await world.store.queue_depths())["mailbox"] == 1
    assert len(committed.claims) == 1


async def test_what_an_older_version_wrote_is_taken(world: World) -> None:
    await world.opened()
    await world.append("e2")
    queue = f"{{{SHARD}}}:queue:t|t1"
    raw = cast(bytes, await world.client.command("LINDEX", queue, 0, shard=SHARD))
    await world.client.command("LSET", queue, 0, b"0" + raw.removeprefix(b"1"), shard=SHARD)
    world.time.advance(LEASE_MS + 1)
    (claim,) = await world.drain()
    assert claim.entry == "e2"


async def test_a_session_of_a_newer_version_is_left_to_it(world: World) -> None:
    await world.opened()
    await world.client.command("HSET", f"{{{SHARD}}}:session:t1", "schema", 2, shard=SHARD)
    assert (await world.append("e2")).claims == ()
    world.time.advance(LEASE_MS + 1)
    assert await world.drain() == []
    await world.client.command("HSET", f"{{{SHARD}}}:session:t1", "schema", 1, shard=SHARD)
    world.time.advance(1_000)
    (claim,) = await world.drain()
    assert claim.entry == "e2"


async def test_tokens_never_repeat(world: World) -> None:
    tokens = set()
    claim = (await world.store.intake(arrival("e1", new="t1"))).claims[0]
    for n in range(20):
        tokens.add(claim.token)
        await world.append(f"f{n}")
        (claim,) = (await world.store.commit(claim, outcome())).claims
    world.time.advance(LEASE_MS + 1)
    tokens |= {claim.token for claim in await world.drain()}
    assert len(tokens) == 21


async def test_the_switch_and_the_secret_are_shared(world: World) -> None:
    other = World(world.client)
    assert await world.store.read_only() == ""
    await other.store.set_read_only("alice: incident 7")
    assert await world.store.read_only() == "alice: incident 7"
    await world.store.set_read_only("")
    assert await other.store.read_only() == ""
    secret = await world.store.secret()
    assert len(secret) == 32
    assert await other.store.secret() == secret
    await world.store.ping()


async def test_redis_own_clock_is_used_where_none_is_given(server: EmbeddedServer) -> None:
    client = connected(server.url)
    await client.command("FLUSHALL")
    real = World(client, real_time=True)
    now = await real.store.now()
    assert now > START
    claim = (await real.store.intake(arrival("e1", new="t1"))).claims[0]
    assert now + LEASE_MS <= await real.store.next_due() <= now + LEASE_MS + 60_000
    assert (await real.store.commit(claim, outcome())).lost is False
    await client.close()


class SlowClient(Client):
    """A client whose requests take two seconds of the holder's time."""

    time: Time

    async def script(
        self,
        script: Script,
        shard: int,
        arguments: Sequence[Argument],
        *,
        keys: Sequence[str] = (),
        copies: bool = False,
        patient: bool = True,
    ) -> Reply:
        if shard == SHARD:
            self.time.advance(2_000)
        return await super().script(script, shard, arguments, keys=keys, copies=copies, patient=patient)


async def test_a_deadline_counts_from_before_the_request(server: EmbeddedServer) -> None:
    """Else a slow answer would let a holder go on after its lease."""
    client = SlowClient(parse(server.url))
    await client.command("FLUSHALL")
    world = World(client)
    client.time = world.time
    before = world.time.monotonic()
    (claim,) = (await world.store.intake(arrival("e1", new="t1"))).claims
    assert claim.deadline == before + 6
    change = outcome(cards=(CardView("c", b"1"),), work=(Work("w", b"x"),))
    before = world.time.monotonic()
    lane, work = (await world.store.commit(claim, change)).claims
    assert lane.deadline == work.deadline == before + 6
    before = world.time.monotonic()
    (claim,) = (await world.store.done(work, event_id="r", event=b"x")).claims
    assert claim.deadline == before + 6
    world.time.advance(LEASE_MS + 1)
    before = world.time.monotonic()
    assert {claim.deadline for claim in await world.store.sweep()} == {before + 6}
    await client.close()
