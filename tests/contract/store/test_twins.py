"""Cards that are shown in two rooms: whichever of the two is answered, the thread is the same, and nothing is doubled."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from chatops_bot.adapters.redis.shards import shard_of
from chatops_bot.domain.identity import Room
from chatops_bot.domain.routing import Verdict
from chatops_bot.ports.store import Arrival, CardView, Claim, Twin
from tests.contract.store.kit import LEASE_MS, ROOM, START, World, arrival, by_queue, dump, everywhere, outcome

MIRROR: Final = Room("feishu", "t9", "oc_1")
CARD: Final = "t1/c"
HOME: Final = b'{"where it is":"at home"}'
APPEND: Final = everywhere(Verdict.APPEND)
REOPEN: Final = everywhere(Verdict.REOPEN)


async def shown(world: World, *, room: Room = ROOM) -> Claim:
    """A thread whose card stands in both rooms; the claim that was committed."""
    (claim,) = (await world.store.intake(arrival("e1", room=room, new="t1"))).claims
    cards = (CardView("c", b"v"), CardView("c@m", b"v"))
    lanes = by_queue(await world.store.commit(claim, outcome(cards=cards)))
    await world.store.drawn(lanes["c|t1|c"], message="h1", bind=("root",), twin=Twin(CARD, home=True))
    await world.store.point(room=MIRROR, ids=("m1",), home=HOME)
    await world.store.drawn(lanes["c|t1|c@m"], message="m1", bind=("m-root",), twin=Twin(CARD, home=False))
    return claim


def pressed(id: str, *, card: str = "m1", thread: str = "", room: Room = MIRROR) -> Arrival:
    return arrival(id, room=room, user="li", verdicts=REOPEN, cards=(card,), thread=thread, new=f"new-{id}")


def at_home(id: str) -> Arrival:
    """The same as it is stored where the card is at home."""
    return arrival(f"mirror/{id}", user="", verdicts=APPEND, cards=(CARD,), new=f"new-{id}")


async def test_what_is_about_a_card_of_another_room_is_told_and_not_stored(world: World) -> None:
    await shown(world)
    before = await dump(world.client, shard_of(MIRROR.key))
    for again in range(2):
        answer = await world.store.intake(pressed("e2", thread="t1"))
        assert (answer.taken, answer.elsewhere, answer.thread, answer.claims) == ("elsewhere", HOME, "", ()), again
    reply = arrival("e3", room=MIRROR, verdicts=APPEND, cards=("unknown", "m1"))
    assert (await world.store.intake(reply)).elsewhere == HOME
    assert await dump(world.client, shard_of(MIRROR.key)) == before


async def test_what_is_not_about_it_stays_in_its_room(world: World) -> None:
    await shown(world)
    own = await world.store.intake(arrival("e2", room=MIRROR, new="t2", cards=("other",)))
    assert (own.taken, own.thread) == ("new", "t2")
    # A card of the room itself is more exact than the platform thread of the other one's.
    await world.store.drawn(
        by_queue(await world.store.commit(own.claims[0], outcome(cards=(CardView("c", b"v"),))))["c|t2|c"], message="n1"
    )
    reply = arrival("e3", room=MIRROR, verdicts=APPEND, cards=("n1", "m1"))
    assert (await world.store.intake(reply)).thread == "t2"


async def test_a_button_is_at_home_before_its_message_is_known(world: World) -> None:
    (claim,) = (await world.store.intake(arrival("e1", new="t1"))).claims
    await world.store.commit(claim, outcome(cards=(CardView("c@m", b"v"),)))
    await world.store.point(room=MIRROR, ids=("t1",), home=HOME)
    assert (await world.store.intake(pressed("e2", card="m1", thread="t1"))).elsewhere == HOME
    assert (await world.store.intake(pressed("e3", card="m1", thread="t3"))).taken == "reopen"


async def test_at_home_it_is_stored_once_whatever_was_delivered_again(world: World) -> None:
    await shown(world)
    taken = await world.store.intake(at_home("e2"))
    assert (taken.taken, taken.thread) == ("append", "t1")
    (claim,) = taken.claims
    assert claim.via_card
    assert (await world.store.intake(pressed("e2"))).taken == "elsewhere"
    assert (await world.store.intake(at_home("e2"))).taken == "duplicate"
    assert (await world.store.queue_depths())["mailbox"] == 1


async def test_a_message_of_the_other_room_is_no_message_here(world: World) -> None:
    """Their ids may be the same: they are unique within a room only."""
    await shown(world)
    for id in ("m1", "m-root"):
        verdicts = replace(everywhere(Verdict.IGNORE), card_live=Verdict.APPEND)
        assert (await world.store.intake(arrival(f"e-{id}", verdicts=verdicts, cards=(id,)))).taken == "ignore", id


async def test_here_it_is_found_under_every_id_that_it_has(world: World) -> None:
    await shown(world)
    for id in ("h1", "root"):
        assert (await world.store.intake(arrival(f"e-{id}", verdicts=APPEND, cards=(id,)))).thread == "t1"
    assert 1_209_000 < await world.ttl(f"card:{ROOM.key}|{CARD}") <= 1_209_600


async def test_whoever_comes_back_to_either_of_the_two_comes_into_the_same_thread(world: World) -> None:
    for first, second in (("h1", CARD), (CARD, "h1"), ("root", CARD)):
        await world.client.command("FLUSHALL")
        await shown(world)
        (claim,) = (await world.append("end")).claims
        await world.store.commit(claim, outcome(state="archived"))
        opened = await world.store.intake(arrival("e5", verdicts=REOPEN, cards=(first,), new="t5"))
        assert (opened.taken, opened.thread) == ("reopen", "t5")
        joined = await world.store.intake(arrival("e6", verdicts=APPEND, cards=(second,), new="t6", user=""))
        assert (joined.taken, joined.thread) == ("append", "t5"), (first, second)


async def test_what_follows_after_the_end_does_not_take_the_card_back(world: World) -> None:
    """The rollout is still drawn by the thread that has ended, while another one goes on with the card."""
    await shown(world)
    (claim,) = (await world.append("end")).claims
    lanes = by_queue(await world.store.commit(claim, outcome(state="archived", cards=(CardView("c", b"v2"),))))
    await world.store.intake(arrival("e5", verdicts=REOPEN, cards=(CARD,), new="t5"))
    await world.store.drawn(lanes["c|t1|c"], message="h1", twin=Twin(CARD, home=True))
    for card in ("h1", CARD):
        assert (await world.store.intake(arrival(f"e-{card}", verdicts=APPEND, cards=(card,)))).thread == "t5"


async def test_a_card_that_gets_a_twin_later_is_found_by_both(world: World) -> None:
    (claim,) = (await world.store.intake(arrival("e1", new="t1"))).claims
    lanes = by_queue(await world.store.commit(claim, outcome(cards=(CardView("c", b"v"),))))
    await world.store.drawn(lanes["c|t1|c"], message="h1")
    (claim,) = (await world.append("link")).claims
    lanes = by_queue(await world.store.commit(claim, outcome(cards=(CardView("c", b"v2"), CardView("c@m", b"v2")))))
    # One platform is down: the other one's card is drawn all the same, and finds the thread.
    await world.store.drawn(lanes["c|t1|c@m"], message="m1", twin=Twin(CARD, home=False))
    assert (await world.store.intake(at_home("e2"))).thread == "t1"
    assert (await world.store.intake(arrival("e3", verdicts=APPEND, cards=("h1",)))).thread == "t1"
    world.time.advance(LEASE_MS + 1)
    held = {claim.queue: claim for claim in await world.drain()}
    assert (held["c|t1|c"].message, held["c|t1|c"].attempts) == ("h1", 2)
    await world.store.drawn(held["c|t1|c"], message="h1", twin=Twin(CARD, home=True))
    assert (await world.store.intake(arrival("e4", verdicts=APPEND, cards=("h1",)))).thread == "t1"


async def test_whether_a_view_was_seen_is_judged_in_the_room_of_whoever_answers(world: World) -> None:
    await shown(world)
    (claim,) = (await world.store.intake(at_home("e2"))).claims
    cards = (CardView("c", b"v2"), CardView("c@m", b"v2"))
    lanes = by_queue(await world.store.commit(claim, outcome(cards=cards)))
    await world.store.drawn(lanes["c|t1|c"], message="h1", twin=Twin(CARD, home=True))
    (claim,) = (await world.store.intake(at_home("e3"))).claims
    assert (await world.store.seen(claim, "c"), await world.store.seen(claim, "c@m")) == (True, False)
    assert claim.deadline >= START / 1000


async def test_rooms_of_one_shard_are_two_rooms_all_the_same(world: World) -> None:
    beside = next(
        room for n in range(1_000) if shard_of((room := Room("feishu", "t9", f"oc_{n}")).key) == shard_of(ROOM.key)
    )
    await shown(world)
    await world.store.point(room=beside, ids=("m1", "t1"), home=HOME)
    assert (await world.store.intake(pressed("e2", thread="t1", room=beside))).elsewhere == HOME
    assert (await world.store.intake(at_home("e2"))).thread == "t1"
