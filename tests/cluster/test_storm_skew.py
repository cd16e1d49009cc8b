"""Workers whose clocks are ten minutes apart: how long a plan may be confirmed, begun and executed is the store's to say."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from chatops_bot.domain.intents import Quantity
from tests.cluster.bot_side import bot_side, entity_of
from tests.cluster.controlplane import ControlPlane
from tests.cluster.weather import place

SKEW_S = 300.0


@pytest.mark.parametrize("ahead", [-1, 1], ids=["the one who executes is late", "the one who executes is early"])
async def test_a_plan_of_one_worker_is_executed_by_another_whose_clock_is_wrong(
    controlplane: ControlPlane, namespace: str, redis_url: str, ahead: int
) -> None:
    async with place(controlplane, namespace, redis_url) as there:
        kubeconfig: Path = controlplane.kubeconfig()
        async with (
            bot_side(redis=there.store, kubeconfig=kubeconfig) as one,
            bot_side(redis=there.store, kubeconfig=kubeconfig) as other,
        ):
            one.clock.fixed = time.time() - ahead * SKEW_S
            other.clock.fixed = time.time() + ahead * SKEW_S
            prepared = await one.prepare(
                entity_of("Deployment", namespace, "web"), "scale", {"replicas": Quantity("to", 3)}
            )
            assert prepared.plan is not None, prepared.problem
            executed = await other.execute(prepared.plan)
            assert executed.outcome == "done", executed
            assert there.replicas("web") == 3
            # What has ended for the one has ended for the other.
            with pytest.raises(AssertionError, match=r"gate\.unknown"):
                await one.execute(prepared.plan)
            assert there.replicas("web") == 3
