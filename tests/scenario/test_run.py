"""`chatops-bot run` as a process: what it serves, how it starts without its neighbours, how it ends."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from chatops_bot.adapters.redis.embedded import EmbeddedServer
from chatops_bot.adapters.sandbox import Sandbox
from chatops_bot.adapters.slack.fake import deliveries
from chatops_bot.adapters.slack.fake.server import FakeSlack
from chatops_bot.adapters.slack.fake.workspace import BOT_USER, ROOM
from tests.fakes.clock import ManualClock
from tests.scenario.running import PATIENCE_S, Room, Running, alive, configured, descendants, started, until

TOKEN = "alert-token"
ALERTS = {
    "rooms": {"ops": {"platform": "console"}},
    "alerts": {"enabled": True, "room": "ops"},
    "services": [{"name": "web", "namespace": "shop", "workload": "deployment/web", "alerts": {"service": "web"}}],
}
FIRING = {
    "version": "4",
    "groupKey": '{}:{alertname="Slow"}',
    "status": "firing",
    "receiver": "bot",
    "groupLabels": {"alertname": "Slow"},
    "commonLabels": {"alertname": "Slow", "service": "web"},
    "commonAnnotations": {},
    "externalURL": "http://alertmanager",
    "alerts": [
        {
            "status": "firing",
            "labels": {"alertname": "Slow", "service": "web", "severity": "warning"},
            "annotations": {"summary": "web answers slowly"},
            "startsAt": "2026-01-05T10:00:00Z",
            "endsAt": "0001-01-01T00:00:00Z",
            "generatorURL": "",
            "fingerprint": "f00d",
        }
    ],
}


@asynccontextmanager
async def bot(folder: Path, **environment: str) -> AsyncIterator[tuple[Running, Room, httpx.AsyncClient]]:
    """A running bot with its console and its HTTP side."""
    async with started("run", cwd=folder, **environment) as running:
        await running.until_logged("running")
        async with (
            httpx.AsyncClient(base_url=await running.address("console")) as console,
            httpx.AsyncClient(base_url=await running.address("http")) as http,
        ):
            yield running, Room(console), http


async def problems(http: httpx.AsyncClient) -> dict[str, str]:
    """What the readiness probe complains about."""
    answer = await http.get("/readyz")
    found: dict[str, str] = answer.json()["problems"]
    assert answer.status_code == (503 if found else 200)
    return found


async def until_ready(http: httpx.AsyncClient) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while await problems(http):  # noqa: ASYNC110 (what is awaited happens in another process)
            await asyncio.sleep(0.05)


async def until_at_work(http: httpx.AsyncClient) -> None:
    """Until something waits for the cluster."""
    async with asyncio.timeout(PATIENCE_S):
        while 'chatops_queue_depth{queue="work"} 0.0' in (await http.get("/metrics")).text:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


def replicas(sandbox: Sandbox) -> int:
    wanted = next(workload for workload in sandbox.snapshot()["workloads"] if workload["name"] == "web")["replicas"]
    assert isinstance(wanted, int)
    return wanted


async def test_a_conversation_health_metrics_alerts_and_an_end_in_order(tmp_path: Path, sandbox: Sandbox) -> None:
    configured(tmp_path, sandbox, **ALERTS)
    async with bot(tmp_path, CHATOPS_ALERTS__TOKEN=TOKEN) as (running, room, http):
        assert (await http.get("/healthz")).json() == {"status": "alive"}
        await until_ready(http)

        assert (await room.say("alice", "@bot scale web to 4")).json()["taken"] == "stored"
        card = await room.card("2 → 4")
        assert replicas(sandbox) == 2
        await room.click("bob", card, "confirm")
        await until(lambda: replicas(sandbox) == 4, "the cluster to be scaled")
        await room.card("Confirmed by bob")

        assert (await http.post("/alerts", json=FIRING)).status_code == 401
        taken = await http.post("/alerts", json=FIRING, headers={"authorization": f"Bearer {TOKEN}"})
        assert taken.status_code == 200, taken.text
        await room.card("web answers slowly")

        metrics = (await http.get("/metrics")).text
        assert 'chatops_events_total{kind="Message",platform="console",taken="new"} 1.0' in metrics
        assert 'chatops_executions_total{action="scale",outcome="done"} 1.0' in metrics
        assert 'chatops_queue_depth{queue="mailbox"}' in metrics
        assert "chatops_read_only 0.0" in metrics
        assert TOKEN not in metrics + json.dumps(running.log)

        children = descendants(running.process.pid)
        assert children, "the embedded store is a child"
        assert await running.end() == 0
        assert not alive(children)
    assert not [line for line in running.log if line.get("level") in ("error", "critical")]


async def test_a_restart_keeps_the_session(tmp_path: Path, sandbox: Sandbox) -> None:
    configured(tmp_path, sandbox)
    async with bot(tmp_path) as (running, room, _):
        before = (await room.say("alice", "@bot how is web?")).json()["thread"]
        await room.card("2/2")
        assert await running.end() == 0
    async with bot(tmp_path) as (running, room, _):
        after = (await room.say("alice", "@bot scale it to 3")).json()["thread"]
        assert after == before
        await room.card("2 → 3")
        assert await running.end(signal.SIGINT) == 0


async def test_what_is_at_work_ends_before_the_process_does(tmp_path: Path, sandbox: Sandbox) -> None:
    configured(tmp_path, sandbox)
    async with bot(tmp_path) as (running, room, http):
        await until_ready(http)
        sandbox.faults.hang(count=1_000)
        seen: list[str] = []
        state = (await room.client.get("/api/room")).json()
        after = f"{state['epoch']}-{state['sequence']}"
        async with room.client.stream("GET", "/api/stream", params={"after": after}) as stream:
            reading = asyncio.create_task(_read(stream, seen.append))
            await room.say("alice", "@bot how is web?")
            await until_at_work(http)
            running.process.terminate()
            await running.until_logged("stopping")
            refused = await room.say("alice", "@bot and now?")
            assert (refused.status_code, refused.json()["error"]) == (503, "not_accepted")
            assert (await problems(http))["process"] == "stopping"
            sandbox.faults.clear()
            await reading
        assert await running.ended() == 0
    assert any("2/2 pods ready" in line for line in seen), "the answer was drawn before the process ended"


async def _read(stream: httpx.Response, take: Callable[[str], None]) -> None:
    async for line in stream.aiter_lines():
        take(line)


async def test_a_second_signal_ends_it_at_once(tmp_path: Path, sandbox: Sandbox) -> None:
    configured(tmp_path, sandbox)
    async with bot(tmp_path) as (running, room, http):
        await until_ready(http)
        sandbox.faults.hang(count=1_000)
        await room.say("alice", "@bot how is web?")
        await until_at_work(http)
        children = descendants(running.process.pid)
        running.process.terminate()
        await running.until_logged("stopping")
        assert await running.end() == 128 + signal.SIGTERM
        await until(lambda: not alive(children), "the store to end with it")


async def test_a_cluster_that_hangs_delays_no_acknowledgement(tmp_path: Path, sandbox: Sandbox) -> None:
    configured(tmp_path, sandbox)
    async with bot(tmp_path) as (running, room, http):
        await until_ready(http)
        sandbox.faults.hang(count=10_000)
        for number in range(20):
            answer = await room.say(f"user{number}", "@bot how is web?")
            assert answer.json()["taken"] == "stored"
        await until_at_work(http)
        # Nobody has had an answer yet, and still everybody is acknowledged.
        assert (await room.say("late", "@bot how is web?")).json()["taken"] == "stored"
        assert all("2/2" not in json.dumps(card) for card in await room.cards()), [await room.cards()]
        metrics = (await http.get("/metrics")).text
        assert 'chatops_intake_seconds_count{platform="console"} 21.0' in metrics
        assert 'chatops_intake_seconds_bucket{le="1.0",platform="console"} 21.0' in metrics
        assert (await http.get("/healthz")).status_code == 200
        running.process.kill()


async def test_slack_is_acknowledged_while_the_cluster_hangs(tmp_path: Path, sandbox: Sandbox) -> None:
    async with FakeSlack(ManualClock()) as slack:
        slack.workspace.user("U1", "alice")
        chosen = {"enabled": True, "mode": "http", "base_url": slack.url}
        configured(tmp_path, sandbox, slack=chosen)
        secrets = {"CHATOPS_SLACK__BOT_TOKEN": "xoxb-test", "CHATOPS_SLACK__SIGNING_SECRET": deliveries.SECRET}
        async with bot(tmp_path, **secrets) as (running, _, http):
            await until_ready(http)
            sandbox.faults.hang(count=10_000)
            for number in range(5):
                said = deliveries.mention(f"<@{BOT_USER}> how is web?", ts=f"1700000001.00010{number}")
                body = deliveries.as_json(deliveries.event(said, id=f"Ev{number}"))
                headers = deliveries.signed(body, now=time.time())
                assert (await http.post("/slack/events", content=body, headers=headers)).status_code == 200
            await until_at_work(http)
            messages = slack.workspace.channels[ROOM].messages
            assert "2/2" not in json.dumps(messages)
            sandbox.faults.clear()
            await until(lambda: "2/2" in json.dumps(messages), "the answers in Slack")
            assert (await http.post("/slack/events", content=b"{}")).status_code == 401
            assert await running.end() == 0
        assert "xoxb-test" not in json.dumps(running.log)


async def test_a_store_that_is_away_at_the_start_is_waited_for(tmp_path: Path, sandbox: Sandbox) -> None:
    configured(tmp_path, sandbox)
    store = tmp_path / "store"
    async with started("run", cwd=tmp_path, REDIS_URL=f"unix://{store}/redis.sock") as running:
        problem = await running.until_logged("store_unavailable")
        assert str(store) in problem["why"]
        assert "REDIS_URL" in problem["what_to_do"]
        async with httpx.AsyncClient(base_url=await running.address("http")) as http:
            found = await problems(http)
            assert found["process"] == "starting, waiting for the store"
            assert str(store) in found["store"]
            assert (await http.get("/healthz")).status_code == 200
            server = await EmbeddedServer.start(store)
            try:
                await running.until_logged("running")
                await until_ready(http)
                assert await running.end() == 0
            finally:
                await server.stop()


async def test_a_stop_while_the_store_is_awaited(tmp_path: Path, sandbox: Sandbox) -> None:
    configured(tmp_path, sandbox)
    async with started("run", cwd=tmp_path, REDIS_URL=f"unix://{tmp_path}/none.sock") as running:
        await running.until_logged("store_unavailable")
        assert await running.end() == 0


async def test_a_cluster_that_is_away_at_the_start_is_found_later(tmp_path: Path, sandbox: Sandbox) -> None:
    configured(tmp_path, sandbox)
    sandbox.down = True
    async with bot(tmp_path) as (running, room, http):
        assert list(await problems(http)) == ["cluster demo"]
        assert (await room.say("alice", "@bot how is web?")).json()["taken"] == "stored"
        sandbox.down = False
        await until_ready(http)
        await running.until_logged("catalog_read")
        await room.say("bob", "@bot how is web?")
        await room.card("2/2")
        assert await running.end() == 0


async def test_without_a_policy_every_card_says_that_nothing_can_be_changed(tmp_path: Path, sandbox: Sandbox) -> None:
    configured(tmp_path, sandbox, policy=None)
    async with bot(tmp_path) as (running, room, http):
        await room.say("alice", "@bot how is web?")
        await room.card("Read-only: no policy file, so looking is allowed and changing is not")
        await room.say("bob", "@bot 看一下 web 的状态")
        await room.card("只读：没有策略文件，因此只能查看，不能变更")
        await room.say("carol", "@bot scale web to 9")
        assert "chatops_read_only 1.0" in (await http.get("/metrics")).text
        assert await running.end() == 0
    assert replicas(sandbox) == 2


async def test_a_policy_file_holds_from_the_moment_it_changes_unless_it_has_errors(
    tmp_path: Path, sandbox: Sandbox
) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text("rules: [{confirm: [alice]}]\n", encoding="utf-8")
    configured(tmp_path, sandbox, policy=None, policy_file="policy.yaml")
    async with bot(tmp_path) as (running, room, _):
        await room.say("alice", "@bot scale web to 3")
        card = await room.card("2 → 3")
        file.write_text("rules: [{confirm: [carol]}]\n", encoding="utf-8")
        await running.until_logged("policy_read")
        await room.click("alice", card, "confirm")
        await room.card("carol")
        card = await room.card('"id": "confirm"')
        file.write_text("rules: [{confirm: carol]\n", encoding="utf-8")
        unusable = await running.until_logged("policy_unusable")
        assert "policy.yaml" in unusable["problems"][0]
        assert "the rules of before hold" in unusable["consequence"]
        await room.click("alice", card, "confirm")
        await room.card("These can: carol")
        await room.say("bob", "@bot restart web")
        warned = await room.card("the rules of before hold")
        assert "confirm" in {button["id"] for button in warned["card"]["buttons"]}
        await room.click("carol", card, "confirm")
        await room.card("Done")
        assert await running.end() == 0
    assert replicas(sandbox) == 3


@pytest.mark.parametrize("section", ["http", "console"])
async def test_a_port_in_use_is_told_in_a_sentence(tmp_path: Path, sandbox: Sandbox, section: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        more: dict[str, Any] = {section: {"enabled": True} if section == "console" else {"host": "127.0.0.1"}}
        more[section]["port"] = port
        configured(tmp_path, sandbox, **more)
        async with started("run", cwd=tmp_path) as running:
            assert await running.ended() == 1
            children = descendants(running.process.pid)
    said = running.log[-1]["message"]
    assert f"127.0.0.1:{port} cannot be listened on" in said
    assert f"under {section}" in said
    assert not children


async def test_an_embedded_store_in_use_is_told_in_a_sentence(tmp_path: Path, sandbox: Sandbox) -> None:
    configured(tmp_path, sandbox)
    server = await EmbeddedServer.start(tmp_path / "chatops-data")
    try:
        async with started("run", cwd=tmp_path) as running:
            assert await running.ended() == 1
    finally:
        await server.stop()
    assert "in use by another server" in running.log[-1]["message"]
