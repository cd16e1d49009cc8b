"""One plan on record: who asked, what was shown, who confirmed on which card, what was sent, answered and verified."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chatops_bot.app import audit_show
from tests.scenario.playing import Scene, scene


async def story(playing: Scene, wanted: str) -> list[dict[str, Any]]:
    lines: list[str] = []
    code = await audit_show.show(playing.stage.bot.stores, wanted=wanted, as_json=True, echo=lines.append)
    assert code == 0
    return [json.loads(line) for line in lines]


def token_of(playing: Scene) -> str:
    return next(p.token for session in playing.stage.sessions.values() for p in session.pending)


async def test_the_whole_story_of_a_plan(tmp_path: Path) -> None:
    async with scene(tmp_path) as playing:
        await playing.say("alice", "@bot scale web to 5")
        token = token_of(playing)
        digest = next(p.plan.digest for s in playing.stage.sessions.values() for p in s.pending if p.plan is not None)
        await playing.click("bob", "confirm", "1")
        await playing.wait(60)
        told = await story(playing, token)
    by = {(record["kind"], record.get("reason", "")): record for record in told}
    assert next(r for r in told if r["kind"] == "request" and r.get("action") == "scale")["user"] == "alice"
    prepared = by["decision", "prepared"]
    assert prepared["user"] == "alice"
    assert any("5" in line for line in prepared["shown"])
    assert prepared["before"] == {"replicas": 2}
    assert prepared["digest"] == digest
    confirmed = [record for record in told if record["kind"] == "confirmation"]
    assert {record["user"] for record in confirmed} == {"bob"}
    assert {record["digest"] for record in confirmed} == {digest}
    assert any(record.get("card") for record in confirmed)
    executed = next(record for record in told if record["kind"] == "execution")
    assert executed["user"] == "bob"
    assert executed["sent"].startswith("PATCH shop/deployments/web")
    assert '"replicas":5' in executed["sent"]
    assert executed["answered"].startswith("resourceVersion ")
    assert by["outcome", "verified"]["text"]
    assert [record["at"] for record in told] == sorted(record["at"] for record in told)


@pytest.mark.parametrize("status", [403, 422])
async def test_what_the_api_server_refused_is_on_record(tmp_path: Path, status: int) -> None:
    async with scene(tmp_path) as playing:
        await playing.say("alice", "@bot scale web to 5")
        token = token_of(playing)
        playing.stage.sandbox.faults.fail(status, method="PATCH", path="/deployments/web")
        await playing.click("bob", "confirm", "1")
        told = await story(playing, token)
    refused = next(record for record in told if record["kind"] == "outcome")
    assert refused["answered"].startswith(f"{status}: ")
    assert refused["sent"].startswith("PATCH shop/deployments/web")
