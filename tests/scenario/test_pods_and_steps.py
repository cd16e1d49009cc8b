"""Pods that go and plans of several writes, against a cluster that misbehaves: never another pod, never twice, and an
honest word about what is left."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chatops_bot.adapters.redis.shards import SHARDS
from chatops_bot.adapters.sandbox.access import BOT_TOKEN
from chatops_bot.adapters.sandbox.http import HttpRequest
from chatops_bot.domain import audit
from chatops_bot.domain.audit import Record
from chatops_bot.domain.effects import Follow
from chatops_bot.domain.plans import Plan
from chatops_bot.engine.following import Following
from chatops_bot.engine.gate import decode_plan
from chatops_bot.engine.outcomes import NoContact, whether_all_done
from chatops_bot.ports.store import Claim
from tests.scenario.playing import Scene, scene

SERVICES = [{"name": "order-db", "namespace": "shop", "workload": "statefulset/order-db", "environment": "prod"}]
DB: dict[str, Any] = {
    "kind": "StatefulSet",
    "namespace": "shop",
    "name": "order-db",
    "replicas": 2,
    "image": "reg/db:2",
}
HEAD: dict[str, Any] = {"services": SERVICES, "cluster": {"workloads": [DB]}}
BUDGET: dict[str, Any] = {"services": SERVICES, "cluster": {"workloads": [{**DB, "pdb": {"min_available": 1}}]}}
CRASHING = ["Running", "CrashLoopBackOff", "CrashLoopBackOff"]
STUCK: dict[str, Any] = {**DB, "replicas": 3, "revisions": ["reg/db:1"], "pods": CRASHING}
BROKEN: dict[str, Any] = {"services": SERVICES, "cluster": {"workloads": [STUCK]}}

WAYS = pytest.mark.parametrize(
    ("head", "method", "path"),
    [(HEAD, "DELETE", "/pods/order-db-0"), (BUDGET, "POST", "/pods/order-db-0/eviction")],
    ids=["deletion", "eviction"],
)


async def shown(playing: Scene, words: str = "@bot delete pod order-db-0") -> str:
    printed = await playing.say("alice", words)
    assert printed["state"] == "confirming", printed["reply"]
    return str(printed["turn"])


def sent(playing: Scene) -> list[str]:
    """Pods whose deletion or eviction was asked for, in order, whatever came of it."""
    asked = [one for one in playing.stage.sandbox.requests if one.method in ("DELETE", "POST") and "/pods/" in one.path]
    real = [one for one in asked if "dryRun" not in json.dumps(one.body)]
    return [one.path.partition("/pods/")[2].partition("/")[0] for one in real]


def gone(printed: dict[str, Any]) -> list[str]:
    return [done["target"] for done in printed["executed"] if done["action"] == "delete_pod"]


async def changed(playing: Scene, path: str, body: dict[str, Any]) -> None:
    """Somebody patches something in the cluster."""
    headers = [("authorization", f"Bearer {BOT_TOKEN}"), ("content-type", "application/merge-patch+json")]
    await playing.stage.sandbox.handle(HttpRequest("PATCH", path, {}, headers, json.dumps(body).encode()))


async def moved(playing: Scene, name: str, **metadata: Any) -> None:
    fields = metadata or {"annotations": {"note": "moved"}}
    await changed(playing, f"/api/v1/namespaces/shop/pods/{name}", {"metadata": fields})


def said(playing: Scene) -> str:
    return " ".join(card.text() for cards in playing.stage.history.values() for card in cards)


async def recorded(playing: Scene) -> list[Record]:
    log = playing.stage.bot.stores.audit
    return [audit.decode(entry.record) for shard in range(SHARDS) for entry in await log.entries(shard=shard)]


@WAYS
async def test_an_answer_lost_after_the_pod_went_is_found_out_by_reading(
    tmp_path: Path, head: dict[str, Any], method: str, path: str
) -> None:
    async with scene(tmp_path, **head) as playing:
        turn = await shown(playing)
        playing.stage.sandbox.faults.fail(504, after=True, method=method, path=path)
        printed = await playing.click("alice", "confirm", turn)
        assert "Done: delete a pod of order-db" in printed["reply"]
        assert sent(playing) == ["order-db-0"]
        # Nothing is ever patched onto a pod: it would take a right that is not asked for.
        assert not [one for one in playing.stage.sandbox.requests if one.resource == "pods" and one.verb == "patch"]


@WAYS
async def test_a_write_that_did_not_arrive_cannot_arrive_any_more_once_the_pod_has_moved_on(
    tmp_path: Path, head: dict[str, Any], method: str, path: str
) -> None:
    async with scene(tmp_path, **head) as playing:
        turn = await shown(playing)
        playing.stage.sandbox.faults.fail(503, method=method, path=path)
        printed = await playing.click("alice", "confirm", turn)
        assert printed["state"] == "executing"
        assert "Outcome not known yet" in printed["reply"]
        await moved(playing, "order-db-0")
        await playing.wait(60)
        assert "interrupted before the write took effect" in said(playing)
        assert sent(playing) == ["order-db-0"]


async def test_a_pod_that_does_not_move_leaves_it_to_a_person(tmp_path: Path) -> None:
    async with scene(tmp_path, **HEAD) as playing:
        turn = await shown(playing)
        playing.stage.sandbox.faults.fail(503, method="DELETE", path="/pods/order-db-0")
        await playing.click("alice", "confirm", turn)
        await playing.wait(3_600)
        assert "Outcome unknown: delete a pod of order-db" in said(playing)
        assert sent(playing) == ["order-db-0"]


async def test_a_pod_that_has_gone_meanwhile_is_what_was_wanted(tmp_path: Path) -> None:
    async with scene(tmp_path, **HEAD) as playing:
        turn = await shown(playing)
        playing.stage.sandbox.faults.fail(503, method="DELETE", path="/pods/order-db-0")
        await playing.click("alice", "confirm", turn)
        headers = [("authorization", f"Bearer {BOT_TOKEN}")]
        path = "/api/v1/namespaces/shop/pods/order-db-0"
        await playing.stage.sandbox.handle(HttpRequest("DELETE", path, {}, headers, b""))
        await playing.wait(120)
        assert "Done: delete a pod of order-db" in said(playing)


async def test_a_worker_that_died_before_it_sent_anything_has_deleted_nothing(tmp_path: Path) -> None:
    async with scene(tmp_path, **HEAD) as playing:
        turn = await shown(playing)
        playing.stage.sandbox.down = True
        printed = await playing.click("alice", "confirm", turn)
        assert printed["executed"] == []
        assert sent(playing) == []


async def test_a_budget_that_has_been_used_up_since_blocks_and_nothing_is_changed(tmp_path: Path) -> None:
    async with scene(tmp_path, **BUDGET) as playing:
        turn = await shown(playing)
        path = "/apis/policy/v1/namespaces/shop/poddisruptionbudgets/order-db"
        await changed(playing, path, {"spec": {"minAvailable": 2}})
        await playing.stage.sandbox.settle()
        printed = await playing.click("alice", "confirm", turn)
        assert printed["executed"] == []
        assert "needs 2 healthy pods and has 2 currently" in printed["reply"]
        await playing.wait(60)
        assert sent(playing) == ["order-db-0"], "asked once"


async def test_a_pod_that_recovered_since_is_shown_anew(tmp_path: Path) -> None:
    cluster = {"workloads": [{**DB, "pods": ["NotReady", "Running"]}]}
    async with scene(tmp_path, services=SERVICES, cluster=cluster) as playing:
        turn = await shown(playing)
        await playing.do("cluster", {"workloads": [{**DB, "pods": ["Running", "Running"]}]})
        printed = await playing.click("alice", "confirm", turn)
        assert printed["executed"] == []


async def test_each_further_write_is_on_record_before_it_is_sent_and_with_its_answer(tmp_path: Path) -> None:
    async with scene(tmp_path, **BROKEN) as playing:
        turn = await shown(playing, "@bot roll back order-db")
        await playing.click("alice", "confirm", turn)
        done = await playing.wait(120)
        assert sorted(gone(done)) == ["pod/order-db-1", "pod/order-db-2"]
        steps = [one for one in await recorded(playing) if one.reason.startswith("step ")]
        assert [(one.user, one.kind, one.reason) for one in steps] == [
            ("alice", "execution", f"step {what}") for what in ("sent", "sent", "answered", "answered")
        ]
        assert all(one.sent.startswith("DELETE shop/pods/order-db-") and "uid=" in one.sent for one in steps)
        assert [bool(one.answered) for one in steps] == [False, False, True, True]
        ends = [one.reason for one in await recorded(playing) if one.kind == "outcome"]
        assert ends == ["steps done", "verified"]
        card = said(playing)
        assert "0 of 2 pods" in card
        assert "Done: roll back order-db" in card


@pytest.mark.parametrize("after", [False, True], ids=["not carried out", "carried out"])
async def test_a_further_write_without_an_answer_is_looked_for_and_made_once(tmp_path: Path, after: bool) -> None:
    async with scene(tmp_path, **BROKEN) as playing:
        turn = await shown(playing, "@bot roll back order-db")
        await playing.click("alice", "confirm", turn)
        playing.stage.sandbox.faults.fail(503, after=after, method="DELETE", path="/pods/order-db-")
        done = await playing.wait(120)
        assert sorted(gone(done)) == ["pod/order-db-1", "pod/order-db-2"]
        assert len(sent(playing)) == (2 if after else 3)


async def test_a_further_write_that_is_refused_ends_the_plan_with_what_is_left(tmp_path: Path) -> None:
    async with scene(tmp_path, **BROKEN) as playing:
        turn = await shown(playing, "@bot roll back order-db")
        playing.stage.sandbox.access.deny(verb="delete", resource="pods")
        await playing.click("alice", "confirm", turn)
        await playing.wait(120)
        card = said(playing)
        assert "Stopped half-way: roll back order-db" in card
        assert "the API server refused" in card
        assert "Left undone (2): order-db-1, order-db-2" in card
        assert len(sent(playing)) == 1
        assert "steps interrupted" in {one.reason for one in await recorded(playing)}
        undo = await playing.click("bob", "undo", turn)
        assert undo["plan"]["action"] == "rollback", "the first write stands, and can be put back"


async def test_what_is_not_done_in_its_time_is_left_and_said(tmp_path: Path) -> None:
    async with scene(tmp_path, **BROKEN) as playing:
        await moved(playing, "order-db-2", finalizers=["example.test/wait"])
        turn = await shown(playing, "@bot roll back order-db")
        await playing.click("alice", "confirm", turn)
        for _ in range(4):
            await playing.wait(240)
        card = said(playing)
        assert "Not all of it was done within its time" in card
        assert "Left undone (1): order-db-2" in card
        assert sent(playing).count("order-db-2") == 1
        late = await playing.click("alice", "confirm", turn)
        assert "already done" in late["reply"]


async def test_a_template_that_somebody_has_changed_since_stops_it(tmp_path: Path) -> None:
    async with scene(tmp_path, **BROKEN) as playing:
        turn = await shown(playing, "@bot roll back order-db")
        await playing.click("alice", "confirm", turn)
        path = "/apis/apps/v1/namespaces/shop/statefulsets/order-db"
        template = {"spec": {"containers": [{"name": "order-db", "image": "reg/db:3"}]}}
        await changed(playing, path, {"spec": {"template": template}})
        await playing.wait(60)
        assert sent(playing) == []
        assert "Stopped half-way" in said(playing)


async def test_another_plan_for_the_same_target_stops_it(tmp_path: Path) -> None:
    async with scene(tmp_path, **BROKEN) as playing:
        turn = await shown(playing, "@bot roll back order-db")
        await playing.click("alice", "confirm", turn)
        undo = await playing.click("bob", "undo", turn, after_s=0.0)
        assert undo["plan"] is not None, "the target is free again"
        await playing.click("bob", "confirm", str(undo["turn"]), after_s=0.0)
        await playing.wait(60)
        assert sent(playing) == []
        assert "Somebody has changed what the first step wrote" in said(playing)


async def test_a_cluster_that_is_away_is_waited_for(tmp_path: Path) -> None:
    async with scene(tmp_path, **BROKEN) as playing:
        turn = await shown(playing, "@bot roll back order-db")
        await playing.click("alice", "confirm", turn)
        await playing.do("down", "cluster", after_s=0.0)
        await playing.do("up", "cluster", after_s=20.0)
        await playing.wait(120)
        assert sorted(sent(playing)) == ["order-db-1", "order-db-2"]
        assert "Done: roll back order-db" in said(playing)


async def test_what_cannot_be_looked_at_until_the_end_is_left_to_a_person(tmp_path: Path) -> None:
    async with scene(tmp_path, **BROKEN) as playing:
        turn = await shown(playing, "@bot roll back order-db")
        await playing.click("alice", "confirm", turn)
        playing.stage.sandbox.access.deny(verb="get", resource="statefulsets")
        await playing.wait(1_000)
        assert "how it went could not be read" in said(playing)
        assert "steps unknown" in {one.reason for one in await recorded(playing)}


async def test_a_workload_that_is_gone_ends_it(tmp_path: Path) -> None:
    async with scene(tmp_path, **BROKEN) as playing:
        turn = await shown(playing, "@bot roll back order-db")
        await playing.click("alice", "confirm", turn)
        headers = [("authorization", f"Bearer {BOT_TOKEN}")]
        path = "/apis/apps/v1/namespaces/shop/statefulsets/order-db"
        await playing.stage.sandbox.handle(HttpRequest("DELETE", path, {}, headers, b""))
        await playing.wait(60)
        assert sent(playing) == []
        assert "Stopped half-way" in said(playing)


async def recorded_plan(playing: Scene) -> Plan:
    """The plan that alice confirmed, as the ledger has it."""
    token, target = next((one.token, one.service) for one in await recorded(playing) if one.kind == "confirmation")
    step = await playing.stage.bot.gate.ledger.read(token=token, target=target)
    return decode_plan(step.plan)


async def test_a_plan_whose_follower_was_lost_for_good_is_read_off_the_cluster(tmp_path: Path) -> None:
    async with scene(tmp_path, **BROKEN) as playing:
        turn = await shown(playing, "@bot roll back order-db")
        await playing.click("alice", "confirm", turn)
        plan = await recorded_plan(playing)
        cluster = playing.stage.bot.gate.clusters[plan.entity.cluster]
        assert (await whether_all_done(cluster, plan, 1)).state == "unknown"
        await playing.wait(120)
        assert (await whether_all_done(cluster, plan, 1)).state == "done"
        playing.stage.sandbox.access.deny(verb="get", resource="statefulsets")
        with pytest.raises(NoContact):
            await whether_all_done(cluster, plan, 1)
        playing.stage.sandbox.access.clear()
        headers = [("authorization", f"Bearer {BOT_TOKEN}")]
        path = "/apis/apps/v1/namespaces/shop/statefulsets/order-db"
        await playing.stage.sandbox.handle(HttpRequest("DELETE", path, {}, headers, b""))
        assert (await whether_all_done(cluster, plan, 1)).state == "unknown"


async def test_how_it_ended_is_told_again_to_a_follower_that_had_not_told_it(tmp_path: Path) -> None:
    async with scene(tmp_path, **BROKEN) as playing:
        turn = await shown(playing, "@bot roll back order-db")
        playing.stage.sandbox.access.deny(verb="delete", resource="pods")
        await playing.click("alice", "confirm", turn)
        await playing.wait(120)
        plan = await recorded_plan(playing)
        again = Follow(
            id="again", thread=plan.thread, room=plan.room, token=plan.token, entity=plan.entity, until=plan.expires
        )
        claim = Claim(shard=0, queue="w|x|again", token="c", deadline=0.0)
        told = await Following(playing.stage.bot.gate).run(again, claim)
        assert (told.effect, told.failed, told.state) == ("again", True, "interrupted")
        assert [line.key for line in told.lines] == ["work.refused", "work.rest"]
        assert len(sent(playing)) == 1
