"""Numbers and names that cannot be meant, and requests that could do harm: nothing is executed, nothing but reads reaches
the API server, and whoever asked is told. Complaints c33, f78, g1, and mcp-server-kubernetes #328, #315."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scenario.playing import Scene, scene

NAMES = (
    "--server=https://evil.test",
    "-web",
    "../web",
    "shop/../kube-system/web",
    "web?dryRun=All",
    "web%2Fscale",
    "web;rm",
    "$(web)",
    "web\x00",
    "web\x1b[2J",
    "w\u200beb2",
    "a" * 300,
)
NUMBERS = (
    "-3",
    "0.5",
    "2.5",
    "-0",
    "1e9",
    "99999999999999999999",
    "2147483648",
    "NaN",
    "",
    "3 or 5",
    "3 and to 5",
    "3 and 5",
    "0x10",
)


async def harmless(playing: Scene, order: str) -> str:
    """Say it, and yes to whatever comes of it; what was answered."""
    sandbox = playing.stage.sandbox
    before = len(sandbox.requests)
    printed = await playing.say("alice", order)
    reply = str(printed["reply"])
    assert printed["executed"] == []
    assert sandbox.writes() == []
    assert {one.path for one in sandbox.requests[before:] if "evil" in one.path or ".." in one.path} == set()
    return reply


@pytest.mark.parametrize("name", NAMES, ids=ascii)
async def test_a_name_that_is_none_reaches_nothing_and_is_answered(tmp_path: Path, name: str) -> None:
    async with scene(tmp_path) as playing:
        for order in (f"@bot restart {name}", f"@bot scale {name} to 3"):
            assert await harmless(playing, order)
        # Yes to nothing, or to a plan of a service that there is: never of anything else.
        printed = await playing.say("alice", "@bot yes")
        assert {done["target"] for done in printed["executed"]} <= {"deployment/web"}
        written = {(one.namespace, one.name) for one in playing.stage.sandbox.writes()}
        assert written <= {("shop", "web")}


@pytest.mark.parametrize("number", NUMBERS, ids=ascii)
async def test_a_number_that_cannot_be_meant_makes_no_plan_and_is_answered_g1(tmp_path: Path, number: str) -> None:
    async with scene(tmp_path) as playing:
        assert await harmless(playing, f"@bot scale web to {number}")
        printed = await playing.say("alice", "@bot yes")
        assert printed["executed"] == []
        assert playing.stage.sandbox.writes() == []


@pytest.mark.parametrize("how", ["click", "words"])
async def test_words_and_clicks_take_the_same_way_c33(tmp_path: Path, how: str) -> None:
    """The same records of the same steps, in the same order, whatever confirmed it."""
    async with scene(tmp_path) as playing:
        turn = str((await playing.say("alice", "@bot scale web to 5"))["turn"])
        confirmed = playing.click("alice", "confirm", turn) if how == "click" else playing.say("alice", "@bot yes")
        printed = await confirmed
        assert [done["replicas"] for done in printed["executed"]] == [5]
        token = {one.body["metadata"]["annotations"]["chatops-bot.io/plan"] for one in playing.stage.sandbox.writes()}
        assert len(token) == 1


async def test_stop_in_the_middle_of_anything_works_at_once_f78(tmp_path: Path) -> None:
    async with scene(tmp_path) as playing:
        collecting = await playing.say("alice", "@bot scale web")
        assert collecting["state"] == "collecting"
        assert "Cancelled" in (await playing.say("alice", "@bot stop"))["reply"]
        assert (await playing.say("alice", "@bot 5"))["plan"] is None
        turn = str((await playing.say("alice", "@bot scale web to 5"))["turn"])
        stopped = await playing.say("alice", "@bot stop")
        assert stopped["plan"] is None
        late = await playing.click("alice", "confirm", turn)
        assert late["executed"] == []
        assert playing.stage.sandbox.writes() == []
