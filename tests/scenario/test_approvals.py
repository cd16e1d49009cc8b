"""What a transcript cannot show of approvals: who is rung on each platform and how often, what stands on a card when its
time is over, and that the gate holds the rules by itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from chatops_bot.adapters.feishu.connection import load
from chatops_bot.adapters.feishu.fake import FeishuWire
from chatops_bot.adapters.slack.fake import SlackWire
from chatops_bot.adapters.wecom.fake.wire import FakeWeCom
from chatops_bot.app import bot, transcript
from chatops_bot.app.replay_store import ReplayRedis
from chatops_bot.app.stage import Stage
from chatops_bot.app.stage_wire import WireChat
from chatops_bot.app.transcript import Turn
from chatops_bot.domain.policy_file import parse
from chatops_bot.engine.execution import policy_problem
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.meter import NoMeter
from chatops_bot.ports.wire import Fault, Wire
from tests.scenario.playing import HEAD, Scene, scene
from tests.scenario.test_freezes import execution, judgement, records, waiting

WIRES: Final[dict[str, Callable[[Clock], Wire]]] = {
    "slack": lambda clock: SlackWire(clock=clock, paced=False),
    "feishu": lambda clock: FeishuWire(clock=clock, paced=False),
    "wecom": lambda clock: FakeWeCom(clock, "socket", paced=False),
}
RULE: Final[dict[str, Any]] = {"confirm": ["alice"], "approve": ["bob", "carol"], "approvals": 1}
LATER: Final[dict[str, Any]] = {**RULE, "escalate": ["boss"], "escalate_after": "20m"}
HOSTILE: Final = "reject: <!channel> <@UBOB> <at id=all></at> <@all> @bob @所有人"


@asynccontextmanager
async def on(platform: str, folder: Path, rule: dict[str, Any]) -> AsyncIterator[tuple[Wire, Scene]]:
    """A scene on a platform's wire."""
    await asyncio.to_thread(load)
    cast = ("alice", "bob", "carol", "boss")
    content = {**HEAD, "policy": {"rules": [rule]}, "turns": [{"from": name, "say": "hi"} for name in cast]}
    file = folder / "scene.yaml"
    file.write_text(yaml.safe_dump(content), encoding="utf-8")
    wires: list[Wire] = []

    def chat(clock: Clock) -> WireChat:
        wires.append(WIRES[platform](clock))
        return WireChat(wires[0], clock=clock, tell=lambda line: None)

    async with ReplayRedis() as redis, Stage(transcript.read(file), redis, chat=chat) as stage:
        yield wires[0], Scene(stage)


async def asked(playing: Scene, service: str = "web") -> str:
    """A plan that waits for approvals; the turn that asked for it."""
    told = await playing.say("alice", f"@bot scale {service} to 5")
    turn: str = told["turn"]
    told = await playing.click("alice", "confirm", turn)
    assert told["state"] == "approving"
    return turn


def posted(playing: Scene) -> list[set[str]]:
    """Whom each card mentioned when it was posted, in order: a change of it rings nobody."""
    first = (views[0].mention for views in playing.stage.history.values())
    return [set(mentioned) for mentioned in first if mentioned]


@pytest.mark.parametrize("platform", WIRES)
async def test_those_asked_are_rung_by_the_platform_and_reminded_once_over_restarts(
    platform: str, tmp_path: Path
) -> None:
    async with on(platform, tmp_path, LATER) as (wire, playing):
        room = wire.room("ops")
        bob, carol, boss = (wire.person(name) for name in ("bob", "carol", "boss"))
        turn = await asked(playing)
        assert sorted(wire.rung(room)) == sorted([bob, carol])
        assert posted(playing) == [{bob, carol}]
        await playing.wait(590)
        assert posted(playing) == [{bob, carol}]
        await playing.do("restart", True)
        await playing.wait(30)
        assert {bob, carol} <= set(wire.rung(room))
        assert posted(playing) == [{bob, carol}] * 2
        await playing.do("restart", True)
        await playing.wait(500)
        assert posted(playing) == [{bob, carol}] * 2
        assert boss not in wire.rung(room)
        await playing.wait(120)
        assert {bob, carol, boss} <= set(wire.rung(room))
        assert posted(playing) == [{bob, carol}, {bob, carol}, {bob, carol, boss}]
        done = await playing.click("boss", "approve", turn)
        assert [one["action"] for one in done["executed"]] == ["scale"]
        assert len(posted(playing)) == 3


