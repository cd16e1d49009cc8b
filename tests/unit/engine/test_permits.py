"""Which write the ledger stands behind, and what is covered by the digest."""

from __future__ import annotations

from typing import Literal

import msgspec
import pytest

from chatops_bot.domain.plans import Change, digest_of
from chatops_bot.engine.gate import encode_plan, permits
from chatops_bot.ports.store import LedgerStep, PlanState
from tests.unit.domain.actions.test_delete_pod import drafted, three
from tests.unit.domain.cluster_objects import plan_of

STEPS = tuple(
    Change(group="", version="v1", plural="pods", name=name, body={}, uid=f"u-{name}", verb="evict") for name in "ab"
)
PLAN = msgspec.structs.replace(plan_of(drafted(three())), steps=STEPS)
OTHER = msgspec.structs.replace(STEPS[0], uid="another")


def held(state: PlanState | Literal["absent"], wait_ms: int = 1_000) -> LedgerStep:
    return LedgerStep(ok=True, state=state, plan=encode_plan(PLAN), wait_ms=wait_ms)


def test_while_it_is_executed_its_first_write_and_the_touch_of_that_object() -> None:
    assert permits(held("executing"), PLAN.change)
    assert permits(held("executing"), None)
    assert not permits(held("executing"), STEPS[0])
    assert not permits(held("executing"), msgspec.structs.replace(PLAN.change, name="another"))


def test_while_it_is_worked_off_its_steps_and_nothing_else_and_only_in_their_time() -> None:
    assert all(permits(held("working"), step) for step in STEPS)
    assert not any(permits(held("working"), change) for change in (None, PLAN.change, OTHER))
    assert not permits(held("working", 0), STEPS[0])


@pytest.mark.parametrize(
    "state", ["absent", "prepared", "confirmed", "done", "refused", "interrupted", "unknown", "void", "expired"]
)
def test_in_no_other_state_anything(state: PlanState) -> None:
    assert not any(permits(held(state), change) for change in (None, PLAN.change, *STEPS))


def test_the_digest_covers_every_write_in_its_order() -> None:
    plans = [
        msgspec.structs.replace(PLAN, steps=steps) for steps in (STEPS, STEPS[::-1], STEPS[:1], (), (OTHER, STEPS[1]))
    ]
    assert len({digest_of(plan) for plan in plans}) == len(plans)
    patched = msgspec.structs.replace(PLAN, change=msgspec.structs.replace(PLAN.change, verb="patch"))
    assert digest_of(patched) != digest_of(PLAN)


def test_what_older_workers_do_not_know_is_of_another_form() -> None:
    one_patch = msgspec.structs.replace(PLAN, steps=(), change=msgspec.structs.replace(PLAN.change, verb="patch"))
    deletion = msgspec.structs.replace(PLAN, steps=())
    several = msgspec.structs.replace(one_patch, steps=STEPS)
    assert [plan.form for plan in (one_patch, deletion, several)] == [1, 2, 2]
