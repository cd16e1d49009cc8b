"""What can happen in a run, as data: a script is a list of steps that mean something in any order and with any
of them left out, so that a failure can be made small."""

from __future__ import annotations

import random
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

import msgspec

Pace = Literal["none", "calm", "rest"]
"""What is waited for before the next step: nothing, nothing but time and what is held, or nothing but timers."""


class Step(msgspec.Struct, frozen=True):
    """`a`, `b`, `c` are drawn from a wide range and choose among what there is when the step comes."""

    kind: str
    a: int = 0
    b: int = 0
    c: int = 0
    pace: Pace = "calm"


WEIGHTS: Final[dict[str, float]] = {
    "order": 26,
    "confirm": 22,
    "approve": 7,
    "yes": 8,
    "almost": 5,
    "change": 5,
    "leave": 4,
    "read": 3,
    "other words": 2,
    "button": 9,
    "stale": 4,
    "forged": 3,
    "twice": 3,
    "redeliver": 2,
    "policy": 3,
    "read only": 2,
    "somebody scales": 4,
    "somebody recreates": 1.5,
    "somebody deletes": 0.7,
    "doom": 9,
    "release": 3,
    "cluster down": 1,
    "cluster up": 2,
    "platform": 2,
    "kill": 2,
    "kill at": 5,
    "freeze": 1,
    "freeze at": 2,
    "thaw": 3,
    "time": 8,
}

PACES: Final[dict[Pace, float]] = {"none": 30, "calm": 58, "rest": 12}
WIDE: Final = 1 << 16


def script(seed: str, length: int, more: Mapping[str, float] = MappingProxyType({})) -> list[Step]:
    """The steps of a run, the same for the same seed; `more` are weights that differ from the usual ones."""
    rng = random.Random(seed)
    weights = WEIGHTS | dict(more)
    kinds = rng.choices(list(weights), list(weights.values()), k=length)
    paces = rng.choices(list(PACES), list(PACES.values()), k=length)
    return [
        Step(kind, rng.randrange(WIDE), rng.randrange(WIDE), rng.randrange(WIDE), pace)
        for kind, pace in zip(kinds, paces, strict=True)
    ]


def printed(steps: list[Step]) -> str:
    """As a file that can be played again."""
    return msgspec.json.encode(steps).decode()


def read(text: str) -> list[Step]:
    return msgspec.json.decode(text, type=list[Step])
