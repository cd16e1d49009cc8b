"""One confirmation, at most one write, and an honest word about it: the gate against a cluster that misbehaves."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, TypedDict

import pytest

from chatops_bot.adapters.redis.shards import SHARDS
from chatops_bot.adapters.sandbox.access import BOT_TOKEN
from chatops_bot.adapters.sandbox.http import HttpRequest
from chatops_bot.domain import audit
from chatops_bot.domain.audit import Record
from tests.contract.cluster.kit import until
from tests.scenario.playing import Scene, scene


class At(TypedDict):
    """Which requests a fault is for."""

    method: str
    path: str


PATCH: At = {"method": "PATCH", "path": "/deployments/web"}


async def shown(playing: Scene, words: str = "@bot scale web to 5") -> str:
    """A plan waits; the id of its turn."""
    printed = await playing.say("alice", words)
    assert printed["state"] == "confirming"
    return str(printed["turn"])


def replicas(playing: Scene) -> int:
    snapshot = playing.stage.sandbox.snapshot()
    web = next(w for w in snapshot["workloads"] if w["name"] == "web")
    return int(web["replicas"])


async def cut_off(playing: Scene, turn: str) -> dict[str, Any]:
    """Alice confirms; when the write has been carried out, and before its answer, the cluster goes away."""
    sandbox = playing.stage.sandbox
    sandbox.faults.hang(after=True, **PATCH)
    pressed = asyncio.ensure_future(playing.click("alice", "confirm", turn))
    await until(lambda: bool(sandbox.writes()))
    sandbox.down = True
    sandbox.faults.clear()
    return await pressed


async def test_an_answer_lost_after_the_write_is_found_out_by_reading(tmp_path: Path) -> None:
    async with scene(tmp_path) as playing:
        turn = await shown(playing)
        playing.stage.sandbox.faults.fail(504, after=True, **PATCH)
        printed = await playing.click("alice", "confirm", turn)
        assert printed["state"] == "archived"
        assert "Done: scale web" in printed["reply"]
        scales = [done for done in printed["executed"] if done["action"] == "scale"]
        assert len(scales) == 1
        assert replicas(playing) == 5


async def test_a_write_that_never_arrived_is_told_as_interrupted_and_not_repeated(tmp_path: Path) -> None:
    async with scene(tmp_path) as playing:
        turn = await shown(playing)
        playing.stage.sandbox.faults.fail(503, **PATCH)
        printed = await playing.click("alice", "confirm", turn)
        assert printed["executed"] == []
        assert replicas(playing) == 2
        assert "interrupted" in printed["reply"]
        later = await playing.click("alice", "confirm", turn)
        assert later["executed"] == []


async def test_a_write_cut_off_is_settled_once_the_cluster_answers_again(tmp_path: Path) -> None:
    async with scene(tmp_path) as playing:
        turn = await shown(playing)
        printed = await cut_off(playing, turn)
        assert printed["state"] == "executing"
        assert "Outcome not known yet: scale web" in printed["reply"]
        assert "It is not sent again" in printed["reply"]
        await playing.do("up", "cluster")
        busy = await playing.say("bob", "@bot restart web")
        assert busy["plan"] is not None, "a second plan may be shown"
        conflict = await playing.click("bob", "confirm", str(busy["turn"]))
        assert conflict["executed"] == [], "but not confirmed while the first holds the target"
        assert "holds deployment/web" in conflict["reply"]
        await playing.wait(120)
        final = await playing.click("alice", "confirm", turn)
        assert "already done" in final["reply"]
        assert replicas(playing) == 5


async def test_an_outcome_that_cannot_be_read_off_the_cluster_is_handed_to_a_person(tmp_path: Path) -> None:
    async with scene(tmp_path) as playing:
        turn = await shown(playing)
        playing.stage.sandbox.faults.reset(count=3, **PATCH)
        await playing.click("alice", "confirm", turn)
        change = {"workloads": [{"kind": "Deployment", "namespace": "shop", "name": "web", "replicas": 9}]}
        await playing.do("cluster", change)
        await playing.wait(120)
        final = await playing.click("alice", "confirm", turn)
        assert "must be checked by a person" in final["reply"]
        assert replicas(playing) == 9


async def test_a_target_that_changed_after_the_plan_was_shown_gets_a_fresh_plan(tmp_path: Path) -> None:
    async with scene(tmp_path) as playing:
        turn = await shown(playing)
        change = {"workloads": [{"kind": "Deployment", "namespace": "shop", "name": "web", "replicas": 4}]}
        await playing.do("cluster", change)
        printed = await playing.click("alice", "confirm", turn)
        assert printed["executed"] == []
        assert printed["state"] == "confirming"
        assert "4 → 5" in printed["plan"]["preview"][0]
        again = await playing.click("alice", "confirm", turn)
        assert [done["replicas"] for done in again["executed"]] == [5]


@pytest.mark.parametrize("conflicts", [1, 6])
async def test_a_conflict_at_the_write_is_read_again_and_written_once(tmp_path: Path, conflicts: int) -> None:
    async with scene(tmp_path) as playing:
        turn = await shown(playing)
        playing.stage.sandbox.faults.fail(409, count=conflicts, **PATCH)
        printed = await playing.click("alice", "confirm", turn)
        assert [done["replicas"] for done in printed["executed"]] == [5]


async def test_a_refusal_by_the_api_server_is_told_with_its_words(tmp_path: Path) -> None:
    async with scene(tmp_path) as playing:
        turn = await shown(playing)
        playing.stage.sandbox.access.deny(verb="patch", resource="deployments")
        printed = await playing.click("alice", "confirm", turn)
        assert printed["executed"] == []
        assert "forbidden" in printed["reply"]
        assert "nothing was changed" in printed["reply"]


async def test_every_write_carries_uid_version_and_the_plans_mark(tmp_path: Path) -> None:
    async with scene(tmp_path) as playing:
        turn = await shown(playing)
        await playing.click("alice", "confirm", turn)
        (write,) = playing.stage.sandbox.writes()
        metadata = write.body["metadata"]
        assert metadata["uid"]
        assert metadata["resourceVersion"]
        assert metadata["annotations"]["chatops-bot.io/plan"]
        assert write.field_manager == "chatops-bot"


async def test_read_only_stops_a_plan_that_is_already_approved(tmp_path: Path) -> None:
    policy = {"rules": [{"confirm": ["*"], "approvals": 1}]}
    async with scene(tmp_path, policy=policy) as playing:
        turn = await shown(playing)
        await playing.click("bob", "confirm", turn)
        await playing.say("dave", "@bot read-only: change freeze")
        printed = await playing.click("carol", "approve", turn)
        assert printed["executed"] == []
        assert "read-only" in printed["reply"].lower()


async def test_a_rule_that_now_wants_an_approval_holds_up_what_was_confirmed_before(tmp_path: Path) -> None:
    async with scene(tmp_path) as playing:
        turn = await shown(playing)
        await playing.do("policy", {"rules": [{"confirm": ["*"], "approvals": 1}]})
        printed = await playing.click("bob", "confirm", turn)
        assert printed["executed"] == []
        assert printed["state"] == "approving"
        own = await playing.click("alice", "approve", turn)
        assert own["executed"] == []
        done = await playing.click("carol", "approve", turn)
        assert [item["action"] for item in done["executed"]] == ["scale"]


@pytest.mark.parametrize("words", ["@bot scale web to 0", "@bot scale web to 30"])
async def test_high_risk_says_so_before_anything_else(tmp_path: Path, words: str) -> None:
    async with scene(tmp_path) as playing:
        printed = await playing.say("alice", words)
        assert printed["plan"]["risk"] == "high"
        assert printed["reply"].startswith("HIGH RISK")
        refused = await playing.say("alice", "@bot yes")
        assert refused["executed"] == []
        done = await playing.say("alice", "@bot yes, web")
        assert len(done["executed"]) == 1


async def test_undo_puts_back_what_was_there_unless_somebody_changed_it_since(tmp_path: Path) -> None:
    async with scene(tmp_path) as playing:
        turn = await shown(playing)
        await playing.click("alice", "confirm", turn)
        undo = await playing.click("bob", "undo", turn)
        assert undo["plan"]["replicas"] == 2
        done = await playing.click("bob", "confirm", str(undo["turn"]))
        assert replicas(playing) == 2
        assert len(done["executed"]) == 1
    async with scene(tmp_path) as playing:
        turn = await shown(playing)
        await playing.click("alice", "confirm", turn)
        change = {"workloads": [{"kind": "Deployment", "namespace": "shop", "name": "web", "replicas": 9}]}
        await playing.do("cluster", change)
        undo = await playing.click("bob", "undo", turn)
        assert undo["plan"] is None
        assert "changed it since" in undo["reply"]


async def test_an_execution_that_is_settled_later_is_on_record_with_who_confirmed_it(tmp_path: Path) -> None:
    async with scene(tmp_path) as playing:
        turn = await shown(playing)
        printed = await cut_off(playing, turn)
        assert printed["state"] == "executing"
        await playing.do("up", "cluster")
        await playing.wait(120)
        records = [record for record in await recorded(playing) if record.kind == "execution"]
        assert [(record.user, record.reason) for record in records] == [("alice", "settled done")]


async def test_what_became_of_a_write_to_an_object_that_is_gone_is_unknown(tmp_path: Path) -> None:
    async with scene(tmp_path) as playing:
        turn = await shown(playing)
        printed = await cut_off(playing, turn)
        assert printed["state"] == "executing"
        headers = [("authorization", f"Bearer {BOT_TOKEN}")]
        path = "/apis/apps/v1/namespaces/shop/deployments/web"
        await playing.stage.sandbox.handle(HttpRequest("DELETE", path, {}, headers, b""))
        await playing.do("up", "cluster")
        await playing.wait(120)
        said = " ".join(card.text() for cards in playing.stage.history.values() for card in cards)
        assert "Outcome unknown: scale web" in said
        assert "before the write took effect" not in said


AUTOSCALED = {
    "workloads": [
        {
            "kind": "Deployment",
            "namespace": "shop",
            "name": "web",
            "replicas": 2,
            "image": "reg/web:1",
            "hpa": {"min": 2, "max": 8},
        }
    ]
}
AUTOSCALER: At = {"method": "PATCH", "path": "/horizontalpodautoscalers/web"}


async def test_an_autoscaler_is_not_set_for_a_workload_that_was_made_anew(tmp_path: Path) -> None:
    async with scene(tmp_path, cluster=AUTOSCALED) as playing:
        turn = await shown(playing, "@bot set the hpa of web to max 20")
        sandbox = playing.stage.sandbox
        headers = [("authorization", f"Bearer {BOT_TOKEN}")]
        path = "/apis/apps/v1/namespaces/shop/deployments/web"
        await sandbox.handle(HttpRequest("DELETE", path, {}, headers, b""))
        await playing.do("cluster", {"workloads": [{**AUTOSCALED["workloads"][0], "image": "reg/other:1"}]})
        printed = await playing.click("alice", "confirm", turn)
        assert printed["executed"] == []
        assert "deleted or created anew" in printed["reply"]


async def test_an_answer_lost_after_the_write_of_an_autoscaler_is_found_out_by_touching_it(tmp_path: Path) -> None:
    async with scene(tmp_path, cluster=AUTOSCALED) as playing:
        turn = await shown(playing, "@bot set the hpa of web to max 20")
        playing.stage.sandbox.faults.fail(504, after=True, **AUTOSCALER)
        printed = await playing.click("alice", "confirm", turn)
        assert "Done: set the autoscaler of web" in printed["reply"]
        assert [done for done in printed["executed"] if done["action"] == "set_autoscaler"] == [
            {"action": "set_autoscaler", "target": "deployment/web", "namespace": "shop", "min": 2, "max": 20}
        ]
        read = [record for record in playing.stage.sandbox.requests if record.name == "web" and record.verb == "patch"]
        assert {record.resource for record in read} == {"horizontalpodautoscalers"}


async def test_an_undo_of_an_autoscaler_that_is_gone_changes_nothing(tmp_path: Path) -> None:
    async with scene(tmp_path, cluster=AUTOSCALED) as playing:
        turn = await shown(playing, "@bot set the hpa of web to max 20")
        await playing.click("alice", "confirm", turn)
        change = {"workloads": [{**AUTOSCALED["workloads"][0], "hpa": None}]}
        await playing.do("cluster", change)
        undo = await playing.click("alice", "undo", turn)
        assert undo["plan"] is None
        assert "changed it since" in undo["reply"]


async def recorded(playing: Scene) -> list[Record]:
    """Everything in the audit log."""
    log = playing.stage.bot.stores.audit
    return [audit.decode(entry.record) for shard in range(SHARDS) for entry in await log.entries(shard=shard)]


async def test_the_audit_log_has_the_person_beside_the_account(tmp_path: Path) -> None:
    policy = {"people": {"Alice Zhang": ["alice", "slack:U024BE7LH"]}, "rules": [{"confirm": ["Alice Zhang"]}]}
    async with scene(tmp_path, policy=policy) as playing:
        turn = await shown(playing)
        refused = await playing.click("bob", "confirm", turn)
        assert "Alice Zhang" in refused["refused"]
        assert (await playing.click("alice", "confirm", turn))["state"] == "archived"
        found = {(record.kind, record.user, record.person) for record in await recorded(playing)}
    for kind in ("request", "decision", "confirmation", "execution"):
        assert (kind, "alice", "Alice Zhang") in found
    assert ("refusal", "bob", "") in found
    assert {person for _, user, person in found if user == "alice"} == {"Alice Zhang"}
