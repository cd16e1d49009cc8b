"""What one turn changes, in one step or not at all."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from chatops_bot.adapters.redis.store import RedisStore
from chatops_bot.domain.routing import Verdict
from chatops_bot.ports.store import Arrival, CardView, Claim, Outcome, Work
from tests.contract.store.kit import LEASE_MS, SHARD, START, World, arrival, by_queue, dump, everywhere, outcome

EVERYTHING = outcome(
    session=b"\x00new\xff",
    state="confirming",
    lock="k1",
    asks="alice",
    public=b"public",
    cards=(CardView("c1", b"view 1"), CardView("c2", b"view 2", message="m2")),
    work=(Work("w1", b"work 1"),),
    wake=START + 60_000,
    summary=b"summary",
    audit=(b"record 1", b"record 2"),
)


async def first(world: World, id: str = "e1", **more: str) -> Claim:
    return (await world.store.intake(arrival(id, new=more.get("new", "t1")))).claims[0]


async def test_everything_is_written_and_taken_for_the_caller(world: World) -> None:
    committed = await world.store.commit(await first(world), EVERYTHING)
    assert committed.lost is False
    claims = by_queue(committed)
    assert set(claims) == {"c|t1|c1", "c|t1|c2", "w|t1|w1"}
    assert (claims["c|t1|c1"].view, claims["c|t1|c1"].number, claims["c|t1|c1"].message) == (b"view 1", 1, "")
    assert claims["c|t1|c2"].message == "m2"
    assert (claims["w|t1|w1"].entry, claims["w|t1|w1"].body) == ("w1", b"work 1")
    session = await world.hash("session:t1")
    assert session["body"] == b"\x00new\xff"
    assert [session[name] for name in ("state", "lock", "asks", "public", "version")] == [
        b"confirming",
        b"k1",
        b"alice",
        b"public",
        b"1",
    ]
    assert await world.get("summary:t1") == "summary"
    assert await world.get("card:slack.T1:C1|m2") == "t1"
    assert await world.store.next_due() == START + LEASE_MS
    entries = await world.audit.entries(shard=SHARD)
    assert [entry.record for entry in entries] == [b"record 1", b"record 2"]


@pytest.mark.parametrize(
    "change", [{"token": "another"}, {"entry": "another"}, {"version": 7}], ids=["lease", "head", "version"]
)
async def test_a_stale_claim_changes_nothing(world: World, change: dict[str, object]) -> None:
    claim = await first(world)
    await world.append("e2")
    before = await dump(world.client, SHARD)
    committed = await world.store.commit(replace(claim, **change), EVERYTHING)
    assert (committed.lost, committed.claims) == (True, ())
    assert await dump(world.client, SHARD) == before
    assert not (await world.store.commit(claim, EVERYTHING)).lost


async def test_a_lease_that_somebody_else_took_is_lost(world: World) -> None:
    claim = await first(world)
    world.time.advance(LEASE_MS + 1)
    (taken,) = await world.drain()
    assert (taken.queue, taken.attempts) == ("t|t1", 2)
    assert (await world.store.commit(claim, EVERYTHING)).lost is True
    assert (await world.store.commit(taken, EVERYTHING)).lost is False


async def test_a_lease_that_ran_out_and_was_not_taken_still_holds(world: World) -> None:
    claim = await first(world)
    world.time.advance(LEASE_MS + 1)
    assert (await world.store.commit(claim, EVERYTHING)).lost is False


async def test_the_same_commit_again_gets_the_same_answer(world: World) -> None:
    """Also when its caller repeats it later, with a view to the claims it lost."""
    claim = await first(world)
    await world.append("e2")
    committed = await world.store.commit(claim, EVERYTHING)
    before = await dump(world.client, SHARD)
    assert await world.store.commit(claim, EVERYTHING) == committed
    assert await dump(world.client, SHARD) == before


async def test_views_are_numbered_and_the_newest_counts(world: World) -> None:
    claim = await first(world)
    await world.append("e2")
    committed = by_queue(await world.store.commit(claim, outcome(cards=(CardView("c", b"v1"),))))
    again = await world.store.commit(committed["t|t1"], outcome(cards=(CardView("c", b"v2"),)))
    assert again.claims == ()  # the lane is held
    drawn = await world.store.drawn(committed["c|t1|c"], message="m1")
    (lane,) = drawn.claims
    assert (lane.view, lane.number, lane.drawn, lane.message, lane.attempts) == (b"v2", 2, 1, "m1", 1)


async def test_pointers_are_released_only_if_they_lead_here(world: World) -> None:
    claim = await first(world)
    await world.store.intake(arrival("e2", new="t2", user="bob"))
    await world.store.commit(claim, outcome(state="archived", release=("alice", "bob", "carol")))
    assert await world.get("current:slack.T1:C1|alice") is None
    assert await world.get("current:slack.T1:C1|bob") == "t2"


async def test_a_wake_replaces_the_one_before(world: World) -> None:
    claim = await first(world)
    await world.append("e2")
    await world.append("e3")
    (claim,) = (await world.store.commit(claim, outcome(wake=START + 5_000))).claims
    (claim,) = (await world.store.commit(claim, outcome(wake=START + 3_000))).claims
    assert await world.store.next_due() == START + 3_000
    await world.store.commit(claim, outcome(wake=0))
    assert await world.store.next_due() == 0


async def test_an_archived_thread_becomes_garbage_once_nothing_is_queued(world: World) -> None:
    claim = await first(world)
    await world.append("e2")
    claims = by_queue(await world.store.commit(claim, outcome(cards=(CardView("c", b"v"),), work=(Work("w", b"w"),))))
    await world.store.commit(claims["t|t1"], outcome(state="archived", keep_s=777))
    assert await world.ttl("session:t1") == -1
    await world.store.drawn(claims["c|t1|c"], message="m1")
    assert await world.ttl("session:t1") == -1
    await world.store.done(claims["w|t1|w"], event_id="w", event=b"")
    assert 770 < await world.ttl("session:t1") <= 777
    assert 770 < await world.ttl("view:t1") <= 777
    assert 770 < await world.ttl("current:slack.T1:C1|alice") <= 777


async def test_a_late_event_keeps_an_archived_thread(world: World) -> None:
    claim = await first(world)
    await world.store.commit(claim, outcome(state="archived", keep_s=777))
    assert await world.ttl("session:t1") > 0
    (claim,) = (await world.append("e2")).claims
    assert await world.ttl("session:t1") == -1
    assert claim.session == b"session"
    await world.store.commit(claim, outcome(state="archived", keep_s=777))
    assert await world.ttl("session:t1") > 0


async def test_a_live_thread_is_no_garbage(world: World) -> None:
    await world.opened(state="follow_up")
    assert await world.ttl("session:t1") == -1


def moved(event: Arrival, *audit: bytes) -> Outcome:
    return outcome(move=event, audit=audit)


async def test_an_event_that_finds_its_thread_archived_moves_on(world: World) -> None:
    claim = await first(world)
    for name in ("e2", "e3"):
        await world.append(name)
    (claim,) = (await world.store.commit(claim, outcome(state="archived", release=("alice",)))).claims
    follow = replace(everywhere(Verdict.APPEND), none=Verdict.NEW)
    committed = await world.store.commit(claim, moved(arrival("e2", new="t2", verdicts=follow), b"record"))
    assert (committed.lost, committed.taken, committed.thread) == (False, "new", "t2")
    claims = by_queue(committed)
    assert (claims["t|t2"].entry, claims["t|t1"].entry, claims["t|t1"].version) == ("e2", "e3", 1)
    assert [entry.record for entry in await world.audit.entries(shard=SHARD)] == [b"record"]
    committed = await world.store.commit(claims["t|t1"], moved(arrival("e3", new="t3", verdicts=follow)))
    assert (committed.taken, committed.thread, committed.claims) == ("append", "t2", ())
    (after,) = (await world.store.commit(claims["t|t2"], outcome())).claims
    assert after.entry == "e3"
    session = await world.hash("session:t1")
    assert (session["version"], session["state"]) == (b"1", b"archived")
    assert await world.ttl("session:t1") > 0


def numbered(name: str) -> Arrival:
    """A message as the engine routes it: one's own thread goes on, else a new one is opened."""
    return arrival(name, verdicts=replace(everywhere(Verdict.APPEND), none=Verdict.NEW))