@pytest.mark.parametrize("platform", WIRES)
async def test_all_cards_of_an_approval_stay_in_their_thread(platform: str, tmp_path: Path) -> None:
    """C34: the result after an approval once left the thread."""
    async with on(platform, tmp_path, LATER) as (wire, playing):
        turn = await asked(playing)
        await playing.wait(630)
        done = await playing.click("carol", "approve", turn)
        assert [one["action"] for one in done["executed"]] == ["scale"]
        cards = wire.shown(wire.room("ops"))
        assert len(cards) >= 3
        assert len({card.root for card in cards}) == 1


async def test_a_card_that_was_deleted_is_posted_anew_and_no_words_stand_for_it(tmp_path: Path) -> None:
    """C43: a card is only a view of what is stored."""
    async with on("slack", tmp_path, {**RULE, "approvals": 2}) as (wire, playing):
        turn = await asked(playing)
        wire.faults.fail("chat.update", Fault(code="message_not_found"))
        told = await playing.click("bob", "approve", turn)
        assert told["state"] == "approving"
        assert [b.id for b in wire.shown(wire.room("ops"))[-1].buttons] == ["approve", "reject", "cancel"]
        words = await playing.say("carol", "@bot approve", reply_to=turn)
        assert words["executed"] == []
        done = await playing.click("carol", "approve", turn)
        assert [one["action"] for one in done["executed"]] == ["scale"]


@pytest.mark.parametrize(("away_s", "executed"), [(20, ["scale"]), (3_700, [])])
@pytest.mark.parametrize("button", ["confirm", "approve"])
async def test_a_click_whose_worker_dies_is_answered_by_the_next_one(
    button: str, away_s: int, executed: list[str], tmp_path: Path
) -> None:
    """C30: somebody clicked, waited, and was then told that it had been denied; or was told nothing."""
    rule = {**RULE, "approvals": 0} if button == "confirm" else RULE
    async with scene(tmp_path, policy={"rules": [rule]}) as playing:
        stage = playing.stage
        if button == "approve":
            await asked(playing)
        else:
            await playing.say("alice", "@bot scale web to 5")
        shown = stage.chat.cards()[-1]
        pressed = next(one for one in shown.card.buttons if one.id == button)
        who = "alice" if button == "confirm" else "bob"
        receipt = await stage.chat.click(
            event_id="late", room=shown.room, user=who, card=shown.message, button=button, token=pressed.token
        )
        assert receipt.taken == "stored"
        await stage.bot.worker.kill()
        stage.clock.move_to(stage.clock.now() + away_s)
        await stage.change(Turn(id="restart", act="restart", what=True))
        told = await playing.wait(30)
        assert [one["action"] for one in told["executed"]] == executed
        texts = "\n".join(card.card.text() for card in stage.chat.cards())
        assert ("done: scale web" if executed else "expired") in texts.casefold()
        assert not any(one.id == button for card in stage.chat.cards() for one in card.card.buttons)


@pytest.mark.parametrize("platform", WIRES)
async def test_a_reason_rings_nobody_whatever_is_written_in_it(platform: str, tmp_path: Path) -> None:
    async with on(platform, tmp_path, RULE) as (wire, playing):
        turn = await asked(playing)
        rung = list(wire.rung(wire.room("ops")))
        told = await playing.click("bob", "reject", turn)
        told = await playing.say("bob", f"@bot {HOSTILE}", reply_to=told["turn"])
        assert told["route"] == "reason"
        left = wire.rung(wire.room("ops"))
        assert len(left) <= len(rung)
        assert set(left) <= set(rung)


async def test_two_workers_remind_once(tmp_path: Path) -> None:
    async with scene(tmp_path, policy={"rules": [RULE]}) as playing:
        await asked(playing)
        stage = playing.stage
        client = stage._redis.client()
        stores = bot.stores(client, clock=stage.clock, virtual=stage.clock.ms)
        snapshot = Snapshot(catalog=stage.world.catalog, policy=stage.world.policy, timing=stage.world.timing)
        second = await bot.assemble(
            stores=stores,
            clusters={},
            chats={stage.chat.platform: stage.chat.join()},
            snapshot=snapshot,
            clock=stage.clock,
            meter=NoMeter(),
        )
        stage.clock.move_to(stage.clock.now() + 601)
        for _ in range(20):
            await asyncio.gather(stage.bot.worker.sweep(), second.worker.sweep())
            await asyncio.gather(stage.bot.worker.idle(), second.worker.idle())
        reminded = [shown for shown in stage.chat.cards() if "Reminder" in shown.card.text()]
        assert len(reminded) == 1
        assert reminded[0].card.mention == ("bob", "carol")
        await second.worker.kill()
        await client.close()


