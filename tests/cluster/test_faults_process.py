"""`chatops-bot run` as a process, and an API server that dies under it and comes back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import yaml

from tests.cluster.controlplane import ControlPlane
from tests.cluster.proxy import watches, writes
from tests.cluster.weather import Weather, place, until
from tests.scenario.running import Room, Running, started


@asynccontextmanager
async def bot(there: Weather, folder: Path) -> AsyncIterator[tuple[Running, Room, httpx.AsyncClient]]:
    """With its console, for the namespace of the test."""
    cluster = {"name": "prod", "kubeconfig": str(there.kubeconfig), "namespaces": [there.namespace]}
    content = {
        "clusters": [cluster],
        "console": {"enabled": True, "port": 0},
        "http": {"host": "127.0.0.1", "port": 0},
        "policy": {"rules": [{"confirm": ["*"]}]},
    }
    (folder / "chatops-bot.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    async with started("run", cwd=folder, REDIS_URL=there.store) as running:
        await running.until_logged("running")
        async with (
            httpx.AsyncClient(base_url=await running.address("console")) as console,
            httpx.AsyncClient(base_url=await running.address("http")) as http,
        ):
            yield running, Room(console), http


async def test_it_tells_goes_on_and_finds_its_cluster_again(
    mortal: ControlPlane,
    namespace: str,
    redis_url: str,
    tmp_path: Path,
) -> None:
    async with place(mortal, namespace, redis_url) as there, bot(there, tmp_path) as (running, room, http):
        await until(lambda: there.proxy.under_way(watches()) >= 3, "its watches")
        await room.say("alice", "@bot scale web to 5")
        card = await room.card("2 → 5")
        held = there.proxy.hold(writes("/web"), after=True)
        await room.click("alice", card, "confirm")
        await held.wait()
        mortal.kill_apiserver()
        await there.proxy.refuse()
        held.release()
        await room.card("Outcome not known yet: scale web")
        await room.say("bob", "@bot web 的状态")
        await room.card("没有回答")
        assert (await http.get("/healthz")).status_code == 200

        mortal.start_apiserver()
        await there.proxy.listen()
        there.make("later")
        await until(lambda: there.proxy.under_way(watches()) >= 3, "its watches, again")
        await room.say("carol", "@bot how is later?")
        await room.card("pods ready")
        assert await running.end() == 0
        # What is not known yet waits for the next process; the write is not repeated by this one.
        assert [sent.what for sent in there.sent("write")] == ["write"]
        assert there.proxy.count(writes("/web")) == 1
    assert not [line for line in running.log if line.get("level") in ("error", "critical")]