async def test_order_is_kept_over_the_end_of_a_thread(world: World) -> None:
    """What is said while the archived thread still has events waiting stays behind them."""
    claim = await first(world, "e1")
    for name in ("e2", "e3"):
        await world.store.intake(numbered(name))
    ended = outcome(state="archived", release=("alice",))
    (claim,) = (await world.store.commit(claim, ended)).claims
    late = await world.store.intake(numbered("e4"))
    assert (late.taken, late.thread) == ("append", "t1")
    heirs: list[Claim] = []
    for name in ("e2", "e3", "e4"):
        assert claim.entry == name
        claims = by_queue(await world.store.commit(claim, moved(numbered(name))))
        heirs += [claims[queue] for queue in claims if queue != "t|t1"]
        if name == "e3":
            assert (await world.store.intake(numbered("e5"))).thread == "t1"
        claim = claims.get("t|t1", claim)
    assert claim.entry == "e5"
    assert await world.get("current:slack.T1:C1|alice") == "t1"
    assert (await world.store.commit(claim, moved(numbered("e5")))).claims == ()
    assert await world.get("current:slack.T1:C1|alice") == "new-e2"
    assert (await world.store.intake(numbered("e6"))).thread == "new-e2"
    (claim,) = heirs
    order = [claim.entry]
    while more := (await world.store.commit(claim, outcome())).claims:
        (claim,) = more
        order.append(claim.entry)
    assert order == ["e2", "e3", "e4", "e5", "e6"]


