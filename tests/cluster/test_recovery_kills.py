"""A worker is killed with a signal at every point of an execution, for every action; another one finds the entry in the
ledger, asks the API server, and settles it: done, not done, or unknown and a person is asked. It is never written twice."""

from __future__ import annotations

import itertools
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.cluster.controlplane import ControlPlane
from tests.cluster.proxy import Held, Passing
from tests.cluster.storm import Storm, storm
from tests.cluster.weather import Weather, eventually, place, until

Json = dict[str, Any]

ORDERS = {
    "cart": "scale cart to 3",
    "search": "restart search",
    "checkout": "roll back checkout to revision 1",
    "mailer": "set the image of mailer to registry.test/plain:3",
    "gateway": "pause the rollout of gateway",
    "basket": "set the autoscaler of basket to 2-9",
}
NAMES = tuple(ORDERS)
SCALED = "basket"
"""The one with an autoscaler, which is what is written."""


@dataclass(frozen=True)
class Point:
    """Where the first worker dies: by itself at a `place`, or while its request is held before or `after` the API
    server has carried it out. `ends`: what the ledger says then; `sent`: writes and touches by the API server's log."""

    ends: str
    sent: tuple[tuple[str, int], ...]
    place: str = ""
    hold: str = ""
    also: str = ""
    """Where the second worker dies, which looks for the outcome."""


WROTE, TOUCHED = ("write", 200), ("touch", 200)

POINTS = {
    "confirmed, not begun": Point("done", (WROTE,), place="ledger start before"),
    "begun, nothing read": Point("interrupted", (TOUCHED,), place="ledger start after"),
    "read, nothing sent": Point("interrupted", (TOUCHED,), place="write before"),
    "sent, never arrived": Point("interrupted", (TOUCHED,), hold="never"),
    "sent, arrives late": Point("interrupted", (TOUCHED, ("write", 409)), hold="late"),
    "carried out, not answered": Point("done", (WROTE, TOUCHED), hold="after"),
    "answered, not in the ledger": Point("done", (WROTE, TOUCHED), place="write after"),
    "and who looks for it dies too": Point("done", (WROTE, TOUCHED), place="write after", also="touch after"),
    "and dies before it has looked": Point("interrupted", (TOUCHED,), place="write before", also="touch before"),
    "in the ledger, not told": Point("done", (WROTE,), place="ledger finish after"),
    "told, being verified": Point("done", (WROTE,), hold="verify"),
    "sent, and the object goes": Point("unknown", (("touch", 404),), hold="gone"),
}
FOLLOWED = "The cluster is rolling the change out"
TOLD = {"done": "Done: ", "interrupted": "Not done: ", "unknown": "Outcome unknown: "}


def make(there: Weather) -> None:
    """One Deployment an action, each with two revisions; one has an autoscaler."""
    for name in NAMES:
        path = f"{there.deployments}/{name}"
        image = {"spec": {"template": {"spec": {"containers": [{"name": "main", "image": "registry.test/plain:2"}]}}}}
        answer = there.admin.patch(path, image, kind="strategic")
        assert answer.status == 200, answer.text
    scaled = {"apiVersion": "apps/v1", "kind": "Deployment", "name": SCALED}
    body = {"metadata": {"name": SCALED}, "spec": {"scaleTargetRef": scaled, "minReplicas": 2, "maxReplicas": 4}}
    there.admin.make(autoscalers(there), body)
    for name in NAMES:
        there.settled(name)


def autoscalers(there: Weather) -> str:
    return f"/apis/autoscaling/v2/namespaces/{there.namespace}/horizontalpodautoscalers"


def written(there: Weather, name: str) -> str:
    """The object that the action writes."""
    return f"{autoscalers(there) if name == SCALED else there.deployments}/{name}"


def write_to(path: str) -> Callable[[Passing], bool]:
    return lambda one: one.method == "PATCH" and one.path == path and "dryRun" not in one.query


