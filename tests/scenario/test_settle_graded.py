"""Conversations that a model grades when they are settled: a signal among others, and never in the way."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from chatops_bot.adapters.redis.spending import RedisSpending
from chatops_bot.app.settings_model import ModelSettings
from chatops_bot.app.settle_command import graded
from chatops_bot.engine.understanding import day_of
from chatops_bot.ports.clock import SystemClock
from tests.fakes.openai_server import Answer, Raw, Reset, Says, Served, Status, Step, serving
from tests.scenario.playing import Scene, scene
from tests.scenario.test_settle import IDLE_S, opened, settled, signals


def grade(score: int, reason: str = "So it was.") -> Says:
    return Says(json.dumps({"score": score, "reason": reason}), tokens=(200, 20))


@asynccontextmanager
async def over(folder: Path, answer: Answer | Step, **settings: Any) -> AsyncIterator[tuple[Scene, Served, Any]]:
    """A conversation about web that has ended, and a model."""
    async with serving(answer) as served, scene(folder) as stage:
        await stage.say("alice", "@bot status of web")
        yield stage, served, ModelSettings(**{"name": "m", "url": served.url, "breaker_failures": 100, **settings})


async def test_a_low_grade_counts_as_a_low_rating_and_is_kept_with_its_reason(tmp_path: Path) -> None:
    async with over(tmp_path, grade(2, "Nothing was found.")) as (stage, served, model):
        await stage.wait(IDLE_S)
        [verdict] = await settled(stage, model=model)
        assert (verdict["verdict"], verdict["score"], signals(verdict)) == ("unresolved", 2.0, ["rated_low"])
        assert verdict["grade"] == {"score": 2, "why": "Nothing was found.", "prompt": "m grade.v1"}
        assert await settled(stage, model=model) == []
        assert len(served.bodies) == 1, "it is graded once"


async def test_a_good_grade_is_written_too_so_that_it_is_asked_for_once(tmp_path: Path) -> None:
    async with over(tmp_path, grade(5)) as (stage, served, model):
        await stage.wait(IDLE_S)
        [before] = await settled(stage)
        [after] = await settled(stage, model=model)
        assert (before["verdict"], before["grade"], after["verdict"]) == ("resolved", None, "resolved")
        assert await settled(stage, model=model) == []
        assert len(served.bodies) == 1


@pytest.mark.parametrize(
    ("thumb", "score", "verdict"), [("helpful", 1, "resolved"), ("unhelpful", 5, "unresolved")], ids=["up", "down"]
)
async def test_a_model_never_turns_what_a_thumb_has_said(tmp_path: Path, thumb: str, score: int, verdict: str) -> None:
    async with over(tmp_path, grade(score)) as (stage, _, model):
        await stage.click("bob", thumb, str(stage.count))
        await stage.wait(IDLE_S)
        assert [one["verdict"] for one in await settled(stage, model=model)] == [verdict]


@pytest.mark.parametrize(
    "step",
    [
        Status(500),
        Status(401),
        Reset(),
        Raw(b"<html>"),
        Says("no"),
        Says('{"score":9,"reason":"x"}'),
        Says('{"score":1}'),
        Says('{"verdict":"unresolved","settled":true}'),
    ],
    ids=str,
)
async def test_without_a_grade_it_is_judged_by_the_rest(tmp_path: Path, step: Step) -> None:
    async with over(tmp_path, step, retries=0) as (stage, served, model):
        await stage.wait(IDLE_S)
        [verdict] = await settled(stage, model=model)
        assert (verdict["verdict"], verdict["grade"]) == ("resolved", None)
        assert served.bodies


async def test_it_costs_the_budget_that_people_share_and_is_left_when_that_is_spent(tmp_path: Path) -> None:
    async with over(tmp_path, grade(1), room_tokens=200) as (stage, served, model):
        await stage.wait(IDLE_S)
        await stage.say("bob", "@bot status of api")
        await stage.wait(IDLE_S)
        found = {one["service"].rpartition("/")[2]: one["grade"] for one in await settled(stage, model=model)}
        assert found["web"] is None
        assert found["api"]["score"] == 1, "the latest comes first"
        assert len(served.bodies) == 1
        spending, day = RedisSpending(opened(stage).client), day_of(SystemClock().now())
        room = stage.stage.chat.place("ops").key
        assert (await spending.spent(thread="", room=room, day=day))[1:] == (220, 220)


async def test_a_dry_run_asks_no_model(tmp_path: Path) -> None:
    async with over(tmp_path, grade(1)) as (stage, served, model):
        await stage.wait(IDLE_S)
        assert [one["verdict"] for one in await settled(stage, model=model, dry_run=True)] == ["resolved"]
        assert served.bodies == []


async def test_what_a_model_wrote_is_on_no_card(tmp_path: Path) -> None:
    async with over(tmp_path, grade(1, "WRITTEN-BY-A-MODEL")) as (stage, _, model):
        await stage.say("alice", "@bot scale it to 5")
        await stage.click("bob", "confirm", str(stage.count))
        await stage.wait(86_400)
        await settled(stage, model=model)
        back = await stage.say("alice", "@bot status of web")
        assert "Judged since: not resolved: a model graded it 1.0 of 5." in back["reply"]
        assert "WRITTEN" not in back["reply"]


@pytest.mark.parametrize(
    ("name", "grades", "wanted", "asked"),
    [
        ("m", False, None, False),
        ("m", True, None, True),
        ("m", False, True, True),
        ("m", True, False, False),
        ("", True, None, False),
        ("", False, False, False),
    ],
)
def test_it_is_asked_where_that_is_configured_or_wanted(
    name: str, grades: bool, wanted: bool | None, asked: bool
) -> None:
    assert graded(ModelSettings(name=name, grades=grades), wanted) is asked


def test_a_grade_without_a_model_is_a_mistake_that_is_told() -> None:
    with pytest.raises(ValueError, match="none is configured"):
        graded(ModelSettings(), True)
