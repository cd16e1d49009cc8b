"""`chatops-bot demo` as a process: ready quickly, harmless beside earlier demos, gone without a trace."""

from __future__ import annotations

import re
import shlex
import signal
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from tests.scenario.running import Room, Running, alive, descendants, started, until

READY_S = 15.0
"""Five seconds on an idle machine; three times that where a whole suite runs beside."""


@asynccontextmanager
async def shown(folder: Path, port: int, **environment: str) -> AsyncIterator[tuple[Running, Room]]:
    """A demo that has said where its console is."""
    data = {"XDG_DATA_HOME": str(folder / "data"), **environment}
    async with started("demo", "--port", str(port), cwd=folder, **data) as running:
        await until(
            lambda: any("console is at" in line for line in running.out) or running.process.returncode is not None,
            "the address",
        )
        said = re.search(r"http://127\.0\.0\.1:\d+", "\n".join(running.out))
        assert said, (running.out, running.log)
        async with httpx.AsyncClient(base_url=said[0]) as client:
            yield running, Room(client)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
        return port


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_it_is_ready_soon_and_leaves_nothing_behind(tmp_path: Path, number: signal.Signals) -> None:
    port = free_port()
    begun = time.monotonic()
    async with shown(tmp_path, port) as (running, room):
        assert time.monotonic() - begun < READY_S
        assert str(room.client.base_url).rstrip("/") == f"http://127.0.0.1:{port}"
        # The address comes first; the sentences to try are still on their way.
        await until(lambda: sum("@bot" in line for line in running.out) == 6, "three sentences in each language")
        assert "payment-svc" in (await room.client.get("/api/cluster")).text
        assert "<html" in (await room.client.get("/")).text
        await room.say("alice", "@bot 华东生产环境的 payment-svc 好像超时了，帮我查下 Pod 状态")
        await room.card("CrashLoopBackOff")
        await room.say("bob", "@bot 订单数据库 order-db 有没有慢查询？")
        await room.say("alice", "@bot 好的，帮我把它扩容到 5 个副本")
        card = await room.card("2 → 5")
        await room.click("carol", card, "confirm")
        await room.card("由 carol 确认")
        children = descendants(running.process.pid)
        assert children
        assert await running.end(number) == 0
        assert not alive(children)
    assert running.log == []
    assert (tmp_path / "data" / "chatops-bot" / "demo").is_dir()


async def test_what_it_prints_leads_other_commands_to_its_store(tmp_path: Path) -> None:
    folder = tmp_path / "a b"
    folder.mkdir()
    async with shown(folder, free_port()) as (demo, room):
        await room.say("alice", "@bot how is payment-svc?")
        await room.card("CrashLoopBackOff")
        await until(lambda: any("export REDIS_URL=" in line for line in demo.out), "the store's address")
        [line] = [line for line in demo.out if "export REDIS_URL=" in line]
        [_, assignment] = shlex.split(line)
        async with started("audit", "list", cwd=tmp_path, REDIS_URL=assignment.removeprefix("REDIS_URL=")) as listing:
            assert await listing.process.wait() == 0
            await until(lambda: any("payment-svc" in line for line in listing.out), "the record of the question")


async def test_an_earlier_demo_in_the_same_folder_confuses_nobody(tmp_path: Path) -> None:
    async with shown(tmp_path, free_port()) as (running, room):
        await room.say("alice", "@bot how is payment-svc?")
        await room.card("CrashLoopBackOff")
        await room.say("alice", "@bot scale it to 5")
        old = await room.card("2 → 5")
        assert await running.end(signal.SIGINT) == 0
    async with shown(tmp_path, free_port()) as (running, room):
        assert await room.cards() == []
        # A page that was left open presses a button of the earlier console.
        assert (await room.click("alice", old, "confirm")).status_code == 200
        await room.say("bob", "@bot restart order-settle")
        card = await room.card("To confirm: restart order-settle")
        await room.click("bob", card, "confirm")
        await room.card("Confirmed by bob")
        state = (await room.client.get("/api/cluster")).json()
        payment = next(each for each in state["workloads"] if each["name"] == "payment-svc")
        assert payment["replicas"] == 2, "a plan of an earlier cluster is not executed on this one"
        assert await running.end(signal.SIGINT) == 0
    assert running.log == []


async def test_a_second_demo_takes_the_next_port_and_leaves_the_first_its_data(tmp_path: Path) -> None:
    port = free_port()
    async with shown(tmp_path, port) as (first, room), shown(tmp_path, port) as (second, other):
        assert room.client.base_url != other.client.base_url
        assert f"Port {port} is taken" in "\n".join(second.out)
        assert "this demo keeps nothing" in "\n".join(second.out)
        await other.say("alice", "@bot how is order-api?")
        await other.card("3/3")
        assert await room.cards() == []
        assert await second.end(signal.SIGINT) == 0
        await room.say("alice", "@bot how is order-api?")
        await room.card("3/3")
        assert await first.end(signal.SIGINT) == 0


async def test_a_killed_demo_takes_its_store_along(tmp_path: Path) -> None:
    async with shown(tmp_path, free_port()) as (running, _):
        children = descendants(running.process.pid)
        assert children
        running.process.kill()
        await running.ended()
        await until(lambda: not alive(children), "the store to end too")


async def test_the_script_plays_without_a_terminal(tmp_path: Path) -> None:
    async with started("demo", "--script", cwd=tmp_path, LC_ALL="C", PYTHONIOENCODING="ascii") as running:
        assert await running.ended() == 0
    assert running.out[-1] == "Everything went as it should."
    assert running.log == []
