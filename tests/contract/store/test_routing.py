"""The script finds the same situation as its reference, over every combination of what the store can know."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import AsyncIterator, Iterator
from typing import Final, cast

import msgspec
import pytest

from chatops_bot.adapters.redis import rows
from chatops_bot.adapters.redis.base import kept
from chatops_bot.adapters.redis.client import Client
from chatops_bot.adapters.redis.embedded import EmbeddedServer
from chatops_bot.adapters.redis.scripts import Script, load
from chatops_bot.domain.intents import State
from chatops_bot.domain.routing import Facts, Verdict, Verdicts, situation
from chatops_bot.ports.store import Retention
from tests.contract.store.kit import ROOM, SHARD, arrival, connected, everywhere, outcome
from tests.contract.store.kit import World as Store

USER: Final = "alice"
STATES: Final = (None, *State)


class Case(msgspec.Struct, frozen=True):
    """What is stored, and whom the message names."""

    facts: Facts
    names: tuple[str, ...]
    current: bool


def cases() -> Iterator[Case]:
    """Every combination; a card that is not bound has no state, a session not stored no lock."""
    cards = [(False, None), *((True, state) for state in STATES)]
    for (bound, card), (pointer, current) in itertools.product(cards, [(False, None), *((True, s) for s in STATES)]):
        stored = current is not None
        for lock, asks, busy, names in itertools.product(
            ("", "k1") if stored else ("",),
            ("", USER, "bob") if stored else ("",),
            (False, True) if pointer else (False,),
            ((), ("k1",), ("k2",), ("k2", "k1")),
        ):
            facts = Facts(card_bound=bound, card_state=card, current_state=current, lock=lock, asks=asks, busy=busy)
            yield Case(facts, names, pointer)


@pytest.fixture
async def client(server: EmbeddedServer) -> AsyncIterator[Client]:
    opened = connected(server.url)
    await opened.command("FLUSHALL")
    yield opened
    await opened.close()


def asking() -> Script:
    """A script that only says which situation holds."""
    text = b"\n".join(
        (
            load("intake").text.partition(b"-- One event on its way in.")[0],
            b"local a = arrival()",
            b"return situation(a, named(a), current(a))",
        )
    )
    return Script("situation", text, hashlib.sha1(text, usedforsecurity=False).hexdigest())


async def test_every_situation_is_found(client: Client) -> None:
    script = asking()
    found: dict[str, int] = {}
    for n, case in enumerate(cases()):
        await _store(client, n, case)
        event = arrival(f"e{n}", user=USER, cards=(f"m{n}",), names=case.names)
        # Each case has a room of its own, in one shard, so that none meets what another stored.
        flat = rows.arrival(event, cap=0)
        flat[0] = f"room{n}"
        reply = await client.script(script, SHARD, ["", 6000, "token", kept(Retention()), *flat])
        expected = situation(case.facts, user=USER, names=case.names)
        assert cast(bytes, reply).decode() == expected, case
        found[expected] = found.get(expected, 0) + 1
    assert set(found) == set(Verdicts.__struct_fields__)
    assert sum(found.values()) == 3_960


async def _store(client: Client, n: int, case: Case) -> None:
    facts = case.facts
    lines: list[tuple[str | int, ...]] = []
    start = f"{{{SHARD}}}:"
    if facts.card_bound:
        lines.append(("SET", f"{start}card:room{n}|m{n}", f"card{n}"))
        if facts.card_state is not None:
            lines.append(("HSET", f"{start}session:card{n}", "state", facts.card_state))
    if case.current:
        lines.append(("SET", f"{start}current:room{n}|{USER}", f"cur{n}"))
        if facts.current_state is not None:
            values = ("state", facts.current_state, "lock", facts.lock, "asks", facts.asks)
            lines.append(("HSET", f"{start}session:cur{n}", *values))
        if facts.busy:
            lines.append(("RPUSH", f"{start}queue:t|cur{n}", "x"))
    for line in lines:
        await client.command(*line, shard=SHARD)


@pytest.mark.parametrize("verdict", list(Verdict))
@pytest.mark.parametrize("place", Verdicts.__struct_fields__)
async def test_each_place_of_the_table_is_obeyed(world: Store, place: str, verdict: Verdict) -> None:
    """One verdict in the situation that holds, `ignore` everywhere else (or the reverse, for `ignore`)."""
    rest = Verdict.APPEND if verdict is Verdict.IGNORE else Verdict.IGNORE
    table = msgspec.structs.replace(everywhere(rest), **{place: verdict})
    cards, names = await _hold(world, place)
    taken = await world.store.intake(arrival("e", verdicts=table, cards=cards, names=names))
    expected: str = verdict
    if verdict is Verdict.APPEND and place == "none":
        expected = "new"
    assert taken.taken == expected
    if verdict is Verdict.IGNORE:
        assert taken.claims == ()
        return
    old = taken.taken == "append"
    assert taken.thread == (("card" if place in _CARDS else "mine") if old else "new-e")
    held = place == "current_busy" and old
    assert [claim.entry for claim in taken.claims] == ([] if held else ["e"])
    pointer = {"new": "new-e"}.get(taken.taken, None if place in ("none", *_CARDS) else "mine")
    assert await world.get(f"current:{ROOM.key}|{USER}") == pointer


_CARDS: Final = ("card_live", "card_archived", "card_gone")


async def _hold(world: Store, place: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Bring a situation about; the cards and names with which a message meets it."""
    if place in _CARDS:
        state = "archived" if place == "card_archived" else "idle"
        first = (await world.store.intake(arrival("c", new="card", user="bob", bind=("m",)))).claims[0]
        await world.store.commit(first, outcome(state=state))
        if place == "card_gone":
            await world.client.command("DEL", f"{{{SHARD}}}:session:card", shard=SHARD)
        return ("m",), ()
    if place != "none":
        asks = USER if place == "current_asks" else ""
        await world.opened("mine", user=USER, lock="k1", asks=asks)
        if place == "current_busy":
            await world.append("waiting", thread="mine")
    return (), ("k2",) if place == "current_other" else ()
