"""Proactive care in the real process: a card that nobody has asked for, in the room that its owner's alerts go to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx

from chatops_bot.adapters.sandbox import Sandbox
from tests.scenario.running import Room, configured, started


def broken(name: str) -> dict[str, Any]:
    pods = ["CrashLoopBackOff"]
    return {"kind": "Deployment", "namespace": "shop", "name": name, "replicas": 1, "image": "reg/x:1", "pods": pods}


def service(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "namespace": "shop", "workload": f"deployment/{name}", **more}


async def test_what_is_broken_and_watched_gets_a_card_where_its_owner_looks(tmp_path: Path, sandbox: Sandbox) -> None:
    sandbox.apply({"workloads": [broken("pay"), broken("other")]})
    await sandbox.settle()
    configured(
        tmp_path,
        sandbox,
        rooms={"ops": {"platform": "console"}, "team": {"platform": "console"}},
        alerts={"routes": [{"owners": ["team-pay"], "room": "team"}]},
        care={"enabled": True, "room": "ops", "stays_s": 0, "every_s": 30},
        services=[service("pay", watch=True, owners=["team-pay"]), service("other")],
    )
    async with started("run", cwd=tmp_path) as running:
        await running.until_logged("running")
        async with httpx.AsyncClient(base_url=await running.address("console")) as console:
            room = Room(console, "team")
            await room.card("Noticed: pay: a container keeps crashing")
            card = await room.card("pay is DOWN")
            await room.click("alice", card, "restart")
            await room.card("To confirm: restart pay")
            assert not any("other" in str(shown["card"]) for shown in await room.cards())
            assert await Room(console).cards() == []
