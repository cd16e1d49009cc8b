"""The life of a plan: every step in every state, the lease on the target, deadlines, repetitions."""

from __future__ import annotations

import asyncio
from typing import Final, cast

import msgspec
import pytest

from chatops_bot.adapters.redis.shards import shard_of
from chatops_bot.ports.store import LedgerStep, PlanState, StoreUnavailable
from tests.contract.store.kit import World

TARGET: Final = "prod/pay/deployment/web"
LIVES: Final = 900_000
WITHIN: Final = 3_600_000
LIMIT: Final = 30_000


class Plans:
    """A ledger with short names for its steps."""

    def __init__(self, world: World, token: str = "p1", target: str = TARGET) -> None:
        self.world = world
        self.ledger = world.ledger
        self.token = token
        self.target = target

    async def prepare(self, effect: str = "E-prepare", plan: bytes = b"plan") -> LedgerStep:
        return await self.ledger.prepare(
            token=self.token,
            target=self.target,
            plan=plan,
            digest="d",
            lives_ms=LIVES,
            effect=effect,
            audit=(b"prepare",),
        )

    async def confirm(self, effect: str = "E-confirm", digest: str = "d", by: str = "bob") -> LedgerStep:
        return await self.ledger.confirm(
            token=self.token,
            target=self.target,
            digest=digest,
            by=by,
            effect=effect,
            start_within_ms=WITHIN,
            audit=(b"confirm",),
        )

    async def approve(self, effect: str = "E-approve", by: str = "carol") -> LedgerStep:
        return await self.ledger.approve(
            token=self.token, target=self.target, by=by, effect=effect, audit=(b"approve",)
        )

    async def void(self, effect: str = "E-void", reason: str = "cancelled") -> LedgerStep:
        return await self.ledger.void(
            token=self.token, target=self.target, reason=reason, effect=effect, audit=(b"void",)
        )

    async def start(self, attempt: str = "A") -> LedgerStep:
        return await self.ledger.start(
            token=self.token, target=self.target, attempt=attempt, limit_ms=LIMIT, audit=(b"start",)
        )

    async def note(self, attempt: str = "A", effect: str = "E-note", detail: bytes = b"noted") -> LedgerStep:
        return await self.ledger.note(
            token=self.token, target=self.target, attempt=attempt, detail=detail, effect=effect, audit=(b"note",)
        )

    async def finish(self, attempt: str = "A", outcome: PlanState = "done", detail: bytes = b"detail") -> LedgerStep:
        return await self.ledger.finish(
            token=self.token,
            target=self.target,
            attempt=attempt,
            outcome=outcome,
            detail=detail,
            audit=(b"finish",),
            limit_ms=LIMIT,
        )

    async def settle(self) -> LedgerStep:
        return await self.finish(attempt="settle", outcome="interrupted")

    async def read(self) -> LedgerStep:
        return await self.ledger.read(token=self.token, target=self.target)

    async def records(self) -> list[bytes]:
        return [entry.record for entry in await self.world.audit.entries(shard=shard_of(self.target))]

    async def bring_to(self, state: str) -> None:
        """From nothing to a state, the way it is reached."""
        if state == "absent":
            return
        await self.prepare("S1")
        if state in ("prepared", "lapsed"):
            self.world.time.advance(LIVES if state == "lapsed" else 0)
        elif state in ("void", "expired"):
            await self.void("S2", reason="superseded" if state == "void" else "expired")
        else:
            await self.confirm("S2")
            if state == "stale":
                self.world.time.advance(WITHIN)
            elif state != "confirmed":
                await self.start("S")
            if state == "overdue":
                self.world.time.advance(LIMIT)
            elif state not in ("confirmed", "stale", "executing"):
                await self.finish("S", "working" if state == "overtime" else cast(PlanState, state))
            if state == "overtime":
                self.world.time.advance(LIMIT)


STATES: Final = (
    "absent", "prepared", "lapsed", "confirmed", "stale", "executing", "overdue", "working", "overtime",
    "done", "refused", "interrupted", "unknown", "void", "expired",
)  # fmt: skip

