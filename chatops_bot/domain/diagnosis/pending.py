"""What the scheduler says of a pod that it cannot place, taken apart.

Its message is `0/5 nodes are available: 3 Insufficient cpu, 2 node(s) had untolerated taint {gpu: true}.
preemption: …`; the wording changes between releases, so an unknown text is kept as it is.
"""

from __future__ import annotations

import re
from typing import Final, Literal

import msgspec

from chatops_bot.domain.objects import shortened

_MESSAGE = re.compile(
    r"^(\d+)/(\d+) nodes are available: (.*?)\.?(?:\s*(?:preemption:|no new claims\b).*)?$", re.DOTALL
)
# Before a count, so that the comma of `taint {a: b}, that the pod didn't tolerate` (before 1.22) divides nothing.
_NEXT = re.compile(r",\s+(?=\d+ )")
_COUNTED = re.compile(r"(\d+)\s+(.*)", re.DOTALL)
_TAINT = re.compile(r"taint(?:\(s\))? \{([^}]*)\}")

Lack = Literal["capacity", "volume", "cordoned", "taint", "labels", "spread", "port", "pods", "volumes_full", "other"]

_LACKS: Final[tuple[tuple[str, Lack], ...]] = (
    ("insufficient ", "capacity"),
    ("too many pods", "pods"),
    ("persistentvolume", "volume"),
    ("volume node affinity", "volume"),
    ("available volume zone", "volume"),
    ("enough free storage", "volume"),
    ("max volume count", "volumes_full"),
    ("were unschedulable", "cordoned"),
    ("taint", "taint"),
    ("anti-affinity", "spread"),
    ("pod affinity rules", "spread"),
    ("topology spread", "spread"),
    ("node affinity", "labels"),
    ("node selector", "labels"),
    ("node(s) didn't match the requested node name", "labels"),
    ("free ports", "port"),
)


class Reason(msgspec.Struct, frozen=True):
    """Why some nodes will not do: `count` of them (0: not said, all), what is `lacking`, and the scheduler's words."""

    count: int
    lacking: Lack
    words: str


def reasons(message: str) -> tuple[Reason, ...]:
    """All that it gives; empty where the message is of another kind."""
    match = _MESSAGE.match(message.strip())
    if match is None:
        return ()
    return tuple(_reason(part) for part in _NEXT.split(match[3].strip(" .")) if part)


def _reason(part: str) -> Reason:
    counted = _COUNTED.fullmatch(part)
    words = (counted[2] if counted else part).strip()
    lowered = words.lower()
    lacking: Lack = next((lack for sign, lack in _LACKS if sign in lowered), "other")
    return Reason(int(counted[1][:6]) if counted else 0, lacking, shortened(words))


def resources_of(found: tuple[Reason, ...]) -> list[str]:
    """The resources of which there is too little: `cpu`, `nvidia.com/gpu`."""
    rows = (one.words.partition(" ")[2].strip() for one in found if one.lacking == "capacity")
    return list(dict.fromkeys(row for row in rows if row))


def taints_of(found: tuple[Reason, ...]) -> list[str]:
    """The taints that it does not tolerate, as they are written: `gpu: true`."""
    rows = (_TAINT.search(one.words) for one in found if one.lacking == "taint")
    return list(dict.fromkeys(row[1] for row in rows if row))


def unschedulable_reasons(message: str) -> str:
    """`0/5 nodes: 3 Insufficient cpu, 2 had untolerated taint {gpu: true}`, or the message itself, shortened."""
    match = _MESSAGE.match(message.strip())
    if match is None:
        return shortened(message) or "?"
    said = match[3].replace("node(s) ", "").strip(" .")
    return shortened(f"{match[1]}/{match[2]} nodes: {said}")
