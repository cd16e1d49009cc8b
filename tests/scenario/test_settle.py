"""How conversations ended, from real ones on a real store."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from chatops_bot.adapters.redis.care import RedisCare
from chatops_bot.adapters.redis.tallies import RedisTallies
from chatops_bot.app.opening import Opened
from chatops_bot.app.settle_command import day_of, settle
from chatops_bot.domain.settled import Tally
from chatops_bot.ports.store import StoreUnavailable
from tests.scenario.playing import Scene, scene

DAY_S = 86_400
IDLE_S = 900
WEB = "sandbox/shop/deployment/web"
BROKEN: dict[str, Any] = {
    "workloads": [
        {
            "kind": "Deployment",
            "namespace": "shop",
            "name": "web",
            "replicas": 2,
            "image": "reg/web:1",
            "pods": ["CrashLoopBackOff", "CrashLoopBackOff"],
        },
        {"kind": "Deployment", "namespace": "shop", "name": "api", "replicas": 2, "image": "reg/api:1"},
    ]
}


def opened(stage: Scene) -> Opened:
    stores, client = stage.stage._stores, stage.stage._client
    assert stores is not None
    assert client is not None
    return Opened(client=client, threads=stores.threads, ledger=stores.ledger, audit=stores.audit)


async def settled(stage: Scene, **more: Any) -> list[dict[str, Any]]:
    """The verdicts that are new."""
    lines: list[str] = []
    now = int(stage.stage.clock.now() * 1000)
    assert await settle(opened(stage), as_json=True, echo=lines.append, now=now, **more) == 0
    return [json.loads(line) for line in lines]


def signals(verdict: dict[str, Any]) -> list[str]:
    return [reason["signal"] for reason in verdict["reasons"]]


async def test_what_nothing_speaks_against_is_resolved_and_told_once(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        await stage.say("alice", "@bot status of web")
        await stage.wait(IDLE_S)
        [verdict] = await settled(stage)
        assert (verdict["verdict"], verdict["service"], verdict["settled"]) == ("resolved", WEB, False)
        assert await settled(stage) == []


async def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        await stage.say("alice", "@bot status of web")
        await stage.wait(IDLE_S)
        assert len(await settled(stage, dry_run=True)) == 1
        assert await RedisTallies(opened(stage).client).last() == b""
        assert len(await settled(stage)) == 1


async def test_thanks_do_not_outweigh_an_alert_that_still_fires(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        await stage.say("alice", "@bot status of web")
        await stage.say("alice", "@bot thanks, solved")
        await stage.wait(IDLE_S)
        await RedisCare(opened(stage).client, opened(stage).audit).note_alerts(WEB, group="g", firing=True)
        [verdict] = await settled(stage)
        assert verdict["verdict"] == "unresolved"
        assert signals(verdict) == ["alerts_firing", "closing_words"]


async def test_an_open_incident_speaks_against_it_until_it_is_resolved(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        await stage.say("alice", "@bot status of web")
        await stage.say("alice", "@bot declare incident sev3")
        await stage.wait(2 * 3_600)
        [verdict] = await settled(stage)
        assert (verdict["verdict"], signals(verdict)) == ("unresolved", ["incident_open"])


async def test_a_thumb_down_makes_it_unresolved_and_is_counted_after_the_end_too(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        await stage.say("alice", "@bot status of web")
        look = str(stage.count)
        await stage.wait(IDLE_S)
        [before] = await settled(stage)
        assert before["verdict"] == "resolved"
        await stage.click("bob", "unhelpful", look)
        [after] = await settled(stage)
        assert (after["verdict"], after["score"], signals(after)) == ("unresolved", 1.0, ["rated_low"])


async def test_the_same_service_in_trouble_within_a_week_turns_the_verdict(tmp_path: Path) -> None:
    async with scene(tmp_path, cluster=BROKEN) as stage:
        await stage.say("alice", "@bot status of web")
        await stage.wait(IDLE_S)
        assert [one["verdict"] for one in await settled(stage)] == ["resolved"]
        await stage.wait(3 * DAY_S)
        await stage.say("bob", "@bot status of web")
        await stage.wait(IDLE_S)
        verdicts = {one["thread"]: one for one in await settled(stage)}
        turned = [one for one in verdicts.values() if one["verdict"] == "unresolved"]
        assert [signals(one) for one in turned] == [["again_in_trouble"]]
        assert len(verdicts) == 2


async def test_trouble_after_a_week_comes_too_late_and_the_verdict_is_final(tmp_path: Path) -> None:
    async with scene(tmp_path, cluster=BROKEN) as stage:
        await stage.say("alice", "@bot status of web")
        await stage.wait(8 * DAY_S)
        [final] = await settled(stage)
        assert (final["verdict"], final["settled"]) == ("resolved", True)
        await stage.say("bob", "@bot status of web")
        await stage.wait(IDLE_S)
        assert [one["thread"] for one in await settled(stage)] != [final["thread"]]


async def test_the_same_question_soon_again_in_the_room_counts_as_repeated(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        await stage.say("alice", "@bot events of web")
        await stage.wait(IDLE_S)
        await stage.say("bob", "@bot events of web")
        await stage.wait(IDLE_S)
        found = {one["verdict"]: one for one in await settled(stage)}
        assert set(found) == {"resolved", "unresolved"}
        assert signals(found["unresolved"]) == ["repeated"]


async def test_what_ended_after_the_day_is_left_for_later(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        await stage.say("alice", "@bot status of web")
        await stage.wait(IDLE_S)
        ended = int(stage.stage.clock.now() * 1000)
        await stage.wait(3 * DAY_S)
        await stage.say("bob", "@bot status of api")
        await stage.wait(IDLE_S)
        assert [one["service"] for one in await settled(stage, until=ended + 1)] == [WEB]
        assert len(await settled(stage)) == 1


async def test_the_tally_is_kept_for_the_metrics(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        await stage.say("alice", "@bot status of web")
        await stage.say("alice", "@bot useless")
        await stage.wait(IDLE_S)
        await settled(stage)
        kept = msgspec.json.decode(await RedisTallies(opened(stage).client).last(), type=Tally)
        assert (kept.resolved, kept.unresolved) == (0, 1)
        assert kept.reasons == {"closing_words": 1, "rated_low": 1}


async def test_for_people_every_verdict_is_a_line_with_its_reasons(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        await stage.say("alice", "@bot status of web")
        await stage.say("alice", "@bot useless")
        await stage.wait(IDLE_S)
        lines: list[str] = []
        await settle(opened(stage), echo=lines.append, now=int(stage.stage.clock.now() * 1000))
        assert "unresolved" in lines[0]
        assert WEB in lines[0]
        assert "it was rated 1.0 of 5" in lines[0]
        assert lines[-1] == "1 conversations: 0 resolved, 1 not; 1 verdicts are new."


async def test_a_summary_of_another_version_is_left_alone_and_told(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        await stage.say("alice", "@bot status of web")
        await stage.wait(IDLE_S)
        store = opened(stage)
        now = int(stage.stage.clock.now() * 1000)
        [one] = [one async for one in store.threads.ended(0, now)]
        assert await store.threads.settle(one, b'{"type":"newer"}')
        lines: list[str] = []
        assert await settle(store, echo=lines.append, now=now) == 1
        assert one.thread in lines[-1]


@pytest.mark.parametrize("text", ["yesterday", "2026-13-01", "31.01.2026"])
def test_a_day_that_is_none_is_refused_in_words(text: str) -> None:
    with pytest.raises(ValueError, match="--day is a date such as"):
        day_of(text)


def test_a_day_ends_with_it() -> None:
    assert day_of("2026-01-05") == 1_767_657_600_000
    assert day_of("") == 0


async def test_whoever_comes_back_is_told_that_it_was_not_resolved_and_why(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        await stage.say("alice", "@bot status of web")
        await stage.click("alice", "unhelpful", str(stage.count))
        await stage.say("alice", "@bot scale it to 5")
        await stage.click("bob", "confirm", str(stage.count))
        await stage.wait(DAY_S)
        await settled(stage)
        back = await stage.say("alice", "@bot status of web")
        assert "Judged since: not resolved: it was rated 1.0 of 5." in back["reply"]


@pytest.mark.parametrize(
    ("typed", "score"), [("👍 Helped", 5.0), ("👍 有用", 5.0), ("👎 Did not help", 1.0), ("👎 没用", 1.0)]
)
async def test_a_thumb_that_is_typed_is_a_vote_too(tmp_path: Path, typed: str, score: float) -> None:
    async with scene(tmp_path) as stage:
        await stage.say("alice", "@bot status of web")
        await stage.say("alice", f"@bot {typed}")
        await stage.wait(IDLE_S)
        assert [one["score"] for one in await settled(stage)] == [score]


@pytest.mark.parametrize("state", ["confirming", "approving", "handed_off"])
async def test_a_vote_changes_nothing_of_what_is_under_way(tmp_path: Path, state: str) -> None:
    rules = {"rules": [{"actions": ["*"], "request": ["*"], "confirm": ["*"], "approvals": int(state == "approving")}]}
    async with scene(tmp_path, policy=rules) as stage:
        await stage.say("alice", "@bot status of web")
        look = str(stage.count)
        before = await stage.say("alice", "@bot hand over to @bob" if state == "handed_off" else "@bot scale it to 5")
        if state == "approving":
            before = await stage.click("alice", "confirm", str(stage.count))
        assert before["state"] == state
        voted = await stage.click("carol", "helpful", look, as_of=look)
        assert "👍 1, 👎 0" in voted["reply"]
        assert (voted["state"], voted["plan"], voted["executed"]) == (state, before["plan"], [])
        assert voted["buttons"] == before["buttons"]


async def test_who_may_not_read_has_no_vote(tmp_path: Path) -> None:
    rules = {"groups": {"sre": ["alice"]}, "rules": [{"actions": ["*"], "request": ["sre"], "confirm": ["sre"]}]}
    reads = {"actions": ["read"], "request": ["sre"]}
    async with scene(tmp_path, policy={**rules, "rules": [reads, *rules["rules"]]}) as stage:
        await stage.say("alice", "@bot status of web")
        refused = await stage.click("bob", "unhelpful", str(stage.count))
        assert "does not let you read" in refused["reply"]
        await stage.wait(IDLE_S)
        assert [one["score"] for one in await settled(stage)] == [None]


async def test_two_at_once_judge_the_same_and_neither_fails(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        for name in ("web", "api"):
            await stage.say("alice", f"@bot status of {name}")
            await stage.wait(IDLE_S)
        both = await asyncio.gather(settled(stage), settled(stage))
        assert {one["thread"] for found in both for one in found} == {one["thread"] for one in both[0] + both[1]}
        assert len({one["thread"] for found in both for one in found}) == 2
        assert await settled(stage) == []


async def test_what_a_dead_run_left_is_judged_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with scene(tmp_path) as stage:
        for name in ("web", "api"):
            await stage.say("alice", f"@bot status of {name}")
            await stage.wait(IDLE_S)
        store = opened(stage)
        write = store.threads.settle
        left = [True]

        async def once(*args: Any) -> bool:
            if left.pop():
                left.append(False)
                return await write(*args)
            raise StoreUnavailable("gone")

        monkeypatch.setattr(store.threads, "settle", once)
        with pytest.raises(StoreUnavailable):
            await settled(stage)
        assert await RedisTallies(store.client).last() == b"", "half a count is none"
        monkeypatch.undo()
        assert len(await settled(stage)) == 1
        kept = msgspec.json.decode(await RedisTallies(store.client).last(), type=Tally)
        assert kept.resolved == 2


async def test_whoever_stops_reading_stops_nothing_else(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        for name in ("web", "api"):
            await stage.say("alice", f"@bot status of {name}")
            await stage.wait(IDLE_S)

        def closed(_line: str) -> None:
            raise BrokenPipeError

        with pytest.raises(BrokenPipeError):
            await settle(opened(stage), as_json=True, echo=closed, now=int(stage.stage.clock.now() * 1000))
        assert await settled(stage) == []
        assert await RedisTallies(opened(stage).client).last() != b""


@pytest.mark.parametrize("day", ["9999-12-31", "2026-01-05"])
async def test_a_day_to_come_is_up_to_now(tmp_path: Path, day: str) -> None:
    async with scene(tmp_path) as stage:
        await stage.say("alice", "@bot status of web")
        await stage.wait(IDLE_S)
        assert len(await settled(stage, until=day_of(day))) == 1


@pytest.mark.parametrize(
    ("turns", "verdict"),
    [
        (["status of web", "status of web", "how is web?"], "unresolved"),
        (["status of web", "how is web?"], "resolved"),
        (["status of web", "logs of web", "status of web", "events of web", "status of web"], "unresolved"),
        (["logs of web", "only errors", "the last 200 lines", "the last 500 lines"], "resolved"),
        (["scale web to 5", "make it 4", "make it 3", "make it 6", "cancel"], "resolved"),
    ],
)
async def test_the_very_same_three_times_is_repeated_and_to_change_a_question_is_not(
    tmp_path: Path, turns: list[str], verdict: str
) -> None:
    async with scene(tmp_path) as stage:
        for words in turns:
            await stage.say("alice", f"@bot {words}")
        await stage.wait(2 * IDLE_S)
        assert [one["verdict"] for one in await settled(stage)] == [verdict]


async def test_a_refresh_is_no_question(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        await stage.say("alice", "@bot status of web")
        for _ in range(4):
            await stage.wait(60)
            await stage.click("alice", "refresh", "1")
        await stage.wait(IDLE_S)
        assert [one["verdict"] for one in await settled(stage)] == ["resolved"]


async def test_to_look_whether_a_change_helped_is_no_repetition(tmp_path: Path) -> None:
    async with scene(tmp_path) as stage:
        await stage.say("alice", "@bot status of web")
        await stage.say("alice", "@bot scale it to 5")
        await stage.click("alice", "confirm", str(stage.count))
        await stage.wait(120)
        await stage.say("alice", "@bot status of web")
        await stage.wait(IDLE_S)
        assert [one["verdict"] for one in await settled(stage)] == ["resolved", "resolved"]