async def test_the_pointer_of_a_drained_thread_is_cleared(world: World) -> None:
    claim = await first(world, "e1")
    await world.append("result")
    (claim,) = (await world.store.commit(claim, outcome(state="archived", release=("alice",)))).claims
    assert await world.get("current:slack.T1:C1|alice") == "t1"
    await world.store.commit(claim, outcome(state="archived"))
    assert await world.get("current:slack.T1:C1|alice") is None
    assert (await world.store.intake(numbered("e2"))).taken == "new"


async def test_a_moved_event_does_not_enter_a_thread_begun_after_it_was_said(world: World) -> None:
    """ "scale it" about the old service must not be understood in the thread of another one."""
    claim = await first(world, "e1")
    await world.append("e2")
    await world.append("e4")
    await world.store.intake(arrival("e3", new="t3"))
    (claim,) = (await world.store.commit(claim, outcome(state="archived", release=("alice",)))).claims
    claims = by_queue(await world.store.commit(claim, moved(numbered("e2"))))
    assert set(claims) == {"t|new-e2", "t|t1"}
    committed = await world.store.commit(claims["t|t1"], moved(numbered("e4")))
    assert (committed.taken, committed.thread) == ("append", "new-e2")
    assert await world.get("current:slack.T1:C1|alice") == "t3"


async def test_a_moved_event_gives_a_pointer_to_whom_has_none(world: World) -> None:
    claim = await first(world)
    await world.append("e2")
    (claim,) = (await world.store.commit(claim, outcome(state="archived", release=("alice",)))).claims
    event = replace(numbered("e2"), user="bob")
    assert (await world.store.commit(claim, moved(event))).taken == "new"
    assert await world.get("current:slack.T1:C1|bob") == "new-e2"


async def test_what_moves_twice_stays_in_order(world: World) -> None:
    """The thread that the first events moved to has been archived, too."""
    claim = await first(world, "e1")
    for name in ("e2", "e3", "e4"):
        await world.store.intake(numbered(name))
    ended = outcome(state="archived", release=("alice",))
    (claim,) = (await world.store.commit(claim, ended)).claims
    claims = by_queue(await world.store.commit(claim, moved(numbered("e2"))))
    second = claims["t|new-e2"]
    claims = by_queue(await world.store.commit(claims["t|t1"], moved(numbered("e3"))))
    (second,) = (await world.store.commit(second, ended)).claims
    third = by_queue(await world.store.commit(second, moved(numbered("e3"))))["t|new-e3"]
    await world.store.commit(claims["t|t1"], moved(numbered("e4")))
    (fourth,) = (await world.store.commit(third, outcome())).claims
    assert (fourth.queue, fourth.entry) == ("t|new-e3", "e4")


async def test_a_moved_event_may_come_to_nothing(world: World) -> None:
    claim = await first(world)
    committed = await world.store.commit(claim, moved(arrival("e1", verdicts=everywhere(Verdict.IGNORE))))
    assert (committed.taken, committed.thread, committed.claims) == ("ignore", "", ())
    assert (await world.store.queue_depths())["mailbox"] == 0


async def test_a_moved_event_is_not_refused_for_a_full_mailbox(world: World) -> None:
    world.store = RedisStore(world.base, monotonic=world.time.monotonic, cap=3)
    await world.store.intake(arrival("b0", new="t2", user="bob"))
    for n in (1, 2):
        await world.append(f"b{n}", thread="t2")
    assert (await world.append("b3", thread="t2")).taken == "full"
    claim = await first(world)
    to = arrival("e1", thread="t2", verdicts=everywhere(Verdict.APPEND))
    assert (await world.store.commit(claim, moved(to))).taken == "append"


async def test_moving_needs_the_lease_too(world: World) -> None:
    claim = await first(world)
    committed = await world.store.commit(replace(claim, token="another"), moved(arrival("e1", new="t2")))
    assert committed.lost is True
    assert (await world.hash("session:t2")) == {}


async def test_a_moved_event_stays_seen(world: World) -> None:
    claim = await first(world)
    await world.store.commit(claim, moved(arrival("e1", new="t2")))
    again = await world.store.intake(arrival("e1", new="t1"))
    assert (again.taken, again.thread) == ("duplicate", "t2")
