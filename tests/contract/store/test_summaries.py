"""Summaries of ended conversations are found by when they ended: of a room, of one entity, of all rooms; and settled once."""

from __future__ import annotations

from msgspec.structs import replace

from chatops_bot.domain.identity import Room
from chatops_bot.ports.summaries import StoredSummary
from tests.contract.store.kit import LEASE_MS, OTHER_ROOM, ROOM, SHARD, START, World, arrival, dump, outcome

WEB = "prod/pay/deployment/web"
API = "prod/pay/deployment/api"
DAY = 86_400_000


async def end(world: World, thread: str, *about: str, room: Room = ROOM, body: bytes = b"") -> None:
    """A conversation that begins and ends now."""
    (claim,) = (await world.store.intake(arrival(f"e-{thread}", room=room, new=thread))).claims
    ended = outcome(state="archived", summary=body or thread.encode(), filed=("", *about))
    assert not (await world.store.commit(claim, ended)).lost


async def of(world: World, about: str = "", *, limit: int = 10, since: int = 0, until: int = 0) -> list[str]:
    return [one.thread for one in await world.store.of(ROOM.key, about, limit=limit, since=since, until=until)]


async def all_of(world: World, since: int = 0, until: int = 2 * START) -> list[StoredSummary]:
    return [one async for one in world.store.ended(since, until)]


async def test_they_are_found_by_room_and_by_entity_the_latest_first(world: World) -> None:
    await end(world, "t1", WEB)
    world.time.advance(1_000)
    await end(world, "t2", WEB, API)
    await end(world, "t3", WEB, room=OTHER_ROOM)
    assert await of(world) == ["t2", "t1"]
    assert await of(world, WEB) == ["t2", "t1"]
    assert await of(world, API) == ["t2"]
    assert await of(world, WEB, limit=1) == ["t2"]
    (found,) = await world.store.of(ROOM.key, API, limit=1)
    assert found == StoredSummary(ROOM.key, "t2", START + 1_000, b"t2")


async def test_a_time_from_and_until_is_kept_to(world: World) -> None:
    for thread in ("t1", "t2", "t3"):
        await end(world, thread, WEB)
        world.time.advance(1_000)
    assert await of(world, since=START + 1_000) == ["t3", "t2"]
    assert await of(world, until=START + 1_000) == ["t1"]
    assert [one.thread for one in await all_of(world, START + 1_000, START + 2_000)] == ["t2"]


async def test_all_rooms_are_gone_through_page_by_page(world: World) -> None:
    wanted = set()
    for number in range(205):
        room = replace(ROOM, channel=f"C{number % 3}")
        await end(world, f"t{number}", room=room)
        wanted.add((room.key, f"t{number}"))
    assert {(one.room, one.thread) for one in await all_of(world)} == wanted


async def test_what_is_not_filed_is_kept_and_not_found(world: World) -> None:
    (claim,) = (await world.store.intake(arrival("e1", new="t1"))).claims
    await world.store.commit(claim, outcome(state="archived", summary=b"s"))
    assert await world.get("summary:t1") == "s"
    assert await of(world) == []
    assert await all_of(world) == []


async def test_written_anew_it_still_ended_when_it_did(world: World) -> None:
    await end(world, "t1", WEB)
    world.time.advance(5_000)
    (claim,) = (await world.append("late", thread="t1")).claims
    anew = outcome(state="archived", summary=b"verified", filed=("", WEB))
    assert not (await world.store.commit(claim, anew)).lost
    assert await world.store.of(ROOM.key, WEB, limit=5) == [StoredSummary(ROOM.key, "t1", START, b"verified")]


async def test_a_commit_that_is_lost_files_nothing(world: World) -> None:
    (claim,) = (await world.store.intake(arrival("e1", new="t1"))).claims
    world.time.advance(LEASE_MS + 1)
    await world.drain()
    assert (await world.store.commit(claim, outcome(state="archived", summary=b"s", filed=("", WEB)))).lost
    assert await of(world) == []


async def test_the_index_holds_no_longer_than_what_it_leads_to(world: World) -> None:
    await end(world, "t1", WEB)
    assert await world.ttl(f"ended:{ROOM.key}|{WEB}") == 30 * 86_400
    world.time.advance(31 * DAY)
    await end(world, "t2", API)
    index = await world.client.command("ZRANGE", f"{{{SHARD}}}:ended:{ROOM.key}|", 0, -1, shard=SHARD)
    assert index == [b"t2"]
    shard = await world.client.command("ZRANGE", f"{{{SHARD}}}:ended", 0, -1, shard=SHARD)
    assert shard == [f"t2|{ROOM.key}".encode()]


async def test_one_that_has_expired_before_its_entry_is_left_out(world: World) -> None:
    await end(world, "t1", WEB)
    await world.client.command("DEL", f"{{{SHARD}}}:summary:t1", shard=SHARD)
    assert await of(world, WEB) == []
    assert await all_of(world) == []


async def test_a_settled_one_takes_the_place_and_keeps_the_lifetime(world: World) -> None:
    await end(world, "t1", WEB)
    await world.client.command("EXPIRE", f"{{{SHARD}}}:summary:t1", 77, shard=SHARD)
    (read,) = await world.store.of(ROOM.key, limit=1)
    assert await world.store.settle(read, b"resolved")
    assert await world.get("summary:t1") == "resolved"
    assert await world.ttl("summary:t1") == 77


async def test_what_was_written_meanwhile_is_not_settled_away(world: World) -> None:
    await end(world, "t1", WEB)
    (read,) = await world.store.of(ROOM.key, limit=1)
    (claim,) = (await world.append("late", thread="t1")).claims
    await world.store.commit(claim, outcome(state="archived", summary=b"verified", filed=("", WEB)))
    before = await dump(world.client, SHARD)
    assert not await world.store.settle(read, b"resolved")
    assert await dump(world.client, SHARD) == before


async def test_what_is_gone_is_not_made_anew(world: World) -> None:
    await end(world, "t1", WEB)
    (read,) = await world.store.of(ROOM.key, limit=1)
    await world.client.command("DEL", f"{{{SHARD}}}:summary:t1", shard=SHARD)
    assert not await world.store.settle(read, b"resolved")
    assert await world.get("summary:t1") is None