ENDS: Final = {state: (False, state, "decided") for state in ("done", "refused", "interrupted", "unknown")} | {
    "void": (False, "void", "superseded"),
    "expired": (False, "expired", "expired"),
}
WORKED: Final = dict.fromkeys(("working", "overtime"), (False, "working", "decided"))
ABSENT: Final = {"absent": (False, "absent", "unknown")}

# Step -> state before -> (ok, state after, reason). `lapsed`: prepared, past its time; `stale`: confirmed, never started;
# `overdue`: executing, past its deadline; `overtime`: working, likewise.
TABLE: Final[dict[str, dict[str, tuple[bool, str, str]]]] = {
    "prepare": {
        "absent": (True, "prepared", ""),
        "prepared": (True, "prepared", ""),
        "lapsed": (True, "prepared", ""),
        "confirmed": (False, "confirmed", "decided"),
        "stale": (False, "confirmed", "decided"),
        "executing": (False, "executing", "decided"),
        "overdue": (False, "executing", "decided"),
        **WORKED,
        **ENDS,
    },
    "confirm": {
        **ABSENT,
        "prepared": (True, "confirmed", ""),
        "lapsed": (False, "expired", "expired"),
        "confirmed": (False, "confirmed", "decided"),
        "stale": (False, "confirmed", "decided"),
        "executing": (False, "executing", "decided"),
        "overdue": (False, "executing", "decided"),
        **WORKED,
        **ENDS,
    },
    "approve": {
        **ABSENT,
        "prepared": (False, "prepared", "unconfirmed"),
        "lapsed": (False, "prepared", "unconfirmed"),
        "confirmed": (True, "confirmed", ""),
        "stale": (False, "expired", "expired"),
        "executing": (False, "executing", "decided"),
        "overdue": (False, "executing", "decided"),
        **WORKED,
        **ENDS,
    },
    "void": {
        **ABSENT,
        "prepared": (True, "void", "cancelled"),
        "lapsed": (True, "void", "cancelled"),
        "confirmed": (True, "void", "cancelled"),
        "stale": (True, "void", "cancelled"),
        "executing": (False, "executing", "decided"),
        "overdue": (False, "executing", "decided"),
        **WORKED,
        **ENDS,
    },
    "start": {
        **ABSENT,
        "prepared": (False, "prepared", "unconfirmed"),
        "lapsed": (False, "prepared", "unconfirmed"),
        "confirmed": (True, "executing", ""),
        "stale": (False, "expired", "expired"),
        "executing": (False, "executing", ""),
        "overdue": (False, "executing", ""),
        **WORKED,
        **ENDS,
    },
    "finish": {
        **ABSENT,
        "prepared": (False, "prepared", "decided"),
        "lapsed": (False, "prepared", "decided"),
        "confirmed": (False, "confirmed", "decided"),
        "stale": (False, "confirmed", "decided"),
        "executing": (False, "executing", "decided"),
        "overdue": (False, "executing", "decided"),
        **dict.fromkeys(("working", "overtime"), (True, "done", "done")),
        **ENDS,
    },
    "note": {
        **ABSENT,
        "prepared": (False, "prepared", "decided"),
        "lapsed": (False, "prepared", "decided"),
        "confirmed": (False, "confirmed", "decided"),
        "stale": (False, "confirmed", "decided"),
        "executing": (False, "executing", "decided"),
        "overdue": (False, "executing", "decided"),
        **dict.fromkeys(("working", "overtime"), (True, "working", "")),
        **ENDS,
    },
    "settle": {
        **ABSENT,
        "prepared": (False, "prepared", "decided"),
        "lapsed": (False, "prepared", "decided"),
        "confirmed": (False, "confirmed", "decided"),
        "stale": (False, "confirmed", "decided"),
        "executing": (False, "executing", "early"),
        "overdue": (True, "interrupted", "interrupted"),
        "working": (False, "working", "early"),
        "overtime": (True, "interrupted", "interrupted"),
        **ENDS,
    },
}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("step", list(TABLE))
async def test_every_step_in_every_state(world: World, step: str, state: str) -> None:
    plans = Plans(world)
    await plans.bring_to(state)
    before = await plans.read()
    recorded = await plans.records()
    answer: LedgerStep = await getattr(plans, step)()
    assert (answer.ok, answer.state, answer.reason) == TABLE[step][state]
    after = await plans.read()
    holds = after.state in ("confirmed", "executing")
    assert await world.ledger.holder(target=TARGET) == ("p1" if holds else "")
    added = (await plans.records())[len(recorded) :]
    changed = (after.state, after.approvals) != (before.state, before.approvals) or step == "note"
    assert added == ([{"settle": "finish"}.get(step, step).encode()] if answer.ok and changed else [])
    if not answer.ok and answer.state != "expired":
        assert after == before
    # Nothing but what is confirmed or under way is watched.
    assert (await world.store.next_due() > 0) is (holds or after.state == "working")


