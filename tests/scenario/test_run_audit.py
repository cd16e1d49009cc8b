"""The audit log of a running process in second places, and what is left when Redis is gone."""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
from pathlib import Path
from typing import Any

import httpx
from pydantic import SecretStr
from typer.testing import CliRunner

from chatops_bot.adapters.redis.embedded import EmbeddedServer
from chatops_bot.adapters.sandbox import Sandbox
from chatops_bot.app.cli import app
from chatops_bot.app.opening import open_store
from chatops_bot.app.settings import StoreSettings
from chatops_bot.domain.audit import Record, encode, link_hash
from tests.scenario.running import PATIENCE_S, Room, Running, configured, started, until
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


async def scaled(running: Running, replicas: int = 4) -> None:
    """Alice asks, Bob confirms."""
    async with httpx.AsyncClient(base_url=await running.address("console")) as console:
        room = Room(console)
        await room.say("alice", f"@bot scale web to {replicas}")
        await room.click("bob", await room.card(f"→ {replicas}"), "confirm")
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


async def test_the_story_is_whole_in_the_copy_when_the_store_has_lost_everything(
    tmp_path: Path, sandbox: Sandbox
) -> None:
    """Also where the bot goes on with an empty store, whose chains begin anew."""
    configured(tmp_path, sandbox)
    copy, data = tmp_path / "copy.jsonl", tmp_path / "data"
    for replicas in (4, 6):
        server = await EmbeddedServer.start(data)
        try:
            async with started("run", cwd=tmp_path, REDIS_URL=server.url) as running:
                await running.until_logged("running")
                await scaled(running, replicas)
                await until(lambda: told_whole(running.out), "the rollout to be verified, and its event to be written")
                assert await running.end() == 0
                with copy.open("a") as file:
                    file.writelines(f"{line}\n" for line in running.out)
        finally:
            await server.stop()
        shutil.rmtree(data)

    verified = await asyncio.to_thread(CliRunner().invoke, app, ["audit", "verify", "--from", str(copy)])
    assert verified.exit_code == 0, verified.output
    assert "begins anew" in verified.output
    tokens = dict.fromkeys(record["token"] for record in copied(copy.read_text().splitlines()) if "token" in record)
    assert len(tokens) == 2
    for token in tokens:
        told = await asyncio.to_thread(CliRunner().invoke, app, ["audit", "show", token, "--from", str(copy)])
        assert told.exit_code == 0, told.output
        for words in ("alice", "bob", "prepared", "confirmation", "execution", "PATCH", "resourceVersion", "verified"):
            assert words in told.output
        assert "event written" in told.output


def outcomes(lines: list[str]) -> list[str]:
    return [record["reason"] for record in copied(lines) if record["kind"] == "outcome"]


def told_whole(lines: list[str]) -> bool:
    return {"verified", "event written"} <= set(outcomes(lines))


async def test_where_the_copy_is_required_no_change_is_made_without_it(tmp_path: Path, sandbox: Sandbox) -> None:
    server = await EmbeddedServer.start(tmp_path / "data")
    try:
        async with receiving() as receiver:
            receiver.status = 503
            configured(tmp_path, sandbox, audit={"output": False, "webhook": receiver.url, "required": True})
            async with open_store(StoreSettings(url=SecretStr(server.url))) as store:
                await store.audit.append(shard_of="x", record=encode(Record(at=1, kind="switch")))
            async with started("run", cwd=tmp_path, REDIS_URL=server.url) as running:
                await running.until_logged("running")
                async with httpx.AsyncClient(base_url=await running.address("console")) as console:
                    room = Room(console)
                    await room.say("alice", "@bot scale web to 4")
                    await room.click("bob", await room.card("2 → 4"), "confirm")
                    refused = await room.card("has not reached its second place for more than 5 minutes")
                    assert sandbox.writes() == []
                    receiver.status = 200
                    await until(lambda: receiver.bodies, "the copy")
                    async with asyncio.timeout(PATIENCE_S):
                        while not sandbox.writes():
                            await room.click("bob", refused, "confirm")
                            await asyncio.sleep(0.2)  # what is awaited happens in another process
                    await until(lambda: any(w.resource == "deployments" for w in sandbox.writes()), "the write")
    finally:
        await server.stop()
