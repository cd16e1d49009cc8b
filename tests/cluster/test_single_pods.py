"""Pods deleted and evicted under the real disruption controller, against kubectl's own; and a StatefulSet that is stuck
in a rollout, really brought back, whoever of two workers follows it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.events import Followed
from chatops_bot.domain.plans import Plan
from chatops_bot.domain.texts import render
from tests.cluster.api import Api
from tests.cluster.bot_side import BotSide, bot_side
from tests.cluster.controlplane import ControlPlane
from tests.cluster.kubectl import Kubectl
from tests.cluster.kubelet.stages import STAGE, STAGES
from tests.cluster.twins import Json, Twins, Workload, manifest

Make = Callable[..., Workload]


@pytest.fixture
def make(admin: Api, namespaces: tuple[str, str]) -> Iterator[Make]:
    """Workloads where the bot acts; they go when the test is over."""
    made: list[Workload] = []

    def one(kind: EntityKind, name: str, **spec: Any) -> Workload:
        found = Workload(admin, namespaces[0], kind, name)
        made.append(found)
        found.make(manifest(kind, name, **spec))
        found.settle()
        return found

    yield one
    for workload in made:
        admin.delete(workload.path)


@pytest.fixture
async def other(redis_url: str, controlplane: ControlPlane) -> AsyncIterator[BotSide]:
    """Another worker on the same Redis."""
    async with bot_side(redis=redis_url, kubeconfig=controlplane.kubeconfig()) as side:
        yield side


LATE: Json = {
    "metadata": {
        "labels": {"app": "one-budget"},
        "annotations": {STAGES: json.dumps(["Running", "Running", "Running", "NotReady"])},
    },
    "spec": {"containers": [{"name": "main", "image": "registry.test/plain:1"}], "terminationGracePeriodSeconds": 1},
}
"""Of pods of which the fourth, in the place of one that went, is not ready by itself."""


def by_name(workload: Workload) -> dict[str, Json]:
    return {pod["metadata"]["name"]: pod for pod in workload.pods()}


def uid(pod: Json) -> str:
    return str(pod["metadata"]["uid"])


def budget(admin: Api, workload: Workload, name: str = "", **spec: Any) -> str:
    """A budget of a workload's pods; its path, once it has counted them."""
    folder = f"/apis/policy/v1/namespaces/{workload.entity.namespace}/poddisruptionbudgets"
    name = name or workload.name
    selector = {"matchLabels": {"app": workload.name}}
    admin.make(folder, {"metadata": {"name": name}, "spec": {"selector": selector, **spec}})
    admin.until(f"{folder}/{name}", lambda found: found.get("status", {}).get("currentHealthy") == 3)
    return f"{folder}/{name}"


async def to_the_end(bot: BotSide, plan: Plan) -> Followed:
    for _ in range(300):
        told = await bot.follow(plan)
        if told is not None:
            return told
        await asyncio.sleep(0.1)
    raise AssertionError("it did not end")


def said(told: Followed) -> str:
    return "\n".join(render(line, "en") for line in told.lines)


@pytest.mark.kubectl
@pytest.mark.parametrize("kind", ["Deployment", "StatefulSet", "DaemonSet"])
async def test_the_bot_leaves_behind_what_kubectl_delete_does(
    admin: Api, namespaces: tuple[str, str], bot: BotSide, kubectl_in: Callable[[str], Kubectl], kind: EntityKind
) -> None:
    ours, theirs = (Workload(admin, where, kind, f"gone-{kind.lower()}") for where in namespaces)
    pair = Twins(ours, theirs, kubectl_in(namespaces[1]), bot)
    try:
        pair.make(manifest(kind, ours.name))
        victims = [sorted(by_name(one))[-1] for one in (ours, theirs)]
        before = by_name(ours)
        await pair.kubectl.run("delete", "pod", victims[1])
        plan = await bot.change(ours.entity, "delete_pod", {"pod": victims[0]})
        told = await to_the_end(bot, plan)
        assert (told.finished, told.failed) == (True, False), said(told)
        pair.settle()
        assert pair.differences() == []
        after = {uid(pod) for pod in ours.pods()}
        assert {uid(pod) for pod in before.values()} - after == {uid(before[victims[0]])}
    finally:
        for one in (ours, theirs):
            admin.delete(one.path)


async def test_one_budget_lets_one_go_by_eviction_and_holds_the_next(admin: Api, bot: BotSide, make: Make) -> None:
    db = make("StatefulSet", "one-budget", template=LATE)
    path = budget(admin, db, minAvailable=2)
    prepared = await bot.prepare(db.entity, "delete_pod", {"pod": f"{db.name}-0"})
    held = await bot.prepare(db.entity, "delete_pod", {"pod": f"{db.name}-1"})
    assert prepared.plan is not None, prepared.problem
    assert held.plan is not None, held.problem
    assert prepared.plan.change.verb == "evict"
    await bot.execute(prepared.plan)
    blocked = await bot.execute(held.plan)
    assert blocked.problem is not None
    assert (blocked.outcome, blocked.problem.key) == ("refused", "gate.blocked")
    assert f"The disruption budget {db.name} needs 2 healthy pods" in render(blocked.problem, "en")
    again = f"/api/v1/namespaces/{db.entity.namespace}/pods/{db.name}-0"
    gone = prepared.plan.change.uid
    admin.until(again, lambda pod: pod["metadata"]["uid"] != gone)
    admin.patch(again, {"metadata": {"annotations": {STAGE: "Running"}}})
    told = await to_the_end(bot, prepared.plan)
    assert (told.finished, told.failed) == (True, False), said(told)
    admin.delete(path)


