"""What befalls a run: other people's changes, rules, faults, kills, frost, and time."""

from __future__ import annotations

import signal
from collections.abc import Awaitable, Callable
from typing import Final

from tests.safety.cluster import FATES, Doom, Kind
from tests.safety.crew import COUNT
from tests.safety.run import Run
from tests.safety.scene import POLICIES, SERVICES
from tests.safety.steps import Step
from tests.safety.wire import Gone

KINDS: Final[tuple[Kind, ...]] = ("write", "write", "write", "read", "dry run")
PLACES: Final = (
    "intake", "commit", "done", "drawn", "later",
    "ledger before", "ledger after", "post before", "post after",
    "write before", "write after", "touch before", "touch after",
)  # fmt: skip
"""Beginnings of places in a worker at which it can be made to die or freeze."""
WAITS: Final = (0.5, 2.0, 5.0, 7.0, 13.0, 31.0, 32.0, 61.0, 70.0, 300.0, 905.0, 3700.0)
ROUGHLY: Final = 7


class Weather:
    """Each method is one step."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def steps(self) -> dict[str, Callable[[Step, bool], Awaitable[None]]]:
        return {
            "policy": self.policy,
            "read only": self.read_only,
            "somebody scales": self.somebody_scales,
            "somebody recreates": self.somebody_recreates,
            "somebody deletes": self.somebody_deletes,
            "doom": self.doom,
            "release": self.release,
            "cluster down": self.cluster_down,
            "cluster up": self.cluster_up,
            "platform": self.platform,
            "kill": self.kill,
            "kill at": self.at_a_place,
            "freeze": self.freeze,
            "freeze at": self.at_a_place,
            "thaw": self.thaw,
            "time": self.time,
        }

    async def play(self, step: Step, *, at_rest: bool) -> None:
        await self.steps()[step.kind](step, at_rest)

    async def policy(self, step: Step, at_rest: bool) -> None:
        """Rules count once they are known everywhere: nobody stays frozen meanwhile."""
        run = self.run
        run.rules = POLICIES[0] if step.a % 2 else POLICIES[step.b % len(POLICIES)]
        run.happened(None, f"the policy is now {run.rules.name!r}")
        while True:
            for number in range(COUNT):
                run.crew.signal(number, signal.SIGCONT)
            await run.crew.muster()
            if len(await run.crew.everybody("policy", policy=run.rules.file())) == COUNT:
                break
        run.judge.regime(rules=run.rules, at_rest=at_rest)

    async def read_only(self, step: Step, at_rest: bool) -> None:
        run, on = self.run, step.a % 2 == 0
        run.happened(None, f"read-only is {'set' if on else 'lifted'} from outside")
        if not on:
            run.judge.regime(read_only=False, at_rest=at_rest)
        await run.store.set_read_only("works" if on else "")
        if on:
            run.judge.regime(read_only=True, at_rest=at_rest)

    async def somebody_scales(self, step: Step, at_rest: bool) -> None:
        entity = SERVICES[(0, 0, 1, 2, 3, 4, 5)[step.a % ROUGHLY]].entity
        self.run.happened(None, f"somebody scales {entity.workload} to {1 + step.b % 4}")
        if self.run.cluster.exists(entity):
            self.run.cluster.scale(entity, 1 + step.b % 4)

    async def somebody_recreates(self, step: Step, at_rest: bool) -> None:
        entity = SERVICES[(0, 0, 0, 1, 2, 3, 4)[step.a % ROUGHLY]].entity
        before = self.run.cluster.replicas(entity)
        self.run.happened(None, f"somebody deletes {entity.workload} and makes it anew with {max(before, 1)}")
        await self.run.cluster.delete(entity)
        self.run.cluster.create(entity, max(before, 1))

    async def somebody_deletes(self, step: Step, at_rest: bool) -> None:
        entity = SERVICES[step.a % len(SERVICES)].entity
        self.run.happened(None, f"somebody deletes {entity.workload}")
        await self.run.cluster.delete(entity)

    async def doom(self, step: Step, at_rest: bool) -> None:
        kind, fate = KINDS[step.a % len(KINDS)], FATES[step.b % len(FATES)]
        if kind != "write" and fate in ("hold", "late"):
            fate = "cut"
        doom = Doom(kind, fate, 1 + step.c % 3 if fate in ("503", "409", "cut") else 1)
        self.run.happened(None, f"the next {doom.left} {kind}: {fate}")
        self.run.cluster.dooms.append(doom)

    async def release(self, step: Step, at_rest: bool) -> None:
        self.run.happened(None, f"what was held ({self.run.cluster.held}) or late arrives")
        self.run.cluster.release()

    async def cluster_down(self, step: Step, at_rest: bool) -> None:
        self.run.happened(None, "the cluster is away")
        self.run.cluster.down(True)

    async def cluster_up(self, step: Step, at_rest: bool) -> None:
        self.run.cluster.down(False)

    async def platform(self, step: Step, at_rest: bool) -> None:
        trouble = ("away", "maybe", "gone", "away")[step.a % 4]
        self.run.happened(None, f"the platform: {trouble}, {1 + step.b % 3} times")
        self.run.platform.troubles += [trouble] * (1 + step.b % 3)

    async def kill(self, step: Step, at_rest: bool) -> None:
        self.run.happened(None, f"worker {step.a % COUNT} is killed")
        self.run.crew.signal(step.a % COUNT, signal.SIGKILL)

    async def freeze(self, step: Step, at_rest: bool) -> None:
        self.run.happened(None, f"worker {step.a % COUNT} is frozen")
        self.run.crew.signal(step.a % COUNT, signal.SIGSTOP)

    async def thaw(self, step: Step, at_rest: bool) -> None:
        self.run.happened(None, "whoever is frozen goes on")
        for number in range(COUNT):
            self.run.crew.signal(number, signal.SIGCONT)

    async def at_a_place(self, step: Step, at_rest: bool) -> None:
        """Armed: it happens by itself some steps later."""
        which = signal.SIGKILL if step.kind == "kill at" else signal.SIGSTOP
        place, left = PLACES[step.b % len(PLACES)], 1 + step.c % 4
        if place.startswith(("write", "touch")):
            left = 1
        self.run.happened(None, f"worker {step.a % COUNT}: {which.name} at the {left}. {place}")
        try:
            await self.run.crew.call(step.a % COUNT, "arm", place=place, left=left, signal=int(which))
        except Gone:
            return

    async def time(self, step: Step, at_rest: bool) -> None:
        wait = WAITS[step.a % len(WAITS)] if step.b % 3 else WAITS[step.a % 8]
        self.run.happened(None, f"{wait} s pass")
        await self.run.pass_time(wait)
