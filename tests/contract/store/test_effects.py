"""Card lanes and work: drawn newest first, done once, told to the thread."""

from __future__ import annotations

from msgspec.structs import replace

from chatops_bot.ports.store import CardView, Claim, Work
from tests.contract.store.kit import LEASE_MS, World, arrival, by_queue, outcome


async def lane(world: World, view: bytes = b"v1") -> Claim:
    claim = (await world.store.intake(arrival("e1", new="t1"))).claims[0]
    return (await world.store.commit(claim, outcome(cards=(CardView("c", view),)))).claims[0]


async def redraw(world: World, view: bytes) -> dict[str, Claim]:
    """One more turn of the thread, which gives the card a new view."""
    (claim,) = (await world.append(f"redraw {view!r}")).claims
    return by_queue(await world.store.commit(claim, outcome(cards=(CardView("c", view),))))


async def piece(world: World) -> Claim:
    claim = (await world.store.intake(arrival("e1", new="t1"))).claims[0]
    return (await world.store.commit(claim, outcome(work=(Work("w", b"body"),)))).claims[0]


async def test_a_drawn_card_is_known_by_its_message(world: World) -> None:
    claim = await lane(world)
    assert (await world.store.drawn(claim, message="m1", bind=("thread-root",))).claims == ()
    assert await world.get("card:slack.T1:C1|m1") == "t1"
    assert await world.get("card:slack.T1:C1|thread-root") == "t1"
    assert 1_209_000 < await world.ttl("card:slack.T1:C1|m1") <= 1_209_600
    assert (await world.store.queue_depths())["card"] == 0
    assert (await redraw(world, b"v2"))["c|t1|c"].message == "m1"


async def test_a_card_that_could_not_be_drawn_is_not_drawn_for_ever(world: World) -> None:
    claim = await lane(world)
    assert (await world.store.drawn(claim, message="")).lost is False
    assert await world.drain() == []
    assert (await redraw(world, b"v2"))["c|t1|c"].message == ""


async def test_updates_of_a_held_lane_are_drawn_as_one(world: World) -> None:
    claim = await lane(world)
    for view in (b"v2", b"v3", b"v4"):
        assert "c|t1|c" not in await redraw(world, view)
    (again,) = (await world.store.drawn(claim, message="m1")).claims
    assert (again.view, again.number, again.drawn) == (b"v4", 4, 1)
    assert (await world.store.drawn(again, message="m1")).claims == ()


async def test_cards_of_one_thread_are_lanes_of_their_own(world: World) -> None:
    claim = (await world.store.intake(arrival("e1", new="t1"))).claims[0]
    lanes = by_queue(await world.store.commit(claim, outcome(cards=(CardView("a", b"1"), CardView("b", b"2")))))
    await world.store.drawn(lanes["c|t1|a"], message="ma")
    assert (await world.store.drawn(lanes["c|t1|b"], message="mb")).lost is False
    assert await world.get("card:slack.T1:C1|mb") == "t1"


async def test_a_lane_nobody_draws_is_taken_up(world: World) -> None:
    await lane(world)
    world.time.advance(LEASE_MS + 1)
    (taken,) = await world.drain()
    assert (taken.queue, taken.view, taken.attempts) == ("c|t1|c", b"v1", 2)


async def test_one_who_was_late_has_the_card_drawn_again(world: World) -> None:
    late = await lane(world)
    world.time.advance(LEASE_MS + 1)
    (taken,) = await world.drain()
    assert (await world.store.drawn(taken, message="m1")).lost is False
    answer = await world.store.drawn(late, message="m0")
    assert (answer.lost, answer.claims) == (True, ())
    (again,) = await world.drain()
    assert (again.queue, again.view, again.message) == ("c|t1|c", b"v1", "m1")
    assert again.number > again.drawn
    # A reply to the message posted too much still finds the thread.
    assert await world.get("card:slack.T1:C1|m0") == "t1"
    assert (await world.store.drawn(again, message="m1")).claims == ()


async def test_one_who_is_late_while_another_draws_makes_that_one_draw_again(world: World) -> None:
    late = await lane(world)
    world.time.advance(LEASE_MS + 1)
    (taken,) = await world.drain()
    assert (await world.store.drawn(late, message="m0")).lost is True
    (again,) = (await world.store.drawn(taken, message="m1")).claims
    assert (again.view, again.message) == (b"v1", "m1")


