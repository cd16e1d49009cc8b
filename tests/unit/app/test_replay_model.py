"""`replay --model`: a transcript with the model of a configuration."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from chatops_bot.app.cli import app
from tests.fakes.openai_server import Served, serving, understood

STORY = {
    "version": 1,
    "name": "in other words",
    "services": [{"name": "web", "namespace": "shop", "workload": "deployment/web"}],
    "cluster": {"workloads": [{"kind": "Deployment", "namespace": "shop", "name": "web", "replicas": 2}]},
    "turns": [
        {
            "from": "alice",
            "say": "@bot web keeps acting up, whose fingerprints are on it",
            "expect": {"intents": ["changes"]},
        },
        {"from": "alice", "say": "@bot logs of web", "expect": {"model_tokens": 0}},
    ],
}


@pytest.fixture
def served() -> Iterator[Served]:
    """A server in a loop of its own: the command has one too."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = serving(understood("query", {"intent": "changes", "service": "web"}))
    yield asyncio.run_coroutine_threadsafe(server.__aenter__(), loop).result(10)
    asyncio.run_coroutine_threadsafe(server.__aexit__(None, None, None), loop).result(10)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(10)
    loop.close()


def test_the_model_of_a_configuration_is_asked(tmp_path: Path, served: Served) -> None:
    (tmp_path / "story.yaml").write_text(yaml.safe_dump(STORY), encoding="utf-8")
    (tmp_path / "c.yaml").write_text(yaml.safe_dump({"model": {"name": "m", "url": served.url}}), encoding="utf-8")
    story, configuration = str(tmp_path / "story.yaml"), str(tmp_path / "c.yaml")
    result = CliRunner().invoke(app, ["replay", "--json", "--model", configuration, story])
    assert result.exit_code == 0, result.output
    turns = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    assert [turn["model_tokens"] for turn in turns] == [150, 0]
    assert len(served.bodies) == 1
    assert CliRunner().invoke(app, ["replay", "--json", story]).exit_code == 1
