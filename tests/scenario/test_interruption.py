"""One incident through the whole bot over every way in which a platform can reach it: somebody else asks in between,
"it" still means what it meant, the button executes once, and the next "it" has nothing to inherit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from chatops_bot.adapters.feishu.connection import load
from chatops_bot.adapters.feishu.fake import FeishuWire
from chatops_bot.adapters.slack.fake import SlackWire
from chatops_bot.adapters.wecom.fake.wire import FakeWeCom
from chatops_bot.app import transcript
from chatops_bot.app.player import Player
from chatops_bot.app.replay_store import ReplayRedis
from chatops_bot.app.stage import Stage
from chatops_bot.app.stage_wire import WireChat
from chatops_bot.app.virtual_clock import VirtualClock
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.wire import Wire

WIRES: Final[dict[str, Callable[[Clock], Wire]]] = {
    "slack over HTTP": lambda clock: SlackWire(clock=clock, paced=False),
    "slack over a socket": lambda clock: SlackWire(clock=clock, mode="socket", paced=False),
    "feishu over a webhook": lambda clock: FeishuWire(clock=clock, paced=False),
    "feishu over a connection": lambda clock: FeishuWire(clock=clock, mode="connection", paced=False),
    "wecom's robot over a socket": lambda clock: FakeWeCom(clock, "socket", paced=False),
    "wecom's robot over HTTP": lambda clock: FakeWeCom(clock, "http", paced=False),
    "wecom's application": lambda clock: FakeWeCom(clock, "app", paced=False),
}
ALONE: Final = "wecom's application"
"""Everybody has a room of their own there: the button is pressed by who asked."""

FETCHED: Final = "wecom's robot over HTTP"
"""WeCom fetches answers there, and what waits for that waits for time, which has to pass."""

SCALED: Final = [{"action": "scale", "target": "deployment/payment-svc", "namespace": "payments", "replicas": 5}]
SCENE: Final[dict[str, Any]] = {
    "version": 1,
    "services": [
        {"name": "payment-svc", "namespace": "payments", "workload": "deployment/payment-svc", "environment": "prod"},
        {"name": "order-db", "namespace": "data", "workload": "statefulset/order-db", "environment": "prod"},
    ],
    "cluster": {
        "workloads": [
            {"kind": "Deployment", "namespace": "payments", "name": "payment-svc", "replicas": 2},
            {"kind": "StatefulSet", "namespace": "data", "name": "order-db", "replicas": 1},
        ]
    },
    "turns": [
        {"id": "asks", "from": "alice", "say": "@bot payment-svc 好像超时了，帮我查下 Pod 状态"},
        {"id": "interrupts", "from": "bob", "say": "@bot order-db 有没有慢查询？"},
        {"id": "orders", "at": "+1m", "from": "alice", "say": "@bot 好的，帮我把它扩容到 5 个副本"},
        {"id": "confirms", "from": "carol", "click": "confirm", "on": "orders"},
        {"id": "again", "redeliver": "confirms"},
        {"id": "stale", "from": "carol", "click": "confirm", "on": "orders", "as_of": "orders"},
        {"id": "next", "from": "alice", "say": "@bot 再重启一下它"},
    ],
}


@pytest.mark.parametrize("way", WIRES)
async def test_an_interruption_changes_nobodys_it(way: str, tmp_path: Path) -> None:
    await asyncio.to_thread(load)
    file = tmp_path / "scene.yaml"
    scene = SCENE if way != ALONE else {**SCENE, "turns": [_alone(turn) for turn in SCENE["turns"]]}
    file.write_text(yaml.safe_dump(scene, allow_unicode=True), encoding="utf-8")
    told: dict[str, dict[str, Any]] = {}

    def chat(clock: Clock) -> WireChat:
        return WireChat(WIRES[way](clock), clock=clock, tell=lambda line: None)

    async with ReplayRedis() as redis, Stage(transcript.read(file), redis, chat=chat) as stage:
        player = Player(stage)
        passing = asyncio.create_task(_passing(stage.clock)) if way == FETCHED else None
        for turn in stage.file.turns:
            told[turn.id] = await player.play(turn)
        if passing is not None:
            passing.cancel()

    assert (told["asks"]["service"], told["interrupts"]["service"]) == ("payment-svc", "order-db")
    assert "payment-svc" in told["asks"]["reply"]
    assert (told["orders"]["service"], told["orders"]["state"]) == ("payment-svc", "confirming")
    assert told["orders"]["buttons"][:2] == ["confirm", "cancel"]
    assert [turn for turn, one in told.items() if one["executed"]] == ["confirms"]
    assert told["confirms"]["executed"] == SCALED
    assert told["again"]["ignored"]
    assert (told["next"]["plan"], told["next"]["service"]) == (None, None)


async def _passing(clock: VirtualClock) -> None:
    while True:
        await asyncio.sleep(0.05)
        clock.move_to(clock.now() + 0.2)


def _alone(turn: dict[str, Any]) -> dict[str, Any]:
    if "from" not in turn:
        return turn
    who = "alice" if turn["from"] == "carol" else turn["from"]
    return {**turn, "from": who, "room": who}