async def test_a_plan_from_click_to_end(world: World) -> None:
    plans = Plans(world)
    assert (await plans.prepare()).plan == b"plan"
    confirmed = await plans.confirm()
    assert (confirmed.by, confirmed.plan) == ("bob", b"plan")
    assert (await plans.approve("E3", "carol")).approvals == ("carol",)
    assert (await plans.approve("E4", "dave")).approvals == ("carol", "dave")
    assert (await plans.start()).ok is True
    read = await plans.read()
    assert (read.ok, read.state, read.wait_ms) == (True, "executing", LIMIT)
    assert (await plans.finish()).ok is True
    end = await plans.read()
    assert (end.state, end.detail, end.by, end.approvals) == ("done", b"detail", "bob", ("carol", "dave"))
    assert await plans.records() == [b"prepare", b"confirm", b"approve", b"approve", b"start", b"finish"]


async def test_the_plan_recorded_first_is_the_plan(world: World) -> None:
    plans = Plans(world)
    await plans.prepare("E1", b"first")
    assert (await plans.prepare("E1", b"second")).plan == b"first"
    assert (await plans.prepare("E2", b"third")).plan == b"first"
    assert len(await plans.records()) == 1


async def test_a_digest_must_be_that_of_the_plan(world: World) -> None:
    plans = Plans(world)
    await plans.prepare()
    answer = await plans.confirm(digest="other")
    assert (answer.ok, answer.state, answer.reason) == (False, "prepared", "digest")
    assert (await plans.confirm("E2")).ok is True


async def test_a_token_is_good_for_its_target_only(world: World) -> None:
    await Plans(world).prepare()
    foreign = next(
        f"prod/pay/deployment/x{n}" for n in range(9_999) if shard_of(f"prod/pay/deployment/x{n}") == shard_of(TARGET)
    )
    for target in (foreign, "prod/pay/deployment/elsewhere"):
        plans = Plans(world, target=target)
        for answer in (await plans.confirm(), await plans.start(), await plans.read(), await plans.void()):
            assert (answer.ok, answer.state) == (False, "absent")


async def test_an_effect_gets_its_answer_again(world: World) -> None:
    """Whatever has become of the plan meanwhile."""
    plans = Plans(world)
    answers = [await plans.prepare(), await plans.confirm(), await plans.approve()]
    await plans.start()
    await plans.finish()
    repeated = [await plans.prepare(), await plans.confirm(), await plans.approve()]
    detail = b"detail"  # what the plan holds besides is told as it is
    assert [msgspec.structs.replace(answer, detail=detail) for answer in repeated] == [
        msgspec.structs.replace(answer, detail=detail, by=repeated[0].by) for answer in answers
    ]
    assert len(await plans.records()) == 5


async def test_a_refused_effect_stays_refused(world: World) -> None:
    """The thread may have told it; a second run must not confirm behind its back."""
    first, second = Plans(world, "p1"), Plans(world, "p2")
    await first.prepare("P1")
    await second.prepare("P2")
    await first.confirm("C1")
    assert (await second.confirm("C2")).reason == "conflict"
    await first.void("V1")
    assert (await second.confirm("C2")).reason == "conflict"
    assert (await second.confirm("C3")).ok is True


async def test_two_plans_for_one_target(world: World) -> None:
    first, second = Plans(world, "p1"), Plans(world, "p2")
    await first.prepare("P1")
    await second.prepare("P2")
    assert (await first.confirm("C1")).ok is True
    answer = await second.confirm("C2")
    assert (answer.ok, answer.state, answer.reason, answer.holder) == (False, "prepared", "conflict", "p1")
    assert await world.ledger.holder(target=TARGET) == "p1"
    await first.start()
    assert (await second.confirm("C3")).holder == "p1"
    await first.finish()
    assert (await second.confirm("C4")).ok is True
    assert await world.ledger.holder(target=TARGET) == "p2"


