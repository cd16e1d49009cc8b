"""Where the pods of a drained node can go, and what runs nowhere else meanwhile. An estimate, as `capacity` is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from chatops_bot.domain.amounts import Amounts, amounts, asked, total
from chatops_bot.domain.diagnosis.pods import is_leftover, is_ready
from chatops_bot.domain.objects import controller_of, label, name_of, text
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.placing import takes

_HASH = "pod-template-hash"


def homeless(pods: Iterable[Raw], *, nodes: Iterable[Raw], running: Iterable[Raw]) -> list[Raw]:
    """Those of the pods, the neediest placed first, that the free requests of these nodes hold no more."""
    free = _free(nodes, running)
    left = []
    for pod in sorted((pod for pod in pods if not is_leftover(pod)), key=_need, reverse=True):
        wanted = {name: value for name, value in asked(pod).items() if value} | {"pods": Fraction(1)}
        place = next((room for node, room in free if takes(node, pod) and _fits(wanted, room)), None)
        if place is None:
            left.append(pod)
        else:
            for name, value in wanted.items():
                place[name] -= value
    return left


def _free(nodes: Iterable[Raw], running: Iterable[Raw]) -> list[tuple[Raw, Amounts]]:
    there: dict[str, list[Raw]] = {}
    for pod in running:
        if not is_leftover(pod):
            there.setdefault(text(pod, "spec", "nodeName"), []).append(pod)
    free = []
    for node in nodes:
        pods = there.get(name_of(node), [])
        taken = total(pods) | {"pods": Fraction(len(pods))}
        room = {"pods": Fraction(110)} | amounts(node, "status", "allocatable")
        free.append((node, {name: value - taken.get(name, 0) for name, value in room.items()}))
    return free


def _need(pod: Raw) -> tuple[Fraction, Fraction]:
    wanted = asked(pod)
    return wanted.get("cpu", Fraction(0)), wanted.get("memory", Fraction(0))


def _fits(wanted: Amounts, room: Amounts) -> bool:
    return all(room.get(name, 0) >= value for name, value in wanted.items())


def only_here(pods: Iterable[Raw], elsewhere: Iterable[Raw]) -> Iterator[str]:
    """Names of the workloads whose ready pods are all among these: while they move, nothing serves."""
    others = {text(controller_of(pod), "uid") for pod in elsewhere if is_ready(pod)}
    names = {workload_of(pod): text(controller_of(pod), "uid") for pod in pods if is_ready(pod) and _serves(pod)}
    yield from sorted(name for name, uid in names.items() if uid not in others)


def jobs_of(pods: Iterable[Raw]) -> list[str]:
    """Names of the Jobs whose unfinished pods these are: they begin again."""
    found = (pod for pod in pods if text(controller_of(pod), "kind") == "Job" and not is_leftover(pod))
    return sorted({workload_of(pod) for pod in found})


def workload_of(pod: Raw) -> str:
    """`namespace/name` of what makes the pod; a ReplicaSet by the name of its Deployment."""
    owner = controller_of(pod)
    name = text(owner, "name")
    hashed = label(pod, _HASH)
    if text(owner, "kind") == "ReplicaSet" and hashed:
        name = name.removesuffix(f"-{hashed}")
    return f"{text(pod, 'metadata', 'namespace')}/{name}"


def _serves(pod: Raw) -> bool:
    return bool(controller_of(pod)) and text(controller_of(pod), "kind") != "Job"
