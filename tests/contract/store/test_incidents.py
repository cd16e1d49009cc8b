"""Incidents are written by the commit of a turn: nothing is lost, nothing doubled, and the timeline is bounded."""

from __future__ import annotations

import asyncio

from msgspec.structs import replace

from chatops_bot.ports.incidents import (
    MOST_ENTRIES,
    MOST_RECENT,
    MOST_WEIGHTY,
    IncidentChange,
    IncidentEntry,
    IncidentRecord,
)
from chatops_bot.ports.store import Claim, Committed
from tests.contract.store.kit import LEASE_MS, OTHER_ROOM, ROOM, SHARD, START, World, arrival, dump, outcome

ID = "inc-20261130-1"
OPENED = IncidentChange(ID, facts={"room": ROOM.key, "status": "open", "commander": "alice"}, opens=True)


def entries(*ids: str, weighty: bool = False) -> tuple[IncidentEntry, ...]:
    return tuple(IncidentEntry(id, f"body of {id}".encode(), weighty) for id in ids)


async def turn(world: World, event: str, *changes: IncidentChange) -> tuple[Claim, Committed]:
    """One turn of its own thread that changes incidents."""
    (claim,) = (await world.store.intake(arrival(event, new=f"t-{event}"))).claims
    return claim, await world.store.commit(claim, replace(outcome(), incidents=changes))


async def read(world: World) -> IncidentRecord:
    found = await world.store.incident(ID, room=ROOM.key)
    assert found is not None
    return found


async def test_what_a_turn_does_to_it_is_read_back(world: World) -> None:
    await turn(world, "e1", replace(OPENED, once={"acknowledged_at": "5"}, entries=entries("e1.0", "e1.1")))
    found = await read(world)
    assert found.facts == {**OPENED.facts, "acknowledged_at": "5"}
    assert sorted(found.entries) == [b"body of e1.0", b"body of e1.1"]
    assert found.gap == 0
    assert await world.ttl(f"incident:{ID}") == 30 * 86_400


async def test_two_threads_change_different_facts_and_neither_is_undone(world: World) -> None:
    await turn(world, "e1", OPENED)
    await turn(world, "e2", IncidentChange(ID, facts={"status": "resolved"}, once={"acknowledged_at": "7"}))
    await turn(world, "e3", IncidentChange(ID, facts={"commander": "bob"}, once={"acknowledged_at": "9"}))
    assert (await read(world)).facts == {
        "room": ROOM.key,
        "status": "resolved",
        "commander": "bob",
        "acknowledged_at": "7",
    }


async def test_a_commit_that_is_lost_leaves_it_alone(world: World) -> None:
    (claim,) = (await world.store.intake(arrival("e1", new="t1"))).claims
    world.time.advance(LEASE_MS + 1)
    (taken,) = await world.drain()
    lost = await world.store.commit(claim, replace(outcome(), incidents=(OPENED,)))
    assert lost.lost
    assert await world.store.incident(ID) is None
    assert not (await world.store.commit(taken, replace(outcome(), incidents=(OPENED,)))).lost
    assert (await read(world)).facts == OPENED.facts


async def test_a_turn_that_is_committed_twice_makes_no_second_entry(world: World) -> None:
    await turn(world, "e1", OPENED)
    change = IncidentChange(ID, entries=entries("e2.0"))
    claim, _ = await turn(world, "e2", change)
    before = await dump(world.client, SHARD)
    again = await world.store.commit(claim, replace(outcome(), incidents=(change,)))
    assert not again.lost
    assert await dump(world.client, SHARD) == before
    await turn(world, "e3", IncidentChange(ID, entries=entries("e2.0")))
    assert (await read(world)).entries == (b"body of e2.0",)


async def test_many_threads_at_once_lose_and_double_nothing(world: World) -> None:
    await turn(world, "e1", OPENED)

    async def write(number: int) -> None:
        ids = [f"e{number}.{part}" for part in range(3)]
        await turn(world, f"e{number}", IncidentChange(ID, facts={f"fact{number}": "x"}, entries=entries(*ids)))

    await asyncio.gather(*(write(number) for number in range(2, 42)))
    found = await read(world)
    assert len(found.entries) == len(set(found.entries)) == 120
    assert set(found.facts) == {*OPENED.facts, *(f"fact{number}" for number in range(2, 42))}


