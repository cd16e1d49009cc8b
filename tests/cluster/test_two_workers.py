"""Two workers on one Redis and a real control plane: whoever is asked, whatever is sent to both at once, whoever dies, a
plan is carried out once. How often is the API server's own word."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.cluster.controlplane import ControlPlane
from tests.cluster.crew import ALICE, BOB, crew
from tests.cluster.proxy import dry_runs, writes
from tests.scenario.running import until

TAKEN_OVER_S = 20.0
"""A lease lasts six seconds, a sweep finds it within one more."""
SETTLED_S = 60.0
"""Half a minute after the execution began somebody else may find out what became of it."""


async def test_an_interrupted_conversation_is_one_whoever_of_the_two_is_told(
    controlplane: ControlPlane, namespace: str, tmp_path: Path
) -> None:
    async with crew(controlplane, namespace, tmp_path) as here:
        await here.one.take(here.said(ALICE, "payment-svc in prod seems to time out, how are its pods?"))
        await here.card("payment-svc is degraded", "1/2")
        await here.other.take(here.said(BOB, "any slow queries in order-db?"))
        await here.card("order-db is healthy")
        await here.other.take(here.said(ALICE, "ok, scale it to 5"))
        plan = await here.card("deployment/payment-svc", "2 → 5")

        # Two clicks, each delivered to both, and one more person's to either.
        clicks = [here.pressed(BOB, plan, "confirm"), here.pressed(BOB, plan, "confirm")]
        clicks.append(here.pressed(ALICE, plan, "confirm"))
        await asyncio.gather(*(worker.take(click) for click in clicks for worker in (here.one, here.other)))
        await here.card("Done: scale payment-svc")
        await here.until_ready("payment-svc", 4)
        assert here.sent() == [("payment-svc", {"replicas": 5})]

        await here.one.take(here.said(ALICE, "restart it"))
        await here.card("Which one is")
        assert [await worker.running.end() for worker in (here.one, here.other)] == [0, 0]
        assert here.sent() == [("payment-svc", {"replicas": 5})]
        assert here.sent("touch") == []
        logged = [*here.one.running.log, *here.other.running.log]
        assert not [line for line in logged if line.get("level") in ("error", "critical")]


async def test_what_a_killed_worker_was_about_to_show_is_shown_by_the_other(
    controlplane: ControlPlane, namespace: str, tmp_path: Path
) -> None:
    async with crew(controlplane, namespace, tmp_path) as here:
        held = here.proxy.hold(dry_runs("/deployments/web"))
        await here.one.take(here.said(ALICE, "scale web to 4"))
        await held.wait()
        await here.one.kill()
        plan = await here.card("deployment/web", "2 → 4", within_s=TAKEN_OVER_S)
        assert here.sent() == []

        await here.other.take(here.pressed(BOB, plan, "confirm"))
        await here.card("Done: scale web")
        await here.until_ready("web", 4)
        held.release()
        assert here.sent() == [("web", {"replicas": 4})]


@pytest.mark.deep
@pytest.mark.timeout(120)
async def test_what_a_killed_worker_was_writing_is_found_out_by_the_other_and_never_written_again(
    controlplane: ControlPlane, namespace: str, tmp_path: Path
) -> None:
    async with crew(controlplane, namespace, tmp_path) as here:
        await here.one.take(here.said(ALICE, "scale web to 4"))
        early = await here.card("deployment/web", "2 → 4")
        await here.one.take(here.said(BOB, "scale payment-svc to 3"))
        late = await here.card("deployment/payment-svc", "2 → 3")

        under_way = here.proxy.hold(writes("/deployments/web"))
        answered = here.proxy.hold(writes("/deployments/payment-svc"), after=True)
        await here.one.take(here.pressed(ALICE, early, "confirm"))
        await here.one.take(here.pressed(BOB, late, "confirm"))
        await asyncio.gather(under_way.wait(), answered.wait())
        await here.one.kill()

        # Nobody may confirm anything else for these meanwhile.
        await here.other.take(here.said(ALICE, "restart web"))
        other = await here.card("restart web", "deployment/web")
        await here.other.take(here.pressed(ALICE, other, "confirm"))
        await here.card("holds deployment/web")

        await here.card("Done: scale payment-svc", within_s=SETTLED_S)
        await here.card("interrupted", within_s=SETTLED_S)
        assert here.sent() == [("payment-svc", {"replicas": 3})]
        # The API server's record follows its answer.
        await until(lambda: {name for name, _ in here.sent("touch")} == {"payment-svc", "web"}, "both to be touched")

        # What was held arrives at last, and is refused: the object has moved since.
        under_way.release()
        answered.release()
        await until(lambda: not here.proxy.under_way(writes()), "the late writes to arrive")
        (refused,) = (one for one in here.proxy.seen if writes("/deployments/web")(one))
        assert (refused.passed, refused.status) == (True, 409)
        assert here.sent() == [("payment-svc", {"replicas": 3})]
