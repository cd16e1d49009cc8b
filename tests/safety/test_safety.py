"""The safety proof: whatever people, clusters and crashes do, the cluster is written to only as the README promises.

`CHATOPS_SAFETY_STEPS` (how many) and `CHATOPS_SAFETY_SEED` (from which seed on) play more, or a failure again; `CHATOPS_SAFETY_WILD` beside a model that answers at random.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from tests.safety.mutants import DEEP, QUICK, Mutant, broken_copy
from tests.safety.playing import Verdict, place, play, smallest
from tests.safety.steps import Step, printed, read, script

LENGTH: Final = 150
"""Steps of one script, from an empty store to rest."""
QUICK_STEPS: Final = 2_000
WILD_STEPS: Final = 1_000
DEEP_STEPS: Final = 1_000_000
LANES: Final = 2
MUTANT_STEPS: Final = 12_000


async def prove(folder: Path, *, steps: int, seed: int, tell: Callable[[str], object] = len) -> Counter[str]:
    """Play scripts until that many steps were taken, two at a time; what they came to. Fails with the smallest
    script found."""
    done: Counter[str] = Counter()
    seeds = itertools.count(seed)
    reports: list[str] = []
    begun = time.monotonic()

    async def lane(number: int) -> None:
        (folder / str(number)).mkdir()
        async with place(folder / str(number)) as where:
            while done["steps"] < steps and not reports:
                name = str(next(seeds))
                verdict = await play(where, script(name, LENGTH), name)
                if verdict.broken:
                    small, again = await smallest(where, script(name, LENGTH)[: verdict.steps], name)
                    reports.append(_report(name, verdict, small, again))
                done.update(steps=verdict.steps, plans=verdict.plans, written=verdict.written)
                done.update(deaths=verdict.deaths, runs=1)
                if done["runs"] % 50 == 0:
                    rate = done["steps"] / (time.monotonic() - begun)
                    tell(f"{dict(done)}, seed {name}, {rate:.0f} steps/s\n")

    async with asyncio.TaskGroup() as lanes:
        for number in range(LANES):
            lanes.create_task(lane(number))
    if reports:
        pytest.fail("\n\n".join(reports), pytrace=False)
    return done


def _report(seed: str, verdict: Verdict, small: list[Step], again: Verdict | None) -> str:
    lines = [f"CHATOPS_SAFETY_SEED={seed}", *verdict.broken]
    if again is None:
        lines += ["(did not happen again; as it was played:)", *verdict.log]
    else:
        lines += ["", f"smallest script, {len(small)} steps:", printed(small), *again.log, *again.broken]
    return "\n".join(lines)


@pytest.mark.timeout(300)
async def test_likewise_beside_a_model_that_answers_at_random(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHATOPS_SAFETY_WILD", "1")
    steps = int(os.environ.get("CHATOPS_SAFETY_STEPS", WILD_STEPS))
    done = await prove(tmp_path, steps=steps, seed=int(os.environ.get("CHATOPS_SAFETY_SEED", "1")))
    if steps >= WILD_STEPS:
        assert done["written"] > steps / 200, "hardly anything is written, so hardly anything is proved"


@pytest.mark.timeout(300)
async def test_nothing_is_written_but_what_was_shown_and_confirmed(tmp_path: Path) -> None:
    steps = int(os.environ.get("CHATOPS_SAFETY_STEPS", QUICK_STEPS))
    done = await prove(tmp_path, steps=steps, seed=int(os.environ.get("CHATOPS_SAFETY_SEED", "1")))
    if steps >= QUICK_STEPS:
        assert done["written"] > steps / 100, "hardly anything is written, so hardly anything is proved"
        assert done["deaths"] > steps / 100
        assert done["plans"] > steps / 20


@pytest.mark.deep
@pytest.mark.timeout(0)
async def test_nothing_is_written_but_what_was_shown_and_confirmed_in_a_million_steps(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def tell(line: str) -> None:
        with capfd.disabled():
            sys.stderr.write(line)

    steps = int(os.environ.get("CHATOPS_SAFETY_STEPS", DEEP_STEPS))
    await prove(tmp_path, steps=steps, seed=int(os.environ.get("CHATOPS_SAFETY_SEED", "1000")), tell=tell)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("mutant", QUICK, ids=[mutant.name for mutant in QUICK])
async def test_a_broken_engine_is_found_out(tmp_path: Path, mutant: Mutant) -> None:
    await found_out(tmp_path, mutant)


@pytest.mark.deep
@pytest.mark.timeout(600)
@pytest.mark.parametrize("mutant", DEEP, ids=[mutant.name for mutant in DEEP])
async def test_an_engine_broken_in_a_subtle_way_is_found_out(tmp_path: Path, mutant: Mutant) -> None:
    await found_out(tmp_path, mutant)


async def found_out(folder: Path, mutant: Mutant) -> None:
    root = folder / "root"
    root.mkdir()
    broken_copy(root, mutant)
    steps = 0
    async with place(folder, root=root) as where:
        for number in range(MUTANT_STEPS // LENGTH):
            seed = f"{mutant.name} {number}"
            verdict = await play(where, script(seed, LENGTH, mutant.weights), seed)
            steps += verdict.steps
            if any(mutant.shows in broken for broken in verdict.broken):
                return
    pytest.fail(f"{mutant.name}: nothing was noticed in {steps} steps")


def test_scripts_are_the_same_for_the_same_seed_and_can_be_kept() -> None:
    steps = script("a", 50)
    assert steps == script("a", 50) != script("b", 50)
    assert read(printed(steps)) == steps
