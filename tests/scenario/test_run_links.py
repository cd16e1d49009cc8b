"""Two rooms of a running bot: linked as the configuration says, pressed in either."""

from __future__ import annotations

from pathlib import Path

import httpx

from chatops_bot.adapters.sandbox import Sandbox
from tests.scenario.running import Room, configured, started, until


def replicas(sandbox: Sandbox) -> int:
    return int(next(each for each in sandbox.snapshot()["workloads"] if each["name"] == "web")["replicas"])


async def test_a_running_bot_links_rooms_that_its_configuration_names(tmp_path: Path, sandbox: Sandbox) -> None:
    configured(
        tmp_path,
        sandbox,
        rooms={"ops": {"platform": "console"}, "overseas": {"platform": "console"}},
        incidents={"links": {"sea": "overseas"}},
    )
    async with started("run", cwd=tmp_path) as running:
        await running.until_logged("running")
        assert (await running.until_logged("rooms_linkable"))["rooms"] == ["sea"]
        async with httpx.AsyncClient(base_url=await running.address("console")) as console:
            here, there = Room(console), Room(console, "overseas")
            await here.say("alice", "@bot declare an incident sev1: web is slow")
            await here.card("declared (sev1)")
            await here.say("alice", "@bot link the incident to sea")
            await there.card("linked inc-")
            await here.say("alice", "@bot scale web to 4")
            await here.card("2 → 4")
            await there.click("bob", await there.card("2 → 4"), "confirm")
            await until(lambda: replicas(sandbox) == 4, "web to be scaled")
            for room in (here, there):
                assert "bob" in str(await room.card("Done: scale web"))
        assert await running.end() == 0