async def test_too_many_entries_are_counted_and_weighty_ones_still_kept(world: World) -> None:
    many = tuple(f"m{number}" for number in range(MOST_ENTRIES + 3))
    await turn(world, "e1", replace(OPENED, entries=entries(*many)))
    assert (len((await read(world)).entries), (await read(world)).gap) == (MOST_ENTRIES, 3)
    await turn(world, "e2", IncidentChange(ID, entries=(*entries("late"), *entries("resolved", weighty=True))))
    found = await read(world)
    assert (len(found.entries), found.gap) == (MOST_ENTRIES + 1, 4)
    assert b"body of resolved" in found.entries
    heavy = tuple(f"h{number}" for number in range(MOST_WEIGHTY))
    await turn(world, "e3", IncidentChange(ID, entries=entries(*heavy, weighty=True)))
    assert len((await read(world)).entries) == MOST_WEIGHTY


async def test_what_is_no_longer_stored_is_not_made_anew_by_an_entry(world: World) -> None:
    await turn(world, "e1", IncidentChange(ID, facts={"status": "open"}, entries=entries("e1.0")))
    assert await world.store.incident(ID) is None
    assert await world.store.incidents() == []


async def test_they_are_listed_without_entries_and_by_room(world: World) -> None:
    await turn(world, "e1", replace(OPENED, entries=entries("e1.0")))
    (listed,) = await world.store.incidents()
    assert (listed.id, listed.facts, listed.entries) == (ID, OPENED.facts, ())
    assert await world.store.incidents(room=ROOM.key) == [listed]
    assert await world.store.incidents(room=OTHER_ROOM.key) == []


async def test_of_many_in_a_room_those_that_changed_last_are_found(world: World) -> None:
    old = [f"inc-20261130-{number}" for number in range(2, 2 + MOST_RECENT)]
    await turn(world, "e1", OPENED)
    world.time.advance(1_000)
    await turn(world, "e2", *(replace(OPENED, id=id) for id in old))
    assert {one.id for one in await world.store.incidents(room=ROOM.key)} == {*old}
    world.time.advance(1_000)
    await turn(world, "e3", IncidentChange(ID, facts={"status": "resolved"}))
    recent = await world.store.incidents(room=ROOM.key)
    assert (len(recent), recent[-1].id) == (MOST_RECENT, ID)
    assert len(await world.store.incidents()) == MOST_RECENT + 1


async def test_an_incident_of_another_room_is_none_of_this_one(world: World) -> None:
    await turn(world, "e1", OPENED)
    assert await world.store.incident(ID, room=OTHER_ROOM.key) is None
    assert await world.store.incident("inc-20261130-2") is None
    assert (await world.store.incident(ID)) is not None


async def test_the_index_forgets_what_is_no_longer_kept(world: World) -> None:
    await turn(world, "e1", OPENED)
    world.time.ms = START + 31 * 86_400_000
    other = replace(OPENED, id="inc-20261231-1")
    await turn(world, "e2", other)
    assert [one.id for one in await world.store.incidents()] == [other.id]


async def test_the_latest_incident_of_an_alert_group_is_found_by_it(world: World) -> None:
    of_group = replace(OPENED, facts={**OPENED.facts, "group": "g1"})
    await turn(world, "e1", of_group)
    await turn(world, "e2", IncidentChange(ID, facts={"status": "resolved"}))
    assert await world.store.incident_of("g1", room=ROOM.key) == ID
    assert await world.store.incident_of("g1", room=OTHER_ROOM.key) == ""
    assert await world.store.incident_of("g2", room=ROOM.key) == ""
    await turn(world, "e3", replace(of_group, id="inc-20261130-2"))
    assert await world.store.incident_of("g1", room=ROOM.key) == "inc-20261130-2"
    assert await world.ttl(f"incident-of:{ROOM.key}|g1") == 30 * 86_400


async def test_every_number_of_a_day_is_given_once(world: World) -> None:
    numbers = [await world.store.next_incident("20261130") for _ in range(3)]
    assert numbers == [1, 2, 3]
    assert await world.store.next_incident("20261201") == 1
