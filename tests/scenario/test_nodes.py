"""What the card of a drain says while it goes on and at its end, and what becomes of a node meanwhile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from chatops_bot.adapters.redis.shards import shard_of
from chatops_bot.adapters.sandbox.access import BOT_TOKEN
from chatops_bot.adapters.sandbox.http import HttpRequest
from chatops_bot.app.stage_cluster import SandboxCluster
from tests.scenario.playing import Scene, scene


def head(least: int, *, replicas: int = 4) -> dict[str, Any]:
    """Two nodes, and a Deployment of which so many pods must stay."""
    web = {"kind": "Deployment", "namespace": "shop", "name": "web", "replicas": replicas, "image": "reg/web:1"}
    return {
        "cluster": {"workloads": [{**web, "pdb": {"min_available": least}}], "nodes": [{"name": "n1"}, {"name": "n2"}]}
    }


async def drained(playing: Scene) -> str:
    """Alice has a drain of n1 begun; the id of the turn."""
    printed = await playing.say("alice", "@bot drain n1")
    assert printed["state"] == "confirming"
    turn = str(printed["turn"])
    assert (await playing.click("alice", "confirm", turn))["state"] == "archived"
    return turn


def card(playing: Scene) -> str:
    """The text of the newest card about the drain."""
    texts = [shown.card.text() for shown in playing.stage.chat.cards()]
    return next(text for text in reversed(texts) if "drain n1" in text)


async def delete(playing: Scene, path: str) -> None:
    """Somebody deletes an object."""
    headers = [("authorization", f"Bearer {BOT_TOKEN}")]
    reply = await playing.stage.sandbox.handle(HttpRequest("DELETE", path, {}, headers, b""))
    assert reply.status == 200


def node(playing: Scene) -> dict[str, Any]:
    found = playing.stage.sandbox.snapshot()["nodes"]
    return next(one for one in found if one["name"] == "n1")


async def limited(playing: Scene) -> None:
    """The bot begins anew, and serves one namespace from then on."""
    cluster = playing.stage.cluster
    assert isinstance(cluster, SandboxCluster)
    cluster.namespaces = ("shop",)
    await playing.do("restart", True)


async def test_the_card_counts_and_names_the_budget_that_is_waited_for(tmp_path: Path) -> None:
    async with scene(tmp_path, **head(3)) as playing:
        await drained(playing)
        assert "0 of 2 pods gone, 2 left" in card(playing)
        assert "Waiting for the budget shop/web: 1" in card(playing)
        await playing.wait(120)
        assert "Drained: all 2 pods are gone" in card(playing)


async def test_a_drain_that_cannot_end_says_what_is_left_and_why(tmp_path: Path) -> None:
    """kubectl#172, k3d#1414, claudie#1508, kured#82: it hung for ever, and the node stayed cordoned."""
    async with scene(tmp_path, **head(4)) as playing:
        turn = await drained(playing)
        await playing.wait(1_000)
        assert "Waiting for the budget shop/web: 2 (4 healthy, 4 needed)" in card(playing)
        assert "Not all of it was done within its time" in card(playing)
        assert "Left undone (2): shop/web-" in card(playing)
        assert node(playing)["unschedulable"]
        back = await playing.click("alice", "undo", turn)
        assert back["plan"]["action"] == "uncordon"


async def test_whoever_uncordons_it_meanwhile_stops_it_and_the_card_says_so(tmp_path: Path) -> None:
    async with scene(tmp_path, **head(4)) as playing:
        await drained(playing)
        await playing.do("cluster", {"nodes": [{"name": "n1", "unschedulable": False}]})
        await playing.wait(30)
        assert "Somebody has uncordoned the node: no further pod is evicted." in card(playing)
        assert not node(playing)["unschedulable"]


async def test_a_node_that_is_deleted_meanwhile_ends_it(tmp_path: Path) -> None:
    async with scene(tmp_path, **head(4)) as playing:
        await drained(playing)
        await delete(playing, "/api/v1/nodes/n1")
        await playing.wait(30)
        assert "deleted; no longer followed" in card(playing)


async def test_a_budget_that_is_lifted_lets_it_go_on(tmp_path: Path) -> None:
    async with scene(tmp_path, **head(4)) as playing:
        await drained(playing)
        await delete(playing, "/apis/policy/v1/namespaces/shop/poddisruptionbudgets/web")
        await playing.wait(60)
        assert "Drained: all 2 pods are gone" in card(playing)


@pytest.mark.parametrize("again", ["@bot drain n1", "@bot cordon n1"])
async def test_a_second_order_while_it_goes_on_finds_the_node_cordoned(tmp_path: Path, again: str) -> None:
    async with scene(tmp_path, **head(4)) as playing:
        await drained(playing)
        printed = await playing.say("bob", again)
        assert printed["executed"] == []
        assert ("cordoned already" in printed["reply"]) == ("cordon n1" in again)


@pytest.mark.parametrize("words", ["@bot cordon n1", "@bot drain n1", "@bot uncordon n1"])
async def test_a_bot_of_some_namespaces_looks_at_nodes_and_changes_none(tmp_path: Path, words: str) -> None:
    async with scene(tmp_path, **head(3)) as playing:
        await limited(playing)
        assert "n1 is ready" in (await playing.say("alice", "@bot how is n1?"))["reply"]
        printed = await playing.say("alice", words)
        assert (printed["plan"], printed["executed"]) == (None, [])
        assert "I serve only the namespaces shop" in printed["reply"]
        assert "may look at nodes and not change them" in printed["reply"]


async def test_a_bot_that_serves_only_some_namespaces_since_the_plan_was_shown_does_not_carry_it_out(
    tmp_path: Path,
) -> None:
    async with scene(tmp_path, **head(3)) as playing:
        turn = str((await playing.say("alice", "@bot cordon n1"))["turn"])
        await limited(playing)
        printed = await playing.click("alice", "confirm", turn)
        assert printed["executed"] == []
        assert "I serve only the namespaces shop" in printed["reply"]
        assert not node(playing).get("unschedulable")


async def test_nor_does_it_go_on_with_one_that_it_had_begun(tmp_path: Path) -> None:
    async with scene(tmp_path, **head(4)) as playing:
        await drained(playing)
        await limited(playing)
        await playing.wait(30)
        assert "I serve only the namespaces shop" in card(playing)
        assert "Left undone (2): shop/web-" in card(playing)


@pytest.mark.parametrize("gone", ["cluster", "record"])
async def test_a_drain_that_is_lost_from_sight_is_not_told_as_done(tmp_path: Path, gone: str) -> None:
    async with scene(tmp_path, **head(4)) as playing:
        await drained(playing)
        gate = playing.stage.bot.gate
        if gone == "cluster":
            clusters: Any = gate.clusters
            clusters.clear()
        else:
            client = playing.stage.bot.stores.audit._base.client
            plan = next(ended.plan for s in playing.stage.sessions.values() for ended in s.ended)
            assert plan is not None
            shard = shard_of(plan.entity.key)
            assert await client.command("DEL", f"{{{shard}}}:plan:{plan.token}", shard=shard)
        await playing.wait(30)
        assert "how it went could not be read" in card(playing)
        (ended,) = [ended for s in playing.stage.sessions.values() for ended in s.ended]
        assert ended.outcome == "halted"
