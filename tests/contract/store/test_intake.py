"""One event on its way in: duplicates, the thread it goes to, and who works on it."""

from __future__ import annotations

import asyncio
from itertools import count

import pytest
from msgspec.structs import replace

from chatops_bot.adapters.redis.shards import shard_of
from chatops_bot.adapters.redis.store import CAP, RedisStore
from chatops_bot.domain.identity import Room
from chatops_bot.domain.routing import Verdict, Verdicts
from chatops_bot.ports.store import Arrival, CardView
from tests.contract.store.kit import (
    OTHER_ROOM,
    SHARD,
    START,
    World,
    arrival,
    by_queue,
    everywhere,
    outcome,
)


async def test_new_thread_is_taken_for_the_caller(world: World) -> None:
    taken = await world.store.intake(arrival("e1", new="t1", event=b"\x00body\x1e"))
    assert (taken.taken, taken.thread) == ("new", "t1")
    (claim,) = taken.claims
    assert (claim.queue, claim.entry, claim.body, claim.sequence) == ("t|t1", "e1", b"\x00body\x1e", 1)
    assert (claim.attempts, claim.version, claim.session, claim.extra) == (1, 0, b"", b"")
    assert claim.deadline == START / 1000 + 6
    assert await world.drain() == []
    assert await world.get("current:slack.T1:C1|alice") == "t1"


async def test_a_second_delivery_is_dropped(world: World) -> None:
    first = await world.store.intake(arrival("e1", new="t1"))
    again = await world.store.intake(arrival("e1", new="t1"))
    assert (again.taken, again.thread, again.claims) == ("duplicate", "t1", ())
    assert (await world.store.queue_depths())["mailbox"] == 1
    assert 28_000 < await world.ttl("seen:slack.T1:C1|e1") <= 28_800
    committed = await world.store.commit(first.claims[0], outcome())
    assert committed.claims == ()
    assert (await world.store.intake(arrival("e1", new="t1"))).taken == "duplicate"


async def test_of_many_deliveries_at_once_one_is_stored(world: World) -> None:
    answers = await asyncio.gather(*(world.store.intake(arrival("e1", new="t1")) for _ in range(20)))
    assert sorted(answer.taken for answer in answers) == ["duplicate"] * 19 + ["new"]
    assert sum(len(answer.claims) for answer in answers) == 1


async def test_ignored_leaves_only_its_mark(world: World) -> None:
    taken = await world.store.intake(arrival("e1", verdicts=everywhere(Verdict.IGNORE)))
    assert (taken.taken, taken.thread, taken.claims) == ("ignore", "", ())
    assert (await world.store.queue_depths())["mailbox"] == 0
    assert await world.get("current:slack.T1:C1|alice") is None
    assert (await world.store.intake(arrival("e1"))).taken == "duplicate"


async def test_events_of_a_held_thread_wait_in_order(world: World) -> None:
    first = (await world.store.intake(arrival("e1", new="t1"))).claims[0]
    for name in ("e2", "e3"):
        taken = await world.append(name)
        assert (taken.taken, taken.claims) == ("append", ())
    second = (await world.store.commit(first, outcome())).claims
    assert [(claim.entry, claim.sequence, claim.attempts) for claim in second] == [("e2", 2, 1)]
    third = (await world.store.commit(second[0], outcome())).claims
    assert [(claim.entry, claim.sequence, claim.version) for claim in third] == [("e3", 3, 2)]
    assert (await world.store.commit(third[0], outcome())).claims == ()


async def test_a_free_thread_is_taken_by_whoever_brings_an_event(world: World) -> None:
    await world.opened()
    taken = await world.append("e2")
    assert [(claim.entry, claim.session, claim.version) for claim in taken.claims] == [("e2", b"session", 1)]


async def test_the_authors_thread_goes_on(world: World) -> None:
    await world.opened(lock="k1")
    verdicts = everywhere(Verdict.APPEND)
    taken = await world.store.intake(arrival("e2", verdicts=verdicts))
    assert (taken.taken, taken.thread) == ("append", "t1")
    assert taken.claims[0].via_card is False
    other = await world.store.intake(arrival("e3", user="bob", verdicts=verdicts))
    assert (other.taken, other.thread) == ("new", "new-e3")


async def test_an_answer_to_a_card_goes_to_its_thread(world: World) -> None:
    claim = (await world.store.intake(arrival("e1", new="t1"))).claims[0]
    lane = (await world.store.commit(claim, outcome(cards=(CardView("c", b"v"),)))).claims[0]
    await world.store.drawn(lane, message="m1", bind=("root",))
    for name, cards in (("e2", ("m1",)), ("e3", ("unknown", "root")), ("e4", ("m1", "root"))):
        taken = await world.store.intake(arrival(name, user="bob", cards=cards, verdicts=everywhere(Verdict.APPEND)))
        assert (taken.taken, taken.thread) == ("append", "t1")
    assert await world.get("current:slack.T1:C1|bob") is None


