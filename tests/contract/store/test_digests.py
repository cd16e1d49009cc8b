"""Marks of digests, tokens of a week, and the tally of how conversations ended: once, for all processes, for a while."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from chatops_bot.adapters.redis.digests import RedisDigests
from chatops_bot.adapters.redis.shards import shard_of, tag
from chatops_bot.adapters.redis.spending import RedisSpending
from chatops_bot.adapters.redis.tallies import RedisTallies
from tests.contract.store.kit import World

UNTIL = int(datetime(2026, 1, 12, 9, tzinfo=UTC).timestamp() * 1000)
"""Of a digest on a Monday morning."""


async def test_of_many_processes_one_posts_in_each_room_and_week(world: World) -> None:
    digests = [RedisDigests(world.client) for _ in range(8)]
    for room, week in (("r", "2026-01-05"), ("s", "2026-01-05"), ("r", "2026-01-12")):
        claimed = await asyncio.gather(*(one.claim(room=room, week=week) for one in digests))
        assert sorted(claimed) == [False] * 7 + [True]


async def test_what_is_given_back_may_be_claimed_again(world: World) -> None:
    digests = RedisDigests(world.client)
    assert await digests.claim(room="r", week="2026-01-05")
    await digests.release(room="r", week="2026-01-05")
    assert [await digests.claim(room="r", week="2026-01-05") for _ in range(2)] == [True, False]


async def test_marks_go_when_they_are_of_no_use(world: World) -> None:
    await RedisDigests(world.client).claim(room="r", week="2026-01-05")
    await RedisTallies(world.client).keep(b"{}")
    shard = shard_of("r")
    for key, of, days in (("digest:r|2026-01-05", shard, 14), ("settled", 0, 3)):
        lives = await world.client.command("TTL", f"{tag(of)}{key}", shard=of)
        assert isinstance(lives, int)
        assert (days - 1) * 86_400 < lives <= days * 86_400


async def test_tokens_are_those_of_the_seven_days_before(world: World) -> None:
    spending, digests = RedisSpending(world.client), RedisDigests(world.client)
    days = {"20260104": 1, "20260105": 10, "20260108": 100, "20260111": 1_000, "20260112": 10_000}
    for day, tokens in days.items():
        await spending.spend(tokens, thread="t", room="r", day=day)
    await spending.spend(100_000, thread="u", room="s", day="20260108")
    assert await digests.tokens(room="r", until=UNTIL) == 1_110
    assert await digests.tokens(room="", until=UNTIL) == 101_110
    assert await digests.tokens(room="nobody", until=UNTIL) == 0


async def test_the_last_tally_holds(world: World) -> None:
    tallies = RedisTallies(world.client)
    assert await tallies.last() == b""
    await tallies.keep(b"one")
    await tallies.keep(b"two")
    assert await RedisTallies(world.client).last() == b"two"
