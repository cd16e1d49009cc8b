"""Many plans at once from many people, while workers are killed and the API server answers badly: every entry of the
ledger is settled, no write is without its entry, and none is done twice; by the API server's own log."""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from chatops_bot.domain.cards import Button
from chatops_bot.domain.objects import PLAN_ANNOTATION
from tests.cluster.controlplane import ControlPlane
from tests.cluster.proxy import Passing, touches
from tests.cluster.storm import Storm, storm
from tests.cluster.weather import Sent, place
from tests.safety.platform import Shown
from tests.safety.wire import Gone

SPEED: Final = 7.0
"""Seconds of the bots' time in a second of the test's: leases and deadlines run out while one watches."""
STEP_S: Final = 0.04
"""Of real time, between two looks at the clock."""
KILLED_EVERY_S: Final = 1.2
WORSE_EVERY_S: Final = 0.25
GIVEN_UP_S: Final = 10.0
"""When somebody stops waiting for a plan, of real time, and asks for another one."""
AGAIN: Final = 8
"""Times that somebody presses the button until there is an outcome."""
ENDED: Final = ("Done: ", "Not done: ", "Outcome unknown: ", "Refused", "cannot", "Cannot", "expired", "replaced")
PLACES: Final = (
    "ledger prepare after",
    "ledger confirm after",
    "ledger start before",
    "ledger start after",
    "write before",
    "write after",
    "touch before",
    "touch after",
    "ledger finish before",
    "ledger finish after",
    "commit before",
    "done after",
    "post before",
)
ENDS: Final = frozenset({"done", "refused", "interrupted", "unknown", "void", "expired", "prepared"})
"""A plan that nobody confirmed stays as it was: nothing comes of it any more."""


async def person(here: Storm, names: tuple[str, ...], who: str, left: list[int], done: Counter[str]) -> None:
    """One after the other, until so many plans have been shown; each on any workload, whoever else is at it."""
    rng = random.Random(who)
    while left:
        number = left.pop()
        name = rng.choice(names)
        done["asked"] += 1
        thread = await here.deliver(here.said(f"{who}-{done['asked']}", _order(rng, name)), first=rng.randrange(2))
        if not await _within(partial(_shown, here, thread)):
            done["no plan in time"] += 1
            left.append(number)
            continue
        found = here.waiting(thread)
        if found is None:
            done["no plan"] += 1
            left.append(number)
            continue
        for _ in range(AGAIN):
            await press(here, rng, found)
            done["pressed"] += 1
            if await _within(partial(_ended, here, thread), limit_s=rng.uniform(0.5, 2.5)):
                break
            found = here.waiting(thread) or found


async def press(here: Storm, rng: random.Random, found: tuple[Shown, Button]) -> None:
    """By one or several people, once or twice, and some of it delivered again: also while somebody else's plan holds
    the workload, or when it has long been begun."""
    clicks = [here.pressed(rng.choice(("alice", "bob")), *found) for _ in range(rng.choice((1, 1, 2, 3)))]
    again = clicks[:1] if rng.random() < 0.2 else []
    await asyncio.gather(*(here.deliver(click, first=rng.randrange(2)) for click in (*clicks, *again)))


def _order(rng: random.Random, name: str) -> str:
    """Numbers differ, so that hardly anything is refused for being so already."""
    return rng.choice(
        (
            f"scale {name} to {rng.randint(1, 4)}",
            f"scale {name} to {rng.randint(1, 4)}",
            f"set the image of {name} to registry.test/plain:{rng.randint(2, 99)}",
            f"restart {name}",
        )
    )


def _shown(here: Storm, thread: str) -> bool:
    return here.waiting(thread) is not None or _ended(here, thread)


def _ended(here: Storm, thread: str) -> bool:
    text = here.text(thread)
    return here.waiting(thread) is None and any(word in text for word in ENDED)


async def _within(holds: Callable[[], bool], *, limit_s: float = GIVEN_UP_S) -> bool:
    ends = time.monotonic() + limit_s
    while not holds():
        if time.monotonic() > ends:
            return False
        await asyncio.sleep(0.05)
    return True


async def passing(here: Storm) -> None:
    """Time goes on, and whoever was killed is born again."""
    while True:
        await here.crew.muster()
        await here.tick(STEP_S * SPEED, real_s=STEP_S)


async def killing(here: Storm, happened: Counter[str]) -> None:
    """From outside at any time, or by itself at one of the places."""
    rng = random.Random("kills")
    while True:
        await asyncio.sleep(rng.expovariate(1 / KILLED_EVERY_S))
        number = rng.randrange(2)
        if not here.crew.alive(number):  # nor is one that is just being born
            continue
        if rng.random() < 0.3:
            here.crew.signal(number, signal.SIGKILL)
            happened["killed"] += 1
            continue
        where = rng.choice(PLACES)
        with contextlib.suppress(Gone):
            await here.crew.call(number, "arm", place=where, left=1, signal=int(signal.SIGKILL))
            happened["armed"] += 1


def _patches(one: Passing) -> bool:
    return one.method == "PATCH" and "dryRun" not in one.query


