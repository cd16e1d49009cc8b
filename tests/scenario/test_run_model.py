"""A running process with a model: what is configured is what is asked, and what it took is counted."""

from __future__ import annotations

import json
from pathlib import Path

import httpx

from chatops_bot.adapters.redis.client import connect
from chatops_bot.adapters.redis.embedded import EmbeddedServer
from chatops_bot.adapters.redis.spending import RedisSpending
from chatops_bot.adapters.sandbox import Sandbox
from chatops_bot.engine.understanding import day_of
from chatops_bot.ports.clock import SystemClock
from tests.fakes.openai_server import Json, Says, Step, serving, understood
from tests.scenario.running import Room, configured, started


def answer(body: Json) -> Step:
    """Understands a question about changes; words an answer from the first source that is offered."""
    if "sentences" not in repr(body.get("response_format")):
        return understood("query", {"intent": "changes", "service": "web"})
    schema = body["response_format"]["json_schema"]["schema"]
    sources = schema["properties"]["sentences"]["items"]["properties"]["source"]["enum"]
    return Says(json.dumps({"sentences": [{"text": "First look closely.", "source": sources[0]}]}))


async def test_a_process_asks_counts_and_tells(tmp_path: Path, sandbox: Sandbox) -> None:
    server = await EmbeddedServer.start(tmp_path / "data")
    (tmp_path / "key").write_text("k-of-the-model\n", encoding="utf-8")
    try:
        async with serving(answer) as served:
            model = {"name": "small", "url": served.url, "key_file": "key", "answers": True, "thread_tokens": 300}
            configured(tmp_path, sandbox, model=model)
            async with started("run", cwd=tmp_path, REDIS_URL=server.url) as running:
                await running.until_logged("running")
                async with httpx.AsyncClient(base_url=await running.address("console")) as console:
                    room = Room(console)
                    await room.say("alice", "@bot web keeps acting up, whose fingerprints are on it")
                    await room.card("recent changes")
                    await room.say("alice", "@bot how do we handle a full disk?")
                    await room.card("Worded by a language model")
                    await room.say("alice", "@bot the thing keeps acting up again, I would say")
                    await running.until_logged("model_budget_spent")
                async with httpx.AsyncClient(base_url=await running.address("http")) as http:
                    metrics = (await http.get("/metrics")).text
                await running.end()
                told = json.dumps(running.log)
        client = connect(server.url)
        spent = await RedisSpending(client).spent(thread="", room="", day=day_of(SystemClock().now()))
        await client.close()
    finally:
        await server.stop()
    assert {headers["authorization"] for headers in served.headers} == {"Bearer k-of-the-model"}
    assert 'chatops_model_calls_total{outcome="answered",prompt="understand"} 1.0' in metrics
    assert 'chatops_model_calls_total{outcome="answered",prompt="answer"} 1.0' in metrics
    assert 'chatops_model_fallbacks_total{reason="budget_thread"} 1.0' in metrics
    assert 'chatops_model_tokens_total{model="small",way="in"} 240.0' in metrics
    assert "chatops_model_breaker 0.0" in metrics
    assert spent[2] == 300
    assert "k-of-the-model" not in told
    assert "fiddled" not in told
