"""The digest of the week, on a real store: once in each room, of that room alone."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path
from typing import Any, cast

from chatops_bot.adapters.redis.digests import RedisDigests
from chatops_bot.adapters.redis.shards import SHARDS
from chatops_bot.adapters.redis.spending import RedisSpending
from chatops_bot.domain.cards import Card
from chatops_bot.domain.identity import Room
from chatops_bot.engine.digest import Digest, Terms
from chatops_bot.ports.chat import ChatPort, ChatRefused, ChatUnavailable, Posted
from tests.scenario.playing import Scene, scene
from tests.scenario.test_settle import opened, settled

DAY_S = 86_400


class Posting:
    """A platform that takes cards, or does not."""

    def __init__(self) -> None:
        self.cards: list[tuple[str, Card]] = []
        self.fails: list[Exception] = []

    async def post(self, *, room: Room, card: Card, **rest: Any) -> Posted:
        if self.fails:
            raise self.fails.pop()
        self.cards.append((room.channel, card))
        return Posted(message="m")


def digest(stage: Scene, posting: Posting, *names: str, **terms: Any) -> Digest:
    store = opened(stage)
    rooms = [stage.stage.chat.place(name) for name in names]
    chosen = Terms(**{"weekday": 0, "hour": 9, "zone": UTC, "language": "en", "model": True, **terms})
    return Digest(
        summaries=store.threads,
        incidents=store.threads,
        log=store.audit,
        digests=RedisDigests(store.client),
        chats=cast("dict[str, ChatPort]", {room.platform: posting for room in rooms}),
        rooms=lambda: rooms,
        terms=chosen,
        shards=SHARDS,
        clock=stage.stage.clock,
    )


async def to_monday(stage: Scene) -> None:
    """To the next Monday, 10 o'clock."""
    now = stage.stage.clock.now()
    begin = 1_767_571_200  # Monday 2026-01-05
    ahead = (begin + 10 * 3_600 - now) % (7 * DAY_S)
    await stage.wait(ahead)


def text(card: Card) -> str:
    return repr(card)


async def test_it_is_posted_once_and_tells_of_its_own_room(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        await stage.say("alice", "@bot scale web to 5")
        await stage.click("bob", "confirm", str(stage.count))
        await stage.say("carol", "@bot status of api", room="elsewhere")
        await RedisSpending(opened(stage).client).spend(
            77, thread="t", room=stage.stage.chat.place("ops").key, day="20260105"
        )
        await to_monday(stage)
        await settled(stage)
        posting = Posting()
        assert await digest(stage, posting, "ops").look() == 1
        assert await digest(stage, posting, "ops").look() == 0
        [(room, card)] = posting.cards
        assert room == "ops"
        said = text(card)
        assert "Conversations: 1; resolved 1, not resolved 0" in said
        assert "scale (" in said
        assert "77 tokens" in said
        assert card.buttons == ()


async def test_where_it_is_wanted_it_tells_of_all_rooms(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        await stage.say("alice", "@bot status of web")
        await stage.say("carol", "@bot status of api", room="elsewhere")
        await to_monday(stage)
        posting = Posting()
        await digest(stage, posting, "ops", everywhere=True).look()
        assert "Conversations: 2" in text(posting.cards[0][1])


async def test_what_was_not_posted_is_tried_again_and_what_is_refused_is_not(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        await stage.say("alice", "@bot status of web")
        await to_monday(stage)
        posting = Posting()
        posting.fails = [ChatUnavailable("away")]
        looking = digest(stage, posting, "ops")
        assert [await looking.look(), await looking.look(), await looking.look()] == [0, 1, 0]
    async with scene(tmp_path) as stage:
        await to_monday(stage)
        posting = Posting()
        posting.fails = [ChatRefused("not in the channel")]
        looking = digest(stage, posting, "ops")
        assert [await looking.look(), await looking.look()] == [0, 0]
        assert posting.cards == []


async def test_one_that_may_have_been_posted_is_not_posted_again(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        await to_monday(stage)
        posting = Posting()
        posting.fails = [ChatUnavailable("no answer", maybe_posted=True)]
        looking = digest(stage, posting, "ops")
        assert [await looking.look(), await looking.look()] == [0, 0]


async def test_one_that_is_a_day_late_is_left_out(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        await to_monday(stage)
        await stage.wait(DAY_S)
        posting = Posting()
        assert await digest(stage, posting, "ops").look() == 0


async def test_a_change_is_told_by_how_it_ended_and_void_buttons_are_no_refusals(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        await stage.say("alice", "@bot scale web to 5")
        plan = str(stage.count)
        await stage.click("bob", "confirm", plan)
        await stage.wait(300)
        await stage.click("bob", "confirm", plan)
        await stage.say("alice", "@bot scale api to 2")
        await to_monday(stage)
        posting = Posting()
        await digest(stage, posting, "ops").look()
        said = text(posting.cards[0][1])
        assert "scale (verified) 1" in said
        assert "1: other reasons 1" in said