async def test_an_expired_card_says_what_it_had_and_cannot_be_pressed(tmp_path: Path) -> None:
    async with scene(tmp_path, policy={"rules": [{**RULE, "approvals": 2}]}) as playing:
        turn = await asked(playing)
        await playing.click("bob", "approve", turn)
        await playing.wait(3_600)
        texts = [shown.card.text() for shown in playing.stage.chat.cards()]
        assert sum("Expired with 1 of 2 approvals (bob)." in text for text in texts) == 1
        assert not any(shown.card.buttons for shown in playing.stage.chat.cards())
        late = await playing.click("carol", "approve", turn)
        assert (late["executed"], "expired" in late["refused"]) == ([], True)


async def test_the_reason_of_a_rejection_is_on_record_with_the_plan(tmp_path: Path) -> None:
    async with scene(tmp_path, policy={"rules": [RULE]}) as playing:
        turn = await asked(playing)
        told = await playing.click("bob", "reject", turn)
        await playing.say("bob", "@bot reject: too risky now", reply_to=told["turn"])
        said = [record async for record in records(playing) if record.reason in ("rejected", "rejection reason")]
        assert {(record.user, record.reason, record.text) for record in said} >= {
            ("bob", "rejection reason", "too risky now")
        }
        assert len({record.token for record in said}) == 1


async def test_the_gate_refuses_whom_it_has_not_been_escalated_to(tmp_path: Path) -> None:
    async with scene(tmp_path, policy={"rules": [{**LATER, "confirm": ["*"]}]}) as playing:
        plan, gate = await waiting(playing, "@bot scale web to 5"), playing.stage.bot.gate
        assert (await gate.judge(judgement(plan, "dave"))).missing == 1
        early = await gate.judge(judgement(plan, "boss", approve=True, number=2))
        assert (early.ok, early.reason) == (False, "policy")
        late = await gate.judge(judgement(plan, "boss", approve=True, number=3, escalated=True))
        assert (late.ok, late.missing) == (True, 0)


async def test_what_is_executed_is_counted_anew_and_says_whose_approval_is_gone(tmp_path: Path) -> None:
    async with scene(tmp_path, policy={"rules": [{**LATER, "confirm": ["*"]}]}) as playing:
        plan = await waiting(playing, "@bot scale web to 5")
        policy = parse({"rules": [{**LATER, "confirm": ["*"]}]})
        left = parse({"rules": [{**LATER, "confirm": ["*"], "approve": ["carol"]}]})
        by_bob, by_boss = execution(plan, "dave", "bob"), execution(plan, "dave", "boss", escalated=True)
        assert policy_problem(policy, by_bob, plan, 0) is None
        gone = policy_problem(left, by_bob, plan, 0)
        assert gone is not None
        assert (gone.key, gone.args) == ("gate.approvals_lapsed", {"count": 1, "who": "bob"})
        assert policy_problem(policy, by_boss, plan, 0) is None
        early = policy_problem(policy, execution(plan, "dave", "boss"), plan, 0)
        assert early is not None
        assert early.args["who"] == "boss"


async def test_whoever_confirmed_and_may_not_any_more_is_named(tmp_path: Path) -> None:
    async with scene(tmp_path, policy={"rules": [{**RULE, "confirm": ["*"]}]}) as playing:
        plan = await waiting(playing, "@bot scale web to 5")
        problem = policy_problem(parse({"rules": [{**RULE, "confirm": ["erin"]}]}), execution(plan, "dave"), plan, 0)
        assert problem is not None
        assert (problem.key, problem.args["who"], problem.args["can"]) == ("gate.confirmer_lapsed", "dave", "erin")
        nobody = policy_problem(parse({"rules": [{**RULE, "confirm": []}]}), execution(plan, "dave"), plan, 0)
        assert nobody is not None
        assert nobody.key == "policy.nobody.confirm"


async def test_an_approval_that_counts_no_more_overrides_no_freeze(tmp_path: Path) -> None:
    freeze = {"name": "sale", "starts": "1970-01-01T00:00", "ends": "1970-01-02T00:00", "override": ["carol"]}
    rule = {"confirm": ["*"], "approve": ["bob", "carol"], "approvals": 1}
    async with scene(tmp_path, policy={"rules": [rule]}) as playing:
        plan = await waiting(playing, "@bot scale web to 5 because it is slow")
        execute = execution(plan, "dave", "bob", "carol")
        assert policy_problem(parse({"rules": [rule], "freezes": [freeze]}), execute, plan, 0) is None
        left = {"rules": [{**rule, "approve": ["bob"]}], "freezes": [freeze]}
        problem = policy_problem(parse(left), execute, plan, 0)
        assert problem is not None
        assert problem.key == "freeze.only"