@pytest.mark.parametrize("end", ["void", "finish", "expire"])
async def test_every_end_frees_the_target(world: World, end: str) -> None:
    first, second = Plans(world, "p1"), Plans(world, "p2")
    await first.prepare("P1")
    await first.confirm("C1")
    await second.prepare("P2")
    if end == "void":
        await first.void("V")
    elif end == "finish":
        await first.start()
        await first.finish(outcome="refused")
    else:
        world.time.advance(WITHIN)
        assert (await first.start()).reason == "expired"
        await second.prepare("P3")
        second = Plans(world, "p3")
        await second.prepare("P4")
    assert (await second.confirm("C2")).ok is True


async def test_of_many_confirmations_at_once_one_holds(world: World) -> None:
    plans = [Plans(world, f"p{n}") for n in range(10)]
    for n, plan in enumerate(plans):
        await plan.prepare(f"P{n}")
    answers = await asyncio.gather(*(plan.confirm(f"C{n}") for n, plan in enumerate(plans)))
    (winner,) = [n for n, answer in enumerate(answers) if answer.ok]
    assert {answer.holder for answer in answers if not answer.ok} == {f"p{winner}"}


async def test_of_many_executors_one_starts(world: World) -> None:
    plans = Plans(world)
    await plans.bring_to("confirmed")
    answers = await asyncio.gather(*(plans.start(f"A{n}") for n in range(10)))
    assert sorted(answer.ok for answer in answers) == [False] * 9 + [True]
    assert {answer.wait_ms for answer in answers if not answer.ok} == {LIMIT}


async def test_the_same_attempt_may_ask_again_until_its_deadline(world: World) -> None:
    plans = Plans(world)
    await plans.bring_to("confirmed")
    assert (await plans.start("A")).ok is True
    assert (await plans.start("A")).ok is True
    world.time.advance(LIMIT)
    answer = await plans.start("A")
    assert (answer.ok, answer.state, answer.wait_ms) == (False, "executing", 0)


async def test_an_owner_may_end_late_if_nobody_settled(world: World) -> None:
    plans = Plans(world)
    await plans.bring_to("overdue")
    assert (await plans.finish("S", "done")).ok is True
    assert (await plans.settle()).state == "done"


async def test_an_end_is_told_again_to_who_made_it(world: World) -> None:
    plans = Plans(world)
    await plans.bring_to("executing")
    first = await plans.finish("S")
    assert await plans.finish("S") == first
    assert (await plans.finish("S", "refused")).ok is False
    assert (await plans.finish("other")).ok is False
    assert (await plans.records()).count(b"finish") == 1


async def test_an_approver_counts_once(world: World) -> None:
    plans = Plans(world)
    await plans.bring_to("confirmed")
    await plans.approve("E1", "carol")
    again = await plans.approve("E2", "carol")
    assert (again.ok, again.approvals) == (True, ("carol",))
    assert (await plans.records()).count(b"approve") == 1


async def test_an_approval_that_comes_too_late_finds_the_plan_expired(world: World) -> None:
    plans = Plans(world)
    await plans.bring_to("confirmed")
    world.time.advance(WITHIN)
    answer = await plans.approve()
    assert (answer.ok, answer.state, answer.reason) == (False, "expired", "expired")


async def test_a_plan_past_its_deadline_is_found_and_settled(world: World) -> None:
    plans = Plans(world)
    await plans.bring_to("executing")
    world.time.advance(LIMIT - 1)
    assert await world.drain() == []
    world.time.advance(1)
    (claim,) = await world.drain()
    assert (claim.queue, claim.entry, claim.body, claim.attempts) == ("p|p1", TARGET, b"plan", 1)
    assert claim.shard == shard_of(TARGET)
    await world.store.later(claim, 500)
    world.time.advance(500)
    (claim,) = await world.drain()
    assert await world.store.renew([claim]) == set()
    assert (await plans.settle()).ok is True
    assert await world.store.renew([claim]) == {claim.token}
    assert await world.store.next_due() == 0


