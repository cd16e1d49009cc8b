"""Charts through the whole process: a real Prometheus, the console and Slack, an alert's own expression, and a
Prometheus that goes away."""

from __future__ import annotations

import json
import struct
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from chatops_bot.adapters.sandbox import Sandbox
from chatops_bot.adapters.slack.fake import deliveries
from chatops_bot.adapters.slack.fake.server import FakeSlack
from chatops_bot.adapters.slack.fake.workspace import BOT_USER, ROOM
from tests.fakes.clock import ManualClock
from tests.fakes.pictures import PNG
from tests.prometheus.server import MISSING, PROMETHEUS, PROMTOOL, Server
from tests.scenario.running import Room, configured, started, until

pytestmark = [
    pytest.mark.prometheus,
    pytest.mark.skipif(PROMETHEUS is None or PROMTOOL is None, reason=MISSING),
]

MIB = 2**20
TOKEN = "alert-token"
Json = dict[str, Any]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    now = int(time.time())
    times = range(now - 9_000, now + 120, 30)
    place = 'namespace="shop",pod="web-5d8f7c9b6c-x7k2p"'
    past = {
        f'container_memory_working_set_bytes{{{place},container="app"}}': dict.fromkeys(times, 100.0 * MIB),
        f'kube_pod_container_resource_limits{{{place},container="app",resource="memory"}}': dict.fromkeys(
            times, 128.0 * MIB
        ),
        'queue_length{queue="mail"}': {moment: float(moment - times[0]) for moment in times},
    }
    folder = tmp_path / "prometheus"
    folder.mkdir()
    made = Server(folder, past=past)
    made.start()
    yield made
    made.end()


def charts_of(card: Json) -> list[Json]:
    return [chart for block in card["card"]["blocks"] if block["type"] == "picture" for chart in block["charts"]]


def alert() -> Json:
    labels = {"alertname": "QueueLong", "service": "web", "severity": "critical", "queue": "mail"}
    return {
        "version": "4",
        "groupKey": "g",
        "status": "firing",
        "receiver": "bot",
        "groupLabels": {},
        "commonLabels": labels,
        "commonAnnotations": {},
        "externalURL": "http://alertmanager",
        "alerts": [
            {
                "status": "firing",
                "labels": labels,
                "annotations": {"summary": "mail waits"},
                "startsAt": "2026-01-05T10:00:00Z",
                "endsAt": "0001-01-01T00:00:00Z",
                "generatorURL": "http://prometheus:9090/graph?g0.expr=queue_length+%3E+5000&g0.tab=1",
                "fingerprint": "f00d",
            }
        ],
    }


async def test_questions_and_alerts_come_with_charts_and_without_them_when_prometheus_is_away(
    tmp_path: Path, sandbox: Sandbox, server: Server
) -> None:
    configured(
        tmp_path,
        sandbox,
        metrics={"url": server.url, "timeout_s": 10},
        rooms={"ops": {"platform": "console"}},
        alerts={"enabled": True, "room": "ops"},
        services=[{"name": "web", "namespace": "shop", "workload": "deployment/web", "alerts": {"service": "web"}}],
    )
    async with started("run", cwd=tmp_path, CHATOPS_ALERTS__TOKEN=TOKEN) as running:
        await running.until_logged("running")
        async with (
            httpx.AsyncClient(base_url=await running.address("console")) as console,
            httpx.AsyncClient(base_url=await running.address("http")) as http,
        ):
            room = Room(console)
            await room.say("alice", "@bot show me the memory of web for the last 2 hours")
            (memory,) = charts_of(await room.card('"type": "picture"'))
            assert memory["title"]["key"] == "chart.memory"
            assert (len(memory["series"][0]["values"]) - 1) * memory["step"] == 7_200_000
            assert [each["value"] for each in memory["thresholds"]] == [128 * MIB]

            sent = await http.post("/alerts", json=alert(), headers={"authorization": f"Bearer {TOKEN}"})
            assert sent.status_code == 200, sent.text
            own, *_ = charts_of(await room.card('"chart.alert"'))
            assert [each["value"] for each in own["thresholds"]] == [5000]

            server.end()
            await room.say("alice", "@bot 看下 web 最近 1 小时的内存")
            answer = await room.card("图表不全：连不上 Prometheus")
            assert charts_of(answer) == []
            assert await running.end() == 0
    assert not [line for line in running.log if line.get("level") in ("error", "critical")]


async def test_on_slack_charts_are_a_picture(tmp_path: Path, sandbox: Sandbox, server: Server) -> None:
    async with FakeSlack(ManualClock()) as slack:
        slack.workspace.user("U1", "alice")
        chosen = {"enabled": True, "mode": "http", "base_url": slack.url}
        configured(tmp_path, sandbox, slack=chosen, metrics={"url": server.url, "timeout_s": 10})
        secrets = {"CHATOPS_SLACK__BOT_TOKEN": "xoxb-test", "CHATOPS_SLACK__SIGNING_SECRET": deliveries.SECRET}
        async with started("run", cwd=tmp_path, **secrets) as running:
            await running.until_logged("running")
            async with httpx.AsyncClient(base_url=await running.address("http")) as http:
                said = deliveries.mention(f"<@{BOT_USER}> 看下 web 最近 2 小时的内存", ts="1700000001.000100")
                body = deliveries.as_json(deliveries.event(said, id="Ev1"))
                headers = deliveries.signed(body, now=time.time())
                assert (await http.post("/slack/events", content=body, headers=headers)).status_code == 200
                messages = slack.workspace.channels[ROOM].messages
                await until(lambda: '"image"' in json.dumps(messages), "a picture in Slack")
            assert await running.end() == 0
        ((name, file),) = slack.workspace.files.items()
        image = next(block for message in messages for block in message["blocks"] if block["type"] == "image")
        assert image["slack_file"] == {"id": name}
        assert "每个 Pod 的内存：当前 100 MiB" in image["alt_text"]
        assert file.content.startswith(PNG)
        assert struct.unpack(">I", file.content[16:20]) == (1064,)