async def test_a_card_was_seen_by_what_came_in_after_its_newest_view_was_drawn(world: World) -> None:
    drawing = await lane(world)
    (early,) = (await world.append("e2")).claims
    assert await world.store.seen(early, "c") is False, "nothing is drawn yet"
    await world.store.drawn(drawing, message="m1")
    assert await world.store.seen(early, "c") is False, "it was there before the card"
    (later,) = (await world.store.commit(early, outcome())).claims or (await world.append("e3")).claims
    assert await world.store.seen(later, "c") is True
    assert await world.store.seen(later, "other") is False
    await world.store.commit(later, outcome(cards=(CardView("c", b"v2"),)))
    (latest,) = (await world.append("e4")).claims
    assert await world.store.seen(latest, "c") is False, "its newest view is not"


async def test_a_late_first_post_is_the_card_while_there_is_no_other(world: World) -> None:
    late = await lane(world)
    world.time.advance(LEASE_MS + 1)
    await world.drain()
    await world.store.drawn(late, message="m0")
    assert (await world.hash("view:t1"))["m:c"] == b"m0"


async def test_a_late_drawer_keeps_an_archived_thread_until_it_is_drawn_again(world: World) -> None:
    late = await lane(world)
    world.time.advance(LEASE_MS + 1)
    (taken,) = await world.drain()
    (claim,) = (await world.append("e2")).claims
    await world.store.commit(claim, outcome(state="archived", keep_s=777))
    await world.store.drawn(taken, message="m1")
    assert await world.ttl("view:t1") > 0
    await world.store.drawn(late, message="m0")
    assert await world.ttl("view:t1") == -1
    (again,) = await world.drain()
    await world.store.drawn(again, message="m1")
    assert await world.ttl("view:t1") > 0


async def test_what_was_drawn_for_a_thread_no_longer_stored_is_dropped(world: World) -> None:
    claim = await lane(world)
    await world.client.command("DEL", f"{{{claim.shard}}}:view:t1", f"{{{claim.shard}}}:session:t1", shard=claim.shard)
    assert (await world.store.drawn(claim, message="m1")).claims == ()
    world.time.advance(LEASE_MS + 1)
    assert await world.drain() == []
    assert await world.hash("view:t1") == {}


async def test_the_result_of_work_is_an_event(world: World) -> None:
    claim = await piece(world)
    assert (claim.queue, claim.entry, claim.body) == ("w|t1|w", "w", b"body")
    done = await world.store.done(claim, event_id="r", event=b"result")
    (mailbox,) = done.claims
    assert (mailbox.entry, mailbox.body, mailbox.version) == ("r", b"result", 1)
    assert (await world.store.queue_depths())["work"] == 0


async def test_work_may_have_no_result(world: World) -> None:
    done = await world.store.done(await piece(world), event_id="r", event=b"")
    assert (done.lost, done.claims) == (False, ())
    assert await world.store.next_due() == 0


async def test_a_result_waits_its_turn(world: World) -> None:
    claim = await piece(world)
    (held,) = (await world.append("e2")).claims
    assert (await world.store.done(claim, event_id="r", event=b"result")).claims == ()
    (after,) = (await world.store.commit(held, outcome())).claims
    assert after.entry == "r"


async def test_work_that_somebody_else_took_is_lost(world: World) -> None:
    claim = await piece(world)
    world.time.advance(LEASE_MS + 1)
    (taken,) = await world.drain()
    assert (await world.store.done(claim, event_id="r", event=b"late")).lost is True
    assert (await world.store.done(taken, event_id="r", event=b"result")).lost is False
    # Told once, however often it is said.
    assert (await world.store.done(claim, event_id="r", event=b"late")).lost is True
    assert (await world.store.queue_depths())["mailbox"] == 1


async def test_the_same_end_again_gets_the_same_answer(world: World) -> None:
    claim = await piece(world)
    first = await world.store.done(claim, event_id="r", event=b"result")
    assert await world.store.done(claim, event_id="r", event=b"result") == first
    assert (await world.store.queue_depths())["mailbox"] == 1


async def test_the_same_work_twice_runs_twice(world: World) -> None:
    claim = (await world.store.intake(arrival("e1", new="t1"))).claims[0]
    two = (Work("w", b"1"), Work("w", b"2"))
    (work,) = {claim.queue: claim for claim in (await world.store.commit(claim, outcome(work=two))).claims}.values()
    claims = by_queue(await world.store.done(work, event_id="r1", event=b""))
    assert claims["w|t1|w"].body == b"2"
    assert (await world.store.done(claims["w|t1|w"], event_id="r2", event=b"")).claims == ()


async def test_work_runs_beside_turns(world: World) -> None:
    claim = (await world.store.intake(arrival("e1", new="t1"))).claims[0]
    many = tuple(Work(f"w{n}", b"x") for n in range(5))
    committed = await world.store.commit(claim, outcome(work=many))
    assert len(committed.claims) == 5
    lost = await world.store.done(replace(committed.claims[0], token="another"), event_id="r", event=b"x")
    assert lost.lost is True