async def worsening(here: Storm, happened: Counter[str]) -> None:
    """429, 500, resets and slow answers, before and after the API server has carried out what was asked."""
    rng, proxy = random.Random("faults"), here.there.proxy
    late: set[asyncio.Task[None]] = set()
    while True:
        await asyncio.sleep(rng.expovariate(1 / WORSE_EVERY_S))
        where = rng.choice((_patches, _patches, touches(), lambda one: one.method == "GET" and not one.watch))
        kind = rng.choice(("429", "500", "503", "reset", "slow"))
        after = kind != "429" and rng.random() < 0.5  # a 429 says that nothing was done
        happened[f"{kind} {'after' if after else 'before'}"] += 1
        if kind == "slow":
            held = proxy.hold(where, after=after)
            task = asyncio.create_task(_release(held.release, rng.uniform(0.2, 4.0)))
            late.add(task)
            task.add_done_callback(late.discard)
        elif kind == "reset":
            proxy.reset(where, after=after)
        elif kind == "429":
            proxy.answer(429, where, headers={"Retry-After": "1"})
        else:
            proxy.answer(int(kind), where, after=after)


async def _release(release: Callable[[], None], seconds: float) -> None:
    await asyncio.sleep(seconds)
    release()


def written(here: Storm) -> list[tuple[str, str, int]]:
    """Token of the plan, workload and answer of all writes, by the API server's log."""
    return [_written(sent) for sent in here.there.sent("write")]


def _written(sent: Sent) -> tuple[str, str, int]:
    return sent.body["metadata"]["annotations"][PLAN_ANNOTATION], sent.name, sent.code


async def judged(here: Storm) -> Counter[str]:
    """What must hold afterwards; how the plans ended."""
    ledger = await here.ledger()
    carried_out = Counter(token for token, _, code in written(here) if code == 200)
    states = {token: entry["state"].decode() for token, entry in ledger.items()}
    assert {state for state in states.values() if state not in ENDS} == set()
    assert await here.held() == 0
    assert {token: times for token, times in carried_out.items() if times > 1} == {}, "written twice"
    assert set(carried_out) <= set(ledger), "written without an entry"
    astray = [
        (token, name)
        for token, name, _ in written(here)
        if not ledger[token]["target"].decode().endswith(f"/deployment/{name}")
    ]
    assert astray == []
    wrong = {token: states[token] for token in carried_out if states[token] not in ("done", "unknown")}
    assert wrong == {}, "written, and the ledger says otherwise"
    unwritten = {token for token, state in states.items() if state == "done"} - set(carried_out)
    assert unwritten == set(), "done by the ledger, and never written"
    records = await here.records()
    for kind, wanted in (
        ("confirmation", set(carried_out)),
        ("execution", {t for t, s in states.items() if s == "done"}),
    ):
        # The ledger's own, by the id of the work; that a button was pressed is another one.
        recorded = Counter(one.token for one in records if one.kind == kind and one.digest and not one.event.isalnum())
        assert wanted <= set(recorded), kind
        assert not [token for token, times in recorded.items() if times > 1], kind
    return Counter(states.values())


async def stormed(
    controlplane: ControlPlane, namespace: str, redis_url: str, folder: Path, *, plans: int, workloads: int, people: int
) -> dict[str, Any]:
    """So many plans over so many workloads from so many people; figures."""
    names = tuple(f"svc{number:02}" for number in range(workloads))
    done, happened = Counter[str](), Counter[str]()
    begun = time.monotonic()
    async with place(controlplane, namespace, redis_url, names=names) as there, storm(there, folder, names) as here:
        left = list(range(plans))
        loops = [
            asyncio.create_task(loop) for loop in (passing(here), killing(here, happened), worsening(here, happened))
        ]
        asking = [asyncio.create_task(person(here, names, f"p{number}", left, done)) for number in range(people)]
        try:
            while not all(task.done() for task in asking):
                done_now, _ = await asyncio.wait([*asking, *loops], timeout=1)
                for task in done_now:
                    task.result()  # a loop never ends but by what went wrong in it
        finally:
            for task in (*loops, *asking):
                task.cancel()
            await asyncio.gather(*loops, *asking, return_exceptions=True)
        there.proxy.clear()
        await here.rest()
        for name in names:
            there.settled(name)
        ends = await judged(here)
        codes = Counter(code for _, _, code in written(here))
        deaths = here.crew.deaths
    took = round(time.monotonic() - begun)
    return {
        "took": took,
        "deaths": deaths,
        "ends": dict(ends),
        "writes": dict(codes),
        **done,
        "weather": dict(happened),
    }


async def test_every_plan_is_settled_whatever_dies_and_whatever_fails(
    controlplane: ControlPlane, namespace: str, redis_url: str, tmp_path: Path
) -> None:
    figures = await stormed(controlplane, namespace, redis_url, tmp_path, plans=60, workloads=6, people=20)
    assert figures["ends"].get("done", 0) >= 3, figures
    assert figures["deaths"] >= 2, figures
    assert sum(figures["weather"].values()) >= 10, figures


@pytest.mark.deep
@pytest.mark.timeout(1_500)
async def test_a_thousand_plans_are_settled_whatever_dies_and_whatever_fails(
    controlplane: ControlPlane, namespace: str, redis_url: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    figures = await stormed(controlplane, namespace, redis_url, tmp_path, plans=1_000, workloads=50, people=20)
    with capfd.disabled():
        sys.stderr.write(f"\n{figures}\n")
    assert figures["ends"]["done"] >= 150, figures
    assert sum(figures["ends"].values()) >= 1_000, figures
    assert figures["deaths"] >= 40, figures