async def test_a_confirmed_plan_that_nobody_starts_is_found(world: World) -> None:
    plans = Plans(world)
    await plans.bring_to("confirmed")
    world.time.advance(WITHIN)
    (claim,) = await world.drain()
    assert (claim.queue, claim.body) == ("p|p1", b"plan")
    assert (await plans.void(reason="expired")).state == "expired"
    assert await world.store.next_due() == 0


async def test_a_plan_is_kept_for_thirty_days(world: World) -> None:
    plans = Plans(world)
    await plans.bring_to("done")
    key = f"{{{shard_of(TARGET)}}}:plan:p1"
    ttl = await world.client.command("TTL", key, shard=shard_of(TARGET))
    assert isinstance(ttl, int)
    assert 2_591_000 < ttl <= 2_592_000


async def test_an_outcome_must_be_an_end(world: World) -> None:
    plans = Plans(world)
    await plans.bring_to("executing")
    with pytest.raises(ValueError, match="prepared is no end"):
        await plans.finish("S", "prepared")


async def test_a_plan_of_a_newer_version_is_not_touched(world: World) -> None:
    plans = Plans(world)
    await plans.bring_to("confirmed")
    shard = shard_of(TARGET)
    await world.client.command("HSET", f"{{{shard}}}:plan:p1", "schema", 3, shard=shard)
    with pytest.raises(StoreUnavailable, match="newer"):
        await plans.start()
    world.time.advance(WITHIN)
    assert await world.drain() == []


async def test_a_plan_is_recorded_in_the_form_that_others_must_know(world: World) -> None:
    plans = Plans(world)
    await world.ledger.prepare(
        token="p1", target=TARGET, plan=b"plan", digest="d", lives_ms=LIVES, effect="E", audit=(), form=2
    )
    await plans.confirm()
    shard = shard_of(TARGET)
    await plans.confirm("E2")  # refused, which marks the entry all the same
    assert await world.client.command("HGET", f"{{{shard}}}:plan:p1", "schema", shard=shard) == b"2"


async def test_the_executor_notes_what_it_is_about_to_send_in_its_time(world: World) -> None:
    plans = Plans(world)
    await plans.bring_to("executing")
    assert (await plans.note("S", detail=b"41")).ok is True
    assert (await plans.note("S", "E2", detail=b"42")).ok is True
    assert (await plans.read()).detail == b"42"
    assert (await plans.note("other", "E3")).ok is False
    world.time.advance(LIMIT)
    assert (await plans.note("S", "E4", detail=b"43")).ok is False
    assert (await plans.read()).detail == b"42"
    assert (await plans.records()).count(b"note") == 2


async def test_a_plan_of_several_writes_frees_its_target_and_is_ended_by_its_follower(world: World) -> None:
    first, second = Plans(world), Plans(world, token="p2")
    await first.bring_to("working")
    await second.prepare("P2")
    assert (await second.confirm("C2")).ok is True
    assert (await first.read()).wait_ms == LIMIT
    assert (await first.note("any follower", "E1")).ok is True
    assert (await first.note("any follower", "E1")).ok is True  # asked again: recorded once
    assert (await first.records()).count(b"note") == 1
    assert (await first.finish("any follower")).state == "done"
    assert await world.ledger.holder(target=TARGET) == "p2"
    assert (await first.finish("another")).ok is False
    late = await first.note("slow", "E2")
    assert (late.ok, late.state) == (False, "done")
    assert (await first.records()).count(b"note") == 2  # what was sent is recorded, however late it is answered


async def test_what_its_follower_has_forgotten_is_settled_by_anybody(world: World) -> None:
    plans = Plans(world)
    await plans.bring_to("working")
    world.time.advance(LIMIT)
    assert await world.store.sweep() == []
    world.time.advance(60_000)
    (claim,) = await world.store.sweep()
    assert (claim.queue, claim.entry) == ("p|p1", TARGET)
    assert (await plans.settle()).ok is True
    assert await world.store.next_due() == 0


async def test_a_second_run_of_the_end_of_the_first_write_changes_nothing(world: World) -> None:
    plans = Plans(world)
    await plans.bring_to("executing")
    assert (await plans.finish("S", "working")).ok is True
    world.time.advance(1_000)
    assert (await plans.finish("S", "working")).ok is True
    assert (await plans.read()).wait_ms == LIMIT - 1_000
    assert (await plans.finish("other", "working")).ok is False