async def test_the_most_exact_card_wins(world: World) -> None:
    for thread, message in (("t1", "m1"), ("t2", "m2")):
        await world.store.intake(arrival(thread, new=thread, bind=(message,)))
    taken = await world.store.intake(arrival("e", cards=("m2", "m1"), verdicts=everywhere(Verdict.APPEND)))
    assert taken.thread == "t2"


async def test_a_button_leads_to_its_own_thread(world: World) -> None:
    for thread, message in (("t1", "m1"), ("t2", "m2")):
        await world.store.intake(arrival(thread, new=thread, bind=(message,)))
    click = arrival("e", thread="t1", cards=("m2",), verdicts=everywhere(Verdict.APPEND))
    taken = await world.store.intake(click)
    assert taken.thread == "t1"


@pytest.mark.parametrize("ended", ["archived", "gone"])
async def test_a_button_of_an_ended_thread_leads_to_the_one_that_took_the_card_over(world: World, ended: str) -> None:
    if ended == "archived":
        await world.opened("t1", state="archived")
    await world.store.intake(arrival("e2", new="t2", bind=("m1",)))
    click = arrival("e", thread="t1", cards=("m1",), verdicts=everywhere(Verdict.APPEND))
    assert (await world.store.intake(click)).thread == "t2"
    alone = arrival("f", thread="t1", cards=("m9",), verdicts=everywhere(Verdict.APPEND))
    assert (await world.store.intake(alone)).thread == "t1"


async def test_rooms_do_not_mix(world: World) -> None:
    await world.opened()
    await world.store.intake(arrival("e1", new="t2", bind=("m1",)))
    append = everywhere(Verdict.APPEND)
    elsewhere = [
        arrival("e1", room=OTHER_ROOM, verdicts=append),
        arrival("e2", room=OTHER_ROOM, verdicts=append, cards=("m1",), user="bob"),
    ]
    for event in elsewhere:
        taken = await world.store.intake(event)
        assert (taken.taken, taken.thread) == ("new", event.new)


async def test_a_thread_of_another_room_in_the_same_shard_is_no_thread(world: World) -> None:
    other = next(room for room in (Room("slack", "T1", f"D{n}") for n in count()) if shard_of(room.key) == SHARD)
    await world.opened()
    taken = await world.store.intake(
        arrival("e1", room=other, thread="t1", user="bob", verdicts=everywhere(Verdict.APPEND))
    )
    assert (taken.taken, taken.thread) == ("new", "new-e1")


async def test_leaving_tells_the_old_thread(world: World) -> None:
    await world.opened("t1", state="confirming", lock="k1", public=b"facts")
    taken = await world.store.intake(arrival("e2", new="t2", left=b"LEFT"))
    claims = by_queue(taken)
    assert claims["t|t2"].extra == b"facts"
    assert (claims["t|t1"].entry, claims["t|t1"].body) == ("e2|left", b"LEFT")
    assert await world.get("current:slack.T1:C1|alice") == "t2"


@pytest.mark.parametrize("state", ["idle", "executing", "follow_up", "handed_off", "archived"])
async def test_only_a_pending_flow_is_left(world: World, state: str) -> None:
    await world.opened("t1", state=state, public=b"facts")
    taken = await world.store.intake(arrival("e2", new="t2", left=b"LEFT"))
    (claim,) = taken.claims
    assert claim.extra == (b"" if state == "archived" else b"facts")
    assert (await world.store.queue_depths())["mailbox"] == 1


async def test_reopening_takes_the_card_over_with_its_summary(world: World) -> None:
    first = (await world.store.intake(arrival("e1", new="t1", bind=("m1", "m2", "m3")))).claims[0]
    await world.store.commit(first, outcome(state="archived", summary=b"what was", release=("alice",)))
    reopen = everywhere(Verdict.REOPEN)
    taken = await world.store.intake(arrival("e2", new="t2", cards=("m1", "m2"), bind=("m4",), verdicts=reopen))
    assert (taken.taken, taken.thread, taken.claims[0].extra) == ("reopen", "t2", b"what was")
    assert taken.claims[0].via_card is True
    assert [await world.get(f"card:slack.T1:C1|m{n}") for n in (1, 2, 3, 4)] == ["t2", "t2", "t1", "t2"]
    assert await world.get("current:slack.T1:C1|alice") is None


async def test_reopening_an_unknown_card_binds_it(world: World) -> None:
    taken = await world.store.intake(
        arrival("e1", new="t1", cards=("alert:g", "x"), verdicts=everywhere(Verdict.REOPEN), user="")
    )
    assert (taken.taken, taken.claims[0].extra) == ("reopen", b"")
    assert await world.get("card:slack.T1:C1|alert:g") == "t1"
    assert await world.get("card:slack.T1:C1|x") is None


async def test_what_is_bound_is_known_as_long_after_it_was_heard_of_last(world: World) -> None:
    key = "card:slack.T1:C1|alert:g"

    def told(id: str, verdict: Verdict, thread: str = "") -> Arrival:
        bound = ("alert:g",)
        return arrival(id, new=id, thread=thread, cards=bound, bind=bound, user="", verdicts=everywhere(verdict))

    first = await world.store.intake(told("t1", Verdict.REOPEN))
    await world.store.commit(first.claims[0], outcome())
    await world.client.command("EXPIRE", f"{{{SHARD}}}:{key}", 60, shard=SHARD)
    again = await world.store.intake(told("t2", Verdict.APPEND))
    assert (again.taken, again.thread) == ("append", "t1")
    assert await world.ttl(key) > 86_400
    await world.client.command("SET", f"{{{SHARD}}}:{key}", "t9", "EX", 60, shard=SHARD)
    await world.store.intake(told("t3", Verdict.APPEND, "t1"))
    assert await world.ttl(key) <= 60, "it leads to another thread now"


