"""A stage for scenarios written in Python: what a transcript cannot say, such as a lost answer of the API server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import yaml

from chatops_bot.app import transcript
from chatops_bot.app.player import Player
from chatops_bot.app.replay_store import ReplayRedis
from chatops_bot.app.stage import Stage
from chatops_bot.app.stage_chat import StageChat
from chatops_bot.app.stage_wire import WireChat, wire_of
from chatops_bot.app.transcript import Turn
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.interpreter import Interpreter

HEAD: dict[str, Any] = {
    "version": 1,
    "name": "in Python",
    "services": [
        {"name": "web", "namespace": "shop", "workload": "deployment/web", "environment": "prod"},
        {"name": "api", "namespace": "shop", "workload": "deployment/api", "environment": "prod"},
    ],
    "cluster": {
        "workloads": [
            {"kind": "Deployment", "namespace": "shop", "name": "web", "replicas": 2, "image": "reg/web:1"},
            {"kind": "Deployment", "namespace": "shop", "name": "api", "replicas": 2, "image": "reg/api:1"},
        ]
    },
}


class Scene:
    """Turns one by one, each answered by what `replay` would print."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self._player = Player(stage)
        self._count = 0

    @property
    def count(self) -> int:
        """Turns so far; the last one's id."""
        return self._count

    async def say(self, user: str, text: str, **more: Any) -> dict[str, Any]:
        return await self._turn(act="say", what=text, user=user, **more)

    async def click(self, user: str, button: str, on: str, **more: Any) -> dict[str, Any]:
        return await self._turn(act="click", what=button, user=user, on=on, **more)

    async def do(self, act: str, what: Any, **more: Any) -> dict[str, Any]:
        return await self._turn(act=act, what=what, **more)

    async def wait(self, seconds: float) -> dict[str, Any]:
        """Nothing happens but time."""
        return await self._turn(act="up", what="cluster", after_s=seconds)

    async def _turn(self, *, act: str, what: Any, after_s: float = 5.0, **more: Any) -> dict[str, Any]:
        self._count += 1
        turn = Turn(id=str(self._count), act=act, what=what, after_s=after_s, **more)
        return await self._player.play(turn)


@asynccontextmanager
async def scene(
    folder: Path, *, platform: str = "console", interpreter: Interpreter | None = None, **head: Any
) -> AsyncIterator[Scene]:
    """A fresh Redis, sandbox and bot, which `interpreter` understands for; `head` replaces keys of the transcript's
    head."""
    file = folder / "scene.yaml"
    content = {**HEAD, **head, "turns": [{"from": "alice", "say": "hi"}]}
    file.write_text(yaml.safe_dump(content), encoding="utf-8")
    stage = Stage(transcript.read(file), redis := ReplayRedis(), chat=_chat(platform), interpreter=interpreter)
    async with redis, stage:
        yield Scene(stage)


def _chat(platform: str) -> Callable[[Clock], StageChat] | None:
    """Another platform than the console, behind a fake of its wire."""
    if platform == "console":
        return None
    return lambda clock: WireChat(wire_of(platform, clock=clock), clock=clock, tell=print)
