"""What was spent on models: three counters, kept for all processes, gone after a while."""

from __future__ import annotations

from chatops_bot.adapters.redis.shards import shard_of, tag
from chatops_bot.adapters.redis.spending import RedisSpending
from tests.contract.store.kit import World


async def test_it_is_counted_by_thread_room_and_day(world: World) -> None:
    one, other = RedisSpending(world.client), RedisSpending(world.client)
    assert await one.spent(thread="t", room="r", day="20260101") == (0, 0, 0)
    await one.spend(100, thread="t", room="r", day="20260101")
    await other.spend(20, thread="u", room="r", day="20260101")
    await other.spend(3, thread="t", room="s", day="20260101")
    assert await one.spent(thread="t", room="r", day="20260101") == (100, 120, 123)
    assert await one.spent(thread="t", room="s", day="20260101") == (3, 3, 123)
    assert await one.spent(thread="t", room="r", day="20260102") == (0, 0, 0)


async def test_no_counter_stays_for_ever(world: World) -> None:
    await RedisSpending(world.client).spend(1, thread="t", room="r", day="20260101")
    shard = shard_of("r")
    thread, room, total = ("tokens:20260101|r|t", shard, 2), ("tokens:20260101|r", shard, 9), ("tokens:20260101", 0, 9)
    for key, of, days in (thread, room, total):
        lives = await world.client.command("TTL", f"{tag(of)}{key}", shard=of)
        assert isinstance(lives, int)
        assert (days - 1) * 86_400 < lives <= days * 86_400