async def test_courtesy_leaves_the_pointer_alone(world: World) -> None:
    taken = await world.store.intake(arrival("e1", new="t1", verdicts=everywhere(Verdict.COURTESY)))
    assert (taken.taken, taken.thread, len(taken.claims)) == ("courtesy", "t1", 1)
    assert await world.get("current:slack.T1:C1|alice") is None


async def test_the_first_name_locks_provisionally(world: World) -> None:
    """While the first message is being understood, the second already finds the lock."""
    claim = (await world.store.intake(arrival("e1", new="t1", lock="k1", names=("k1",)))).claims[0]
    other = arrival("e2", new="t2", lock="k2", names=("k2",), verdicts=_split())
    assert (await world.store.intake(other)).taken == "ignore"
    same = arrival("e3", new="t2", lock="k1", names=("k1",), verdicts=_split())
    assert (await world.store.intake(same)).taken == "append"
    # The first turn finds no lock in its message: the guess of the message that waits stays.
    claim = (await world.store.commit(claim, outcome(lock=""))).claims[0]
    assert (await world.hash("session:t1"))["guess"] == b"k1"
    # The last one says what holds; the guess is gone.
    await world.store.commit(claim, outcome(lock=""))
    session = await world.hash("session:t1")
    assert (session["lock"], session["guess"]) == (b"", b"")


async def test_a_guess_does_not_replace_a_lock(world: World) -> None:
    await world.opened(lock="k1")
    await world.store.intake(arrival("e2", thread="t1", lock="k2", verdicts=everywhere(Verdict.APPEND)))
    assert (await world.hash("session:t1")).get("guess", b"") == b""


def _split() -> Verdicts:
    """Another service: ignored; anything else of one's own thread: appended."""
    return replace(everywhere(Verdict.APPEND), current_other=Verdict.IGNORE)


async def test_a_full_mailbox_refuses_messages_and_takes_what_is_urgent(world: World) -> None:
    assert CAP == 100
    world.store = RedisStore(world.base, monotonic=world.time.monotonic, cap=5)
    await world.store.intake(arrival("e0", new="t1"))
    for n in range(1, 5):
        assert (await world.append(f"e{n}")).taken == "append"
    refused = await world.append("e5")
    assert (refused.taken, refused.thread, refused.claims, refused.first_full) == ("full", "t1", (), True)
    assert (await world.append("e6")).first_full is False
    world.time.advance(601_000)
    assert (await world.append("e7")).first_full is True
    assert (await world.append("click", urgent=True)).taken == "append"
    # Refused is not seen: once there is room, the platform's next delivery is taken.
    claim = next(claim for claim in await world.drain() if claim.queue == "t|t1")
    for _ in range(2):
        (claim,) = (await world.store.commit(claim, outcome())).claims
    assert (await world.append("e5")).taken == "append"


async def test_an_event_for_a_thread_no_longer_stored_is_kept(world: World) -> None:
    taken = await world.append("result", thread="gone")
    assert (taken.taken, taken.thread) == ("append", "gone")
    assert (taken.claims[0].session, taken.claims[0].version) == (b"", 0)
    committed = await world.store.commit(taken.claims[0], outcome(state="archived"))
    assert not committed.lost


async def test_where_a_flow_could_be_left_it_is_asked_back_whether_it_is(world: World) -> None:
    await world.opened("t1", state="confirming")
    unread = replace(arrival("e2", new="t2"), leaves=None)
    assert (await world.store.intake(unread)).taken == "unread"
    assert (await world.store.queue_depths())["mailbox"] == 0
    told = await world.store.intake(replace(unread, leaves=True, left=b"LEFT"))
    assert (told.taken, set(by_queue(told))) == ("new", {"t|t2", "t|t1"})


async def test_elsewhere_nobody_needs_to_know_whether_words_leave(world: World) -> None:
    await world.opened("t1", state="follow_up")
    taken = await world.store.intake(replace(arrival("e2", new="t2"), leaves=None))
    assert (taken.taken, set(by_queue(taken))) == ("new", {"t|t2"})


async def test_a_delivery_that_outlives_its_mark_opens_nothing_twice(world: World) -> None:
    (claim,) = (await world.store.intake(arrival("e1", new="t1"))).claims
    ended = outcome(state="archived", release=("alice",))
    await world.store.commit(claim, ended)
    await world.client.command("DEL", f"{{{SHARD}}}:seen:slack.T1:C1|e1", shard=SHARD)
    again = await world.store.intake(arrival("e1", new="t1"))
    assert (again.taken, again.claims) == ("ignore", ())
    assert (await world.store.queue_depths())["mailbox"] == 0
