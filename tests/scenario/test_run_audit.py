"""The audit log of a running process in second places, and what is left when Redis is gone."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import httpx

from chatops_bot.adapters.redis.embedded import EmbeddedServer
from chatops_bot.adapters.sandbox import Sandbox
from chatops_bot.domain.audit import link_hash
from tests.scenario.running import Room, Running, configured, started, until
from tests.unit.adapters.audit.test_sinks import receiving


def copied(lines: list[str]) -> list[dict[str, Any]]:
    """The records in lines, each link of which has its hash."""
    records = []
    for line in lines:
        link = json.loads(line)
        raw = line[line.index('"record":') + len('"record":') : -1]
        assert link["hash"] == link_hash(link["previous"], raw.encode())
        records.append(link["record"])
    return records


def executed(lines: list[str]) -> list[str]:
    return [record["user"] for record in copied(lines) if record["kind"] == "execution"]


async def scaled(running: Running) -> None:
    """Alice asks, Bob confirms."""
    async with httpx.AsyncClient(base_url=await running.address("console")) as console:
        room = Room(console)
        await room.say("alice", "@bot scale web to 4")
        await room.click("bob", await room.card("2 → 4"), "confirm")
        await room.card("Confirmed by bob")


async def test_losing_the_store_does_not_lose_the_record(tmp_path: Path, sandbox: Sandbox) -> None:
    data = tmp_path / "data"
    server = await EmbeddedServer.start(data)
    try:
        configured(tmp_path, sandbox)
        async with started("run", cwd=tmp_path, REDIS_URL=server.url) as running:
            await running.until_logged("running")
            await scaled(running)
            await until(lambda: executed(running.out), "the execution on standard output")
            server.kill()
            assert executed(running.out) == ["bob"]
            assert {"request", "decision", "confirmation"} <= {record["kind"] for record in copied(running.out)}
            await running.end(signal.SIGKILL)
    finally:
        await server.stop()


async def test_a_webhook_that_comes_back_gets_what_a_killed_process_left(tmp_path: Path, sandbox: Sandbox) -> None:
    server = await EmbeddedServer.start(tmp_path / "data")
    try:
        async with receiving() as receiver:
            configured(tmp_path, sandbox, audit={"output": False, "webhook": receiver.url})
            receiver.status = 503
            async with started("run", cwd=tmp_path, REDIS_URL=server.url, CHATOPS_AUDIT__TOKEN="t0ken") as first:
                await first.until_logged("running")
                await scaled(first)
                warned = await first.until_logged("audit_not_copied")
                assert warned["why"] == "the webhook answered with status 503"
                await first.end(signal.SIGKILL)
                assert first.out == []
            receiver.status, receiver.bodies = 200, []
            async with started("run", cwd=tmp_path, REDIS_URL=server.url, CHATOPS_AUDIT__TOKEN="t0ken") as second:
                await second.until_logged("running")
                await until(lambda: receiver.bodies, "the webhook to be told")
                assert await second.end() == 0
            lines = [line for body in receiver.bodies for line in body.splitlines()]
            assert executed(lines) == ["bob"]
            assert receiver.headers[-1]["Authorization"] == "Bearer t0ken"
    finally:
        await server.stop()
