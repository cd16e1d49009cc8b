"""Workers and the store are killed and stalled at random between every two steps; afterwards everything holds."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import pytest

from tests.contract.store.kit import REDIS_SERVER
from tests.torture.invariants import Broken, check
from tests.torture.stores import Kind
from tests.torture.supervisor import Plan, Run
from tests.torture.worker import POINTS


async def tortured(folder: Path, plan: Plan) -> tuple[Broken, Counter[str], Counter[str]]:
    """A run: what is broken, what was done, what happened to whom."""
    run = Run(folder, plan)
    try:
        await run.go()
        broken, done = await check(run)
    finally:
        await run.end()
    journal = (folder / "journal").read_text().splitlines() if (folder / "journal").exists() else []
    run.happened.update(journal)
    return broken, done, run.happened


async def test_everything_holds_after_a_short_run(tmp_path: Path) -> None:
    broken, done, happened = await tortured(tmp_path, Plan(seconds=8, store_killed_every_s=3, seed=int(time.time())))
    assert not broken, (broken.examples, done, happened)
    assert not [what for what in happened if what.startswith("error")], happened
    assert done["acknowledged"] > 100
    assert done["executed"] > 0
    assert happened["workers died"] > 3
    assert happened["stores killed"] > 0


@pytest.mark.deep
@pytest.mark.timeout(900)
@pytest.mark.parametrize("store_killed_every_s", [0.0, 5.0], ids=["workers", "workers-and-store"])
async def test_everything_holds_after_a_long_run(tmp_path: Path, store_killed_every_s: float) -> None:
    plan = Plan(seconds=150, users=24, store_killed_every_s=store_killed_every_s, seed=int(time.time()))
    broken, done, happened = await tortured(tmp_path, plan)
    # A holder that is frozen between its last look at the lease and its call, and killed before it can say
    # that it was late, leaves an old view: known, accepted, and harmless (its buttons are refused by token).
    stale = broken.pop("card left stale", 0)
    assert stale <= done["cards"] / 1000, (broken.examples, done, happened)
    assert not broken, (broken.examples, done, happened)
    assert not [what for what in happened if what.startswith("error")], happened
    killed = {what.removeprefix("killed ") for what in happened if what.startswith("killed ")}
    assert killed == set(POINTS), set(POINTS) - killed


@pytest.mark.deep
@pytest.mark.redis_topology
@pytest.mark.timeout(900)
@pytest.mark.skipif(not REDIS_SERVER.exists(), reason=f"{REDIS_SERVER} is not installed")
@pytest.mark.parametrize("store", ["sentinel", "cluster"])
async def test_everything_holds_over_failovers(tmp_path: Path, store: Kind) -> None:
    """Waiting for one copy: what was acknowledged is on the server that takes over."""
    plan = Plan(seconds=90, store=store, store_killed_every_s=15, kill=0.002, seed=int(time.time()))
    broken, done, happened = await tortured(tmp_path, plan)
    stale = broken.pop("card left stale", 0)
    assert stale <= done["cards"] / 1000, (broken.examples, done, happened)
    assert not broken, (broken.examples, done, happened)
    assert not [what for what in happened if what.startswith("error")], happened
    assert happened["stores killed"] >= 3
    assert done["executed"] > 0