def hold(there: Weather, name: str, how: str) -> Held:
    path = written(there, name)
    if how != "verify":
        return there.proxy.hold(write_to(path), after=how == "after")
    look = f"{there.deployments}/{name}"
    done = write_to(path)
    return there.proxy.hold(
        lambda one: (
            (one.method, one.path) == ("GET", look) and any(done(each) and each.status for each in there.proxy.seen)
        )
    )


async def killed(here: Storm, name: str, point: Point) -> str:
    """Ask the first worker, confirm with it, and have it killed there; the thread."""
    there, crew = here.there, here.crew
    thread = await here.deliver(here.said(name, ORDERS[name]))
    shown, button = await here.plan(thread)
    held = hold(there, name, point.hold) if point.hold else None
    if point.place:
        await crew.call(0, "arm", place=point.place, left=1, signal=int(signal.SIGKILL))
    if point.also:
        await crew.call(1, "arm", place=point.also, left=1, signal=int(signal.SIGKILL))
    await here.deliver(here.pressed("bob", shown, button))
    if held is not None:
        await held.wait()
        crew.signal(0, signal.SIGKILL)
    await until(lambda: not crew.alive(0), "the worker to be dead")
    if held is not None and point.hold == "gone":
        there.admin.delete(written(there, name))
        await until(lambda: there.admin.get(written(there, name)).status == 404, "the object to go")
    if held is not None and point.hold != "late":
        held.drop()
    return thread


async def settled(here: Storm, name: str, point: Point, thread: str) -> None:
    """The other worker finds out, and says so."""
    there, crew = here.there, here.crew
    if point.also:
        await until_dead(here, 1)
        await crew.muster()
    # Verified to its end, too.
    await here.pass_until(lambda: TOLD[point.ends] in here.text(thread) and FOLLOWED not in here.text(thread), thread)
    if point.hold == "late":
        there.proxy.clear()
    await until(lambda: len(sent(there, name)) >= len(point.sent), f"the API server's record of {name}")
    assert sent(there, name) == point.sent, (name, here.text(thread))
    await crew.muster()


def sent(there: Weather, name: str) -> tuple[tuple[str, int], ...]:
    """Writes and touches by the API server's log. Two may look for the same outcome at once: the plan's watch, and the
    work that was left; each touches the object."""
    every = [(each.what, each.code) for each in there.sent("write", "touch") if each.name == name]
    return tuple(each for each, _ in itertools.groupby(every))


async def until_dead(here: Storm, number: int) -> None:
    async def dead() -> bool:
        await here.tick(1.0)
        return not here.crew.alive(number)

    await eventually(dead, "the one who looks for it to be dead")


@pytest.mark.parametrize("point", POINTS.values(), ids=POINTS)
async def test_another_worker_settles_what_a_killed_one_has_left(
    controlplane: ControlPlane, namespace: str, redis_url: str, tmp_path: Path, point: Point
) -> None:
    async with place(controlplane, namespace, redis_url, names=NAMES) as there:
        make(there)
        async with storm(there, tmp_path, NAMES) as here:
            threads = {}
            for name in NAMES:
                threads[name] = await killed(here, name, point)
                await settled(here, name, point, threads[name])
            # Nothing more comes of it, whatever time passes.
            before = [(each.what, each.name) for each in there.sent("write")]
            await here.pass_time(120, step_s=5.0)
            assert [(each.what, each.name) for each in there.sent("write")] == before
            ledger = await here.ledger()
            assert {entry["state"].decode() for entry in ledger.values()} == {point.ends}
            assert len(ledger) == len(NAMES)
            assert await here.held() == 0
            told = {name: TOLD[point.ends] in here.text(thread) for name, thread in threads.items()}
            assert told == dict.fromkeys(NAMES, True)
            kind = "execution" if point.ends == "done" else "outcome"
            recorded = [one for one in await here.records() if one.digest and one.kind in ("execution", "outcome")]
            assert sorted(record.token for record in recorded) == sorted(ledger)
            assert {record.kind for record in recorded} == {kind}
            assert {record.user for record in recorded} == {"bob"}
