"""After a change an Event on its target says who did what, and the record has the link to the card; none of it holds
up or fails a plan."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from chatops_bot.adapters.sandbox.resources import EVENTS
from chatops_bot.app import audit_show
from chatops_bot.app.stage_wire import WireChat
from chatops_bot.engine.noting import MOST_ATTEMPTS
from chatops_bot.ports.wire import Fault
from tests.scenario.playing import Scene, scene


def noted(playing: Scene) -> Scene:
    """With Events switched on, as they are by default where the bot runs."""
    clusters: Any = playing.stage.bot.gate.clusters
    for name, both in list(clusters.items()):
        clusters[name] = msgspec.structs.replace(both, notes=True)
    return playing


def events(playing: Scene) -> list[dict[str, Any]]:
    """What the bot has left in the cluster."""
    registry = playing.stage.sandbox._context.registry
    found = registry.store.all(EVENTS)
    return [event for event in found if event["source"] == {"component": "chatops-bot"}]


async def story(playing: Scene, wanted: str) -> list[dict[str, Any]]:
    lines: list[str] = []
    assert await audit_show.show(playing.stage.bot.stores, wanted=wanted, as_json=True, echo=lines.append) == 0
    return [json.loads(line) for line in lines]


def token_of(playing: Scene) -> str:
    return next(p.token for session in playing.stage.sessions.values() for p in session.pending)


async def planned(playing: Scene, words: str = "@bot scale web to 5") -> str:
    """A plan is shown; its token."""
    assert (await playing.say("alice", words))["state"] == "confirming"
    return token_of(playing)


async def test_the_event_says_who_did_what_by_which_plan(tmp_path: Path) -> None:
    async with scene(tmp_path) as playing:
        token = await planned(noted(playing))
        await playing.click("bob", "confirm", "1")
        (event,) = events(playing)
        told = await story(playing, token)
    about = event["involvedObject"]
    assert (about["kind"], about["namespace"], about["name"], bool(about["uid"])) == ("Deployment", "shop", "web", True)
    assert (event["type"], event["reason"]) == ("Normal", "ChatopsScale")
    for words in ("bob did this by chat", "2", "5", f"Plan {token[:12]}", "asked by alice"):
        assert words in event["message"]
    assert [r["reason"] for r in told if r["kind"] == "outcome"] == ["event written"]


async def test_it_is_in_the_language_of_the_plan_and_names_the_approvers(tmp_path: Path) -> None:
    policy = {"rules": [{"confirm": ["*"], "approvals": 1}]}
    async with scene(tmp_path, policy=policy) as playing:
        await planned(noted(playing), "@bot 把 web 扩容到 5 个副本")
        await playing.click("bob", "confirm", "1")
        assert events(playing) == []
        await playing.click("carol", "approve", "1")
        (event,) = events(playing)
    assert "bob 经 ChatOps 执行" in event["message"]
    assert "批准人 carol" in event["message"]


async def test_people_are_named_by_account_too_for_they_choose_their_names(tmp_path: Path) -> None:
    policy = {"rules": [{"confirm": ["*"], "approvals": 1}]}
    async with scene(tmp_path, platform="slack", policy=policy) as playing:
        await planned(noted(playing))
        await playing.click("bob", "confirm", "1")
        await playing.click("carol", "approve", "1")
        (event,) = events(playing)
        told = [record for session in playing.stage.sessions.values() for record in session.ended]
    assert re.search(r"bob \(slack:U[A-Z0-9]+\) did this by chat", event["message"])
    (approver,) = told[-1].approvals
    assert f"approved by carol ({approver})" in event["message"]


async def test_what_may_have_been_written_is_a_warning(tmp_path: Path) -> None:
    async with scene(tmp_path) as playing:
        await planned(noted(playing))
        sandbox = playing.stage.sandbox
        sandbox.faults.fail(504, method="PATCH", path="/deployments/web")
        sandbox.faults.fail(403, count=99, method="PATCH", path="/deployments/web")
        await playing.click("bob", "confirm", "1")
        await playing.wait(4_000)
        (event,) = events(playing)
    assert event["type"] == "Warning"
    assert "must be checked by a person" in event["message"]


async def test_a_plan_that_was_refused_leaves_nothing(tmp_path: Path) -> None:
    async with scene(tmp_path) as playing:
        await planned(noted(playing))
        playing.stage.sandbox.faults.fail(422, method="PATCH", path="/deployments/web")
        await playing.click("bob", "confirm", "1")
        await playing.wait(60)
        assert events(playing) == []


async def test_where_it_is_switched_off_nothing_is_left(tmp_path: Path) -> None:
    async with scene(tmp_path) as playing:
        token = await planned(playing)
        await playing.click("bob", "confirm", "1")
        assert events(playing) == []
        assert "event written" not in [r.get("reason") for r in await story(playing, token)]


async def test_a_missing_permission_fails_no_plan(tmp_path: Path) -> None:
    async with scene(tmp_path) as playing:
        token = await planned(noted(playing))
        playing.stage.sandbox.access.deny(verb="create", resource="events")
        printed = await playing.click("bob", "confirm", "1")
        assert "Done: scale web" in printed["reply"]
        await playing.wait(60)
        assert "event refused" in [r.get("reason") for r in await story(playing, token)]
        assert len(playing.stage.sandbox.writes()) == 1


async def test_an_api_server_that_does_not_answer_is_asked_again_and_then_left_alone(tmp_path: Path) -> None:
    async with scene(tmp_path) as playing:
        token = await planned(noted(playing))
        playing.stage.sandbox.faults.fail(503, count=99, method="POST", path="/events")
        printed = await playing.click("bob", "confirm", "1")
        assert "Done: scale web" in printed["reply"]
        await playing.wait(120)
        asked = [r for r in playing.stage.sandbox.requests if r.method == "POST" and r.path.endswith("/events")]
        assert len(asked) == MOST_ATTEMPTS
        reasons = [r.get("reason") for r in await story(playing, token)]
        assert "event not written" in reasons
        assert "verified" in reasons


async def test_an_answer_that_was_lost_makes_no_second_event(tmp_path: Path) -> None:
    async with scene(tmp_path) as playing:
        await planned(noted(playing))
        playing.stage.sandbox.faults.fail(503, method="POST", path="/events", after=True)
        await playing.click("bob", "confirm", "1")
        await playing.wait(60)
        assert len(events(playing)) == 1


LINKS = {
    "slack": "https://test.slack.com/archives/",
    "feishu": "https://applink.feishu.cn/client/chat/open?openChatId=",
}


@pytest.mark.parametrize("platform", LINKS)
async def test_the_link_to_the_card_is_in_the_event_and_on_record(tmp_path: Path, platform: str) -> None:
    async with scene(tmp_path, platform=platform) as playing:
        token = await planned(noted(playing))
        await playing.click("bob", "confirm", "1")
        (event,) = events(playing)
        told = await story(playing, token)
    links = {record["kind"]: record["link"] for record in told if record.get("link")}
    assert set(links) == {"confirmation", "execution", "outcome"}
    (link,) = set(links.values())
    assert link.startswith(LINKS[platform])
    assert link in event["message"]


async def test_wecom_has_no_links_and_needs_none(tmp_path: Path) -> None:
    async with scene(tmp_path, platform="wecom") as playing:
        token = await planned(noted(playing))
        await playing.click("bob", "confirm", "1")
        (event,) = events(playing)
        assert "http" not in event["message"]
        assert not [record for record in await story(playing, token) if record.get("link")]


async def test_a_platform_that_gives_no_link_fails_nothing(tmp_path: Path) -> None:
    async with scene(tmp_path, platform="slack") as playing:
        assert isinstance(playing.stage.chat, WireChat)
        playing.stage.chat._wire.faults.fail("chat.getPermalink", Fault(status=500, times=99))
        token = await planned(noted(playing))
        printed = await playing.click("bob", "confirm", "1")
        assert "Done: scale web" in printed["reply"]
        assert len(events(playing)) == 1
        assert not [record for record in await story(playing, token) if record.get("link")]
