"""The safety proof: whatever people, clusters and crashes do, the cluster is written to only as design section 6 allows.

`CHATOPS_SAFETY_STEPS` (how many) and `CHATOPS_SAFETY_SEED` (from which seed on) play more, or a failure again.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from tests.safety.mutants import DEEP, QUICK, Mutant, broken_copy
from tests.safety.playing import Verdict, place, play, smallest
from tests.safety.steps import Step, printed, read, script

LENGTH: Final = 150
"""Steps of one script, from an empty store to rest."""
QUICK_STEPS: Final = 1_500
DEEP_STEPS: Final = 1_000_000
MUTANT_STEPS: Final = 4_000


async def prove(folder: Path, *, steps: int, seed: int) -> Counter[str]:
    """Play scripts until that many steps were taken; what they came to. Fails with the smallest script found."""
    done: Counter[str] = Counter()
    begun = time.monotonic()
    async with place(folder) as where:
        while done["steps"] < steps:
            name = f"{seed}"
            verdict = await play(where, script(name, LENGTH), name)
            if verdict.broken:
                small, again = await smallest(where, script(name, LENGTH)[: verdict.steps], name)
                pytest.fail(_report(name, verdict, small, again), pytrace=False)
            done.update(
                steps=verdict.steps, plans=verdict.plans, written=verdict.written, deaths=verdict.deaths, runs=1
            )
            seed += 1
            if done["runs"] % 50 == 0:
                rate = done["steps"] / (time.monotonic() - begun)
                os.write(2, f"{dict(done)}, next seed {seed}, {rate:.0f} steps/s\n".encode())
    return done


def _report(seed: str, verdict: Verdict, small: list[Step], again: Verdict | None) -> str:
    lines = [f"CHATOPS_SAFETY_SEED={seed}", *verdict.broken]
    if again is None:
        lines += ["(did not happen again; as it was played:)", *verdict.log]
    else:
        lines += ["", f"smallest script, {len(small)} steps:", printed(small), *again.log, *again.broken]
    return "\n".join(lines)


async def test_nothing_is_written_but_what_was_shown_and_confirmed(tmp_path: Path) -> None:
    steps = int(os.environ.get("CHATOPS_SAFETY_STEPS", QUICK_STEPS))
    done = await prove(tmp_path, steps=steps, seed=int(os.environ.get("CHATOPS_SAFETY_SEED", "1")))
    if steps >= QUICK_STEPS:
        assert done["written"] > steps / 100, "hardly anything is written, so hardly anything is proved"
        assert done["deaths"] > steps / 100
        assert done["plans"] > steps / 20


@pytest.mark.deep
@pytest.mark.timeout(0)
async def test_nothing_is_written_but_what_was_shown_and_confirmed_in_a_million_steps(tmp_path: Path) -> None:
    steps = int(os.environ.get("CHATOPS_SAFETY_STEPS", DEEP_STEPS))
    await prove(tmp_path, steps=steps, seed=int(os.environ.get("CHATOPS_SAFETY_SEED", "1000")))


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