async def test_a_budget_with_nothing_to_spare_and_two_of_them_are_said_at_once(
    admin: Api, bot: BotSide, make: Make
) -> None:
    db = make("StatefulSet", "two-budgets")
    before = {uid(pod) for pod in db.pods()}
    paths = [budget(admin, db, minAvailable=3)]
    never = await bot.prepare(db.entity, "delete_pod", {"pod": f"{db.name}-0"})
    assert never.problem is not None
    assert never.problem.key == "pod.blocked_ever"
    paths.append(budget(admin, db, "more", maxUnavailable=1))
    both = await bot.prepare(db.entity, "delete_pod", {"pod": f"{db.name}-0"})
    assert both.problem is not None
    assert both.problem.key == "pod.several_budgets"
    assert {uid(pod) for pod in db.pods()} == before
    for path in paths:
        admin.delete(path)


async def test_a_pod_that_was_replaced_under_its_name_stays(admin: Api, bot: BotSide, make: Make) -> None:
    db = make("StatefulSet", "replaced")
    prepared = await bot.prepare(db.entity, "delete_pod", {"pod": f"{db.name}-2"})
    assert prepared.plan is not None, prepared.problem
    old = uid(by_name(db)[f"{db.name}-2"])
    admin.delete(f"/api/v1/namespaces/{db.entity.namespace}/pods/{db.name}-2")
    db.until(lambda _found: uid(by_name(db).get(f"{db.name}-2", {"metadata": {"uid": old}})) != old)
    db.settle()
    new = uid(by_name(db)[f"{db.name}-2"])
    executed = await bot.execute(prepared.plan)
    assert executed.problem is not None
    assert (executed.outcome, executed.problem.key) == ("refused", "gate.pod_gone")
    assert uid(by_name(db)[f"{db.name}-2"]) == new


def stuck(make: Make, name: str) -> Workload:
    """A StatefulSet whose newest pod does not survive the second revision: it waits for it for ever."""
    db = make("StatefulSet", name)
    annotations = {"kubelet.test/stages": json.dumps(3 * ["CrashLoopBackOff"])}
    db.patch({"spec": {"template": {"metadata": {"annotations": annotations}}}})
    db.until(lambda _found: _crashes(by_name(db).get(f"{name}-2", {})))
    return db


def _crashes(pod: Json) -> bool:
    rows = pod.get("status", {}).get("containerStatuses", [])
    return any("waiting" in row.get("state", {}) and row.get("restartCount") for row in rows)


async def test_a_stateful_set_that_is_stuck_comes_back_by_the_second_step(bot: BotSide, make: Make) -> None:
    db = stuck(make, "stuck")
    bad, kept = uid(by_name(db)["stuck-2"]), [uid(by_name(db)[f"stuck-{number}"]) for number in (0, 1)]
    plan = await bot.change(db.entity, "rollback")
    assert [(step.name, step.uid) for step in plan.steps] == [("stuck-2", bad)]
    assert "(1: stuck-2)" in "\n".join(render(line, "en") for line in plan.preview)
    told = await to_the_end(bot, plan)
    assert (told.finished, told.failed) == (True, False), said(told)
    found = db.settle()
    assert found["status"]["readyReplicas"] == 3
    assert uid(by_name(db)["stuck-2"]) != bad
    assert [uid(by_name(db)[f"stuck-{number}"]) for number in (0, 1)] == kept


async def test_whoever_takes_it_over_makes_the_steps_that_are_left_and_none_twice(
    bot: BotSide, other: BotSide, make: Make, controlplane: ControlPlane
) -> None:
    db = stuck(make, "taken-over")
    bad = uid(by_name(db)["taken-over-2"])
    plan = await bot.change(db.entity, "rollback")
    other.take_over(bot)
    rounds = await asyncio.gather(*(side.follow(plan) for side in (bot, other, bot, other)))
    assert [told for told in rounds if told is not None and told.failed] == []
    told = await to_the_end(other, plan)
    assert (told.finished, told.failed) == (True, False), said(told)
    db.settle()
    assert uid(by_name(db)["taken-over-2"]) != bad
    deleted = [
        event
        for event in controlplane.writes(namespace=db.entity.namespace, verbs=("delete",))
        if event["objectRef"].get("name") == "taken-over-2" and "chatops-bot" in event["userAgent"]
    ]
    # One by its uid; a second one meanwhile finds it going, or another version of it.
    assert 1 <= len(deleted) <= 2


async def test_a_follower_that_dies_in_the_middle_of_a_write_is_made_up_for(
    bot: BotSide, other: BotSide, make: Make
) -> None:
    db = stuck(make, "dies")
    bad = uid(by_name(db)["dies-2"])
    plan = await bot.change(db.entity, "rollback")
    other.take_over(bot)
    for pause in (0.005, 0.02, 0.05):
        dying = asyncio.create_task(bot.follow(plan))
        await asyncio.sleep(pause)
        dying.cancel()
        await asyncio.gather(dying, return_exceptions=True)
    told = await to_the_end(other, plan)
    assert (told.finished, told.failed) == (True, False), said(told)
    db.settle()
    assert uid(by_name(db)["dies-2"]) != bad
