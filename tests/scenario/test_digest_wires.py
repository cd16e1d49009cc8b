"""The digest of the week behind each platform's own adapter: it is posted, in a room where nothing is under way too, and
the longest one is taken."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path

import pytest

from chatops_bot.adapters.redis.digests import RedisDigests
from chatops_bot.adapters.redis.shards import SHARDS
from chatops_bot.domain import digests
from chatops_bot.domain.digests import Figures
from chatops_bot.engine.digest import Digest, Terms
from tests.scenario.playing import Scene, scene
from tests.scenario.test_digest import DAY_S, to_monday
from tests.scenario.test_settle import opened

LONG = "a" * 253
LONGEST = Figures(
    since=0,
    until=7 * DAY_S * 1_000,
    conversations=99_999,
    resolved=55_555,
    unresolved=44_444,
    asked={f"unheard-of-{n}-{LONG}": 10**9 for n in range(9)},
    actions={("set_autoscaler", f"outcome-{n}-{LONG}"): 10**9 for n in range(9)},
    refusals={"policy": 10**9, "freeze": 10**9, "kind": 10**9, "unsupported": 10**9, "conflict": 10**9},
    noisy={f"{LONG}{n}": 10**9 for n in range(9)},
    open=tuple(f"inc-20261130-{n}-{LONG}" for n in range(9)),
    tokens=10**12,
    cost=1e9,
    currency="UNHEARD8",
)
WIRES = ("slack", "feishu", "wecom")


def digest(stage: Scene, *names: str) -> Digest:
    store, port = opened(stage), stage.stage._port
    assert port is not None
    rooms = [stage.stage.chat.place(name) for name in names]
    return Digest(
        summaries=store.threads,
        incidents=store.threads,
        log=store.audit,
        digests=RedisDigests(store.client),
        chats={rooms[0].platform: port},
        rooms=lambda: rooms,
        terms=Terms(weekday=0, hour=9, zone=UTC, language="en", model=True),
        shards=SHARDS,
        clock=stage.stage.clock,
    )


def shown(stage: Scene) -> list[str]:
    return [repr(card.card) for card in stage.stage.chat.cards()]


@pytest.mark.parametrize("platform", WIRES)
async def test_it_is_posted_once_in_each_of_several_rooms(tmp_path: Path, platform: str) -> None:
    async with scene(tmp_path, platform=platform) as stage:
        await stage.say("alice", "@bot status of web")
        await stage.say("bob", "@bot status of api", room="elsewhere")
        await to_monday(stage)
        weekly = digest(stage, "ops", "elsewhere")
        assert [await weekly.look(), await weekly.look()] == [2, 0]
        assert sum("The week" in card for card in shown(stage)) == 2


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("platform", WIRES)
async def test_the_longest_one_is_taken(tmp_path: Path, platform: str, language: str) -> None:
    async with scene(tmp_path, platform=platform) as stage:
        await stage.say("alice", "@bot status of web")
        port, room = stage.stage._port, stage.stage.chat.place("ops")
        assert port is not None
        card = digests.card(LONGEST, language, zone=UTC)  # type: ignore[arg-type]
        posted = await port.post(room=room, thread="", card=card, root="", key="digest", again=False)
        assert posted.message
