"""What a transcript cannot show of change freezes: that the gate holds them by itself, and what is on record."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from chatops_bot.adapters.redis.shards import SHARDS
from chatops_bot.domain import audit
from chatops_bot.domain.audit import Record
from chatops_bot.domain.effects import Execute, Judge
from chatops_bot.domain.events import Executed
from chatops_bot.domain.identity import User
from chatops_bot.domain.plans import Plan
from chatops_bot.domain.policy_file import parse
from chatops_bot.engine.execution import Execution
from chatops_bot.ports.store import Claim
from tests.scenario.playing import Scene, scene

FREEZE = {"name": "peak", "starts": "0 0 * * *", "ends": "59 23 * * *", "override": ["carol"], "services": ["web"]}
OPEN: dict[str, Any] = {"rules": [{"confirm": ["*"], "approvals": 0}]}
TWO: dict[str, Any] = {"rules": [{"confirm": ["*"], "approvals": 2}]}
CLAIM = Claim(shard=0, queue="w|t|x", token="attempt", deadline=0)


def freeze(playing: Scene, policy: dict[str, Any], **changes: Any) -> None:
    playing.stage.bot.snapshot.set_policy(parse({**policy, "freezes": [{**FREEZE, **changes}]}))


async def waiting(playing: Scene, words: str = "@bot scale web to 5 because it burns") -> Plan:
    """A plan that waits, of a time without a freeze."""
    printed = await playing.say("alice", words)
    assert printed["state"] == "confirming"
    plans = [pending.plan for session in playing.stage.sessions.values() for pending in session.pending]
    assert plans[-1] is not None
    return plans[-1]


def judgement(plan: Plan, who: str, *, approve: bool = False, number: int = 1, escalated: bool = False) -> Judge:
    return Judge(
        id=f"judge{number}",
        thread=plan.thread,
        room=plan.room,
        user=User("console", plan.room.tenant, who),
        token=plan.token,
        digest=plan.digest,
        entity=plan.entity,
        action=plan.action,
        approve=approve,
        lives_ms=900_000,
        requester=plan.requester,
        confirmer="bob",
        escalated=escalated,
    )


def execution(plan: Plan, confirmer: str, *approvers: str, escalated: bool = False) -> Execute:
    return Execute(
        id="execute",
        thread=plan.thread,
        room=plan.room,
        token=plan.token,
        entity=plan.entity,
        action=plan.action,
        confirmer=User("console", plan.room.tenant, confirmer),
        approvers=approvers,
        escalated=escalated,
    )


async def records(playing: Scene) -> AsyncIterator[Record]:
    for shard in range(SHARDS):
        for entry in await playing.stage.bot.stores.audit.entries(shard=shard):
            yield audit.decode(entry.record)


async def test_the_gate_refuses_a_confirmation_that_got_past_the_dialogue(tmp_path: Path) -> None:
    async with scene(tmp_path, policy=OPEN) as playing:
        plan = await waiting(playing)
        freeze(playing, OPEN)
        judged = await playing.stage.bot.gate.judge(judgement(plan, "bob"))
        assert (judged.ok, judged.reason) == (False, "freeze")
        step = await playing.stage.bot.stores.ledger.read(token=plan.token, target=plan.entity.key)
        assert step.state == "prepared"


async def test_an_override_is_on_record_with_its_reason(tmp_path: Path) -> None:
    async with scene(tmp_path, policy=OPEN) as playing:
        plan = await waiting(playing)
        freeze(playing, OPEN)
        judged = await playing.stage.bot.gate.judge(judgement(plan, "carol"))
        assert judged.ok
        said = [r.reason async for r in records(playing) if r.kind == "confirmation" and r.user == "carol"]
        assert said == ["override of peak: it burns"]


async def test_the_gate_refuses_an_approval_until_somebody_has_overridden(tmp_path: Path) -> None:
    async with scene(tmp_path, policy=TWO) as playing:
        plan, gate = await waiting(playing), playing.stage.bot.gate
        assert (await gate.judge(judgement(plan, "bob"))).ok
        freeze(playing, TWO)
        refused = await gate.judge(judgement(plan, "dave", approve=True, number=2))
        assert (refused.ok, refused.reason) == (False, "freeze")
        first = await gate.judge(judgement(plan, "carol", approve=True, number=3))
        assert (first.ok, first.missing) == (True, 1)
        second = await gate.judge(judgement(plan, "dave", approve=True, number=4))
        assert (second.ok, second.missing) == (True, 0)


@pytest.mark.parametrize(("who", "outcome"), [("bob", "refused"), ("carol", "done")])
async def test_a_freeze_that_begins_after_the_confirmation_stops_the_execution(
    tmp_path: Path, who: str, outcome: str
) -> None:
    async with scene(tmp_path, policy=OPEN) as playing:
        plan, gate = await waiting(playing), playing.stage.bot.gate
        assert (await gate.judge(judgement(plan, who))).ok
        freeze(playing, OPEN)
        executed = await Execution(gate).run(execution(plan, who), CLAIM)
        assert isinstance(executed, Executed)
        assert executed.outcome == outcome
        assert (executed.problem.key if executed.problem else "") == ("freeze.only" if who == "bob" else "")
        assert bool(playing.stage.sandbox.writes()) is (who == "carol")


async def test_a_plan_without_a_reason_is_not_executed_in_a_freeze(tmp_path: Path) -> None:
    async with scene(tmp_path, policy=OPEN) as playing:
        plan, gate = await waiting(playing, "@bot scale web to 5"), playing.stage.bot.gate
        assert (await gate.judge(judgement(plan, "carol"))).ok
        freeze(playing, OPEN)
        executed = await Execution(gate).run(execution(plan, "carol"), CLAIM)
        assert isinstance(executed, Executed)
        assert executed.problem is not None
        assert executed.problem.key == "freeze.reason"
        assert not playing.stage.sandbox.writes()


async def test_one_that_cannot_be_computed_stops_everything_but_its_override(tmp_path: Path) -> None:
    async with scene(tmp_path, policy=OPEN) as playing:
        plan, gate = await waiting(playing), playing.stage.bot.gate
        policy = parse({**OPEN, "freezes": [FREEZE]})
        window = type(policy.freezes[0].window)("0 0 * * *", "59 23 * * *", "Gone/Away")
        broken = msgspec.structs.replace(policy.freezes[0], window=window)
        playing.stage.bot.snapshot.set_policy(msgspec.structs.replace(policy, freezes=(broken,)))
        assert not (await gate.judge(judgement(plan, "bob"))).ok
        assert (await gate.judge(judgement(plan, "carol", number=2))).ok
